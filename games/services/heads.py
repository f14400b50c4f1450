"""Keeping the heads of a game: with each turn, in the transaction that resolves it.

A turn that was resolved without a head leaves a gap: by a worker of the release before, while a new one takes
its place. The next turn fills it.
"""

import logging
from collections.abc import Iterable
from typing import Any

from games.models import Game, Hand, Turn
from games.selectors.heads import AT_ONCE, UNREADABLE, first_head_of, gathered, head_after, heads_after

logger = logging.getLogger(__name__)


def bind_turn(*, game: Game, turn: Turn, hands: Iterable[Hand], events: Iterable[dict[str, Any]]) -> None:
    """Set the head of a turn that is being resolved, with the game's row held; its caller saves both rows.

    Where what was played before cannot be read, the game goes on without heads, and the log says so.
    """
    try:
        if not turn.head_before:
            _fill_gap(game, turn)
        turn.head = head_after(turn.head_before, game=game, turn=turn, hands=hands, events=events)
    except UNREADABLE:
        logger.exception("Game %d has no heads: an earlier turn of it cannot be read", game.pk)
        turn.head = turn.head_before = ""


def _fill_gap(game: Game, turn: Turn) -> None:
    """Calculate the heads that are missing before a turn."""
    earlier = game.turns.filter(status=Turn.Status.RESOLVED, number__lt=turn.number).order_by("number")
    last = earlier.exclude(head="").last()
    if last is None:
        before = first_head_of(game, game.players.order_by("number"))
        game.heads_from = turn.number + 1
    else:
        before, earlier = last.head, earlier.filter(number__gt=last.number)
    for missing, head in heads_after(before, game=game, turns=gathered(earlier).iterator(AT_ONCE)):
        missing.head_before, missing.head, before = before, head, head
        missing.save(update_fields=["head_before", "head"])
    turn.head_before = before
