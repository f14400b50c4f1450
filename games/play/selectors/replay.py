"""A past turn, to be played back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.play import stored
from games.play.models import Game, Program, Turn
from games.play.models.turns import MISSED
from games.play.played import Dealt, kept_of
from games.play.selectors.games import put_aside
from games.play.selectors.log import played_turn
from games.wording import joined

IN_THEIR_PLACE = {
    Program.Author.DEADLINE: _("{names} ran out of time: chance filled the registers."),
    Program.Author.STANDING: _("{names} ran out of time: standing orders were played."),
    Program.Author.STAND_IN: _("{names} ran out of time: a computer stood in."),
}
"""What was played in the place of players whose time was up."""

NO_HEADING = _("{names} ran out of time: the heading was chosen for them.")
"""The same about turn 0, which has no registers."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn that was played: what it led from and to, and its events in between.

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


def replay(*, game: Game, number: int, turn: Turn | None = None, setup: rules.Setup | None = None) -> Replay:
    """Return a turn to be played back, the same for all; raises NotFound for one that was not played (yet).

    ``turn`` is that turn, and ``setup`` the game's, where they were read already.
    """
    turn = turn or played_turn(game, number)
    setup = setup or stored.setup_of(game)
    ship = stored.drawn_board(setup)
    kept = kept_of(turn)
    start = stored.start_in(kept, ship)
    events = stored.events_in(kept, ship, start)
    names = kept.names
    programs = [(hand.robot - 1, hand.program) for hand in kept.hands if hand.program]  # all may know them
    missed = {robot: program.by for robot, program in programs if program.by in MISSED}
    orders = {robot: stored.orders_of(program) for robot, program in programs}
    return Replay(
        turn=number,
        ship=ship,
        start=rules.view(start),
        end=rules.view(rules.fold(start, events)),
        events=tuple(events),
        documents=kept.events,
        late=(
            *_late(names, missed, number),
            *_aside(names, kept.hands, setup.ruleset),
        ),
        missed=missed,
        looks=stored.looks_of(game),
        announced=_announced(names, orders, setup.ruleset),
        programs={robot: ordered.registers for robot, ordered in orders.items()},
    )


def _announced(
    names: Sequence[str], orders: Mapping[int, rules.Orders], ruleset: rules.Ruleset
) -> dict[int, str]:
    """Return who announced a power-down with their orders, in sentences (AM-5.1, GR-3.2, RR-9.3, WS-7)."""
    if ruleset.has("reboot"):
        said = gettext("{name} announces a reboot for the end of this turn.")
    else:
        said = gettext("{name} announces a power-down for the end of this turn.")
    return {robot: said.format(name=names[robot]) for robot, ordered in orders.items() if ordered.power_down}


def _aside(names: Sequence[str], hands: Iterable[Dealt], ruleset: rules.Ruleset) -> Iterator[str]:
    """Yield who put a hand of turning chips aside in a turn, and which (AM-1.4)."""
    for hand in hands if ruleset.sets_aside else ():
        for chips in put_aside(hand, ruleset):
            listed = joined([f"{chip['kind']} {chip['number']}" for chip in chips])
            aside = gettext("{name} put a hand aside: {chips}.")
            yield aside.format(name=names[hand.robot - 1], chips=listed)


def _late(names: Sequence[str], missed: Mapping[int, str], number: int) -> Iterator[str]:
    """Yield who ran out of time in a turn, and what was played in their place."""
    said = IN_THEIR_PLACE if number else dict.fromkeys(IN_THEIR_PLACE, NO_HEADING)
    for author, what in said.items():
        if late := [names[robot] for robot, by in missed.items() if by == author]:
            yield str(what).format(names=joined(late))
