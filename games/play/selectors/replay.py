"""A past turn, to be played back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import rules
from games.language import joined
from games.play import stored
from games.play.models import Game, Hand, Program, Turn
from games.play.models.turns import MISSED
from games.play.selectors.game import put_aside
from games.play.selectors.gathering import hands_of, program_of
from games.play.selectors.log import played_turn
from games.play.selectors.viewers import Viewer

IN_THEIR_PLACE = {
    Program.Author.DEADLINE: "chance filled the registers",
    Program.Author.STANDING: "standing orders were played",
    Program.Author.STAND_IN: "a computer stood in",
}
"""What was played in the place of players whose time was up."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn that was played, as its viewer sees it: what it led from and to, and its events in between.

    ``ship`` is the board as it is drawn. ``documents`` are the events as they are written, one for each of
    ``events``; ``late`` says in sentences whose time had run out, and what was played in their place, and who
    put a hand aside; ``looks`` say what players' robots look like, by robot index; ``missed`` who gave orders
    for those whose time had run out, as in `games.models.Program.Author`. ``announced`` are the sentences
    about power-downs that were ordered for the end of the turn, and ``programs`` the chips that were ordered,
    both by robot index.
    """

    turn: int
    ship: rules.Starship
    start: rules.View
    end: rules.View
    events: tuple[rules.Event, ...]
    documents: tuple[dict[str, Any], ...]
    late: tuple[str, ...]
    looks: Mapping[int, int]
    missed: Mapping[int, str] = field(default_factory=dict)
    announced: Mapping[int, str] = field(default_factory=dict)
    programs: Mapping[int, tuple[rules.Chip | None, ...]] = field(default_factory=dict)


def replay(*, viewer: Viewer, game: Game, number: int, turn: Turn | None = None) -> Replay:
    """Return a turn to be played back; raises NotFound for one that was not played (yet).

    ``turn`` is that turn, where it was read already.
    """
    turn = turn or played_turn(game, number)
    setup = stored.setup_of(game)
    ship = stored.drawn_board(game)
    start = stored.start_of(turn, ship)
    names = [robot.name for robot in start.robots]
    entries = list(turn.log.order_by("seq"))
    hands = hands_of(turn)
    missed = _missed(hands)
    orders = _orders(hands)
    return Replay(
        turn=number,
        ship=ship,
        start=rules.view(start),
        end=rules.view(stored.end_of(turn, ship)),
        events=tuple(stored.events_of(ship, start, entries)),
        documents=tuple(entry.event for entry in entries),
        late=(*_late(names, missed), *_aside(names, hands, setup.ruleset)),
        missed=missed,
        looks=stored.looks_of(game),
        announced=_announced(names, orders, setup.ruleset),
        programs={robot: ordered.registers for robot, ordered in orders.items()},
    )


def _missed(hands: Iterable[Hand]) -> dict[int, str]:
    """Return who gave orders in the place of players whose time had run out, by robot index."""
    programs = ((hand.robot - 1, program_of(hand)) for hand in hands)
    return {robot: program.by for robot, program in programs if program and program.by in MISSED}


def _orders(hands: Iterable[Hand]) -> dict[int, rules.Orders]:
    """Return what was ordered for a turn, by robot index: once it was played, all may know."""
    programs = ((hand.robot - 1, program_of(hand)) for hand in sorted(hands, key=lambda hand: hand.robot))
    return {robot: stored.orders_of(program) for robot, program in programs if program}


def _announced(
    names: Sequence[str], orders: Mapping[int, rules.Orders], ruleset: rules.Ruleset
) -> dict[int, str]:
    """Return who announced a power-down with their orders, in sentences (AM-5.1, GR-3.2, RR-9.3, WS-7)."""
    what = "reboot" if ruleset.has("reboot") else "power-down"
    return {
        robot: f"{names[robot]} announces a {what} for the end of this turn."
        for robot, ordered in orders.items()
        if ordered.power_down
    }


def _aside(names: Sequence[str], hands: Iterable[Hand], ruleset: rules.Ruleset) -> Iterator[str]:
    """Yield who put a hand of turning chips aside in a turn, and which (AM-1.4)."""
    for hand in hands:
        for chips in put_aside(hand, ruleset):
            listed = joined([f"{chip['kind']} {chip['number']}" for chip in chips])
            yield f"{names[hand.robot - 1]} put a hand aside: {listed}."


def _late(names: Sequence[str], missed: Mapping[int, str]) -> Iterator[str]:
    """Yield who ran out of time in a turn, and what was played in their place."""
    for author, what in IN_THEIR_PLACE.items():
        if late := [names[robot] for robot, by in missed.items() if by == author]:
            yield f"{joined(late)} ran out of time: {what}."
