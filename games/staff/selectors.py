"""Count the work that waits for workers, find the last backups, and check the stored data of games."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import zip_longest
from typing import Annotated, Any, NamedTuple

from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Exists, Min, OuterRef, QuerySet, Value

import rules
from accounts.models import AccountMail
from games.clocks.models import Heartbeat
from games.errors import describe_error
from games.news.delivery import failing_server
from games.news.models import Notice
from games.people.models import Deletion
from games.play import stored
from games.play.heads import head_problems
from games.play.models import Game, Hand, Turn
from games.play.stored import PlayedHand, TurnRecord, turn_record
from games.staff.models import BackupRun, Incident, Watcher
from games.work import models
from games.work.models import Alarm

# --- Backlog ------------------------------------------------------------------------------------------------


class Backlog(NamedTuple):
    """The number of running games, and counts of work that is waiting or has failed."""

    games_running: Annotated[int, "Running games. Each has one turn that waits for players or a worker."]
    turns_ready: Annotated[int, "Turns with all orders that wait for a worker."]
    turns_thinking: Annotated[int, "Turns that wait for computers."]
    turns_overdue: Annotated[int, "Turns past their deadline."]
    alarms_open: Annotated[int, "Open alarms: turns not played in time, and failed jobs and rows."]
    jobs_failing: Annotated[int, "Sweeper jobs that failed as a whole in their last run."]
    rows_set_aside: Annotated[int, "Rows that a sweeper job set aside because they failed."]
    notices_pending: Annotated[int, "Notices waiting to be sent."]
    notices_failing: Annotated[int, "Waiting notices with failed attempts."]
    notices_held: Annotated[int, "Notices held for the daily email, or because the reader has the page open."]
    notices_given_up: Annotated[
        int, "Notices that were given up, except those refused by a player's webhook."
    ]
    account_mail_waiting: Annotated[int, "Emails about accounts waiting to be sent."]
    deletions_under_way: Annotated[int, "Deleted accounts that still have to be erased from games."]
    incidents_open: Annotated[int, "Incidents that are open: what the operator was told and is not over."]


def backlog(*, now: datetime) -> Backlog:
    return Backlog(**dict(counts(now)))


def counts(now: datetime) -> QuerySet[Any, tuple[str, int]]:
    first, *others = (_counted(name, rows) for name, rows in _rows(now))
    return first.union(*others, all=True)


def _rows(now: datetime) -> Iterator[tuple[str, QuerySet[Any]]]:
    turns = Turn.objects.filter(status=Turn.Status.OPEN, game__status=Game.Status.RUNNING)
    pending = Notice.objects.filter(status=Notice.Status.PENDING)
    yield "games_running", Game.objects.filter(status=Game.Status.RUNNING)
    yield "turns_ready", turns.filter(ready_at__isnull=False)
    owed = Hand.objects.filter(turn=OuterRef("pk"), program=None).exclude(seat__computer="")
    yield "turns_thinking", turns.filter(Exists(owed), asks_computers=True, ready_at=None)
    yield "turns_overdue", turns.filter(deadline__isnull=False, deadline__lte=now)
    alarms = Alarm.objects.filter(closed_at=None)
    yield "alarms_open", alarms
    yield "jobs_failing", alarms.filter(row=0).exclude(job="")
    yield "rows_set_aside", alarms.filter(row__gt=0)
    yield "notices_pending", pending
    yield "notices_failing", pending.filter(attempts__gt=0)
    yield "notices_held", Notice.objects.filter(status=Notice.Status.HELD)
    yield "notices_given_up", Notice.objects.filter(status=Notice.Status.GIVEN_UP)
    yield "account_mail_waiting", AccountMail.objects.all()
    yield "deletions_under_way", Deletion.objects.filter(done_at=None)
    yield "incidents_open", Incident.objects.filter(ended_at=None)


def _counted(name: str, rows: QuerySet[Any]) -> QuerySet[Any, Any]:
    named = rows.order_by().annotate(what=Value(name)).values("what")
    counted: QuerySet[Any, Any] = named.annotate(number=Count("*")).values_list("what", "number")
    return counted


# --- Ages ---------------------------------------------------------------------------------------------------


class Ages(NamedTuple):
    """Times since the last successful work of each kind, in seconds.

    If there was none yet, the time counts from the creation of the database.
    """

    sweep_age_seconds: Annotated[int, "Time since the last sweep."]
    watch_age_seconds: Annotated[int, "Time since the operator's watch last looked at the site."]
    backup_age_seconds: Annotated[int, "Time since the last good backup."]
    drill_age_seconds: Annotated[int, "Time since the last good restore drill."]
    drill_failed: Annotated[int, "Whether the last restore drill failed."]
    oldest_mail_seconds: Annotated[int, "Age of the oldest unsent email, or 0 if none waits."]
    mail_refused_seconds: Annotated[int, "Time since the mail server accepts no mail, or 0 if it does."]


def ages(*, now: datetime) -> Ages:

    def since(at: datetime | None) -> int:
        return max(0, round((now - (at or created_at() or now)).total_seconds()))

    backup, drill, tried = last_backup(ok=True), last_drill(ok=True), last_drill()
    server = failing_server(now=now)
    return Ages(
        sweep_age_seconds=since(Heartbeat.objects.values_list("at", flat=True).first()),
        watch_age_seconds=since(Watcher.objects.values_list("looked_at", flat=True).first()),
        backup_age_seconds=since(backup.started_at if backup else None),
        drill_age_seconds=since(drill.started_at if drill else None),
        drill_failed=int(tried is not None and not tried.ok),
        oldest_mail_seconds=since(oldest_mail() or now),
        mail_refused_seconds=since((server and server.failing_since) or now),
    )


def created_at() -> datetime | None:
    """Return the time when the database was created, or None if it has no migrations."""
    first: datetime | None = MigrationRecorder.Migration.objects.aggregate(first=Min("applied"))["first"]
    return first


def oldest_mail(*, untried: bool = False) -> datetime | None:
    """Return the time of the oldest email that is due and not sent yet, or None if all are sent.

    With ``untried``, count only emails that no worker has tried to send.
    """
    rows = (Notice.objects.filter(status=Notice.Status.PENDING, channel="mail"), AccountMail.objects.all())
    tries = {"attempts": 0} if untried else {}
    times = [each.filter(**tries).aggregate(first=Min("created_at"))["first"] for each in rows]
    return min((time for time in times if time), default=None)


# --- Backups ------------------------------------------------------------------------------------------------


def last_backup(*, ok: bool | None = None) -> BackupRun | None:
    """Return the backup that ended last. With ``ok``, count only good or only failed backups."""
    return last_run(BackupRun.Kind.BACKUP, ok=ok)


def last_drill(*, ok: bool | None = None) -> BackupRun | None:
    """Return the restore drill that ended last. With ``ok``, count only good or only failed drills."""
    return last_run(BackupRun.Kind.DRILL, ok=ok)


def last_run(kind: BackupRun.Kind, *, ok: bool | None = None) -> BackupRun | None:
    runs = BackupRun.objects.filter(kind=kind)
    if ok is not None:
        runs = runs.filter(ok=ok)
    return runs.order_by("-ended_at", "-pk").first()


# --- Soundness ----------------------------------------------------------------------------------------------


def faults_of(game: Game) -> Iterator[str]:
    """Yield a sentence for each contradiction and each unreadable value in a game's data.

    The caller must hold the game's row lock.

    The log must be complete, and must lead from the start of each turn to the end of that turn. From the end
    of a turn, the game's seed must produce the start of the next turn. If a hand was redrawn and the first
    hand was stored, the first hand is checked too. The game's heads, a chain of hashes, must match the log.
    Rows that belong to the game must not name another game.
    """
    yield from _faults_of_belonging(game)
    yield from unreadable("its pace", lambda: stored.pace_of(game))
    yield from unreadable("its terms for missed turns", lambda: stored.absence_of(game))
    for hand in Hand.objects.filter(turn__game=game).select_related("turn", "program", "draft").iterator(500):
        yield from (f"turn {hand.turn.number}: {fault}" for fault in _faults_of_hand(hand))
    try:
        setup = stored.setup_of(game)
    except Exception as error:
        yield f"its ruleset, options or board cannot be read ({describe_error(error)})"
        return
    turns = list(game.turns.order_by("number"))
    numbers = [turn.number for turn in turns]
    first = stored.first_turn(game)
    if game.turn is not None and numbers != list(range(first, game.turn + 1)):
        yield f"it should have turns {first} to {game.turn}, but has {len(numbers)} turns"
    under_way = [turn.number for turn in turns if _open(turn)]
    if game.status == Game.Status.RUNNING and under_way != [game.turn]:
        yield "it is running, but its last turn is not its only open turn"
    if game.status == Game.Status.OVER and not game.ending and under_way:
        yield "it is over, but a turn is open"
    if game.ending and under_way != [game.turn]:
        yield "it broke off, but its last turn is not its only open turn"
    in_heads: list[str] = []
    yield from unreadable("its heads", lambda: in_heads.extend(head_problems(game)))
    yield from in_heads
    seq = 0
    for turn, after in zip_longest(turns, turns[1:]):  # no turns before the game starts
        try:
            played = None if _open(turn) else turn_record(turn)
        except Exception as error:
            yield f"turn {turn.number}: it cannot be read ({describe_error(error)})"
            seq = turn.last_seq or seq
            continue
        if played is not None:
            if (first := played.first_seq) != seq + 1:
                yield f"turn {turn.number}: its log begins with entry {first} instead of {seq + 1}"
            seq = played.last_seq
            if turn.last_seq != seq:
                yield f"turn {turn.number}: its log ends with entry {seq} instead of {turn.last_seq}"
        found = _faults_of_turn(game, setup, turn, played, after)
        yield from (f"turn {turn.number}: {fault}" for fault in found)
    if seq != game.last_seq:
        yield f"its log has {seq} entries instead of {game.last_seq}"


def _faults_of_belonging(game: Game) -> Iterator[str]:
    for model, way in models.tables_of_games():
        for row, named in models.rows_of_wrong_game(model, way, game.pk).values_list("pk", "game"):
            yield f"{model._meta.model_name} {row} belongs to this game, but names game {named}"


def _faults_of_turn(
    game: Game, setup: rules.Setup, turn: Turn, played: TurnRecord | None, after: Turn | None
) -> Iterator[str]:
    if played is None:
        yield from unreadable("its start", lambda: stored.start_of(turn, setup.starship))
        return
    for hand in played.hands:
        yield from _faults_of_hand(hand)
    try:
        end = stored.end_in(played, setup.starship)
    except Exception as error:
        yield f"it cannot be read ({describe_error(error)})"
        return
    if after is None:
        return
    if end.over:
        yield "it ended the game, but another turn follows"
        return
    try:
        dealt = rules.deal(setup, end, game.seed)
        leads_on = dealt.state == stored.start_of(after, setup.starship)
    except Exception as error:
        yield f"what follows it cannot be read ({describe_error(error)})"
        return
    if not leads_on:
        yield "its end does not lead to the next turn"
    for following in _hands(after):
        if following.redealt is not None and not following.aside:
            continue
        first = [chip.number for chip in dealt.hands.get(following.robot - 1, ())]
        if first != _first_chips(following):
            yield f"the hand of robot {following.robot} in the next turn does not follow from the seed"


def _hands(turn: Turn) -> Iterable[Hand | PlayedHand]:
    """Return the hands of an open or played turn, or an empty collection if the turn is unreadable."""
    if _open(turn):
        return turn.hands.all()
    try:
        return turn_record(turn).hands
    except Exception:
        return ()


def _first_chips(hand: Hand | PlayedHand) -> object:
    """Return the chip numbers of a hand as first dealt, before any redraw. Return None if it is unreadable.

    `_faults_of_hand` reports unreadable hands.
    """
    try:
        aside = stored.aside_of(hand)
    except Exception:
        return None
    return [chip.number for chip in aside[0].chips] if aside else hand.chips.get("chips")


def unreadable(what: str, read: Callable[[], object]) -> Iterator[str]:
    """Call ``read``. If the call fails, yield a sentence with the reason.

    ``what`` names the value that is read.
    """
    try:
        read()
    except Exception as error:
        yield f"{what} cannot be read ({describe_error(error)})"


def _faults_of_hand(hand: Hand | PlayedHand) -> Iterator[str]:
    of_robot = f"of robot {hand.robot}"
    yield from unreadable(f"the hand {of_robot}", lambda: stored.chips_of(hand))
    yield from unreadable(f"the hands put aside {of_robot}", lambda: stored.aside_of(hand))
    if isinstance(hand, Hand):
        yield from unreadable(f"the calendar {of_robot}", lambda: stored.calendar_of(hand))
        yield from unreadable(f"the clock {of_robot}", lambda: stored.stops_of(hand))
        if hasattr(hand, "draft"):
            yield from unreadable(f"the draft {of_robot}", lambda: stored.plain_orders(hand.draft))
    program = getattr(hand, "program", None)
    if program is not None:
        yield from unreadable(f"the program {of_robot}", lambda: stored.orders_of(program))


def _open(turn: Turn) -> bool:
    return turn.status == Turn.Status.OPEN
