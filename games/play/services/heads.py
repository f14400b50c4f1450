"""Keeping the heads of a game: with each turn, in the transaction that resolves it.

A turn that was resolved without a head leaves a gap: an earlier turn could not be read then. The next turn
fills it, or the sweeper before that.
"""

import logging
from datetime import datetime
from typing import Final

from games.play.models import Game, Turn
from games.play.played import Played, each_played
from games.play.selectors.heads import UNREADABLE, first_head_of, head_after, heads_after
from games.play.selectors.underway import turns_under_way
from games.play.services.locks import locked_game
from games.work.jobs import each

logger = logging.getLogger(__name__)

MOST: Final = 200
"""How many games a pass of the sweeper gives heads; the next pass goes on."""


def bind_turn(*, game: Game, turn: Turn, played: Played) -> None:
    """Set the head of a turn that is being resolved, with the game's row held; its caller saves both rows.

    Where what was played before cannot be read, the game goes on without heads, and the log says so.
    """
    try:
        if not turn.head_before:
            _fill_gap(game, turn, shown_from=turn.number + 1)
        turn.head = head_after(turn.head_before, game=game, turn=turn.number, played=played)
    except UNREADABLE:
        logger.exception("Game %d has no heads: an earlier turn of it cannot be read", game.pk)
        turn.head = turn.head_before = ""


def fill_gaps(*, now: datetime) -> int:
    """Give heads to games under way that lack them; return how many got them.

    A game that cannot be read is set aside with an alarm, and gets its heads once it was mended.
    """
    lacking = turns_under_way().filter(head_before="").order_by("opened_at")
    return each("heads", lacking, _give_heads, most=MOST, now=now, game="game_id")


def _give_heads(turn_id: int) -> bool:
    game = locked_game(Turn.objects.values_list("game_id", flat=True).get(pk=turn_id))
    turn = game.turns.get(pk=turn_id)
    if turn.status != Turn.Status.OPEN or turn.head_before:
        return False
    _fill_gap(game, turn, shown_from=turn.number)
    turn.save(update_fields=["head_before"])
    game.save(update_fields=["heads_from"])
    return True


def _fill_gap(game: Game, turn: Turn, *, shown_from: int) -> None:
    """Calculate the heads that are missing before a turn; ``shown_from`` is the turn that shows the first."""
    earlier = game.turns.filter(status=Turn.Status.RESOLVED, number__lt=turn.number).order_by("number")
    last = earlier.exclude(head="").last()
    if last is None:
        before = first_head_of(game, game.players.order_by("number"))
        game.heads_from = shown_from
    else:
        before, earlier = last.head, earlier.filter(number__gt=last.number)
    for missing, head in heads_after(before, game=game, turns=each_played(earlier)):
        missing.head_before, missing.head, before = before, head, head
        missing.save(update_fields=["head_before", "head"])
    turn.head_before = before
