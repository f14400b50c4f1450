"""The films of a played turn for all its viewers, with their text and recaps, from a cache."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language

import rules
from games.content_cache import LRUCache
from games.films import selectors
from games.films.film import Film
from games.films.pages.recap import Recap, recap_of
from games.films.scenery import Scenery
from games.films.selectors import Replay
from games.play import stored
from games.play.models import Game, Turn
from games.play.selectors import played_turn

TURNS_KEPT: Final = 128
"""The maximum number of turns whose films are cached in each process."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class TurnText:
    """The text of a turn for the game page, with the turn's number and the number of instants in its film."""

    turn: int
    moments: int
    log: str


class StagedFilm(NamedTuple):
    """A film, a drawing of the board at the film's start, and descriptions of the board (``words``)."""

    film: Film
    board: str
    words: list[str]


@dataclass
class TurnFilms:
    """The films of a played turn in one language.

    Viewers whose robots have the same next checkpoints need the same film. ``staged_films`` holds these
    films, by the result of `Film.way_of`. ``documents`` holds the finished JSON documents for
    viewers. ``texts`` and ``recaps`` are by robot index, and ``recaps`` also by the argument ``ended`` of
    `recap_of`. All are filled on first use.
    """

    setup: rules.Setup
    replay: Replay
    documents: dict[Any, bytes] = field(default_factory=dict)
    staged_films: dict[Key, StagedFilm] = field(default_factory=dict)
    texts: dict[int | None, TurnText] = field(default_factory=dict)
    recaps: dict[tuple[int, bool], Recap | None] = field(default_factory=dict)

    @cached_property
    def film(self) -> Film:
        """The film of the turn, without the parts that depend on the viewer."""
        return Film(self.replay)

    def text(self, mine: int | None) -> TurnText:
        """Return the text of the turn for the player of the robot with index ``mine``, or for others."""
        if mine not in self.texts:
            film = self.film.shown_to(mine=mine)
            log = render_to_string("play/log.html", {"film": film, "remarks": self.replay.remarks})
            self.texts[mine] = TurnText(film.turn, len(film.frames), log)
        return self.texts[mine]

    def recap(self, mine: int | None, *, ended: bool) -> Recap | None:
        """Return the recap for the player of the robot with index ``mine``, or None if there is none.

        ``ended`` means that no turn follows, because the game has ended.
        """
        if mine is None:
            return None
        key = mine, ended
        if key not in self.recaps:
            self.recaps[key] = recap_of(self.replay, mine, ended=ended)
        return self.recaps[key]

    def staged(self, racer: str | None) -> StagedFilm:
        """Return the film and the board for the player of the robot ``racer``.

        ``racer`` is None for viewers without a robot, and in rulesets without checkpoints.
        """
        way = self.film.way_of(racer)
        if way not in self.staged_films:
            scenery = Scenery(self.replay, racer, stored.checkpoints_of(self.setup) or None)
            film = self.film.shown_to(scenery)
            self.staged_films[way] = StagedFilm(film, scenery.board(film.entering), scenery.words)
        return self.staged_films[way]

    def cached_document(self, key: Any, make: Callable[[], bytes]) -> bytes:
        """Return the JSON document cached under ``key``. On first use, call ``make`` to create it."""
        if key not in self.documents:
            self.documents[key] = make()
        return self.documents[key]


FILM_CACHE: Final = LRUCache[TurnFilms](TURNS_KEPT, lambda films: 1)


def turn_films(
    *, game: Game, number: int, turn: Turn | None = None, setup: rules.Setup | None = None
) -> TurnFilms:
    """Return the films of a played turn from a cache. Raises NotFound if the turn was not played.

    ``turn`` is the turn's row, and ``setup`` the setup of the game. They are loaded if they are not given.
    The cache key contains everything that a film shows. A changed name therefore appears at once, for example
    if a player deletes their account.
    """
    turn = turn or played_turn(game, number)
    setup = setup or stored.setup_of(game)

    def make() -> TurnFilms:
        return TurnFilms(setup, selectors.replay(game=game, number=number, turn=turn, setup=setup))

    # The cached films hold their setup, so its id stays unique.
    key = id(setup), number, bytes(turn.record or b""), tuple(stored.looks_of(game).items()), get_language()
    return FILM_CACHE.get_or_make(repr(key), make)
