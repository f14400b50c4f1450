"""Feeds at secret addresses, without a login, for news readers and calendars.

News comes as Atom (RFC 4287), deadlines as iCalendar (RFC 5545).
"""

import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid5

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from accounts.languages import as_read_by
from accounts.limits import Limit, consume
from accounts.models import User
from games.errors import number_in, refuse_guests
from games.news.kinds import KINDS, OWN_EVENTS, SHARED_EVENTS, digest
from games.news.models import Feed, Notice
from games.play.models import Game, Hand, Seat, Turn
from games.play.stored import turn_record
from games.reading import read_safely
from games.web.actions import Done, action
from games.web.pages import user_of

_FEEDS = Signer(salt="games.feeds")

_NAMES: Final = UUID("6d1b1d0c-0c0e-4f7e-9d8a-2b6f2a5f6b6e")
"""The namespace of `identity`. If it changed, news readers would show each entry twice."""


def feed_urls(feed: Feed) -> dict[str, str]:
    """Return the secret addresses of a person's feeds, by name: ``news`` and ``deadlines``."""
    key = f"{feed.user_id}-{_FEEDS.signature(_signed(feed))}"
    return {
        name: settings.BASE_URL + reverse(f"people:feed_of_{name}", args=[key])
        for name in ("news", "deadlines")
    }


def feed_in(key: str) -> Feed | None:
    """Return the feeds for the key in a secret address.

    Returns None for an old or unknown key, and for the key of an inactive person.
    """
    named, _, signature = key.partition("-")
    if (number := number_in(named)) is None:
        return None
    feed = Feed.objects.select_related("user").filter(user=number, user__is_active=True).first()
    if feed is None:
        return None
    try:
        _FEEDS.unsign(f"{_signed(feed)}:{signature}")  # the site's key, or an earlier one
    except BadSignature:
        return None
    return feed


def identity(user: User, name: str) -> str:
    """Return a permanent URN for an entry of a feed. It does not change if the site's address changes."""
    return uuid5(_NAMES, f"{user.pk} {user.date_joined.isoformat()} {name}").urn


def _signed(feed: Feed) -> str:
    return f"{feed.user_id}-{feed.nonce}"


SHOWN_FORMAT: Final = "shown-deadlines/1"


class Revision(NamedTuple):
    """The number of changes to a deadline in the calendar, and the time of the last change."""

    number: int
    at: datetime


def make_feed(*, user: User, now: datetime) -> Feed:
    """Make new feed addresses for a person. Earlier addresses stop working.

    Raises Forbidden for guests.
    """
    refuse_guests(user)
    nonce = {"nonce": secrets.token_hex(16), "made_at": now}
    return Feed.objects.update_or_create(user=user, defaults=nonce)[0]


def number_deadlines(
    *, feed: Feed, due: Mapping[int, datetime | None], opened: Mapping[int, datetime], now: datetime
) -> dict[int, Revision]:
    """Count the changes to each hand's deadline in a calendar (RFC 5545, SEQUENCE).

    ``due`` has the deadline of each hand by ID, or None for a hand without a deadline at present. The count
    of such a hand does not change until it has a deadline again. ``opened`` has the time when each hand's
    turn began. Returns the revisions by the ID of the hand.
    """
    with transaction.atomic():
        held = Feed.objects.select_for_update().filter(pk=feed.pk).first()
        before = ((held and held.shown) or {}).get("hands", {})
        after = {}
        for hand, at in due.items():
            known = before.get(str(hand))
            if known is None and at is not None:
                after[str(hand)] = _shown(at, 0, opened[hand])
            elif known is not None and (at is None or known["due"] == at.isoformat()):
                after[str(hand)] = known
            elif known is not None and at is not None:
                after[str(hand)] = _shown(at, known["number"] + 1, now)
        if held and after != before:
            held.shown = {"format": SHOWN_FORMAT, "hands": after}
            held.save(update_fields=["shown"])
    return {
        int(hand): Revision(shown["number"], datetime.fromisoformat(shown["at"]))
        for hand, shown in after.items()
    }


def _shown(due: datetime, number: int, at: datetime) -> dict[str, Any]:
    return {"due": due.isoformat(), "number": number, "at": at.isoformat()}


