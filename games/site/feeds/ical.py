"""Someone's deadlines as a calendar (iCalendar, RFC 5545), for a calendar to subscribe to."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Final

from django.conf import settings
from django.utils.translation import gettext as _

from games.news.feeds.links import identity
from games.news.feeds.models import Feed
from games.news.feeds.services import Revision, number_deadlines
from games.play.models import Hand
from games.reading import read_safely
from games.site.feeds.selectors import waiting_hands

MEDIA_TYPE: Final = "text/calendar; charset=utf-8"

OCTETS: Final = 75
"""The longest that a line may be, without its end."""

EVERY: Final = "PT15M"
"""How often a calendar is asked to look again."""

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
"""A calendar has at least one component (RFC 5545, 3.6), also if it has no events."""


def deadlines(*, feed: Feed, now: datetime) -> str:
    """Return the calendar of the deadlines at which a player's games wait for orders."""
    lines: list[Line] = [
        ("BEGIN", "VCALENDAR"),
        ("VERSION", "2.0"),
        ("PRODID", "-//Robo Runner//Deadlines//EN"),
        ("CALSCALE", "GREGORIAN"),
        ("METHOD", "PUBLISH"),
        ("X-WR-CALNAME", "Robo Runner"),
        ("REFRESH-INTERVAL;VALUE=DURATION", EVERY),
        ("X-PUBLISHED-TTL", EVERY),
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
        ("DESCRIPTION", text(_("Your time for it is up.") + f"\n{url}")),
        ("URL", url),
        ("TRANSP", "TRANSPARENT"),
        ("END", "VEVENT"),
    ]


def _unreadable(hand: Hand) -> list[Line]:
    """Return a remark for a deadline that cannot be shown."""
    return [("X-COMMENT", text(_("{game} cannot be shown right now.").format(game=hand.turn.game.name)))]


def moment(at: datetime) -> str:
    """Write a time.

    >>> moment(datetime(2026, 11, 21, 20, 5, tzinfo=UTC))
    '20261121T200500Z'
    """
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def text(value: str) -> str:
    r"""Write what people read; what has a meaning in the format is escaped, and control characters left out.

    >>> text("Robots, unite; or\nnot\x07")
    'Robots\\, unite\\; or\\nnot'
    """
    for plain, escaped in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        value = value.replace(plain, escaped)
    return "".join(character for character in value if character.isprintable())


def written(lines: Iterable[Line]) -> str:
    """Write lines of a calendar, each folded so that no part of it is longer than may be."""
    return "".join(f"{part}\r\n" for name, value in lines for part in _folded(f"{name}:{value}"))


def _folded(line: str) -> Iterator[str]:
    """Split a line between characters; what goes on is indented by a space, which counts."""
    part = ""
    for character in line:
        if len((part + character).encode()) > OCTETS:
            yield part
            part = " "
        part += character
    yield part
