"""The list of robots beside the board: their state, the reasons for their move order, and tips."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

import rules
from games import wording
from games.content_cache import cached_text
from games.films.selectors import Replay
from games.fleet.pictures import meanings_in, robot_picture
from games.play import stored
from games.wording import lives_in_words, names_in_words
from rules.drawing.words import Part, parts_by_cell
from rules.events import Rank
from rules.language import N_
from rules.steps.lasers import EQUIPMENT_NAMES
from rules.steps.turn_end import Deed, deeds

DEED_WORDS: Mapping[str, str | Promise] = {
    "shoot and kill": _("Shot and destroyed {other}"),
    "push and kill": _("Pushed and destroyed {other}"),
    "shoot and kill scanner": _("Shot and destroyed {other}"),
    "be destroyed": _("Got destroyed"),
    "inspect": _("Inspected a checkpoint"),
    "push": _("Pushed {other}"),
    "push and kill scanner": _("Pushed and destroyed {other}"),
    "shoot": _("Hit {other}"),
    "weld": _("Welded hull"),
    "move": _("Moved"),
}
"""Phrases about the deeds that earn a robot its place in the move order, by kind of deed.

The deeds are defined in `rules.steps.turn_end`.
"""

DEEDS_TO_YOU: Mapping[str, str | Promise] = {
    "shoot and kill": _("Shot and destroyed you"),
    "push and kill": _("Pushed and destroyed you"),
    "push": _("Pushed you"),
    "shoot": _("Hit you"),
}
"""Phrases about another robot's deeds, such as a hit, that affect the reader's robot, by kind of deed."""


def reasons_for_ranks(replay: Replay, *, me: str | None) -> dict[str, str]:
    """Return the reasons for the move order that a turn has set, by robot name (RR-2.1).

    The result is empty if the turn set no move order. ``me`` is the name of the robot that the texts call
    "you".
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
    """Describe the deeds that earned a robot its rank, best first, and name the robots tied with it.

    >>> hit = Deed(0, "shoot", 1)
    >>> _reason([hit, Deed(0, "inspect"), hit], names=["Alice", "Bob"], me="Alice", equals=[])
    'Inspected a checkpoint: +10. Hit Bob, 2 times: +10.'
    >>> _reason([], names=["Alice", "Bob"], me="Alice", equals=["Alice"])
    'Nothing earned. Tied with you.'
    """
    counted = Counter(done)
    said = [
        _deed(deed, times, names=names, me=me)
        for deed, times in sorted(
            counted.items(), key=lambda item: (-item[0].weight * item[1], -item[0].weight)
        )
    ]
    if not said:
        said.append(gettext("Nothing earned."))
    if equals:
        said.append(_ties(equals, me))
    return " ".join(said)


def _deed(deed: Deed, times: int, *, names: Sequence[str], me: str | None) -> str:
    other = "" if deed.other is None else names[deed.other]
    words = DEEDS_TO_YOU if other and other == me else DEED_WORDS
    done = str(words[deed.kind]).format(other=other)
    if times == 1:
        return gettext("{deed}: +{weight}.").format(deed=done, weight=deed.weight)
    often = ngettext("{deed}, {number} time: +{weight}.", "{deed}, {number} times: +{weight}.", times)
    return often.format(deed=done, number=times, weight=deed.weight * times)


def _ties(equals: Sequence[str], me: str | None) -> str:
    """Return a sentence that names the robots tied with a robot. ``me`` is the reader's robot.

    >>> _ties(["Bob", "Alice", "Carol"], "Alice")
    'Tied with you, Bob and Carol.'
    """
    others = [name for name in equals if name != me]
    names = names_in_words(others)
    if len(others) == len(equals):
        return gettext("Tied with {names}.").format(names=names)
    if not others:
        return gettext("Tied with you.")
    text = gettext("Tied with you and {name}.") if len(others) == 1 else gettext("Tied with you, {names}.")
    return text.format(name=names, names=names)


