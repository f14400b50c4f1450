"""The content of announcements: as spectators see it, in the language of the channel.

The content is collected when an announcement is sent, so it is up to date. An announcement that is no longer
true is left out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.urls import reverse
from django.utils.translation import gettext, ngettext

import rules
from accounts.navigation import reverse_with_next
from games.errors import number_in
from games.groups.models import Announcement, News
from games.news.kinds import board_picture, digest
from games.play import stored
from games.play.game_view import game_view
from games.play.models import Game, Turn
from games.play.selectors import early_end_in_words, winner_name
from games.play.stored import turn_record
from games.wording import names_in_words

OLDEST: Final = timedelta(days=1)
"""The age at which news is no longer posted, such as after a long failure of the service."""

TABLES_LISTED: Final = 12
"""The maximum number of tables in the announcement of a round."""

NAMES_LISTED: Final = 8
"""The maximum number of players in the announcement of the end of a tournament."""

LONGEST_LINE: Final = 300
"""The maximum number of characters in a line. Longer lines are cut."""


@dataclass
class Item:
    """A piece of news: a title with a link, lines, a deadline or None, and a picture or None.

    ``picture`` is the address of the picture, and ``draw`` is the function to draw it. ``facts`` has the
    values for programs.
    """

    announcements: list[int]
    title: str
    lines: list[str]
    url: str
    deadline: datetime | None = None
    picture: str = ""
    draw: Callable[[], bytes] | None = None
    facts: dict[str, Any] = field(default_factory=dict)


def items_of(announcements: Iterable[Announcement], *, now: datetime) -> list[Item]:
    """Return the content of announcements that are still true, in order. Call it in the right language."""
    return [item for each in announcements if (item := item_of(each, now=now))]


def item_of(announcement: Announcement, *, now: datetime) -> Item | None:
    """Return the content of an announcement, or None if it is outdated."""
    if now - announcement.created_at > OLDEST:
        return None
    if announcement.game is None:
        return _about_tournament(announcement)
    game = announcement.game
    match announcement.kind:
        case News.TURN if announcement.number == 0:
            return _turn(announcement, game, gettext("All choose a heading. Waiting for {players}."))
        case News.TURN:
            return _turn(announcement, game, gettext("It’s turn {turn}. Waiting for {players}."))
        case News.DEADLINE:
            return _turn(announcement, game, gettext("Turn {turn} ends soon. Still missing: {players}."))
        case News.PLAYED:
            return _played(announcement, game)
    return _end(announcement, game)


def joined(items: Sequence[Item]) -> list[Item]:
    """Join neighbouring items with the same title and link, such as a played turn and the next turn."""
    found: list[Item] = []
    for item in items:
        last = found[-1] if found else None
        if last is None or (last.title, last.url) != (item.title, item.url) or (last.draw and item.draw):
            found.append(item)
            continue
        found[-1] = Item(
            announcements=last.announcements + item.announcements,
            title=item.title,
            lines=last.lines + item.lines,
            url=item.url,
            deadline=item.deadline or last.deadline,
            picture=last.picture or item.picture,
            draw=last.draw or item.draw,
        )
    return found


def _turn(announcement: Announcement, game: Game, sentence: str) -> Item | None:
    """Return the content about an open turn, with the players whose orders are missing."""
    if game.status != Game.Status.RUNNING or game.turn != announcement.number:
        return None
    seen = game_view(viewer=AnonymousUser(), game=game)
    if not seen.waiting_for:
        return None
    return Item(
        [announcement.pk],
        game.name,
        [sentence.format(turn=announcement.number, players=names_in_words(seen.waiting_for))],
        _url(game),
        deadline=seen.deadline,
        facts=_facts(announcement, game) | {"players": seen.waiting_for},
    )


def _played(announcement: Announcement, game: Game) -> Item | None:
    number = announcement.number
    turn = game.turns.filter(number=number, status=Turn.Status.RESOLVED).first()
    if turn is None:
        return None
    first = (
        gettext("Turn {turn} was played.").format(turn=number) if number else gettext("All headings are set.")
    )
    lines = [str(line) for line in digest(turn_record(turn).events, robot="")]
    return Item(
        [announcement.pk],
        game.name,
        [first, *lines],
        _url(game),
        picture=picture_url(game, number),
        draw=lambda: draw_turn(game, turn),
        facts=_facts(announcement, game),
    )


def _end(announcement: Announcement, game: Game) -> Item | None:
    if game.ended_at is None:
        return None
    if game.ended_early:
        said = early_end_in_words(game)
    elif game.status == Game.Status.CANCELLED:
        said = gettext("The game was cancelled before it started.")
    elif game.winner:
        said = gettext("The game is over. {winner} won.").format(winner=winner_name(game))
    else:
        said = gettext("The game is over. No robot won.")
    return Item([announcement.pk], game.name, [said], _url(game), facts=_facts(announcement, game))


def _about_tournament(announcement: Announcement) -> Item | None:
    tournament: Any = announcement.tournament
    path = tournament.get_absolute_url()
    lines: list[str]
    if announcement.kind == News.ROUND:
        made = tournament.all_rounds.filter(number=announcement.number).first()
        if made is None or made.closed_at is not None:
            return None
        path = reverse("tournaments:round", args=[tournament.pk, made.number])
        tables = made.tables.prefetch_related("places__entrant__user").order_by("number")
        lines = [gettext("Round {number} was drawn.").format(number=made.number)]
        for table in tables[:TABLES_LISTED]:
            names = [place.entrant.user.robo_name for place in table.places.all()]
            lines.append(
                gettext("Table {number}: {players}").format(number=table.number, players=", ".join(names))
            )
        if (more := tables.count() - TABLES_LISTED) > 0:
            lines.append(ngettext("And {number} more.", "And {number} more.", more).format(number=more))
    elif tournament.ended_at is None:
        return None
    elif tournament.status == "cancelled" or tournament.ending:
        lines = [tournament.get_ending_display() or gettext("The tournament was cancelled.")]
    else:
        lines = [gettext("The tournament is over.")]
    if announcement.kind == News.END and tournament.status == "finished":
        placed = tournament.entrants.filter(place__isnull=False).select_related("user")
        lines += [
            gettext("{place}: {player}").format(place=each.place, player=each.user.robo_name)
            for each in placed.order_by("place", "pk")[:NAMES_LISTED]
        ]
    facts = {
        "kind": announcement.kind,
        "created_at": announcement.created_at,
        "tournament": {"id": tournament.pk, "name": tournament.name},
        "round": announcement.number or None,
    }
    return Item([announcement.pk], tournament.name, lines, settings.BASE_URL + path, facts=facts)


def _facts(announcement: Announcement, game: Game) -> dict[str, Any]:
    return {
        "kind": announcement.kind,
        "created_at": announcement.created_at,
        "game": {"id": game.pk, "name": game.name},
        "turn": announcement.number if announcement.kind != News.END else game.turn,
    }


def _url(game: Game) -> str:
    """Return the address of a game's page. A private game needs a login, so its address leads there first."""
    path = game.get_absolute_url()
    return settings.BASE_URL + (reverse_with_next("account_login", path) if game.private else path)


