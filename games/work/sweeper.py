"""The sweeper: find what is due and was not done. Messages get lost, workers die, deadlines pass."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from time import process_time
from typing import Any, Final, NamedTuple

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet

from accounts.sessions import forget_traces
from games.absence.missed_turns import play_absent, play_overdue
from games.clocks import machine_clock
from games.clocks.machine_clock import Machine
from games.clocks.selectors import since_when
from games.competitions.services.ladders import rest_idle, settle_ladder_games
from games.competitions.services.matching import match_tickets
from games.competitions.services.rounds import advance_tournaments
from games.competitions.services.scoring import score_tables, score_unreadable
from games.competitions.services.seasons import turn_seasons
from games.dock.reviews import release_reviews
from games.dock.services import REMINDERS, look_after_bays, remind_committee, watch_committee
from games.fleet.figures import choose_ship_of_the_week, count_games
from games.fleet.services import update_facts
from games.lobby.services import expire_lobbies
from games.moderation.services.decisions import carry_names
from games.moderation.services.reports import forget_reports
from games.news import delivery
from games.news.channels import CHANNELS
from games.news.models import Notice
from games.people.models import ApiToken
from games.people.services.deletion import forget_guests, forget_sign_ups, to_go_on_with
from games.play.computers import play_computers
from games.play.deadlines import beat, give_time_back, remind
from games.play.heads import fill_gaps
from games.play.models import Hand, Turn
from games.play.resolution import ATTEMPTS
from games.play.selectors import turns_under_way
from games.shipyard.flying import to_fly
from games.shipyard.suggestions import to_search
from games.staff.services import watch_turns
from games.standings.services import apply_results, close_months, count_months, unlist_idle
from games.votes.services import close_due_votes
from games.work import enqueue, jobs
from games.work.jobs import Job

SHARE: Final = 1.0
"""Seconds of thinking about a turn after which a turn of another host goes first."""


def think_next(*, turn_id: int, now: datetime) -> bool:
    """Have computers think about the turn that is next by the fair order; return whether there was one.

    The message that asks for it names ``turn_id``, which another worker may have taken before.
    """
    for each, host in enqueue.take_turns(turn_id):
        began = process_time()
        done = think_about(turn_id=each, now=now)
        enqueue.note_spent(host, process_time() - began)
        if done:
            return True
    return False


def think_about(*, turn_id: int, now: datetime) -> bool:
    """Give the orders that computers owe for a turn, and those of players whose time is up.

    After the clock has jumped, no time counts as up. Returns whether any were owed.
    """
    given = play_computers(turn_id=turn_id, share=SHARE, now=now)
    if machine_clock.is_confirmed(process=now, machine=machine_clock.this_machine()):
        given += play_absent(turn_id=turn_id, now=now)
    return given > 0


AT_ONCE: Final = 1000
"""How many rows of a kind go in one pass; the next pass goes on."""


def purge_sessions(*, now: datetime) -> int:
    """Delete sessions that are over, and what is noted of where they were; return how many."""
    lasts = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    limit = since_when(period=lasts, now=now) + lasts
    over = Session.objects.filter(expire_date__lt=limit).order_by("expire_date")
    keys = list(over.values_list("pk", flat=True)[:AT_ONCE])
    with transaction.atomic():
        UserSession.objects.filter(session_key__in=keys).delete()
        return Session.objects.filter(pk__in=keys, expire_date__lt=limit).delete()[0]


def purge_tokens(*, now: datetime) -> int:
    """Delete tokens that open nothing any more; return how many."""
    over = ApiToken.objects.filter(expires_at__lte=now).order_by("expires_at")
    return ApiToken.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:AT_ONCE])).delete()[0]


OFFER_AGAIN = timedelta(seconds=45)
"""How long a message may take before the sweeper takes it for lost: see `docs/reliability.md`."""

MANY = 200
"""How many messages that wait in a queue tell that workers are behind, and that no message need be lost."""

OFFER_AGAIN_TO_THE_BUSY = timedelta(minutes=5)
"""How long a message may take while that many wait: more would hold up the workers even longer."""

OFFERED_PER_PASS = 2000
"""How much of a kind is offered in one pass; the next one goes on."""

CLOCKS: Final = "clocks"
"""The job that fails while the time of a worker is not confirmed."""

THINKING = timedelta(seconds=30)
"""How long computers may owe their orders before the sweeper asks for them once more."""


class Offers(NamedTuple):
    """How many turns and notifications a pass of the sweeper has offered to the workers.

    ``thoughts`` are turns for which computers owe orders.
    """

    turns: int
    notices: int
    thoughts: int


def sweep(*, now: datetime) -> Offers:
    """Run all jobs of the sweeper; return how much was offered to the workers."""
    done = jobs.run(JOBS, now=now)
    return Offers(done["turns"], done["notices"], done["computers"])


def sweep_by_clocks(*, process: datetime, database: datetime, machine: Machine | None) -> Offers | None:
    """Sweep if the time of this process is confirmed; otherwise only raise an alarm.

    With a wrong clock, rows would count as old, and turns as late.
    """

    def confirm(*, now: datetime) -> int:
        machine_clock.check(process=process, database=database, machine=machine)
        machine_clock.confirm(process=process, machine=machine)
        return 1

    confirmed = jobs.run([Job(CLOCKS, confirm)], now=database)[CLOCKS]
    return sweep(now=process) if confirmed else None


def _not_just_offered(task: str, now: datetime) -> Q:
    again_after = OFFER_AGAIN_TO_THE_BUSY if enqueue.waiting(task) >= MANY else OFFER_AGAIN
    # An offer that lies ahead was stamped by a clock that was wrong, and is no offer.
    return Q(offered_at=None) | Q(offered_at__lte=now - again_after) | Q(offered_at__gt=now + OFFER_AGAIN)


def offer_turns(*, now: datetime) -> int:
    """Offer turns that can be played: all their orders are in, or their time is up; return how many."""
    fresh = _not_just_offered(enqueue.RESOLVE_TURN, now)
    turns = turns_under_way().filter(attempts__lt=ATTEMPTS)
    # One after the other, since each has an index of its own.
    ready = turns.filter(fresh, ready_at__isnull=False).order_by("ready_at")
    # What was offered before its time was up was offered to computers, not to be resolved.
    late = turns.filter(fresh | Q(offered_at__lt=F("deadline")), ready_at=None, deadline__lte=now)
    return sum(_offer(due, enqueue.resolve_turn, now) for due in (ready, late.order_by("deadline")))


def offer_thoughts(*, now: datetime) -> int:
    """Offer turns for which computers owe orders; what is found to be owed nothing is not looked at again."""
    owing = Hand.objects.filter(turn=OuterRef("pk"), program=None).exclude(seat=None)
    with transaction.atomic():
        asking = (
            turns_under_way()
            .filter(
                Q(deadline=None) | Q(deadline__gt=now),
                _not_just_offered(enqueue.PLAY_COMPUTERS, now),
                asks_computers=True,
                ready_at=None,
                opened_at__lte=now - THINKING,
            )
            .exclude(pk__in=jobs.resting("computers", now=now))
        )
        held = _held(asking.order_by("opened_at"))
        # Read once they are held: anyone who gives a seat to a computer has it asked in the same transaction.
        turns = Turn.objects.filter(pk__in=held)
        asked = turns.filter(Exists(owing.exclude(seat__computer="")))
        hosts = dict(asked.values_list("pk", "game__host"))
        turns.exclude(pk__in=hosts).update(asks_computers=False)
        _hand_out(turns, list(hosts), lambda pk: enqueue.play_computers(pk, host=hosts[pk]), now)
    return len(hosts)


def offer_notifications(*, now: datetime) -> int:
    """Offer notifications that no worker is sending; return how many."""
    notices = Notice.free(now).filter(status=Notice.Status.PENDING).order_by("lease_until")
    offered = 0
    # Channel by channel, so that many of one leave room for those of the others.
    for channel in CHANNELS.values():
        # A lease that ran out after the last offer is news: it does not wait for the next.
        fresh = _not_just_offered(channel.task, now) | Q(offered_at__lt=F("lease_until"))
        send = partial(enqueue.send_notification, task=channel.task)
        offered += _offer(notices.filter(fresh, channel=channel.name), send, now)
    return offered


def offer_account_mail(*, now: datetime) -> int:
    """Offer mails about accounts that no worker is sending; return how many."""
    fresh = _not_just_offered(enqueue.SEND_ACCOUNT_MAIL, now) | Q(offered_at__lt=F("lease_until"))
    return _offer(delivery.waiting(now=now).filter(fresh), enqueue.send_account_mail, now)


def offer_deletions(*, now: datetime) -> int:
    """Offer deletions of accounts that have something left to do; return how many."""
    fresh = _not_just_offered(enqueue.ERASE, now)
    return _offer(to_go_on_with(now=now).filter(fresh), enqueue.erase, now)


def offer_runs(*, now: datetime) -> int:
    """Offer runs of the wind tunnel with flights that no worker flies, or that wait for a verdict."""
    return _offer(to_fly(now=now).filter(_not_just_offered(enqueue.FLY_RUN, now)), enqueue.fly_run, now)


def offer_suggestions(*, now: datetime) -> int:
    """Offer searches for starships that no worker goes on with."""
    fresh = _not_just_offered(enqueue.SUGGEST_SHIP, now)
    return _offer(to_search(now=now).filter(fresh), enqueue.suggest_ship, now)


def _offer(rows: QuerySet[Any], offer: Callable[[int], None], now: datetime) -> int:
    """Offer rows to the workers that no other pass holds, and stamp them; return how many."""
    with transaction.atomic():
        ids = _held(rows)
        _hand_out(rows.model._default_manager.all(), ids, offer, now)
    return len(ids)


def _held(rows: QuerySet[Any]) -> list[int]:
    """Return the numbers of the first of some rows, which are held from now on; others' are passed over."""
    held = rows.select_for_update(skip_locked=True, of=("self",)).only("pk")[:OFFERED_PER_PASS]
    return [row.pk for row in held]


