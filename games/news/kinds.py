"""The kinds of notification, and what a notification says.

Each kind is declared once, in the room that it is about, and found here by its name.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

import rules
from accounts.time_zones import zone_of
from games.fleet import raster
from games.news import models
from games.news.models import Notice, NoticeSubject
from games.wording import sentence_of

Context = dict[str, Any]

Draw = Callable[[], bytes]
"""Draws a picture, for channels that show one: it takes longer than everything else."""


class Told(NamedTuple):
    """What a kind's template says, and what draws the picture that goes with it.

    Of the context, channels read ``url``, ``lines`` (what happened) and ``deadline``.
    """

    context: Context
    draw: Draw


def _at_once(notice: Notice, now: datetime) -> datetime | None:
    return now


def _of_no_turn(notice: Notice) -> int | None:
    return None


@dataclass(frozen=True, kw_only=True)
class Kind:
    """All that distinguishes one kind of notification from the others.

    ``name`` is stored with each notification, and ``label`` names it in lists. ``template`` has its words for
    all channels. ``tell`` returns what the words are about. ``settled`` returns why there is nothing to tell
    any more (a status of `Notice`), None where there is.
    """

    name: str
    label: str | Promise
    template: str
    tell: Callable[[Notice], Told]
    settled: Callable[[Notice], str | None]

    to_players: bool = True
    """Whether it goes to players, who choose how they hear about their games.

    What is about starships comes at once or in the daily mail. All else comes at once.
    """

    daily: int | None = None
    """Its place in the daily mail. None if it comes too late there."""

    drawn: bool = True
    """Whether there is a picture that goes with it."""

    illustrated: bool = True
    """Whether the daily mail shows the board with it."""

    calls: bool = False
    """Whether it calls its reader to a game that waits for them: the daily mail counts these games."""

    always: bool = False
    """Whether it comes even to people who want no mail, because it is about their account."""

    page: Callable[[Notice], tuple[str, str]] | None = None
    """The heading and path of its page, if it is about neither a game, a starship nor the account."""

    urgent: bool = False
    """Whether it may wake a phone that saves its battery."""

    goes_at: Callable[[Notice, datetime], datetime | None] = _at_once
    """When it goes, from now: later for what wakes no player at night, None if it would come too late."""

    happened_in: Callable[[Notice], int | None] = _of_no_turn
    """The turn whose events a feed tells with it, if any."""


PLAIN: Final = "news/mail/plain.html"
"""The template of kinds without a picture, whose words are in `plain`."""


def plain(notice: Notice, *, path: str, lines: list[str] | None = None, **more: Any) -> Told:
    """Return a notification without a picture.

    ``more`` has its ``subject``, what is ``said``, the ``heading`` of the lines, the words of its link
    (``call``), and ``why`` its reader gets it.
    """
    assert notice.user
    context = {"name": notice.user.robo_name, "url": settings.BASE_URL + path, "lines": lines or [], **more}
    return Told(context, bytes)


def subject_of(notice: Notice) -> dict[str, Any]:
    """Return the parameters of a notification whose subject no other row keeps."""
    assert notice.about is not None
    parameters: dict[str, Any] = NoticeSubject.objects.get(pk=notice.about).parameters
    return parameters


KINDS: Final[models.Registry[Kind]] = models.KINDS
"""All kinds, by name."""


def kinds_to_players() -> list[str]:
    """Return the names of the kinds that go to players."""
    return [kind.name for kind in KINDS.values() if kind.to_players]


class Brief(NamedTuple):
    """A notification in short, for programs and small screens."""

    subject: str
    lines: list[str]
    deadline: datetime | None
    url: str


def written(template: str, layout: str, context: Context) -> str:
    """Return a template of a kind in one of the layouts of `templates/news/mail/`.

    A kind has one template, and each layout takes other blocks of it: ``subject.txt``, ``mail.txt``,
    ``mail.html``, and for the daily mail ``daily_part.txt`` and ``daily_part.html``.
    """
    return SafeString(render_to_string(template, context | {"layout": f"news/mail/{layout}"}).strip())


def brief(notice: Notice) -> Brief:
    """Return a notification in short, with times as its reader's clock has them."""
    kind = KINDS[notice.kind]
    context = kind.tell(notice).context
    with timezone.override(zone_of(notice.user.time_zone if notice.user else "UTC")):
        subject = written(kind.template, "subject.txt", context)
    return Brief(subject, context.get("lines", []), context.get("deadline"), context["url"])


Event = Mapping[str, Any]

LINES: Final = 3
"""The most lines of a digest."""

EVERYBODYS: Final = frozenset({"destroyed", "inspect", "finish", "over"})
"""Events that matter to all players."""

OWN: Final = frozenset({"damage", "repair", "weld", "power", "enter", "real", "virtual"})
"""Events that matter to the player whose robot they happen to."""


def digest(events: Iterable[Event], *, robot: str) -> list[str]:
    """Return the events of a turn that matter to one player, as sentences in order.

    Repeated ones appear once. If there are too many, the end of the game comes first, then the successes and
    destruction of the reader's robot, then those of others, then other events of the reader's robot, each
    with the earlier ones first.
    """
    counts: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for event in events:
        rank = _rank(event, robot)
        if rank is not None:
            sentence = sentence_of(event)
            counts[sentence] += 1
            ranks.setdefault(sentence, rank)
    kept = set(sorted(counts, key=ranks.__getitem__)[:LINES])
    return [_times(sentence, count) for sentence, count in counts.items() if sentence in kept]


def _rank(event: Event, robot: str) -> int | None:
    """Return how much an event matters to the player of a robot, 0 the most; None where it does not."""
    own = event.get("robot") == robot
    if event["type"] in EVERYBODYS:
        return 0 if event["type"] == "over" else 1 if own else 2
    return 3 if own and event["type"] in OWN else None


def _times(sentence: str, count: int) -> str:
    if count == 1:
        return sentence
    told = ngettext("{event}, {count} time.", "{event}, {count} times.", count)
    return told.format(event=sentence.removesuffix("."), count=count)


def board_picture(
    *, ship: rules.Starship, seen: rules.View, looks: Mapping[int, int], robot: int | None
) -> bytes:
    """Return a PNG of what a viewer sees; the next checkpoint of ``robot`` (its index) stands out.

    ``looks`` say which of the eight robots one looks like, by robot index.
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
    """Return a PNG of a starship without any robots."""
    return raster.board_picture(ship)
