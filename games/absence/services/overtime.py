"""Players whose time is up while others still have some: their orders are given at once in their place."""

from datetime import datetime

from django.db.models import QuerySet

from games import announce, enqueue
from games.absence.services.missed_turns import asks_computer, play_missing, tell_missed
from games.jobs import each
from games.play import moments, stored
from games.play.models import Game, Hand, Program, Turn
from games.play.selectors.underway import turns_under_way
from games.play.services.lateness import catch_up
from games.play.services.locks import locked_game
from games.play.services.resolution import THINKERS, resolve_turn

MOST = 500
"""Hands that a pass looks at; the next one goes on."""


def play_overdue(*, now: datetime) -> int:
    """Give the orders of players whose time is up in turns that go on; return how many.

    Where the whole turn's time is up, the resolution does so. If a computer thinks in a player's place, the
    turn is left to the workers that think.
    """
    return _play_each(_overdue(now), now, thinks=False)


def play_absent(*, turn_id: int, now: datetime) -> int:
    """Give the orders of players whose time is up in a turn; return how many, or 1 if it was resolved."""
    if turns_under_way().filter(pk=turn_id, ready_at=None, deadline__lte=now).exists():
        return int(resolve_turn(turn_id=turn_id, now=now))
    return _play_each(_overdue(now).filter(turn=turn_id), now, thinks=True)


def _overdue(now: datetime) -> QuerySet[Hand]:
    overdue = Hand.objects.filter(deadline__lte=now, turn__status=Turn.Status.OPEN, turn__deadline__gt=now)
    return overdue.filter(turn__game__status=Game.Status.RUNNING).order_by("deadline")


def _play_each(hands: QuerySet[Hand], now: datetime, *, thinks: bool) -> int:
    return each(
        "overdue players",
        hands,
        lambda hand_id: _play(hand_id, now, thinks=thinks),
        most=MOST,
        now=now,
        game="turn__game_id",
    )


def _play(hand_id: int, now: datetime, *, thinks: bool) -> bool:
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
    assert seat is not None and hand.deadline is not None
    if not thinks and now < hand.deadline + THINKERS and asks_computer(game=game, turn=turn, seat=seat):
        enqueue.play_computers(turn.pk, host=game.host_id)
        return False
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
