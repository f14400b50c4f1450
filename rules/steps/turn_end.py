"""Steps for the end of a turn: repair, coming back, power-down and ranks (RR-2, RR-9, AM-5.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from rules import events as ev
from rules.physics import beside, here_or_nearest, nearest_free
from rules.resolution import Resolution, step
from rules.state import TANKY, Robot
from rules.steps.lasers import full_ammo
from rules.view import RobotView

WEIGHTS: Final = {
    "shoot and kill": 35,
    "push and kill": 30,
    "shoot and kill scanner": 20,
    "be destroyed": 20,
    "inspect": 10,
    "push": 10,
    "push and kill scanner": 5,
    "shoot": 5,
    "weld": 2,
    "move": 1,
}
"""The weight that each kind of deed earns (RR-2.2). Weights decide the ranks for the next turn."""


class Deed(NamedTuple):
    """A robot's deed that earns weight. ``other`` is the robot affected by the deed, or None."""

    robot: int
    kind: str
    other: int | None = None

    @property
    def weight(self) -> int:
        return WEIGHTS[self.kind]


def weights(log: Iterable[ev.Event], robots: Sequence[Robot | RobotView]) -> dict[int, int]:
    """Return each robot's weight from the log of a turn, by index. The crystal earns none (RC-3)."""
    earned = {robot.index: 0 for robot in robots if not robot.crystal}
    for deed in deeds(log, robots):
        earned[deed.robot] += deed.weight
    return earned


def deeds(log: Iterable[ev.Event], robots: Sequence[Robot | RobotView]) -> list[Deed]:
    """Return the deeds of a turn that earn weight, in the order of its log (RR-2.2).

    If a push or shots destroy a robot, only the kill counts, and not the push or the shots (RR-2.3).
    """
    done: list[Deed] = []
    phase = 0  # index of the first deed in the phase
    moved: set[tuple[int, int]] = set()
    for event in log:
        match event:
            case ev.Phase():
                phase = len(done)
            case ev.Move(by="chip"):
                if (event.phase, event.robot) not in moved:
                    moved.add((event.phase, event.robot))
                    done.append(Deed(event.robot, "move"))
            case ev.Move(by="push", pusher=int(pusher), step="chips") if not robots[event.robot].crystal:
                done.append(Deed(pusher, "push", event.robot))
            case ev.Damage(by="laser", source=int(source)):
                done.append(Deed(source, "shoot", event.robot))
            case ev.Destroyed() if not robots[event.robot].crystal:
                done.append(Deed(event.robot, "be destroyed"))
                kind = " and kill scanner" if robots[event.robot].scanner else " and kill"
                for killer in event.killers:
                    if event.how == "push":
                        _take_last(done, Deed(killer, "push", event.robot))
                        done.append(Deed(killer, f"push{kind}", event.robot))
                    else:
                        shot = Deed(killer, "shoot", event.robot)
                        done[phase:] = [deed for deed in done[phase:] if deed != shot]
                        done.append(Deed(killer, f"shoot{kind}", event.robot))
            case ev.Inspect():
                done.append(Deed(event.robot, "inspect"))
            case ev.Weld():
                done.append(Deed(event.robot, "weld"))
            case _:
                pass
    return done


def _take_last(done: list[Deed], deed: Deed) -> None:
    del done[len(done) - 1 - done[::-1].index(deed)]


# Repair


def repair_strength(turn: Resolution, robot: Robot) -> tuple[int, str]:
    """Return how much damage a robot's cell repairs, and whether as a depot or as a checkpoint.

    On a cell that is both, the larger number counts (AM-4.1).
    """
    depot = turn.ship.depots.get(robot.cell, 0)
    checkpoint = int(robot.cell in turn.ship.checkpoint_at and robot.cell not in turn.damaged)
    return (depot, "depot") if depot >= checkpoint else (checkpoint, "checkpoint")


@step("repair", "RR-9.1 AM-4.1 FA-3", cells=lambda ship: {*ship.depots, *ship.checkpoint_at})
def repair(turn: Resolution) -> None:
    """Repair depots repair as much damage as they show.

    Undamaged checkpoints repair 1. On a cell that is both, the larger number counts.
    """
    for robot in turn.on_board:
        if robot.damage:
            turn.repair(robot, *repair_strength(turn, robot))


@step("repair fields", "WS-2", cells=lambda ship: ship.depots)
def repair_on_fields(turn: Resolution) -> None:
    """A repair field repairs as much damage as it shows."""
    for robot in turn.on_board:
        turn.repair(robot, turn.ship.depots.get(robot.cell, 0), "depot")


@step("repair fields", "GR-3.1", cells=lambda ship: ship.depots)
def repair_and_archive_on_fields(turn: Resolution) -> None:
    """A repair field repairs as much damage as it shows, and becomes the robot's archive."""
    for robot in turn.on_board:
        if strength := turn.ship.depots.get(robot.cell):
            turn.repair(robot, strength, "depot")
            if robot.archive != robot.cell:
                turn.archive(robot, robot.cell)


@step("Tanky", "GR-3.1 GR-1.2")
def repair_tanky(turn: Resolution) -> None:
    """Tanky repairs 1 damage."""
    for robot in turn.on_board:
        if robot.model == TANKY:
            turn.repair(robot, 1, TANKY)


