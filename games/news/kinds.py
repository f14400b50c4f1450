"""The kinds of notification: each is declared once, in the room that it is about, and found here by its name.

A room declares its kinds in its module `news`, and `games/notifications.py` lists the rooms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils.functional import Promise

from games.news import registry
from games.news.models import Notice, NoticeSubject

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
    context = {
        "name": notice.user.robo_name,
        "url": settings.BASE_URL + path,
        "lines": lines or [],
        **more,
    }
    return Told(context, bytes)


def subject_of(notice: Notice) -> dict[str, Any]:
    """Return the parameters of a notification whose subject no other row keeps."""
    assert notice.about is not None
    parameters: dict[str, Any] = NoticeSubject.objects.get(pk=notice.about).parameters
    return parameters


KINDS: Final[registry.Registry[Kind]] = registry.KINDS
"""All kinds, by name."""


def kinds_to_players() -> list[str]:
    """Return the names of the kinds that go to players."""
    return [kind.name for kind in KINDS.values() if kind.to_players]
