"""Create notifications, decide when to send them, and store people's settings.

A notification is written in the transaction of the event that it is about. After the commit, it is sent now,
later or never. That depends on the recipient's settings, and on whether the recipient has already seen the
event.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts import mail
from accounts.models import REMINDER_HOURS, ClosedAddress, Frequency, User
from accounts.settings import change_preferences
from accounts.time_zones import zone_of
from games import live
from games.errors import Conflict, Invalid, NotFound, refuse_guests
from games.news.channels import CHANNELS, Channel
from games.news.kinds import KINDS, Kind, kinds_of_starts, kinds_to_players
from games.news.models import SUBJECT_FORMAT, Notice, NoticeSubject
from games.news.timing import daily_after
from games.rights import Right, require
from games.work import enqueue
from roborunner.postgres.queries import Answer, Pipeline

if TYPE_CHECKING:
    from games.play.models import Game, Seat


class Recipient(TypedDict):
    """A person, and the name of a channel to reach them."""

    user: User
    channel: str


Reach = dict[str, Answer]
"""The people that each channel reaches, by the channel's name.

Channels that reach everyone are left out.
"""


def ask_reach(*, users: Iterable[User], pipeline: Pipeline) -> Reach:
    """Add queries to a pipeline, to find the people among ``users`` that each channel reaches."""
    people = [user.pk for user in users]
    return {each.name: pipeline.ask(each.receivers, people) for each in CHANNELS.values() if each.receivers}


def channels_of(*, users: Iterable[User], reach: Reach | None = None) -> list[Recipient]:
    """Return each person with each channel that reaches them.

    ``reach`` is the result of `ask_reach`, if it was called before. Guests are left out, as they have no
    address.
    """
    people = {user.pk: user for user in users if not user.is_guest}
    if not people:
        return []
    if reach is None:
        pipeline = Pipeline()
        reach = ask_reach(users=people.values(), pipeline=pipeline)
        pipeline.send()
    recipients = []
    for each in CHANNELS.values():
        reached = [row[0] for row in reach[each.name].rows] if each.receivers else people
        recipients += [Recipient(user=people[pk], channel=each.name) for pk in reached if pk in people]
    return recipients


def seats_with_own_frequency(*, user: User) -> "QuerySet[Seat]":
    """Return a person's seats in unfinished games with a separate mail frequency."""
    seats = user.seats.filter(game__status__in=["open", "running"])
    return seats.exclude(manner="").select_related("game").order_by("game__name", "pk")


RECHECK_AFTER: Final = timedelta(minutes=3)
"""The time between two checks whether a reader is still looking at the game."""


class Judgement(NamedTuple):
    """The decision about a notification: send it, hold it, or drop it.

    ``status`` is the new status of the `Notice`: PENDING to send it, HELD to hold it until ``until``, or a
    final status to drop it.
    """

    status: str
    until: datetime | None = None


SEND: Final = Judgement(Notice.Status.PENDING)
UNWANTED: Final = Judgement(Notice.Status.UNWANTED)
OUTDATED: Final = Judgement(Notice.Status.OUTDATED)


def judge(notice: Notice, now: datetime) -> Judgement:
    """Decide whether and when to send a notification.

    The caller must have claimed the notification or, for a daily email, locked the reader's row.
    """
    kind, channel, seat = KINDS[notice.kind], CHANNELS[notice.channel], notice.seat
    if notice.user and notice.user.silenced.count(kind.name):
        return UNWANTED
    if refused := channel.refused(notice, kind):
        return Judgement(refused)
    if notice.game_id is None:
        return _judge_without_game(notice, kind, channel, now)
    if not kind.to_players:
        return _judge_game_notice(notice, kind, channel, now)
    if seat is None or notice.user is None:
        return OUTDATED
    manner = channel.frequency_of(notice, kind)
    if not notice.user.is_active or manner == Frequency.NONE:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if manner == Frequency.DAILY:
        return _judge_daily(notice, kind, notice.user, now)
    at = kind.send_at(notice, now)
    if at is None:
        return OUTDATED
    if at > now:
        return Judgement(Notice.Status.HELD, at)
    if announced := _announcement(notice, channel, now):
        return announced
    if channel.waits_for_readers and is_looking(seat, now):
        return Judgement(Notice.Status.HELD, now + RECHECK_AFTER)
    return UNWANTED if manner == Frequency.ONE and _was_notified(notice, seat) else SEND


