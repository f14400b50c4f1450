"""The robots of a game, as rows beside the board."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.utils.safestring import SafeString

import rules
from games import wording
from games.fleet.pictures import robot_picture
from games.play import stored
from games.play.pages.ranks import ordinal
from games.wording import lives_in_words
from rules.language import N_
from rules.steps.lasers import EQUIPMENT_NAMES

Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Mate:
    """One robot: what there is to know of it.

    ``moves`` is its place in the order in which robots move, where ranks decide it; ``lamp`` are the classes
    of its lamp. ``lives`` are in words, spare ones where it ``pays`` one to come back; a scanner has none.
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
    aside: tuple[tuple[Document, ...], ...]
    moves: str
    lamp: str
    why: str = ""

    @property
    def inspected(self) -> int:
        """How many checkpoints it has done."""
        return self.checkpoints if self.following is None else self.following - 1


def crew_of(
    robots: Sequence[Document],
    *,
    setup: rules.Setup,
    looks: Mapping[int, int],
    me: str | None,
    playing: bool,
    steered: Mapping[int, str],
    deadline: datetime | None,
    vacations: Mapping[int, tuple[date, date]],
) -> list[Mate]:
    """Return the robots by rank, those that are out last; with ``playing``, who is ready and who is not.

    ``looks`` are by robot index. ``steered`` says who plays, by seat, where that is not whose name a robot
    bears. Of players whose time is up at another time than the ``deadline`` that the page tells, theirs is
    told. ``vacations`` are from which day to which a player is, or soon will be, away, by seat.
    """
    checkpoints, limit = stored.checkpoints_of(setup), setup.ruleset.damage_limit
    pays = setup.ruleset.spare_lives
    pictures = [
        robot_picture(
            _number(robot, robots, looks),
            scanner=robot["scanner"],
            damage=robot["damage"] if robot["alive"] else 0,
        )
        for robot in robots
    ]
    mates = [
        _mate(
            robot,
            checkpoints,
            limit,
            me,
            playing=playing,
            pays=pays,
            picture=picture,
            steered_by=steered.get(robot["seat"], ""),
            deadline=None if robot.get("deadline") == deadline else robot.get("deadline"),
            vacation=vacations.get(robot["seat"]),
        )
        for robot, picture in zip(robots, pictures, strict=True)
    ]
    return sorted(mates, key=lambda mate: (mate.place or len(mates), mate.out, mate.rank or 0, mate.seat))


def with_reasons(crew: Iterable[Mate], reasons: Mapping[str, str]) -> list[Mate]:
    """Return robots with why they have their ranks, by name."""
    return [replace(mate, why=reasons.get(mate.name, "") if mate.rank else "") for mate in crew]


def readiness(crew: Iterable[Mate]) -> tuple[int, int]:
    """Return how many players are ready, and how many there are who still play."""
    states = [mate.state for mate in crew if mate.state in ("ready", "waiting")]
    return states.count("ready"), len(states)


def races(ruleset: rules.Ruleset) -> bool:
    """Return whether robots go from checkpoint to checkpoint."""
    return ruleset.checkpoints[0] > 0


def equipment_name(item: str | None) -> str:
    """Return equipment as a person calls it.

    >>> equipment_name("rear-laser")
    'rear laser'
    """
    return wording.WORDS(EQUIPMENT_NAMES[item]) if item else ""


def _number(robot: Document, robots: Iterable[Document], looks: Mapping[int, int]) -> int:
    """Return the robot's look; of a scanner, which scanner it is."""
    if not robot["scanner"]:
        return looks[robot["seat"] - 1]
    before = [other for other in robots if other["scanner"] and other["seat"] < robot["seat"]]
    return 1 + len(before)


def _mate(
    robot: Document,
    checkpoints: int,
    limit: int,
    me: str | None,
    *,
    playing: bool,
    pays: bool,
    picture: SafeString,
    steered_by: str,
    deadline: datetime | None,
    vacation: tuple[date, date] | None,
) -> Mate:
    out = not robot["alive"] and not robot["scanner"]
    mine, state = robot["name"] == me, _state(robot, out) if playing else ""
    rank = None if out else robot["rank"]
    following = None if robot["scanner"] or robot["next"] > checkpoints else robot["next"]
    return Mate(
        name=robot["name"],
        seat=robot["seat"],
        picture=picture,
        mine=mine,
        state=state,
        health=0 if out else max(0, limit - robot["damage"]),
        health_of=limit,
        lives="" if robot["scanner"] else lives_in_words(robot["lives"], spares=pays),
        pays=pays,
        following=following,
        checkpoints=0 if robot["scanner"] else checkpoints,
        rank=rank,
        tags=_tags(robot, out),
        out=out,
        equipment=equipment_name(robot["equipment"]) if robot["equipment"] else "",
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


def _state(robot: Document, out: bool) -> str:
    if robot["scanner"]:
        return ""
    if out:
        return "out"
    return "ready" if robot.get("ready", True) else "waiting"


def _tags(robot: Document, out: bool) -> tuple[str, ...]:
    if out:
        return (N_("out"),)
    if robot["place"]:
        return ()
    away = (N_("on vacation"),) if robot.get("away") else ()
    if robot["at"] is None:
        return (N_("not placed yet") if robot["alive"] else N_("off the board"), *away)
    return away + tuple(word for word in (N_("scanner"), N_("virtual"), N_("down")) if robot[word])
