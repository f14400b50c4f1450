"""Shared pages and games: permissions, titles and results, text, and oEmbed documents."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, NotRequired, TypedDict
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext, ngettext

import rules
from games.errors import NotFound
from games.play import stored
from games.play.models import Game, Seat, Turn
from games.play.selectors import early_end_in_words, seats_of, winner_name
from games.play.stored import each_played
from games.play.viewers import game_for
from games.sharing.drawing import PICTURE_SIZE, Placing
from games.wording import WORDS, names_in_words
from rules.grid import AFTER

# --- Access -------------------------------------------------------------------------------------------------


def is_shared(game: Game) -> bool:
    """Return whether anyone may share a game: it is public, it is over, and a turn of it was played."""
    return game.was_played and not game.private and last_turn_of(game) is not None


def shared_game(game_id: int) -> Game:
    """Return a finished public game. Raises NotFound for any other game, even for its players."""
    game = game_for(viewer=AnonymousUser(), game_id=game_id)
    if not is_shared(game):
        raise NotFound("not-shared", gettext("Only finished public games can be shared."))
    return game


def last_turn_of(game: Game) -> int | None:
    """Return the number of the last turn that was played, or None."""
    turns = stored.played_turns(game)
    return turns[-1] if turns else None


# --- Shared pages -------------------------------------------------------------------------------------------


EMBED_WIDTH: Final = 480
"""The usual width of an embedded player, in pixels."""

LEAST_EMBED: Final = 200
"""The minimum width and height of an embedded player, in pixels."""

MOST_EMBED_HEIGHT: Final = 1000
"""The maximum height of an embedded player, in pixels."""

CONTROLS_HEIGHT: Final = 262
"""The height of an embedded player without the board, in pixels."""


@dataclass(frozen=True, slots=True)
class SharedPage:
    """A page that people share: its title and description, and its addresses.

    ``url`` is the canonical address, ``picture`` a picture of `PICTURE_SIZE`, and ``embed`` the embedded
    player. ``board`` is the width and height of the board, in cells.
    """

    title: str
    description: str
    url: str
    picture: str
    embed: str
    board: tuple[int, int]

    def size(self, max_width: int | None = None, max_height: int | None = None) -> tuple[int, int]:
        """Return the width and height of the embedded player in pixels, within the given limits."""
        width = min(EMBED_WIDTH, max_width or EMBED_WIDTH)
        columns, rows = self.board
        height = width * (rows + 1) // (columns + 1) + CONTROLS_HEIGHT
        return width, min(height, MOST_EMBED_HEIGHT, max_height or MOST_EMBED_HEIGHT)

    def code(self, max_width: int | None = None, max_height: int | None = None) -> str:
        """Return the HTML that shows the embedded player on another site."""
        width, height = self.size(max_width, max_height)
        return format_html(
            '<iframe src="{}" title="{}" width="{}" height="{}" style="border:0;max-width:100%"'
            ' loading="lazy" referrerpolicy="no-referrer"></iframe>',
            self.embed,
            self.title,
            width,
            height,
        )

    @property
    def oembed(self) -> str:
        """The address of the oEmbed document."""
        return f"{settings.BASE_URL}{reverse('sharing:oembed')}?{urlencode({'url': self.url})}"


def page_of_game(game: Game, number: int | None = None) -> SharedPage:
    """Return the shared page of a finished game, or of one of its turns if there is a ``number``."""
    ship = stored.ship_of(game)
    turn = [] if number is None else [number]
    kind = "" if number is None else "_turn"
    title = game.name
    if number is not None:
        title = gettext("Turn {number} of {game}").format(number=number, game=game.name)
    return SharedPage(
        title=title,
        description=f"{result_of(game)} {_facts_about(game)}",
        url=_url("games:game" if number is None else "games:turn", game, *turn),
        picture=_url(f"sharing:picture{kind}", game, *turn),
        embed=_url(f"sharing:embed{kind}", game, *turn),
        board=(ship.width, ship.height),
    )


def _url(name: str, game: Game, *turn: int) -> str:
    return settings.BASE_URL + reverse(name, args=[game.pk, *turn])


def result_of(game: Game) -> str:
    """Return a sentence about the end of a finished game."""
    if game.ended_early:
        return early_end_in_words(game)
    if game.winner:
        return gettext("{winner} won.").format(winner=winner_name(game))
    return gettext("No robot won.")


def _facts_about(game: Game) -> str:
    """Return sentences about a game: the length, ruleset, board and players, in the order of the results."""
    turns = last_turn_of(game) or 0
    length = ngettext(
        "{number} turn of {ruleset} on {board}.", "{number} turns of {ruleset} on {board}.", turns
    ).format(number=turns, ruleset=stored.edition_of(game).name, board=game.board_name)
    players = names_in_words([seat.robo_name for seat in ranked_seats(game)])
    return f"{length} {gettext('Players: {names}.').format(names=players)}"


def ranked_seats(game: Game) -> list[Seat]:
    """Return the seats of a game in the order of the results. The winner comes first."""

    def rank(seat: Seat) -> tuple[bool, int, int]:
        won = bool(game.winner) and game.winner in (seat.robo_name, seat.squad)
        return not won, seat.place or len(seats) + 1, seat.number

    seats = seats_of(game)
    return sorted(seats, key=rank)


def placings_of(game: Game) -> list[Placing]:
    """Return the robots in the order of the results, for pictures."""
    return [Placing(seat.look, seat.place) for seat in ranked_seats(game)]


# --- oEmbed -------------------------------------------------------------------------------------------------


class OembedView(TypedDict):
    """An oEmbed document for a shared page, as the specification at oembed.com describes it."""

    version: Annotated[str, ("1.0",)]
    type: Annotated[str, ("rich",)]
    provider_name: str
    provider_url: str
    title: str
    html: str
    width: int
    height: int
    cache_age: Annotated[int, "In seconds."]
    thumbnail_url: NotRequired[str]
    thumbnail_width: NotRequired[int]
    thumbnail_height: NotRequired[int]


CACHE_AGE: Final = 300
"""The number of seconds that other sites may keep an embedded player or an oEmbed document.