def _announcement(notice: Notice, channel: Channel, now: datetime) -> Judgement | None:
    """Decide about the first turn of a game if another notification to its reader announces it.

    The turn waits until the other notification is sent, and is dropped then. Return None if there is no other
    notification, or if it is not sent. Programs get both, because they look for the kind of a notification.
    """
    if notice.turn > 1 or not channel.waits_for_readers:
        return None
    of = {"game": notice.game_id, "user": notice.user_id, "channel": notice.channel}
    start = Notice.objects.filter(**of, kind__in=kinds_of_starts(), created_at=notice.created_at).first()
    if start is None:
        return None
    if start.status == Notice.Status.SENT:
        return OUTDATED
    waits = start.status not in FINAL_STATUSES and judge(start, now).status not in FINAL_STATUSES
    return Judgement(Notice.Status.HELD, now + RECHECK_AFTER) if waits else None


def is_looking(seat: "Seat", now: datetime) -> bool:
    """Return whether the player of a seat is looking at the game, or was a moment ago."""
    if seat.user_id is None:
        return False
    came = seat.visited_at is not None and seat.visited_at > now - live.VISIT_EXPIRY
    return came or live.is_active_viewer(game_id=seat.game_id, user_id=seat.user_id)


def _judge_game_notice(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Decide whether and when to send a notification about a game, for a kind without `Kind.to_players`.

    The frequency that players choose for their games does not apply to such kinds. If the channel waits for
    readers, the notification is held while the reader is looking at the game, and dropped if the reader has
    looked at the game since it was created, except if they asked for it. Otherwise, it is sent at its time.
    """
    user, seat = notice.user, notice.seat
    if user and not user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    at = kind.send_at(notice, now)
    if at is None:
        return OUTDATED
    if at > now:
        return Judgement(Notice.Status.HELD, at)
    if user is None or not channel.waits_for_readers:
        return SEND
    assert notice.game_id
    if live.is_active_viewer(game_id=notice.game_id, user_id=user.pk) or (seat and is_looking(seat, now)):
        return Judgement(Notice.Status.HELD, now + RECHECK_AFTER)
    return Judgement(Notice.Status.SEEN) if notice.came and not kind.requested else SEND


def _judge_without_game(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Decide whether and when to send a notification that is not about a game.

    Such a notification does not wait while the reader is on the site.
    """
    if notice.user and not notice.user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if notice.user and channel.frequency_of(notice, kind) == Frequency.DAILY:
        return _judge_daily(notice, kind, notice.user, now)
    at = kind.send_at(notice, now)
    if at is None:
        return OUTDATED
    return Judgement(Notice.Status.HELD, at) if at > now else SEND


def _judge_daily(notice: Notice, kind: Kind, user: User, now: datetime) -> Judgement:
    if kind.daily is None:
        return UNWANTED
    due = daily_after(after=notice.created_at, hour=user.daily_hour, zone=zone_of(user.time_zone))
    return SEND if due <= now else Judgement(Notice.Status.HELD, due)


def _was_notified(notice: Notice, seat: "Seat") -> bool:
    """Return whether a channel has notified a player since the player's last visit or last orders."""
    sent = Q(status=Notice.Status.SENT)
    if last := seat.last_active_at:
        sent &= Q(sent_at__gt=last)
    # If two notifications are sent at the same time, the earlier one counts, since it is claimed already.
    going = Q(status=Notice.Status.PENDING, attempts__gt=0, pk__lt=notice.pk)
    told = Notice.objects.filter(game=notice.game_id, user=notice.user_id, channel=notice.channel)
    started = Q(kind__in=kinds_of_starts(), created_at__gte=F("game__started_at"))
    return told.filter(sent | going, Q(kind__in=kinds_to_players()) | started).exists()


FINAL_STATUSES: Final = frozenset(Notice.Status) - {Notice.Status.PENDING, Notice.Status.HELD}
"""The statuses of notifications that need no further work."""


def people_in(game: "Game") -> list[User]:
    """Return the people in a game, in seat order."""
    return [seat.user for seat in game.players.select_related("user") if seat.user]


def notify(
    *,
    users: Iterable[User],
    kind: str,
    game: "Game",
    turn: int = 0,
    reach: Reach | None = None,
    pipeline: Pipeline | None = None,
    now: datetime,
) -> list[Notice]:
    """Create a notification about a game for each person and channel.

    The notifications are sent after the commit. Guests get none, as they have no address. If a player is
    looking at the game, the player's notification waits. ``reach`` is the result of `ask_reach`, if it was
    called before. If there is a ``pipeline``, the rows are written when the caller sends it.
    """
    notices = _new_notices(channels_of(users=users, reach=reach), kind, game, turn, now)
    if KINDS[kind].to_players:
        people = [notice.user_id for notice in notices if notice.user_id is not None]
        looking = live.active_viewers(game_id=game.pk, user_ids=people)
        for notice in notices:
            if notice.user_id in looking and CHANNELS[notice.channel].waits_for_readers:
                notice.status, notice.due_at = Notice.Status.HELD, now + RECHECK_AFTER
    return _store_and_queue(notices, pipeline)


def notify_address(
    *, email: str, kind: str, game: "Game | None" = None, about: int | None = None, now: datetime
) -> list[Notice]:
    """Create a notification about a game or a club for an email address without an account.

    Replaces unsent notifications of this kind about the game to the same address. ``about`` is the ID of a
    club: the address is notified once, unless the first notification was outdated before it was sent.
    """
    before = Notice.objects.filter(~Q(email=""), email=email, kind=kind, game=game, about=about)
    if about is None:
        before.exclude(status=Notice.Status.SENT).delete()
    else:
        before.filter(status=Notice.Status.OUTDATED).delete()
        if before.exists():
            return []
    of = {"kind": kind, "email": email, "game": game, "about": about, "turn": 0}
    return _store_and_queue([Notice(**of, created_at=now)])


def was_mailed(*, email: str, kind: str, game: "Game") -> bool:
    """Return whether an email of the given kind about a game was already sent to an address."""
    sent = Notice.objects.filter(status=Notice.Status.SENT)
    return sent.filter(email=email, kind=kind, game=game).exists()


def notify_about_game(*, users: Iterable[User], kind: str, game: "Game", now: datetime) -> list[Notice]:
    """Create a notification about a game, not about a turn, for each person.

    Replaces earlier notifications of this kind about the game to these people, except those about a turn.
    """
    people = list(users)
    Notice.objects.filter(game=game, turn=0, user__in=people, kind=kind).delete()
    return notify(users=people, kind=kind, game=game, now=now)


def notify_once(
    *, users: Iterable[User], kind: str, game: "Game", again: Iterable[str], now: datetime
) -> list[Notice]:
    """Create a notification about the current turn, once for each person and channel.

    The content of the notification is collected when it is sent. An existing notification about the turn
    is replaced only if its status is in ``again``. The caller must hold the game's row lock.
    """
    people, turn = list(users), game.turn or 0
    before = Notice.objects.filter(game=game, turn=turn, user__in=people, kind=kind)
    return _store_and_queue(_new_notices(_unnotified(people, before, again), kind, game, turn, now))


def schedule(*, user: User, kind: str, game: "Game", channel: str = "", now: datetime) -> list[Notice]:
    """Create a notification about the current turn for its `Kind.send_at`, by one channel or by all.

    Replaces earlier notifications of this kind about the turn by the same channels. If ``channel`` is empty,
    all channels that reach the person are used. Returns an empty list if the person's settings or bounced
    mail rule out all of them. The caller must hold the game's row lock.
    """
    reached = [each for each in channels_of(users=[user]) if channel in ("", each["channel"])]
    wanted = []
    for notice in _new_notices(reached, kind, game, game.turn or 0, now):
        notice.status, notice.due_at = judge(notice, now)
        if notice.status not in FINAL_STATUSES:
            wanted.append(notice)
    names = [notice.channel for notice in wanted]
    Notice.objects.filter(game=game, turn=game.turn or 0, user=user, kind=kind, channel__in=names).delete()
    return _store_and_queue(wanted)


def notify_about_starship(
    *, users: Iterable[User], kind: str, starship_id: int, about: int, now: datetime
) -> list[Notice]:
    """Create a notification about a starship for each active person.

    ``about`` identifies the event. Each person is notified once about an event, but again if the first
    notification was outdated before it was sent. The caller must hold a lock, so that no other process
    announces the event at the same time.
    """
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(starship=starship_id, about=about, user__in=people, kind=kind)
    recipients = _unnotified(people, before, [Notice.Status.OUTDATED])
    of = {"kind": kind, "starship_id": starship_id, "about": about, "turn": 0}
    return _store_and_queue([Notice(**of, **recipient, created_at=now) for recipient in recipients])


def notify_people(
    *, users: Iterable[User], kind: str, about: int, again_after: timedelta | None = None, now: datetime
) -> list[Notice]:
    """Create a notification about neither a game nor a starship, for each active person.

    ``about`` identifies the event. Each person is notified once about an event. With ``again_after``, they
    are notified again after this time, and if the first notification was outdated before it was sent.
    """
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(game=None, starship=None, about=about, user__in=people, kind=kind)
    if again_after:
        stale = Q(created_at__lte=now - again_after) | Q(status=Notice.Status.OUTDATED)
        before.filter(stale).delete()
    of = {"kind": kind, "about": about, "turn": 0}
    recipients = _unnotified(people, before, [])
    return _store_and_queue([Notice(**of, **recipient, created_at=now) for recipient in recipients])


def notify_with_subject(
    *, users: Iterable[User], kind: str, now: datetime, **parameters: str | int
) -> list[Notice]:
    """Create a notification for each active person, with a shared `NoticeSubject`.

    ``parameters`` are the names in the notification, such as the name of a club.
    """
    people = list(users)
    if not people:
        return []
    written = {"format": SUBJECT_FORMAT, **parameters}
    subject = NoticeSubject.objects.create(parameters=written, created_at=now)
    return notify_people(users=people, kind=kind, about=subject.pk, now=now)


def outdate(*, game_id: int, turn: int, kinds: Iterable[str], pipeline: Pipeline) -> None:
    """Add a statement to a pipeline, to drop held notifications of these ``kinds`` about a turn."""
    pipeline.ask(_OUTDATE, game_id, turn, [*kinds])


_OUTDATE: Final = f"""
UPDATE games_notice SET status = '{Notice.Status.OUTDATED}', due_at = NULL
    WHERE game_id = %s AND turn = %s AND kind = ANY(%s) AND status = '{Notice.Status.HELD}'
"""  # noqa: S608 - names of states


def _unnotified(people: list[User], before: QuerySet[Notice], again: Iterable[str]) -> list[Recipient]:
    """Return the recipients without an earlier notification.

    ``before`` are the earlier notifications. Notifications with a status in ``again`` are deleted first, so
    that they are sent again.
    """
    before.filter(status__in=again).delete()
    notified = set(before.values_list("user", "channel"))
    return [
        recipient
        for recipient in channels_of(users=people)
        if (recipient["user"].pk, recipient["channel"]) not in notified
    ]


def _new_notices(
    recipients: Iterable[Recipient], kind: str, game: "Game", turn: int, now: datetime
) -> list[Notice]:
    return [Notice(kind=kind, **recipient, game=game, turn=turn, created_at=now) for recipient in recipients]


def _store_and_queue(notices: list[Notice], pipeline: Pipeline | None = None) -> list[Notice]:
    """Write notifications to the database, and queue them for sending after the commit.

    If there is a ``pipeline``, the rows are written when the caller sends it. Raises ValueError for an
    unknown kind.
    """
    for notice in notices:
        KINDS[notice.kind]
    sent = pipeline or Pipeline()
    sent.insert(notices, keys=True)
    sent.then(lambda: _enqueue(notices))
    if pipeline is None:
        sent.send()
    return notices


def _enqueue(notices: list[Notice]) -> None:
    for notice in notices:
        if notice.status == Notice.Status.PENDING:
            enqueue.send_notification(notice.pk, task=CHANNELS[notice.channel].task)


def change_notification_settings(
    *,
    user: User,
    manner: str,
    daily_hour: int,
    lobby_mail: bool | None = None,
    starship_mail: bool | None = None,
    silenced: Iterable[str] | None = None,
    reminder_hours: Iterable[int] | None = None,
    now: datetime,
) -> None:
    """Change a person's notification settings.

    ``manner`` is the frequency of mail about games. It does not change games with a separate setting.
    ``daily_hour`` is the hour of the daily email. ``lobby_mail`` turns mail about open games on or off.
    Turning it on also ends an opt-out made without an account. ``starship_mail`` turns mail about starships
    on or off. No channel sends the ``silenced`` kinds. ``reminder_hours`` are reminder steps, in hours before
    a deadline. None leaves a setting unchanged. Raises Forbidden for guests, and Invalid for an unknown kind
    or step.
    """
    refuse_guests(user)
    chosen: dict[str, Any] = {"manner": manner, "daily_hour": daily_hour}
    if lobby_mail is not None:
        chosen["lobby_mail"] = lobby_mail
    if starship_mail is not None:
        chosen["starship_mail"] = starship_mail
    if silenced is not None:
        chosen["silenced"] = sorted(set(silenced))
        if unknown := set(silenced) - KINDS.keys():
            known = ", ".join(sorted(KINDS))
            detail = _("There is no kind of notification “{kind}”. Choose from: {known}.")
            raise Invalid("no-kind", detail.format(kind=min(unknown)[:24], known=known))
    if reminder_hours is not None:
        chosen["reminder_hours"] = sorted(set(reminder_hours), reverse=True)
        if not {*chosen["reminder_hours"]} <= {*REMINDER_HOURS}:
            raise Invalid(
                "no-step", _("Reminders come 24, 6 or 1 hours before a deadline. Choose from these.")
            )
    change_preferences(user=user, **chosen)
    if lobby_mail and mail.has_opted_out(user.email):
        mail.reopen_address(user.email)
    reconsider_held(user=user, now=now)


def stop_lobby_mail(*, whom: User | str, now: datetime) -> None:
    """Stop mail about open games to a person or an email address.

    ``whom`` is the person, or the hash of an address without an account.
    """
    if isinstance(whom, User):
        change_preferences(user=whom, lobby_mail=False)
    else:
        mail.close_address(digest=whom, cause=ClosedAddress.Cause.ASKED, now=now)


def stop_starship_mail(*, user: User) -> None:
    """Stop mail about starships to a person."""
    change_preferences(user=user, starship_mail=False)


def reconsider_held(*, user: User, now: datetime) -> None:
    """Make a person's held notifications due, so that workers decide again whether to send them."""
    Notice.objects.filter(user=user, status=Notice.Status.HELD).update(due_at=now)


FAILED: Final = (Notice.Status.GIVEN_UP, Notice.Status.UNANSWERED, Notice.Status.CLOSED)
"""The statuses of notifications that were given up after failed attempts, or because mail bounced."""


def send_again(*, user: User, notice_id: int) -> None:
    """Retry a failed notification, at the request of a member of staff.

    Raises NotFound, Forbidden without the right to change notifications, and Conflict if the notification has
    not failed.
    """
    require(user, Right.CHANGE_NOTICES)
    notices = Notice.objects.filter(pk=notice_id)
    notice = notices.first()
    if notice is None:
        raise NotFound("no-notice", _("This notification does not exist."))
    again = {"status": Notice.Status.PENDING, "attempts": 0, "lease_until": None, "offered_at": None}
    if not notices.filter(status__in=FAILED).update(**again):
        raise Conflict("not-given-up", _("This notification has not failed, so it can’t be sent again."))
    enqueue.send_notification(notice_id, task=CHANNELS[notice.channel].task)
