"""Check orders against the rules, and fill the registers that players left empty (G-8)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.chance import Chance, Seed
from rules.dealing import Hand
from rules.grid import HEADINGS, PHASES
from rules.language import N_, Sentence, place
from rules.orders import MOVES, PAUSE, REGISTERS, Chip, Orders
from rules.physics import around
from rules.setup import Setup
from rules.starship import Starship
from rules.state import LAZYBOT, Robot, State
from rules.steps.lasers import EQUIPMENT_NAMES, HAND_EQUIPMENT


@dataclass(frozen=True, slots=True)
class OrderProblem:
    """One fault in orders: a violation of the rules.

    ``register`` is the number of the faulty register, from 1, or None if the fault concerns no register.
    """

    code: str
    detail: str
    register: int | None = None


def _problem(code: str, sentence: str, number: int | None = None, **values: object) -> OrderProblem:
    return OrderProblem(code, Sentence(sentence, number=number, **values), number)


def needs_orders(setup: Setup, state: State, index: int) -> bool:
    """Return whether a robot takes orders from its player this turn."""
    robot = state.robots[index]
    plays = robot.alive and not (robot.scanner or robot.crystal or robot.finished)
    return plays and not state.over and (not robot.down or setup.ruleset.orders_while_off)


def problems(
    setup: Setup, state: State, index: int, hand: Sequence[Chip], orders: Orders
) -> tuple[OrderProblem, ...]:
    """Return every fault in a robot's orders (G-8.2). Orders without faults are valid."""
    robot = state.robots[index]
    if not needs_orders(setup, state, index):
        return (_problem("nothing-to-order", N_("This robot cannot take orders this turn.")),)
    if state.turn == 0:
        return tuple(_first_heading(orders))
    allowed = setup.ruleset.orders
    if robot.was_down and orders.stay_down:
        return tuple(_staying_off(orders))
    if robot.down:
        faults = [*_while_down(orders)]
    else:
        faults = [*_registers(robot, hand, orders), *_first_chip(setup, state, hand, orders)]
        if orders.stay_down and "stay_down" in allowed:
            faults.append(_problem("stay-down", N_("Only a robot that was switched off can stay off.")))
    faults += _equipment(robot, orders)
    faults += _place(setup.starship, robot, orders) if "place" in allowed else ()
    faults += _unlock(orders) if "unlock" in allowed else ()
    if orders.heading is not None and not (robot.returned and "heading" in allowed):
        faults.append(_problem("heading", N_("Only a robot that has just come back can choose its heading.")))
    for key, given in (
        ("power_down", orders.power_down),
        ("place", orders.place is not None),
        ("unlock", bool(orders.unlock)),
        ("stay_down", orders.stay_down),
    ):
        if given and key not in allowed:
            faults.append(
                _problem(
                    key.replace("_", "-"),
                    N_("{ruleset} has no order “{key}”."),
                    ruleset=setup.ruleset.name,
                    key=key,
                )
            )
    return tuple(faults)


def _first_heading(orders: Orders) -> Iterator[OrderProblem]:
    """Yield faults of orders for turn 0, which may only choose a heading (RR-1.3)."""
    if orders.heading is None:
        yield _problem("heading-missing", N_("Choose your robot’s starting heading."))
    if orders != Orders(heading=orders.heading):
        yield _problem("heading-alone", N_("Before the first hand is dealt, you can only choose a heading."))


def _staying_off(orders: Orders) -> Iterator[OrderProblem]:
    """Yield a fault if an order to stay off comes with other orders (AM-5.2)."""
    if orders != Orders(stay_down=True):
        yield _problem("stay-down-alone", N_("A robot that stays off takes no other orders this turn."))


def _while_down(orders: Orders) -> Iterator[OrderProblem]:
    """Yield faults of orders for a robot that is off, and so has no hand (AM-5.1)."""
    for number, chip in enumerate(orders.registers, 1):
        if chip:
            yield _problem("not-in-hand", N_("A robot that is switched off has no chips."), number)
    if orders.power_down:
        yield _problem("power-down", N_("This robot is already off. Order it to stay off instead."))


def _first_chip(setup: Setup, state: State, hand: Sequence[Chip], orders: Orders) -> Iterator[OrderProblem]:
    """Yield a fault if register 1 needs a chip that moves the robot, but has another chip (AM-1.2)."""
    first = orders.registers[0] if orders.registers else None
    if must_move_first(setup, state, hand) and first and first.kind not in MOVES:
        yield _problem("must-move", N_("Register 1 needs a chip that moves your robot."), 1)


def must_move_first(setup: Setup, state: State, hand: Sequence[Chip]) -> bool:
    """Return whether register 1 needs a chip that moves, and the hand has one (AM-1.2)."""
    off_board = not setup.ruleset.start.on_board
    return off_board and state.turn == 1 and any(chip.kind in MOVES for chip in hand)


