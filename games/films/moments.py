"""The moments of a game: checkpoints, destroyed robots, finishes, swings and the end, each with its instant.

They make a game one film: its timeline shows them, and each has an address (`Moment.at`). Only played turns
count, so a moment contains nothing that the log does not show. Swings come from other rooms (`sources`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Final, NamedTuple, TypedDict

from django.utils.translation import gettext

import rules
from games.content_cache import LRUCache
from games.films.instants import instants
from games.fleet.pictures import letter_of
from games.play import stored
from games.play.models import Game, Turn
from games.play.selectors import seats_of
from games.play.stored import each_played
from games.play.viewers import Viewer
from games.wording import WORDS
from rules import events as ev
from rules.grid import AFTER, BEFORE
from rules.orders import REGISTERS

KINDS: Final = {ev.Inspect: "checkpoint", ev.Destroyed: "destroyed", ev.Finish: "finish", ev.Over: "over"}
"""The kinds of moments that are events, by the type of their event."""

SWING: Final = "swing"
"""The kind of the moments that changed a chance to win much."""

TURNS_KEPT: Final = 20_000
"""The maximum number of turns whose moments are cached in each process. Most turns have no moment or one."""


class MomentView(TypedDict):
    """A moment of a game."""

    turn: int
    at: Annotated[str, "The instant in the turn: phase and step, such as 3.2. The turn’s page takes it."]
    kind: Annotated[str, (*KINDS.values(), SWING)]
    robot: Annotated[str | None, "The robot’s name; null for the end of the game, and for squads."]
    sentence: str


class MomentList(TypedDict):
    """The moments of a game."""

    moments: list[MomentView]


class Swing(NamedTuple):
    """A turn that changed a robot's chance to win much. ``robot`` is its index.

    ``phase`` is the phase that changed it most, or None for the whole turn.
    """

    turn: int
    phase: int | None
    robot: int
    sentence: str


sources: Sequence[Callable[[Game, Viewer], Iterable[Swing]]] = ()
"""Functions from other rooms (packages of `games`) that return the swings of a game for a viewer."""


class Marked(NamedTuple):
    """An event that is a moment, with its ``step`` in its phase, from 1.

    ``place`` is its place in the turn's film, from 0 to 1.
    """

    event: rules.Event
    step: int
    place: float


class TurnMarks(NamedTuple):
    """The marked events of a turn. ``others`` are the names of robots without a player, such as scanners.

    Names of players are left out, because they change if a player deletes the account.
    """

    marked: tuple[Marked, ...]
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a game for its page.

    ``look`` is the number of the robot's picture, or 0. ``place`` is between 0 and the number of turns.
    """

    turn: int
    phase: int
    step: int
    kind: str
    robot: str | None
    look: int
    place: float
    sentence: str

    @property
    def at(self) -> str:
        """The instant as addresses name it."""
        return f"{self.phase}.{self.step}"

    @property
    def letter(self) -> str:
        """The letter of the robot's picture, or an empty string."""
        return letter_of(self.look) if self.look else ""

    @property
    def title(self) -> str:
        """The turn and phase in words. A swing of the whole turn has no phase."""
        if self.phase == BEFORE:
            return gettext("Turn {number}").format(number=self.turn)
        if self.phase == AFTER:
            return gettext("Turn {turn}, end").format(turn=self.turn)
        return gettext("Turn {turn}, phase {phase}").format(turn=self.turn, phase=self.phase)


MARKS: Final = LRUCache[TurnMarks](TURNS_KEPT, lambda marks: 1)


def moments_of(game: Game, viewer: Viewer) -> list[Moment]:
    """Return the moments of a game's played turns for a viewer, in order."""
    turns = stored.played_turns(game)
    if not turns:
        return []
    ship = stored.ship_of(game)
    seats = seats_of(game)
    names, looks = [seat.robo_name for seat in seats], [seat.look for seat in seats]
    moments: list[Moment] = []
    for number, marks in zip(turns, _marks(game, turns, ship, len(seats)), strict=True):
        terms = rules.Vocabulary(ship, [*names, *marks.others])
        documents = rules.events_to_json(terms, [each.event for each in marks.marked])
        for (event, step, place), document in zip(marks.marked, documents, strict=True):
            index: int | None = getattr(event, "robot", None)
            moments.append(
                Moment(
                    number,
                    event.phase,
                    step,
                    KINDS[type(event)],
                    None if index is None else [*names, *marks.others][index],
                    looks[index] if index is not None and index < len(seats) else 0,
                    number - turns[0] + place,
                    rules.sentence(document, WORDS),
                )
            )
    for swing in (each for source in sources for each in source(game, viewer)):
        if swing.turn <= turns[-1]:  # a turn may have been played since the game was read
            phase = swing.phase or BEFORE
            place = swing.turn - turns[0] + max(0, phase - 1) / REGISTERS
            robot, look = names[swing.robot], looks[swing.robot]
            moments.append(Moment(swing.turn, phase, 1, SWING, robot, look, place, swing.sentence))
    return sorted(moments, key=attrgetter("place"))


def list_moments(*, game: Game, viewer: Viewer) -> MomentList:
    """Return the moments of a game for the API."""
    return {
        "moments": [
            {
                "turn": each.turn,
                "at": each.at,
                "kind": each.kind,
                "robot": each.robot,
                "sentence": each.sentence,
            }
            for each in moments_of(game, viewer)
        ]
    }


def _marks(game: Game, turns: Sequence[int], ship: rules.Starship, players: int) -> list[TurnMarks]:
    """Return the marks of each turn. Turns that are not cached are read from the database."""
    names = {number: f"{game.pk} {number}" for number in turns}
    found = MARKS.get(names.values())
    missing = [number for number in turns if names[number] not in found]
    if missing:
        rows = game.turns.filter(status=Turn.Status.RESOLVED, number__in=missing).order_by("number")
        made = {}
        for turn, played in each_played(rows):
            start = stored.start_in(played, ship)
            events = stored.events_in(played, ship, start)
            made[names[turn.number]] = TurnMarks(tuple(_marked(events)), tuple(played.names[players:]))
        MARKS.put(made)
        found |= made
    return [found[names[number]] for number in turns]


def _marked(events: Sequence[rules.Event]) -> Iterator[Marked]:
    numbers = instants(events)
    firsts = _firsts(events, numbers)
    for event, number in zip(events, numbers, strict=True):
        if type(event) in KINDS:
            yield Marked(event, number - firsts[event.phase] + 1, (number + 1) / (numbers[-1] + 1))


def _firsts(events: Iterable[rules.Event], numbers: Iterable[int]) -> dict[int, int]:
    """Return the number of the first instant of each phase."""
    firsts: dict[int, int] = {}
    for event, number in zip(events, numbers, strict=True):
        firsts.setdefault(event.phase, number)
    return firsts
