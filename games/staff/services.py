"""Intervene in stuck games, raise and close alarms about turns, and record backups.

The input classes of `games.staff.inputs` check reasons and hours before these services are called.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import Error, transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer
from games.clocks import clock
from games.clocks.clock import MAX_TIME_AHEAD, Bank
from games.errors import Conflict, NotFound, describe_error
from games.lobby.services import cancel
from games.play import stored
from games.play.deadlines import when_to_remind
from games.play.history import Sentence, add_entry
from games.play.models import Game, Hand, Seat, Turn
from games.play.resolution import MAX_ATTEMPTS
from games.play.selectors import deadline_of, sentence_of, turns_under_way
from games.play.services import locked_game
from games.rights import Right, require
from games.staff.models import MAX_FILE_NAME, BackupRun, Intervention
from games.staff.selectors import last_run
from games.votes.services import settle_votes
from games.work import enqueue
from games.work.jobs import encode_reason
from games.work.models import Alarm

HISTORY: Final[Mapping[str, Sentence]] = {"intervened": lambda: _("Staff intervened.")}


# --- Interventions ------------------------------------------------------------------------------------------


logger = logging.getLogger(__name__)


def resolve_again(*, user: User, turn_id: int, reason: str, now: datetime) -> Game:
    """Retry a turn after too many failed attempts. A call for a turn without failures does no harm.

    Raises NotFound, Forbidden for people without the right to change turns, and Conflict if the turn has been
    played or its game is not running.
    """
    require(user, Right.CHANGE_TURNS)
    game_id = Turn.objects.filter(pk=turn_id).values_list("game_id", flat=True).first()
    if game_id is None:
        raise NotFound("no-turn", _("This turn does not exist."))
    with transaction.atomic():
        game = locked_game(game_id)
        turn = Turn.objects.get(pk=turn_id)
        if turn.status != Turn.Status.OPEN or game.status != Game.Status.RUNNING:
            raise Conflict("finished", _("This turn can no longer be played."))
        Turn.objects.filter(pk=turn_id).update(attempts=0, interruptions=0, offered_at=None)
        enqueue.resolve_turn(turn_id)
        _note(game, user, Intervention.Action.RESOLVE, reason, now)
    return game


def resolve_game_again(*, user: User, game_id: int, reason: str, now: datetime) -> Game:
    """Retry the open turn of a game. Raises the errors of `resolve_again`."""
    turn = Turn.objects.filter(game=game_id, status=Turn.Status.OPEN).only("pk").first()
    return resolve_again(user=user, turn_id=turn.pk if turn else 0, reason=reason, now=now)


def extend_turn(*, user: User, game_id: int, hours: int, reason: str, now: datetime) -> Game:
    """Extend the open turn's deadlines by some hours, for all players who have not submitted orders.

    The hours count from the deadline, or from now if the deadline has passed. Players with a time bank get
    the time added to their bank. Raises NotFound, Forbidden for people without the right to change games, and
    Conflict if the game is not running, all orders are in, or the game has no time limit.
    """
    require(user, Right.CHANGE_GAMES)
    with transaction.atomic():
        game = locked_game(game_id)
        turn = game.turns.filter(status=Turn.Status.OPEN).first()
        if game.status != Game.Status.RUNNING or turn is None:
            raise Conflict("finished", _("This game is not running."))
        missing = list(turn.hands.filter(seat__isnull=False, program=None).select_related("seat__user"))
        if not missing:
            raise Conflict(
                "all-in",
                _("No player needs more time, because all orders for turn {number} are in.").format(
                    number=turn.number
                ),
            )
        if turn.deadline is None:
            raise Conflict("no-deadline", _("This game has no time limit."))
        turn.game = game
        _put_off(turn, missing, timedelta(hours=hours), now)
        _note(game, user, Intervention.Action.EXTEND, reason, now, hours=hours)
    return game


def replace_as_staff(*, user: User, seat_id: int, reason: str, now: datetime) -> Game:
    """Replace a person with a computer. Anyone except the replaced person may take over the seat.

    Raises NotFound, Forbidden for people without the right to change seats, and Conflict if the game is not
    running, if a computer already plays the seat, or if its players share one account.
    """
    require(user, Right.CHANGE_SEATS)
    game_id = Seat.objects.filter(pk=seat_id).values_list("game_id", flat=True).first()
    if game_id is None:
        raise NotFound("no-seat", _("This seat does not exist."))
    with transaction.atomic():
        game = locked_game(game_id)
        if game.is_on_one_screen:
            detail = _("The players of this game share one account. Cancel the game instead.")
            raise Conflict("one-screen", detail)
        seat = game.players.select_related("user").get(pk=seat_id)
        replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.STAFF, now=now)
        _note(game, user, Intervention.Action.REPLACE, reason, now, seat=seat)
        settle_votes(game=game, now=now)
    return game


def cancel_as_staff(*, user: User, game_id: int, reason: str, now: datetime) -> Game:
    """Cancel an open or running game, and notify its players.

    Raises NotFound, Forbidden for people without the right to change games, and Conflict if the game has
    ended.
    """
    require(user, Right.CHANGE_GAMES)
    with transaction.atomic():
        game = locked_game(game_id)
        cancel(game=game, by=user, now=now)
        _note(game, user, Intervention.Action.CANCEL, reason, now)
    return game


def _put_off(turn: Turn, hands: list[Hand], more: timedelta, now: datetime) -> None:
    """Extend the deadlines of hands in a turn by ``more``, and reset the turn's count of failed attempts.

    The caller must hold the game's row lock. If a hand's calendar is unreadable, the calendar is
    deleted, and the player's clock then runs day and night.
    """
    has_banks = isinstance(stored.pace_of(turn.game), Bank)
    for hand in hands:
        before = deadline_of(turn=turn, hand=hand)
        if before is None:
            continue
        if before > now + MAX_TIME_AHEAD:  # an obvious mistake in the stored deadline
            before = now
        try:
            run = stored.clock_of(hand, start=turn.opened_at, until=before)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            logger.warning("The calendar of hand %d is dropped: %s", hand.pk, describe_error(error))
            hand.calendar = None
            run = stored.clock_of(hand, start=turn.opened_at, until=before)
        hand.deadline = max(before, now) + more
        hand.calendar = stored.write_clock(run.extended(hand.deadline - before))
        hand.remind_at = when_to_remind(turn=turn, hand=hand)
        if has_banks and hand.seat and hand.seat.bank is not None:
            hand.seat.bank += clock.used(run.whole, before, hand.deadline)
            hand.seat.save(update_fields=["bank"])
    Hand.objects.bulk_update(hands, ["deadline", "calendar", "remind_at"])
    turn.deadline = max(hand.deadline for hand in hands if hand.deadline)
    turn.attempts, turn.interruptions, turn.offered_at, turn.error = 0, 0, None, ""
    turn.save(update_fields=["deadline", "attempts", "interruptions", "offered_at", "error"])


def _note(
    game: Game,
    user: User,
    action: Intervention.Action,
    reason: str,
    now: datetime,
    *,
    hours: int | None = None,
    seat: Seat | None = None,
) -> None:
    """Record an intervention, and notify the browsers that show the game.

    The caller must hold the game's row lock.
    """
    made = Intervention.objects.create(
        game=game, by=user, action=action, reason=reason, turn=game.turn, hours=hours, seat=seat, at=now
    )
    game.intervened = True
    game.save(update_fields=["intervened"])
    add_entry(game=game, by=None, kind="intervened", now=now)  # open pages compare the number of entries
    about = {"game": game.pk, "person": user.pk}
    logger.warning("%s intervened: %s", user.robo_name, sentence_of(made), extra=about)


# --- Alarms -------------------------------------------------------------------------------------------------


OVERDUE_AFTER = timedelta(minutes=5)
"""How long workers and the sweeper have to play a late turn before staff are warned."""


def watch_turns(*, now: datetime) -> int:
    """Raise an alarm for each overdue or stuck turn, and close alarms that no longer apply.

    Returns the number of alarms that were raised or reopened.
    """
    late = _late(now)
    opened = Alarm.objects.filter(closed_at=None, turn__isnull=False)
    opened.exclude(turn__in=late).update(closed_at=now)
    known = set(opened.values_list("turn", flat=True))
    raised = 0
    for turn in (turn for pk, turn in late.items() if pk not in known):
        due = min(time for time in (turn.ready_at, turn.deadline, now) if time)
        Alarm.objects.update_or_create(
            turn=turn,
            defaults={
                "game_id": turn.game_id,
                "due_at": due,
                "raised_at": now,
                "closed_at": None,
                "error": _reason(turn, now),
            },
        )
        logger.warning(
            "A turn waits to be played since %s",
            due.isoformat(),
            extra={"game": turn.game_id, "turn": turn.pk},
        )
        raised += 1
    return raised


def _late(now: datetime) -> dict[int, Turn]:
    """Return late and stuck turns by ID.

    Several queries find them, so that each query can use its own index.
    """
    turns = turns_under_way().only("game", "ready_at", "deadline", "attempts")
    # Workers no longer try a turn without attempts left, so warn staff at once.
    given_up = Q(attempts__gte=MAX_ATTEMPTS)
    ready = turns.filter(Q(ready_at__lte=now - OVERDUE_AFTER) | given_up, ready_at__isnull=False)
    late = turns.filter(Q(deadline__lte=now - OVERDUE_AFTER) | given_up, deadline__lte=now)
    never = Q(deadline__gt=now + MAX_TIME_AHEAD)
    hands = Hand.objects.filter(never, turn__status=Turn.Status.OPEN).values("turn")
    endless = turns.filter(never)
    waiting = turns.filter(pk__in=hands)  # turns that wait for a player whose clock never runs out
    found = (*ready.order_by("ready_at"), *late.order_by("deadline"), *endless, *waiting)
    return {turn.pk: turn for turn in found}


def _reason(turn: Turn, now: datetime) -> str:
    """Return the encoded reason why a turn is not played. `Turn.error` may have a more precise reason."""
    if turn.ready_at is None and (turn.deadline is None or turn.deadline > now):
        return encode_reason("far-away")
    if turn.attempts >= MAX_ATTEMPTS:
        return encode_reason("tried", turn.attempts)
    return encode_reason("no-worker")


# --- Backups ------------------------------------------------------------------------------------------------

RUNS_KEPT: Final = timedelta(days=400)
"""How long records of backups and drills stay. The last good one of each kind stays longer."""

MAX_RUN_TEXT: Final = 2000
"""The longest stored report or error of a backup or drill, in characters."""


def record_run(
    kind: BackupRun.Kind,
    *,
    started_at: datetime,
    file: str = "",
    size: int | None = None,
    copied: bool = False,
    report: str = "",
    error: str = "",
    now: datetime,
) -> BackupRun | None:
    """Store the result of a backup or drill that ends ``now``. It is a good one if there is no ``error``.

    Deletes old rows. A backup also counts if the database is read-only and stores no row: then this logs the
    reason, and returns None.
    """
    run = BackupRun(
        kind=kind,
        started_at=started_at,
        ended_at=now,
        ok=not error,
        file=file[:MAX_FILE_NAME],
        size=size,
        copied=copied,
        report=report[:MAX_RUN_TEXT],
        error=error[:MAX_RUN_TEXT],
    )
    try:
        with transaction.atomic():
            run.save(force_insert=True)
            kept = [last.pk for each in BackupRun.Kind if (last := last_run(each, ok=True))]
            BackupRun.objects.filter(ended_at__lt=now - RUNS_KEPT).exclude(pk__in=kept).delete()
    except Error as problem:
        logger.warning("The %s is not recorded: %s", kind.value, str(problem).strip())
        return None
    return run
