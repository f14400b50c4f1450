"""The working area of one turn: the current state, the orders, the random streams and the log."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from rules import events as ev
from rules.apply import APPLY, damage_robot, destroy_robot, learn_link, place_robot, set_archive
from rules.chance import Chance
from rules.grid import BEFORE, OFF
from rules.orders import REGISTERS, Chip, Orders, locks
from rules.setup import ALL, Cells, Setup, Step, always
from rules.starship import Starship
from rules.state import Robot, State

NO_ORDERS: Final = Orders()

# Frequent code uses loops instead of comprehensions, which cost a call each (Python 3.11).

# The most frequent types of events. Compiled code finds them faster if they are Final.
MOVE: Final = ev.Move
TURN: Final = ev.Turn
SHOT: Final = ev.Shot
BLOCKED: Final = ev.Blocked
DAMAGE: Final = ev.Damage
DESTROYED: Final = ev.Destroyed
ENTER: Final = ev.Enter
ARCHIVE: Final = ev.Archive


class Resolution:
    """The turn that is being played.

    ``sequence`` is the move order (G-1.7). ``programs`` has the chips in the registers of each robot, by
    robot index. ``acting`` lists the robots that execute their programs. ``chips`` has the chip that each
    robot executes in this phase, or None. It is empty before phase 1.

    The current board: ``occupied`` has the real robot in each cell (G-1.6). ``damaged`` are the cells of
    damaged hull (RR-7.2). ``ways`` has the next cell in each heading (G-1.3). ``sights`` are the lines of
    sight (G-6.2). ``falls`` has the cause of destruction in each cell, which changes when bay doors open and
    close. ``concerned`` marks the steps that affect a cell with a robot (`Setup.concerns`). It is out of date
    while ``moved`` is true.

    The results so far: ``log`` has the events of the turn (`ev.read_log`). This phase starts at index
    ``phase_begins``. ``entered`` is the robot that just entered a cell. ``engaged`` are the robots with
    equipment in effect in this phase, and ``engaged_all_turn`` those with equipment in effect for the whole
    turn. ``destroyed`` are the robots destroyed this turn, in order. ``departed`` are the robots that went
    out of the game or took a place since the last verdict.

    ``switched_on`` are the robots that were off in the previous turn. Only their players know the chips in
    their locked registers (`rules.view`), unless the robots stay off.

    ``equipped`` is true if a robot may have equipment, and ``ghostly`` if a robot may be virtual. If
    ``alone`` is true, the turn is played for one robot. The other robots are missing, but not out of the
    game, so the robot does not win as the last one standing.

    Shots, turns and blocked steps are logged if ``full_log`` is true, and other events if ``log_enabled`` is
    true. If ``logs`` is False, the turn is faster, and these two are true only if the rules need the log.
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
        "full_log",
        "ghostly",
        "log",
        "log_enabled",
        "moved",
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
        # `_instant_of_going_out` needs a complete log.
        self.full_log = logs or not setup.ruleset.last_wins
        self.log_enabled = self.full_log or setup.looks_back
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
        if not setup.ruleset.deals_before_staying_off:
            for robot in robots:
                if robot.was_down:
                    self.switched_on.add(robot.index)

    def run(self, steps: Iterable[Step]) -> None:
        """Run steps in order, and stop as soon as the game is over (G-2.6)."""
        state = self.state
        for step in steps:
            if state.over:
                return
            self.step = step.name
            step.rule(self)

    # Queries of steps

    def orders_of(self, robot: Robot) -> Orders:
        return self.orders.get(robot.index, NO_ORDERS)

    @property
    def on_board(self) -> list[Robot]:
        """The robots on the board, in move order."""
        found: list[Robot] = []
        for robot in self.sequence:
            if robot.cell != OFF:
                found.append(robot)
        return found

    def uses(self, robot: Robot, item: str) -> bool:
        """Return whether a robot has this equipment, and the equipment is in effect now (RR-10)."""
        if robot.equipment != item or robot.virtual or robot.down:
            return False
        return robot.index in self.engaged or robot.index in self.engaged_all_turn

    def shields(self, robot: Robot, by: str) -> bool:
        """Return whether shields protect a robot from damage with this cause (RR-10.3)."""
        up = robot.equipment == "shields" and self.uses(robot, "shields")
        return up and by in self.setup.ruleset.shielded

    def in_order(self, robots: list[Robot]) -> list[Robot]:
        """Return these robots in move order, each of them once (G-1.7)."""
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
        """Return the indexes of the players' robots that are neither out nor finished (G-10.3)."""
        return {
            robot.index
            for robot in self.robots
            if (robot.alive or robot.lives > 0)
            and robot.place is None
            and not (robot.scanner or robot.crystal)
        }

    def sight(self, cell: int, heading: int) -> tuple[int, ...]:
        """Return the cells in a line of sight in this phase, nearest first (G-6.2)."""
        return self.ship.look(self.phase, cell, heading)

    def moves(self) -> dict[int, tuple[int, int]]:
        """Return the last move of each robot in this phase, as its old and new cell, by robot index."""
        entries = self.log[self.phase_begins :]
        return {entry[3]: (entry[4], entry[5]) for entry in entries if entry[0] is MOVE}

    # Effects of steps: the only ways to change the state

    def emit(self, event: ev.Event) -> None:
        """Apply an event to the state, and add it to the log."""
        APPLY[type(event)](self.state, event)
        if self.log_enabled:
            self.log.append(event)

    # These events are the most frequent. They are logged as plain tuples (`ev.read_log`), and applied without
    # a lookup.

    def move(self, robot: Robot, to: int, by: str, pusher: int | None = None) -> None:
        """Move a robot to another cell.

        If several robots move at the same time, this method may be called for them in any order.
        """
        origin = robot.cell
        if self.log_enabled:
            self.log.append((MOVE, self.phase, self.step, robot.index, origin, to, by, pusher))
        robot.cell = to
        self.moved = True
        if not robot.virtual:
            occupied = self.occupied
            if occupied[origin] is robot:
                occupied[origin] = None
            occupied[to] = robot

    def beam(self, robot: Robot, to: int) -> None:
        """Beam a robot to the destination of its transporter. The destination becomes public (RR-1.4)."""
        origin = robot.cell
        self.move(robot, to, "transporter")
        learn_link(self.state, origin, to)

    def turn(self, robot: Robot, heading: int, by: str) -> None:
        """Turn a robot to a heading. The crystal has no heading, so it does not turn."""
        if not robot.crystal:
            if self.full_log:
                self.log.append((TURN, self.phase, self.step, robot.index, robot.heading, heading, by))
            robot.heading = heading

    def shot(
        self, robot: Robot, end: int, hit: int | str | None, damage: int = 0, reflected: bool = False
    ) -> None:
        """Log a robot's shot, from its cell to the cell ``end``. The state does not change."""
        if self.full_log:
            cell = robot.cell
            self.log.append(
                (SHOT, self.phase, self.step, robot.index, None, cell, end, hit, damage, reflected)
            )

    def blocked(self, robot: Robot, heading: int, by: str) -> None:
        if self.full_log:
            self.log.append((BLOCKED, self.phase, self.step, robot.index, robot.cell, heading, by))

    def hurt(self, robot: Robot, amount: int, by: str, source: Robot | None = None) -> None:
        """Deal damage to a robot. The caller must then destroy robots with too much damage.

        `destroy_wrecks` can do this. The crystal takes no damage (RC-3), and neither does a robot with
        shields up (RR-10.3).
        """
        if not (robot.crystal or (self.equipped and self.shields(robot, by))):
            if self.log_enabled:
                cause = source.index if source else None
                self.log.append((DAMAGE, self.phase, self.step, robot.index, amount, by, cause))
            damage_robot(robot, amount)

    def destroy(self, robot: Robot, by: str, killers: Sequence[Robot] = (), how: str | None = None) -> None:
        by_whom = tuple([killer.index for killer in killers]) if killers else ()
        manner = how if by_whom else None
        self._vacate(robot)
        self._retire(robot)
        out = self._instant_of_going_out(robot)
        if self.log_enabled:
            self.log.append(
                (DESTROYED, self.phase, self.step, robot.index, robot.cell, by, by_whom, manner, out)
            )
        destroy_robot(robot, out)
        self.destroyed.append(robot)
        if robot.out and not robot.crystal:
            self.departed.add(robot.index)

    def _instant_of_going_out(self, robot: Robot) -> int | None:
        """Return the number of the moment when a robot goes out of the game, or None.

        The moment has a number only if the robot is out now, and if the ruleset decides games by it. Robots
        that are destroyed in the same step, one right after the other, go out in the same moment (G-10.3).
        """
        ruleset = self.setup.ruleset
        if ruleset.last_wins or robot.scanner or robot.lives > 1:
            return None
        last = max(other.fell for other in self.robots)
        for entry in reversed(self.log):
            if entry[0] is not DESTROYED:
                break
            if (entry[1], entry[2]) != (self.phase, self.step) and not ruleset.ties_across_steps:
                break
            if last and entry[-1] == last:
                return last
        return last + 1

    def destroy_wrecks(self, robots: Iterable[Robot]) -> None:
        """Destroy each of these robots if its damage has reached the ruleset's limit (G-7.1)."""
        for robot in robots:
            if robot.on_board and robot.damage >= self.setup.ruleset.damage_limit:
                self.destroy(robot, "damage")

    def enter(self, robot: Robot, cell: int | None, *, virtual: bool = False) -> bool:
        """Place a robot in a cell. Return True, or False if ``cell`` is None and nothing changed."""
        if cell is None:
            return False
        if robot.on_board:
            self._vacate(robot)
        if self.log_enabled:
            self.log.append((ENTER, self.phase, self.step, robot.index, cell, robot.heading, virtual))
        place_robot(self.state, robot, cell, virtual)
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
        """Make a robot virtual. The crystal always stays real (RC-3)."""
        if not robot.crystal:
            self._vacate(robot)
            self.emit(ev.Virtual(self.phase, self.step, robot.index))
            self.ghostly = True
            for other in self.robots:
                if other.cell == robot.cell and not other.virtual:
                    self.occupied[other.cell] = other

    def clear(self) -> None:
        """Remove all robots from their cells. The caller must then place every robot again."""
        for robot in self.robots:
            self.occupied[robot.cell] = None
        self.moved, self.concerned = True, ALL

    def _vacate(self, robot: Robot) -> None:
        if self.occupied[robot.cell] is robot:
            self.occupied[robot.cell] = None

    def _retire(self, robot: Robot) -> None:
        """Stop a robot from executing further chips in this turn (G-2.3)."""
        for place, entry in enumerate(self.acting):
            if entry[0] is robot:
                del self.acting[place]
                return

    def weld(self, robot: Robot, checkpoint: int) -> None:
        """Reduce the hull damage at a checkpoint by 1, because this robot welds it (RR-7.2)."""
        left = max(0, self.state.hull[checkpoint] - 1)
        self.emit(ev.Weld(self.phase, self.step, robot.index, checkpoint, left))
        if not left:
            self.damaged.discard(self.ship.checkpoints[checkpoint])

    def repair(self, robot: Robot, most: int, by: str) -> None:
        """Repair up to ``most`` damage of a robot (G-7.5).

        Registers chosen by its player are unlocked first (AM-5.3).
        """
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
        if down and self.phase == BEFORE:  # its repair unlocks registers, which lose their chips (G-7.3)
            self.programs[robot.index][:] = [None] * REGISTERS
        self.emit(ev.Power(self.phase, self.step, robot.index, down, may_stay_down))

    def archive(self, robot: Robot, cell: int) -> None:
        if self.log_enabled:
            self.log.append((ARCHIVE, self.phase, self.step, robot.index, cell))
        set_archive(self.robots, robot, cell)

    def inspect(self, robot: Robot, checkpoint: int) -> None:
        self.emit(ev.Inspect(self.phase, self.step, robot.index, checkpoint))

    def finish(self, robot: Robot, *, leaves: bool = False) -> None:
        """Give a robot the best place that is still free (G-10.1).

        With ``leaves``, also take the robot off the board (FA-4).
        """
        place = 1 + sum(other.place is not None for other in self.robots)
        if leaves:
            self._vacate(robot)
            self._retire(robot)
        self.emit(ev.Finish(self.phase, self.step, robot.index, None, place, leaves))
        self.departed.add(robot.index)

    def end_game(self, winner: ev.Winner, reason: str) -> None:
        locked = self._locked_chips() if self.setup.ruleset.reveals_locked else None
        self.emit(ev.Over(self.phase, self.step, winner, reason, locked))

    def _locked_chips(self) -> dict[int, dict[int, Chip]] | None:
        """Return the unexecuted chips in locked registers (G-7.3), or None if there are none."""
        found = {
            robot.index: chips
            for robot in self.robots
            if robot.alive and (chips := dict(self._not_revealed(robot)))
        }
        return found or None

    def _not_revealed(self, robot: Robot) -> Iterator[tuple[int, Chip]]:
        """Yield a robot's locked registers whose chips are still secret: the number, from 1, and the chip."""
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
    """Turn a function into a step of a ruleset.

    The text of the rule is ``text``, or else the function's docstring. `compile_rules.py` adds
    ``text``, because compiled functions have no docstring. ``needs``, ``cells`` and ``looks_back`` are
    fields of `Step`.
    """

    def make(rule: Callable[[Resolution], None]) -> Step:
        stated = " ".join((text or rule.__doc__ or "").split())
        return Step(name, clauses, rule, stated, cells or needs, cells, looks_back)

    return make