@step("ammunition", "RR-9.2", cells=lambda ship: {*ship.depots, *ship.checkpoint_at})
def refill_ammunition(turn: Resolution) -> None:
    """Repair depots and undamaged checkpoints refill ammunition."""
    for robot in turn.on_board:
        if repair_strength(turn, robot)[0]:
            refill(turn, robot)


def refill(turn: Resolution, robot: Robot) -> None:
    """Refill a robot's ammunition, if it has equipment."""
    full = full_ammo(robot.equipment)
    if full is not None and robot.ammo != full:
        turn.reload(robot, full)


# Coming back


def lost(turn: Resolution) -> list[Robot]:
    """Return the destroyed robots that must come back, in order of destruction (G-9.1, G-9.2).

    Robots that found no free cell at the end of an earlier turn come first.
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
    """Destroyed robots with lives left come back on their airlocks.

    They come back in the order in which they were destroyed, virtual and with full ammunition. In a game with
    one robot, the robot comes back real.
    """
    for robot in lost(turn):
        alone = sum(not other.crystal for other in turn.robots) == 1
        virtual = turn.setup.ruleset.virtual_start and not alone
        cell = robot.archive if virtual else here_or_nearest(turn, robot.archive)
        if turn.enter(robot, cell, virtual=virtual):
            refill(turn, robot)


@step("coming back", "FA-3 FA-5 WS-6 G-9")
def come_back(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archives.

    They come back in the order in which they were destroyed.
    """
    for robot in lost(turn):
        virtual = turn.setup.ruleset.virtual_start
        cell = robot.archive if virtual else here_or_nearest(turn, robot.archive)
        turn.enter(robot, cell, virtual=virtual)


@step("coming back", "AM-6.1 AM-6.2 AM-6.3 AM-5.4 G-9")
def come_back_beside_archive(turn: Resolution) -> None:
    """Destroyed robots with lives left come back on their archives.

    If an archive is taken, the robot comes back beside it. Robots come back in the order in which they were
    destroyed. Robots with the same archive come back in the order in which they set it.
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
    """Destroyed robots with lives left come back on their archive.

    If it is taken, they come back on their start cell, or as near to it as possible.
    """
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
    """A virtual robot becomes real if it ends two turns in a row on an airlock.

    If it shares the airlock, it is first moved to the nearest free hull cell. This happens robot by robot, in
    seat order.
    """
    for robot in turn.robots:
        if robot.camped and robot.virtual and robot.cell in turn.ship.airlocks:
            alone = sum(other.cell == robot.cell for other in turn.robots) == 1
            if alone or turn.enter(robot, nearest_free(turn, robot.cell), virtual=True):
                turn.make_real(robot)


@step("ranks", "RR-2", looks_back=True)
def rank(turn: Resolution) -> None:
    """This turn's weights set the ranks for the next turn. Ties are broken at random."""
    earned = weights(ev.read_log(turn.log), turn.robots)
    drawn = turn.chance.stream("ranks").shuffled(index for index in earned if not turn.robots[index].out)
    order = sorted(drawn, key=lambda index: -earned[index])
    ranks = {index: place for place, index in enumerate(order, 1)}
    turn.emit(ev.Rank(turn.phase, turn.step, dict(sorted(ranks.items())), earned))


@step("reboot", "RR-9.3")
def reboot(turn: Resolution) -> None:
    """Robots that are off switch back on.

    Robots that were ordered to reboot switch off, and are fully repaired and reloaded.
    """
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False)
        elif turn.orders_of(robot).power_down and not robot.scanner:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "reboot")
            refill(turn, robot)


@step("power-down", "GR-3.2 WS-7")
def power_down(turn: Resolution) -> None:
    """Robots that are off switch back on.

    Robots that were ordered to power down switch off, and are fully repaired.
    """
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False)
        elif turn.orders_of(robot).power_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("switching off", "AM-5.1 FA-3 FA-5")
def switch_off(turn: Resolution) -> None:
    """Robots switch off if they announced a power-down. All their damage is removed.

    Robots that were off switch back on. Their players may order them to stay off next turn.
    """
    for robot in turn.on_board:
        if robot.down:
            turn.power(robot, False, may_stay_down=True)
        elif turn.orders_of(robot).power_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("staying off", "AM-5.2 FA-3 FA-5")
def stay_off(turn: Resolution) -> None:
    """Robots that were off stay off if ordered. All their damage is removed."""
    for robot in turn.sequence:
        if robot.was_down and robot.on_board and turn.orders_of(robot).stay_down:
            turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")


@step("switching off", "AM-5.1 AM-5.2 FA-3 FA-5")
def switch_off_or_stay_off(turn: Resolution) -> None:
    """Robots switch off if they announced a power-down, or stay off if ordered.

    Their damage is removed. Robots that are off without such an order switch back on.
    """
    for robot in turn.on_board:
        if robot.down and not turn.orders_of(robot).stay_down:
            turn.power(robot, False)
        elif robot.down or turn.orders_of(robot).power_down:
            if not robot.down:
                turn.power(robot, True)
            turn.repair(robot, robot.damage, "power-down")
