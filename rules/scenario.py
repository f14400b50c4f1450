"""Test situations (``scenario/1``): one turn with its expected result."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.chance import Chance
from rules.codec import Json, Vocabulary, events_to_json
from rules.document import (
    Document,
    NotationError,
    Problem,
    RulesError,
    as_json,
    check_format,
    check_keys,
    is_int,
    quoted,
)
from rules.elements import SQUADS
from rules.engine import play
from rules.events import read_log
from rules.grid import LETTERS, OFF, PHASES
from rules.launch import CRYSTAL_NAME, crystal, hull_at_start, scanner_dock, shuffle_links
from rules.names import fault_of_name
from rules.notation import read_starship
from rules.options import EQUIPMENT as EQUIPMENT_OPTION, HULL_DAMAGE, LIVES, SCANNERS
from rules.orders import KEYS as ORDER_KEYS, KINDS, REGISTERS, Chip, Orders, read_order_keys
from rules.resolution import Resolution
from rules.rulesets import ruleset
from rules.setup import Ruleset, Setup, as_played, read_house_rules, read_options
from rules.starship import Starship
from rules.state import MODELS, Robot, State
from rules.steps.lasers import EQUIPMENT, full_ammo
from rules.suitability import unknown_elements
from rules.view import robot_to_json

SCENARIO_FORMAT: Final = "scenario/1"
COMMON_OPTIONS: Final = (LIVES, HULL_DAMAGE, SCANNERS, EQUIPMENT_OPTION)
KEYS: Final = frozenset(
    [
        "format",
        "title",
        "ruleset",
        "options",
        "seed",
        "starship",
        "robots",
        "phases",
        "crystal",
        "links",
        "expect",
    ]
)
ROBOT_KEYS: Final = frozenset(
    [
        "name",
        "at",
        "heading",
        "damage",
        "lives",
        "virtual",
        "down",
        "was_down",
        "next",
        "start",
        "archive",
        "rank",
        "scanner",
        "squad",
        "model",
        "equipment",
        "ammo",
        "chips",
        "orders",
        "camped",
    ]
)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario that is ready to run.

    ``programs`` has the chips in the registers of each robot, by robot index.
    """

    title: str
    setup: Setup
    state: State
    orders: dict[int, Orders]
    programs: dict[int, list[Chip | None]]
    seed: int | str
    phases: int
    expect: dict[str, Any]

    def run(self) -> Resolution:
        """Play the scenario's turn on a copy of its state."""
        programs = {index: list(registers) for index, registers in self.programs.items()}
        turn = Resolution(
            self.setup, self.state.copy(), self.orders, programs, Chance(self.seed, self.state.turn)
        )
        play(turn, self.phases)
        return turn


def read_scenario(document: object) -> Scenario:
    """Read a ``scenario/1`` document.

    Raises NotationError if it is malformed, UnknownRuleset, SetupError for faulty options, and RulesError for
    elements that the ruleset does not know.
    """
    document = check_format(document, SCENARIO_FORMAT)
    check_keys(document, KEYS, "a scenario")
    for key in ("ruleset", "starship", "robots"):
        if key not in document:
            raise NotationError(f"the key “{key}” is missing")
    setup = _read_setup(document)
    robots, orders, programs = _read_robots(document["robots"], setup)
    _read_crystal(document.get("crystal"), setup, robots)
    programs |= {robot.index: list(robot.registers) for robot in robots if robot.crystal}
    state = State(
        turn=1,
        robots=robots,
        hull=hull_at_start(setup),
        links=_read_links(document.get("links"), setup.starship, document.get("seed", 0)),
        return_damage=setup.ruleset.return_damage,
        scanner_damage=setup.ruleset.scanner_damage,
    )
    phases = document.get("phases", len(PHASES))
    if not is_int(phases) or not 1 <= phases <= len(PHASES):
        raise NotationError("“phases” must be a whole number from 1 to 5")
    title, expect = document.get("title", ""), document.get("expect", {})
    if not isinstance(title, str):
        raise NotationError("“title” must be a text")
    if not isinstance(expect, dict):
        raise NotationError("“expect” must be an object")
    return Scenario(title, setup, state, orders, programs, document.get("seed", 0), phases, expect)


def _read_setup(document: Document) -> Setup:
    if not isinstance(document["ruleset"], str):
        raise NotationError("“ruleset” must be a text")
    rules = ruleset(document["ruleset"])
    options = document.get("options", {})
    if not isinstance(options, dict):
        raise NotationError("“options” must be an object")
    seed = document.get("seed", 0)
    if not (is_int(seed) or isinstance(seed, str)):
        raise NotationError("“seed” must be a whole number or a text")
    ship = read_starship(document["starship"])
    if faults := list(unknown_elements(rules, ship)):
        raise RulesError(*faults)
    chosen = read_options(rules, _own(rules, options))
    return Setup(as_played(rules, chosen, read_house_rules(rules, {})), chosen, ship)


