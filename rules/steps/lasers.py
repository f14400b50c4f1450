"""Lasers fire, hurt, and weld (G-6, RR-7)."""

from dataclasses import dataclass

from rules import events as ev
from rules.grid import opposite
from rules.resolution import Resolution
from rules.ruleset import step
from rules.state import Robot
from rules.steps.equipment import engage


@dataclass(slots=True)
class Hit:
    """Damage that a shot is about to do: to whom, whose shot it counts as (None: the board's)."""

    victim: Robot
    amount: int
    source: Robot | None


@dataclass(slots=True)
class Volley:
    """What the shots of one step come to, dealt when all have been fired (G-6.1)."""

    hits: list[Hit]
    welds: list[tuple[Robot, int]]


@step("lasers", "G-6 RR-7 RR-10.1 RR-10.2 RR-10.3 RR-10.4 RR-11.2")
def fire_lasers(turn: Resolution) -> None:
    """The lasers of the board and of all real robots that are up fire at once; scanners weld nothing.

    Damage is then dealt at once, and robots at the limit are destroyed together (G-6.1).
    """
    engage(turn, "twin-lasers", "repulsors")
    volley = Volley([], [])
    fire_board_lasers(turn, volley)
    for robot in turn.on_board:
        if robot.virtual or robot.down or robot.heading is None:
            continue
        strength = 2 if turn.uses(robot, "twin-lasers") else 1
        fire(turn, robot, robot.heading, strength, volley, welds=not robot.scanner)
        if turn.uses(robot, "rear-laser"):
            fire(turn, robot, opposite(robot.heading), 1, volley, welds=False)
    deal(turn, volley)


def fire_board_lasers(turn: Resolution, volley: Volley) -> None:
    """Fire from each emitter, up to the first real robot; virtual ones are hit in passing (G-6.2, G-6.3)."""
    for cell, emitter in turn.ship.emitters:
        heading = opposite(emitter.edge)
        end = cell
        struck: list[Robot] = []
        while True:
            struck += [robot for robot in turn.on_board if robot.cell == end]
            stopped = turn.real_at(end)
            beyond = end + turn.ship.steps[heading]
            if stopped or turn.railed(end, heading) or not turn.ship.inside(beyond):
                break
            end = beyond
        volley.hits += [Hit(robot, emitter.strength, None) for robot in struck]
        hit = stopped.index if stopped else None
        damage = emitter.strength if struck else 0
        turn.emit(ev.Shot(turn.phase, turn.step, None, cell, cell, end, hit, damage, False))


def fire(
    turn: Resolution, shooter: Robot, heading: int, strength: int, volley: Volley, *, welds: bool
) -> None:
    """Fire one shot of a robot (RR-7.2): at the first real robot, or the first damaged hull cell."""
    end = shooter.cell
    while not turn.railed(end, heading) and turn.ship.inside(end + turn.ship.steps[heading]):
        end += turn.ship.steps[heading]
        victim = turn.real_at(end)
        if victim:
            _strike(turn, shooter, victim, end, strength, volley)
            return
        if turn.damaged(end):
            if welds:
                volley.welds.append((shooter, turn.ship.checkpoint_at[end]))
            _log_shot(turn, shooter, end, "hull", 0)
            return
    _log_shot(turn, shooter, end, None, 0)


def _strike(
    turn: Resolution, shooter: Robot, victim: Robot, cell: int, strength: int, volley: Volley
) -> None:
    """Work out what a shot does to a robot: shields take it, repulsors return it (RR-10.3, RR-10.4)."""
    source, hurt, reflected = shooter, victim, False
    if turn.uses(victim, "repulsors"):
        source, hurt, reflected = victim, shooter, True
    spent = (
        turn.uses(shooter, "shields")
        or turn.uses(hurt, "shields")
        or (reflected and turn.uses(hurt, "repulsors"))
    )
    damage = 0 if spent else strength
    if damage:
        volley.hits.append(Hit(hurt, damage, source))
    _log_shot(turn, shooter, cell, victim.index, damage, reflected)


def _log_shot(
    turn: Resolution, shooter: Robot, end: int, hit: int | str | None, damage: int, reflected: bool = False
) -> None:
    turn.emit(ev.Shot(turn.phase, turn.step, shooter.index, None, shooter.cell, end, hit, damage, reflected))


def deal(turn: Resolution, volley: Volley) -> None:
    """Deal the damage and the welds of a volley, then destroy who is at the limit (G-6.1, G-6.5)."""
    for robot in turn.sequence:
        for hit in volley.hits:
            if hit.victim is robot:
                turn.hurt(robot, hit.amount, "laser" if hit.source else "board-laser", hit.source)
    for shooter, checkpoint in volley.welds:
        left = max(0, turn.state.hull[checkpoint] - 1)
        turn.emit(ev.Weld(turn.phase, turn.step, shooter.index, checkpoint, left))
    for robot in turn.on_board:
        if robot.damage >= turn.setup.ruleset.damage_limit:
            sources = [hit.source for hit in volley.hits if hit.victim is robot and hit.source]
            turn.destroy(robot, "damage", turn.in_order(sources), "shot")
