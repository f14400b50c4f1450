"""Positions (``position/1``): robots on a board at the start of a turn. A new game can begin there.

A position has everything that a state has, except names, hands and the number of the turn. The seats of the
new game give the names, its seed gives the hands, and its first turn is turn 1. A document may also have the
setup: the ruleset, its version, the options, the house rules and the starship. In a ``game/1`` file it has
none of them, because the file has them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rules.chance import Chance, Seed
from rules.codec import Json, Vocabulary
from rules.dealing import Deal, deal
from rules.document import (
    Document,
    NotationError,
    Problem,
    SetupError,
    check_format,
    check_keys,
    is_int,
    quoted,
)
from rules.elements import SQUADS
from rules.grid import BEFORE, LETTERS, OFF, N
from rules.language import N_, Sentence
from rules.launch import check_crew, hull_at_start, launch, scanner_dock
from rules.notation import read_starship, write_starship
from rules.orders import CHIPS, PAUSE, REGISTERS, Chip, locked_registers, locks
from rules.rulesets import ruleset
from rules.setup import Setup
from rules.starship import Starship
from rules.state import MODELS, Robot, State
from rules.steps.lasers import EQUIPMENT, full_ammo
from rules.suitability import make_setup

POSITION_FORMAT: Final = "position/1"
SETUP_KEYS: Final = ("ruleset", "version", "options", "house_rules", "starship")
"""The keys of a position's setup. A position in a game file has none of them."""

PIECE_KEYS: Final = ("robots", "crystal", "hull", "links", "known")
MARKS: Final = ("virtual", "down", "was_down", "returned", "camped", "scanner", "away", "out")
"""The keys of a robot that are true or false. If a key is missing, it is false."""

ROBOT_KEYS: Final = frozenset(
    {
        *MARKS,
        *("at", "heading", "damage", "lives", "next", "start", "archive", "rank", "squad", "model"),
        *("equipment", "ammo", "locked", "laid", "place", "fell"),
    }
)
MAX_COUNT: Final = 1_000_000
"""The highest value of ``laid`` and ``fell``, which only order events of the game before."""

MAX_LIVES: Final = 9
MAX_ROBOTS: Final = 12
"""The maximum number of robots, with scanners."""


@dataclass(frozen=True, slots=True)
class Position:
    """The pieces of a position.

    ``robots`` has the players' robots in seat order, then the scanners. They have no names yet. ``crystal``
    is the cell of the power crystal, or OFF. ``links`` has the destinations of transporters that are not
    drawn at random. The other fields have the same meaning as in a state.
    """

    robots: tuple[Robot, ...]
    crystal: int
    hull: dict[int, int]
    links: dict[int, int]
    known: frozenset[int]

    @property
    def players(self) -> list[Robot]:
        """The players' robots, in seat order."""
        return [robot for robot in self.robots if not robot.scanner]

    @property
    def squads(self) -> list[str]:
        """The squad of each player's robot, or an empty list in rulesets without squads."""
        return [robot.squad for robot in self.players if robot.squad is not None]

    @property
    def models(self) -> list[str]:
        """The model of each player's robot, or an empty list in rulesets without models."""
        return [robot.model for robot in self.players if robot.model is not None]


def begin_at(
    position: Position,
    setup: Setup,
    names: Sequence[str],
    seed: Seed,
    squads: Sequence[str] = (),
    models: Sequence[str] = (),
) -> Deal:
    """Start a game at a position, and deal the hands of turn 1.

    The other arguments are the same as for `rules.begin`. Raises SetupError if the number of players, their
    squads or their models do not suit the position.
    """
    if len(names) != len(position.players):
        form = N_("the position is for {number} players, not {names}")
        raise SetupError(Sentence(form, number=len(position.players), names=len(names)))
    if list(squads) != position.squads or list(models) != position.models:
        raise SetupError(Sentence("the squads or models differ from those of the position"))
    state = launch(setup, names, Chance(seed, 0), squads, models)
    for index, put in enumerate(position.robots):
        robot = put.copy()
        robot.index, robot.name = index, state.robots[index].name
        state.robots[index] = robot
    if state.robots[-1].crystal:
        state.robots[-1].cell, state.robots[-1].alive = position.crystal, position.crystal != OFF
    state.hull = dict(position.hull)
    state.links |= position.links
    state.known = set(position.known)
    return deal(setup, state, seed)


# From a state to a document


