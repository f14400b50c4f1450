"""Count players' turns with orders on time and missed turns, and show each player's reliability."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypedDict

from django.db.models import F, QuerySet

from accounts.models import User
from games.absence.models import Reliability, Replacement, add_turn
from games.play.models import Game, Hand, Program, Turn
from games.play.selectors import program_of
from games.play.stored import each_played
from roborunner.postgres.queries import Answer, Pipeline, excluded


def reliability_of(user: User) -> Reliability:
    """Return a person's reliability. If they have no row yet, return a new row that is not saved."""
    found: Reliability | None = getattr(user, "reliability", None)
    return found or Reliability(user=user)


class ReliabilityView(TypedDict):
    """A player's reliability: how often they submit orders on time."""

    percent: Annotated[int, "The share of these turns submitted in time; recent turns weigh more."]
    turns: Annotated[int, "The number of turns in which others waited for them."]
    missed: Annotated[int, "The number of those turns that they missed."]


def reliability_view(user: User) -> ReliabilityView:
    """Return the API document of a person's reliability."""
    kept = reliability_of(user)
    return {"percent": kept.percent, "turns": kept.turns, "missed": kept.missed}


COMPUTER_AUTHORS = frozenset({Program.Author.COMPUTER, Program.Author.CHANCE})
"""The authors of orders for a computer player. All other authors submit orders for a person."""

TURNS_PER_QUERY: Final = 2000
"""The maximum number of turns to read in one query."""


@dataclass(frozen=True, slots=True)
class Attendance:
    """The players of a turn and the authors of its orders, by robot number.

    ``by`` has the kind of author of the orders (`Program.Author`). ``players`` has the IDs of the users who
    played the turn. ``dropped`` has the IDs of the users who were replaced because they missed it.
    """

    by: dict[int, str] = field(default_factory=dict)
    players: dict[int, int | None] = field(default_factory=dict)
    dropped: dict[int, int] = field(default_factory=dict)

    def mark_of(self, robot: int, *, dropped: bool = False) -> bool | None:
        """Return whether a robot's orders were on time, or None if the turn does not count for its player.

        With ``dropped``, the result is for the player who was replaced because they missed the turn.
        """
        if not self._is_waited_for(robot):
            return None
        if dropped:
            return False
        by = self.by[robot]
        return None if by in COMPUTER_AUTHORS else by == Program.Author.PLAYER

    def marks(self) -> dict[int, bool]:
        """Return whether each player's orders were on time, by the player's ID.

        Players are left out if the turn does not count for them. Call this only in `record_attendance`,
        because no other function fills ``players``.
        """
        marks = {user: self.mark_of(robot) for robot, user in self.players.items() if user is not None}
        marks |= {user: self.mark_of(robot, dropped=True) for robot, user in self.dropped.items()}
        return {user: mark for user, mark in marks.items() if mark is not None}

    def _is_waited_for(self, robot: int) -> bool:
        people = {
            number for number, by in self.by.items() if by not in COMPUTER_AUTHORS
        } | self.dropped.keys()
        return robot in people and len(people) > 1


def counts(game: Game) -> bool:
    return game.mission_id is None and game.has_deadlines and not game.is_live


def dropped_in(turns: Iterable[int]) -> QuerySet[Replacement]:
    """Return a query for the replacements of people who missed these turns.

    In the query, the turns have the lookup path ``seat__game__turns``.
    """
    return Replacement.objects.filter(
        reason=Replacement.Reason.MISSED,
        was__isnull=False,
        seat__game__turns__in=turns,
        turn=F("seat__game__turns__number"),
    )


def ask_attendance(*, game: Game, people: Collection[int], pipeline: Pipeline) -> Answer | None:
    """Queue a query in a pipeline for the reliability figures of these people.

    Return the query's future result, or None if the game does not count towards reliability. The caller must
    lock the rows of these people before the query runs.
    """
    return pipeline.ask(_FIGURES, list(people)) if counts(game) else None


_FIGURES: Final = """
SELECT "id", "user_id", "turns", "missed", "recent" FROM "games_reliability"
    WHERE user_id = ANY(%s::bigint[])
"""


def record_attendance(
    *, game: Game, turn: Turn, hands: Collection[Hand], figures: Answer | None, pipeline: Pipeline
) -> None:
    """Update the reliability figures of a turn's players after the turn was played.

    The caller must hold the locks on the players' rows. ``figures`` is the result of `ask_attendance`. The
    new figures are written by the pipeline.
    """
    if figures is None:
        return
    roll = Attendance()
    for hand in hands:
        if hand.seat is not None and (program := program_of(hand)):
            roll.by[hand.robot], roll.players[hand.robot] = program.by, hand.seat.user_id
    if any(hand.seat and hand.seat.shared for hand in hands):  # only shared seats had a replacement
        roll.dropped.update(dropped_in([turn.pk]).values_list("seat__number", "was"))
    _add(roll.marks(), figures, pipeline)


def _add(marks: Mapping[int, bool], figures: Answer, pipeline: Pipeline) -> None:
    kept = {values[1]: Reliability(*values) for values in figures.rows}
    rows = [kept.get(user) or Reliability(user_id=user) for user in marks]
    for row in rows:
        _count(row, marks[row.user_id])
    pipeline.insert(rows, _IN_PLACE)


_IN_PLACE: Final = excluded(("turns", "missed", "recent"), "user_id")


def _count(row: Reliability, mark: bool) -> None:
    row.turns += 1
    row.missed += not mark
    row.recent = add_turn(row.recent, in_time=mark)


def correct_attendance(*, person: int, turns: Iterable[Mapping[str, Any]]) -> int:
    """Calculate a person's reliability figures again from their turns. Return 1 if they changed, else 0.

    ``turns`` are mappings, in the order of the turns' resolution. Each has its ``pk``, its ``game``, the
    index of the person's ``robot``, and whether the person was ``dropped`` for missing it. The caller must
    hold the lock on the person's row.
    """
    played = list(turns)
    row = Reliability(user_id=person)
    rolls = _rolls([turn["pk"] for turn in played])
    games = Game.objects.only("mission", "pace").in_bulk({turn["game"] for turn in played})
    counting = {number: counts(game) for number, game in games.items()}
    for turn in played:
        if not counting[turn["game"]]:
            continue
        mark = rolls[turn["pk"]].mark_of(turn["robot"] + 1, dropped=turn["dropped"])
        if mark is not None:
            _count(row, mark)
    kept = Reliability.objects.filter(user=person).first()
    if _values(row) == (_values(kept) if kept else (0, 0, "")):
        return 0
    if row.turns:
        values = {"turns": row.turns, "missed": row.missed, "recent": row.recent}
        Reliability.objects.update_or_create(user_id=person, defaults=values)
    else:
        Reliability.objects.filter(user=person).delete()
    return 1


def _values(row: Reliability) -> tuple[int, int, str]:
    return row.turns, row.missed, row.recent


def _rolls(turns: Sequence[int]) -> dict[int, Attendance]:
    found: defaultdict[int, Attendance] = defaultdict(Attendance)
    for start in range(0, len(turns), TURNS_PER_QUERY):
        some = turns[start : start + TURNS_PER_QUERY]
        for turn, played in each_played(Turn.objects.filter(pk__in=some)):
            found[turn.pk].by.update((hand.robot, hand.program.by) for hand in played.hands if hand.program)
        for turn_id, robot, was in dropped_in(some).values_list("seat__game__turns", "seat__number", "was"):
            found[turn_id].dropped[robot] = was
    return found
