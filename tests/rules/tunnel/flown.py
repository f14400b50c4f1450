"""Starships and made-up flights, for tests of the wind tunnel."""

from collections.abc import Sequence
from typing import Any

import rules
from rules.tunnel.figures import Flight, Leg
from rules.tunnel.flying import level_of, seed_of
from rules.tunnel.run import Run

FAIR = (
    "~ .    .    .    .    .+wN .    ~",
    ". .    b1:E b1:E b1:S .    .+i2 .",
    ". .+wW .    o    .    .    .    .",
    ". .    .    .    .    .+wS .    .",
    ". .+i1 .    .+wE .    o    .    .",
    ". .    .    .    .    .    h1   .",
    "~ .    .+wW a    .+wE .    .    ~",
)
"""A small ship that gets a green verdict."""


def ship_of(*rows: str) -> rules.Starship:
    return rules.read_starship({"format": "starship/1", "name": "Tested", "rows": list(rows)})


def run_of(*rows: str, key: str = "robo-runner", players: int = 2, **keys: Any) -> Run:
    """Return a run on the ship with the given rows, by default on `FAIR`."""
    setup = rules.make_setup(rules.ruleset(key), {}, ship_of(*(rows or FAIR)), players)
    return Run(setup, players, **keys)


def flight(run: Run, number: int, **keys: Any) -> Flight:
    """Return a made-up flight on a good ship. ``keys`` replace its results."""
    ship = run.setup.starship
    cells = run.start_cells
    usual: dict[str, Any] = {
        "turns": 8,
        "over": True,
        "starts": tuple(ship.pos(cells[seat % len(cells)]) for seat in range(run.players)),
        "places": _places(run.players, number),
        "drama": 0.3,
        "lead_changes": 2,
        "half_time": number % 5 > 1,
        "last_turn": number % 10 > 0,
        "robot_turns": 8 * run.players,
        "virtual_turns": 1,
        "entered": {ship.pos(cell): 1 for cell, _ in ship.numbered()},
        "legs": {number: Leg(2, 20, 8.0) for number in ship.checkpoints},
    }
    return Flight(number, level_of(number), seed_of(run.seed, number), **{**usual, **keys})


def flights(run: Run, count: int = 200, **keys: Any) -> list[Flight]:
    """Return made-up flights with the given results.

    A value may be a function that gets the number of the flight.
    """
    return [
        flight(
            run, number, **{key: value(number) if callable(value) else value for key, value in keys.items()}
        )
        for number in range(count)
    ]


def _places(players: int, number: int) -> Sequence[float]:
    """Return places in a game that rotate with the flight's number, so that all starts are equal."""
    return tuple(1.0 + (seat + number) % players for seat in range(players))