It is short, because a player may be renamed or deleted.
"""


def oembed_view(
    page: SharedPage, *, max_width: int | None = None, max_height: int | None = None
) -> OembedView:
    """Return the oEmbed document of a shared page.

    The player and the picture respect ``max_width`` and ``max_height``. A picture that is too large is left
    out.
    """
    width, height = page.size(max_width, max_height)
    view: OembedView = {
        "version": "1.0",
        "type": "rich",
        "provider_name": settings.SITE_NAME,
        "provider_url": settings.BASE_URL,
        "title": page.title,
        "html": page.code(max_width, max_height),
        "width": width,
        "height": height,
        "cache_age": CACHE_AGE,
    }
    wide, high = PICTURE_SIZE
    if wide <= (max_width or wide) and high <= (max_height or high):
        view |= {"thumbnail_url": page.picture, "thumbnail_width": wide, "thumbnail_height": high}
    return view


# --- Text ---------------------------------------------------------------------------------------------------


def text_of(game: Game) -> Iterator[str]:
    """Yield the lines of a finished game as plain text: the result, and each turn, sentence by sentence."""
    page = page_of_game(game)
    yield from (game.name, "=" * len(game.name), "", page.description, page.url)
    for turn, played in each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")):
        yield from lines_of_turn(turn.number, played.events)


def lines_of_turn(number: int, events: Iterable[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of a turn as plain text, sentence by sentence, from its ``events`` as documents."""
    title = gettext("Turn {number}").format(number=number) if number else gettext("Headings")
    yield from ("", title, "-" * len(title))
    phase = 0
    for event in events:
        if event["phase"] == AFTER != phase:
            yield from ("", gettext("End of the turn"))
        phase = event["phase"]
        if event["type"] == "phase":
            yield from ("", rules.sentence(event, WORDS))
        elif event["type"] != "shot" or event.get("hit") is not None:
            yield f"- {rules.sentence(event, WORDS)}"