def drop_feed(*, user: User) -> None:
    """Invalidate the addresses of a person's feeds."""
    Feed.objects.filter(user=user).delete()


@action()
def change(request: HttpRequest) -> Done:
    """Make new addresses for the viewer's feeds, or remove the feeds if the posted form asks for that."""
    if request.POST.get("do") == "drop":
        drop_feed(user=user_of(request))
        return Done(_("Your feed addresses are revoked."))
    make_feed(user=user_of(request), now=timezone.now())
    return Done(_("Your feed addresses are below. Earlier addresses no longer work."))


ENTRIES_PER_FEED: Final = 30
"""The maximum number of notifications in a feed."""

Events = Mapping[tuple[int, int], Sequence[dict[str, Any]] | None]


def newest_notifications(*, user: User) -> list[Notice]:
    """Return a person's latest notifications, newest first, sent or not.

    Reads only the rows of the mail channel, which has each notification exactly once. A reminder that the
    person asked for is left out until it is sent.
    """
    requested = [kind.name for kind in KINDS.values() if kind.requested]
    notices = Notice.objects.filter(user=user, channel="mail").select_related("game", "starship")
    notices = notices.exclude(~Q(status=Notice.Status.SENT), kind__in=requested)
    return list(notices.order_by("-created_at", "-pk")[:ENTRIES_PER_FEED])


def robots_of(*, user: User, games: set[int]) -> dict[int, str]:
    """Return the names of a person's robots in the given games, by the game's ID."""
    seats = Seat.objects.filter(user=user, game__in=games).select_related("user")
    return {seat.game_id: seat.robo_name for seat in seats}


def events_of(*, turns: set[tuple[int, int]], types: frozenset[str]) -> Events:
    """Return the events of the given types in resolved turns.

    The keys are the game's ID and the turn number. The events of an unreadable turn are None.
    """
    found: dict[tuple[int, int], list[dict[str, Any]] | None] = {}
    rows = Turn.objects.filter(game__in={game for game, _ in turns}, number__in={turn for _, turn in turns})
    keys = {pk: (game, turn) for pk, game, turn in rows.values_list("pk", "game", "number")}
    wanted = [pk for pk, key in keys.items() if key in turns]
    for turn in Turn.objects.filter(pk__in=wanted, status=Turn.Status.RESOLVED):
        found[keys[turn.pk]] = read_safely(partial(_events_in, turn, types), turn.game_id)
    return found


