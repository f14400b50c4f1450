"""Counting who gave their orders in time: what a player's reliability figure is made of.

Only turns count that another person had orders to give for as well, in games with a time limit: nobody else
waits. Training missions do not count, and neither do orders that a computer gave.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from games import stored
from games.models import Game, Program, Reliability, Turn
from games.reliability import with_turn

BY_COMPUTERS = frozenset({Program.Author.COMPUTER, Program.Author.CHANCE})
"""Authors who are no people; all others gave orders for somebody, who gave them or has missed the turn."""

AT_ONCE: Final = 2000
"""Turns whose programs are read in one query."""

Programs = Mapping[int, str]
"""Who gave the orders of a turn, by the number of the robot."""


def counts(game: Game) -> bool:
    """Return whether the turns of a game count at all."""
    return game.mission_id is None and stored.pace_of(game) is not None


def in_time(programs: Programs, robot: int) -> bool | None:
    """Return whether the orders for a robot were given in time; None where the turn does not count for it."""
    people = [number for number, by in programs.items() if by not in BY_COMPUTERS]
    if robot not in people or len(people) < 2:
        return None
    return programs[robot] == Program.Author.PLAYER


def note_attendance(*, game: Game, turn: Turn) -> None:
    """Count a turn for those who had orders to give for it, whose rows are held; all programs are there."""
    if not counts(game):
        return
    rows = list(
        Program.objects.filter(hand__turn=turn, hand__seat__isnull=False).values_list(
            "hand__robot", "hand__seat__user", "by"
        )
    )
    programs = {robot: by for robot, _, by in rows}
    marks = {user: in_time(programs, robot) for robot, user, _ in rows if user is not None}
    _add({user: mark for user, mark in marks.items() if mark is not None})


def _add(marks: Mapping[int, bool]) -> None:
    if not marks:
        return
    kept = {row.user_id: row for row in Reliability.objects.filter(user__in=marks)}
    rows = [kept.get(user) or Reliability(user_id=user) for user in marks]
    for row in rows:
        _count(row, marks[row.user_id])
    Reliability.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user"], update_fields=["turns", "missed", "recent"]
    )


def _count(row: Reliability, mark: bool) -> None:
    row.turns += 1
    row.missed += not mark
    row.recent = with_turn(row.recent, in_time=mark)


def put_attendance_right(*, person: int, turns: Iterable[Mapping[str, Any]]) -> int:
    """Make a person's figure anew from the turns that they played, in order; return whether it was wrong.

    Each turn has its ``pk``, its ``game``, and the ``robot`` that the person steered, by index. The person's
    row is held.
    """
    played = list(turns)
    row = Reliability(user_id=person)
    programs = _programs([turn["pk"] for turn in played])
    games = Game.objects.only("mission", "pace").in_bulk({turn["game"] for turn in played})
    counting = {number: counts(game) for number, game in games.items()}
    for turn in played:
        mark = in_time(programs[turn["pk"]], turn["robot"] + 1) if counting[turn["game"]] else None
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


def _programs(turns: Sequence[int]) -> dict[int, dict[int, str]]:
    """Return who gave the orders of each turn, by the numbers of robots."""
    found: dict[int, dict[int, str]] = {turn: {} for turn in turns}
    for start in range(0, len(turns), AT_ONCE):
        rows = Program.objects.filter(hand__turn__in=turns[start : start + AT_ONCE], hand__seat__isnull=False)
        for turn, robot, by in rows.values_list("hand__turn", "hand__robot", "by"):
            found[turn][robot] = by
    return found