RobotDocument = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CrewRobot:
    """A robot in the list beside the board.

    ``rank`` is its place in the move order, if the ruleset has one. ``lamp`` holds the CSS classes of its
    ready lamp. ``lives`` describes its lives in words. It is empty for a scanner. ``pays`` means that robots
    pay a life to come back, and that ``lives`` counts only spare lives. ``why`` is the reason for its rank.
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
    lamp: str
    why: str = ""

    @property
    def inspected(self) -> int:
        """The number of checkpoints that the robot has reached."""
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
) -> list[CrewRobot]:
    """Return the robots of the list in move order. Robots that are out of the game come last.

    If ``playing``, each robot has its state of readiness. ``looks`` has the numbers of the robots' pictures,
    by robot index. ``steered`` holds, by seat, the players of robots that are named after another player. A
    robot's deadline is shown only if it differs from the page's ``deadline``. ``vacations`` holds, by seat,
    the first and last day of a present or coming vacation.
    """
    crew = [
        _crew_robot(
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
    return sorted(crew, key=lambda robot: (robot.place or len(crew), robot.out, robot.rank or 0, robot.seat))


def with_reasons(crew: Iterable[CrewRobot], reasons: Mapping[str, str]) -> list[CrewRobot]:
    """Return these robots with the reasons for their ranks. ``reasons`` holds the reasons by robot name."""
    return [replace(robot, why=reasons.get(robot.name, "") if robot.rank else "") for robot in crew]


def readiness(crew: Iterable[CrewRobot]) -> tuple[int, int]:
    """Return the number of robots whose orders are in, and the number of all active robots."""
    states = [robot.state for robot in crew if robot.state in ("ready", "waiting")]
    return states.count("ready"), len(states)


def has_checkpoints(ruleset: rules.Ruleset) -> bool:
    return ruleset.checkpoints[0] > 0


def equipment_name(item: str | None) -> str:
    """Return the display name of a piece of equipment, or an empty string for None.

    >>> equipment_name("rear-laser")
    'rear laser'
    """
    return wording.WORDS(EQUIPMENT_NAMES[item]) if item else ""


def _number(robot: RobotDocument, robots: Iterable[RobotDocument], looks: Mapping[int, int]) -> int:
    """Return the number of a robot's picture. For a scanner, return its number among all scanners."""
    if not robot["scanner"]:
        return looks[robot["seat"] - 1]
    before = [other for other in robots if other["scanner"] and other["seat"] < robot["seat"]]
    return 1 + len(before)


def _crew_robot(
    robot: RobotDocument,
    setup: rules.Setup,
    me: str | None,
    *,
    playing: bool,
    number: int,
    steered_by: str,
    deadline: datetime | None,
    vacation: tuple[date, date] | None,
) -> CrewRobot:
    checkpoints, limit = stored.checkpoints_of(setup), setup.ruleset.damage_limit
    pays, scanner = setup.ruleset.spare_lives, robot["scanner"]
    out = not robot["alive"] and not scanner
    mine = robot["name"] == me
    state = ""
    if playing and not scanner:
        state = "out" if out else "ready" if robot.get("ready", True) else "waiting"
    rank = None if out else robot["rank"]
    damage = robot["damage"] if robot["alive"] else 0
    return CrewRobot(
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
        lamp=f"is-{state}{' is-mine' if mine else ''}" if state else "",
    )


def _tags(robot: RobotDocument, out: bool) -> tuple[str, ...]:
    if out:
        return (N_("out"),)
    if robot["place"]:
        return ()
    time = {"away": N_("on vacation"), "short_clock": N_("half the time")}
    clock = tuple(word for key, word in time.items() if robot.get(key))
    if robot["at"] is None:
        return (N_("not placed yet") if robot["alive"] else N_("off the board"), *clock)
    states = {"scanner": N_("scanner"), "virtual": N_("virtual"), "down": N_("off")}
    return clock + tuple(word for key, word in states.items() if robot[key])


Document = dict[str, Any]

TIP_WORDS: Final[Mapping[str, str | Promise]] = {
    "board": _("Board: move between cells with the arrow keys"),
    "cell": _("Column {x}, row {y}"),
    "hull": _("Hull"),
    "checkpoint": _("Checkpoint"),
    "facing": _("facing {way}"),
    "damage": _("damage {count}"),
    "virtual": _("virtual: robots pass through it"),
    "down": _("switched off"),
    "next": _("your next"),
    "done": _("done"),
    "left": _("repairs left: {count}"),
    "crystal": _("The power crystal"),
}
"""Words for the page's script to describe cells, robots, checkpoints and the power crystal."""

