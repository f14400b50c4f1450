"""The sweeper: regularly finds and starts due work, to make up for lost messages and dead workers."""

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

from accounts.admission import forget_origins
from accounts.mail import forget_mail_records
from accounts.rights import end_locks
from accounts.sessions import delete_expired_traces
from games.absence.missed_turns import play_overdue, play_overdue_of_turn
from games.absence.sitters import end_sittings, notify_sitters
from games.admission.services import removals_to_continue
from games.analysis.reviewing import analyses_to_continue
from games.clocks import machine_clock
from games.clocks.machine_clock import Machine
from games.clocks.maintenance import in_maintenance, record_maintenance
from games.clocks.selectors import since_when
from games.clubs.services import forget_invitations
from games.competitions.services.ladders import rest_idle, settle_ladder_games
from games.competitions.services.matching import match_tickets
from games.competitions.services.rounds import advance_tournaments
from games.competitions.services.scoring import score_tables, score_unreadable
from games.competitions.services.seasons import advance_seasons
from games.daily.services import offer_missing_run
from games.dock.reviews import release_reviews
from games.dock.services import REMINDERS_JOB, check_committee, check_idle_prototypes, remind_committee
from games.fleet.figures import choose_ship_of_the_week, count_games
from games.fleet.services import update_facts
from games.groups.announcements import announce_deadlines, forget_announcements
from games.groups.delivery import channels_to_post
from games.lobby.services import expire_lobbies
from games.moderation.services.decisions import rename_in_games
from games.moderation.services.reports import forget_reports
from games.news import delivery
from games.news.channels import CHANNELS
from games.news.models import Notice
from games.people.models import ApiToken
from games.people.services.deletion import deletions_to_continue, forget_guests, forget_sign_ups
from games.play.computers import play_computers
from games.play.deadlines import record_heartbeat, return_outage_time, send_reminders
from games.play.heads import fill_missing_heads
from games.play.models import Hand, Turn
from games.play.resolution import MAX_ATTEMPTS
from games.play.selectors import turns_under_way
from games.puzzles.mining import offer_ended_games
from games.sharing.clips import clips_to_make, forget_clips
from games.shipyard.flying import runs_to_fly
from games.shipyard.suggestions import searches_to_continue
from games.staff.errors import forget_old
from games.staff.services import watch_turns
from games.standings.services import apply_results, close_months, count_months, unlist_idle
from games.votes.services import close_due_votes
from games.work import enqueue, jobs
from games.work.jobs import Job

THINKING_SHARE: Final = 1.0
"""The maximum time, in seconds, that computers think about a turn before other hosts' turns come first."""


def think_next(*, turn_id: int, now: datetime) -> bool:
    """Run computers for turns from the queue until one of them submits orders. Return whether one did.

    The queue is fair to the hosts of games.

    ``turn_id`` is the turn in the message. Another worker may have taken that turn already.
    """
    for each, host in enqueue.take_turns(turn_id):
        began = process_time()
        done = think_about(turn_id=each, now=now)
        enqueue.charge_host(host, process_time() - began)
        if done:
            return True
    return False


def think_about(*, turn_id: int, now: datetime) -> bool:
    """Submit the missing orders of a turn's computers and late players. Return whether any were submitted.

    If this machine's clock has jumped, no player counts as late.
    """
    given = play_computers(turn_id=turn_id, share=THINKING_SHARE, now=now)
    if machine_clock.is_confirmed(process=now, machine=machine_clock.this_machine()):
        given += play_overdue_of_turn(turn_id=turn_id, now=now)
    return given > 0


ROWS_PER_PASS: Final = 1000
"""The maximum number of sessions, or of tokens, to delete in one pass. The next pass continues."""


def purge_sessions(*, now: datetime) -> int:
    """Delete expired sessions, and the data about their browsers. Return the number of sessions."""
    lasts = timedelta(seconds=settings.SESSION_COOKIE_AGE)
    limit = since_when(period=lasts, now=now) + lasts
    over = Session.objects.filter(expire_date__lt=limit).order_by("expire_date")
    keys = list(over.values_list("pk", flat=True)[:ROWS_PER_PASS])
    with transaction.atomic():
        UserSession.objects.filter(session_key__in=keys).delete()
        return Session.objects.filter(pk__in=keys, expire_date__lt=limit).delete()[0]