# --- Pictures -----------------------------------------------------------------------------------------------


_SIGNER: Final = signing.Signer(salt="games.groups.picture")


def picture_url(game: Game, number: int) -> str:
    """Return the address of the picture of a played turn.

    The address for a private game has a signature, since services fetch pictures without a login.
    """
    if game.private:
        path = reverse("groups:picture", args=[picture_key(game, number)])
    else:
        path = reverse("games:picture", args=[game.pk, number, "light"])
    return settings.BASE_URL + path


def picture_key(game: Game, number: int) -> str:
    """Return the signed part of the address of a picture."""
    return _SIGNER.sign(f"{game.pk}-{number}")


def turn_of_picture(key: str) -> tuple[int, int] | None:
    """Return the ID of the game and the number of the turn in the signed address of a picture, or None."""
    try:
        game, _dash, number = _SIGNER.unsign(key).partition("-")
    except signing.BadSignature:
        return None
    found = number_in(game), number_in(number)
    return (found[0], found[1]) if found[0] is not None and found[1] is not None else None


def draw_turn(game: Game, turn: Turn) -> bytes:
    """Draw the board at the end of a played turn as a PNG, without secrets."""
    ship = stored.drawn_board(stored.setup_of(game))
    seen = rules.view(stored.state_of(turn, ship))
    return board_picture(ship=ship, seen=seen, looks=stored.looks_of(game), robot=None)
