"""The kinds of task of the daily run. Each is one declaration (`Kind`).

A task follows a run phase by phase. Its ``memo`` holds what the state of the game does not show, such as the
cells entered so far. Runs with equal states and equal memos are equal for the rest of the day, so the search
(`rules.daily.search`) can follow them together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from rules import events as ev
from rules.grid import LETTERS
from rules.language import N_, WAYS, Sentence, place
from rules.starship import Starship
from rules.state import State

ME: Final = 0
"""The index of the player's robot. All other robots have known programs, or are switched off."""

Memo = Any
"""A hashable value, of another type for each kind of task."""


class Task(NamedTuple):
    """A kind of task with its parameters.

    ``checkpoint`` is a checkpoint's number, ``at`` a cell number and ``heading`` a heading. Each is None if
    the kind does not use it.
    """

    kind: "Kind"
    checkpoint: int | None = None
    at: int | None = None
    heading: int | None = None


class Phase(NamedTuple):
    """A phase that was played: its number from the start of the day, its events, and the state after it."""

    number: int
    events: Sequence[ev.Event]
    after: State
    ship: Starship


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of task.

    ``sentence`` tells the player the task, and ``scored`` a result. ``more`` is true if higher scores are
    better. ``first`` is the memo at the start, and ``after`` returns the memo after a phase. ``score``
    returns the score of a finished run, or None if the run failed. A run in which the player's robot is
    destroyed has always failed.

    ``turns`` are the possible numbers of turns. ``others`` says which other robots are on board: "none",
    "parked" or "moving". ``elements`` are the kinds of elements of which the board needs at least one.
    ``needs`` are the parameters to draw.
    """

    key: str
    sentence: str
    scored: Callable[[int], Sentence]
    more: bool
    score: Callable[[Task, Any, State, Starship], int | None]
    first: Callable[[State], Memo] = lambda state: 0
    after: Callable[[Task, Any, Phase], Memo] = lambda task, memo, phase: memo
    turns: tuple[int, ...] = (1,)
    others: str = "none"
    elements: frozenset[str] = frozenset()
    needs: tuple[str, ...] = ()


def sentence_of(task: Task, ship: Starship) -> Sentence:
    """Return the task as a sentence for the player."""
    values: dict[str, object] = {"checkpoint": task.checkpoint}
    if task.at is not None:
        values["place"] = place(ship.pos(task.at))
    if task.heading is not None:
        values["way"] = Sentence(WAYS[LETTERS[task.heading]])
    return Sentence(task.kind.sentence, **values)


def distance(ship: Starship, one: int, other: int) -> int:
    (x, y), (to_x, to_y) = ship.pos(one), ship.pos(other)
    return abs(x - to_x) + abs(y - to_y)


def _count(counts: Callable[[ev.Event], bool]) -> Callable[[Task, Any, Phase], Memo]:
    """Return a function for ``Kind.after`` that adds the number of events that count."""
    return lambda task, memo, phase: memo + sum(map(counts, phase.events))


def _count_mine(kind: type[ev.Move] | type[ev.Turn], by: str) -> Callable[[Task, Any, Phase], Memo]:
    """Return a function for ``Kind.after`` that adds the player's moves or turns with this cause."""
    return _count(lambda event: isinstance(event, kind) and (event.robot, event.by) == (ME, by))


def _reached(task: Task, memo: Any, phase: Phase) -> Memo:
    """Remember the phase when the robot inspected the task's checkpoint."""
    if memo or phase.after.robots[ME].next <= (task.checkpoint or 0):
        return memo
    return phase.number


def _entered(task: Task, memo: Any, phase: Phase) -> Memo:
    cells = [event.to for event in phase.events if isinstance(event, ev.Move) and event.robot == ME]
    return memo.union(cells) if cells else memo


def _beside(task: Task, memo: Any, phase: Phase) -> Memo:
    me, other = phase.after.robots[:2]
    near = me.on_board and other.on_board and distance(phase.ship, me.cell, other.cell) == 1
    return memo + near


def _damage(task: Task, memo: Any, phase: Phase) -> Memo:
    return memo + sum(
        event.amount for event in phase.events if isinstance(event, ev.Damage) and event.robot == ME
    )


def _memo(task: Task, memo: Any, state: State, ship: Starship) -> int | None:
    return int(memo)


def _inspected(task: Task, state: State) -> bool:
    return state.robots[ME].next > (task.checkpoint or 0)


def _end_at(task: Task, memo: Any, state: State, ship: Starship) -> int | None:
    robot = state.robots[ME]
    return distance(ship, robot.cell, task.at or 0) if robot.heading == task.heading else None