def purge_tokens(*, now: datetime) -> int:
    """Delete expired API tokens. Return the number of tokens."""
    over = ApiToken.objects.filter(expires_at__lte=now).order_by("expires_at")
    return ApiToken.objects.filter(pk__in=list(over.values_list("pk", flat=True)[:ROWS_PER_PASS])).delete()[0]


OFFER_AGAIN_AFTER = timedelta(seconds=45)
"""The time after which an unprocessed message to the workers counts as lost (see `docs/reliability.md`)."""

BUSY_QUEUE = 200
"""The minimum number of messages in a queue that shows that its workers are busy.

If workers are busy, a message can wait for a long time without being lost.
"""

OFFER_AGAIN_IF_BUSY = timedelta(minutes=5)
"""The time after which an unprocessed message counts as lost if the workers are busy.

It is long, because more messages would delay busy workers even more.
"""

OFFERED_PER_PASS = 2000
"""The maximum number of rows that one job offers to workers in one pass. The next pass continues."""

CLOCKS_JOB: Final = "clocks"
"""The name of the job that checks a worker's clock. It fails until the clock is confirmed."""

THINKING_TIME = timedelta(seconds=30)
"""The time from the opening of a turn until the sweeper asks again for missing orders of computers."""


class Offers(NamedTuple):
    """The numbers of turns and notifications that one pass of the sweeper offered to workers.

    ``turns`` counts the turns that were due to be resolved, ``notices`` the notifications, and ``thoughts``
    the turns with missing orders of computers.
    """

    turns: int
    notices: int
    thoughts: int


def sweep(*, now: datetime) -> Offers:
    """Run all jobs of the sweeper. Return how many turns and notifications they offered to workers.

    During maintenance, only `CLOCK_JOBS` run, so that nothing happens because a time has come.
    """
    if in_maintenance(now):
        jobs.run(CLOCK_JOBS, now=now)
        return Offers(0, 0, 0)
    done = jobs.run(JOBS, now=now)
    return Offers(done["turns"], done["notices"], done["computers"])


def sweep_by_clocks(*, process: datetime, database: datetime, machine: Machine | None) -> Offers | None:
    """Sweep if the clock of this process is confirmed. Otherwise raise an alarm, and return None.

    If the clock were ahead, rows would look older than they are, and turns would look late.
    """

    def confirm(*, now: datetime) -> int:
        machine_clock.check(process=process, database=database, machine=machine)
        machine_clock.confirm(process=process, machine=machine)
        return 1

    confirmed = jobs.run([Job(CLOCKS_JOB, confirm)], now=database)[CLOCKS_JOB]
    return sweep(now=process) if confirmed else None


def _not_just_offered(task: str, now: datetime) -> Q:
    again_after = OFFER_AGAIN_IF_BUSY if enqueue.queue_length(task) >= BUSY_QUEUE else OFFER_AGAIN_AFTER
    # An offer in the future comes from a wrong clock, and does not count.
    return (
        Q(offered_at=None) | Q(offered_at__lte=now - again_after) | Q(offered_at__gt=now + OFFER_AGAIN_AFTER)
    )


def offer_turns(*, now: datetime) -> int:
    """Offer turns to workers if all orders are in or time is up. Return the number of turns."""
    fresh = _not_just_offered(enqueue.RESOLVE_TURN, now)
    turns = turns_under_way().filter(attempts__lt=MAX_ATTEMPTS)
    # Two queries, since each has its own index.
    ready = turns.filter(fresh, ready_at__isnull=False).order_by("ready_at")
    # An offer before the deadline went to computers, not to be resolved.
    late = turns.filter(fresh | Q(offered_at__lt=F("deadline")), ready_at=None, deadline__lte=now)
    return sum(_offer(due, enqueue.resolve_turn, now) for due in (ready, late.order_by("deadline")))


