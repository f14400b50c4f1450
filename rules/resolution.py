"""The working area of one turn: the state so far, the orders, chance, and the log being written."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rules import events as ev
from rules.apply import APPLY, appear, lay, learn, wound, wreck
from rules.chance import Chance
from rules.grid import BEFORE, OFF
from rules.orders import REGISTERS, Chip, Orders, locks
from rules.setup import ALL, Cells, Setup, Step, always
from rules.starship import Starship
from rules.state import Robot, State

NO_ORDERS: Final = Orders()

# Where a turn passes several times, loops stand in place of comprehensions: each costs a call (Python 3.11).

# The types of the events that are logged most often. Compiled code finds them at once where they are Final.
MOVE: Final = ev.Move
TURN: Final = ev.Turn
SHOT: Final = ev.Shot
BLOCKED: Final = ev.Blocked
DAMAGE: Final = ev.Damage
DESTROYED: Final = ev.Destroyed
ENTER: Final = ev.Enter
ARCHIVE: Final = ev.Archive


class Resolution:
    """One turn under way.

    ``sequence`` is the order in which robots act (G-1.7). ``programs`` are the chips in the registers, by
    robot, ``acting`` the robots that execute them, each with its program, and ``chips`` those of this phase,
    by robot: None without one, and empty before phase 1.

    The board at the moment: ``occupied`` has the real robot in each cell (G-1.6), ``damaged`` the cells of
    damaged hull (RR-7.2), ``ways`` the next cells (G-1.3), ``sights`` the ways of light (G-6.2), and
    ``falls`` the causes of destruction in cells (bay doors open and close). ``concerned`` marks the steps
    that concern a cell with a robot (`Setup.concerns`), unless one has ``moved`` since.

    The results so far: the ``log`` (`ev.read_log`), with that of this phase from ``phase_begins`` on.
    ``entered`` is the robot that has just entered a cell, ``engaged`` are those whose equipment works in this
    phase, and ``engaged_all_turn`` through the turn. ``destroyed`` are those of this turn, in that order, and
    ``departed`` those that have left the game or taken a place since the last verdict.

    ``switched_on`` are the robots that were off in the turn before, whose locked registers only their players
    know (`rules.view`), unless they stay off.

    Robots may have equipment if the turn is ``equipped``, and be virtual if it is ``ghostly``. If the other
    robots were only put aside (``alone``), no one is the last one standing.

    A turn whose log no one will read costs less without (``logs``): then it ``tells`` no shots, turns and
    blocked steps, and ``notes`` other events only if its own rules look back at them.
    """

    __slots__ = (
        "acting",
        "alone",
        "chance",
        "chips",
        "concerned",
        "damaged",
        "departed",
        "destroyed",
        "engaged",
        "engaged_all_turn",
        "entered",
        "entering",
        "equipped",
        "falls",
        "ghostly",
        "log",
        "moved",
        "notes",
        "occupied",
        "orders",
        "phase",
        "phase_begins",
        "programs",
        "robots",
        "sequence",
        "setup",
        "ship",
        "sights",
        "state",
        "step",
        "switched_on",
        "tells",
        "ways",
    )

    def __init__(
        self,
        setup: Setup,
        state: State,
        orders: Mapping[int, Orders],
        programs: Mapping[int, list[Chip | None]],
        chance: Chance,
        *,
        alone: bool = False,
        logs: bool = True,
    ) -> None:
        self.alone = alone
        # In which instant robots went out is read off a whole log.
        self.tells = logs or not setup.ruleset.last_wins
        self.notes = self.tells or setup.looks_back
        self.setup = setup
        self.ship = ship = setup.starship
        self.state = state
        self.robots = robots = state.robots
        self.orders = orders
        self.programs = programs
        self.chance = chance
        self.log: list[ev.Entry] = []
        self.phase_begins = 0
        self.phase = BEFORE
        self.step = ""
        self.acting: list[tuple[Robot, list[Chip | None]]] = []
        self.chips: list[Chip | None] = []
        self.ways = ship.ways[BEFORE]
        self.falls = ship.falls[BEFORE]
        self.sights = ship.sights[BEFORE]
        self.damaged: set[int] = set()
        for number, left in state.hull.items():
            if left:
                self.damaged.add(ship.checkpoints[number])
        self.moved = True
        self.concerned = ALL
        self.occupied: list[Robot | None] = [None] * ship.size
        self.equipped = self.ghostly = False
        for robot in robots:
            if robot.virtual:
                self.ghostly = True
            elif robot.cell != OFF:
                self.occupied[robot.cell] = robot
            if robot.equipment:
                self.equipped = True
            if robot.alive and not robot.down:
                self.acting.append((robot, programs[robot.index]))
        self.entered: Robot = robots[0]
        self.entering = setup.ruleset.entering
        self.engaged: set[int] = set()
        self.engaged_all_turn: set[int] = set()
        self.sequence: list[Robot] = setup.ruleset.sequence(self)
        self.destroyed: list[Robot] = []
        self.departed: set[int] = set()
        self.switched_on: set[int] = set()
        if not setup.ruleset.deals_before_deciding:
            for robot in robots:
                if robot.was_down:
                    self.switched_on.add(robot.index)

    def run(self, steps: Iterable[Step]) -> None:
        """Run steps in order, until the game is over (G-2.6)."""
        state = self.state
        for step in steps:
            if state.over:
                return
            self.step = step.name
            step.rule(self)

    # What steps ask

    def orders_of(self, robot: Robot) -> Orders:
        return self.orders.get(robot.index, NO_ORDERS)

    @property
    def on_board(self) -> list[Robot]:
        """The robots on the board, in the order in which they act."""
        found: list[Robot] = []
        for robot in self.sequence:
            if robot.cell != OFF:
                found.append(robot)
        return found

    def uses(self, robot: Robot, item: str) -> bool:
        """Return whether that equipment of the robot is effective just now (RR-10)."""
        if robot.equipment != item or robot.virtual or robot.down:
            return False
        return robot.index in self.engaged or robot.index in self.engaged_all_turn

    def shields(self, robot: Robot, by: str) -> bool:
        """Return whether a robot's shields keep that kind of damage off (RR-10.3)."""
        up = robot.equipment == "shields" and self.uses(robot, "shields")
        return up and by in self.setup.ruleset.shielded

    def in_order(self, robots: list[Robot]) -> list[Robot]:
        """Return the robots in the order in which they act (G-1.7), each once."""
        if len(robots) < 2:
            return robots
        chosen: set[int] = set()
        for robot in robots:
            chosen.add(robot.index)
        found: list[Robot] = []
        for robot in self.sequence:
            if robot.index in chosen:
                found.append(robot)
        return found

    def still_in_play(self) -> set[int]:
        """Return the players' robots that neither are out of the game nor have finished (G-10.3)."""
        return {
            robot.index
            for robot in self.robots
            if (robot.alive or robot.lives > 0)
            and robot.place is None
            and not (robot.scanner or robot.crystal)
        }

    def sight(self, cell: int, heading: int) -> tuple[int, ...]:
        """Return the cells that light crosses from a cell on in this phase, the nearest first (G-6.2)."""
        return self.ship.look(self.phase, cell, heading)

    def moves(self) -> dict[int, tuple[int, int]]:
        """Return the robots that changed their cell in this phase, each with its last move: from and to."""
        entries = self.log[self.phase_begins :]
        return {entry[3]: (entry[4], entry[5]) for entry in entries if entry[0] is MOVE}

    # What steps make happen: the only ways to change the state

    def emit(self, event: ev.Event) -> None:
        """Apply an event to the state, and log it."""
        APPLY[type(event)](self.state, event)
        if self.notes:
            self.log.append(event)

    # These events are most of what happens: they are logged as plain tuples (`ev.read_log`), and applied
    # without being looked up.

    def move(self, robot: Robot, to: int, by: str, pusher: int | None = None) -> None:
        """Move a robot to another cell. Those of one instant may do so in any order."""
        origin = robot.cell
        if self.notes:
            self.log.append((MOVE, self.phase, self.step, robot.index, origin, to, by, pusher))
        robot.cell = to
        self.moved = True
        if not robot.virtual:
            occupied = self.occupied
            if occupied[origin] is robot:
                occupied[origin] = None
            occupied[to] = robot

    def beam(self, robot: Robot, to: int) -> None:
        """Move a robot from a transporter to its target, which everyone then knows (RR-1.4)."""
        origin = robot.cell
        self.move(robot, to, "transporter")
        learn(self.state, origin, to)

    def turn(self, robot: Robot, heading: int, by: str) -> None:
        """Turn a robot; the crystal has no heading."""
        if not robot.crystal:
            if self.tells:
                self.log.append((TURN, self.phase, self.step, robot.index, robot.heading, heading, by))
            robot.heading = heading

    def shot(
        self, robot: Robot, end: int, hit: int | str | None, damage: int = 0, reflected: bool = False
    ) -> None:
        """Log the shot of a robot, from its cell to its end. It changes nothing itself."""
        if self.tells:
            cell = robot.cell
            self.log.append(
                (SHOT, self.phase, self.step, robot.index, None, cell, end, hit, damage, reflected)
            )

    def blocked(self, robot: Robot, heading: int, by: str) -> None:
        if self.tells:
            self.log.append((BLOCKED, self.phase, self.step, robot.index, robot.cell, heading, by))

    def hurt(self, robot: Robot, amount: int, by: str, source: Robot | None = None) -> None:
        """Deal damage; whether it destroys is for `destroy_wrecks` to say, once all has been dealt.

        The crystal takes none (RC-3), nor does a robot with shields up (RR-10.3).
        """
        if not (robot.crystal or (self.equipped and self.shields(robot, by))):
            if self.notes:
                cause = source.index if source else None
                self.log.append((DAMAGE, self.phase, self.step, robot.index, amount, by, cause))
            wound(robot, amount)

    def destroy(self, robot: Robot, by: str, killers: Sequence[Robot] = (), how: str | None = None) -> None:
        by_whom = tuple([killer.index for killer in killers]) if killers else ()
        manner = how if by_whom else None
        self._vacate(robot)
        self._retire(robot)
        out = self._instant_of_going_out(robot)
        if self.notes:
            self.log.append(
                (DESTROYED, self.phase, self.step, robot.index, robot.cell, by, by_whom, manner, out)
            )
        wreck(robot, out)
        self.destroyed.append(robot)
        if robot.out and not robot.crystal:
            self.departed.add(robot.index)

    def _instant_of_going_out(self, robot: Robot) -> int | None:
        """Number the instants of a game in which robots go out; return None if the ruleset counts none.

        Robots that are destroyed in one instant stand one after another in the log, in one step (G-10.3).
        """
        ruleset = self.setup.ruleset
        if ruleset.last_wins or robot.scanner or robot.lives > 1:
            return None
        last = max(other.fell for other in self.robots)
        for entry in reversed(self.log):
            if entry[0] is not DESTROYED:
                break
            if (entry[1], entry[2]) != (self.phase, self.step) and not ruleset.joins_steps:
                break
            if last and entry[-1] == last:
                return last
        return last + 1

    def destroy_wrecks(self, robots: Iterable[Robot]) -> None:
        """Destroy the robots whose damage has reached the limit (G-7.1)."""
        for robot in robots:
            if robot.on_board and robot.damage >= self.setup.ruleset.damage_limit:
                self.destroy(robot, "damage")

    def enter(self, robot: Robot, cell: int | None, *, virtual: bool = False) -> bool:
        """Put a robot onto the board, or elsewhere on it; return whether there is any cell for it."""
        if cell is None:
            return False
        if robot.on_board:
            self._vacate(robot)
        if self.notes:
            self.log.append((ENTER, self.phase, self.step, robot.index, cell, robot.heading, virtual))
        appear(self.state, robot, cell, virtual)
        self.moved = True
        if virtual:
            self.ghostly = True
        else:
            self.occupied[cell] = robot
        return True

    def make_real(self, robot: Robot) -> None:
        self.emit(ev.Real(self.phase, self.step, robot.index))
        self.occupied[robot.cell] = robot

    def make_virtual(self, robot: Robot) -> None:
        """Make a robot virtual; the crystal is always real (RC-3)."""
        if not robot.crystal:
            self._vacate(robot)
            self.emit(ev.Virtual(self.phase, self.step, robot.index))
            self.ghostly = True
            for other in self.robots:
                if other.cell == robot.cell and not other.virtual:
                    self.occupied[other.cell] = other

    def clear(self) -> None:
        """Take all robots off their cells before putting them elsewhere."""
        for robot in self.robots:
            self.occupied[robot.cell] = None
        self.moved, self.concerned = True, ALL

    def _vacate(self, robot: Robot) -> None:
        if self.occupied[robot.cell] is robot:
            self.occupied[robot.cell] = None

    def _retire(self, robot: Robot) -> None:
        """Stop a robot from executing chips (G-2.3)."""
        for place, entry in enumerate(self.acting):
            if entry[0] is robot:
                del self.acting[place]
                return

    def weld(self, robot: Robot, checkpoint: int) -> None:
        """Repair the hull at a checkpoint by one (RR-7.2)."""
        left = max(0, self.state.hull[checkpoint] - 1)
        self.emit(ev.Weld(self.phase, self.step, robot.index, checkpoint, left))
        if not left:
            self.damaged.discard(self.ship.checkpoints[checkpoint])

    def repair(self, robot: Robot, most: int, by: str) -> None:
        """Repair up to so much damage (G-7.5); registers that its player names are freed first (AM-5.3)."""
        if amount := min(most, robot.damage):
            wished = self.orders_of(robot).unlock if "unlock" in self.setup.ruleset.orders else ()
            chosen = [number for number in wished if number - 1 in robot.locked]
            freed = len(robot.locked) - locks(robot.damage - amount)
            self.emit(
                ev.Repair(self.phase, self.step, robot.index, amount, by, tuple(chosen[: max(0, freed)]))
            )

    def reload(self, robot: Robot, ammo: int) -> None:
        self.emit(ev.Reload(self.phase, self.step, robot.index, ammo))

    def power(self, robot: Robot, down: bool, *, may_stay_down: bool = False) -> None:
        if down:
            self._retire(robot)
        if down and self.phase == BEFORE:  # its repair frees registers, which keep no chip (G-7.3)
            self.programs[robot.index][:] = [None] * REGISTERS
        self.emit(ev.Power(self.phase, self.step, robot.index, down, may_stay_down))

    def archive(self, robot: Robot, cell: int) -> None:
        if self.notes:
            self.log.append((ARCHIVE, self.phase, self.step, robot.index, cell))
        lay(self.robots, robot, cell)

    def inspect(self, robot: Robot, checkpoint: int) -> None:
        self.emit(ev.Inspect(self.phase, self.step, robot.index, checkpoint))

    def finish(self, robot: Robot, *, leaves: bool = False) -> None:
        """Give a robot the first place that is free (G-10.1), with which it may leave the board (FA-4)."""
        place = 1 + sum(other.place is not None for other in self.robots)
        if leaves:
            self._vacate(robot)
            self._retire(robot)
        self.emit(ev.Finish(self.phase, self.step, robot.index, None, place, leaves))
        self.departed.add(robot.index)

    def end_game(self, winner: ev.Winner, reason: str) -> None:
        locked = self._locked_chips() if self.setup.ruleset.tells_locked else None
        self.emit(ev.Over(self.phase, self.step, winner, reason, locked))

    def _locked_chips(self) -> dict[int, dict[int, Chip]] | None:
        """Return the chips of locked registers that were not executed yet (G-7.3), or None."""
        found = {
            robot.index: chips
            for robot in self.robots
            if robot.alive and (chips := dict(self._not_revealed(robot)))
        }
        return found or None

    def _not_revealed(self, robot: Robot) -> Iterator[tuple[int, Chip]]:
        """Yield the locked registers of a robot whose chips not everybody has seen, by number from 1."""
        program = self.programs.get(robot.index, ())
        for register in robot.locked:
            hidden = robot.registers[register] is None or (
                robot.index in self.switched_on and register >= self.phase
            )
            if hidden and register < len(program) and (chip := program[register]):
                yield register + 1, chip


def step(
    name: str,
    clauses: str,
    needs: Callable[[Starship], object] = always,
    *,
    cells: Callable[[Starship], Cells] | None = None,
    looks_back: bool = False,
    text: str = "",
) -> Callable[[Callable[[Resolution], None]], Step]:
    """Make a step of a function whose docstring states the rule, or its ``text`` if it is compiled."""

    def make(rule: Callable[[Resolution], None]) -> Step:
        stated = " ".join((text or rule.__doc__ or "").split())
        return Step(name, clauses, rule, stated, cells or needs, cells, looks_back)

    return make
