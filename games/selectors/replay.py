"""A past turn, to be played back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import rules
from games import stored
from games.models import Game, Program, Turn
from games.selectors.game import program_of
from games.selectors.gathering import hands_of
from games.selectors.log import played_turn
from games.selectors.viewers import Viewer


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn that was played, as its viewer sees it: what it led from and to, and its events in between.

    ``documents`` are the events as they are written, one for each of ``events``; ``late`` are the
    robots whose programs chance made up, since their players' time had run out; ``looks`` say what
    players' robots look like, by robot index.
    """

    turn: int
    ship: rules.Starship
    start: rules.View
    end: rules.View
    events: tuple[rules.Event, ...]
    documents: tuple[dict[str, Any], ...]
    late: tuple[str, ...]
    looks: Mapping[int, int]


def replay(*, viewer: Viewer, game: Game, number: int, turn: Turn | None = None) -> Replay:
    """Return a turn to be played back; raises NotFound for one that was not played (yet).

    ``turn`` is that turn, where it was read already.
    """
    turn = turn or played_turn(game, number)
    ship = stored.ship_of(game)
    start = stored.start_of(turn, ship)
    programs = {hand.robot: program_of(hand) for hand in hands_of(turn)}
    late = [robot for robot, made in programs.items() if made and made.by == Program.Author.DEADLINE]
    entries = list(turn.log.order_by("seq"))
    return Replay(
        turn=number,
        ship=ship,
        start=rules.view(start),
        end=rules.view(stored.end_of(turn, ship)),
        events=tuple(stored.events_of(ship, start, entries)),
        documents=tuple(entry.event for entry in entries),
        late=tuple(start.robots[robot - 1].name for robot in late),
        looks=stored.looks_of(game),
    )
