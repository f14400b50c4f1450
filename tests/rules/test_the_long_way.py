"""Compare the engine with a slow second implementation of the rulebook.

The engine looks up light, rails and beams in tables, and skips everything that has no effect. This module
computes everything directly from the cells.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings, strategies as st

import rules
from rules import events as ev
from rules.apply import apply
from rules.chance import Chance
from rules.elements import Beam, Shaft, Space
from rules.engine import begin_phase
from rules.grid import HEADINGS, opposite, quarters_between, turned
from rules.resolution import Resolution
from rules.steps.movement import pull
from tests.rules.strategies import RandomGame

SEEDS = st.integers(min_value=0, max_value=2**32)
EXAMPLES = 8
BEAMS = (
    *("b1:E", "b1:W", "b1:N", "b1:S", "b1:NSWE", "b1:NWS", "b1:ES"),
    *("b2:E", "b2:W", "b2:N", "b2:S", "b2:WN", "b2:ES", "b3:E", "b3:NE", "b3:W"),
    *(".", "o", "d135"),
)
FITTINGS = ("", "", "", "", "", "+wE", "+wN", "+r24S", "+r135W")
Pos = tuple[int, int]


def in_random_games(law: Callable[..., None]) -> Callable[..., None]:
    held: Callable[..., None] = settings(max_examples=EXAMPLES, deadline=None)(given(seed=SEEDS)(law))
    of_each: Callable[..., None] = pytest.mark.parametrize("key", rules.RULESETS)(held)
    return of_each


def ahead(pos: Pos, heading: int) -> Pos:
    x, y = pos
    return {0: (x, y - 1), 1: (x + 1, y), 2: (x, y + 1), 3: (x - 1, y)}[heading]


def inside(ship: rules.Starship, pos: Pos) -> bool:
    return 0 <= pos[0] < ship.width and 0 <= pos[1] < ship.height


def barred(ship: rules.Starship, pos: Pos, heading: int, phase: int) -> bool:
    """Return whether a rail or an active slide rail blocks an edge of a cell (G-1.3, RR-3.2)."""
    for here, edge in ((pos, heading), (ahead(pos, heading), opposite(heading))):
        if inside(ship, here):
            cell = ship.at(*here)
            if edge in cell.rails:
                return True
            if any(slide.edge == edge and phase not in slide.phases for slide in cell.slides):
                return True
    return False


def line(ship: rules.Starship, pos: Pos, heading: int, phase: int) -> list[Pos]:
    """Return the cells that light from a cell crosses (G-6.2)."""
    cells: list[Pos] = []
    while not barred(ship, pos, heading, phase) and inside(ship, ahead(pos, heading)):
        pos = ahead(pos, heading)
        cells.append(pos)
    return cells


def damaged(ship: rules.Starship, state: rules.State, pos: Pos) -> bool:
    checkpoint = ship.at(*pos).checkpoint if inside(ship, pos) else None
    return bool(checkpoint and state.hull.get(checkpoint.number))


def replay(game: RandomGame, outcome: rules.Outcome) -> Iterator[tuple[rules.State, rules.Event]]:
    state = game.state.copy()
    for event in outcome.events:
        yield state, event
        apply(state, event)


def real_at(game: RandomGame, state: rules.State, pos: Pos) -> rules.Robot | None:
    for robot in state.robots:
        if robot.on_board and not robot.virtual and game.ship.pos(robot.cell) == pos:
            return robot
    return None


@in_random_games
def test_every_shot_of_a_robot_ends_at_the_end_of_its_line(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    for outcome in game.turns(5):
        for state, event in replay(game, outcome):
            if isinstance(event, ev.Shot) and event.robot is not None:
                robot = state.robots[event.robot]
                assert robot.alive
                assert not (robot.virtual or robot.down or robot.crystal)
                assert event.origin == robot.cell
                headings = [robot.heading or 0]
                if robot.equipment == "rear-laser":
                    headings.append(opposite(robot.heading or 0))
                ends = [end_of_shot(game, state, robot, heading, event.phase) for heading in headings]
                assert (game.ship.pos(event.to), event.hit) in ends


def end_of_shot(
    game: RandomGame, state: rules.State, robot: rules.Robot, heading: int, phase: int
) -> tuple[Pos, int | str | None]:
    start = game.ship.pos(robot.cell)
    cells = line(game.ship, start, heading, phase)
    for pos in cells:
        if found := real_at(game, state, pos):
            return pos, found.index
        if damaged(game.ship, state, pos):
            return pos, "hull"
    return (cells[-1] if cells else start), None


@in_random_games
def test_lasers_of_the_board_hurt_the_robots_in_their_lines(key: str, seed: int) -> None:
    game = RandomGame(seed, key)
    piercing = bool(game.setup.house_rules.get("piercing_lasers", False))
    for outcome in game.turns(5):
        due: Counter[tuple[int, int]] = Counter()
        dealt: Counter[tuple[int, int]] = Counter()
        looked_at: set[int] = set()
        for state, event in replay(game, outcome):
            if isinstance(event, ev.Shot) and event.emitter is not None and event.phase not in looked_at:
                looked_at.add(event.phase)
                due.update(harm_of_the_board(game, state, event.phase, piercing))
            if (
                isinstance(event, ev.Damage)
                and event.by == "board-laser"
                and not shielded(state, event.robot)
            ):
                dealt[event.phase, event.robot] += event.amount
            if isinstance(event, ev.Destroyed) and event.step == "lasers" and event.by != "damage":
                del due[
                    event.phase, event.robot
                ]  # a shot pushed a crystal, which pushed that robot overboard
        assert due == dealt


def shielded(state: rules.State, robot: int) -> bool:
    """Return whether a robot may have its shields on. The tests ignore these robots."""
    return state.robots[robot].equipment == "shields"


def harm_of_the_board(
    game: RandomGame, state: rules.State, phase: int, piercing: bool
) -> Counter[tuple[int, int]]:
    """Return the damage by the board's lasers, by phase and robot (G-6.3)."""
    harm: Counter[tuple[int, int]] = Counter()
    for number, cell in game.ship.numbered():
        start = game.ship.pos(number)
        for emitter in cell.emitters:
            for pos in [start, *line(game.ship, start, opposite(emitter.edge), phase)]:
                for robot in state.robots:
                    here = robot.on_board and not robot.crystal and game.ship.pos(robot.cell) == pos
                    if here and not shielded(state, robot.index):
                        harm[phase, robot.index] += emitter.strength
                if not piercing and real_at(game, state, pos):
                    break
    return harm


