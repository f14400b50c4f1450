"""Create notifications, decide when to send each, and store people's choices.

A notification is written in the transaction of its cause, and sent after it: now, later or never. That
depends on the person's choices, and on the news they have seen already.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts import mail
from accounts.models import ClosedAddress, Frequency, User
from accounts.settings import change_preferences
from accounts.time_zones import zone_of
from games import live
from games.errors import Conflict, Invalid, NotFound, refuse_guests
from games.news.channels import CHANNELS, Channel
from games.news.kinds import KINDS, Kind, kinds_to_players
from games.news.models import SUBJECT_FORMAT, Notice, NoticeSubject
from games.news.timing import daily_after
from games.rights import Right, require
from games.work import enqueue
from roborunner.postgres.queries import Answer, Pipeline

if TYPE_CHECKING:
    from games.play.models import Game, Seat


class Recipient(TypedDict):
    """A person, and a channel to reach them."""

    user: User
    channel: str


Reach = dict[str, Answer]
"""The people reached by each channel, except by channels for everyone."""


def ask_reach(*, users: Iterable[User], pipeline: Pipeline) -> Reach:
    """Ask in a pipeline which of these people each channel reaches."""
    people = [user.pk for user in users]
    return {each.name: pipeline.ask(each.receivers, people) for each in CHANNELS.values() if each.receivers}


def channels_of(*, users: Iterable[User], reach: Reach | None = None) -> list[Recipient]:
    """Return the channels of these people.

    ``reach`` has the answers if `ask_reach` asked before. Guests have no address, and no channels.
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
    """Return a person's seats in unfinished games with an email setting of their own."""
    seats = user.seats.filter(game__status__in=["open", "running"])
    return seats.exclude(manner="").select_related("game").order_by("game__name", "pk")


RECHECK_AFTER: Final = timedelta(minutes=3)
"""Time between two checks of whether the reader still looks at the game."""


class Judgement(NamedTuple):
    """The decision on a notification: send (PENDING), hold until a time, or drop."""

    status: str
    until: datetime | None = None


SEND: Final = Judgement(Notice.Status.PENDING)
UNWANTED: Final = Judgement(Notice.Status.UNWANTED)
OUTDATED: Final = Judgement(Notice.Status.OUTDATED)


def judge(notice: Notice, now: datetime) -> Judgement:
    """Decide whether and when to send a notification.

    The caller has claimed it or, for a daily email, locked its reader.
    """
    kind, channel, seat = KINDS[notice.kind], CHANNELS[notice.channel], notice.seat
    if notice.user and notice.user.silenced.count(kind.name):
        return UNWANTED
    if refused := channel.refused(notice, kind):
        return Judgement(refused)
    if notice.game_id is None:
        return _of_a_starship(notice, kind, channel, now)
    if not kind.to_players:
        return _of_others(notice, kind, channel, now)
    if seat is None or notice.user is None:
        return OUTDATED
    manner = channel.frequency_of(notice, kind)
    if not notice.user.is_active or manner == Frequency.NONE:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if manner == Frequency.DAILY:
        return _of_the_day(notice, kind, notice.user, now)
    at = kind.send_at(notice, now)
    if at is None:
        return OUTDATED
    if at > now:
        return Judgement(Notice.Status.HELD, at)
    if channel.waits_for_readers and is_looking(seat, now):
        return Judgement(Notice.Status.HELD, now + RECHECK_AFTER)
    return UNWANTED if manner == Frequency.ONE and _was_notified(notice, seat) else SEND


def is_looking(seat: "Seat", now: datetime) -> bool:
    """Return whether the player on a seat looks at the game, or did a moment ago."""
    if seat.user_id is None:
        return False
    came = seat.visited_at is not None and seat.visited_at > now - live.VISIT_EXPIRY
    return came or live.is_active_viewer(game_id=seat.game_id, user_id=seat.user_id)