def _hand_out(rows: QuerySet[Any], ids: list[int], offer: Callable[[int], None], now: datetime) -> None:
    """Stamp rows that are held as offered, and offer them once they are free again."""
    rows.filter(pk__in=ids).update(offered_at=now)
    for row_id in ids:
        offer(row_id)


JOBS: Final = (
    # An outage is known, and given back, before any player's time counts as up.
    Job("heartbeat", beat),
    Job("outages", give_time_back),
    # What brings games on comes first.
    Job("turns", offer_turns),
    Job("overdue players", play_overdue),
    Job("computers", offer_thoughts),
    Job("held notices", delivery.release_held),
    Job("deadly notices", delivery.give_up_on_the_deadly),
    Job("notices", offer_notifications),
    Job("expired account mail", delivery.give_up_expired),
    Job("account mail", offer_account_mail),
    Job(delivery.MAIL_JOB, delivery.watch_mail),
    Job("alarms", watch_turns),
    # What may wait for the next pass comes after.
    Job("reminders", remind),
    Job("votes", close_due_votes),
    Job("deletions", offer_deletions),
    Job("tunnel", offer_runs),
    Job("reviews", release_reviews),
    Job("reports", forget_reports),
    Job("renamings", carry_names),
    Job("suggestions", offer_suggestions),
    Job("committee", watch_committee),
    Job(REMINDERS, remind_committee),
    Job("idle prototypes", look_after_bays),
    Job("starship facts", update_facts),
    Job("results", apply_results),
    Job("idle ratings", unlist_idle),
    Job("months", count_months),
    Job("awards", close_months),
    Job("starship figures", count_games),
    Job("ship of the week", choose_ship_of_the_week),
    Job("matching", match_tickets),
    Job("seasons", turn_seasons),
    Job("ladder games", settle_ladder_games),
    Job("ladder rests", rest_idle),
    Job("tables", score_tables),
    Job("tournaments", advance_tournaments),
    Job("unreadable tables", score_unreadable),
    Job("lobbies", expire_lobbies),
    Job("guests", forget_guests),
    Job("sign-ups", forget_sign_ups),
    Job("heads", fill_gaps),
    Job("receivers", delivery.forget_receivers),
    Job("sessions", purge_sessions),
    Job("tokens", purge_tokens),
    Job("traces", forget_traces),
)
"""All jobs of the sweeper, in the order in which they run; each must be short, and may fail alone.

A job that goes through rows uses `jobs.each`, so that a bad row holds up no other.
"""
