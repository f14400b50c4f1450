"""Films of turns that are played outside of games, in daily runs and puzzles."""

from collections.abc import Mapping
from typing import Any

import rules
from games.films.film import Film
from games.films.scenery import Scenery
from games.films.selectors import Replay
from games.play import stored


def film_of(
    *,
    turn: int,
    ship: rules.Starship,
    start: rules.State,
    events: tuple[rules.Event, ...],
    looks: Mapping[int, int],
    mine: int | None,
    goal: int | None,
) -> tuple[dict[str, Any], Film]:
    """Return the film of a turn: its document for the script, and the film for its text.

    ``looks`` are the pictures of the robots by index, ``mine`` is the index of the reader's robot or None,
    and ``goal`` is the number of the last checkpoint.
    """
    replay = Replay(
        turn=turn,
        ship=ship,
        start=rules.view(start),
        end=rules.view(rules.fold(start, events)),
        events=events,
        documents=tuple(rules.events_to_json(stored.vocabulary_of(ship, start), events)),
        remarks=(),
        looks=dict(looks),
    )
    scenery = Scenery(replay, None if mine is None else start.robots[mine].name, goal)
    film = Film(replay).shown_to(scenery, mine=mine)
    document = {
        "turn": turn,
        "film": film.document,
        "board": scenery.board(film.entering),
        "words": scenery.words,
        "log": "",
        "grid": "",
    }
    return document, film