def _home(task: Task, memo: Any, state: State, ship: Starship) -> int | None:
    return distance(ship, state.robots[ME].cell, memo) if _inspected(task, state) else None


def _start(state: State) -> Memo:
    return state.robots[ME].cell


def phases(number: int) -> Sentence:
    return Sentence.counted("{number} phase", "{number} phases", number)


def cells(number: int) -> Sentence:
    return Sentence.counted("{number} cell", "{number} cells", number)


def steps_away(number: int) -> Sentence:
    return Sentence.counted("{number} step away", "{number} steps away", number)


KINDS: Final = {
    kind.key: kind
    for kind in (
        Kind(
            "reach",
            N_("Inspect checkpoint {checkpoint} in as few phases as possible."),
            phases,
            more=False,
            after=_reached,
            score=lambda task, memo, state, ship: memo or None,
            turns=(1, 2, 3),
            elements=frozenset({"checkpoint"}),
            needs=("checkpoint",),
        ),
        Kind(
            "checkpoints",
            N_("Inspect as many checkpoints as possible, in order."),
            lambda number: Sentence.counted("{number} checkpoint", "{number} checkpoints", number),
            more=True,
            score=lambda task, memo, state, ship: state.robots[ME].next - 1,
            turns=(2, 3),
            elements=frozenset({"checkpoint"}),
        ),
        Kind(
            "cells",
            N_("Enter as many different cells as possible."),
            cells,
            more=True,
            first=lambda state: frozenset(),
            after=_entered,
            score=lambda task, memo, state, ship: len(memo),
        ),
        Kind(
            "beams",
            N_("Let tractor beams pull you over as many cells as possible."),
            cells,
            more=True,
            after=_count_mine(ev.Move, "beam"),
            score=_memo,
            turns=(1, 2),
            elements=frozenset({"beam"}),
        ),
        Kind(
            "twisters",
            N_("Let twisters turn you as often as possible."),
            lambda number: Sentence.counted("{number} time", "{number} times", number),
            more=True,
            after=_count_mine(ev.Turn, "twister"),
            score=_memo,
            turns=(1, 2),
            elements=frozenset({"twister"}),
        ),
        Kind(
            "end",
            N_("End as near as possible to {place}, facing {way}."),
            steps_away,
            more=False,
            score=_end_at,
            turns=(1, 2, 3),
            needs=("at", "heading"),
        ),
        Kind(
            "far",
            N_("End as many steps as possible away from your start."),
            steps_away,
            more=True,
            first=_start,
            score=lambda task, memo, state, ship: distance(ship, state.robots[ME].cell, memo),
        ),
        Kind(
            "home",
            N_("Inspect checkpoint {checkpoint}, and end as near as possible to your start."),
            steps_away,
            more=False,
            first=_start,
            score=_home,
            turns=(1, 2),
            elements=frozenset({"checkpoint"}),
            needs=("checkpoint",),
        ),
        Kind(
            "damage",
            N_("Inspect checkpoint {checkpoint} with as little damage as possible."),
            lambda number: Sentence("{number} damage", number=number),
            more=False,
            after=_damage,
            score=lambda task, memo, state, ship: memo if _inspected(task, state) else None,
            turns=(1, 2),
            others="moving",
            elements=frozenset({"checkpoint"}),
            needs=("checkpoint",),
        ),
        Kind(
            "push",
            N_("Push as many robots as possible into space or a shaft."),
            lambda number: Sentence.counted("{number} robot", "{number} robots", number),
            more=True,
            after=_count(
                lambda event: isinstance(event, ev.Destroyed) and event.how == "push" and ME in event.killers
            ),
            score=_memo,
            others="parked",
        ),
        Kind(
            "hits",
            N_("Hit other robots with your laser as often as possible."),
            lambda number: Sentence.counted("{number} hit", "{number} hits", number),
            more=True,
            after=_count(
                lambda event: isinstance(event, ev.Shot) and event.robot == ME and isinstance(event.hit, int)
            ),
            score=_memo,
            others="moving",
        ),
        Kind(
            "beside",
            N_("Be beside robot B at the end of as many phases as possible."),
            phases,
            more=True,
            after=_beside,
            score=_memo,
            others="moving",
        ),
    )
}
"""All kinds of task, by key."""


def score_of(task: Task, memo: Memo, state: State, ship: Starship) -> int | None:
    """Return the score of a finished run, or None if it failed."""
    return task.kind.score(task, memo, state, ship) if state.robots[ME].alive else None


def is_better(kind: Kind, one: int | None, other: int | None) -> bool:
    """Return whether one score is better than another. None is a failed run."""
    if one is None or other is None:
        return one is not None
    return one > other if kind.more else one < other
