"""Played turns as they are shown: each is read and made once for all who look at it."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any, Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.translation import get_language

import rules
from games.play import stored
from games.play.models import Game, Turn
from games.play.pages.playback import Film
from games.play.pages.scenery import Scenery
from games.play.selectors import replay as play_replay
from games.play.selectors.log import played_turn
from games.play.selectors.replay import Replay

KEPT: Final = 128
"""Turns that each process remembers: those that are looked at now."""

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn as its game's page shows it: its number, how many moments its film has, and its text."""

    turn: int
    moments: int
    log: str


class Stage(NamedTuple):
    """A film with what surrounds the robots: the board's layers at the start, and the board in ``words``."""

    film: Film
    board: str
    words: list[str]


@dataclass
class Reel:
    """A turn that was played, in the language of those who look at it: nothing of it is for one alone.

    ``copies`` are its films, by what makes them different: made when one is asked for. So are the ``stages``,
    by the way of who looks from checkpoint to checkpoint, which many have in common.
    """

    setup: rules.Setup
    replay: Replay
    copies: dict[Any, bytes] = field(default_factory=dict)
    stages: dict[Key, Stage] = field(default_factory=dict)

    @cached_property
    def film(self) -> Film:
        """The turn, instant by instant, without what differs by viewer."""
        return Film(self.replay)

    @cached_property
    def told(self) -> ToldTurn:
        """The turn in words."""
        return tell(self.film, self.replay)

    def stage(self, racer: str | None) -> Stage:
        """Return the turn on the board as the player of a robot sees it."""
        way = self.film.way_of(racer)
        if way not in self.stages:
            scenery = Scenery(self.replay, racer)
            film = self.film.shown_to(scenery)
            self.stages[way] = Stage(film, scenery.board(film.entering), scenery.words)
        return self.stages[way]

    def copy(self, key: Any, make: Callable[[], bytes]) -> bytes:
        """Return a film, which is made when it is first asked for."""
        if key not in self.copies:
            self.copies[key] = make()
        return self.copies[key]


_reels: OrderedDict[Key, Reel] = OrderedDict()
_lock = Lock()


def reel_of(*, game: Game, number: int, turn: Turn | None = None, setup: rules.Setup | None = None) -> Reel:
    """Return a turn that was played; raises NotFound for one that was not (yet).

    ``turn`` is that turn, and ``setup`` the game's, where they were read already. It is remembered by all
    that it is made from, so that what changes, such as the name of a player who has deleted their account,
    is never told as it was.
    """
    turn = turn or played_turn(game, number)
    setup = setup or stored.setup_of(game)
    # The reel keeps its setup, so that no other one gets to have this number.
    key = (id(setup), number, turn.record, tuple(stored.looks_of(game).items()), get_language())
    with _lock:
        if key in _reels:
            _reels.move_to_end(key)
            return _reels[key]
    reel = Reel(setup, play_replay.replay(game=game, number=number, turn=turn, setup=setup))
    if turn.record is not None:
        with _lock:
            _reels[key] = reel
            while len(_reels) > KEPT:
                _reels.popitem(last=False)
    return reel


def tell(film: Film, replay: Replay) -> ToldTurn:
    """Put a film into words."""
    text = render_to_string("play/log.html", {"film": film, "late": replay.late})
    return ToldTurn(film.turn, len(film.frames), text)
