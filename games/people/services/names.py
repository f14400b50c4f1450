"""Robots that get another name for good, in all that is kept of a game; all follows from it as before."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import rules
from games.play.models import Game, LogEntry, Turn

Row = TypeVar("Row")

TURNS, ENTRIES = 20, 500
"""Turns and entries of the log that are rewritten at once: a long game does not have to fit into memory."""


def rename_robot(*, game: Game, before: str, after: str) -> None:
    """Have a robot called otherwise in the states, the log and the result of a game whose row is held.

    Nothing is done where no robot bears the name, as when it was renamed already: robots are called the same
    from the first state of a game to the last.
    """
    first = (
        Turn.objects.filter(game=game).order_by("number").values_list("snapshot__robots", flat=True).first()
    )
    if all(robot["name"] != before for robot in first or ()):
        return
    if game.winner == before:
        game.winner = after
        Game.objects.filter(pk=game.pk).update(winner=after)
    turns = Turn.objects.filter(game=game).only("snapshot", "outcome").order_by("pk")
    for few in _some(_renamed_turns(turns.iterator(TURNS), before, after), TURNS):
        Turn.objects.bulk_update(few, ["snapshot", "outcome"])
    entries = LogEntry.objects.filter(game=game).only("event").order_by("pk")
    for many in _some(_renamed_entries(entries.iterator(ENTRIES), before, after), ENTRIES):
        LogEntry.objects.bulk_update(many, ["event"])


def _renamed_turns(turns: Iterable[Turn], before: str, after: str) -> Iterator[Turn]:
    for turn in turns:
        turn.snapshot = rules.rename_in_state(turn.snapshot, before, after)
        turn.outcome = turn.outcome and rules.rename_in_state(turn.outcome, before, after)
        yield turn


def _renamed_entries(entries: Iterable[LogEntry], before: str, after: str) -> Iterator[LogEntry]:
    for entry in entries:
        event: dict[str, Any] = rules.rename_in_event(entry.event, {before: after})
        if event != entry.event:
            entry.event = event
            yield entry


def _some(rows: Iterator[Row], most: int) -> Iterator[list[Row]]:
    while some := list(islice(rows, most)):
        yield some
