"""Deadlines and clocks in a game: time banks, pauses, vacation, outages and reminders."""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial, reduce
from operator import or_
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.time_zones import zone_of
from games import live
from games.clocks import clock
from games.clocks.clock import DAY, Bank, Live, Span
from games.clocks.models import Heartbeat, Outage, Rest, VacationDay
from games.clocks.selectors import (
    OUTAGE_AFTER,
    OUTAGE_REASON,
    UNPLANNED_DAYS_PER_WEEK,
    VACATION_REASON,
    allows_vacation,
    calendar_of,
    days_left,
    days_taken_lately,
    outages_since,
    planned_on,
    span_of,
)
from games.clocks.services import lock_rest
from games.errors import Conflict, Invalid
from games.news.models import Notice
from games.news.services import FINAL_STATUSES, notify, notify_once
from games.news.timing import SHORTEST_LEAD, morning_after, reminder_at, reminder_kind
from games.play import selectors, stored
from games.play.history import add_entry
from games.play.models import Game, Hand, Seat, Turn
from games.play.services import locked_game
from games.work import enqueue
from games.work.jobs import for_each_row


def fill_banks(*, game: Game) -> None:
    """Set the initial time banks of a game's players."""
    pace = stored.pace_of(game)
    if isinstance(pace, Bank):
        game.players.update(bank=pace.hours * clock.HOUR)


def start_clocks(*, game: Game, turn: Turn, hands: Iterable[Hand]) -> None:
    """Set the deadlines of new hands, and of their turn, without saving them."""
    pace, pause = stored.pace_of(game), selectors.pause_of(game)
    everyone_is_there = pace is None or isinstance(pace, Live)  # turns of minutes leave no time for sleep
    deadlines = []
    for hand in hands:
        if hand.seat is None:
            continue
        run = clock.start_clock(
            pace,
            turn.opened_at,
            bank=hand.seat.bank or timedelta(0),
            calendar=clock.ALWAYS if everyone_is_there else calendar_of(user=hand.seat.user),
            pauses=[(pause, selectors.PAUSE_REASON)] if pause else [],
            short=hand.seat.short_clock > 0,
        )
        hand.deadline = run.until if run else None
        hand.calendar = stored.write_clock(run) if run else None
        deadlines.append(hand.deadline)
    turn.deadline = _latest(deadlines)


