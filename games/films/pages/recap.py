"""The recap of a played turn: its effects on one player's robot, in sentences that say “you”."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final
from zlib import crc32

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from games.films.selectors import Replay
from games.play.pages.crew import reasons_for_ranks
from games.wording import WORDS, direction_name, lives_in_words, names_in_words
from rules import events as ev
from rules.language import place_of
from rules.orders import HAND, hand_size

FATES: Final[Mapping[str, str | Promise]] = {
    "shaft": _("You fell into a cooling shaft in phase {phase}."),
    "space": _("You were lost in space in phase {phase}."),
    "bay": _("You fell through a launch bay in phase {phase}."),
    "crusher": _("You were crushed in phase {phase}."),
    "damage": _("You were destroyed by damage in phase {phase}."),
    "implosion": _("You were destroyed in a quantum implosion in phase {phase}."),
}
"""Sentences about the destruction of the player's robot, by cause."""

FALLS: Final = ("shaft", "space", "bay", "crusher")
"""Causes of destruction that depend on where a robot is."""

CARRIERS: Final[Mapping[str, str | Promise]] = {
    "beam": _("A tractor beam pulled you there."),
    "arm": _("A docking arm pushed you there."),
    "oil": _("You slid there on oil."),
    "transporter": _("You were beamed there."),
}
"""Sentences about the last move of the player's destroyed robot, by the cause of the move."""

OBSTACLES: Final[Mapping[str, tuple[str | Promise, str | Promise]]] = {
    "rail": (_("A rail stopped you in phase {phases}."), _("A rail stopped you in phases {phases}.")),
    "hull": (
        _("Damaged hull stopped you in phase {phases}."),
        _("Damaged hull stopped you in phases {phases}."),
    ),
    "robot": (
        _("A robot that could not move stopped you in phase {phases}."),
        _("A robot that could not move stopped you in phases {phases}."),
    ),
    "clamps": (_("Clamps held you in phase {phases}."), _("Clamps held you in phases {phases}.")),
}
"""Sentences about the causes that stopped the player's robot, for one phase and for several."""

HITS: Final[Mapping[str, tuple[str | Promise, str | Promise]]] = {
    "laser": (
        _("{name} shot you in phase {phases}: {damage} damage."),
        _("{name} shot you in phases {phases}: {damage} damage."),
    ),
    "own": (
        _("Your own shot hit you in phase {phases}: {damage} damage."),
        _("Your own shots hit you in phases {phases}: {damage} damage."),
    ),
    "board-laser": (
        _("The ship’s lasers hit you in phase {phases}: {damage} damage."),
        _("The ship’s lasers hit you in phases {phases}: {damage} damage."),
    ),
    "coupling": (
        _("A power coupling shocked you in phase {phases}: {damage} damage."),
        _("A power coupling shocked you in phases {phases}: {damage} damage."),
    ),
    "thruster": (
        _("A thruster burnt you in phase {phases}: {damage} damage."),
        _("A thruster burnt you in phases {phases}: {damage} damage."),
    ),
}
"""Sentences about damage, for one phase and for several, by cause."""


@dataclass(frozen=True, slots=True)
class Recap:
    """The effects of a turn on one player's robot: the main one as ``headline``, others as ``sentences``."""

    turn: int
    headline: str
    sentences: tuple[str, ...]

    @property
    def version(self) -> str:
        """The mark of the recap's content."""
        return f"{self.turn}-{crc32(repr(self).encode()):08x}"


