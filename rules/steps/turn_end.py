"""What happens at the end of a turn: repair, coming back, becoming real, ranks (RR-9, RR-2)."""

from collections import Counter

from rules import events as ev
from rules.models import TANKY
from rules.placement import beside, here_or_nearest, nearest_free
from rules.resolution import Resolution, step
from rules.state import Robot
from rules.steps.equipment import full_ammo
from rules.weights import weights

# Repair


def repair_strength(turn: Resolution, robot: Robot) -> tuple[int, str]:
    """Return how much the cell under a robot repairs, by depot or checkpoint, whichever is more (AM-4.1)."""
    depot = turn.ship.depots.get(robot.cell, 0)
    checkpoint = int(robot.cell in turn.ship.checkpoint_at and robot.cell not in turn.damaged)
    return (depot, "depot") if depot >= checkpoint else (checkpoint, "checkpoint")


@step("repair", "RR-9.1 AM-4.1 FA-3", cells=lambda ship: {*ship.depots, *ship.checkpoint_at})
def repair(turn: Resolution) -> None:
    """A robot on a repair depot repairs as much damage as it shows, on an undamaged checkpoint 1."""
    for robot in turn.on_board:
        if robot.damage:
            turn.repair(robot, *repair_strength(turn, robot))


@step("repair fields", "WS-2", cells=lambda ship: ship.depots)
def repair_on_fields(turn: Resolution) -> None:
    """A robot on a repair field repairs as much damage as it shows."""
    for robot in turn.on_board:
        turn.repair(robot, turn.ship.depots.get(robot.cell, 0), "depot")


@step("repair fields", "GR-3.1", cells=lambda ship: ship.depots)
def repair_and_archive_on_fields(turn: Resolution) -> None:
    """A robot on a repair field repairs as much damage as it shows, and has its archive there from now on."""
    for robot in turn.on_board:
        if strength := turn.ship.depots.get(robot.cell):
            turn.repair(robot, strength, "depot")
            if robot.archive != robot.cell:
                turn.archive(robot, robot.cell)


@step("Tanky", "GR-3.1 GR-1.2")
def mend_tanky(turn: Resolution) -> None:
    """Tanky repairs 1 damage."""
    for robot in turn.on_board:
        if robot.model == TANKY:
            turn.repair(robot, 1, TANKY)


@step("ammunition", "RR-9.2", cells=lambda ship: {*ship.depots, *ship.checkpoint_at})
def refill_ammunition(turn: Resolution) -> None:
    """On a repair depot or an undamaged checkpoint ammunition is refilled."""
    for robot in turn.on_board:
        if repair_strength(turn, robot)[0]:
            refill(turn, robot)


def refill(turn: Resolution, robot: Robot) -> None:
    """Fill up a robot's ammunition, if it has equipment and any is missing."""
    full = full_ammo(robot.equipment)
    if full is not None and robot.ammo != full:
        turn.reload(robot, full)


# Coming back


def lost(turn: Resolution) -> list[Robot]:
    """Return the robots that are to come back, in the order in which they were destroyed (G-9.1, G-9.2).

    First are those for which there was no cell at the end of the turn before.
    """
    gone: list[Robot] = []
    for robot in turn.robots:
        if not (robot.alive or robot.crystal or robot.out):
            gone.append(robot)
    if len(gone) < 2:
        return gone
    order = {robot.index: number for number, robot in enumerate(turn.destroyed, 1)}
    return sorted(gone, key=lambda robot: order.get(robot.index, 0))


@step("coming back", "RR-9.4 RR-11.1 G-9")
def come_back_from_airlock(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their airlock, in the order of their destruction.

    They are virtual, with full ammunition; the only robot of the game is real.
    """
    for robot in lost(turn):
        alone = sum(not other.crystal for other in turn.robots) == 1
        virtual = turn.setup.ruleset.virtual_start and not alone
        cell = robot.archive if virtual else here_or_nearest(turn, robot.archive)
        if turn.enter(robot, cell, virtual=virtual):
            refill(turn, robot)


@step("coming back", "FA-3 FA-5 WS-6 G-9")
def come_back(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archive, in the order of their destruction."""
    for robot in lost(turn):
        virtual = turn.setup.ruleset.virtual_start
        cell = robot.archive if virtual else here_or_nearest(turn, robot.archive)
        turn.enter(robot, cell, virtual=virtual)


@step("coming back", "AM-6.1 AM-6.2 AM-6.3 AM-5.4 G-9")
def come_back_beside_archive(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archive, or beside it where it is taken.

    They do so in the order of their destruction, those with the same archive in the order in which
    they laid it there.
    """
    order = lost(turn)
    for archive in {robot.archive for robot in order}:
        places = [place for place, robot in enumerate(order) if robot.archive == archive]
        by_laying = sorted((order[place] for place in places), key=lambda robot: robot.laid)
        for place, robot in zip(places, by_laying, strict=True):
            order[place] = robot
    for robot in order:
        turn.enter(robot, beside(turn, robot.archive, turn.orders_of(robot).place))


@step("coming back", "GR-3.3 G-9")
def come_back_on_archive_or_start(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archive, else on their start cell, else near it."""
    for robot in lost(turn):
        free = (cell for cell in (robot.archive, robot.start) if turn.occupied[cell] is None)
        turn.enter(robot, next(free, None) or nearest_free(turn, robot.start))


# Virtual and real


@step("becoming real", "RR-9.5 FA-3")
def become_real(turn: Resolution) -> None:
    """A virtual robot that is alone in its cell becomes real."""
    if not turn.ghostly:
        return
    crowds = Counter(robot.cell for robot in turn.on_board)
    for robot in turn.on_board:
        if robot.virtual and crowds[robot.cell] == 1:
            turn.make_real(robot)


@step("camping", "RA-2")
def drive_campers_out(turn: Resolution) -> None:
    """A virtual robot that ends two turns running on an airlock becomes real there, if it is alone.

    Else it is moved to the nearest free hull cell, and becomes real. One after another, in seat order.
    """
    for robot in turn.robots:
        if robot.camped and robot.virtual and robot.cell in turn.ship.airlocks:
            alone = sum(other.cell == robot.cell for other in turn.robots) == 1
            if alone or turn.enter(robot, nearest_free(turn, robot.cell), virtual=True):
                turn.make_real(robot)


@step("ranks", "RR-2", looks_back=True)
def rank(turn: Resolution) -> None:
    """The ranks of the next turn follow from the weights earned in this one; ties are drawn."""
    earned = weights(ev.read_log(turn.log), turn.robots)
    drawn = turn.chance.stream("ranks").shuffled(index for index in earned if not turn.robots[index].out)
    order = sorted(drawn, key=lambda index: -earned[index])
    ranks = {index: place for place, index in enumerate(order, 1)}
    turn.emit(ev.Rank(turn.phase, turn.step, dict(sorted(ranks.items())), earned))