def position_of(setup: Setup, state: State) -> Json:
    """Return the pieces of a state at the start of a turn, as ``position/1`` without its setup.

    The turn must have a program, so it is not turn 0.
    """
    ship = setup.starship
    terms = Vocabulary(ship, [])
    document: Json = {
        "format": POSITION_FORMAT,
        "robots": [_write_robot(terms, robot) for robot in state.robots if not robot.crystal],
        "hull": {str(number): left for number, left in state.hull.items()},
        "links": [[terms.cell(origin), terms.cell(to)] for origin, to in state.links.items()],
        "known": [terms.cell(cell) for cell in sorted(state.known)],
    }
    if setup.ruleset.crystal:
        document["crystal"] = None if state.crystal is None else terms.cell(state.crystal)
    return document


def position_at_start(setup: Setup, seats: int) -> Json:
    """Return the pieces of a new game, as ``position/1`` without its setup.

    Robots face north, and move in seat order. They are virtual only if they share a cell. Squads and models
    alternate. The crystal is on the first grappler. Transporters are linked with the first hands.
    """
    squads, models = (
        [kinds[seat % len(kinds)] for seat in range(seats)] if kinds else []
        for kinds in (setup.ruleset.squads, setup.ruleset.models)
    )
    state = launch(setup, [str(seat) for seat in range(seats)], Chance(0, 0), squads, models)
    robots = [robot for robot in state.robots if not robot.crystal]
    for rank, robot in enumerate(robots, 1):
        robot.heading, robot.returned = N, False
        robot.virtual = robot.cell != OFF and sum(robot.cell == other.cell for other in robots) > 1
        if setup.ruleset.ranks:
            robot.rank = rank
    document = position_of(setup, state)
    del document["links"], document["known"]
    for item in document["robots"]:
        del item["laid"]  # by default, archives were left in seat order
    if setup.ruleset.crystal:
        ship = setup.starship
        document["crystal"] = Vocabulary(ship, []).cell(ship.grapplers[0] if ship.grapplers else OFF)
    return document


def with_setup(setup: Setup, position: Json) -> Json:
    """Return a ``position/1`` document with its setup, so that it needs no game file."""
    return {
        "format": POSITION_FORMAT,
        "ruleset": setup.ruleset.key,
        "version": setup.ruleset.version,
        "options": dict(setup.options),
        "house_rules": dict(setup.house_rules),
        "starship": write_starship(setup.starship),
        **{key: position[key] for key in PIECE_KEYS if key in position},
    }


def _write_robot(terms: Vocabulary, robot: Robot) -> Json:
    """Write a robot. Keys with the default that depends on nothing are left out."""
    document: Json = {
        "at": terms.cell(robot.cell),
        "heading": terms.heading(robot.heading),
        "start": terms.cell(robot.start),
        "archive": terms.cell(robot.archive),
        "lives": robot.shown_lives,
        "next": robot.next,
        "laid": robot.laid,
    }
    marks = {
        "virtual": robot.virtual,
        "down": robot.down,
        "was_down": robot.was_down,
        "returned": robot.returned,
        "camped": robot.camped,
        "scanner": robot.scanner,
        "away": not robot.alive and not robot.out,
        "out": robot.out,
    }
    document |= {key: True for key, value in marks.items() if value}
    optional: Json = {
        "damage": robot.damage,
        "rank": robot.rank,
        "squad": robot.squad,
        "model": robot.model,
        "equipment": robot.equipment,
        "place": robot.place,
        "fell": robot.fell,
    }
    document |= {key: value for key, value in optional.items() if value}
    if robot.equipment:
        document["ammo"] = robot.ammo
    if robot.locked:
        document["locked"] = {
            str(register + 1): _write_chip(robot.registers[register]) for register in robot.locked
        }
    return document


def _write_chip(chip: Chip | None) -> int | str | None:
    """Write a chip in a locked register: its number, null for an empty register, or the word for a pause."""
    return PAUSE.kind if chip == PAUSE else chip and chip.number


# From a document to a position


def read_whole(document: object) -> tuple[Setup, Position]:
    """Read a ``position/1`` document with its setup.

    Raises the errors of `read_setup` and `read_position`, and SetupError if the squads or models of its
    robots do not suit the ruleset.
    """
    setup = read_setup(document)
    document = check_format(document, POSITION_FORMAT)
    position = read_position({key: document[key] for key in document if key not in SETUP_KEYS}, setup)
    check_crew(setup, len(position.players), position.squads, position.models)
    return setup, position


