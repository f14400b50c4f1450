"""Robots that get another name for good, in all that is kept of a game; all follows from it as before."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, TypeVar

import rules
from games.play.models import Game, LogEntry, Turn
from games.play.played import Played, state_at_start
from games.play.services.keeping import rewrite

Row = TypeVar("Row")

TURNS, ENTRIES = 20, 500
"""Turns and entries of the log that are rewritten at once: a long game does not have to fit into memory."""


def rename_robot(*, game: Game, before: str, after: str) -> None:
    """Have a robot called otherwise in the states, the log and the result of a game whose row is held.

    Nothing is done where no robot bears the name, as when it was renamed already: robots are called the same
    from the first state of a game to the last.
    """
    first = game.turns.order_by("number").first()
    if first is None or all(robot["name"] != before for robot in state_at_start(first)["robots"]):
        return
    if game.winner == before:
        game.winner = after
        Game.objects.filter(pk=game.pk).update(winner=after)
    turns = Turn.objects.filter(game=game, record=None).only("snapshot", "outcome").order_by("pk")
    for few in _some(_renamed_turns(turns.iterator(TURNS), before, after), TURNS):
        Turn.objects.bulk_update(few, ["snapshot", "outcome"])
    entries = LogEntry.objects.filter(game=game).only("event").order_by("pk")
    for many in _some(_renamed_entries(entries.iterator(ENTRIES), before, after), ENTRIES):
        LogEntry.objects.bulk_update(many, ["event"])
    rewrite(game=game, change=partial(_renamed, before=before, after=after))


def _renamed(played: Played, before: str, after: str) -> Played:
    return replace(
        played,
        start=rules.rename_in_state(played.start, before, after),
        events=tuple(rules.rename_in_event(event, {before: after}) for event in played.events),
    )


def _renamed_turns(turns: Iterable[Turn], before: str, after: str) -> Iterator[Turn]:
    for turn in turns:
        turn.snapshot = turn.snapshot and rules.rename_in_state(turn.snapshot, before, after)
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
