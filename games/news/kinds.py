"""The kinds of notification, and the content of notifications.

Each package declares its own kinds. `KINDS` has the kinds of all packages, by name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

import rules
from accounts.languages import as_read_by
from accounts.navigation import reverse_with_next
from games.fleet import raster
from games.news import models
from games.news.models import Notice, NoticeSubject
from games.wording import sentence_of

Context = dict[str, Any]

Draw = Callable[[], bytes]
"""A function to draw a picture. Drawing is slow, so only some channels call it."""


class Content(NamedTuple):
    """The content of a notification: a template's context, and a drawing function.

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

    Notifications store the kind's ``name``, and lists show its ``label``. ``template`` has the texts for all
    channels, and ``content`` returns the context for the template. ``settled`` returns the final
    `Notice.Status` if a notification is no longer needed, or None if it is still needed.
    """

    name: str
    label: str | Promise
    template: str
    content: Callable[[Notice], Content]
    settled: Callable[[Notice], str | None]

    to_players: bool = True
    """Whether the frequency that players choose for their games applies to this kind of notification.

    If it does not, mail about starships is part of the daily email for people who want one, and everything
    else is sent at once.
    """

    daily: int | None = None
    """The position of this kind of notification in the daily email, or None if that would be too late."""

    drawn: bool = True
    """Whether an email about one notification of this kind has a picture."""

    illustrated: bool = True
    """Whether the daily email shows the board beside a notification of this kind."""

    game_waits: bool = False
    """Whether notifications of this kind say that a game waits for the recipient.

    The daily email counts these games.
    """

    mandatory: bool = False
    """Whether people who want no mail still get this kind of notification, as it is about their account."""

    label_when_settled: str | Promise = ""
    """The label at home for a notification that is ``settled``. By default, the label stays."""

    topic_page: Callable[[Notice], tuple[str, str]] | None = None
    """The function for the heading and path of a notification's page.

    The function is None if the page is the game's, the starship's or the person's.
    """

    starts_game: bool = False
    """Whether notifications of this kind also announce the first turn of a game that starts with them.

    If they are sent, the first turn has no notification of its own.
    """

    label_of: Callable[[Notice], str] | None = None
    """The function for a label with names, for the news at home. By default, the ``label``."""

    chosen_by_steps: bool = False
    """Whether people choose this kind among their reminder steps, and not in the list of all kinds."""

    requested: bool = False
    """Whether the recipient asked for this notification.

    It is then sent even if the recipient has looked at the game since.
    """

    urgent: bool = False
    """Whether a notification of this kind may wake a phone in battery saving mode."""

    send_at: Callable[[Notice, datetime], datetime | None] = _at_once
    """The function for the time to send a notification: now, or after the night.

    The function returns None if the time after the night is too late.
    """

    turn_of_events: Callable[[Notice], int | None] = _of_no_turn
    """The function for the turn number whose events are shown in feeds.

    The function returns None if feeds show no events for the notification.
    """


PLAIN: Final = "news/mail/plain.html"
"""The template for kinds of notification without a picture. `plain` returns the context for it."""


def plain(notice: Notice, *, path: str, lines: list[str] | None = None, **more: Any) -> Content:
    """Return the content of a notification without a picture.

    `PLAIN` is its template. The notification links to the page at ``path``. ``more`` has the ``subject``, the
    main text (``message``), the ``heading`` of the lines, the text of the link (``link_text``), and the
    reason for getting the notification (``why``). For a recipient without an account, the main button leads
    to the page by signing up.
    """
    name = notice.user.robo_name if notice.user else ""
    context = {"name": name, "url": settings.BASE_URL + path, "lines": lines or [], **more}
    if not notice.user:
        context["signup_url"] = settings.BASE_URL + reverse_with_next("account_signup", path)
    return Content(context, bytes)


def subject_of(notice: Notice) -> dict[str, Any]:
    """Return the parameters of a notification, as stored in its `NoticeSubject`."""
    assert notice.about is not None
    parameters: dict[str, Any] = NoticeSubject.objects.get(pk=notice.about).parameters
    return parameters


KINDS: Final[models.Registry[Kind]] = models.KINDS
"""All kinds of notification, by name."""


def kinds_to_players() -> list[str]:
    """Return the names of all kinds with `Kind.to_players`."""
    return [kind.name for kind in KINDS.values() if kind.to_players]


def kinds_of_starts() -> list[str]:
    """Return the names of all kinds with `Kind.starts_game`."""
    return [kind.name for kind in KINDS.values() if kind.starts_game]


class Summary(NamedTuple):
    """A short form of a notification, for programs and small screens."""

    subject: str
    lines: list[str]
    deadline: datetime | None
    url: str
    hand: list[Mapping[str, Any]] | None = None
    """The reader's chips for the turn, with ``number``, ``kind`` and ``label``, or None if no turn waits."""

    reminder_url: str = ""
    """The signed address to ask for a reminder (`play.reminders`), or an empty string."""


