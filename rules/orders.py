"""Program chips (G-3), and a player's orders for a turn (G-8.1).

>>> len(DECK), CHIPS[490]
(84, Chip(number=490, kind='1'))
>>> str(CHIPS[490]), str(Chip(9999, "L"))
('1@490', 'L')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from rules.document import MAX_NAMED_FAULTS, Document, NotationError, Problem, check_keys, is_int, quoted
from rules.grid import LETTERS, Pos
from rules.language import N_, Sentence

MOVES: Final = {"1": 1, "2": 2, "3": 3, "B": 1}
"""The number of steps of each kind of chip. ``B`` moves backwards."""

QUARTERS: Final = {"R": 1, "U": 2, "L": -1}
"""The number of quarter turns to the right of each kind of chip."""

KINDS: Final = (*MOVES, *QUARTERS, "P")

EFFECTS: Final = {kind: (QUARTERS.get(kind, 0), MOVES.get(kind, 0)) for kind in KINDS}
"""The quarter turns and the steps of each kind of chip, in one table for speed."""

REGISTERS: Final = 5
HAND: Final = 9
"""The number of chips in an undamaged robot's hand (G-3.4)."""


class Chip(NamedTuple):
    """One chip: its number in the deck, and its kind (G-3.1).

    A pause has number 0, because it is not from the deck.
    """

    number: int
    kind: str

    def __str__(self) -> str:
        """Return ``KIND@NUMBER``, or only the kind for a chip outside the deck."""
        return f"{self.kind}@{self.number}" if self.number in CHIPS else self.kind


def _deck() -> tuple[Chip, ...]:
    """Return the 84 chips of a deck, in order of number (G-3.2)."""
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
"""The pause that LazyBot may order in place of a chip from its hand (GR-1.2)."""


def hand_size(damage: int) -> int:
    """Return the number of chips in the hand of a robot with this damage (G-3.4)."""
    return max(0, HAND - damage)


def locks(damage: int) -> int:
    """Return the number of registers that this damage locks (G-7.2)."""
    return 0 if damage < 5 else min(REGISTERS, damage - 4)


def locked_registers(damage: int) -> tuple[int, ...]:
    """Return the indexes of the registers that this damage locks, counted from 0 (G-7.2).

    Registers lock from right to left, beginning with the last one.
    """
    return tuple(range(REGISTERS - locks(damage), REGISTERS))


@dataclass(frozen=True, slots=True)
class Orders:
    """A robot's orders for one turn.

    ``registers`` has five chips, with None for a locked or an empty register. In orders without chips, such
    as those for a first heading, it is an empty tuple. ``equipment`` has the phases in which to use phase
    equipment. ``engaged`` is true to use hand equipment for the whole turn. ``place`` is the chosen cell for
    coming back if the archive cell is taken. ``unlock`` lists the registers to unlock first, counted from 1.
    """

    registers: tuple[Chip | None, ...] = ()
    power_down: bool = False
    equipment: frozenset[int] = frozenset()
    engaged: bool = False
    heading: int | None = None
    place: Pos | None = None
    unlock: tuple[int, ...] = ()
    stay_down: bool = False


KEYS = frozenset({"registers", "power_down", "equipment", "heading", "place", "unlock", "stay_down"})


def read_orders(document: object) -> Orders:
    """Read submitted orders. Raises NotationError with every fault in the form of the document.

    `rules.problems` checks orders against the rules.
    """
    if not isinstance(document, dict):
        raise NotationError(Sentence("orders must be a JSON object"))
    check_keys(document, KEYS, Sentence("an order"))
    registers, problems = _read_registers(document.get("registers"))
    rest = read_order_keys(document, problems)
    if problems:
        raise NotationError(*problems)
    return Orders(registers=registers, **rest)


def _read_registers(value: object) -> tuple[tuple[Chip | None, ...], list[Problem]]:
    if value is None:
        return (), []
    if not isinstance(value, list):
        return (), [
            _wrong(
                "registers", N_("“{key}” must be a list of chip numbers, with null for each locked register")
            )
        ]
    wrong = [item for item in value if not (item is None or item == PAUSE.kind or is_int(item))]
    if wrong:
        return (), [
            _wrong(
                "registers", N_("“{key}” contains {found}, which is not a chip number"), found=quoted(item)
            )
            for item in wrong[:MAX_NAMED_FAULTS]
        ]
    return tuple(_read_chip(item) for item in value), []


def _wrong(key: str, sentence: str, **values: str) -> Problem:
    return Problem(Sentence(sentence, key=key, **values), key=key, code="invalid")


def _read_chip(item: int | str | None) -> Chip | None:
    if isinstance(item, str):
        return PAUSE
    return None if item is None else CHIPS.get(item, Chip(item, "?"))


def read_order_keys(document: Document, problems: list[Problem]) -> dict[str, Any]:
    """Read all orders except the registers. Faults are added to ``problems``."""
    values: dict[str, Any] = {}
    for key in ("power_down", "stay_down"):
        value = document.get(key, False)
        if isinstance(value, bool):
            values[key] = value
        else:
            problems.append(_wrong(key, N_("“{key}” must be true or false")))
    equipment = document.get("equipment")
    if isinstance(equipment, bool):
        values["engaged"] = equipment
    elif isinstance(equipment, list) and all(is_int(phase) for phase in equipment):
        values["equipment"] = frozenset(equipment)
        if len(values["equipment"]) != len(equipment):
            problems.append(_wrong("equipment", N_("“{key}” lists a phase twice")))
    elif equipment is not None:
        problems.append(
            _wrong(
                "equipment",
                N_("“{key}” must be a list of phases, or true for equipment that is used for the whole turn"),
            )
        )
    heading = document.get("heading")
    if isinstance(heading, str) and len(heading) == 1 and heading in LETTERS:
        values["heading"] = LETTERS.index(heading)
    elif heading is not None:
        problems.append(_wrong("heading", N_("“{key}” must be one of N, E, S, W")))
    place = document.get("place")
    if isinstance(place, list | tuple) and len(place) == 2 and all(is_int(number) for number in place):
        values["place"] = (place[0], place[1])
    elif place is not None:
        problems.append(_wrong("place", N_("“{key}” must be [x, y]")))
    unlock = document.get("unlock")
    if isinstance(unlock, list) and all(is_int(number) for number in unlock):
        values["unlock"] = tuple(unlock)
    elif unlock is not None:
        problems.append(_wrong("unlock", N_("“{key}” must be a list of registers")))
    return values


def write_orders(orders: Orders) -> dict[str, Any]:
    """Write orders as a document that `read_orders` can read."""
    document: dict[str, Any] = {}
    if orders.registers:
        document["registers"] = [
            PAUSE.kind if chip == PAUSE else chip and chip.number for chip in orders.registers
        ]
    if orders.power_down:
        document["power_down"] = True
    if orders.equipment:
        document["equipment"] = sorted(orders.equipment)
    if orders.engaged:
        document["equipment"] = True
    if orders.heading is not None:
        document["heading"] = LETTERS[orders.heading]
    if orders.place is not None:
        document["place"] = list(orders.place)
    if orders.unlock:
        document["unlock"] = list(orders.unlock)
    if orders.stay_down:
        document["stay_down"] = True
    return document