@in_random_games
def test_all_robots_that_can_fire_do_so_together(key: str, seed: int) -> None:
    """The test leaves out force projectors.

    A robot that they push may be destroyed before it fires (RC-3.1).
    """
    game = RandomGame(seed, key)
    for outcome in game.turns(5):
        fired: Counter[tuple[int, int]] = Counter()
        able: dict[int, set[int]] = {}
        for state, event in replay(game, outcome):
            if isinstance(event, ev.Shot) and event.robot is not None:
                fired[event.phase, event.robot] += 1
                able.setdefault(
                    event.phase,
                    {
                        robot.index
                        for robot in state.robots
                        if robot.on_board and not (robot.virtual or robot.down or robot.crystal)
                    },
                )
        for phase, robots in able.items():
            shooters = {robot for fired_in, robot in fired if fired_in == phase}
            assert shooters <= robots
            assert shooters == robots or game.setup.ruleset.crystal
        assert all(
            times == 1 or game.state.robots[i].equipment == "rear-laser" for (_, i), times in fired.items()
        )


@in_random_games
def test_robots_pass_no_rails_or_damaged_hull_and_die_by_falling(key: str, seed: int) -> None:
    """Moves by transporters and thrusters are left out (RR-6.2)."""
    game = RandomGame(seed, key)
    ship = game.ship
    for outcome in game.turns(5):
        fallen: dict[int, tuple[int, str]] = {}
        for state, event in replay(game, outcome):
            if fallen and not isinstance(event, ev.Move | ev.Turn):
                assert isinstance(event, ev.Destroyed)
                assert (event.at, event.by) == fallen.pop(event.robot)
            if isinstance(event, ev.Move) and event.by != "transporter" and not ship.thrusters:
                start, end = ship.pos(event.origin), ship.pos(event.to)
                (heading,) = (way for way in HEADINGS if ahead(start, way) == end)
                assert not barred(ship, start, heading, event.phase)
                assert not damaged(ship, state, end)
                if by := abyss(ship, end, event.phase, game.setup.ruleset.has("bay doors close")):
                    fallen[event.robot] = event.to, by
        assert not fallen


def abyss(ship: rules.Starship, pos: Pos, phase: int, doors: bool) -> str | None:
    """Return the cause of destruction for a robot that enters a cell, or None (G-4.4)."""
    if not inside(ship, pos):
        return "space"
    floor = ship.at(*pos).floor
    if isinstance(floor, Space | Shaft):
        return floor.element
    return (
        "bay" if doors and ship.cell(*pos) in ship.bays and phase not in ship.bays[ship.cell(*pos)] else None
    )


@in_random_games
def test_a_chip_moves_its_robot_by_its_number_or_until_stopped(key: str, seed: int) -> None:
    """A robot that waits for a free cell on a full ship counts as stopped (AM-1.3)."""
    game = RandomGame(seed, key)
    for outcome in game.turns(5):
        steps: Counter[tuple[int, int]] = Counter()
        stopped: set[tuple[int, int]] = set()
        chips: dict[tuple[int, int], rules.Chip] = {}
        for state, event in replay(game, outcome):
            match event:
                case ev.Phase():
                    chips |= {(event.phase, index): chip for index, chip in event.chips.items()}
                    stopped |= {(event.phase, robot.index) for robot in state.robots if robot.waiting}
                case ev.Move(by="chip"):
                    steps[event.phase, event.robot] += 1
                case ev.Blocked() | ev.Destroyed():
                    stopped.add((event.phase, event.robot))
                case ev.Finish(robot=int() as robot):
                    stopped.add((event.phase, robot))
                case _:
                    pass
        ended = outcome.events[-1].phase if outcome.state.over else None
        for (phase, index), chip in chips.items():
            most = {"1": 1, "2": 2, "3": 3, "B": 1}.get(chip.kind, 0)
            made = steps[phase, index]
            if game.ship.thrusters or game.state.robots[index].equipment in ("nitro", "clamps"):
                continue
            assert made <= most
            assert made == most or (phase, index) in stopped or phase == ended