def _own(rules: Ruleset, options: Document) -> Document:
    """Drop common options that the ruleset lacks. Scenarios of every ruleset may have the common options.

    Raises NotationError if a dropped option has a wrong value.
    """
    keys = {option.key for option in rules.options}
    foreign = [option for option in COMMON_OPTIONS if option.key in options and option.key not in keys]
    if faults := [fault for option in foreign if (fault := option.problem(options[option.key]))]:
        raise NotationError(*faults)
    return {key: value for key, value in options.items() if key not in {option.key for option in foreign}}


def _read_links(value: object, ship: Starship, seed: int | str) -> dict[int, int]:
    """Read the links of transporters, as pairs of cells: from and to. Draw all other links at random.

    A network with two members needs only one pair, because its loop is closed.
    """
    links = shuffle_links(ship, Chance(seed, 0))
    if value is None:
        return links
    if not isinstance(value, list):
        raise NotationError("“links” must be a list of pairs of cells")
    members = {cell: cells for cells in ship.networks.values() for cell in cells}
    named: dict[int, int] = {}
    for pair in value:
        if not isinstance(pair, list) or len(pair) != 2:
            raise NotationError("“links” must be a list of pairs of cells")
        origin, to = (_read_cell(item, ship, "a link's end") for item in pair)
        if origin not in members or to not in members[origin]:
            raise NotationError(f"a link must join two transporters of one network, not {quoted(pair)}")
        named[origin] = to
        if len(members[origin]) == 2:
            named.setdefault(to, origin)
    return links | named


def _read_cell(value: object, ship: Starship, what: str) -> int:
    """Read a cell of the board, written as ``[x, y]``. Raises NotationError if the board has no such cell."""
    if not isinstance(value, list) or len(value) != 2 or not all(is_int(number) for number in value):
        raise NotationError(f"{what} must be [x, y], not {quoted(value)}")
    cell = ship.cell(*value)
    if not (0 <= value[0] < ship.width and 0 <= value[1] < ship.height):
        raise NotationError(f"{what} {quoted(value)} is off the board")
    return cell


Read = tuple[list[Robot], dict[int, Orders], dict[int, list[Chip | None]]]


def _read_robots(value: object, setup: Setup) -> Read:
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise NotationError("“robots” must be a list of objects, at least one")
    names = [item.get("name") for item in value]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise NotationError(f"two robots have the name {quoted(double)}")
    robots: list[Robot] = []
    orders: dict[int, Orders] = {}
    programs: dict[int, list[Chip | None]] = {}
    for index, item in enumerate(value):
        scanners = sum(robot.scanner for robot in robots)
        robot = _read_robot(item, index, scanners, setup, robots)
        robots.append(robot)
        orders[index] = _read_orders(item.get("orders", {}), robot)
        programs[index] = _read_chips(item.get("chips", []), index, robot)
        robot.registers = list(programs[index])
    _check_crowds(robots)
    return robots, orders, programs


def _check_crowds(robots: list[Robot]) -> None:
    """Raise NotationError if two real robots are in one cell (G-1.6)."""
    real: dict[int, Robot] = {}
    for robot in robots:
        if robot.on_board and not robot.virtual:
            if robot.cell in real:
                raise NotationError(f"{real[robot.cell].name} and {robot.name} are both real and in one cell")
            real[robot.cell] = robot


def _read_crystal(value: object, setup: Setup, robots: list[Robot]) -> None:
    """Read the cell of the power crystal, and add the crystal to the robots if the ruleset has one (RC-2).

    Without a cell, the crystal is off the board.
    """
    if setup.ruleset.crystal:
        if any(robot.name == CRYSTAL_NAME for robot in robots):
            raise NotationError(f"no robot can be called “{CRYSTAL_NAME}”: that is the crystal")
        robots.append(crystal(len(robots)))
    if value is None:
        return
    if not setup.ruleset.crystal:
        raise NotationError(f"there is no power crystal in {setup.ruleset.name}")
    gem = robots[-1]
    gem.cell, gem.alive = _read_cell(value, setup.starship, "the crystal"), True
    if holder := next((robot for robot in robots[:-1] if robot.cell == gem.cell and not robot.virtual), None):
        raise NotationError(f"{holder.name} is real and in the cell of the crystal")


