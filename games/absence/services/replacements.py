"""Seats that pass on while their game is played: to a computer, to another person, or back.

The robot stays what it is, with its name, look and all that it has: snapshots, log and file of the game know
nothing of it. What was ordered for the turn under way still counts; what its player had drafted is gone.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from accounts.models import User
from games import enqueue
from games.clocks import clock
from games.clocks.clock import Bank
from games.errors import Conflict
from games.news.models import Notice
from games.news.services.notifications import tell
from games.play import moments, stored
from games.play.models import Draft, Game, Hand, Replacement, Seat, Turn
from games.play.selectors.naming import computer_name
from games.play.selectors.reminders import when_to_remind
from games.play.services.clocks import bank_left
from games.play.services.history import note
from games.play.services.lateness import catch_up
from games.play.services.locks import touch

OF_THEIR_OWN = (Replacement.Reason.DELETED, Replacement.Reason.RESIGNED, Replacement.Reason.LEFT)
"""Why a computer plays for players who wanted it so: they know, and get no mail about it."""

STRENGTH = Seat.Strength.ROOKIE
"""How well computers play in the absence of players: so that no one gains by being away."""


def replace_by_computer(
    *, game: Game, seat: Seat, reason: Replacement.Reason, offered: bool = True, now: datetime
) -> None:
    """Have a computer play a person's seat from now on, in a running game whose row is held.

    It gives the orders that are missing still. Where the seat is ``offered``, anybody may take it over.
    Raises Conflict where the game is not under way, and for a seat that no person has.
    """
    _check_running(game)
    if seat.user is None:
        raise Conflict(
            "no-person", _("{robot} is played by a computer already.").format(robot=seat.robo_name)
        )
    was, seat.robot = seat.user, seat.robo_name
    hand = _hand_to_play(seat)
    left = _left(game, seat, hand, reason, now)
    moments.follow.seat_passes_on(seat=seat, user=was)
    seat.user, seat.computer, seat.name = None, STRENGTH, computer_name(STRENGTH, seat.look)
    seat.ready, seat.manner, seat.standing, seat.visited_at = True, "", "", None
    seat.offered_at = now if offered else None
    seat.save()
    _note(game=game, seat=seat, was=was, became=None, reason=reason, now=now, **left)
    Draft.objects.filter(hand__seat=seat).delete()
    if hand is not None:
        hand.remind_at = None
        hand.save(update_fields=["remind_at"])
        Turn.objects.filter(pk=hand.turn_id).update(asks_computers=True)
        enqueue.play_computers(hand.turn_id, host=game.host_id)
    if reason not in OF_THEIR_OWN:
        _tell(game, was, now)
    if reason == Replacement.Reason.MISSED:  # of all else those tell who had it done
        note(game=game, by=None, kind="replaced", robot=seat.robo_name, now=now)
    touch(game, now)


def replace_by_person(
    *, game: Game, seat: Seat, user: User, reason: Replacement.Reason, now: datetime
) -> None:
    """Give a computer's seat to a person, in a running game whose row is held.

    Time bank and excused turns are what they left the game with, or full if they are new in it.
    What the computer has ordered counts until they order otherwise, as long as the turn is not played. Raises
    Conflict where the game is not under way, for a seat that a person has, and for someone who has another.
    """
    _check_running(game)
    if seat.user is not None:
        raise Conflict("a-person", _("{robot} is played by a person.").format(robot=seat.robo_name))
    if game.players.filter(user=user).exists():
        raise Conflict("already-joined", _("You have a seat in this game already."))
    robot = seat.robo_name
    seat.robot = "" if robot == user.robo_name else robot
    seat.user, seat.computer, seat.name, seat.offered_at = user, "", "", None
    seat.joined_at, seat.visited_at, seat.shared = now, now, True
    _settle_absence(game, seat, user)
    seat.seen_turn = game.turn - 1 if game.turn else None
    seat.read_chat = game.chat.aggregate(last=Max("pk"))["last"] or 0
    seat.save()
    _note(game=game, seat=seat, was=None, became=user, reason=reason, now=now)
    hand = _hand_to_play(seat)
    if hand is not None:
        hand.turn.game, hand.seat = game, seat
        hand.remind_at = when_to_remind(turn=hand.turn, hand=hand)
        hand.save(update_fields=["remind_at"])
    if seat.robot:
        note(game=game, by=user, kind="took-over", player=user.robo_name, robot=robot, now=now)
    else:
        note(game=game, by=user, kind="back", player=user.robo_name, now=now)
    touch(game, now)


def withdraw_offers(*, game: Game) -> None:
    """Offer no seat any more of a game that ends, with its row held."""
    Seat.objects.filter(game=game, offered_at__isnull=False).update(offered_at=None)


def _check_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("Seats change hands only while a game is being played."))


def _hand_to_play(seat: Seat) -> Hand | None:
    """Return the hand of a seat for which orders are missing."""
    hands = Hand.objects.select_related("turn").filter(seat=seat, program=None)
    return hands.filter(turn__status=Turn.Status.OPEN).first()


def _left(
    game: Game, seat: Seat, hand: Hand | None, reason: Replacement.Reason, now: datetime
) -> dict[str, Any]:
    """Return what a person has left who leaves a seat: time in the bank, and excused turns."""
    bank = seat.bank
    if hand is not None and bank is not None:
        hand.turn.game, hand.seat = game, seat
        catch_up(turn=hand.turn, hands=[hand], now=now)
        bank = bank_left(game=game, turn=hand.turn, hand=hand, seat=seat, now=now)
    clean = 0 if reason == Replacement.Reason.MISSED else seat.clean_turns
    return {"bank": bank, "excused": seat.excused, "clean_turns": clean}


def _settle_absence(game: Game, seat: Seat, user: User) -> None:
    """Give a person's seat the bank and the excused turns with which they last left the game."""
    pace, before = stored.pace_of(game), seat.bank
    seat.bank = pace.hours * clock.HOUR if isinstance(pace, Bank) else None
    seat.excused, seat.clean_turns = stored.absence_of(game).excused or 0, 0
    last = Replacement.objects.filter(seat__game=game, was=user).order_by("-pk").first()
    if last is None or last.excused is None or last.clean_turns is None:
        return
    seat.excused, seat.clean_turns = last.excused, last.clean_turns
    if last.bank is not None:
        hand = _hand_to_play(seat)
        still_runs = hand is not None and hand.deadline is not None and last.turn == game.turn
        nobody_since = not Replacement.objects.filter(seat=seat, pk__gt=last.pk).exists()
        seat.bank = before if last.seat_id == seat.pk and still_runs and nobody_since else last.bank


def _note(
    *,
    game: Game,
    seat: Seat,
    was: User | None,
    became: User | None,
    reason: Replacement.Reason,
    now: datetime,
    **left: Any,
) -> None:
    assert transaction.get_connection().in_atomic_block, "the game's row is to be held"
    passing = {"turn": game.turn or 0, "was": was, "became": became, "reason": reason}
    Replacement.objects.create(game=game, seat=seat, **passing, **left, at=now)


def _tell(game: Game, user: User, now: datetime) -> None:
    """Tell someone that a computer plays for them; who came back and was replaced again is told again."""
    turn = game.turn or 0
    Notice.objects.filter(game=game, turn=turn, user=user, kind="replaced").delete()
    tell(users=[user], kind="replaced", game=game, turn=turn, now=now)
