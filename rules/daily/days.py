"""Generate the daily run of any date from a seed, and read it from its ``daily/1`` document.

A day is a function of its date and the seed. Its difficulty follows from the weekday: easy on Monday, hard on
Sunday. The measure is the share of all programs that reach the best score ("par").
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from rules.chance import Chance, Stream
from rules.codec import read_chip
from rules.daily.search import Best, Position, Search, best, ruleset_of, run
from rules.daily.tasks import KINDS, ME, Kind, Task, distance
from rules.dealing import Hand
from rules.design.goals import distances
from rules.design.proposal import NoDesign, brief_of, propose
from rules.document import Document, NotationError, check_format
from rules.elements import Hull
from rules.grid import LETTERS
from rules.notation import read_starship, write_starship
from rules.orders import DECK, HAND, REGISTERS
from rules.rulesets import ROBO_RUNNER
from rules.scenario import SCENARIO_FORMAT, read_scenario
from rules.setup import Setup
from rules.starship import Starship

DAILY_FORMAT: Final = "daily/1"

NAMES: Final = ("A", "B", "C", "D")
"""The names of the robots. Each is the letter of the robot's picture. The player's robot is the first."""


class Difficulty(NamedTuple):
    """The difficulty of a weekday: numbers of turns, and limits for the share of programs that reach par."""

    turns: tuple[int, ...]
    least: float
    most: float


WEEK: Final = (
    Difficulty((1,), 0.02, 0.2),
    Difficulty((1,), 0.01, 0.1),
    Difficulty((1,), 0.004, 0.05),
    Difficulty((1,), 0.001, 0.02),
    Difficulty((1,), 0.0005, 0.008),
    Difficulty((1, 2), 0.0, 0.003),
    Difficulty((2, 3), 0.0, 0.0006),
)
"""The difficulty of each weekday, from Monday to Sunday."""

TRIVIAL: Final = 0.2
"""A day is trivial if a larger share of all programs reaches par. No weekday allows more."""

MANY_RESULTS: Final = 3
"""The least number of different scores of a day. With other robots on board, one less is enough."""

SIZES: Final = ((8, 8), (9, 8), (8, 9), (9, 9))
TRIES: Final = 12
"""The number of positions to try for a kind of task before the next kind."""
OTHERS: Final = {"none": 0, "parked": 3, "moving": 2}
"""The number of other robots of a position."""


class NoDay(ValueError):
    """Raised if no position of a date is good enough. No such date is known."""


@dataclass(frozen=True)
class Day:
    """The daily run of one date: the position, the task, and the proof of the optimum."""

    date: date
    task: Task
    position: Position
    best: Best

    @property
    def ship(self) -> Starship:
        return self.position.setup.starship


def day_of(day: date, seed: str) -> Day:
    """Generate the daily run of a date. The same seed always gives the same day.

    Raises NoDay if no position is good enough.
    """
    difficulty = WEEK[day.weekday()]
    kinds = _kinds_of(day, seed)
    for attempt in range(8 * len(kinds)):
        kind = kinds[attempt % len(kinds)]
        stream = Chance(f"{seed}/{day.isoformat()}", attempt).stream("daily run")
        turns = [number for number in difficulty.turns if number in kind.turns]
        for _ in range(TRIES if turns else 0):
            if found := _draw(day, kind, stream.choice(turns), difficulty, stream):
                return found
    raise NoDay(f"no daily run was found for {day.isoformat()}")


def _kinds_of(day: date, seed: str) -> list[Kind]:
    """Return the kinds of task that suit a date, the first to try first.

    Half of all kinds belong to even days and half to odd days, so no kind comes on two days in a row. The
    kinds take turns at being the first.
    """
    number = day.toordinal()
    mine = [kind for place, kind in enumerate(KINDS.values()) if place % 2 == number % 2]
    cycle, place = divmod(number // 2, len(mine))
    kinds = Chance(f"{seed}/{number % 2}", cycle).stream("kinds").shuffled(mine)
    return kinds[place:] + kinds[:place]


def _draw(day: date, kind: Kind, turns: int, difficulty: Difficulty, stream: Stream) -> Day | None:
    """Draw a position, and return its day if it is good enough."""
    ship = _board(kind, stream)
    position = ship and _position(ship, kind, turns, stream)
    if not position:
        return None
    task = _task(kind, position, stream)
    proof = best(Search(position), task) if task else None
    if task is None or proof is None or not _is_good(kind, proof, difficulty):
        return None
    return Day(day, task, position, proof)


def _is_good(kind: Kind, proof: Best, difficulty: Difficulty) -> bool:
    """Return whether a day has the right difficulty, and results that differ."""
    if not difficulty.least <= proof.share <= difficulty.most:
        return False
    enough = MANY_RESULTS if kind.others == "none" else MANY_RESULTS - 1
    return len(proof.scores) >= enough and (proof.par > 0 or not kind.more)


# --- Positions ----------------------------------------------------------------------------------------------


def _board(kind: Kind, stream: Stream) -> Starship | None:
    try:
        genome = propose(brief_of(ROBO_RUNNER, stream.choice(SIZES), None, None, None), stream)
    except NoDesign:
        return None
    ship = genome.starship()
    names = {"beam" if name.startswith("beam") else name for cell in ship.cells for name in cell.elements}
    names |= {"beam" for cell in ship.cells if cell.floor.element.startswith("beam")}
    return ship if kind.elements <= names else None


def _position(ship: Starship, kind: Kind, turns: int, stream: Stream) -> Position | None:
    """Draw robots, programs and hands on a board. Return None if there is no room."""
    plain = [
        number
        for number, cell in ship.numbered()
        if isinstance(cell.floor, Hull) and number not in ship.checkpoint_at
    ]
    mine = stream.choice(plain)
    near = [cell for cell in plain if 0 < distance(ship, cell, mine) <= 5]
    if kind.others == "parked":
        near = [cell for cell in near if any(ship.falls[0][cell + step] for step in ship.steps)]
    count = OTHERS[kind.others]
    if len(near) < count:
        return None
    cells = [mine, *stream.shuffled(near)[:count]]
    robots = [
        {
            "name": name,
            "at": list(ship.pos(cell)),
            "start": list(ship.pos(cell)),
            "heading": stream.choice(LETTERS),
            "rank": rank,
            "down": rank > 1 and kind.others == "parked",
        }
        for rank, (name, cell) in enumerate(zip(NAMES, cells, strict=False), 1)
    ]
    programs = [
        {name: _chips(_deal(stream)[:REGISTERS]) for name in NAMES[1 : count + 1]}
        if kind.others == "moving"
        else {}
        for _ in range(turns)
    ]
    hands = [_chips(sorted(_deal(stream))) for _ in range(turns)]
    return position_of(write_starship(ship), robots, programs, hands)


def _deal(stream: Stream) -> Hand:
    return tuple(stream.shuffled(DECK)[:HAND])


def _chips(chips: Sequence[Any]) -> list[str]:
    return [str(chip) for chip in chips]


def _task(kind: Kind, position: Position, stream: Stream) -> Task | None:
    """Draw the parameters of a task. Return None if the position does not suit the task."""
    ship, robot = position.setup.starship, position.state.robots[ME]
    checkpoint = at = heading = None
    if "checkpoint" in kind.needs:
        checkpoint = min(position.turns, max(ship.checkpoint_at.values()))
    if "at" in kind.needs:
        reach = distances(ship, robot.cell)
        far = sorted(cell for cell, steps in reach.items() if 3 <= steps <= 4 + 4 * position.turns)
        if not far:
            return None
        at = stream.choice(far)
    if "heading" in kind.needs:
        heading = stream.below(len(LETTERS))
    return Task(kind, checkpoint, at, heading)


# --- Documents ----------------------------------------------------------------------------------------------


def write_day(day: Day) -> dict[str, Any]:
    """Write a day as a ``daily/1`` document."""
    ship, task, proof = day.ship, day.task, day.best
    given: dict[str, Any] = {"kind": task.kind.key}
    if task.checkpoint is not None:
        given["checkpoint"] = task.checkpoint
    if task.at is not None:
        given["at"] = list(ship.pos(task.at))
    if task.heading is not None:
        given["heading"] = LETTERS[task.heading]
    robots = [
        {
            "name": robot.name,
            "at": list(ship.pos(robot.cell)),
            "heading": LETTERS[robot.heading or 0],
            "down": robot.down,
        }
        for robot in day.position.state.robots
    ]
    return {
        "format": DAILY_FORMAT,
        "day": day.date.isoformat(),
        "version": day.position.setup.ruleset.version,
        "task": given,
        "starship": write_starship(ship),
        "robots": robots,
        "programs": [
            {NAMES[index]: _chips(chips) for index, chips in turn.items()} for turn in day.position.programs
        ],
        "hands": [_chips(hand) for hand in day.position.hands],
        "par": proof.par,
        "programs_in_all": proof.programs,
        "scores": {str(score): count for score, count in proof.scores.items()},
        "failed": proof.failed,
        "solution": [_chips(chips) for chips in proof.solution],
    }


def read_day(document: object) -> Day:
    """Read a ``daily/1`` document that this module has written. Its proof is not checked (`prove`).

    Raises NotationError for another format, and for a malformed board or robot, and UnknownVersion.
    """
    found = check_format(document, DAILY_FORMAT)
    robots = [{**robot, "start": robot["at"], "rank": rank} for rank, robot in enumerate(found["robots"], 1)]
    version = found.get("version")
    position = position_of(found["starship"], robots, found["programs"], found["hands"], version)
    given, ship = found["task"], position.setup.starship
    if given["kind"] not in KINDS:
        raise NotationError(f"there is no kind of task “{given['kind']}”")
    at, heading = given.get("at"), given.get("heading")
    task = Task(
        KINDS[given["kind"]],
        given.get("checkpoint"),
        ship.cell(*at) if at else None,
        LETTERS.index(heading) if heading else None,
    )
    scores = {int(score): count for score, count in found["scores"].items()}
    solution = tuple(tuple(map(read_chip, chips)) for chips in found["solution"])
    proof = Best(
        found["par"], scores[found["par"]], found["programs_in_all"], scores, found["failed"], solution
    )
    return Day(date.fromisoformat(found["day"]), task, position, proof)


def prove(day: Day) -> bool:
    """Return whether a new search finds the same proof, and the solution reaches par."""
    played = run(day.position, day.task, day.best.solution)
    return best(Search(day.position), day.task) == day.best and played.score == day.best.par


def position_of(
    starship: Document,
    robots: Sequence[Document],
    programs: Sequence[Mapping[str, Sequence[str]]],
    hands: Sequence[Sequence[str]],
    version: int | None = None,
) -> Position:
    scene = read_scenario(
        {
            "format": SCENARIO_FORMAT,
            "ruleset": ROBO_RUNNER.key,
            "options": {"hull_damage": False},
            "starship": starship,
            "robots": robots,
        }
    )
    state = scene.state
    state.known = set(state.links)
    setup = Setup(ruleset_of(version), scene.setup.options, read_starship(starship))
    return Position(
        setup,
        state,
        tuple(
            {NAMES.index(name): tuple(map(read_chip, chips)) for name, chips in turn.items()}
            for turn in programs
        ),
        tuple(tuple(map(read_chip, hand)) for hand in hands),
    )
