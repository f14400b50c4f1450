"""What happens at the end of a turn: repair, reboot, coming back, becoming real, ranks (RR-9, RR-2)."""

from collections import Counter

from rules import events as ev
from rules.placement import nearest_free
from rules.resolution import Resolution
from rules.ruleset import step
from rules.state import Robot
from rules.steps.equipment import full_ammo
from rules.weights import weights


def repair_strength(turn: Resolution, robot: Robot) -> tuple[int, str]:
    """Return how much the cell under a robot repairs, by depot or checkpoint, whichever is more (RR-9.1)."""
    depot = turn.ship.depots.get(robot.cell, 0)
    checkpoint = int(robot.cell in turn.ship.checkpoint_at and not turn.damaged(robot.cell))
    return (depot, "depot") if depot >= checkpoint else (checkpoint, "checkpoint")


@step("repair", "RR-9.1 AM-4.1")
def repair(turn: Resolution) -> None:
    """A robot on a repair depot repairs as much damage as it shows, on an undamaged checkpoint 1."""
    for robot in turn.on_board:
        amount, by = repair_strength(turn, robot)
        turn.repair(robot, amount, by)


@step("ammunition", "RR-9.2")
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


@step("reboot", "RR-9.3")
def reboot(turn: Resolution) -> None:
    """A robot that was down comes up; one that was ordered to reboot goes down, all its damage repaired."""
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False)
        elif turn.orders_of(robot).power_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "reboot")
            refill(turn, robot)


@step("coming back", "RR-9.4 RR-11.1 G-9")
def come_back(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archive, in the order of their destruction.

    They are virtual, with full ammunition; the only robot of the game is real.
    """
    lost = [turn.robots[event.robot] for event in turn.log if isinstance(event, ev.Destroyed)]
    for robot in lost:
        if robot.alive or robot.out:
            continue
        virtual = turn.setup.ruleset.virtual_start and len(turn.robots) > 1
        cell = robot.archive
        if not virtual and turn.real_at(cell):
            cell = nearest_free(turn, cell)
        turn.emit(ev.Enter(turn.phase, turn.step, robot.index, cell, robot.heading, virtual))
        refill(turn, robot)


@step("becoming real", "RR-9.5")
def become_real(turn: Resolution) -> None:
    """A virtual robot that is alone in its cell becomes real."""
    crowds = Counter(robot.cell for robot in turn.on_board)
    for robot in turn.on_board:
        if robot.virtual and crowds[robot.cell] == 1:
            turn.emit(ev.Real(turn.phase, turn.step, robot.index))


@step("ranks", "RR-2")
def rank(turn: Resolution) -> None:
    """The ranks of the next turn follow from the weights earned in this one; ties are drawn."""
    earned = weights(turn.log, turn.robots)
    drawn = turn.chance.stream("ranks").shuffled(robot.index for robot in turn.robots if not robot.out)
    order = sorted(drawn, key=lambda index: -earned[index])
    ranks = {index: place for place, index in enumerate(order, 1)}
    turn.emit(ev.Rank(turn.phase, turn.step, dict(sorted(ranks.items())), earned))
