"""Keeping turns that were played: as documents, or for the release before this one as rows."""

from collections.abc import Callable, Collection
from typing import Any, Final

from games.batches import Batch
from games.play.models import Draft, Game, LogEntry, Transition, Turn
from games.play.played import Played, each_played, write

ROWS: Final = "played-turns-as-rows"
"""The transition for as long as which turns are kept as rows."""

_NEXT: Final = "nextval(pg_get_serial_sequence('games_logentry', 'id'))"
"""The next number of all turns: from the log's sequence, since turns that have rows count by theirs."""


def keep_played(*, turn: Turn, played: Played, outcome: Callable[[], dict[str, Any]], batch: Batch) -> None:
    """Have a batch keep a turn as played, in the transaction that plays it; its hands are dropped with that.

    The state that it led to is asked for only where it is kept as well.
    """
    names = [
        *("status", "record", "snapshot", "outcome", "first_seq", "last_seq"),
        *("head_before", "head", "resolved_at", "error"),
    ]
    turn.status = Turn.Status.RESOLVED
    turn.first_seq, turn.last_seq = played.first_seq, played.last_seq
    if keeps_rows():
        batch.send()
        turn.outcome = outcome()
        LogEntry.objects.bulk_create(
            LogEntry(game_id=turn.game_id, turn=turn, seq=seq, event=event)
            for seq, event in enumerate(played.events, played.first_seq)
        )
        Draft.objects.filter(hand__turn=turn).delete()
        turn.hands.exclude(remind_at=None).update(remind_at=None)
        batch.update(turn, names)
    else:
        turn.record, turn.snapshot = write(played), None
        drop_hands([turn.pk], batch=batch)
        batch.update(turn, names, recorded=_NEXT)


def drop_hands(turns: Collection[int], *, batch: Batch | None = None) -> None:
    """Delete the hands of turns whose record tells of them, with programs and drafts, now or by a batch."""
    sent = batch or Batch()
    sent.ask(_DROP_HANDS, list(turns))
    if batch is None:
        sent.send()


_DROP_HANDS: Final = """
WITH gone AS (SELECT id FROM games_hand WHERE turn_id = ANY (%s::bigint[])),
    programs AS (DELETE FROM games_program USING gone WHERE hand_id = gone.id),
    drafts AS (DELETE FROM games_draft USING gone WHERE hand_id = gone.id)
DELETE FROM games_hand USING gone WHERE games_hand.id = gone.id
"""
"""In one statement: Django would read the hands first, and then delete from each table."""


def rewrite(*, game: Game, change: Callable[[Played], Played]) -> None:
    """Have all that is kept of the played turns of a game, whose row is held, be as ``change`` returns it."""
    for turn, played in each_played(game.turns.filter(record__isnull=False).order_by("number")):
        if (changed := change(played)) != played:
            Turn.objects.filter(pk=turn.pk).update(record=write(changed))


def keeps_rows() -> bool:
    """Return whether played turns are kept as rows, since the release before this one may read them."""
    if ROWS not in _ended and not Transition.objects.filter(name=ROWS).exists():
        _ended.add(ROWS)
    return ROWS not in _ended


_ended: Final[set[str]] = set()
"""Transitions that are past, as far as this process knows: they do not come back."""