def read_setup(document: object) -> Setup:
    """Read the setup of a ``position/1`` document that stands alone. It uses only the number of robots.

    Without a version, the newest one of the ruleset applies. Raises NotationError if it is malformed,
    UnknownRuleset, and SetupError if no game can have this setup.
    """
    document = check_format(document, POSITION_FORMAT)
    check_keys(document, {"format", *SETUP_KEYS, *PIECE_KEYS}, "a position")
    for key in ("ruleset", "starship", "robots"):
        if key not in document:
            raise NotationError(Sentence("the key “{key}” is missing", key=key))
    key, version = document["ruleset"], document.get("version")
    if not isinstance(key, str):
        raise NotationError(Sentence("“{key}” must be a text", key="ruleset"))
    if not (version is None or is_int(version)):
        raise NotationError(Sentence("“{key}” must be a whole number", key="version"))
    options, house_rules = (document.get(name, {}) for name in ("options", "house_rules"))
    for name, value in (("options", options), ("house_rules", house_rules)):
        if not isinstance(value, dict):
            raise NotationError(Sentence("“{key}” must be an object", key=name))
    edition = ruleset(key, version)
    seats = sum(not item.get("scanner") for item in _items(document))
    ship = read_starship(document["starship"], known=True)
    return make_setup(edition, options, ship, seats, house_rules)


def read_position(document: object, setup: Setup) -> Position:
    """Read the pieces of a ``position/1`` document, which has no setup.

    Raises NotationError with the first fault that no game can have.
    """
    document = check_format(document, POSITION_FORMAT)
    check_keys(document, {"format", *PIECE_KEYS}, "a position")
    robots: list[Robot] = []
    for number, item in enumerate(_items(document), 1):
        robots.append(_Reader(item, number, setup, robots).robot())
    if [robot.scanner for robot in robots] != sorted(robot.scanner for robot in robots):
        raise NotationError(Sentence("the scanners must come after the players’ robots"))
    wanted, found = int(setup.options.get("scanners", 0)), sum(robot.scanner for robot in robots)
    if wanted != found:
        form = N_("the option asks for {wanted} scanners, but the position has {found}")
        raise NotationError(Sentence(form, wanted=wanted, found=found))
    crystal = _read_crystal(document, setup)
    _check_cells(robots, crystal)
    _check_ranks(robots, setup)
    _check_places(robots)
    _check_squads(robots, setup)
    _check_locked_chips(robots, setup)
    _check_in_play(robots, crystal, setup)
    ship = setup.starship
    links = _read_links(document.get("links"), ship)
    known = _read_known(document.get("known"), ship, links)
    return Position(tuple(robots), crystal, _read_hull(document.get("hull"), setup), links, known)


def _items(document: Document) -> list[Document]:
    value = document.get("robots")
    if not isinstance(value, list) or not value or not all(isinstance(item, dict) for item in value):
        raise NotationError(Sentence("“robots” must be a list of objects, at least one"))
    if len(value) > MAX_ROBOTS:
        raise NotationError(Sentence("a position has at most {most} robots", most=MAX_ROBOTS))
    return value