def _place(ship: Starship, robot: Robot, orders: Orders) -> Iterator[OrderProblem]:
    """Yield a fault if the chosen place is not beside a cell that can be the robot's archive (AM-6.3)."""
    if orders.place is None:
        return
    x, y = orders.place
    archives = {robot.archive, *ship.checkpoint_at, *ship.depots}
    if not (0 <= x < ship.width and 0 <= y < ship.height):
        yield _problem("place", N_("The board has no cell at {at}."), at=place((x, y)))
    elif all(ship.cell(x, y) not in around(ship, archive) for archive in archives):
        form = N_(
            "A robot cannot come back at {at}. Choose a cell beside an archive, but not a shaft or space."
        )
        yield _problem("place", form, at=place((x, y)))


def _unlock(orders: Orders) -> Iterator[OrderProblem]:
    for number in sorted(set(orders.unlock)):
        if not 1 <= number <= REGISTERS:
            yield _problem("unlock", N_("There is no register {wanted} to unlock."), wanted=number)
        elif orders.unlock.count(number) > 1:
            yield _problem("unlock", N_("Register {number} is listed twice for unlocking."), number)


def _registers(robot: Robot, hand: Sequence[Chip], orders: Orders) -> Iterator[OrderProblem]:
    registers = orders.registers
    if len(registers) != REGISTERS:
        code = "too-few" if len(registers) < REGISTERS else "too-many"
        form = N_("A program has {most} registers, not {given}.")
        yield _problem(code, form, most=REGISTERS, given=len(registers))
    counts = Counter(chip for chip in registers if chip)
    for number, chip in enumerate(registers, 1):
        if number > REGISTERS:
            return
        if number - 1 in robot.locked:
            if chip:
                yield _problem("locked", N_("Register {number} is locked and keeps its chip."), number)
        elif chip is None:
            yield _problem("empty", N_("Register {number} needs a chip."), number)
        elif chip == PAUSE:
            if robot.model != LAZYBOT:
                yield _problem("pause", N_("Only LazyBot can pause."), number)
            elif counts[chip] > 1:
                yield _problem("pause", N_("LazyBot can pause in only one register a turn."), number)
        elif chip not in hand:
            form = N_("The chip in register {number} is not in your hand.")
            yield _problem("not-in-hand", form, number)
        elif counts[chip] > 1:
            yield _problem("twice", N_("The chip in register {number} is used twice."), number)


def _equipment(robot: Robot, orders: Orders) -> Iterator[OrderProblem]:
    if not (orders.engaged or orders.equipment):
        return
    item, ammo = robot.equipment, robot.ammo or 0
    if item is None:
        yield _problem("no-equipment", N_("Your robot has no equipment."))
        return
    name = Sentence(EQUIPMENT_NAMES[item])
    if item in HAND_EQUIPMENT:
        if orders.equipment:
            form = N_("This equipment is used for the whole turn: {item}. Send true instead of phases.")
            yield _problem("equipment", form, item=name)
        elif not ammo:
            yield _problem("ammo", N_("No ammunition left: {item}."), item=name)
    elif orders.engaged:
        yield _problem(
            "equipment", N_("This equipment is used phase by phase: {item}. Send the phases."), item=name
        )
    else:
        for phase in sorted(orders.equipment - set(PHASES)):
            yield _problem("equipment", N_("There is no phase {phase}."), phase=phase)
        if (named := len(orders.equipment)) > ammo:
            message = Sentence.counted(
                "You chose {number} phase, but have ammunition for {ammo}: {item}.",
                "You chose {number} phases, but have ammunition for {ammo}: {item}.",
                named,
                item=name,
                ammo=ammo,
            )
            yield OrderProblem("ammo", message)


def complete(setup: Setup, state: State, index: int, hand: Hand, orders: Orders | None, seed: Seed) -> Orders:
    """Return the orders with a missing heading or empty registers filled at random (G-8.3).

    Without ``orders``, everything is random. The same seed gives the same orders.
    """
    robot = state.robots[index]
    chance = Chance(seed, state.turn)
    orders = orders or Orders()
    if state.turn == 0:
        if orders.heading is not None:
            return orders
        return replace(orders, heading=chance.stream(f"missing heading/{index}").choice(HEADINGS))
    if robot.down or (robot.was_down and orders.stay_down):
        return replace(orders, registers=())
    given = list(orders.registers) + [None] * (REGISTERS - len(orders.registers))
    rest = chance.stream(f"missing chips/{index}").shuffled(chip for chip in hand if chip not in given)
    if must_move_first(setup, state, rest):
        # Chips are taken from the end of the list.
        rest.append(rest.pop(next(i for i, chip in enumerate(rest) if chip.kind in MOVES)))
    for register in range(REGISTERS):
        if register not in robot.locked and given[register] is None:
            given[register] = rest.pop()
    return replace(orders, registers=tuple(given))


def program(robot: Robot, orders: Orders | None) -> list[Chip | None]:
    """Return the chips in a robot's five registers: locked chips, and chips from its orders."""
    registers = list(robot.registers)
    if orders:
        for register, chip in enumerate(orders.registers):
            if register not in robot.locked:
                registers[register] = chip
    return registers