def _read_robot(item: Document, index: int, scanners: int, setup: Setup, earlier: list[Robot]) -> Robot:
    name = item.get("name")
    if not isinstance(name, str) or not name:
        raise NotationError("every robot needs a “name”")
    if fault := fault_of_name(name):
        raise NotationError(f"the name of robot {index + 1}: {fault}")
    check_keys(item, ROBOT_KEYS, f"robot {name}")
    ship = setup.starship
    if "at" not in item:
        raise NotationError(f"robot {name} has no “at”")
    rules = setup.ruleset.start
    off_board = item["at"] is None and not rules.on_board
    cell = OFF if off_board else _read_cell(item["at"], ship, f"“at” of {name}")
    scanner = _flag(item, "scanner")
    squad = _one_of(item, "squad", SQUADS)
    seat = sum(not robot.scanner and robot.squad == squad for robot in earlier)
    dock = scanner_dock(ship, scanners) if scanner else rules.cell(ship, seat, squad)
    start = _read_cell(item["start"], ship, f"“start” of {name}") if "start" in item else (dock or cell)
    if start == OFF:
        raise NotationError(f"robot {name} is off the board, and the board has no checkpoint 1 to start on")
    archive = _read_cell(item["archive"], ship, f"“archive” of {name}") if "archive" in item else start
    if scanner:  # a scanner comes back on its start cell, despite the document (RR-11.1)
        archive = start
    equipment = _one_of(item, "equipment", EQUIPMENT)
    model = _one_of(item, "model", tuple(MODELS))
    if scanner and equipment:
        raise NotationError(f"{name} is a scanner, and carries no equipment")
    down, was_down = _read_power(item, setup.ruleset)
    return Robot(
        index=index,
        name=name,
        cell=cell,
        heading=_read_heading(item, name),
        start=start,
        archive=archive,
        lives=_number(item, "lives", int(setup.options.get("lives", 3))) + setup.ruleset.spare_lives,
        pays=setup.ruleset.spare_lives,
        damage=_number(item, "damage", 0),
        next=_number(item, "next", rules.next, least=1),
        rank=_number(item, "rank", index + 1, least=1) if setup.ruleset.ranks else 0,
        virtual=_flag(item, "virtual"),
        down=down,
        was_down=was_down,
        scanner=scanner,
        squad=squad,
        model=model if setup.ruleset.models else None,
        equipment=equipment,
        ammo=_number(item, "ammo", full_ammo(equipment) or 0) if equipment else None,
        camped=_flag(item, "camped"),
        laid=index + 1,
    )


def _read_power(item: Document, rules: Ruleset) -> tuple[bool, bool]:
    """Return whether a robot is off in this turn, and whether it was off only in the turn before (AM-5.2)."""
    down, was_down = _flag(item, "down"), _flag(item, "was_down")
    if down and "power_down" not in rules.orders:
        raise NotationError(f"{item['name']} cannot be down: there is no power-down with these options")
    if was_down and "stay_down" not in rules.orders:
        raise NotationError(f"{item['name']} cannot have been down: no robot may stay off with these options")
    return down, was_down and not down


def _flag(item: Document, key: str) -> bool:
    value = item.get(key, False)
    if not isinstance(value, bool):
        raise NotationError(f"“{key}” of {item['name']} must be true or false")
    return value


def _number(item: Document, key: str, default: int, least: int = 0) -> int:
    value = item.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise NotationError(f"“{key}” of {item['name']} must be a whole number of at least {least}")
    return value


def _one_of(item: Document, key: str, allowed: tuple[str, ...]) -> str | None:
    value = item.get(key)
    if value is not None and value not in allowed:
        raise NotationError(f"“{key}” of {item['name']} must be one of {', '.join(allowed)}")
    return value


def _read_heading(item: Document, name: str) -> int:
    value = item.get("heading", "N")
    if not isinstance(value, str) or len(value) != 1 or value not in LETTERS:
        raise NotationError(f"“heading” of {name} must be one of N, E, S, W")
    return LETTERS.index(value)


def _read_orders(value: object, robot: Robot) -> Orders:
    if not isinstance(value, dict):
        raise NotationError(f"“orders” of {robot.name} must be an object")
    check_keys(value, ORDER_KEYS - {"registers"}, f"“orders” of {robot.name}")
    problems: list[Problem] = []
    orders = Orders(**read_order_keys(value, problems))
    if problems:
        raise NotationError(*(f"{robot.name}: {problem}" for problem in problems))
    if robot.down:
        return Orders()  # a robot that is off takes no orders (AM-5.2)
    if robot.was_down and orders.stay_down:
        return Orders(stay_down=True)  # an order to stay off excludes all others
    # Any robot obeys a heading here. Scanners have no other orders and never reboot (RR-11.2).
    return Orders(heading=orders.heading) if robot.scanner else orders


