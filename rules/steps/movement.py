"""Steps that move or turn robots: chips, beams (G-5), oil (GR-2.2) and launch bays (RR-3.1)."""

from collections.abc import Iterator
from typing import Final

from rules.grid import AFTER, HEADINGS, OFF, opposite, turned
from rules.language import N_
from rules.orders import EFFECTS, MOVES, Chip
from rules.physics import advance, arrive, beside, drive, fall
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.starship import Pull, Starship
from rules.state import Robot
from rules.steps.lasers import engage, engages


def _has_bays(ship: Starship) -> bool:
    return bool(ship.bays)


@step("bay doors close", "RR-3.1", _has_bays)
def close_bay_doors(turn: Resolution) -> None:
    """Launch bays marked with this phase close. Robots can cross and stand on them."""
    turn.falls = turn.ship.falls[turn.phase]


@step("bay doors open", "RR-3.1", _has_bays)
def open_bay_doors(turn: Resolution) -> None:
    """Closed launch bays open again. A robot on one is destroyed."""
    turn.falls = turn.ship.falls[AFTER]
    for robot in turn.on_board:
        if turn.phase in turn.ship.bays.get(robot.cell, ()):
            turn.destroy(robot, "bay")


@step("headings", "G-9.4 RR-1.3")
def choose_headings(turn: Resolution) -> None:
    """Robots turn to the headings ordered by their players."""
    if not turn.orders:
        return
    for robot in turn.sequence:
        heading = turn.orders_of(robot).heading
        if heading is not None and heading != robot.heading and robot.alive and not robot.down:
            turn.turn(robot, heading, "order")


@step("first headings", "RR-1.3 RR-11.1")
def choose_first_headings(turn: Resolution) -> None:
    """Robots take the headings chosen by their players. Scanners take random ones."""
    for robot in turn.on_board:
        heading = turn.orders_of(robot).heading
        if robot.scanner or heading is None:
            heading = turn.chance.stream(f"heading/{robot.index}").choice(HEADINGS)
        turn.turn(robot, heading, "order")


@step("chips", "G-4 RR-10.5 RR-10.6")
def execute_chips(turn: Resolution) -> None:
    """Robots execute their chips, one after another."""
    equipped, chips, state = turn.equipped, turn.chips, turn.state
    if equipped:  # clamps take effect before the first robot moves (RR-10.6)
        engage(turn, "clamps")
    for robot in turn.sequence:
        chip = chips[robot.index]
        if chip is not None and robot.cell != OFF and not state.over:
            if equipped and turn.uses(robot, "clamps"):
                hold(turn, robot, chip)
            else:
                execute(turn, robot, chip)


@step("chips", "G-4 AM-1.2 AM-1.3")
def enter_and_execute_chips(turn: Resolution) -> None:
    """Robots execute their chips, one after another.

    A new robot first enters the board on checkpoint 1, or beside it if it is taken. Checkpoint 1 is its
    archive.
    """
    for robot in turn.sequence:
        if turn.state.over:
            return
        if robot.waiting and turn.enter(robot, beside(turn, robot.start, turn.orders_of(robot).place)):
            turn.archive(robot, robot.start)
        chip = turn.chips[robot.index]
        if chip and robot.on_board:
            execute(turn, robot, chip)


def hold(turn: Resolution, robot: Robot, chip: Chip) -> None:
    """Record that clamps stop a robot's own move (RR-10.6)."""
    if chip.kind in MOVES:
        heading = robot.heading or 0
        turn.blocked(robot, opposite(heading) if chip.kind == "B" else heading, "clamps")


def execute(turn: Resolution, robot: Robot, chip: Chip) -> None:
    """Execute one chip of a robot (G-3.1). Nitro makes its move longer (RR-10.5)."""
    # By index: compiled code reads a tuple faster by index than by name.
    kind, heading = chip[1], robot.heading or 0
    quarters, steps = EFFECTS[kind]
    if quarters:
        turn.turn(robot, heading + quarters & 3, "chip")
    elif steps:
        nitro = turn.equipped and robot.equipment == "nitro" and engages(turn, robot, "nitro")
        if kind == "B":
            drive(turn, robot, opposite(heading), 1)
            if nitro and robot.on_board:
                drive(turn, robot, heading, 1)
        else:
            drive(turn, robot, heading, steps + 1 if nitro else steps)


