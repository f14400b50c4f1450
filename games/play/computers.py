"""Computers choose their orders in a worker, within a daily limit of processor time for each host."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from datetime import datetime
from math import ceil, inf
from time import monotonic, process_time
from typing import NamedTuple

from django.conf import settings
from django.db.models import F
from django.utils.translation import gettext as _

import rules
from accounts import limits
from accounts.limits import Limit
from games.errors import Conflict, TooMany, describe_error
from games.play import stored
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.orders import give_orders, redeal_hand_of_seat, wake
from games.work import enqueue
from games.work.jobs import close_alarm, encode_reason, set_aside
from games.work.models import lock_person
from roborunner import faults
from roborunner.faults import time_limit
from roborunner.leases import uncount
from rules import computers

MILLISECONDS = 1000


def refuse_beyond_budget(*, game: Game) -> None:
    """Raise Conflict or TooMany if the host may not start this game against computers.

    The caller must hold the lock on the game's row. The limits apply to games between computers and a single
    person, the host. Conflict means that the host has too many such games running, and TooMany means that
    computers have used up the host's time for today.
    """
    if not _is_against_computers(game):
        return
    lock_person(game.host)
    running = Game.objects.filter(host=game.host, status=Game.Status.RUNNING).exclude(pk=game.pk)
    against = sum(map(_is_against_computers, running.prefetch_related("players")))
    if against >= settings.COMPUTER_GAMES:
        detail = _(
            "You have {number} running games against computers, which is the limit. Finish or resign one of"
            " them first."
        )
        raise Conflict("too-many-games", detail.format(number=against))
    if wait := wait_for_thinking(game.host_id):
        detail = _(
            "Computers have used {minutes} min of computing time for your games today, which is"
            " the limit. Start the next game tomorrow. Until then, running games are slower."
        )
        raise TooMany(detail.format(minutes=settings.COMPUTER_MINUTES), wait)


def _is_against_computers(game: Game) -> bool:
    seats = list(game.players.all())
    return any(seat.computer for seat in seats) and sum(seat.user_id is not None for seat in seats) <= 1


def wait_for_thinking(person_id: int) -> int:
    """Return the seconds until computers may use processor time for a host's games again. 0 means now."""
    return limits.seconds_to_wait(_limit(), f"person:{person_id}")


@contextmanager
def charge_thinking(person_id: int) -> Iterator[None]:
    """Count the processor time that the body of the ``with`` statement uses towards a host's daily limit."""
    began = process_time()
    try:
        yield
    finally:
        spent = ceil((process_time() - began) * MILLISECONDS)
        limits.consume(_limit(), f"person:{person_id}", cost=spent)


def _limit() -> Limit:
    return Limit("thinking", settings.COMPUTER_MINUTES * 60 * MILLISECONDS, 24 * 60 * 60)


logger = logging.getLogger(__name__)

ATTEMPTS_PER_HAND = 5
"""The maximum number of attempts to choose a computer's orders for a hand.

Attempts are limited because an attempt can kill the worker that makes it.
"""

REDRAWS_PER_TURN = 50
"""The maximum number of times that a computer redraws its hand in a turn, to prevent an endless loop."""

JOB = "computers"
"""The name of the periodic job that asks workers again for missing orders of computers."""


class ComputerOrders(NamedTuple):
    """The orders of a computer. If they are random, ``remark`` says why."""

    orders: rules.Orders
    by: Program.Author
    remark: str = ""


def play_computers(*, turn_id: int, last: bool = False, share: float = inf, now: datetime) -> int:
    """Submit the missing orders of a turn's computers. Return how many were submitted.

    No row is locked while the computers choose. If two tasks run for one turn, the orders that the first task
    has submitted are not replaced. The processor time counts against the host's daily limit. If the host has
    used up the limit, the turn moves to the queue of the wind tunnel, which has a lower priority.

    The workers of that queue pass ``last`` as true, which lifts the limit. If orders are still missing after
    ``share`` seconds, this function stops and puts the turn back into the computers' queue. A turn that
    cannot be read is set aside with an alarm.
    """
    host = Turn.objects.filter(pk=turn_id).values_list("game__host", flat=True).first()
    if host is not None and not last and wait_for_thinking(host):
        enqueue.play_computers_last(turn_id)
        return 0
    try:
        with charge_thinking(host) if host is not None else nullcontext():
            given, done = _play(turn_id, share, now)
    except Exception as error:
        if faults.is_temporary(error):
            raise
        game_id = Turn.objects.filter(pk=turn_id).values_list("game_id", flat=True).first()
        set_aside(JOB, kind="turn", row=turn_id, game_id=game_id, error=error, now=now)
        return 0
    close_alarm(JOB, row=turn_id, now=now)
    if not done:
        enqueue.play_computers(turn_id, host=host, again=True)
    return given


