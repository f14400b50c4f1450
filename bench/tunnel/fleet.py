"""The ships of the fleet in two halves: one half sets the limits, and the other tests them."""

import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import rules
from rules.suitability import middle, player_numbers
from rules.tunnel.flying import FLIGHTS
from rules.tunnel.run import Run

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIRST_TUNNEL_SHIP = "49"
"""The number of the first starship that was built with the help of the wind tunnel.

Such ships were changed until they were green, so they can neither set a limit nor test one.
"""


@dataclass(frozen=True)
class Base:
    """A starship of the fleet, by its file name, and the ruleset for its flights."""

    name: str
    ruleset: str

    @property
    def ship(self) -> rules.Starship:
        return starship(self.name)

    @property
    def run(self) -> Run:
        """The wind tunnel run that measures the ship."""
        return Run(*setup_of(self.ruleset, self.ship), FLIGHTS, f"fleet {self.name} {self.ruleset}")

    @property
    def numbers(self) -> Sequence[int]:
        """The numbers of the run's flights."""
        return range(FLIGHTS)


@cache
def starship(name: str) -> rules.Starship:
    return rules.read_starship(json.loads((FIXTURES / "starships" / f"{name}.json").read_text()))


@cache
def listed() -> tuple[Base, ...]:
    """Return all starships of the fleet, each with its ruleset."""
    known = tomllib.loads((FIXTURES / "starships.toml").read_text())["starship"]
    ours = [
        Base(each["file"].removesuffix(".json"), each["ruleset"])
        for each in known
        if each["section"] == "fleet"
    ]
    return tuple(sorted(ours, key=lambda base: base.name))


def fleet() -> tuple[Base, ...]:
    """Return the starships that are older than the wind tunnel."""
    return tuple(base for base in listed() if base.name < FIRST_TUNNEL_SHIP)


def later() -> tuple[Base, ...]:
    """Return the starships that were built with the help of the wind tunnel."""
    return listed()[len(fleet()) :]


def measured() -> tuple[Base, ...]:
    """Return every second ship of the fleet, from the first. These ships set the wind tunnel's limits."""
    return fleet()[::2]


def tried() -> tuple[Base, ...]:
    return fleet()[1::2]


def players_of(key: str, ship: rules.Starship) -> int:
    """Return the number of robots in flights of a ship: the middle of the numbers that it allows."""
    return middle(player_numbers(rules.ruleset(key), ship))


def setup_of(key: str, ship: rules.Starship) -> tuple[rules.Setup, int]:
    """Return the setup for flights of a ship, and the number of players."""
    players = players_of(key, ship)
    return rules.make_setup(rules.ruleset(key), {}, ship, players), players