def recap_of(replay: Replay, mine: int, *, ended: bool = False) -> Recap | None:
    """Return the recap of a turn for the player of the robot with index ``mine``.

    If the game has ``ended`` since, but not by its rules, the recap says nothing about the next turn. Return
    None if the robot was out of the game before the turn, and for turn 0, in which robots only get their
    headings.
    """
    start, end = replay.start.robots[mine], replay.end.robots[mine]
    if not replay.turn or start.out or (start.place and not replay.ship.inside(start.cell)):
        return None
    words = rules.ToYou(start.name, WORDS)
    ending = [rules.sentence(event, words) for event in replay.documents if event["type"] == "over"]
    place = [
        rules.sentence(event, words)
        for event in replay.documents
        if event["type"] == "finish" and event.get("robot") == start.name
    ]
    told = [*(ending or place), *_fate(replay, mine), *_checkpoints(replay, mine)]
    there = end.alive and replay.ship.inside(end.cell)
    way = [_way(replay, mine)] if there or not told else []
    headline, *more = told + way
    more += [*_pushes(replay, mine), *_stops(replay, mine), *_damage(replay, mine), *_repairs(replay, mine)]
    if not (ending or ended):
        more += [*_next_hand(end, died=_died(replay, mine)), *_move_order(replay, mine)]
    return Recap(replay.turn, headline, tuple(more))


def _fate(replay: Replay, mine: int) -> Iterator[str]:
    moved = None
    for event in replay.events:
        match event:
            case ev.Move(robot=robot) if robot == mine:
                moved = event
            case ev.Destroyed(robot=robot) if robot == mine:
                fate = str(FATES[event.by]).format(phase=event.phase)
                killers = _names(replay, (killer for killer in event.killers if killer != mine))
                if killers:
                    by = gettext("Pushed by {names}.") if event.how == "push" else gettext("Shot by {names}.")
                    fate = f"{fate} {by.format(names=killers)}"
                elif moved and moved.phase == event.phase and event.by in FALLS and moved.by in CARRIERS:
                    fate = f"{fate} {CARRIERS[moved.by]}"
                yield fate


def _checkpoints(replay: Replay, mine: int) -> Iterator[str]:
    for event in replay.events:
        if isinstance(event, ev.Inspect) and event.robot == mine:
            said = gettext("You reached checkpoint {number} in phase {phase}.")
            yield said.format(number=event.checkpoint, phase=event.phase)


def _way(replay: Replay, mine: int) -> str:
    """Return a sentence about the way from the robot's first cell to its last."""
    ship, start, end = replay.ship, replay.start.robots[mine], replay.end.robots[mine]
    if not ship.inside(end.cell):
        return gettext("You are off the board.")
    to = place_of(ship.pos(end.cell), WORDS)
    if _died(replay, mine):
        return gettext("You came back at {cell}.").format(cell=to)
    if not ship.inside(start.cell):
        return gettext("You entered the board and ended at {cell}.").format(cell=to)
    (x, y), (column, row) = ship.pos(start.cell), ship.pos(end.cell)
    steps = [(column - x, "E", "W"), (row - y, "S", "N")]
    parts = [_distance(abs(by), letter if by > 0 else other) for by, letter, other in steps if by]
    if not parts:
        moved = any(isinstance(event, ev.Move) and event.robot == mine for event in replay.events)
        return (
            gettext("You ended the turn in the cell where you began.")
            if moved
            else gettext("You did not leave your cell.")
        )
    return gettext("You ended {distance} of where you began.").format(distance=names_in_words(parts))


def _died(replay: Replay, mine: int) -> bool:
    return any(isinstance(event, ev.Destroyed) and event.robot == mine for event in replay.events)


def _distance(number: int, letter: str) -> str:
    words = ngettext("{number} cell {way}", "{number} cells {way}", number)
    return words.format(number=number, way=direction_name(letter))


def _pushes(replay: Replay, mine: int) -> Iterator[str]:
    phases: dict[int, list[int]] = {}
    for event in replay.events:
        match event:
            case ev.Move(robot=robot, by="push", pusher=int(pusher)) if robot == mine:
                phases.setdefault(pusher, []).append(event.phase)
    for pusher, when in phases.items():
        said = ngettext(
            "{name} pushed you in phase {phases}.", "{name} pushed you in phases {phases}.", len({*when})
        )
        yield said.format(name=replay.start.robots[pusher].name, phases=_list(when))


