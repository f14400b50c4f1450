"""Read the chat of a game, and find rude words in it."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypedDict

from django.db.models import Count, Expression, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import User
from accounts.services import placeholder_of
from games.chat.models import ChatLine
from games.errors import view_of_row
from games.people.contacts import blocked_by
from games.people.models import Block
from games.play.models import Game, Seat
from games.play.selectors import prefetch_seats, seats_of
from games.play.viewers import Viewer, game_for, seat_of
from roborunner.postgres.queries import PreparedQuery

if TYPE_CHECKING:
    from glin_profanity import Filter


LANGUAGES: Final = ("english", "german")

MASKS: Final = "*#"
"""Characters that can replace letters inside a word. At the start or end of a word, they mark emphasis."""

LETTERS_PER_CHARACTER: Final = 3
"""The maximum number of letters that one character may stand for, as “ﬃ” stands for three.

The filter ignores characters that stand for more letters. No rude word needs them.
"""

_AROUND: Final = re.compile(rf"(?<!\w)[{MASKS}]+|[{MASKS}]+(?!\w)")


def read_word_list(name: str) -> set[str]:
    """Return the words in a text file next to this module, given the file's name without “.txt”."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


@lru_cache(maxsize=4096)
def is_rude(text: str) -> bool:
    """Return whether a text has rude words, even with masked letters or with spaces between letters.

    >>> is_rude("What a bullshit move"), is_rude("f*ck, my robot"), is_rude("So ein Arschloch")
    (True, True, True)
    >>> is_rude("Shoot, push, destroy: one hell of a turn in the cockpit, Mr Dickens!")
    False
    """
    return bool(_filter().is_profane(_AROUND.sub(" ", _bounded(text))))


def _bounded(text: str) -> str:
    """Replace each character that stands for more than `LETTERS_PER_CHARACTER` letters with a space.

    >>> _bounded("ﬃ\ufdfa!")
    'ﬃ !'
    """
    if text.isascii():
        return text
    return "".join(
        each if len(unicodedata.normalize("NFKD", each)) <= LETTERS_PER_CHARACTER else " " for each in text
    )


@cache
def _filter() -> "Filter":
    from glin_profanity import Filter
    from glin_profanity.data.dictionary import dictionary

    # Rude phrases are rare, but the search for them took four fifths of the time.
    phrases = {word for language in LANGUAGES for word in dictionary.get_words(language) if " " in word}
    return Filter(
        {
            "languages": list(LANGUAGES),
            "custom_words": sorted(read_word_list("rude")),
            "ignore_words": sorted(read_word_list("ordinary") | phrases),
            "obfuscation": {"masking": {"chars": f"{MASKS}$"}},
        }
    )


LINES_PER_QUERY = 500
"""The maximum number of chat lines that one query returns."""

GROUPING_GAP = timedelta(minutes=5)
"""Consecutive lines by one player form a block if the gap between two lines is shorter than this."""

MENTION = re.compile(r"(?<![\w.@])@([A-Za-z][A-Za-z0-9_-]*)")
"""Matches a mention of a player: an @ followed by a Robo Name."""


@dataclass(frozen=True, slots=True)
class VisibleLine:
    """A chat line as a viewer sees it.

    ``seat`` and ``look`` are the author's seat number and robot, or None if the author left the game.
    ``mine`` says whether the viewer wrote the line, ``new`` whether the viewer has not read it, and
    ``may_report`` whether the viewer may report it. A ``hidden`` line has no text: the viewer has blocked
    the author, or staff have hidden the line (``by_staff``). ``goes_on`` says that the line follows another
    line by its author within `GROUPING_GAP`. A ``filtered`` line is rude, and pages collapse it.
    """

    id: int
    name: str
    seat: int | None
    look: int | None
    text: str
    at: datetime
    mine: bool
    new: bool
    goes_on: bool
    hidden: bool
    filtered: bool
    by_staff: bool
    may_report: bool