Pulls = list[tuple[Robot, Pull]]
"""Robots on active beams, each with the pull of its beam."""


BEAMS: Final = {
    frozenset({1}): N_("beams of speed 1"),
    frozenset({2}): N_("beams of speed 2"),
    frozenset({2, 1}): N_("beams of speed 2 and 1"),
    frozenset({3}): N_("beams of speed 3"),
    frozenset({3, 2}): N_("beams of speed 3 and 2"),
    frozenset({3, 2, 1}): N_("beams of speed 3 and 2 and 1"),
}
"""The names of beam steps, by the speeds of the beams that pull in the step."""


def pull(*speeds: int, keeps_heading_between_speeds: bool = False) -> Step:
    """Return the step that makes beams of these speeds pull robots.

    With ``keeps_heading_between_speeds``, a beam turns only robots that come from a beam of the same speed
    (WS-3).
    """
    active = frozenset(speeds)

    def pulling(ship: Starship) -> list[int]:
        tables = ship.find_pulls(active)
        return [cell for cell in ship.beams if any(table[cell] for table in tables)]

    if keeps_heading_between_speeds:

        @step(BEAMS[active], "G-5 WS-3", cells=pulling)
        def pull_with_beams(turn: Resolution) -> None:
            """Beams pull the robots on them one cell, all at the same time.

            A curve turns a robot only if it comes from a beam of the same speed.
            """
            _pull(turn, active, True)

    else:

        @step(BEAMS[active], "G-5", cells=pulling)
        def pull_with_beams(turn: Resolution) -> None:
            """Beams pull the robots on them one cell, all at the same time. Curves turn them."""
            _pull(turn, active, False)

    return pull_with_beams


def _pull(turn: Resolution, active: frozenset[int], keeps_heading_between_speeds: bool) -> None:
    beams = turn.ship.pulls.get(active) or turn.ship.find_pulls(active)
    pulls = _wanted(turn, beams[turn.phase])
    for robot, way in pulls:
        turn.move(robot, way.target, "beam")
    for robot, way in pulls:
        if way.quarters and not (way.changes_speed and keeps_heading_between_speeds):
            turn.turn(robot, turned(robot.heading or 0, way.quarters), "beam")
    for robot, way in pulls:
        if turn.falls[way.target] is not None:
            fall(turn, robot)
    if turn.entering:
        arrive(turn, [robot for robot, _ in pulls])


def _wanted(turn: Resolution, beams: list[Pull | None]) -> Pulls:
    """Return the robots that beams pull. Damaged hull and other robots can prevent pulls (G-5.2, G-5.3)."""
    pulls: Pulls = []
    contended = False  # whether two robots may want the same cell (G-5.3)
    for robot in turn.sequence:
        way = beams[robot.cell]
        if way is not None:
            target = way.target
            if target not in turn.damaged:
                if turn.occupied[target] is not None:
                    contended = True
                for _, other in pulls:
                    if other.target == target:
                        contended = True
                pulls.append((robot, way))
    return _without_stalemates(turn, pulls) if contended else pulls


def _without_stalemates(turn: Resolution, pulls: Pulls) -> Pulls:
    """Drop pulls of real robots into contested cells or cells that stay occupied (G-5.3).

    Repeat this until nothing changes, since a robot whose pull is dropped keeps its cell occupied.
    """
    while staying := _held_up(turn, pulls):
        pulls = [(robot, way) for robot, way in pulls if robot.index not in staying]
    return pulls


def _held_up(turn: Resolution, pulls: Pulls) -> set[int]:
    leaving = {robot.index for robot, _ in pulls}
    targets = [way.target for robot, way in pulls if not robot.virtual]
    staying: set[int] = set()
    for robot, way in pulls:
        if not robot.virtual:
            other = turn.occupied[way.target]
            if targets.count(way.target) > 1 or (other and other.index not in leaving):
                staying.add(robot.index)
    return staying