def stop_clock(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> None:
    """Stop the clock of a hand whose orders have come in. The caller must hold the lock on the game's row.

    The time used is deducted from the player's time bank. The turn's deadline becomes the latest deadline of
    the hands without orders. If no orders are missing, it does not change. A hand without a deadline does not
    change, so stopping its clock again has no effect.
    """
    bank, deadline = seat.bank, turn.deadline
    if not stop_clock_unsaved(game=game, turn=turn, hand=hand, seat=seat, now=now):
        return
    hand.save(update_fields=["deadline", "calendar"])
    if seat.bank != bank:
        seat.save(update_fields=["bank"])
    if turn.deadline != deadline:
        turn.save(update_fields=["deadline"])


def stop_clock_unsaved(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> bool:
    """Stop the clock of a hand like `stop_clock`, without saving. Return whether the clock was running."""
    if hand.deadline is None:
        return False
    seat.bank = bank_left(game=game, turn=turn, hand=hand, seat=seat, now=now)
    hand.deadline = hand.calendar = None
    if missing := [other for other in selectors.missing_hands(turn) if other.pk != hand.pk]:
        turn.deadline = _latest([selectors.deadline_of(turn=turn, hand=other) for other in missing])
    return True


def bank_left(*, game: Game, turn: Turn, hand: Hand, seat: Seat, now: datetime) -> timedelta | None:
    """Return the time that would be left in a player's time bank if their clock stopped now.

    Returns None if there is no time bank.
    """
    pace = stored.pace_of(game)
    if hand.deadline is None or not isinstance(pace, Bank) or seat.bank is None:
        return seat.bank
    run = stored.clock_of(hand, start=turn.opened_at, until=hand.deadline)
    spent = clock.used(run.whole, turn.opened_at, now)
    return clock.bank_after(pace, seat.bank, spent, short=seat.short_clock > 0)


def pause_clocks(*, turn: Turn, hands: Iterable[Hand], pause: Span, reason: str) -> list[Hand]:
    """Stop the clocks of hands during a pause. Return the hands whose deadlines changed.

    The caller must hold the lock on the game's row. The pause replaces an earlier one with the same reason
    and start (`clock.Clock.stopped`). Hands without a deadline do not change. Reminders that were already
    sent are not sent again.
    """
    changed = []
    for hand in hands:
        until = selectors.deadline_of(turn=turn, hand=hand)
        if until is None:
            continue
        before = stored.clock_of(hand, start=turn.opened_at, until=until)
        after = before.stopped(pause, reason)
        if after == before:
            continue
        hand.deadline, hand.calendar = after.until, stored.write_clock(after)
        if hand.remind_at is not None:
            hand.remind_at = when_to_remind(turn=turn, hand=hand)
        changed.append(hand)
    if changed:
        Hand.objects.bulk_update(changed, ["deadline", "calendar", "remind_at"])
        _settle(turn, selectors.missing_hands(turn))
    return changed


def pause_all_clocks(*, game: Game, pause: Span, reason: str) -> list[Hand]:
    """Stop all clocks of a game's open turn during a pause. Return the hands whose deadlines changed.

    The caller must hold the lock on the game's row.
    """
    turn = game.turns.filter(status=Turn.Status.OPEN).first()
    if turn is None:
        return []
    turn.game = game
    return pause_clocks(turn=turn, hands=selectors.missing_hands(turn), pause=pause, reason=reason)


def stop_clocks(*, game: Game) -> None:
    """Remove all deadlines of a game that ends early."""
    Hand.objects.filter(turn__game=game, deadline__isnull=False).update(deadline=None, calendar=None)
    game.turns.filter(status=Turn.Status.OPEN).update(deadline=None)


def _settle(turn: Turn, missing: Iterable[Hand]) -> None:
    latest = _latest([selectors.deadline_of(turn=turn, hand=hand) for hand in missing])
    if latest != turn.deadline:
        turn.deadline = latest
        turn.save(update_fields=["deadline"])


def _latest(deadlines: list[datetime | None]) -> datetime | None:
    """Return the latest of several deadlines, or None if one of them is None."""
    limited = [deadline for deadline in deadlines if deadline is not None]
    return max(limited) if limited and len(limited) == len(deadlines) else None


MAX_PAUSE: Final = 28 * clock.DAY
"""The maximum time from now to the end of a pause."""


def pause_game(*, game: Game, until: datetime, now: datetime) -> None:
    """Pause a running game until the given time. The caller must hold the lock on the game's row.

    If the game is already paused, this changes the end of the pause. Deadlines are moved at once, by the
    length of the pause, so nothing needs to run when it ends. Raises Conflict if the game is not running or
    has no clocks, and Invalid if the pause ends in the past or is too long.
    """
    _check_running(game)
    if stored.pace_of(game) is None:
        raise Conflict("no-clocks", _("This game has no time limit, so there are no clocks to stop."))
    if not now < until <= now + MAX_PAUSE:
        detail = _("A pause must end in the future, and can last up to {days} days.").format(
            days=MAX_PAUSE.days
        )
        raise Invalid("no-pause", detail, [{"code": "until", "detail": detail}])
    begun = game.paused_at if selectors.is_paused(game=game, now=now) else now
    _pause(game, begun or now, until)


def resume_game(*, game: Game, now: datetime) -> None:
    """End the pause of a game now. The caller must hold the lock on the game's row.

    Deadlines become earlier by the remaining time of the pause. Raises Conflict if the game is not running or
    not paused.
    """
    _check_running(game)
    if not selectors.is_paused(game=game, now=now) or game.paused_at is None:
        raise Conflict("not-paused", _("This game is not paused."))
    _pause(game, game.paused_at, now)
    turn = game.turns.filter(status=Turn.Status.OPEN, deadline__lte=now + enqueue.MESSAGE_HORIZON).first()
    if turn is not None and turn.deadline is not None:
        enqueue.keep_deadline(turn.pk, deadline=turn.deadline, now=now)


def _pause(game: Game, begun: datetime, until: datetime) -> None:
    pause_all_clocks(game=game, pause=Span(begun, until), reason=selectors.PAUSE_REASON)
    over = until <= begun
    game.paused_at, game.paused_until = (None, None) if over else (begun, until)
    game.save(update_fields=["paused_at", "paused_until"])
    live.announce_change(game)


def _check_running(game: Game) -> None:
    if game.status != Game.Status.RUNNING:
        raise Conflict("not-running", _("Only running games can be paused."))


def extend_by_vacation(*, turn: Turn, hands: Iterable[Hand], now: datetime) -> None:
    """Extend the deadlines of players on vacation. The caller must hold the lock on the game's row.

    A player's clock stops on vacation days that the player has already spent. If a player's time is up, this
    function spends another of their vacation days, if they have one left and either planned a vacation or
    allow automatic vacation. The other players get a notification. The late player gets one only if the day
    was not planned.
    """
    game = turn.game
    if game.mission_id is not None or not allows_vacation(stored.pace_of(game)):
        return
    by_person = {hand.seat.user: hand for hand in hands if hand.seat and hand.seat.user}
    _rest_on_days_spent(turn, by_person)
    late = [user for user, hand in by_person.items() if _is_late(turn, hand, now)]
    for user in sorted(late, key=lambda person: person.pk):  # a fixed order avoids deadlocks
        rest = lock_rest(user)
        hand = by_person[user]
        _rest_on_days_spent(turn, {user: hand})
        before, unplanned = hand.deadline, False
        while _is_late(turn, hand, now):
            day = _spend(user, rest, selectors.deadline_of(turn=turn, hand=hand) or now)
            if day is None:
                break
            unplanned = unplanned or not day.planned
            pause_clocks(turn=turn, hands=[hand], pause=span_of(day), reason=VACATION_REASON)
        if unplanned:
            notify_once(users=[user], kind="day-taken", game=game, again=FINAL_STATUSES, now=now)
        if hand.deadline != before and not _is_late(turn, hand, now):
            _notify_others(game, turn, hand, user, now)


def _rest_on_days_spent(turn: Turn, by_person: dict[User, Hand]) -> None:
    spent = VacationDay.objects.filter(user__in=by_person, began_at__gt=turn.opened_at - DAY)
    for day in spent.select_related("user"):
        pause_clocks(turn=turn, hands=[by_person[day.user]], pause=span_of(day), reason=VACATION_REASON)


def _is_late(turn: Turn, hand: Hand, now: datetime) -> bool:
    until = selectors.deadline_of(turn=turn, hand=hand)
    return until is not None and until <= now


def _spend(user: User, rest: Rest, at: datetime) -> VacationDay | None:
    """Spend one of a player's vacation days. The day starts at the time ``at``.

    Returns the day, or None if the player cannot spend one.

    The caller must hold the lock on the player's `Rest` row.
    """
    planned = planned_on(user=user, now=at)
    by_itself = rest.takes_vacation and days_taken_lately(user=user, now=at) < UNPLANNED_DAYS_PER_WEEK
    if not user.is_active or not (planned or by_itself) or not days_left(user=user, now=at):
        return None
    return VacationDay.objects.create(user=user, began_at=at, planned=planned)


def _notify_others(game: Game, turn: Turn, hand: Hand, user: User, now: datetime) -> None:
    """Notify the other players that a player is on vacation, at most once in each turn."""
    name = hand.seat.robo_name if hand.seat else user.robo_name
    add_entry(game=game, by=None, kind="vacation", player=name, now=now)
    notified = Notice.objects.filter(game=game, turn=turn.number, kind="away").values("user")
    others = User.objects.filter(seats__game=game).exclude(pk=user.pk).exclude(pk__in=notified)
    notify(users=others, kind="away", game=game, turn=turn.number, now=now)


def extend_deadlines(*, turn: Turn, hands: Iterable[Hand], now: datetime) -> None:
    """Extend the deadlines of hands for outages and vacation days that have not been added yet.

    Call this before you treat a player as late. The caller must hold the lock on the game's row, and the
    hands must have no orders.
    """
    hands = list(hands)
    for outage in outages_since(since=turn.opened_at, now=now):
        pause_clocks(turn=turn, hands=hands, pause=outage, reason=OUTAGE_REASON)
    extend_by_vacation(turn=turn, hands=hands, now=now)


logger = logging.getLogger(__name__)

GAMES_PER_PASS: Final = 1000
"""The maximum number of games that one pass of `return_outage_time` changes."""

MIN_NOTIFIED_OUTAGE: Final = clock.HOUR
"""The minimum length of an outage about which players get a notification. Pages show every outage."""


def record_heartbeat(*, now: datetime) -> None:
    """Record that the sweeper, the process for periodic work, has run.

    If it had not run for `OUTAGE_AFTER`, record an outage.
    """
    with transaction.atomic():
        heart, _ = Heartbeat.objects.select_for_update().get_or_create(pk=1, defaults={"at": now})
        if now - heart.at > OUTAGE_AFTER:
            Outage.objects.create(began_at=heart.at, ended_at=now)
            away = round((now - heart.at).total_seconds())
            logger.warning("The service was away for %d s: players get the time back", away)
        if heart.at > now + selectors.MAX_CLOCK_ERROR:
            logger.warning("The last sweep seems to be in the future: a clock was wrong, or is")
            heart.at = now
        heart.at = max(heart.at, now)
        heart.save(update_fields=["at"])


def return_outage_time(*, now: datetime) -> int:
    """Extend deadlines by the length of outages, nearest deadlines first. Return the number of games changed.

    Players lose nothing if this runs late, because `extend_deadlines` runs before a player counts as late. A
    player gets one notification about a long outage, even if several of their games get more time. The
    notification names the game with the nearest deadline.
    """
    outages = list(Outage.objects.filter(settled_at=None))
    owed = reduce(
        or_, (Q(pk__in=_hands_to_extend(outage).values("turn__game")) for outage in outages), Q(pk__in=())
    )
    hands = Hand.objects.filter(turn__game=OuterRef("pk"), turn__status=Turn.Status.OPEN)
    nearest = hands.filter(deadline__isnull=False).order_by("deadline").values("deadline")[:1]
    games = Game.objects.filter(owed).alias(nearest=Subquery(nearest)).order_by("nearest", "pk")
    given = for_each_row(
        "outages",
        games,
        lambda game_id: _give_back(game_id, outages, now),
        most=GAMES_PER_PASS,
        now=now,
        game="pk",
    )
    for outage in outages:
        if not given and not _hands_to_extend(outage).exists():
            Outage.objects.filter(pk=outage.pk).update(settled_at=now)
    return given


def _give_back(game_id: int, outages: Iterable[Outage], now: datetime) -> bool:
    game = locked_game(game_id)
    for outage in outages:
        if _hands_to_extend(outage).filter(turn__game=game_id).exists():
            _give_back_in(game, outage, now)
    return True


def _hands_to_extend(outage: Outage) -> QuerySet[Hand]:
    """Return the hands whose deadlines have not yet been extended for an outage."""
    running = Hand.objects.filter(
        deadline__gt=outage.began_at,
        turn__opened_at__lt=outage.ended_at,
        turn__status=Turn.Status.OPEN,
        turn__game__status=Game.Status.RUNNING,
    )
    known = [
        {"from": outage.began_at.isoformat(), "until": outage.ended_at.isoformat(), "reason": OUTAGE_REASON}
    ]
    extended = running.filter(calendar__stops__contains=known).values("pk")
    return running.exclude(pk__in=extended)


def _give_back_in(game: Game, outage: Outage, now: datetime) -> None:
    turn = game.turns.get(status=Turn.Status.OPEN)
    changed = pause_all_clocks(game=game, pause=Span(outage.began_at, outage.ended_at), reason=OUTAGE_REASON)
    add_entry(game=game, by=None, kind="outage", now=now)
    if outage.ended_at - outage.began_at < MIN_NOTIFIED_OUTAGE or game.is_practice:
        return
    people = [hand.seat.user for hand in changed if hand.seat and hand.seat.user]
    notices = Notice.objects.filter(user__in=people, kind="outage")
    knowing = {
        *notices.filter(created_at__gte=outage.ended_at).values_list("user", flat=True),
        *notices.filter(game=game, turn=turn.number).values_list("user", flat=True),
    }
    notify(
        users=[person for person in people if person.pk not in knowing],
        kind="outage",
        game=game,
        turn=turn.number,
        now=now,
    )


class Reminder(NamedTuple):
    """A planned reminder of missing orders.

    ``step`` is the number of hours before the deadline that the player chose, or None for the usual reminder.
    """

    at: datetime
    step: int | None


def reminders_of(*, turn: Turn, hand: Hand) -> list[Reminder]:
    """Return the planned reminders about a hand's missing orders, in order of time.

    These are the steps that the player chose, or else the usual reminder. If the night moves a longer step
    to the time of a shorter one, or after it, the longer one is left out. Computers, and players in missions
    and test flights, get no reminders.
    """
    seat = hand.seat
    if seat is None or seat.user is None or turn.game.is_practice:
        return []
    deadline, zone = selectors.deadline_of(turn=turn, hand=hand), zone_of(seat.user.time_zone)
    sleep = stored.calendar_of(hand).night
    given = partial(reminder_at, opened=turn.opened_at, deadline=deadline, zone=zone, sleep=sleep)
    steps: list[int | None] = [*sorted(seat.user.reminder_hours)] or [None]
    planned: list[Reminder] = []
    for step in steps:
        at = given(step=step)
        if at is not None and (not planned or at < planned[-1].at):
            planned.append(Reminder(at, step))
    return planned[::-1]


def when_to_remind(*, turn: Turn, hand: Hand) -> datetime | None:
    """Return the time of the first reminder about a hand's missing orders, or None for no reminder."""
    return next((each.at for each in reminders_of(turn=turn, hand=hand)), None)


def when_to_send(*, turn: Turn, hand: Hand, step: int | None, now: datetime) -> datetime | None:
    """Return the time to send a due reminder, or None to send no reminder.

    The sweeper may be late, or the deadline may have moved since the reminder was planned. A reminder that is
    due at night waits for the morning. It is dropped if too little time remains before the deadline.
    """
    planned = next((each.at for each in reminders_of(turn=turn, hand=hand) if each.step == step), None)
    deadline = selectors.deadline_of(turn=turn, hand=hand)
    if planned is None or deadline is None or hand.seat is None or hand.seat.user is None:
        return None
    at = morning_after(max(planned, now), zone_of(hand.seat.user.time_zone), stored.calendar_of(hand).night)
    return at if at is not None and at <= deadline - SHORTEST_LEAD else None


HANDS_PER_PASS: Final = 500
"""The maximum number of hands that one pass of `send_reminders` handles."""


def send_reminders(*, now: datetime) -> int:
    """Send due reminders to players whose orders are missing. Return the number of reminders.

    If a deadline has moved, its reminders move too. If several are due, only the last one is sent.
    """
    due = Hand.objects.filter(remind_at__lte=now).order_by("remind_at", "pk")
    return for_each_row(
        "reminders",
        due,
        lambda hand_id: _remind(hand_id, now),
        most=HANDS_PER_PASS,
        now=now,
        game="turn__game_id",
    )


def _remind(hand_id: int, now: datetime) -> bool:
    rows = Hand.objects.select_for_update(skip_locked=True, no_key=True, of=("self",))
    hand = rows.select_related("turn__game", "seat__user").filter(pk=hand_id, remind_at__lte=now).first()
    if hand is None:
        return False
    hand.remind_at, reminded = None, False
    if _is_waiting(hand, now) and hand.seat and hand.seat.user:
        planned = _reminders_ahead(hand, hand.seat.user)
        hand.remind_at = next((each.at for each in planned if each.at > now), None)
        if due := [each for each in planned if each.at <= now]:
            kind, turn = reminder_kind(due[-1].step), hand.turn
            sent = notify(users=[hand.seat.user], kind=kind, game=turn.game, turn=turn.number, now=now)
            reminded = bool(sent)
    hand.save(update_fields=["remind_at"])
    return reminded


def _reminders_ahead(hand: Hand, user: User) -> list[Reminder]:
    """Return the planned reminders of a hand. Leave out reminders that were already sent."""
    notices = Notice.objects.filter(game=hand.turn.game_id, turn=hand.turn.number, user=user)
    sent = {*notices.values_list("kind", flat=True)}
    planned = reminders_of(turn=hand.turn, hand=hand)
    return [each for each in planned if reminder_kind(each.step) not in sent]


def _is_waiting(hand: Hand, now: datetime) -> bool:
    """Return whether the orders for a hand are still missing and its deadline is still ahead."""
    turn = hand.turn
    if turn.status != Turn.Status.OPEN or turn.game.status != Game.Status.RUNNING or hand.seat_id is None:
        return False
    deadline = selectors.deadline_of(turn=turn, hand=hand)
    return deadline is not None and deadline > now and selectors.program_of(hand) is None