def turns_with_pictures(*, turns: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the given ``turns`` that have a picture of the board: resolved turns of public games.

    Each turn is a pair of the game's ID and the turn number.
    """
    played = Turn.objects.filter(
        game__in={game for game, _ in turns},
        number__in={turn for _, turn in turns},
        status=Turn.Status.RESOLVED,
        game__private=False,
    )
    return turns & set(played.values_list("game", "number"))


def _events_in(turn: Turn, types: frozenset[str]) -> list[dict[str, Any]]:
    return [event for event in turn_record(turn).events if event["type"] in types]


def waiting_hands(*, user: User) -> QuerySet[Hand]:
    """Return the hands waiting for a player's orders, most urgent first.

    Each hand has an attribute ``due``: the deadline, or None if there is none at present.
    """
    waiting = Hand.objects.filter(
        seat__user=user, program=None, turn__status=Turn.Status.OPEN, turn__game__status=Game.Status.RUNNING
    )
    due = waiting.annotate(due=Coalesce("deadline", "turn__deadline"))
    return due.select_related("turn__game").order_by("due", "pk")


ATOM: Final = "application/atom+xml; charset=utf-8"


class _NewsFeed(Atom1Feed):
    """An Atom feed. If it has no entries, the time of its last change is ``made_at``."""

    def __init__(self, *, made_at: datetime, **more: Any) -> None:
        super().__init__(**more)
        self._made_at = made_at

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self._made_at


def news_feed(*, feed: Feed, url: str) -> str:
    """Return the Atom feed of a player's notifications. ``url`` is the feed's own address."""
    user = feed.user
    notices = newest_notifications(user=user)
    robots = robots_of(user=user, games={notice.game_id for notice in notices if notice.game_id})
    turns = {played for notice in notices if (played := _played(notice))}
    events = events_of(turns=turns, types=SHARED_EVENTS | OWN_EVENTS)
    shown = turns_with_pictures(turns=turns)
    written = _NewsFeed(
        made_at=feed.made_at,
        title=settings.SITE_NAME,
        subtitle=_("Notifications for {player}").format(player=user.robo_name),
        link=settings.BASE_URL + "/",
        description=None,
        feed_url=url,
        feed_guid=identity(user, f"news-{user.pk}"),
        author_name=settings.SITE_NAME,
        language=get_language(),
    )
    for notice in notices:
        happened = events.get(_played(notice) or (0, 0), ())
        robot = robots.get(notice.game_id or 0, user.robo_name)
        lines = (
            None if happened is None else read_safely(partial(digest, happened, robot=robot), notice.topic)
        )
        written.add_item(
            title=_title(notice),
            link=settings.BASE_URL + notice.path,
            description=_summary(notice, lines) + (_picture(notice) if _played(notice) in shown else ""),
            unique_id=identity(user, f"notice-{notice.pk}"),
            pubdate=notice.created_at,
            updateddate=notice.created_at,
        )
    return written.writeString("utf-8")


def _title(notice: Notice) -> str:
    told = _("{game}, turn {turn}: {news}") if notice.turn else _("{game}: {news}")
    return told.format(game=notice.heading, turn=notice.turn, news=notice.get_kind_display())


def _summary(notice: Notice, lines: list[str] | None) -> str:
    """Return a notification as HTML. ``lines`` is None if the events are unreadable."""
    said = format_html("<p>{}.</p>", notice.get_kind_display())
    if lines is None:
        return said + format_html("<p>{}</p>", _("We can’t show the events of this turn right now."))
    if not lines:
        return said
    items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
    return said + format_html("<ul>{}</ul>", items)


def _picture(notice: Notice) -> str:
    """Return the picture of the board after a notification's turn, as HTML."""
    address = settings.BASE_URL + reverse("games:picture", args=[*(_played(notice) or ()), "light"])
    return format_html('<p><img src="{}" width="480" alt="{}"></p>', address, _("The board after the turn"))


def _played(notice: Notice) -> tuple[int, int] | None:
    """Return the game's ID and the turn number of the events that feeds show for a notification.

    Returns None if feeds show no events for it.
    """
    turn = KINDS[notice.kind].turn_of_events(notice)
    return None if turn is None or notice.game_id is None else (notice.game_id, turn)


CALENDAR: Final = "text/calendar; charset=utf-8"

LINE_OCTETS: Final = 75
"""The maximum number of bytes in a line of a calendar, without the line break."""

REFRESH_INTERVAL: Final = "PT15M"
"""The interval after which programs load a calendar again, as an ISO 8601 duration."""

Line = tuple[str, str]


TIME_ZONE: Final[list[Line]] = [
    ("BEGIN", "VTIMEZONE"),
    ("TZID", "UTC"),
    ("BEGIN", "STANDARD"),
    ("DTSTART", "19700101T000000"),
    ("TZOFFSETFROM", "+0000"),
    ("TZOFFSETTO", "+0000"),
    ("END", "STANDARD"),
    ("END", "VTIMEZONE"),
]
"""The component for the time zone. Even a calendar without deadlines needs a component (RFC 5545, 3.6)."""


def deadlines(*, feed: Feed, now: datetime) -> str:
    """Return the calendar of a player's deadlines for orders."""
    lines: list[Line] = [
        ("BEGIN", "VCALENDAR"),
        ("VERSION", "2.0"),
        ("PRODID", "-//Robo Runner//Deadlines//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("X-WR-CALNAME", settings.SITE_NAME),
        ("REFRESH-INTERVAL;VALUE=DURATION", REFRESH_INTERVAL),
        ("X-PUBLISHED-TTL", REFRESH_INTERVAL),
    ]
    lines += TIME_ZONE
    hands = list(waiting_hands(user=feed.user))
    due: dict[int, datetime | None] = {hand.pk: hand.due for hand in hands}  # type: ignore[attr-defined]
    opened = {hand.pk: hand.turn.opened_at for hand in hands}
    revisions = number_deadlines(feed=feed, due=due, opened=opened, now=now)
    for hand in hands:
        if due[hand.pk] is not None:
            event = partial(_event, hand, revisions[hand.pk], feed)
            lines += read_safely(event, hand.turn.game) or _unreadable(hand)
    lines.append(("END", "VCALENDAR"))
    return written(lines)


def _event(hand: Hand, revision: Revision, feed: Feed) -> list[Line]:
    turn = hand.turn
    due: datetime = hand.due  # type: ignore[attr-defined] # of the query
    due_for = (_("{game}: turn {number}") if turn.number else _("{game}: choose your heading")).format(
        game=turn.game.name, number=turn.number
    )
    url = settings.BASE_URL + turn.game.get_absolute_url()
    return [
        ("BEGIN", "VEVENT"),
        ("UID", identity(feed.user, f"hand-{hand.pk}").rpartition(":")[2]),
        ("DTSTAMP", moment(revision.at)),
        ("LAST-MODIFIED", moment(revision.at)),
        ("SEQUENCE", str(revision.number)),
        ("DTSTART", moment(due)),
        ("SUMMARY", text(due_for)),
        ("DESCRIPTION", text(_("Deadline for your orders.") + f"\n{url}")),
        ("URL", url),
        ("TRANSP", "TRANSPARENT"),
        ("END", "VEVENT"),
    ]


def _unreadable(hand: Hand) -> list[Line]:
    """Return a calendar comment in place of the deadline of an unreadable game."""
    return [("X-COMMENT", text(_("We can’t show {game} right now.").format(game=hand.turn.game.name)))]


def moment(at: datetime) -> str:
    """Format a time for a calendar.

    >>> moment(datetime(2026, 11, 21, 20, 5, tzinfo=UTC))
    '20261121T200500Z'
    """
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def text(value: str) -> str:
    r"""Escape a text for a calendar, and remove its control characters.

    >>> text("Robots, unite; or\nnot\x07")
    'Robots\\, unite\\; or\\nnot'
    """
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return "".join(character for character in value if character.isprintable())


def written(lines: Iterable[Line]) -> str:
    """Join the lines of a calendar. Lines longer than `LINE_OCTETS` are folded."""
    return "".join(f"{part}\r\n" for name, value in lines for part in _folded(f"{name}:{value}"))


def _folded(line: str) -> Iterator[str]:
    """Split a line of a calendar into parts of at most `LINE_OCTETS` bytes.

    All parts after the first begin with a space.
    """
    part = ""
    for character in line:
        if len((part + character).encode()) > LINE_OCTETS:
            yield part
            part = " "
        part += character
    yield part


FEED_LIMIT: Final = Limit("feeds", 60, 60 * 60)
"""The hourly limit of requests for each feed. Programs need about four requests an hour."""


@require_safe
def news(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return a person's latest notifications as an Atom feed."""
    return _answer(request, key, "news", lambda feed: news_feed(feed=feed, url=feed_urls(feed)["news"]))


@require_safe
def calendar_feed(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return a person's deadlines as a calendar."""
    return _answer(request, key, "deadlines", lambda feed: deadlines(feed=feed, now=timezone.now()))


MEDIA_TYPES: Final = {"news": ATOM, "deadlines": CALENDAR}


def _answer(request: HttpRequest, key: str, name: str, write: Callable[[Feed], str]) -> HttpResponseBase:
    """Answer with a feed, with status 304 if the reader already has it, or with 429 after too many requests.

    Raises Http404 for an old or unknown key.
    """
    feed = feed_in(key)
    if feed is None:
        raise Http404(_("There is no feed at this address."))
    if wait := consume(FEED_LIMIT, f"{name}:{feed.user_id}"):
        answer = HttpResponse(
            _("Too many requests for this feed. Try again later.\n"), status=429, content_type="text/plain"
        )
        answer.headers["Retry-After"] = str(wait)
        return answer
    with as_read_by(feed.user):
        body = write(feed).encode()
    answer = HttpResponse(body, content_type=MEDIA_TYPES[name])
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    answer.headers["ETag"] = etag
    answer.headers["Cache-Control"] = "private, max-age=300"
    return get_conditional_response(request, etag=etag, response=answer) or answer