@step("docking arms", "RR-4 AM-2 FA-2", cells=lambda ship: ship.arms)
def push_with_arms(turn: Resolution) -> None:
    """Docking arms push the robots in their cells.

    At most one arm pushes each robot, and robots are pushed in move order. If a robot has already been pushed
    to another cell, its new cell counts.
    """
    arms = turn.ship.arms
    for robot in turn.sequence:
        if robot.cell in arms and not turn.state.over:
            arm = next((arm for arm in arms[robot.cell] if turn.phase in arm.phases), None)
            if arm:
                advance(turn, robot, opposite(arm.edge), "arm")


@step("twisters", "RR-3.4 AM-2 FA-2 GR-2 WS-2", cells=lambda ship: ship.twisters)
def turn_with_twisters(turn: Resolution) -> None:
    """Twisters turn the robots on them."""
    twisters = turn.ship.twisters
    for robot in turn.sequence:
        if quarters := twisters.get(robot.cell):
            turn.turn(robot, turned(robot.heading or 0, quarters), "twister")


def _has_networks(ship: Starship) -> bool:
    return any(len(cells) > 1 for cells in ship.networks.values())


@step("transporters", "RR-5", _has_networks, looks_back=True)
def beam_with_transporters(turn: Resolution) -> None:
    """Transporters beam robots to the next transporter of their network, all at the same time.

    Only robots that entered a transporter in this phase are beamed. No robot is beamed into damaged hull.
    Real robots become virtual if they then share a cell (RR-5.2).
    """
    if linked := [robot for robot in turn.on_board if _link(turn, robot) is not None]:
        moves = turn.moves()
        beamed = [robot for robot in linked if robot.index in moves]
        for robot, target in [(robot, turn.state.links[robot.cell]) for robot in beamed]:
            turn.beam(robot, target)
    real = [robot for robot in turn.on_board if not robot.virtual]
    cells = [robot.cell for robot in real]
    for robot in [robot for robot in real if cells.count(robot.cell) > 1]:
        turn.make_virtual(robot)


def _link(turn: Resolution, robot: Robot) -> int | None:
    """Return the destination of the transporter under a robot.

    Returns None if the cell has no linked transporter (RR-5.3), or if the destination is damaged hull.
    """
    target = turn.state.links.get(robot.cell)
    return None if target is None or target in turn.damaged else target


@step("thrusters burn", "RR-6.5", cells=lambda ship: ship.thrusters)
def burn_with_thrusters(turn: Resolution) -> None:
    """A thruster deals 1 damage to a robot on it."""
    burnt = [robot for robot in turn.on_board if robot.cell in turn.ship.thrusters]
    for robot in burnt:
        turn.hurt(robot, 1, "thruster")
    turn.destroy_wrecks(burnt)


@step("crushers", "AM-2.1 FA-2", cells=lambda ship: ship.crushers)
def crush(turn: Resolution) -> None:
    """In its marked phases, a crusher destroys the robot in its cell."""
    for robot in turn.on_board:
        if turn.phase in turn.ship.crushers.get(robot.cell, ()):
            turn.destroy(robot, "crusher")


@step("oil", "GR-2.2", cells=lambda ship: ship.oil, looks_back=True)
def slide_on_oil(turn: Resolution) -> None:
    """A robot on oil that moved or was pushed in this phase slides on.

    It slides in the direction of its last step, to the end of the oil and one cell beyond. Rails and robots
    stop it, and it pushes no robot. Robots slide in move order.
    """
    moves = turn.moves()
    for robot in turn.sequence:
        if robot.index in moves and robot.cell in turn.ship.oil and not turn.state.over:
            origin, to = moves[robot.index]
            for cell in _way(turn, robot, turn.ship.steps.index(to - origin)):
                turn.move(robot, cell, "oil")
                fall(turn, robot)
                arrive(turn, [robot])
                if not robot.on_board or turn.state.over:
                    break


def _way(turn: Resolution, robot: Robot, heading: int) -> Iterator[int]:
    """Yield the cells through which a robot slides on oil, until something stops it."""
    cell, ship = robot.cell, turn.ship
    while cell in ship.oil and (ahead := turn.ways[heading][cell]) != OFF:
        cell = ahead
        if turn.occupied[cell] and not robot.virtual:
            return
        yield cell
