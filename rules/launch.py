"""The start of a game: robots on their start cells, their equipment, and transporter links."""

from collections.abc import Iterator, Sequence
from typing import Final

from rules.chance import Chance
from rules.document import SetupError
from rules.elements import SQUADS
from rules.grid import OFF, N
from rules.language import N_, Sentence
from rules.setup import Setup, StartRule
from rules.starship import Starship
from rules.state import Robot, State
from rules.steps.lasers import EQUIPMENT, full_ammo

CRYSTAL_NAME = "power crystal"
"""The name of the power crystal. It contains a space, so no player can have this name."""


def scanner_name(number: int) -> str:
    return f"Scanner {number}"


# Where robots start


def airlock_of(ship: Starship, seat: int, squad: str | None = None) -> int | None:
    """Return a seat's airlock, or its start cell if the ship has no airlocks.

    Seats count from 0. They take the airlocks in reading order, starting again after the last (RR-1.2).
    Returns None if there is no such cell.
    """
    if ship.airlocks:
        return ship.airlocks[seat % len(ship.airlocks)]
    return ship.starts.get(seat + 1)


def squad_airlock_of(ship: Starship, seat: int, squad: str | None = None) -> int | None:
    """Return a seat's airlock, chosen from its squad's airlocks (RC-1), or None if there are none.

    Seats count from 0 within a squad. They take the airlocks in reading order, starting again after the last.
    """
    own = ship.squad_airlocks.get(squad, []) if squad else ship.airlocks
    return own[seat % len(own)] if own else None


def first_start(ship: Starship, seat: int, squad: str | None = None) -> int | None:
    """Return the cell where all robots start (FA-1), or None if there is none.

    It is the first airlock or, on ships without airlocks, the start cell with the lowest number.
    """
    cells = [*ship.airlocks, *(ship.starts[number] for number in sorted(ship.starts))]
    return cells[0] if cells else None


def start_cell_of(ship: Starship, seat: int, squad: str | None = None) -> int | None:
    """Return the start cell of a seat (GR-1.1, WS-1). If the ship has no start cells, return an airlock.

    Seats count from 0. Returns None if there is no cell for this seat.
    """
    return ship.starts.get(seat + 1) if ship.starts else airlock_of(ship, seat)


def checkpoint_1(ship: Starship, seat: int, squad: str | None = None) -> int | None:
    """Return the cell of checkpoint 1, where all robots start (AM-1.2), or None if there is none."""
    return ship.checkpoints.get(1)


def _no_airlock(ship: Starship) -> Sentence | None:
    return None if ship.airlocks else Sentence("the starship has no airlock for robots to start on")


NO_AIRLOCK_FOR: Final = {
    ("red",): N_("the starship has no airlock for the red squad"),
    ("blue",): N_("the starship has no airlock for the blue squad"),
    ("red", "blue"): N_("the starship has an airlock for neither the red squad nor the blue squad"),
}
"""Error messages for starships that lack an airlock for one or both squads, by the squads without one."""


def _no_squad_airlock(ship: Starship) -> Sentence | None:
    if missing := [squad for squad in SQUADS if squad not in ship.squad_airlocks]:
        return Sentence(NO_AIRLOCK_FOR[tuple(missing)])
    if ship.grapplers:
        return None
    return Sentence("the starship has no grappler for the power crystal")


def _no_start(ship: Starship) -> Sentence | None:
    if ship.airlocks or ship.starts:
        return None
    return Sentence("the starship has no airlock or start cell for robots to start on")


def _no_start_cells(ship: Starship) -> Sentence | None:
    if 1 in ship.starts:
        return None
    return Sentence("the starship has no start cell a1 for the first robot")


ON_AIRLOCKS = StartRule(airlock_of, _no_airlock)
ON_SQUAD_AIRLOCKS = StartRule(squad_airlock_of, _no_squad_airlock)
ON_ONE_CELL = StartRule(first_start, _no_start)
ON_CHECKPOINT_1 = StartRule(checkpoint_1, lambda ship: None, on_board=False, next=2)
ON_START_CELLS = StartRule(start_cell_of, _no_start_cells, own=True)


def scanner_dock(ship: Starship, number: int) -> int | None:
    """Return the cell where a scanner starts, or None if there is none (RR-11.1).

    Scanners count from 0. They take the repair depots in reading order, starting again after the last. If the
    ship has no depots, they start on airlocks.
    """
    depots = list(ship.depots)
    return depots[number % len(depots)] if depots else airlock_of(ship, number)


# The first state