def _of_others(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Judge an immediate notification. It waits while its reader looks at the game."""
    user, seat = notice.user, notice.seat
    if user and not user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if user is None or not channel.waits_for_readers:
        return SEND
    assert notice.game_id
    if live.is_active_viewer(game_id=notice.game_id, user_id=user.pk) or (seat and is_looking(seat, now)):
        return Judgement(Notice.Status.HELD, now + RECHECK_AFTER)
    return Judgement(Notice.Status.SEEN) if notice.came else SEND


def _of_a_starship(notice: Notice, kind: Kind, channel: Channel, now: datetime) -> Judgement:
    """Judge a notification without a game. It never waits for its reader."""
    if notice.user is None or not notice.user.is_active:
        return UNWANTED
    if settled := kind.settled(notice):
        return Judgement(settled)
    if channel.frequency_of(notice, kind) == Frequency.DAILY:
        return _of_the_day(notice, kind, notice.user, now)
    at = kind.send_at(notice, now)
    if at is None:
        return OUTDATED
    return Judgement(Notice.Status.HELD, at) if at > now else SEND


def _of_the_day(notice: Notice, kind: Kind, user: User, now: datetime) -> Judgement:
    if kind.daily is None:
        return UNWANTED
    due = daily_after(after=notice.created_at, hour=user.daily_hour, zone=zone_of(user.time_zone))
    return SEND if due <= now else Judgement(Notice.Status.HELD, due)


def _was_notified(notice: Notice, seat: "Seat") -> bool:
    """Return whether the person was notified since their last visit or orders."""
    sent = Q(status=Notice.Status.SENT)
    if last := seat.last_active_at:
        sent &= Q(sent_at__gt=last)
    # If two are sent at the same time, the earlier one counts: it is claimed already.
    going = Q(status=Notice.Status.PENDING, attempts__gt=0, pk__lt=notice.pk)
    told = Notice.objects.filter(game=notice.game_id, user=notice.user_id, channel=notice.channel)
    return told.filter(sent | going, kind__in=kinds_to_players()).exists()


FINAL_STATUSES: Final = frozenset(Notice.Status) - {Notice.Status.PENDING, Notice.Status.HELD}
"""The final states of notifications."""


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
    """Create a notification for each person and channel.

    They are sent after the commit. Guests have no address, and get none. Players now looking at the game get
    it later: no worker is asked yet. The ``pipeline``, if any, writes the rows. ``reach`` has the channels if
    `ask_reach` asked before.
    """
    notices = _made(channels_of(users=users, reach=reach), kind, game, turn, now)
    if KINDS[kind].to_players:
        people = [notice.user_id for notice in notices if notice.user_id is not None]
        looking = live.active_viewers(game_id=game.pk, user_ids=people)
        for notice in notices:
            if notice.user_id in looking and CHANNELS[notice.channel].waits_for_readers:
                notice.status, notice.due_at = Notice.Status.HELD, now + RECHECK_AFTER
    return _leave(notices, pipeline)


def notify_address(*, email: str, kind: str, game: "Game", now: datetime) -> list[Notice]:
    """Create a notification for an address without an account, and drop unsent ones."""
    before = Notice.objects.filter(game=game, email=email, kind=kind)
    before.exclude(status=Notice.Status.SENT).delete()
    return _leave([Notice(kind=kind, email=email, game=game, turn=0, created_at=now)])


def was_mailed(*, email: str, kind: str, game: "Game") -> bool:
    """Return whether an address has already got an email of a kind about a game."""
    sent = Notice.objects.filter(status=Notice.Status.SENT)
    return sent.filter(email=email, kind=kind, game=game).exists()


def notify_about_game(*, users: Iterable[User], kind: str, game: "Game", now: datetime) -> list[Notice]:
    """Create a notification about a game as a whole, in place of any earlier one."""
    people = list(users)
    Notice.objects.filter(game=game, turn=0, user__in=people, kind=kind).delete()
    return notify(users=people, kind=kind, game=game, now=now)


def notify_once(
    *, users: Iterable[User], kind: str, game: "Game", again: Iterable[str], now: datetime
) -> list[Notice]:
    """Create a notification per person and channel, once a turn, in a locked game.

    It collects its news when it is sent. A new one replaces it only if its status is in ``again``.
    """
    people, turn = list(users), game.turn or 0
    before = Notice.objects.filter(game=game, turn=turn, user__in=people, kind=kind)
    return _leave(_made(_without_notice(people, before, again), kind, game, turn, now))


def notify_about_starship(
    *, users: Iterable[User], kind: str, starship_id: int, about: int, now: datetime
) -> list[Notice]:
    """Create a notification about a starship for each active person.

    ``about`` identifies the subject. Each person is notified once, or again if the first one was outdated
    before it was sent. The caller locks a row, so that no other process announces it meanwhile.
    """
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(starship=starship_id, about=about, user__in=people, kind=kind)
    recipients = _without_notice(people, before, [Notice.Status.OUTDATED])
    of = {"kind": kind, "starship_id": starship_id, "about": about, "turn": 0}
    return _leave([Notice(**of, **recipient, created_at=now) for recipient in recipients])


def notify_people(*, users: Iterable[User], kind: str, about: int, now: datetime) -> list[Notice]:
    """Create a notification for each active person, once, about no game or starship."""
    people = [user for user in users if user.is_active]
    before = Notice.objects.filter(game=None, starship=None, about=about, user__in=people, kind=kind)
    of = {"kind": kind, "about": about, "turn": 0}
    return _leave(
        [Notice(**of, **recipient, created_at=now) for recipient in _without_notice(people, before, [])]
    )


def notify_with_subject(
    *, users: Iterable[User], kind: str, now: datetime, **parameters: str | int
) -> list[Notice]:
    """Create a notification for each person, with a subject (`NoticeSubject`)."""
    people = list(users)
    if not people:
        return []
    written = {"format": SUBJECT_FORMAT, **parameters}
    subject = NoticeSubject.objects.create(parameters=written, created_at=now)
    return notify_people(users=people, kind=kind, about=subject.pk, now=now)


def outdate(*, game_id: int, turn: int, kinds: Iterable[str], pipeline: Pipeline) -> None:
    """Ask a pipeline to drop the held notifications about a played turn."""
    pipeline.ask(_OUTDATE, game_id, turn, [*kinds])


_OUTDATE: Final = f"""
UPDATE games_notice SET status = '{Notice.Status.OUTDATED}', due_at = NULL
    WHERE game_id = %s AND turn = %s AND kind = ANY(%s) AND status = '{Notice.Status.HELD}'
"""  # noqa: S608 - names of states


def _without_notice(people: list[User], before: QuerySet[Notice], again: Iterable[str]) -> list[Recipient]:
    """Delete those to send ``again``. Return recipients with none ``before``."""
    before.filter(status__in=again).delete()
    told = set(before.values_list("user", "channel"))
    return [
        recipient
        for recipient in channels_of(users=people)
        if (recipient["user"].pk, recipient["channel"]) not in told
    ]


def _made(recipients: Iterable[Recipient], kind: str, game: "Game", turn: int, now: datetime) -> list[Notice]:
    return [Notice(kind=kind, **recipient, game=game, turn=turn, created_at=now) for recipient in recipients]


def _leave(notices: list[Notice], pipeline: Pipeline | None = None) -> list[Notice]:
    """Write notifications, and send them after the commit.

    Raises ValueError for an unknown kind.
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
    now: datetime,
) -> None:
    """Change a person's notification settings.

    Games with their own settings keep them. ``manner`` is the frequency of mail about games. ``lobby_mail``
    turns mail about open games on or off. Turning it on also ends an opt-out made without an account.
    ``starship_mail`` turns mail about starships on or off. No channel sends the ``silenced`` kinds. None
    leaves a setting unchanged. Raises Forbidden for guests, and Invalid for an unknown kind.
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
    change_preferences(user=user, **chosen)
    if lobby_mail and mail.has_opted_out(user.email):
        mail.reopen_address(user.email)
    reconsider_held(user=user, now=now)


def stop_lobby_mail(*, whom: User | str, now: datetime) -> None:
    """Stop mail about lobbies to a person, or to the hash of an address."""
    if isinstance(whom, User):
        change_preferences(user=whom, lobby_mail=False)
    else:
        mail.close_address(digest=whom, cause=ClosedAddress.Cause.ASKED, now=now)


def stop_starship_mail(*, user: User) -> None:
    """Stop mail about starships to a person."""
    change_preferences(user=user, starship_mail=False)


def reconsider_held(*, user: User, now: datetime) -> None:
    """Make the sweeper judge a person's held notifications again."""
    Notice.objects.filter(user=user, status=Notice.Status.HELD).update(due_at=now)


FAILED: Final = (Notice.Status.GIVEN_UP, Notice.Status.UNANSWERED)
"""The states of notifications after too many failed attempts."""


def send_again(*, user: User, notice_id: int) -> None:
    """Retry a failed notification, as staff.

    Raises Forbidden for people without the right, NotFound, and Conflict if it has not failed.
    """
    require(user, Right.CHANGE_NOTICES)
    notices = Notice.objects.filter(pk=notice_id)
    notice = notices.first()
    if notice is None:
        raise NotFound("no-notice", _("This notification does not exist."))
    again = {"status": Notice.Status.PENDING, "attempts": 0, "lease_until": None, "offered_at": None}
    if not notices.filter(status__in=FAILED).update(**again):
        raise Conflict("not-given-up", _("This notification was not given up."))
    enqueue.send_notification(notice_id, task=CHANNELS[notice.channel].task)