@dataclass(frozen=True, slots=True)
class ChatLines:
    """Some consecutive lines of a chat, oldest first. ``earlier`` says whether the chat has earlier lines."""

    lines: tuple[VisibleLine, ...]
    earlier: bool

    @property
    def last(self) -> int:
        """The ID of the last of the chat lines, or 0 if there are no lines."""
        return self.lines[-1].id if self.lines else 0

    @property
    def unread(self) -> int:
        """The number of the chat lines that the viewer has not read."""
        return sum(line.new for line in self.lines)

    @property
    def first_new(self) -> int | None:
        """The ID of the first chat line that the viewer has not read, or None if all lines are read."""
        return next((line.id for line in self.lines if line.new), None)


class ChatLineView(TypedDict):
    """A chat message."""

    id: int
    name: Annotated[str, "The author's Robo Name at that time."]
    seat: Annotated[int | None, "The author's seat; null if they left."]
    text: Annotated[str, "Plain text. It may have line breaks."]
    at: datetime
    hidden: Annotated[bool, "The text is empty, because you blocked the author or staff hid the message."]
    filtered: Annotated[bool, "It has rude words, and your settings hide such messages."]


class ChatView(TypedDict):
    """Chat messages, in order."""

    results: list[ChatLineView]
    next: Annotated[int, "The `after` value for the next messages."]
    read: Annotated[int | None, "The `id` of the last message that you read; null if you don't play."]


def chat_after(*, viewer: Viewer, game: Game, after: int = 0) -> ChatView:
    """Return the chat lines with a larger ID than ``after``, oldest first, as the API returns them.

    Anyone who may see the game may read its chat. There are at most `LINES_PER_QUERY` lines.
    """
    prefetch_seats(game=game)
    lines = lines_after(viewer=viewer, game=game, after=after).lines
    seat = seat_of(viewer=viewer, game=game)
    return {
        "results": [view_of_row(ChatLineView, line) for line in lines],
        "next": lines[-1].id if lines else after,
        "read": seat.read_chat if seat else None,
    }


def chat_line(*, viewer: Viewer, line: ChatLine) -> ChatLineView:
    """Return one chat line as the API returns it."""
    return view_of_row(ChatLineView, *visible_lines(viewer=viewer, game=line.game, lines=[line]))


def lines_after(*, viewer: Viewer, game: Game, after: int, limit: int = LINES_PER_QUERY) -> ChatLines:
    """Return the chat lines with a larger ID than ``after``, oldest first, as the viewer sees them."""
    found = list(chat_lines(game=game).filter(pk__gte=after)[: limit + 1])
    known = bool(found) and found[0].pk == after
    seen = visible_lines(viewer=viewer, game=game, lines=found[: limit + known])
    return ChatLines(seen[1:] if known else seen, earlier=after > 0)


def latest_lines(*, viewer: Viewer, game: Game, limit: int) -> ChatLines:
    """Return the latest ``limit`` chat lines, oldest first, as the viewer sees them."""
    found = _latest(limit + 1)(game.pk)
    return ChatLines(
        visible_lines(viewer=viewer, game=game, lines=found[:limit][::-1]), earlier=len(found) > limit
    )


@cache
def _latest(number: int) -> PreparedQuery[ChatLine]:
    """Return a prepared query for the latest ``number`` lines of a game's chat, newest first."""
    return PreparedQuery(lambda game: ChatLine.objects.filter(game=game).order_by("-pk")[:number], int)


def visible_lines(*, viewer: Viewer, game: Game, lines: list[ChatLine]) -> tuple[VisibleLine, ...]:
    if not lines:
        return ()
    seats = {seat.user_id: seat for seat in seats_of(game) if seat.user_id is not None}
    mine = seat_of(viewer=viewer, game=game)
    before = [None, *lines]
    blocked = _blocked_among(viewer, lines)
    return tuple(
        _line(
            line,
            seats.get(line.user_id or 0),
            mine,
            viewer,
            goes_on=last is not None and _goes_on(last, line),
            blocked=line.user_id in blocked,
        )
        for last, line in zip(before, lines, strict=False)
    )


def _blocked_among(viewer: Viewer, lines: list[ChatLine]) -> set[int]:
    """Return the user IDs of the lines' authors whom the viewer has blocked."""
    if not isinstance(viewer, User) or viewer.is_guest:
        return set()
    writers = {line.user_id for line in lines} - {None, viewer.pk}
    if not writers:
        return set()
    return set(Block.objects.filter(user=viewer, blocked__in=writers).values_list("blocked", flat=True))