def launch(
    setup: Setup, names: Sequence[str], chance: Chance, squads: Sequence[str] = (), models: Sequence[str] = ()
) -> State:
    """Return the first state of a game: players' robots in seat order, then scanners, then the crystal.

    In rulesets with an opening, players choose the headings in the opening. In other rulesets robots start
    heading north, and players may choose another heading with their first orders. Raises SetupError if the
    squads or models do not suit the ruleset.
    """
    check_crew(setup, len(names), squads, models)
    scanners = int(setup.options.get("scanners", 0))
    alone = len(names) + scanners == 1
    virtual = setup.ruleset.virtual_start and not (alone and setup.ruleset.starts_real_if_alone)
    robots = [*_players(setup, names, virtual, chance), *_scanners(setup, len(names), scanners, virtual)]
    for robot, squad in zip(robots, squads, strict=False):
        robot.squad = squad
        _place(setup, robot, _seat_in_squad(squads, robot.index))
    for robot, model in zip(robots, models, strict=False):
        robot.model = model
    if setup.ruleset.ranks:
        for rank, index in enumerate(chance.stream("ranks").shuffled(range(len(robots))), 1):
            robots[index].rank = rank
    if setup.ruleset.crystal:
        robots.append(crystal(len(robots)))
    return State(
        turn=0,
        robots=robots,
        hull=hull_at_start(setup),
        links=shuffle_links(setup.starship, chance),
        return_damage=setup.ruleset.return_damage,
        scanner_damage=setup.ruleset.scanner_damage if scanners else None,
    )


def crystal(index: int) -> Robot:
    """Return the power crystal as it is before its arrival: off the board (RC-2)."""
    return Robot(index, CRYSTAL_NAME, OFF, None, OFF, 0, next=0, alive=False, crystal=True)


def hull_at_start(setup: Setup) -> dict[int, int]:
    """Return the number of repairs that each damaged checkpoint needs, by checkpoint number.

    All are 0 if the game has no hull damage (RR-7.3, RA-1).
    """
    if setup.options.get("hull_damage", False):
        return dict(setup.starship.hull_damage)
    return dict.fromkeys(setup.starship.hull_damage, 0)


def shuffle_links(ship: Starship, chance: Chance) -> dict[int, int]:
    """Link the transporters of each network in one random closed loop (RR-1.4, RR-5.3).

    Returns the destination of each transporter, by cell. A transporter without a partner has none.
    """
    links: dict[int, int] = {}
    for network, cells in ship.networks.items():
        if len(cells) > 1:
            loop = chance.stream(f"transporters/{network}").shuffled(cells)
            links.update(zip(loop, loop[1:] + loop[:1], strict=True))
    return links


def _players(setup: Setup, names: Sequence[str], virtual: bool, chance: Chance) -> Iterator[Robot]:
    for index, name in enumerate(names):
        lives, pays = int(setup.options["lives"]), setup.ruleset.spare_lives
        robot = Robot(index, name, OFF, None, OFF, lives + pays, virtual=virtual, pays=pays)
        robot.next = setup.ruleset.start.next
        if not setup.ruleset.opening:
            robot.heading, robot.returned = N, True
        if setup.options.get("equipment"):
            robot.equipment = chance.stream(f"equipment/{index}").choice(EQUIPMENT)
            robot.ammo = full_ammo(robot.equipment)
        _place(setup, robot, index)
        yield robot


def _place(setup: Setup, robot: Robot, seat: int) -> None:
    start = setup.ruleset.start
    cell = start.cell(setup.starship, seat, robot.squad)
    if cell is None:
        raise LookupError(start.missing(setup.starship))
    robot.start = robot.archive = cell
    robot.cell = cell if start.on_board else OFF


def _seat_in_squad(squads: Sequence[str], index: int) -> int:
    return squads[:index].count(squads[index])


def _scanners(setup: Setup, players: int, scanners: int, virtual: bool) -> Iterator[Robot]:
    for number in range(scanners):
        cell = scanner_dock(setup.starship, number)
        if cell is None:
            raise LookupError(setup.ruleset.start.missing(setup.starship))
        name = scanner_name(number + 1)
        yield Robot(players + number, name, cell, None, cell, 0, virtual=virtual, scanner=True, start=cell)


def check_crew(setup: Setup, seats: int, squads: Sequence[str], models: Sequence[str]) -> None:
    """Raise SetupError if the squads or models do not suit the ruleset and the number of players."""
    ruleset = setup.ruleset
    faults = []
    if ruleset.squads:
        sizes = {squads.count(squad) for squad in ruleset.squads}
        if len(squads) != seats or len(sizes) != 1 or not set(squads) <= set(ruleset.squads):
            faults.append(Sentence("the squads must be the same size"))
    elif squads:
        faults.append(Sentence("{ruleset} has no squads", ruleset=ruleset.name))
    if ruleset.models:
        if len(models) != seats or not set(models) <= set(ruleset.models):
            models_of = ", ".join(ruleset.models)
            faults.append(Sentence("each robot needs one of these models: {models}", models=models_of))
    elif models:
        faults.append(Sentence("{ruleset} has no models", ruleset=ruleset.name))
    if faults:
        raise SetupError(*faults)