def _stops(replay: Replay, mine: int) -> Iterator[str]:
    phases: dict[str, set[int]] = {}
    for event in replay.events:
        if isinstance(event, ev.Blocked) and event.robot == mine:
            phases.setdefault(event.by, set()).add(event.phase)
    for by, when in phases.items():
        yield str(OBSTACLES[by][len(when) > 1]).format(phases=_list(when))


def _damage(replay: Replay, mine: int) -> Iterator[str]:
    """Yield sentences about damage, for each robot that shot, and for each other cause."""
    hits: dict[tuple[str, int | None], list[ev.Damage]] = {}
    for event in replay.events:
        if isinstance(event, ev.Damage) and event.robot == mine:
            hits.setdefault((event.by, event.source), []).append(event)
    for (by, source), damages in hits.items():
        when = {event.phase for event in damages}
        one, several = HITS["own" if source == mine else by]
        yield str(one if len(when) == 1 else several).format(
            name="" if source is None else replay.start.robots[source].name,
            phases=_list(when),
            damage=sum(event.amount for event in damages),
        )


def _repairs(replay: Replay, mine: int) -> Iterator[str]:
    repaired = sum(
        event.amount for event in replay.events if isinstance(event, ev.Repair) and event.robot == mine
    )
    if repaired:
        yield gettext("{number} of your damage was repaired.").format(number=repaired)


def _next_hand(robot: rules.RobotView, *, died: bool) -> Iterator[str]:
    """Yield sentences about the robot's lives and the size of its next hand, with the reason (G-3.4)."""
    if robot.out:
        yield gettext("You have lost your last life.")
        return
    if died:
        lives = lives_in_words(robot.shown_lives, spares=robot.pays)
        yield gettext("You have {lives} left.").format(lives=lives)
    if robot.down:
        yield gettext("You are switched off next turn, so you get no hand.")
    elif robot.alive and not robot.place and not robot.was_down:  # else it may stay off, without a hand
        size = hand_size(robot.damage)
        if robot.damage:
            said = ngettext(
                "Your next hand has {number} chip instead of {most}: you have {damage} damage.",
                "Your next hand has {number} chips instead of {most}: you have {damage} damage.",
                size,
            )
            yield said.format(number=size, most=HAND, damage=robot.damage)
        else:
            yield gettext("Your next hand has all {most} chips: you have no damage.").format(most=HAND)
        if robot.locked:
            said = ngettext(
                "Register {registers} is locked and repeats its chip.",
                "Registers {registers} are locked and repeat their chips.",
                len(robot.locked),
            )
            yield said.format(registers=names_in_words([str(number + 1) for number in robot.locked]))


def _move_order(replay: Replay, mine: int) -> Iterator[str]:
    """Yield sentences about the move order of the next turn, and the points that decided it (RR-2)."""
    rank = next((event for event in reversed(replay.events) if isinstance(event, ev.Rank)), None)
    if rank is None or mine not in rank.ranks or len(rank.ranks) < 2:
        return
    robots = replay.start.robots
    me = robots[mine].name
    order = sorted(rank.ranks, key=rank.ranks.__getitem__)
    names = [gettext("you") if index == mine else robots[index].name for index in order]
    yield gettext("Move order next turn: {names}.").format(names=", ".join(names))
    said = ngettext(
        "You earned {number} point, which only decides this order.",
        "You earned {number} points, which only decide this order.",
        rank.weights[mine],
    )
    yield f"{said.format(number=rank.weights[mine])} {reasons_for_ranks(replay, me=me)[me]}"


def _names(replay: Replay, indexes: Iterable[int]) -> str:
    return names_in_words([replay.start.robots[index].name for index in indexes])


def _list(phases: Iterable[int]) -> str:
    return names_in_words([str(phase) for phase in sorted({*phases})])