class _Reader:
    """Reads a robot of a position. ``number`` counts robots from 1, and names the robot in messages."""

    def __init__(self, item: Document, number: int, setup: Setup, earlier: Sequence[Robot]) -> None:
        self.item = item
        self.number = number
        self.setup = setup
        self.earlier = earlier

    def robot(self) -> Robot:
        item, setup, rules = self.item, self.setup, self.setup.ruleset
        check_keys(item, ROBOT_KEYS, f"robot {self.number}")
        marks = {key: self._mark(key) for key in MARKS}
        scanner, out = marks["scanner"], marks["out"]
        gone = out or marks["away"]
        if out and marks["away"]:
            raise self._fault(N_("robot {robot} cannot be “away” and “out”"))
        squad = self._choice("squad", rules.squads)
        if rules.squads and squad is None and not scanner:
            raise self._fault(N_("“squad” of robot {robot} must be one of {allowed}"), allowed=_list(SQUADS))
        model = self._choice("model", rules.models and tuple(MODELS))
        if rules.models and model is None and not scanner:
            raise self._fault(N_("“model” of robot {robot} must be one of {allowed}"), allowed=_list(MODELS))
        equipment = self._choice("equipment", EQUIPMENT if "equipment" in setup.options else ())
        if equipment and scanner:
            raise self._fault(N_("robot {robot} is a scanner, and carries no equipment"))
        place = self._number("place", 0, most=MAX_ROBOTS) or None
        cell = self._cell("at", OFF)
        if cell == OFF and not (gone or place or not rules.start.on_board):
            raise self._fault(N_("robot {robot} must be on the board, or out of the game"))
        if cell != OFF and (gone or place is not None):
            raise self._fault(N_("robot {robot} is out of the game or has finished, so it has no cell"))
        if place is not None and not rules.has(PLAYING_ON):
            raise self._fault(N_("robot {robot} cannot have finished, because the game would be over"))
        start = self._start(scanner, squad)
        for key, order in (("down", "power_down"), ("was_down", "stay_down")):
            if marks[key] and order not in rules.orders:
                raise self._fault(N_("“{key}” of robot {robot} is impossible with these rules"), key=key)
        if marks["down"] and marks["was_down"]:
            raise self._fault(N_("robot {robot} cannot be “down” and “was_down”"))
        damage = self._number("damage", 0, most=MAX_COUNT if gone else rules.damage_limit - 1)
        locked, registers = self._locked(damage)
        limit = full_ammo(equipment)
        return Robot(
            index=self.number - 1,
            name="",
            cell=cell,
            heading=self._heading(),
            start=start,
            archive=start if scanner else self._cell("archive", start),
            lives=0 if out or scanner else self._lives(),
            pays=rules.spare_lives and not scanner,
            damage=damage,
            next=self._next(place is not None),
            rank=self._number("rank", 0 if out else self.number, most=MAX_ROBOTS) if rules.ranks else 0,
            alive=not gone,
            virtual=marks["virtual"],
            down=marks["down"],
            was_down=marks["was_down"],
            returned=marks["returned"],
            camped=marks["camped"],
            scanner=scanner,
            squad=squad,
            model=model,
            equipment=equipment,
            ammo=None if limit is None else self._number("ammo", limit, most=limit),
            place=place,
            laid=self._number("laid", self.number if not scanner else 0, most=MAX_COUNT),
            fell=self._number("fell", 0, most=MAX_COUNT),
            locked=locked,
            registers=registers,
        )

    def _fault(self, form: str, **values: Any) -> NotationError:
        return _fault_of(self.number, Sentence(form, robot=self.number, **values))

    def _mark(self, key: str) -> bool:
        value = self.item.get(key, False)
        if not isinstance(value, bool):
            raise self._fault(N_("“{key}” of robot {robot} must be true or false"), key=key)
        return value

    def _number(self, key: str, default: int, *, least: int = 0, most: int) -> int:
        value = self.item.get(key, default)
        if not is_int(value) or not least <= value <= most:
            form = N_("“{key}” of robot {robot} must be a whole number from {least} to {most}")
            raise self._fault(form, key=key, least=least, most=most)
        return int(value)

    def _choice(self, key: str, allowed: Sequence[str]) -> str | None:
        value = self.item.get(key)
        if value is None:
            return None
        if not allowed:
            raise self._fault(N_("robot {robot} has no “{key}” with these rules"), key=key)
        if value not in allowed:
            form = N_("“{key}” of robot {robot} must be one of {allowed}")
            raise self._fault(form, key=key, allowed=_list(allowed))
        return str(value)

    def _cell(self, key: str, default: int) -> int:
        value = self.item.get(key)
        if value is None:
            return default
        cell = read_cell(value, self.setup.starship)
        if cell is None:
            form = N_("“{key}” of robot {robot} must be a cell of the board: [x, y], not {value}")
            raise self._fault(form, key=key, value=quoted(value))
        if key == "at" and self.setup.starship.falls[BEFORE][cell] and not self.item.get("virtual"):
            raise self._fault(N_("robot {robot} would fall at once: move it to another cell"))
        return cell

    def _heading(self) -> int:
        value = self.item.get("heading", "N")
        if not isinstance(value, str) or len(value) != 1 or value not in LETTERS:
            raise self._fault(N_("“heading” of robot {robot} must be one of N, E, S, W"))
        return LETTERS.index(value)

    def _start(self, scanner: bool, squad: str | None) -> int:
        ship, rules = self.setup.starship, self.setup.ruleset
        if scanner:
            dock = scanner_dock(ship, sum(robot.scanner for robot in self.earlier))
            cell = self._cell("start", OFF if dock is None else dock)
        else:
            seat = sum(not robot.scanner and robot.squad == squad for robot in self.earlier)
            usual = rules.start.cell(ship, seat, squad)
            cell = self._cell("start", OFF if usual is None else usual)
        if cell == OFF:
            raise self._fault(N_("robot {robot} has no “start”, and the board has none for it"))
        return cell

    def _lives(self) -> int:
        pays = self.setup.ruleset.spare_lives
        usual = int(self.setup.options.get("lives", 3))
        return self._number("lives", usual, least=0 if pays else 1, most=MAX_LIVES) + pays

    def _next(self, finished: bool) -> int:
        setup = self.setup
        last = int(setup.options.get("checkpoints", 0)) or len(setup.starship.checkpoints)
        usual = 0 if self.item.get("scanner") else setup.ruleset.start.next
        most = max(1, last) + (1 if finished or last < setup.ruleset.start.next else 0)
        return self._number("next", max(1, usual), least=1, most=most)

    def _locked(self, damage: int) -> tuple[tuple[int, ...], list[Chip | None]]:
        """Read the locked registers and their chips. A chip that is null is drawn with the first hand."""
        registers: list[Chip | None] = [None] * REGISTERS
        value = self.item.get("locked")
        if value is None:
            return locked_registers(damage), registers
        numbers = [str(register + 1) for register in range(REGISTERS)]
        if (
            not isinstance(value, dict)
            or not set(value) <= set(numbers)
            or len(value) != locks(damage)
            or not all(self._is_chip(chip) for chip in value.values())
        ):
            form = N_(
                "“locked” of robot {robot} must have its {locked} locked registers, each with the number of a"
                " chip or null"
            )
            raise self._fault(form, locked=locks(damage))
        for key, chip in value.items():
            registers[int(key) - 1] = None if chip is None else CHIPS.get(chip, PAUSE)
        return tuple(sorted(int(key) - 1 for key in value)), registers

    def _is_chip(self, chip: object) -> bool:
        if chip == PAUSE.kind:
            return "model" in self.item
        return chip is None or (is_int(chip) and chip in CHIPS)