def rendered(template: str, layout: str, context: Context) -> str:
    """Render the template of a kind of notification in one of the layouts in `templates/news/mail/`.

    The layouts are ``subject.txt``, ``mail.txt`` and ``mail.html``, and ``daily_part.txt`` and
    ``daily_part.html`` for the daily email. Each layout uses different blocks of the template.
    """
    return SafeString(
        render_to_string(
            template, context | {"layout": f"news/mail/{layout}", "site_url": settings.BASE_URL}
        ).strip()
    )


def summary_of(notice: Notice) -> Summary:
    """Return the short form of a notification, in the reader's language and time zone."""
    kind = KINDS[notice.kind]
    with as_read_by(notice.user):
        context = kind.content(notice).context
        subject = rendered(kind.template, "subject.txt", context)
    more = {"hand": context.get("hand"), "reminder_url": context.get("reminder_url", "")}
    return Summary(subject, context.get("lines", []), context.get("deadline"), context["url"], **more)


def hand_in_words(hand: Iterable[Mapping[str, Any]]) -> str:
    """Return a player's chips as a sentence, in the order of the console."""
    names = [
        (render_to_string("components/chip_name.html", {"kind": chip["kind"]}).strip(), chip["label"])
        for chip in hand
    ]
    chips = [f"{name} ({label})" if label else name for name, label in names]
    return gettext("Your hand: {chips}.").format(chips=", ".join(chips))


Event = Mapping[str, Any]

LINES_PER_DIGEST: Final = 3
"""The maximum number of sentences in the digest of a turn."""

SHARED_EVENTS: Final = frozenset({"destroyed", "inspect", "finish", "over"})
"""The types of events that interest all players."""

OWN_EVENTS: Final = frozenset({"damage", "repair", "weld", "power", "enter", "real", "virtual"})
"""The types of events that interest only the player of the robot concerned."""


def digest(events: Iterable[Event], *, robot: str) -> list[str]:
    """Return sentences about the events of a turn, in order, for the player of ``robot``.

    A repeated sentence appears once, with a count of its occurrences. At most `LINES_PER_DIGEST` sentences
    are returned. The end of the game is most important, then the successes and the destruction of the
    player's robot, then the same events of other robots, then other events of the player's robot. Of equally
    important sentences, the first are returned.
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
    """Return the importance of an event for a robot's player, from 0 (highest) to 3.

    Returns None if the event does not interest the player.
    """
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
    *,
    ship: rules.Starship,
    seen: rules.View,
    looks: Mapping[int, int],
    robot: int | None,
    tracks: raster.Tracks = MappingProxyType({}),
) -> bytes:
    """Draw a game's board as a PNG, as a viewer sees it.

    ``robot`` is the index of a robot whose next checkpoint is marked, or None. ``looks`` maps the
    index of each robot to the number of its picture. ``tracks`` are the robots' ways in the last turn.
    """
    return raster.board_picture(
        ship,
        robots=[each for each in seen.robots if not each.crystal],
        hull=seen.hull,
        following=None if robot is None else seen.robots[robot].next,
        links=seen.links,
        crystal=seen.crystal,
        looks=looks,
        tracks=tracks,
    )


def empty_board_picture(ship: rules.Starship) -> bytes:
    """Draw a starship without robots, as a PNG."""
    return raster.board_picture(ship)