CHIPS: Final[Mapping[str, str | Promise]] = {
    "1": _("Forward 1: one cell ahead."),
    "2": _("Forward 2: two cells ahead."),
    "3": _("Forward 3: three cells ahead."),
    "B": _("Back 1: one cell back, without turning."),
    "L": _("Turn left: a quarter turn in place."),
    "R": _("Turn right: a quarter turn in place."),
    "U": _("Turn about: a half turn in place."),
    "P": _("Pause: do nothing in this phase."),
}
"""The tips (texts that explain a thing on the page) for the chips, by kind of chip."""

PIECES: Final[Mapping[str, str | Promise]] = {
    "welded": _("Locked by damage: the chip stays in its register until a repair unlocks it."),
    "health": _("Health: damage lowers it, repairs raise it. At 0, the robot is destroyed."),
    "lives": _("Lives left, including the current one. A robot that loses its last life is out of the game."),
    "spare lives": _(
        "Each spare life brings the robot back once. A robot that is destroyed without a"
        " spare life is out of the game."
    ),
    "rank": _(
        "In each phase, robots move in this order. It depends on what each robot did in the previous turn."
    ),
    "next": _("Its next checkpoint, and the number of checkpoints."),
    "lamp": _(
        "Ready lamp: a tick if the orders are in, a ring if they are missing, a cross if the robot is out."
    ),
    "reliability": _(
        "Reliability: how often the player submitted orders on time when others were waiting. Recent turns"
        " count more."
    ),
    "agrees": _("Ready lamp: a tick if the player agrees to the game’s settings, a ring if not yet."),
    "register": _("A register locked by damage: it repeats its chip every turn until a repair unlocks it."),
    "equipment": _("Its equipment, and the ammunition left."),
    "virtual": _("Virtual: robots pass through it. It becomes real when it ends a turn alone in its cell."),
    "off": _("Switched off: it is being repaired, and does nothing this turn."),
    "scanner": _("A scanner: one of the ship’s own robots. It shoots at every robot it sees."),
    "off the board": _("It comes back before the next turn."),
    "not placed yet": _("It enters the board on checkpoint 1 in phase 1 of this turn."),
    "out": _("It has lost its last life."),
    "orders in": _(
        "The number of players who have submitted orders. The turn is played when all orders are in."
    ),
    "socket": _("Your robot’s move in this phase. Click a chip to take it back into your hand."),
    "run": _("Submits these orders (Enter). You can change them until all orders are in."),
    "clear": _("Takes back all chips that are not locked (Delete)."),
    "aid": _("Ghosts show your robot after each phase, if no other robot gets in the way."),
    "redeal": _("Replaces your hand. You can do this once a turn."),
    "vacation": _(
        "The player’s planned vacation. A vacation day is used only when their time would otherwise run out."
    ),
    "on vacation": _("The player is on vacation, and has more time."),
    "half the time": _(
        "The player missed 2 turns in a row, so they get half the time, until they submit 2 turns in a row on"
        " time."
    ),
    "time left": _("The time that the player has left, not counting their days off and quiet hours."),
    "paused": _("All clocks are stopped until then, and deadlines are extended. You can still play."),
    "deadline": _("When time runs out, missing orders are filled in automatically."),
}
"""The tips (texts that explain a thing on the page) for signs and buttons beside the board, by key."""


def tips_script(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> SafeString:
    """Return the document of `board_tips` as a JSON script element, for the page's script."""
    meanings = [str(each) for each in meanings_in(ruleset).values()]
    return SafeString(
        cached_text(
            "tips",
            ship.fingerprint,
            meanings,
            get_language(),
            make=lambda: json_script(board_tips(ship, ruleset), "board-tips"),
        )
    )


def board_tips(ship: rules.Starship, ruleset: rules.Ruleset | None = None) -> Document:
    """Return descriptions of all cells of a board, for tips. Without a ruleset, they fit most rulesets.

    ``parts`` lists pairs: the name of a part of a cell, and its effect. ``cells`` lists, for each cell in
    reading order, the indexes of its parts. Cells of plain hull have no parts.
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
        "headings": {letter: wording.direction_name(letter) for letter in rules.LETTERS},
        "words": {key: str(words) for key, words in TIP_WORDS.items()},
    }


def _parts(ship: rules.Starship) -> tuple[tuple[Part, ...], ...]:
    """Return the parts of each cell in reading order, leaving out plain hull."""
    by_cell = parts_by_cell(ship, wording.WORDS)
    return tuple(tuple(part for part in parts if part.kinds != ("Hull",)) for parts in by_cell)
