"""How a game starts: where robots stand, what they carry, and where transporters lead."""

from collections.abc import Iterator, Sequence

from rules.chance import Chance
from rules.ruleset import Setup
from rules.starship import Starship
from rules.state import Robot, State
from rules.steps.equipment import EQUIPMENT, full_ammo


def scanner_name(number: int) -> str:
    """Return the name of a scanner; players' names have no space, so that the two never meet."""
    return f"Scanner {number}"


def needs_airlock(ship: Starship) -> str | None:
    """Say that a starship has no airlock, if so (RR-1.2)."""
    return None if ship.airlocks else "the starship has no airlock, on which robots start"


def airlock_of(ship: Starship, seat: int) -> int | None:
    """Return where a seat (from 0) starts: airlocks in reading order, round and round (RR-1.2)."""
    if ship.airlocks:
        return ship.airlocks[seat % len(ship.airlocks)]
    return ship.starts.get(seat + 1)


def scanner_dock(ship: Starship, number: int) -> int | None:
    """Return where a scanner (from 0) starts: depots in reading order, else airlocks (RR-11.1)."""
    depots = list(ship.depots)
    return depots[number % len(depots)] if depots else airlock_of(ship, number)


def hull_at_start(setup: Setup) -> dict[int, int]:
    """Return the repairs that each damaged checkpoint needs; none with hull damage off (RR-7.3)."""
    if setup.options.get("hull_damage", True):
        return dict(setup.starship.hull_damage)
    return dict.fromkeys(setup.starship.hull_damage, 0)


def shuffle_links(ship: Starship, chance: Chance) -> dict[int, int]:
    """Join each network of transporters into one closed loop over all its members (RR-1.4, RR-5.3)."""
    links: dict[int, int] = {}
    for network, cells in ship.networks.items():
        if len(cells) > 1:
            loop = chance.stream(f"transporters/{network}").shuffled(cells)
            links.update(zip(loop, loop[1:] + loop[:1], strict=True))
    return links


def launch_from_airlocks(setup: Setup, names: Sequence[str], chance: Chance) -> State:
    """Start a game of Robo Runner (RR-1): robots on airlocks without heading, scanners on depots."""
    scanners = int(setup.options.get("scanners", 0))
    virtual = setup.ruleset.virtual_start and len(names) + scanners > 1
    robots = [*_players(setup, names, virtual, chance), *_scanners(setup, len(names), scanners, virtual)]
    for rank, index in enumerate(chance.stream("ranks").shuffled(range(len(robots))), 1):
        robots[index].rank = rank
    return State(
        turn=0,
        robots=robots,
        hull=hull_at_start(setup),
        links=shuffle_links(setup.starship, chance),
        return_damage=setup.ruleset.return_damage,
    )


def _players(setup: Setup, names: Sequence[str], virtual: bool, chance: Chance) -> Iterator[Robot]:
    for index, name in enumerate(names):
        cell = airlock_of(setup.starship, index)
        if cell is None:
            raise LookupError(needs_airlock(setup.starship))
        robot = Robot(index, name, cell, None, cell, cell, int(setup.options["lives"]), virtual=virtual)
        if setup.options.get("equipment"):
            robot.equipment = chance.stream(f"equipment/{index}").choice(EQUIPMENT)
            robot.ammo = full_ammo(robot.equipment)
        yield robot


def _scanners(setup: Setup, players: int, scanners: int, virtual: bool) -> Iterator[Robot]:
    for number in range(scanners):
        cell = scanner_dock(setup.starship, number)
        if cell is None:
            raise LookupError(needs_airlock(setup.starship))
        name = scanner_name(number + 1)
        yield Robot(players + number, name, cell, None, cell, cell, 0, virtual=virtual, scanner=True)