def _fault_of(robot: int, message: Sentence) -> NotationError:
    """Return an error whose ``key`` names a robot. Robots count from 1."""
    return NotationError(Problem(message, key=f"robot {robot}"))


PLAYING_ON: Final = "all but one finished"
"""The step of rulesets that continue a game after a robot has finished (FA-4)."""


def _list(words: Sequence[str] | dict[str, Any]) -> str:
    return ", ".join(words)


def read_cell(value: object, ship: Starship) -> int | None:
    """Read a cell, written as ``[x, y]``. Return None if the board has no such cell."""
    if not isinstance(value, list) or len(value) != 2 or not all(is_int(number) for number in value):
        return None
    x, y = value
    return ship.cell(x, y) if 0 <= x < ship.width and 0 <= y < ship.height else None


def _read_crystal(document: Document, setup: Setup) -> int:
    value = document.get("crystal")
    if value is None:
        return OFF
    if not setup.ruleset.crystal:
        raise NotationError(Sentence("{ruleset} has no power crystal", ruleset=setup.ruleset.name))
    cell = read_cell(value, setup.starship)
    if cell is None:
        raise NotationError(Sentence("“crystal” must be a cell of the board: [x, y]"))
    return cell


def _read_hull(value: object, setup: Setup) -> dict[int, int]:
    """Read the repairs left for checkpoints. Checkpoints that are not listed are as at a usual start."""
    hull = hull_at_start(setup)
    if value is None:
        return hull
    form = N_("“hull” must have the repairs left of damaged checkpoints, by their numbers")
    if not isinstance(value, dict):
        raise NotationError(Sentence(form))
    known = {str(number): (number, most) for number, most in hull.items()}
    for key, left in value.items():
        number, most = known.get(key, (0, -1))
        if not is_int(left) or not 0 <= left <= most:
            raise NotationError(Sentence(form))
        hull[number] = left
    return hull


def _read_links(value: object, ship: Starship) -> dict[int, int]:
    """Read the links of transporters: pairs of cells, from and to. A network must be complete or missing."""
    if value is None:
        return {}
    form = N_("“links” must be a list of pairs of cells, with every transporter of a network once")
    if not isinstance(value, list) or len(value) > ship.size:
        raise NotationError(Sentence(form))
    links: dict[int, int] = {}
    for pair in value:
        ends = [read_cell(cell, ship) for cell in pair] if isinstance(pair, list) else []
        if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] in links:
            raise NotationError(Sentence(form))
        links[ends[0]] = ends[1]
    loops = [cells for cells in ship.networks.values() if any(cell in links for cell in cells)]
    if sum(map(len, loops)) != len(links) or not all(_is_loop(links, cells) for cells in loops):
        raise NotationError(Sentence(form))
    return links