def _read_chips(value: object, index: int, robot: Robot) -> list[Chip | None]:
    """Read a robot's chips, such as ``["1", "R", "3@790", null]``.

    A chip without a number gets a number that makes robots act in seat order.
    """
    if not isinstance(value, list) or len(value) > REGISTERS:
        raise NotationError(f"“chips” of {robot.name} must be a list of at most five")
    chips: list[Chip | None] = []
    for text in value:
        kind, _, number = text.partition("@") if isinstance(text, str) else (None, "", "")
        if text is None:
            chips.append(None)
        elif kind in KINDS and not (text.endswith("@") or (number and not number.isascii())):
            if number and (not number.isdecimal() or len(number) > 6):
                raise NotationError(f"the chip {quoted(text)} of {robot.name} has no whole number")
            chips.append(Chip(int(number) if number else 10000 - index - 1, str(kind)))
        else:
            raise NotationError(
                f"the chip {quoted(text)} of {robot.name} is unknown; there are {', '.join(KINDS)}"
            )
    return chips + [None] * (REGISTERS - len(chips))


COMPARED_KEYS: Final = [
    "at",
    "heading",
    "damage",
    "lives",
    "alive",
    "virtual",
    "down",
    "was_down",
    "next",
    "archive",
    "locked",
    "ammo",
    "rank",
    "place",
]
EXPECT_KEYS: Final = frozenset({"winner", "hull", "crystal", "events"})


def result_of(scenario: Scenario) -> Json:
    """Play a scenario, and return the result as JSON."""
    turn = scenario.run()
    state = turn.state
    terms = Vocabulary(turn.ship, [robot.name for robot in state.robots])
    return {
        "robots": {robot.name: _robot(terms, turn, robot) for robot in state.robots if not robot.crystal},
        "hull": {str(number): left for number, left in state.hull.items()},
        "crystal": None if state.crystal is None else terms.cell(state.crystal),
        "winner": terms.robot_or_word(state.winner),
        "events": events_to_json(terms, read_log(turn.log)),
    }


def _robot(terms: Vocabulary, turn: Resolution, robot: Robot) -> Json:
    written = robot_to_json(terms, robot, turn.programs[robot.index])
    return {key: written[key] for key in COMPARED_KEYS}


def differences(scenario: Scenario, result: Json) -> Iterator[str]:
    """Yield every difference between a result and the scenario's expected result.

    Raises NotationError if the expected result has an unknown key, or a value of the wrong form.
    """
    for key, expected in scenario.expect.items():
        _check_form(key, expected, result)
        if key in result["robots"]:
            yield from _robot_differences(key, expected, result["robots"][key])
        elif key == "events":
            yield from _missing_events(expected, result["events"])
        elif key == "hull":
            found = {number: result["hull"].get(number) for number in expected}
            if found != expected:
                yield f"hull: expected {as_json(expected)}, got {as_json(found)}"
        elif result[key] != expected:
            yield f"{key}: expected {as_json(expected)}, got {as_json(result[key])}"


def _check_form(key: str, expected: object, result: Json) -> None:
    """Raise NotationError if a key is unknown, or if its expected value has the wrong form."""
    if key in result["robots"] or key == "hull":
        if not isinstance(expected, dict):
            raise NotationError(f"“expect” of {key} must be an object")
    elif key == "events":
        if not isinstance(expected, list) or not all(isinstance(event, dict) for event in expected):
            raise NotationError("“expect” of events must be a list of objects")
    elif key not in EXPECT_KEYS:
        raise NotationError(f"“expect” names “{key}”, which is not a robot of the scenario")


def _robot_differences(name: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in expected.items():
        if key not in COMPARED_KEYS:
            raise NotationError(f"“expect” of {name} has no key “{key}”")
        if found[key] != value:
            yield f"{name}.{key}: expected {as_json(value)}, got {as_json(found[key])}"


def _missing_events(expected: Sequence[Json], events: Sequence[Json]) -> Iterator[str]:
    """Yield a message about the first expected event that does not occur in the expected order.

    Other events may come in between.
    """
    rest = iter(events)
    for wanted in expected:
        if not any(_matches(wanted, event) for event in rest):
            order = " in that order" if expected[0] is not wanted else ""
            yield f"events: {as_json(wanted)} does not occur{order}"
            return


def _matches(wanted: Any, found: Any) -> bool:
    """Return whether an event has all keys and values of a partial event.

    Nested objects may be partial too.
    """
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and _matches(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)
