"""Keeping turns that were played, as documents."""

from collections.abc import Callable
from typing import Final

from games.play.models import Game, Turn
from games.play.played import Played, each_played, write
from roborunner.postgres.queries import Pipeline

_NEXT: Final = "nextval('games_turn_recorded_seq')"
"""The next number of all turns, in the order in which they are played."""


def keep_played(*, turn: Turn, played: Played, batch: Pipeline) -> None:
    """Have a batch keep a turn as played and delete its hands, in the transaction that plays it."""
    turn.status = Turn.Status.RESOLVED
    turn.record, turn.snapshot = write(played), None
    turn.first_seq, turn.last_seq = played.first_seq, played.last_seq
    batch.ask(_DROP_HANDS, turn.pk)
    batch.update(
        turn,
        [
            *("status", "record", "snapshot", "first_seq", "last_seq"),
            *("head_before", "head", "resolved_at", "error"),
        ],
        recorded=_NEXT,
    )


_DROP_HANDS: Final = """
WITH gone AS (SELECT id FROM games_hand WHERE turn_id = %s),
    programs AS (DELETE FROM games_program USING gone WHERE hand_id = gone.id),
    drafts AS (DELETE FROM games_draft USING gone WHERE hand_id = gone.id)
DELETE FROM games_hand USING gone WHERE games_hand.id = gone.id
"""
"""In one statement: Django would read the hands first, and then delete from each table."""


def rewrite(*, game: Game, change: Callable[[Played], Played]) -> None:
    """Have all that is kept of the played turns of a game, whose row is held, be as ``change`` returns it."""
    for turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        if (changed := change(played)) != played:
            Turn.objects.filter(pk=turn.pk).update(record=write(changed))
