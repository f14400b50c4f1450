"""The kinds of notification, and their content.

Each room declares its own kinds. They are found here by name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

import rules
from accounts.languages import as_read_by
from games.fleet import raster
from games.news import models
from games.news.models import Notice, NoticeSubject
from games.wording import sentence_of

Context = dict[str, Any]

Draw = Callable[[], bytes]
"""A function to draw a picture, for channels with pictures only: it is slow."""


class Content(NamedTuple):
    """The context of a kind's template, and a function to draw its picture.

    Channels read ``url``, ``lines`` (the events) and ``deadline`` from the context.
    """

    context: Context
    draw: Draw


def _at_once(notice: Notice, now: datetime) -> datetime | None:
    return now


def _of_no_turn(notice: Notice) -> int | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of notification.

    Notifications store its ``name``, and lists show its ``label``. ``template`` has its words for all
    channels, and ``content`` returns its context. ``settled`` returns the final status (of `Notice`) if a
    notification is no longer needed, None if it is.
    """

    name: str
    label: str | Promise
    template: str
    content: Callable[[Notice], Content]
    settled: Callable[[Notice], str | None]

    to_players: bool = True
    """Whether it goes to players, as often as they want to hear about their games.

    Kinds about starships come at once or in the daily email. All others come at once.
    """

    daily: int | None = None
    """Its place in the daily email. None if the daily email is too late for it."""

    drawn: bool = True
    """Whether it has a picture."""

    illustrated: bool = True
    """Whether the daily email shows the board with it."""

    calls: bool = False
    """Whether a game waits for its reader. The daily email counts these games."""

    always: bool = False
    """Whether it comes despite a wish for no mail, because it is about the account."""

    page: Callable[[Notice], tuple[str, str]] | None = None
    """The heading and path of its page, unless about a game, starship or account."""

    urgent: bool = False
    """Whether it may wake a phone in battery saving mode."""

    send_at: Callable[[Notice, datetime], datetime | None] = _at_once
    """The time to send it: now, after the night, or None if that is too late."""

    turn_of_events: Callable[[Notice], int | None] = _of_no_turn
    """The turn with the events for feeds, if any."""


PLAIN: Final = "news/mail/plain.html"
"""The template of kinds without a picture. `plain` makes its context."""


def plain(notice: Notice, *, path: str, lines: list[str] | None = None, **more: Any) -> Content:
    """Return a notification without a picture.

    ``more`` has its ``subject``, its main text (``message``), the ``heading`` of the lines, the words of its
    link (``link_text``), and the reason for it (``why``).
    """
    assert notice.user
    context = {"name": notice.user.robo_name, "url": settings.BASE_URL + path, "lines": lines or [], **more}
    return Content(context, bytes)


def subject_of(notice: Notice) -> dict[str, Any]:
    """Return the parameters of a notification from its `NoticeSubject`."""
    assert notice.about is not None
    parameters: dict[str, Any] = NoticeSubject.objects.get(pk=notice.about).parameters
    return parameters


KINDS: Final[models.Registry[Kind]] = models.KINDS
"""All kinds, by name."""


def kinds_to_players() -> list[str]:
    """Return the names of the kinds for players."""
    return [kind.name for kind in KINDS.values() if kind.to_players]


class Summary(NamedTuple):
    """A short form of a notification, for programs and small screens."""

    subject: str
    lines: list[str]
    deadline: datetime | None
    url: str


def rendered(template: str, layout: str, context: Context) -> str:
    """Render a kind's template in one of the layouts of `templates/news/mail/`.

    Each layout uses other blocks of the template: ``subject.txt``, ``mail.txt``, ``mail.html``, and for the
    daily email ``daily_part.txt`` and ``daily_part.html``.
    """
    return SafeString(render_to_string(template, context | {"layout": f"news/mail/{layout}"}).strip())


def summary_of(notice: Notice) -> Summary:
    """Return the short form of a notification, in its reader's language and time zone."""
    kind = KINDS[notice.kind]
    with as_read_by(notice.user):
        context = kind.content(notice).context
        subject = rendered(kind.template, "subject.txt", context)
    return Summary(subject, context.get("lines", []), context.get("deadline"), context["url"])


Event = Mapping[str, Any]

LINES_PER_DIGEST: Final = 3
"""Lines in a digest, at most."""

SHARED_EVENTS: Final = frozenset({"destroyed", "inspect", "finish", "over"})
"""Events of interest to all players."""

OWN_EVENTS: Final = frozenset({"damage", "repair", "weld", "power", "enter", "real", "virtual"})
"""Events of interest only to the robot's own player."""


def digest(events: Iterable[Event], *, robot: str) -> list[str]:
    """Return sentences about the events of a turn for one player, in order.

    Repeated ones appear once. If there are too many, the end of the game comes first, then the successes and
    destruction of the player's robot, then those of other robots, then other events of the player's robot.
    Earlier events come before later ones.
    """
    counts: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for event in events:
        rank = _rank(event, robot)
        if rank is not None:
            sentence = sentence_of(event)
            counts[sentence] += 1
            ranks.setdefault(sentence, rank)
    kept = set(sorted(counts, key=ranks.__getitem__)[:LINES_PER_DIGEST])
    return [_times(sentence, count) for sentence, count in counts.items() if sentence in kept]


def _rank(event: Event, robot: str) -> int | None:
    """Return the rank of an event for a robot's player, 0 the highest, or None."""
    own = event.get("robot") == robot
    if event["type"] in SHARED_EVENTS:
        return 0 if event["type"] == "over" else 1 if own else 2
    return 3 if own and event["type"] in OWN_EVENTS else None


def _times(sentence: str, count: int) -> str:
    if count == 1:
        return sentence
    told = ngettext("{event}, {count} time.", "{event}, {count} times.", count)
    return told.format(event=sentence.removesuffix("."), count=count)


def board_picture(
    *, ship: rules.Starship, seen: rules.View, looks: Mapping[int, int], robot: int | None
) -> bytes:
    """Draw a viewer's board as a PNG, and mark the next checkpoint of ``robot``.

    ``robot`` is an index. ``looks`` has one of the eight looks for each robot index.
    """
    return raster.board_picture(
        ship,
        robots=[each for each in seen.robots if not each.crystal],
        hull=seen.hull,
        following=None if robot is None else seen.robots[robot].next,
        links=seen.links,
        crystal=seen.crystal,
        looks=looks,
    )


def empty_board_picture(ship: rules.Starship) -> bytes:
    """Draw a starship without robots, as a PNG."""
    return raster.board_picture(ship)