def offer_thoughts(*, now: datetime) -> int:
    """Offer turns to workers if computers' orders are missing. Return the number of offered turns.

    If no computer's orders are missing, ``asks_computers`` becomes False, so that later passes skip the turn.
    """
    owing = Hand.objects.filter(turn=OuterRef("pk"), program=None).exclude(seat=None)
    with transaction.atomic():
        asking = (
            turns_under_way()
            .filter(
                Q(deadline=None) | Q(deadline__gt=now),
                _not_just_offered(enqueue.PLAY_COMPUTERS, now),
                asks_computers=True,
                ready_at=None,
                opened_at__lte=now - THINKING_TIME,
            )
            .exclude(pk__in=jobs.rows_set_aside("computers", now=now))
        )
        held = _locked(asking.order_by("opened_at"))
        # Read under the lock: giving a seat to a computer sets `asks_computers` in the same transaction.
        turns = Turn.objects.filter(pk__in=held)
        asked = turns.filter(Exists(owing.exclude(seat__computer="")))
        hosts = dict(asked.values_list("pk", "game__host"))
        turns.exclude(pk__in=hosts).update(asks_computers=False)
        _stamp_and_offer(turns, list(hosts), lambda pk: enqueue.play_computers(pk, host=hosts[pk]), now)
    return len(hosts)


def offer_notifications(*, now: datetime) -> int:
    """Offer to workers the unsent notifications that no worker is sending. Return their number."""
    notices = Notice.free(now).filter(status=Notice.Status.PENDING).order_by("lease_until")
    offered = 0
    # Channel by channel, so that a full channel leaves room for the others.
    for channel in CHANNELS.values():
        # Offer a notification again at once if its worker's lease ended after the last offer.
        fresh = _not_just_offered(channel.task, now) | Q(offered_at__lt=F("lease_until"))
        send = partial(enqueue.send_notification, task=channel.task)
        offered += _offer(notices.filter(fresh, channel=channel.name), send, now)
    return offered


def offer_account_mail(*, now: datetime) -> int:
    """Offer to workers the unsent account emails that no worker is sending. Return their number."""
    fresh = _not_just_offered(enqueue.SEND_ACCOUNT_MAIL, now) | Q(offered_at__lt=F("lease_until"))
    return _offer(delivery.free_account_mails(now=now).filter(fresh), enqueue.send_account_mail, now)


def offer_announcements(*, now: datetime) -> int:
    """Offer to workers the group channels with waiting announcements. Return the number of channels."""
    fresh = _not_just_offered(enqueue.POST_ANNOUNCEMENTS, now) | Q(offered_at__lt=F("lease_until"))
    return _offer(channels_to_post(now=now).filter(fresh), enqueue.post_announcements, now)


def offer_deletions(*, now: datetime) -> int:
    """Offer unfinished account deletions to workers. Return the number of deletions."""
    fresh = _not_just_offered(enqueue.ERASE, now)
    return _offer(deletions_to_continue(now=now).filter(fresh), enqueue.erase, now)


def offer_removals(*, now: datetime) -> int:
    """Offer unfinished removals of waves to workers. Return the number of removals."""
    fresh = _not_just_offered(enqueue.REMOVE_WAVE, now)
    return _offer(removals_to_continue().filter(fresh), enqueue.remove_wave, now)


def offer_runs(*, now: datetime) -> int:
    """Offer unfinished wind tunnel runs to workers. Return the number of runs."""
    return _offer(runs_to_fly(now=now).filter(_not_just_offered(enqueue.FLY_RUN, now)), enqueue.fly_run, now)


def offer_suggestions(*, now: datetime) -> int:
    """Offer unfinished searches for starships to workers. Return the number of searches."""
    fresh = _not_just_offered(enqueue.SUGGEST_SHIP, now)
    return _offer(searches_to_continue(now=now).filter(fresh), enqueue.suggest_ship, now)


def offer_clips(*, now: datetime) -> int:
    """Offer unfinished clips to workers. Return the number of clips."""
    return _offer(
        clips_to_make(now=now).filter(_not_just_offered(enqueue.MAKE_CLIP, now)), enqueue.make_clip, now
    )


def offer_analyses(*, now: datetime) -> int:
    """Offer unfinished analyses of games to workers. Return the number of analyses."""
    fresh = _not_just_offered(enqueue.REVIEW_GAME, now)
    return _offer(analyses_to_continue(now=now).filter(fresh), enqueue.review_game, now)


