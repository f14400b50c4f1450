"""The robots beside the board: their state, the reasons for move order, and tips."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

import rules
from games import wording
from games.films.selectors import Replay
from games.fleet.pictures import meanings_in, robot_picture
from games.kept import text_of
from games.play import stored
from games.wording import joined, lives_in_words
from rules.drawing.words import Part, parts_by_cell
from rules.events import Rank
from rules.language import N_
from rules.steps.lasers import EQUIPMENT_NAMES
from rules.steps.turn_end import Deed, deeds

DEEDS: Mapping[str, str | Promise] = {
    "shoot and kill": _("shot and destroyed {other}"),
    "push and kill": _("pushed and destroyed {other}"),
    "shoot and kill scanner": _("shot and destroyed {other}"),
    "be destroyed": _("was destroyed"),
    "inspect": _("inspected a checkpoint"),
    "push": _("pushed {other}"),
    "push and kill scanner": _("pushed and destroyed {other}"),
    "shoot": _("hit {other}"),
    "weld": _("welded hull"),
    "move": _("moved"),
}
"""Phrases for the kinds of deed in `rules.steps.turn_end`."""

MY_DEEDS = {**DEEDS, "be destroyed": _("were destroyed")}
"""The same phrases, addressed to the robot's player."""


def reasons_for_ranks(replay: Replay, *, me: str | None) -> dict[str, str]:
    """Return the reasons for a turn's move order, by robot name (RR-2.1).

    Empty if the turn set no move order. ``me`` is the robot called "you".
    """
    given = next((event for event in reversed(replay.events) if isinstance(event, Rank)), None)
    if given is None:
        return {}
    robots, earned = replay.start.robots, given.weights
    done = deeds(replay.events, robots)
    names = [robot.name for robot in robots]
    return {
        names[index]: _reason(
            [deed for deed in done if deed.robot == index],
            names=names,
            me=me,
            equals=[names[each] for each in given.ranks if each != index and earned[each] == earned[index]],
        )
        for index in given.ranks
    }


def _reason(done: Iterable[Deed], *, names: Sequence[str], me: str | None, equals: Sequence[str]) -> str:
    """Return the deeds behind a robot's rank, the best first, and its ties.

    >>> hit = Deed(0, "shoot", 1)
    >>> _reason([hit, Deed(0, "inspect"), hit], names=["Alice", "Bob"], me="Alice", equals=[])
    'You inspected a checkpoint (+10) and hit Bob 2 times (+10).'
    >>> _reason([], names=["Alice", "Bob"], me="Alice", equals=["Alice"])
    'Nothing earned; drawn with you.'
    """
    counted = Counter(done)
    said = [
        _deed(deed, times, names=names, me=me)
        for deed, times in sorted(
            counted.items(), key=lambda item: (-item[0].weight * item[1], -item[0].weight)
        )
    ]
    robot = next((names[deed.robot] for deed in counted), None)
    told, drawn = joined(said), joined([_called(name, me) for name in equals])
    if not told:
        reason = gettext("Nothing earned; drawn with {names}.") if drawn else gettext("Nothing earned.")
    elif robot == me:
        reason = gettext("You {deeds}; drawn with {names}.") if drawn else gettext("You {deeds}.")
    else:
        told = capfirst(told)
        reason = gettext("{deeds}; drawn with {names}.") if drawn else gettext("{deeds}.")
    return reason.format(deeds=told, names=drawn)


def _deed(deed: Deed, times: int, *, names: Sequence[str], me: str | None) -> str:
    said = str((MY_DEEDS if names[deed.robot] == me else DEEDS)[deed.kind])
    done = said.format(other="" if deed.other is None else _called(names[deed.other], me))
    if times == 1:
        return gettext("{deed} (+{weight})").format(deed=done, weight=deed.weight)
    often = ngettext("{deed} {number} time (+{weight})", "{deed} {number} times (+{weight})", times)
    return often.format(deed=done, number=times, weight=deed.weight * times)


def _called(name: str, me: str | None) -> str:
    return gettext("you") if name == me else name