def _is_loop(links: dict[int, int], cells: Sequence[int]) -> bool:
    """Return whether these links join all cells in one closed loop (RR-1.4)."""
    at, seen = cells[0], set[int]()
    while at in links and at not in seen:
        seen.add(at)
        at = links[at]
    return at == cells[0] and seen == set(cells) and len(cells) > 1


def _read_known(value: object, ship: Starship, links: dict[int, int]) -> frozenset[int]:
    if value is None:
        return frozenset()
    cells = [read_cell(cell, ship) for cell in value] if isinstance(value, list) else [None]
    if len(cells) > len(links) or not all(cell in links for cell in cells):
        raise NotationError(Sentence("“known” must be a list of transporters that “links” names"))
    return frozenset(cell for cell in cells if cell is not None)


# What no game can have


def _check_cells(robots: Sequence[Robot], crystal: int) -> None:
    """Raise NotationError if two real robots are in one cell (G-1.6). The crystal counts too."""
    real: dict[int, int] = {}
    for robot in robots:
        if robot.on_board and not robot.virtual:
            if robot.cell in real:
                form = N_("robots {first} and {second} are both real and in one cell")
                number = robot.index + 1
                raise _fault_of(number, Sentence(form, first=real[robot.cell], second=number))
            real[robot.cell] = robot.index + 1
    if crystal != OFF and crystal in real:
        form = N_("robot {robot} is real and in the cell of the crystal")
        raise _fault_of(real[crystal], Sentence(form, robot=real[crystal]))


def _check_ranks(robots: Sequence[Robot], setup: Setup) -> None:
    ranks = [robot.rank for robot in robots if not robot.out]
    if setup.ruleset.ranks and (len(set(ranks)) < len(ranks) or 0 in ranks):
        raise NotationError(Sentence("each robot in the game needs a different rank, from 1"))


def _check_places(robots: Sequence[Robot]) -> None:
    """Raise NotationError if robots cannot have finished in these places (FA-4)."""
    finished = [robot for robot in robots if robot.place is not None]
    if sorted(robot.place or 0 for robot in finished) != list(range(1, len(finished) + 1)):
        raise NotationError(Sentence("the places of robots that have finished must be 1, 2 and so on"))
    for robot in finished:
        if robot.scanner or not robot.alive:
            form = N_("robot {robot} cannot have finished: it is a scanner, or “away” or “out”")
            raise _fault_of(robot.index + 1, Sentence(form, robot=robot.index + 1))


def _check_squads(robots: Sequence[Robot], setup: Setup) -> None:
    squads = [robot.squad for robot in robots if not robot.scanner]
    if len({squads.count(squad) for squad in setup.ruleset.squads}) > 1:
        raise NotationError(Sentence("the squads must be the same size"))


def _check_locked_chips(robots: Sequence[Robot], setup: Setup) -> None:
    """Raise NotationError if a chip is locked twice in one deck (G-3.3)."""
    decks = [robots] if setup.ruleset.shared_deck else [[robot] for robot in robots]
    for deck in decks:
        chips = [chip for robot in deck for chip in robot.registers if chip not in (None, PAUSE)]
        if len(set(chips)) < len(chips):
            raise NotationError(Sentence("a chip can be locked only once"))


def _check_in_play(robots: Sequence[Robot], crystal: int, setup: Setup) -> None:
    """Raise NotationError if the game would already be decided."""
    rules, ship = setup.ruleset, setup.starship
    players = [robot for robot in robots if not robot.scanner]
    left = [robot for robot in players if not robot.out and robot.place is None]
    sides = len({robot.squad or robot.index for robot in left})
    every = len({robot.squad or robot.index for robot in players})
    if sides < min(2 if rules.last_wins else 1, every):
        raise NotationError(Sentence("the game would be over: too few robots are left"))
    home = {cell for squad in rules.squads for cell in ship.squad_airlocks.get(squad, ())}
    if rules.crystal and crystal in home:
        raise NotationError(Sentence("the game would be over: the crystal is on an airlock"))