@pytest.mark.parametrize("speeds", [(1,), (2,), (2, 1), (3, 2, 1)])
@pytest.mark.parametrize("same_speed_alone", [False, True])
@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
def test_beams_pull_as_in_the_rulebook(speeds: tuple[int, ...], same_speed_alone: bool, seed: int) -> None:
    chance = Random(seed)
    ship = rules.read_starship(board_of_beams(chance))
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, ship, seats=8)
    state = rules.new_game(setup, list("ABCDEFGH"), seed)
    state.turn = 1
    put_anywhere(chance, ship, state)
    phase = chance.randint(1, 5)
    turn = Resolution(
        setup, state.copy(), {}, {robot.index: [None] * 5 for robot in state.robots}, Chance(seed, 1)
    )
    begin_phase(turn, phase)
    turn.falls = ship.falls[phase]
    pull(*speeds, keeps_heading_between_speeds=same_speed_alone).rule(turn)
    for robot, (pos, heading) in zip(
        turn.robots, pulled(ship, state, set(speeds), phase, same_speed_alone), strict=True
    ):
        if abyss(ship, pos, phase, doors=True):
            assert not robot.alive
        else:
            assert (ship.pos(robot.cell), robot.heading) == (pos, heading)


def board_of_beams(chance: Random) -> dict[str, object]:
    width, height = chance.randint(2, 7), chance.randint(2, 7)
    rows = [[chance.choice(BEAMS) + chance.choice(FITTINGS) for _ in range(width)] for _ in range(height)]
    rows[0][0], rows[-1][-1] = "a", ".+i1*3"
    return {"format": "starship/1", "rows": [" ".join(row) for row in rows]}


def put_anywhere(chance: Random, ship: rules.Starship, state: rules.State) -> None:
    """Put all robots on random habitable cells, with at most one real robot in each."""
    cells = [number for number, cell in ship.numbered() if not isinstance(cell.floor, Space | Shaft)]
    cells = [cell for cell in cells if cell not in ship.bays and not damaged(ship, state, ship.pos(cell))]
    taken: set[int] = set()
    for robot in state.robots:
        robot.cell, robot.heading = chance.choice(cells), chance.randrange(4)
        robot.virtual = robot.cell in taken or chance.random() < 0.2
        if not robot.virtual:
            taken.add(robot.cell)


def pulled(
    ship: rules.Starship, state: rules.State, speeds: set[int], phase: int, same_speed_alone: bool
) -> list[tuple[Pos, int | None]]:
    """Return the positions and headings of robots after a step of the beams (G-5.1 to G-5.5)."""
    at = {robot.index: ship.pos(robot.cell) for robot in state.robots}
    real = {robot.index for robot in state.robots if not robot.virtual}
    wanted: dict[int, Pos] = {}
    for index, pos in at.items():
        beam = active_beam(ship, pos, speeds)
        if beam and not refused(ship, state, pos, beam.exit, speeds, phase):
            wanted[index] = ahead(pos, beam.exit)
    while True:
        staying = {
            index
            for index in wanted
            if index in real
            and (
                any(wanted[other] == wanted[index] for other in wanted if other in real and other != index)
                or any(at[other] == wanted[index] and other not in wanted for other in real)
            )
        }
        if not staying:
            break
        wanted = {index: target for index, target in wanted.items() if index not in staying}
    result: list[tuple[Pos, int | None]] = []
    for robot in state.robots:
        if robot.index not in wanted:
            result.append((at[robot.index], robot.heading))
            continue
        start, end = at[robot.index], wanted[robot.index]
        left, entered = ship.at(*start).floor, ship.at(*end).floor if inside(ship, end) else None
        heading = robot.heading or 0
        assert isinstance(left, Beam)
        if isinstance(entered, Beam) and not (same_speed_alone and entered.speed != left.speed):
            side = opposite(left.exit)
            if side in entered.entries and side != opposite(entered.exit):
                heading = turned(heading, quarters_between(left.exit, entered.exit))
        result.append((end, heading))
    return result


def active_beam(ship: rules.Starship, pos: Pos, speeds: set[int]) -> Beam | None:
    floor = ship.at(*pos).floor if inside(ship, pos) else None
    return floor if isinstance(floor, Beam) and floor.speed in speeds else None


def refused(
    ship: rules.Starship, state: rules.State, pos: Pos, heading: int, speeds: set[int], phase: int
) -> bool:
    """Return whether a beam does not pull the robot in the given cell (G-5.2)."""
    target = ahead(pos, heading)
    against = active_beam(ship, target, speeds)
    return (
        barred(ship, pos, heading, phase)
        or damaged(ship, state, target)
        or (against is not None and against.exit == opposite(heading))
    )