def _play(turn_id: int, share: float, now: datetime) -> tuple[int, bool]:
    """Submit the missing orders of a turn's computers. Stop after ``share`` seconds.

    Returns how many were submitted, and whether the orders of all computers are in.
    """
    given, end = 0, monotonic() + share
    turn = Turn.objects.select_related("game__revision__starship", "game__course").filter(pk=turn_id).first()
    if turn is None:  # its game was deleted
        return given, True
    hands = _missing_hands(turn)
    if not hands:
        return given, True
    setup = stored.setup_of(turn.game)
    state = stored.start_of(turn, setup.starship)
    for owed in hands:
        if owed is not hands[0] and monotonic() > end:
            return given, False
        seat = owed.seat
        assert seat is not None
        try:
            if _begin_to_think(owed):
                thought = _computer_orders(turn, setup, state, owed, seat, now)
            else:
                logger.error(
                    "%s is not asked again: turn %d of game %d", seat.robo_name, turn.number, turn.game_id
                )
                awake = _switched_on(turn, setup, state, owed, seat, now)
                thought = _random_orders(turn, setup, awake, owed, encode_reason("deadly", ATTEMPTS_PER_HAND))
            give_orders(
                seat=seat,
                turn_number=turn.number,
                orders=thought.orders,
                by=thought.by,
                remark=thought.remark,
                now=now,
            )
        except Conflict:
            continue  # the turn was resolved meanwhile, the game cancelled, or the seat taken over
        except Exception as error:
            if faults.is_temporary(error):  # an attempt lost to a temporary fault does not count
                hand = Hand.objects.filter(pk=owed.pk)
                lost = f"A thought about hand {owed.pk} was lost ({describe_error(error)})"
                uncount(hand, lost, "thoughts")
            raise
        given += 1
    return given, True


def _missing_hands(turn: Turn) -> list[Hand]:
    if turn.status != Turn.Status.OPEN or turn.game.status != Game.Status.RUNNING:
        return []
    hands = turn.hands.exclude(seat=None).exclude(seat__computer="").filter(program=None)
    return list(hands.select_related("seat").order_by("robot"))


def _begin_to_think(hand: Hand) -> bool:
    """Count an attempt to choose orders for a hand. Return False if the hand has no attempts left.

    The count is saved at once, so that it remains if the worker dies.
    """
    begun = Hand.objects.filter(pk=hand.pk, thoughts__lt=ATTEMPTS_PER_HAND)
    return begun.update(thoughts=F("thoughts") + 1) == 1


def _computer_orders(
    turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, now: datetime
) -> ComputerOrders:
    """Return a computer's orders.

    The computer decides first whether its robot stays off, and then whether to redraw its hand.
    """
    if hand.face_down:
        if _stays_off(setup, state, hand, seat):
            return ComputerOrders(rules.Orders(stay_down=True), Program.Author.COMPUTER)
        state = _switched_on(turn, setup, state, hand, seat, now)
    return think(turn, setup, state, _redrawn(turn, setup, state, hand, now), seat)


def _switched_on(
    turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, now: datetime
) -> rules.State:
    """Switch a computer's robot on if its hand is face down. Return the state at the start of the turn."""
    if not hand.face_down:
        return state
    state = wake(seat=seat, turn_number=turn.number, now=now)
    hand.refresh_from_db()
    return state


def _stays_off(setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat) -> bool:
    """Let a computer decide, before it sees its hand, whether its robot stays off this turn (AM-5.2)."""
    try:
        with time_limit(settings.COMPUTER_SECONDS, _too_long()):
            return computers.stays_off(setup, rules.view(state), hand.robot - 1)
    except Exception:
        logger.exception("%s could not decide whether to stay off: it switches on", seat.name)
        return False


def _redrawn(turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, now: datetime) -> Hand:
    """Redraw a computer's hand as often as it wants and the rules allow (GR-1.2, AM-1.4). Return the hand."""
    seat, index = hand.seat, hand.robot - 1
    assert seat is not None
    for times in range(REDRAWS_PER_TURN):
        if not stored.may_redeal(setup, state, hand):
            break
        try:
            with time_limit(settings.COMPUTER_SECONDS, _too_long()):
                chips = stored.chips_of(hand)
                wanted = computers.wants_redeal(
                    setup, rules.view(state, index), index, chips, seat.computer, 0, times
                )
        except Exception:
            logger.exception("%s could not judge its hand: it keeps it", seat.name)
            break
        if not wanted:
            break
        hand = redeal_hand_of_seat(seat=seat, turn_number=turn.number, now=now)
    return hand


def think(
    turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, seat: Seat, level: str = ""
) -> ComputerOrders:
    """Return a computer's orders, or random orders if it fails or takes too long.

    The computer plays at ``level``, or else at the level of its seat.
    """
    index, chips = hand.robot - 1, stored.chips_of(hand)
    mood = rules.computer_seed(turn.game.seed, turn.number, hand.robot)
    try:
        with time_limit(settings.COMPUTER_SECONDS, _too_long()):
            seen = rules.view(state, index)
            orders = computers.choose(setup, seen, index, chips, level or seat.computer, mood)
        if found := rules.problems(setup, state, index, chips, orders):
            # Only codes: staff can read the remark while the hand is secret.
            raise ValueError(f"against the rules: {', '.join(problem.code for problem in found)}")
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        logger.exception(
            "%s found no orders for turn %d of game %d", seat.robo_name, turn.number, turn.game_id
        )
        return _random_orders(turn, setup, state, hand, reason)
    return ComputerOrders(orders, Program.Author.COMPUTER)


def _random_orders(
    turn: Turn, setup: rules.Setup, state: rules.State, hand: Hand, remark: str
) -> ComputerOrders:
    """Return random orders for a hand, with a remark for staff."""
    mood = rules.computer_seed(turn.game.seed, turn.number, hand.robot)
    orders = rules.complete(setup, state, hand.robot - 1, stored.chips_of(hand), None, mood)
    return ComputerOrders(orders, Program.Author.CHANCE, remark)


def _too_long() -> str:
    return f"it thought for longer than {settings.COMPUTER_SECONDS:g} s"
