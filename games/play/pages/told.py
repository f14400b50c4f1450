"""A played turn in words: made once for all who read it, as it is the same for each of them."""

import json
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock
from typing import Final

from django.template.loader import render_to_string
from django.utils.translation import get_language

from games.play.models import Game
from games.play.pages.playback import Film
from games.play.selectors.replay import Replay

KEPT: Final = 128
"""Turns that each process remembers: those that are looked at now."""


@dataclass(frozen=True, slots=True)
class ToldTurn:
    """A turn as its game's page shows it: its number, how many moments its film has, and its text."""

    turn: int
    moments: int
    log: str


Key = tuple[int, int, str | None, bytes]

_told: OrderedDict[Key, ToldTurn] = OrderedDict()
_lock = Lock()


def told_turn(game: Game, replay: Replay) -> ToldTurn:
    """Return a turn in words, in the reader's language.

    It is remembered by all that it is made from, so that what changes, such as the name of a player who has
    deleted their account, is never told as it was.
    """
    looks, announced = sorted(replay.looks.items()), sorted(replay.announced.items())
    made_from = json.dumps([replay.documents, replay.late, looks, announced])
    key = game.pk, replay.turn, get_language(), sha256(made_from.encode()).digest()
    with _lock:
        if key in _told:
            _told.move_to_end(key)
            return _told[key]
    told = tell(Film(replay), replay)
    with _lock:
        _told[key] = told
        while len(_told) > KEPT:
            _told.popitem(last=False)
    return told


def tell(film: Film, replay: Replay) -> ToldTurn:
    """Put a film into words."""
    text = render_to_string("play/log.html", {"film": film, "late": replay.late})
    return ToldTurn(film.turn, len(film.frames), text)