def _offer(rows: QuerySet[Any], offer: Callable[[int], None], now: datetime) -> int:
    """Lock rows, set their ``offered_at`` to now, and offer them to workers. Return the number of rows.

    Rows that another transaction has locked are skipped.
    """
    with transaction.atomic():
        ids = _locked(rows)
        _stamp_and_offer(rows.model._default_manager.all(), ids, offer, now)
    return len(ids)


def _locked(rows: QuerySet[Any]) -> list[int]:
    """Lock the first `OFFERED_PER_PASS` of these rows, and return their IDs.

    Rows that another transaction has locked are skipped.
    """
    held = rows.select_for_update(skip_locked=True, of=("self",)).only("pk")[:OFFERED_PER_PASS]
    return [row.pk for row in held]


def _stamp_and_offer(
    rows: QuerySet[Any], ids: list[int], offer: Callable[[int], None], now: datetime
) -> None:
    """Set ``offered_at`` of locked rows to now, and offer the rows to workers after the commit."""
    rows.filter(pk__in=ids).update(offered_at=now)
    for row_id in ids:
        offer(row_id)


CLOCK_JOBS: Final = (Job("heartbeat", record_heartbeat), Job("maintenance", record_maintenance))
"""The jobs that know whether the service runs."""

JOBS: Final = (
    # First add the time of outages to deadlines, then look for missed deadlines.
    *CLOCK_JOBS,
    Job("outages", return_outage_time),
    # Next come the jobs that keep games running.
    Job("turns", offer_turns),
    Job("overdue players", play_overdue),
    Job("computers", offer_thoughts),
    Job("held notices", delivery.release_held),
    Job("deadly notices", delivery.give_up_interrupted),
    Job("notices", offer_notifications),
    Job("announcements", offer_announcements),
    Job("expired account mail", delivery.give_up_expired),
    Job("account mail", offer_account_mail),
    Job(delivery.MAIL_JOB, delivery.watch_mail),
    Job("alarms", watch_turns),
    # The rest may wait for the next pass.
    Job("reminders", send_reminders),
    Job("sittings", end_sittings),
    Job("sitters", notify_sitters),
    Job("near deadlines", announce_deadlines),
    Job("votes", close_due_votes),
    Job("deletions", offer_deletions),
    Job("removals", offer_removals),
    Job("tunnel", offer_runs),
    Job("reviews", release_reviews),
    Job("reports", forget_reports),
    Job("renamings", rename_in_games),
    Job("suggestions", offer_suggestions),
    Job("clips", offer_clips),
    Job("analyses", offer_analyses),
    Job("committee", check_committee),
    Job(REMINDERS_JOB, remind_committee),
    Job("idle prototypes", check_idle_prototypes),
    Job("starship facts", update_facts),
    Job("results", apply_results),
    Job("idle ratings", unlist_idle),
    Job("months", count_months),
    Job("awards", close_months),
    Job("starship figures", count_games),
    Job("ship of the week", choose_ship_of_the_week),
    Job("daily runs", offer_missing_run),
    Job("puzzles", offer_ended_games),
    Job("matching", match_tickets),
    Job("seasons", advance_seasons),
    Job("ladder games", settle_ladder_games),
    Job("ladder rests", rest_idle),
    Job("tables", score_tables),
    Job("tournaments", advance_tournaments),
    Job("unreadable tables", score_unreadable),
    Job("lobbies", expire_lobbies),
    Job("invitations to clubs", forget_invitations),
    Job("guests", forget_guests),
    Job("sign-ups", forget_sign_ups),
    Job("old announcements", forget_announcements),
    Job("old clips", forget_clips),
    Job("heads", fill_missing_heads),
    Job("receivers", delivery.forget_receivers),
    Job("sessions", purge_sessions),
    Job("tokens", purge_tokens),
    Job("traces", delete_expired_traces),
    Job("incidents and errors", forget_old),
    Job("locks of accounts", end_locks),
    Job("records of mail", forget_mail_records),
    Job("origins", forget_origins),
)
"""All jobs of the sweeper, in order. Each must be short, and may fail.

A job that handles rows one by one uses `jobs.for_each_row`, so that a row that fails does not block other
rows.
"""
