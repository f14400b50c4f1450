"""Programming: whether orders are allowed, and what fills registers that are left empty (G-8)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.chance import Chance, Seed
from rules.chips import REGISTERS, Chip
from rules.dealing import Hand
from rules.grid import HEADINGS, PHASES
from rules.orders import Orders
from rules.ruleset import Setup
from rules.state import Robot, State
from rules.steps.equipment import HAND_EQUIPMENT


@dataclass(frozen=True, slots=True)
class OrderProblem:
    """One way in which orders are against the rules; ``register`` is counted from 1."""

    code: str
    detail: str
    register: int | None = None


def needs_orders(setup: Setup, state: State, index: int) -> bool:
    """Return whether the player of that robot has orders to give this turn."""
    robot = state.robots[index]
    return not (state.over or robot.scanner or robot.down or not robot.alive)


def problems(
    setup: Setup, state: State, index: int, hand: Sequence[Chip], orders: Orders
) -> tuple[OrderProblem, ...]:
    """Return every fault of orders (G-8.2); none means that they are allowed."""
    robot = state.robots[index]
    if not needs_orders(setup, state, index):
        return (OrderProblem("nothing-to-order", "This robot takes no orders this turn."),)
    if state.turn == 0:
        return tuple(_first_heading(orders))
    allowed = setup.ruleset.orders
    faults = [*_registers(robot, hand, orders), *_equipment(robot, orders)]
    if orders.heading is not None and not (robot.returned and "heading" in allowed):
        faults.append(OrderProblem("heading", "Only a robot that has just come back chooses its heading."))
    for key, given in (
        ("power_down", orders.power_down),
        ("place", orders.place is not None),
        ("unlock", bool(orders.unlock)),
        ("stay_down", orders.stay_down),
    ):
        if given and key not in allowed:
            faults.append(OrderProblem(key.replace("_", "-"), f"{setup.ruleset.name} has no order “{key}”."))
    return tuple(faults)


def _first_heading(orders: Orders) -> Iterator[OrderProblem]:
    """Turn 0 takes a heading alone (RR-1.3)."""
    if orders.heading is None:
        yield OrderProblem("heading-missing", "Choose the heading in which your robot starts.")
    if orders != Orders(heading=orders.heading):
        yield OrderProblem("heading-alone", "Before the first hand is dealt only a heading can be ordered.")


def _registers(robot: Robot, hand: Sequence[Chip], orders: Orders) -> Iterator[OrderProblem]:
    registers = orders.registers
    if len(registers) != REGISTERS:
        code = "too-few" if len(registers) < REGISTERS else "too-many"
        yield OrderProblem(code, f"A program has {REGISTERS} registers, not {len(registers)}.")
    counts = Counter(chip for chip in registers if chip)
    for number, chip in enumerate(registers, 1):
        if number > REGISTERS:
            return
        if number - 1 in robot.locked:
            if chip:
                yield OrderProblem("locked", f"Register {number} is locked and keeps its chip.", number)
        elif chip is None:
            yield OrderProblem("empty", f"Register {number} has no chip.", number)
        elif chip not in hand:
            yield OrderProblem(
                "not-in-hand", f"Chip {chip.number} in register {number} is not in your hand.", number
            )
        elif counts[chip] > 1:
            yield OrderProblem("twice", f"Chip {chip.number} in register {number} is used twice.", number)


def _equipment(robot: Robot, orders: Orders) -> Iterator[OrderProblem]:
    if not (orders.engaged or orders.equipment):
        return
    item, ammo = robot.equipment, robot.ammo or 0
    if item is None:
        yield OrderProblem("no-equipment", "Your robot has no equipment.")
    elif item in HAND_EQUIPMENT:
        if orders.equipment:
            yield OrderProblem("equipment", f"The {item} work for the whole turn: order them with true.")
        elif not ammo:
            yield OrderProblem("ammo", f"There is no ammunition left for the {item}.")
    elif orders.engaged:
        yield OrderProblem("equipment", f"The {item} work phase by phase: name the phases.")
    else:
        for phase in sorted(orders.equipment - set(PHASES)):
            yield OrderProblem("equipment", f"There is no phase {phase}.")
        if len(orders.equipment) > ammo:
            detail = f"The {item} have ammunition for {ammo} phases, not {len(orders.equipment)}."
            yield OrderProblem("ammo", detail)


def complete(setup: Setup, state: State, index: int, hand: Hand, orders: Orders | None, seed: Seed) -> Orders:
    """Fill at random what is empty when time runs out (G-8.3): a heading, or registers."""
    robot = state.robots[index]
    chance = Chance(seed, state.turn)
    orders = orders or Orders()
    if state.turn == 0:
        if orders.heading is not None:
            return orders
        return replace(orders, heading=chance.stream(f"missing heading/{index}").choice(HEADINGS))
    given = list(orders.registers) + [None] * (REGISTERS - len(orders.registers))
    rest = chance.stream(f"missing chips/{index}").shuffled(chip for chip in hand if chip not in given)
    for register in range(REGISTERS):
        if register not in robot.locked and given[register] is None:
            given[register] = rest.pop()
    return replace(orders, registers=tuple(given))


def program(robot: Robot, orders: Orders | None) -> list[Chip | None]:
    """Return the chips that stand in a robot's registers: the locked ones, and those ordered."""
    registers = list(robot.registers)
    if orders:
        for register, chip in enumerate(orders.registers):
            if register not in robot.locked:
                registers[register] = chip
    return registers
