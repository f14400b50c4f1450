"""What is kept of a flight: the counts that the figures need, and not its log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.grid import Pos

Counts = dict[Pos, int]
"""A number for each cell, of those where it is not 0."""

Deaths = dict[tuple[Pos, str], int]
"""How often robots were destroyed, by cell and cause."""


@dataclass(slots=True)
class Leg:
    """The way to one checkpoint: how many robots made it, and the phases that this took all of them.

    ``best`` are the phases that it takes at best, with any chip to hand, for the same robots together.
    """

    robots: int = 0
    phases: int = 0
    best: float = 0.0


@dataclass(slots=True)
class Flight:
    """One game of computers, all of one level, on a starship.

    ``over`` is false if it was given up after the most turns that a flight may have. ``starts`` has the start
    cell of each robot in seat order, and ``places`` their places, 1 for the best: robots that are equal share
    the mean of theirs.

    ``drama`` is how far behind the winner was in the mean of all turns: 0 if it always led, 1 if it was
    always last. ``lead_changes`` counts how often another robot took the lead by a phase or more.
    ``half_time`` says whether the robot that led at half time won, and ``last_turn`` whether the one that led
    before the last turn did. These are None if there is no winner or were too few turns to tell.

    ``robot_turns`` counts the turns of all robots that were not out, ``virtual_turns`` those that a robot
    ended as a virtual one. ``near`` are deaths in shafts, holes, bays and crushers within two steps of a
    robot's own start. ``entered`` has how often robots entered each cell, and ``burnt`` the damage that
    lasers of the board did in it.

    ``failure`` says what went wrong where a computer or the engine failed in turn ``turns``; such a flight
    counts for nothing else.
    """

    number: int
    level: str
    seed: str
    turns: int = 0
    over: bool = False
    starts: tuple[Pos, ...] = ()
    places: tuple[float, ...] = ()
    drama: float | None = None
    lead_changes: int = 0
    half_time: bool | None = None
    last_turn: bool | None = None
    robot_turns: int = 0
    virtual_turns: int = 0
    near: int = 0
    deaths: Deaths = field(default_factory=dict)
    entered: Counts = field(default_factory=dict)
    burnt: Counts = field(default_factory=dict)
    legs: dict[int, Leg] = field(default_factory=dict)
    failure: str | None = None


def flight_to_json(flight: Flight) -> dict[str, Any]:
    """Write a flight as a JSON object, to be kept or sent to another process; cells are [x, y]."""
    return {
        "number": flight.number,
        "level": flight.level,
        "seed": flight.seed,
        "turns": flight.turns,
        "over": flight.over,
        "starts": [list(pos) for pos in flight.starts],
        "places": list(flight.places),
        "drama": flight.drama,
        "lead_changes": flight.lead_changes,
        "half_time": flight.half_time,
        "last_turn": flight.last_turn,
        "robot_turns": flight.robot_turns,
        "virtual_turns": flight.virtual_turns,
        "near": flight.near,
        "deaths": [[x, y, cause, times] for ((x, y), cause), times in sorted(flight.deaths.items())],
        "entered": counts_to_json(flight.entered),
        "burnt": counts_to_json(flight.burnt),
        "legs": [[number, leg.robots, leg.phases, leg.best] for number, leg in sorted(flight.legs.items())],
        "failure": flight.failure,
    }


def flight_from_json(document: Mapping[str, Any]) -> Flight:
    """Read what `flight_to_json` wrote; it is trusted, and not checked."""
    return Flight(
        **{
            **document,
            "starts": tuple((x, y) for x, y in document["starts"]),
            "places": tuple(document["places"]),
            "deaths": {((x, y), cause): times for x, y, cause, times in document["deaths"]},
            "entered": {(x, y): times for x, y, times in document["entered"]},
            "burnt": {(x, y): times for x, y, times in document["burnt"]},
            "legs": {number: Leg(*rest) for number, *rest in document["legs"]},
        }
    )


def counts_to_json(counts: Counts) -> list[list[int]]:
    """Write numbers of cells as [x, y, number], row by row.

    >>> counts_to_json({(1, 1): 3, (2, 0): 4})
    [[2, 0, 4], [1, 1, 3]]
    """
    return [[x, y, counts[x, y]] for x, y in sorted(counts, key=lambda pos: pos[::-1])]
