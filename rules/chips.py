"""Program chips and the deck of 84 (G-3).

>>> len(DECK), CHIPS[490]
(84, Chip(number=490, kind='1'))
>>> str(CHIPS[490]), str(Chip(9999, "L"))
('1@490', 'L')
"""

from typing import Final, NamedTuple

MOVES: Final = {"1": 1, "2": 2, "3": 3, "B": 1}
"""Steps of each kind that moves; ``B`` goes backwards."""

QUARTERS: Final = {"R": 1, "U": 2, "L": -1}
"""Quarter turns to the right of each kind that turns."""

KINDS: Final = (*MOVES, *QUARTERS, "P")

EFFECTS: Final = {kind: (QUARTERS.get(kind, 0), MOVES.get(kind, 0)) for kind in KINDS}
"""Quarter turns and steps of each kind, looked up at once."""

REGISTERS: Final = 5
HAND: Final = 9
"""Chips of an undamaged robot's hand (G-3.4)."""


class Chip(NamedTuple):
    """One chip: its number in the deck (0 for a pause, which is of no deck), and what it does (G-3.1)."""

    number: int
    kind: str

    def __str__(self) -> str:
        """Return ``KIND@NUMBER``, or the kind alone for a chip that is not of the deck."""
        return f"{self.kind}@{self.number}" if self.number in CHIPS else self.kind


def _deck() -> tuple[Chip, ...]:
    """Build the 84 chips, ascending by number (G-3.2)."""
    numbers = {
        "U": range(10, 61, 10),
        "L": range(70, 411, 20),
        "R": range(80, 421, 20),
        "B": range(430, 481, 10),
        "1": range(490, 661, 10),
        "2": range(670, 781, 10),
        "3": range(790, 841, 10),
    }
    return tuple(sorted(Chip(number, kind) for kind, series in numbers.items() for number in series))


CHIPS: dict[int, Chip] = {}
DECK: Final = _deck()
CHIPS.update((chip.number, chip) for chip in DECK)


PAUSE: Final = Chip(0, "P")
"""What a robot whose model grants it may execute in place of a chip of its hand (GR-1.2)."""


def hand_size(damage: int) -> int:
    """Return how many chips a robot with this damage is dealt (G-3.4)."""
    return max(0, HAND - damage)


def locks(damage: int) -> int:
    """Return how many registers this damage locks (G-7.2)."""
    return 0 if damage < 5 else min(REGISTERS, damage - 4)


def locked_registers(damage: int) -> tuple[int, ...]:
    """Return the registers, by index from 0, that this damage locks: from the fifth leftwards (G-7.2)."""
    return tuple(range(REGISTERS - locks(damage), REGISTERS))