def ordinal(rank: int) -> str:
    """Return a rank as an ordinal number.

    >>> [ordinal(rank) for rank in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{rank}{endings.get(rank, 'th')}"


RobotDocument = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mate:
    """A robot beside the board.

    ``moves`` is its place in the move order, if any. ``lamp`` holds the CSS classes of its lamp. ``lives``
    are in words: spare lives if the robot ``pays`` one to come back. A scanner has none.
    """

    name: str
    seat: int
    picture: SafeString
    mine: bool
    state: str
    health: int
    health_of: int
    lives: str
    pays: bool
    following: int | None
    checkpoints: int
    rank: int | None
    tags: tuple[str, ...]
    out: bool
    equipment: str
    ammo: int | None
    locked: tuple[tuple[str, str | None], ...]
    place: int | None
    squad: str
    model: str
    steered_by: str
    deadline: datetime | None
    vacation: tuple[date, date] | None
    aside: tuple[tuple[RobotDocument, ...], ...]
    moves: str
    lamp: str
    why: str = ""

    @property
    def inspected(self) -> int:
        """The number of checkpoints it has reached."""
        return self.checkpoints if self.following is None else self.following - 1


def crew_of(
    robots: Sequence[RobotDocument],
    *,
    setup: rules.Setup,
    looks: Mapping[int, int],
    me: str | None,
    playing: bool,
    steered: Mapping[int, str],
    deadline: datetime | None,
    vacations: Mapping[int, tuple[date, date]],
) -> list[Mate]:
    """Return the robots in move order, with eliminated ones last.

    ``playing`` adds readiness. ``looks`` are by robot index. ``steered`` has the players of robots named
    after another player, by seat. Deadlines appear if they differ from the page's ``deadline``.
    ``vacations`` are the first and last days of present and coming vacations, by seat.
    """
    mates = [
        _mate(
            robot,
            setup,
            me,
            playing=playing,
            number=_number(robot, robots, looks),
            steered_by=steered.get(robot["seat"], ""),
            deadline=None if robot.get("deadline") == deadline else robot.get("deadline"),
            vacation=vacations.get(robot["seat"]),
        )
        for robot in robots
    ]
    return sorted(mates, key=lambda mate: (mate.place or len(mates), mate.out, mate.rank or 0, mate.seat))


def with_reasons(crew: Iterable[Mate], reasons: Mapping[str, str]) -> list[Mate]:
    """Add to each robot the reason for its rank."""
    return [replace(mate, why=reasons.get(mate.name, "") if mate.rank else "") for mate in crew]


def readiness(crew: Iterable[Mate]) -> tuple[int, int]:
    """Return the number of ready players, and of all active players."""
    states = [mate.state for mate in crew if mate.state in ("ready", "waiting")]
    return states.count("ready"), len(states)


def races(ruleset: rules.Ruleset) -> bool:
    """Return whether the ruleset has checkpoints."""
    return ruleset.checkpoints[0] > 0


def equipment_name(item: str | None) -> str:
    """Return the name of equipment for people.

    >>> equipment_name("rear-laser")
    'rear laser'
    """
    return wording.WORDS(EQUIPMENT_NAMES[item]) if item else ""


def _number(robot: RobotDocument, robots: Iterable[RobotDocument], looks: Mapping[int, int]) -> int:
    """Return a robot's look, or a scanner's number among the scanners."""
    if not robot["scanner"]:
        return looks[robot["seat"] - 1]
    before = [other for other in robots if other["scanner"] and other["seat"] < robot["seat"]]
    return 1 + len(before)


def _mate(
    robot: RobotDocument,
    setup: rules.Setup,
    me: str | None,
    *,
    playing: bool,
    number: int,
    steered_by: str,
    deadline: datetime | None,
    vacation: tuple[date, date] | None,
) -> Mate:
    checkpoints, limit = stored.checkpoints_of(setup), setup.ruleset.damage_limit
    pays, scanner = setup.ruleset.spare_lives, robot["scanner"]
    out = not robot["alive"] and not scanner
    mine = robot["name"] == me
    state = ""
    if playing and not scanner:
        state = "out" if out else "ready" if robot.get("ready", True) else "waiting"
    rank = None if out else robot["rank"]
    damage = robot["damage"] if robot["alive"] else 0
    return Mate(
        name=robot["name"],
        seat=robot["seat"],
        picture=robot_picture(number, scanner=scanner, damage=damage),
        mine=mine,
        state=state,
        health=0 if out else max(0, limit - robot["damage"]),
        health_of=limit,
        lives="" if scanner else lives_in_words(robot["lives"], spares=pays),
        pays=pays,
        following=None if scanner or robot["next"] > checkpoints else robot["next"],
        checkpoints=0 if scanner else checkpoints,
        rank=rank,
        tags=_tags(robot, out),
        out=out,
        equipment=equipment_name(robot["equipment"]),
        ammo=robot["ammo"],
        locked=tuple(sorted(robot["locked"].items())),
        place=robot["place"],
        squad=robot["squad"] or "",
        model=robot["model"] or "",
        steered_by=steered_by,
        deadline=deadline,
        vacation=vacation,
        aside=tuple(tuple(hand) for hand in robot.get("aside", ())),
        moves=ordinal(rank) if rank else "",
        lamp=f"is-{state}{' is-mine' if mine else ''}" if state else "",
    )


def _tags(robot: RobotDocument, out: bool) -> tuple[str, ...]:
    if out:
        return (N_("out"),)
    if robot["place"]:
        return ()
    away = (N_("on vacation"),) if robot.get("away") else ()
    if robot["at"] is None:
        return (N_("not placed yet") if robot["alive"] else N_("off the board"), *away)
    return away + tuple(word for word in (N_("scanner"), N_("virtual"), N_("down")) if robot[word])


Document = dict[str, Any]

WORDS: Final[Mapping[str, str | Promise]] = {
    "board": _("Board: arrow keys lead from cell to cell"),
    "cell": _("Column {x}, row {y}"),
    "hull": _("Hull"),
    "checkpoint": _("Checkpoint"),
    "facing": _("facing {way}"),
    "damage": _("damage {count}"),
    "virtual": _("virtual: robots pass through it"),
    "down": _("switched off until it wakes"),
    "next": _("your next"),
    "done": _("done"),
    "left": _("repairs left: {count}"),
    "crystal": _("The power crystal"),
}
"""Words for robots, checkpoints and the crystal on the board, for scripts."""

CHIPS: Final[Mapping[str, str | Promise]] = {
    "1": _("Forward 1: one cell ahead."),
    "2": _("Forward 2: two cells ahead."),
    "3": _("Forward 3: three cells ahead."),
    "B": _("Back 1: one cell back, without turning."),
    "L": _("Turn left: a quarter turn on the spot."),
    "R": _("Turn right: a quarter turn on the spot."),
    "U": _("Turn about: a half turn on the spot."),
    "P": _("Pause: do nothing in this phase."),
}
"""Tips for the kinds of chip."""

PIECES: Final[Mapping[str, str | Promise]] = {
    "welded": _("Locked: damage has welded it into its register, where it stays until repairs free it."),
    "health": _("Health: damage takes it, repairs bring it back. With none left the robot is destroyed."),
    "lives": _("Lives left, including this one. A robot that loses its last life is out of the game."),
    "spare lives": _(
        "Each spare life brings a robot back once. A robot that is destroyed without any is out of the game."
    ),
    "rank": _("In each phase robots move in this order. It follows from what each did in the turn before."),
    "next": _("The checkpoint that it must reach next, and how many there are."),
    "lamp": _(
        "Ready lamp: a tick when the orders are in, a ring while they are not, a cross when the robot is out."
    ),
    "reliability": _("How many of the player’s last turns had orders in time, where others waited for them."),
    "agrees": _("Ready lamp: a tick for a player who agrees to the game as it is set up, a ring for others."),
    "register": _("A register that damage has locked: it does the same every turn until repairs free it."),
    "equipment": _("Its equipment, and the ammunition left for it."),
    "virtual": _("Virtual: robots pass through it. It becomes real when it ends a turn alone in its cell."),
    "down": _("Switched off: it rests and is repaired, and does nothing until it wakes."),
    "scanner": _("A scanner: one of the game’s own robots, which shoots at any robot it sees."),
    "off the board": _("It comes back before the next turn."),
    "not placed yet": _("It is placed on checkpoint 1 in phase 1 of this turn."),
    "out": _("It has lost its last life."),
    "orders in": _("How many players have submitted orders. The turn is played when all have."),
    "socket": _("What your robot does in this phase. Click a chip here to take it back into your hand."),
    "run": _("Submits these orders (Enter). You can change them until the last player is ready."),
    "clear": _("Takes back all chips that are not locked (Delete)."),
    "aid": _("A ghost shows where your robot stands after each phase, if no other robot gets in the way."),
    "redeal": _("Once a turn: swaps your hand for another one."),
    "vacation": _(
        "The vacation that the player has planned. Days are spent only when their time would run out."
    ),
    "on vacation": _("The player has taken days of vacation, which gives them more time."),
    "time left": _("How much time the player has left. Their days off and nights do not count."),
    "paused": _("No clock runs until then, and deadlines move by as much. You can still play."),
    "deadline": _("When your time is up, or that of the last player who is missing, the turn is played."),
}
"""Tips for the things around a board."""


def tips_script(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return `board_tips` as a JSON element, for the page's script."""
    meanings = [str(each) for each in meanings_in(ruleset).values()]
    return SafeString(
        text_of(
            "tips",
            ship.fingerprint,
            meanings,
            get_language(),
            make=lambda: json_script(board_tips(ship, ruleset), "board-tips"),
        )
    )


def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> Document:
    """Return descriptions of all cells. Without a ruleset, they fit most rulesets.

    ``cells`` lists, for each cell in reading order, the numbers of its ``parts``. Each part is a pair: its
    name and its effect. Plain hull has no parts.
    """
    meanings = meanings_in(ruleset)
    cells = _parts(ship)
    said = {
        part: (part.words, " ".join(dict.fromkeys(str(meanings[kind]) for kind in part.kinds)))
        for part in dict.fromkeys(part for parts in cells for part in parts)
    }
    numbers = {each: number for number, each in enumerate(dict.fromkeys(said.values()))}
    return {
        "width": ship.width,
        "height": ship.height,
        "parts": [list(part) for part in numbers],
        "cells": [[numbers[said[part]] for part in parts] for parts in cells],
        "headings": {letter: wording.way(letter) for letter in rules.LETTERS},
        "words": {key: str(words) for key, words in WORDS.items()},
    }


def _parts(ship: rules.Starship) -> tuple[tuple[Part, ...], ...]:
    """Return the parts of each cell in reading order, without plain hull."""
    told = parts_by_cell(ship, wording.WORDS)
    return tuple(tuple(part for part in parts if part.kinds != ("Hull",)) for parts in told)
