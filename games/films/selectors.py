"""Selectors of played turns: the log of a game, one turn for the API, and a turn's replay."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Annotated, Any, TypedDict

from django.utils.translation import gettext, gettext_lazy as _

import rules
from games.fleet.pictures import letter_of
from games.play import stored
from games.play.game_view import BoardDocument, ChipView, Log, OrdersDocument, put_aside, write_board
from games.play.models import SUBSTITUTE_AUTHORS, Game, Program, Turn
from games.play.selectors import played_turn
from games.play.stored import PlayedHand, TurnRecord, each_played, turn_record
from games.wording import names_in_words

Document = dict[str, Any]

EVENTS_PER_PAGE = 1000
"""The default maximum number of events that `log_after` returns."""


class LogView(TypedDict):
    """A part of the log of a game."""

    events: Log
    next: Annotated[int, "The cursor to send as `after` for the next events."]


class ProgramView(TypedDict):
    """The orders of a robot in a played turn."""

    robot: str
    seat: int
    by: Annotated[
        str, Program.Author, "The author of the orders: the player, or the substitute when time ran out."
    ]
    redealt: Annotated[int | None, "The ordinal of the redrawn hand in the turn; null without a redraw."]
    aside: Annotated[list[list[ChipView]], "The hands put aside in that turn."]
    orders: OrdersDocument


class PastTurnView(TypedDict):
    """A turn that has been played."""

    turn: int
    resolved_at: datetime
    head: Annotated[str | None, "The head after the turn; null in games from before heads."]
    programs: list[ProgramView]
    view: Annotated[BoardDocument, "The board at the start of the turn."]
    after: Annotated[BoardDocument, "The board after the turn."]
    events: Log


def log_after(*, game: Game, seq: int = 0, limit: int = EVENTS_PER_PAGE) -> LogView:
    """Return the events of a game after the event ``seq``, each with its ``seq`` and ``turn``.

    ``next`` is the ``seq`` to pass to the next call. All events are public.
    """
    unread = game.turns.filter(status=Turn.Status.RESOLVED, last_seq__gt=seq)
    written = (
        event
        for turn, played in each_played(unread.order_by("number"))
        for event in _written(turn, played)
        if event["seq"] > seq
    )
    events = list(islice(written, limit))
    return {"events": events, "next": events[-1]["seq"] if events else seq}


def past_turn(*, game: Game, number: int) -> PastTurnView:
    """Return a turn that was played. Raises NotFound if the turn was not played."""
    turn = played_turn(game, number)
    setup = stored.setup_of(game)
    ship = setup.starship
    played = turn_record(turn)
    start, end = stored.start_in(played, ship), stored.end_in(played, ship)
    assert turn.resolved_at is not None
    return {
        "turn": number,
        "resolved_at": turn.resolved_at,
        "head": turn.head or None,
        "programs": [
            {
                "robot": start.robots[hand.robot - 1].name,
                "seat": hand.robot,
                "by": hand.program.by,
                "redealt": hand.redealt,
                "aside": put_aside(hand, setup.ruleset),
                "orders": hand.program.orders,
            }
            for hand in played.hands
            if hand.program
        ],
        "view": write_board(ship, start),
        "after": write_board(ship, end),
        "events": _written(turn, played),
    }


def _written(turn: Turn, played: TurnRecord) -> list[Document]:
    return [
        {"seq": seq, "turn": turn.number, **event}
        for seq, event in enumerate(played.events, played.first_seq)
    ]


SUBSTITUTE_SENTENCES = {
    Program.Author.DEADLINE: _("{names} ran out of time: the registers were filled at random."),
    Program.Author.STANDING: _("{names} ran out of time: standing orders were played."),
    Program.Author.STAND_IN: _("{names} ran out of time: a computer played for them."),
}
"""Sentences about players who ran out of time, by the author of the orders played in their place."""

NO_HEADING = _("{names} ran out of time: the heading was chosen for them.")
"""The sentence about players who ran out of time in turn 0, when players choose their robots' headings."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A played turn, ready for its film: the views at its start and end, and the events in between.

    ``ship`` is the board for drawing. ``documents`` has the document of each of the ``events``. ``remarks``
    are sentences about late players, and about hands that were put aside.

    The other fields are by robot index: ``looks`` (the numbers of the robots' pictures), ``missed`` (the
    authors of substitute orders, see `Program.Author`), ``announced`` (sentences about robots that will
    switch off after the turn) and ``programs`` (the chips that were ordered, None for a locked register).
    """

    turn: int
    ship: rules.Starship
    start: rules.View
    end: rules.View
    events: tuple[rules.Event, ...]
    documents: tuple[dict[str, Any], ...]
    remarks: tuple[str, ...]
    looks: Mapping[int, int]
    missed: Mapping[int, str] = field(default_factory=dict)
    announced: Mapping[int, str] = field(default_factory=dict)
    programs: Mapping[int, tuple[rules.Chip | None, ...]] = field(default_factory=dict)

    def badge_of(self, index: int) -> tuple[int, str]:
        """Return the two parts of a robot's badge: the number of its colour, and its letter.

        The badge of a scanner has the colour 0. Instead of a letter, it has the scanner's number among all
        scanners.
        """
        robots = self.start.robots
        if robots[index].scanner:
            return 0, str(sum(robot.scanner for robot in robots[: index + 1]))
        return self.looks[index], letter_of(self.looks[index])


def replay(*, game: Game, number: int, turn: Turn | None = None, setup: rules.Setup | None = None) -> Replay:
    """Return the replay of a played turn. Raises NotFound if the turn was not played.

    ``turn`` is the turn's row, and ``setup`` the setup of the game. They are loaded if they are not given.
    """
    turn = turn or played_turn(game, number)
    setup = setup or stored.setup_of(game)
    ship = stored.drawn_board(setup)
    kept = turn_record(turn)
    start = stored.start_in(kept, ship)
    events = stored.events_in(kept, ship, start)
    names = kept.names
    # The orders of a played turn are public.
    programs = [(hand.robot - 1, hand.program) for hand in kept.hands if hand.program]
    missed = {robot: program.by for robot, program in programs if program.by in SUBSTITUTE_AUTHORS}
    orders = {robot: stored.orders_of(program) for robot, program in programs}
    return Replay(
        turn=number,
        ship=ship,
        start=rules.view(start),
        end=rules.view(rules.fold(start, events)),
        events=tuple(events),
        documents=kept.events,
        remarks=(*_late_remarks(names, missed, number), *_aside_remarks(names, kept.hands, setup.ruleset)),
        missed=missed,
        looks=stored.looks_of(game),
        announced=_announced(names, orders, setup.ruleset),
        programs={robot: ordered.registers for robot, ordered in orders.items()},
    )


def replay_of_events(
    *,
    turn: int,
    ship: rules.Starship,
    start: rules.State,
    events: tuple[rules.Event, ...],
    looks: Mapping[int, int],
    programs: Mapping[int, tuple[rules.Chip | None, ...]] | None = None,
) -> Replay:
    """Return the replay of a turn that is not stored: of a branch, or outside of games."""
    return Replay(
        turn=turn,
        ship=ship,
        start=rules.view(start),
        end=rules.view(rules.fold(start, events)),
        events=events,
        documents=tuple(rules.events_to_json(stored.vocabulary_of(ship, start), events)),
        remarks=(),
        looks=looks,
        programs=programs or {},
    )


def _announced(
    names: Sequence[str], orders: Mapping[int, rules.Orders], ruleset: rules.Ruleset
) -> dict[int, str]:
    """Return sentences about robots that will switch off after the turn, by robot index.

    (AM-5.1, GR-3.2, RR-9.3, WS-7)
    """
    if ruleset.has("reboot"):
        said = gettext("{name} will reboot after this turn.")
    else:
        said = gettext("{name} will power down after this turn.")
    return {robot: said.format(name=names[robot]) for robot, ordered in orders.items() if ordered.power_down}


def _aside_remarks(
    names: Sequence[str], hands: Iterable[PlayedHand], ruleset: rules.Ruleset
) -> Iterator[str]:
    """Yield a sentence about each hand with only turning chips that was put aside in a turn (AM-1.4)."""
    for hand in hands if ruleset.sets_aside else ():
        for chips in put_aside(hand, ruleset):
            listed = names_in_words([f"{chip['kind']} {chip['number']}" for chip in chips])
            aside = gettext("{name} put aside a hand of turning chips: {chips}.")
            yield aside.format(name=names[hand.robot - 1], chips=listed)


def _late_remarks(names: Sequence[str], missed: Mapping[int, str], number: int) -> Iterator[str]:
    """Yield sentences about late players and their substitute orders. ``number`` is the turn."""
    said = SUBSTITUTE_SENTENCES if number else dict.fromkeys(SUBSTITUTE_SENTENCES, NO_HEADING)
    for author, what in said.items():
        if late := [names[robot] for robot, by in missed.items() if by == author]:
            yield str(what).format(names=names_in_words(late))