def chat_lines(*, game: Game) -> QuerySet[ChatLine]:
    """Return all lines of a game's chat, oldest first."""
    return ChatLine.objects.filter(game=game).order_by("pk")


def line_for(*, viewer: Viewer, line_id: int) -> ChatLine | None:
    """Return a chat line, or None if the line does not exist or staff have hidden it.

    Raises NotFound if the viewer may not see the line's game.
    """
    line = ChatLine.objects.select_related("game").filter(pk=line_id, hidden_at=None).first()
    if line is not None:
        game_for(viewer=viewer, game_id=line.game_id)
    return line


def unread_by(viewer: Viewer) -> Expression:
    """Return an expression for the number of the viewer's unread chat lines, to annotate a query of games.

    The number is 0 if the viewer has no seat in the game.
    """
    if not isinstance(viewer, User):
        return Value(0)
    read = Seat.objects.filter(game=OuterRef("game"), user=viewer).values("read_chat")[:1]
    lines = ChatLine.objects.filter(game=OuterRef("pk"), pk__gt=Subquery(read)).exclude(user=viewer)
    lines = lines.exclude(user__in=blocked_by(viewer))
    counted = lines.order_by().values("game").annotate(unread=Count("pk")).values_list("unread")
    return Coalesce(Subquery(counted), 0)


def is_filtered(line: ChatLine, *, reader: Viewer) -> bool:
    """Return whether the reader's filter hides a chat line, because it is rude and by another player.

    For strangers, the filter is on, as it is for new accounts.
    """
    if isinstance(reader, User) and (line.user_id == reader.pk or not reader.chat_filter):
        return False
    return line.rude


def _goes_on(last: ChatLine, line: ChatLine) -> bool:
    return (last.user_id, last.name) == (line.user_id, line.name) and line.at - last.at < GROUPING_GAP


def _may_report(viewer: Viewer, line: ChatLine) -> bool:
    """Return whether the viewer may report a chat line.

    People with an account may report lines by other players, unless the author's account was deleted.
    """
    if not isinstance(viewer, User) or viewer.is_guest or line.user_id in (None, viewer.pk):
        return False
    return line.name != placeholder_of(User(pk=line.user_id))


def _line(
    line: ChatLine, seat: Seat | None, mine: Seat | None, viewer: Viewer, *, goes_on: bool, blocked: bool
) -> VisibleLine:
    by_staff = line.hidden_at is not None
    hidden = blocked or by_staff
    own = mine is not None and line.user_id == mine.user_id
    return VisibleLine(
        id=line.pk,
        name=line.name,
        seat=seat.number if seat else None,
        look=seat.look if seat else None,
        text="" if hidden else line.text,
        at=line.at,
        mine=own,
        new=mine is not None and not own and not hidden and line.pk > mine.read_chat,
        goes_on=goes_on,
        hidden=hidden,
        filtered=not hidden and is_filtered(line, reader=viewer),
        by_staff=by_staff,
        may_report=not hidden and _may_report(viewer, line),
    )


def mentions_player(text: str, name: str) -> bool:
    """Return whether a text mentions a player by Robo Name, ignoring case.

    >>> mentions_player("Well, @bob: your move.", "Bob"), mentions_player("bob@example.org", "Bob")
    (True, False)
    """
    wanted = name.lower()
    return any(found.lower() in (wanted, f"{wanted}-", f"{wanted}_") for found in MENTION.findall(text))


MENTIONS_QUOTED = 3
"""The maximum number of chat lines that a notification quotes."""


def mentions_unread(*, seat: Seat) -> list[ChatLine]:
    """Return the latest unread chat lines that mention the player on a seat, oldest first.

    There are at most `MENTIONS_QUOTED` lines.
    """
    if seat.user is None:
        return []
    name = seat.user.robo_name
    lines = ChatLine.objects.filter(game=seat.game_id, pk__gt=seat.read_chat, text__icontains=f"@{name}")
    lines = lines.filter(hidden_at=None)
    lines = lines.exclude(user__in=blocked_by(seat.user))
    found = [
        line for line in lines.exclude(user=seat.user).order_by("-pk") if mentions_player(line.text, name)
    ]
    return found[:MENTIONS_QUOTED][::-1]
