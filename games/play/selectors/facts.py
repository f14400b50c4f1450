"""What all lists and views of games tell of one: who plays what, and how far they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from games.absence.reliability import percents_of
from games.clocks.paces import write_pace
from games.errors import Shape
from games.play import stored
from games.play.models import Game, Seat
from games.play.policy import POLICIES
from games.play.selectors.classes import COMPUTERS, PEOPLE, PROTOTYPE, SOLO, TEST, class_of
from games.play.terms import PLAIN, PlainTerms


def _choices(description: str) -> Shape:
    values = {"additionalProperties": {"type": ["integer", "boolean"]}}
    return Shape({"type": "object", "description": description, **values})


OptionValues = Annotated[dict[str, Any], _choices("Values of the ruleset's options.")]
HouseRuleValues = Annotated[dict[str, Any], _choices("Values of the ruleset's house rules.")]


@dataclass(frozen=True, kw_only=True, slots=True)
class PaceView:
    """How fast a game is played: by turns, by banks, or, all being null, without limit."""

    hours: Annotated[int | None, "Hours for each turn."]
    minutes: Annotated[int | None, "Minutes for each turn of a live game."]
    at: Annotated[str | None, 'The time of day, such as "20:00", at which turns end.']
    zone: Annotated[str | None, "The time zone in which it is that time."]
    bank: Annotated[int | None, "Hours in the bank of each player at first."]
    increment: Annotated[int | None, "Hours that each turn adds to it."]


@dataclass(frozen=True, kw_only=True, slots=True)
class AbsenceView:
    """What becomes of players who miss turns."""

    policy: Annotated[str, POLICIES, "What is played in their place."]
    excused: Annotated[int | None, "How many turns one may miss without being replaced; null for any number."]


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView:
    """Someone who plays."""

    seat: int
    name: str
    place: Annotated[int | None, "Their place in the end."]
    squad: str | None
    model: Annotated[str | None, "Of their robot."]
    look: Annotated[int, "Which of the eight robots."]
    computer: Annotated[str | None, "The strength of a computer, null for a person."]
    steered_by: Annotated[str | None, "Who plays it, where that is not whose name it bears."]
    offered: Annotated[bool, "A computer holds it until a player takes it over."]
    ready: Annotated[bool, "They agree to the game as it is set up."]
    reliability: Annotated[int | None, "How reliable its player is, in percent; null for a computer."]


@dataclass(frozen=True, kw_only=True, slots=True)
class GameFacts(PlainTerms):
    """A game, as lists and views show it."""

    id: int
    name: str
    status: Annotated[str, Game.Status]
    ruleset: str
    version: Annotated[int, "The ruleset's."]
    options: OptionValues
    house_rules: HouseRuleValues
    starship_id: Annotated[int | None, "Of joined boards, the first one's; null for a test flight."]
    host: str
    seats: Annotated[list[SeatView], "The seats that are taken."]
    seats_total: Annotated[int, "The seats that there are."]
    prototype: Annotated[int | None, "Which version of a prototype it is played on; null on other boards."]
    counts_as: Annotated[
        str, (PEOPLE, COMPUTERS, SOLO, PROTOTYPE, TEST), "Among which games it counts in statistics."
    ]
    pace: PaceView
    paused_until: Annotated[
        datetime | None,
        "Until when all clocks stand still, or stood still last; null where they never did.",
    ]
    absence: AbsenceView
    turn: Annotated[int | None, "The turn under way, or the last; null before the start."]
    deadline: Annotated[datetime | None, "Mine, while I am missing; else that of who has time the longest."]
    waiting_for: Annotated[list[str], "Robo Names."]
    winner: str | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


def facts_of(game: Game, seats: Sequence[Seat]) -> dict[str, Any]:
    """Return `GameFacts` of a game with these seats, all but whom it waits for, and until when."""
    sitting = (seat.user for seat in seats if seat.user and seat.user_id == game.host_id)
    host = next(sitting, None) or game.host  # mostly one who has a seat, so that no one need be read
    return {
        "id": game.pk,
        "name": game.name,
        "status": game.status,
        "ruleset": game.ruleset,
        "version": game.version,
        "options": game.options,
        "house_rules": game.house_rules,
        "starship_id": game.revision.starship_id if game.revision else None,
        "host": host.robo_name,
        "seats": _seated(seats),
        "seats_total": game.seats,
        "prototype": game.prototype_version,
        "counts_as": class_of(game, seats),
        **{name: getattr(game, name) for name in PLAIN},
        "pace": PaceView(**write_pace(stored.pace_of(game))),
        "paused_until": game.paused_until if game.status == Game.Status.RUNNING else None,
        "absence": AbsenceView(**stored.absence_of(game)._asdict()),
        "turn": game.turn,
        "winner": game.winner or None,
        "created_at": game.created_at,
        "started_at": game.started_at,
        "ended_at": game.ended_at,
    }


def _seated(seats: Iterable[Seat]) -> list[SeatView]:
    """Return the seats that are taken, as lists and views of games show them."""
    percents = percents_of(seat.user for seat in seats if seat.user)
    return [
        SeatView(
            seat=seat.number,
            name=seat.robo_name,
            place=seat.place,
            squad=seat.squad or None,
            model=seat.model or None,
            look=seat.look,
            computer=seat.computer or None,
            steered_by=seat.steered_by or None,
            offered=seat.is_offered,
            ready=seat.ready,
            reliability=percents.get(seat.user_id or 0),
        )
        for seat in seats
    ]
