"""The chain of heads: hashes that bind the course of a game while it is played.

The first head binds how a game starts. The head after a turn binds the head before it and what was played in
that turn. So one head binds everything up to it, and a player who keeps it can hold the game's file against
it later (`rules.verification`). The salt of a turn is secret as long as the seed is: without it no player can
try out which orders fit a head.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from rules.chance import Chance, Seed
from rules.codec import Json
from rules.document import canonical
from rules.errors import NotationError
from rules.renaming import rename_in_event

SALT_BITS: Final = 128

STARTED: Final = (
    "commitment",
    "created_at",
    "started_at",
    "ruleset",
    "version",
    "options",
    "house_rules",
    "starship",
    "seats",
)
"""What the first head binds, by its keys."""

SEAT: Final = ("seat", "squad", "model", "computer")
"""What it binds of each seat: not the name, which changes when an account is deleted."""


def salt_of(seed: Seed, turn: int) -> str:
    """Return what is hashed with a turn, drawn from the seed (G-2.4): 32 hexadecimal figures.

    >>> salt_of("a seed", 1)
    'aa78df0ed817aea91c03d1764542d1e9'
    """
    return f"{Chance(seed, turn).stream('salt').below(1 << SALT_BITS):0{SALT_BITS // 4}x}"


def first_head(start: Mapping[str, Any]) -> str:
    """Return the head before the first turn; of ``start`` it takes what `STARTED` and `SEAT` name."""
    bound = {key: start[key] for key in STARTED}
    bound["seats"] = [{key: seat[key] for key in SEAT} for seat in start["seats"]]
    return _hash(canonical(bound))


def next_head(
    before: str,
    *,
    turn: int,
    salt: str,
    orders: Iterable[Json],
    events: Iterable[Json],
    seats: Mapping[str, str],
) -> str:
    """Return the head after a turn; ``seats`` says of each robot's name what heads call it (`seat_names`).

    Raises NotationError for orders and events that are none.
    """
    try:
        bound = {
            "turn": turn,
            "salt": salt,
            "orders": [
                {
                    "robot": seats.get(given["robot"], given["robot"]),
                    "by": given["by"],
                    "orders": given["orders"],
                }
                for given in orders
            ],
            "events": [rename_in_event(event, seats) for event in events],
        }
    except (LookupError, TypeError, ValueError, AttributeError):
        detail = f"the head of turn {turn} cannot be calculated: its orders or its events are not complete"
        raise NotationError(detail) from None
    return _hash(f"{before}\n{canonical(bound)}")


def seat_names(players: Sequence[str], scanners: Sequence[str]) -> dict[str, str]:
    """Return what heads call robots, by name: players by their seat, scanners by their number.

    >>> seat_names(["Alice", "Bob"], ["Scanner 1"])
    {'Alice': '1', 'Bob': '2', 'Scanner 1': 's1'}
    """
    return {name: str(seat) for seat, name in enumerate(players, 1)} | {
        name: f"s{number}" for number, name in enumerate(scanners, 1)
    }


def seat_names_in(state: Json) -> dict[str, str]:
    """Return the same for the robots of a ``state/1`` document."""
    robots = [robot for robot in state["robots"] if not robot.get("crystal")]
    return seat_names(
        [robot["name"] for robot in robots if not robot.get("scanner")],
        [robot["name"] for robot in robots if robot.get("scanner")],
    )


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
