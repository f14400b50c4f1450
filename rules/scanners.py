"""What scanners do: roam the hull, without driving into their end (RR-11.3)."""

from typing import Final

from rules import events as ev
from rules.chance import Seed
from rules.dealing import Hand
from rules.orders import Orders
from rules.programming import complete
from rules.setup import Setup
from rules.solo import play_alone
from rules.state import State

SAMPLES: Final = 24
"""Programs that are tried for each scanner and turn."""


def scanner_orders(setup: Setup, state: State, index: int, hand: Hand, seed: Seed) -> Orders:
    """Of the programs sampled, return one that does not destroy the scanner and covers most new cells."""

    def sample(number: int) -> Orders:
        return complete(setup, state, index, hand, None, f"{seed}/scanner/{number}")

    return max(
        (sample(number) for number in range(SAMPLES)), key=lambda orders: _merit(setup, state, index, orders)
    )


def _merit(setup: Setup, state: State, index: int, orders: Orders) -> tuple[bool, int]:
    log = play_alone(setup, state, index, orders).events
    survived = not any(isinstance(event, ev.Destroyed) for event in log)
    covered = {event.to for event in log if isinstance(event, ev.Move)} - {state.robots[index].cell}
    return survived, len(covered)
