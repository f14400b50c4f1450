"""Players whose time is up while others still have some: their orders are given at once in their place."""

from datetime import datetime

from games import announce, enqueue
from games.absence.services.missed_turns import play_missing, tell_missed
from games.jobs import each
from games.play import moments, stored
from games.play.models import Game, Hand, Program, Turn
from games.play.services.lateness import catch_up
from games.play.services.locks import locked_game

MOST = 500
"""Hands that a pass looks at; the next one goes on."""


def play_overdue(*, now: datetime) -> int:
    """Give the orders of players whose time is up in turns that go on; return how many.

    Where the whole turn's time is up, the resolution does so.
    """
    overdue = Hand.objects.filter(deadline__lte=now, turn__status=Turn.Status.OPEN, turn__deadline__gt=now)
    found = overdue.filter(turn__game__status=Game.Status.RUNNING).order_by("deadline")
    return each(
        "overdue players",
        found,
        lambda hand_id: _play(hand_id, now),
        most=MOST,
        now=now,
        game="turn__game_id",
    )


def _play(hand_id: int, now: datetime) -> bool:
    hand = Hand.objects.select_related("turn").get(pk=hand_id)
    game = locked_game(hand.turn.game_id)
    hand = Hand.objects.select_related("turn", "seat__user").get(pk=hand_id)
    turn, seat = hand.turn, hand.seat
    given = Program.objects.filter(hand=hand).exists()
    if not given:
        catch_up(turn=turn, hands=[hand], now=now)
    still = hand.deadline is not None and hand.deadline <= now  # a pause may have put it off since
    if game.status != Game.Status.RUNNING or turn.status != Turn.Status.OPEN or given or not still:
        return False
    assert seat is not None
    setup = stored.setup_of(game)
    play_missing(game=game, turn=turn, hand=hand, seat=seat, setup=setup, now=now)
    tell_missed(game=game, turn=turn, seat=seat, now=now)
    if not turn.hands.filter(seat__isnull=False, program=None).exists():
        turn.ready_at, turn.offered_at = now, None
        turn.save(update_fields=["ready_at", "offered_at"])
        enqueue.resolve_turn(turn.pk)
    if seat.user is None:
        moments.follow.players_changed(game=game, now=now)
    announce.change(game)
    return True
