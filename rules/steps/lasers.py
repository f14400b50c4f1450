"""Lasers fire, hurt, and weld (G-6, RR-7)."""

from functools import lru_cache
from typing import NamedTuple

from rules import events as ev
from rules.grid import OFF, opposite
from rules.models import JAMES_BOT, reflects
from rules.resolution import Resolution, step
from rules.setup import Step
from rules.starship import Starship
from rules.state import Robot
from rules.steps.equipment import engage


class Hit(NamedTuple):
    """Damage that a shot is about to do: to whom, whose shot it counts as (None: the board's)."""

    victim: Robot
    amount: int
    source: Robot | None


class Welding(NamedTuple):
    """A repair that a shot is about to make (RR-7.2)."""

    shooter: Robot
    checkpoint: int


Volley = list[Hit | Welding]
"""What the shots of one step come to, dealt when all have been fired (G-6.1)."""


def lasers(*, piercing: bool = False) -> Step:
    """Return the step in which board and robots fire together; piercing lasers of the board hit all."""

    @step("lasers", "G-6 RR-7 RR-10.1 RR-10.2 RR-10.3 RR-10.4 RR-11.2" + " GR-2.3" * piercing)
    def fire_lasers(turn: Resolution) -> None:
        """The lasers of the board and of all real robots that are up fire at once.

        Damage is then dealt at once, and robots at the limit are destroyed together (G-6.1).
        """
        if turn.equipped:
            engage(turn, "twin-lasers", "repulsors")
        volley: Volley = []
        fire_from_board(turn, volley, piercing=piercing)
        fire_from_robots(turn, volley)
        if volley:
            deal(turn, volley)

    return fire_lasers


def _has_emitters(ship: Starship) -> bool:
    return bool(ship.emitters)


def board_lasers(*, piercing: bool = False) -> Step:
    """Return the step in which the board's lasers fire; piercing ones hit all robots in their line."""
    if piercing:

        @step("board lasers", "G-6 GR-2.3", _has_emitters)
        def fire(turn: Resolution) -> None:
            """The lasers of the board fire at once, and hit every robot in their line up to the next rail."""
            volley: Volley = []
            fire_from_board(turn, volley, piercing=True)
            deal(turn, volley)

    else:

        @step("board lasers", "G-6", _has_emitters)
        def fire(turn: Resolution) -> None:
            """The lasers of the board fire at once, each up to the first robot in its line."""
            volley: Volley = []
            fire_from_board(turn, volley)
            deal(turn, volley)

    return fire


@step("robot lasers", "G-6 AM-2.3 GR-1.2 GR-2.3")
def fire_robot_lasers(turn: Resolution) -> None:
    """The lasers of all robots that are up fire at once; each shot stops at the first robot."""
    engage(turn, "twin-lasers", "repulsors")
    volley: Volley = []
    fire_from_robots(turn, volley)
    deal(turn, volley)


def fire_from_board(turn: Resolution, volley: Volley, *, piercing: bool = False) -> None:
    """Fire from each emitter, up to the first real robot; virtual ones are hit in passing (G-6.2, G-6.3).

    A piercing beam is stopped by rails alone (GR-2.3).
    """
    occupied, phase = turn.occupied, turn.phase
    if not turn.ship.emitters:
        return
    idle = idle_shots(turn.ship, phase, turn.step)
    ghosts = [robot for robot in turn.on_board if robot.virtual] if turn.ghostly else []
    if not ghosts and occupied.keys().isdisjoint(turn.ship.lit[phase]):
        turn.log += idle
        return
    for shot, (emitter, strength, beam) in zip(idle, turn.ship.laser_beams[phase], strict=True):
        if not ghosts and occupied.keys().isdisjoint(beam):
            turn.log.append(shot)
            continue
        struck = [occupied[cell] for cell in beam if cell in occupied]
        end, hit = beam[-1], struck[0].index if struck else None
        if struck and not piercing:
            del struck[1:]
            end = struck[0].cell
            beam = beam[: beam.index(end) + 1]
        struck += [robot for robot in ghosts if robot.cell in beam]
        hits = [
            Hit(robot, strength, None)
            for robot in struck
            if not (robot.crystal or turn.shields(robot, "board-laser"))
        ]
        volley += hits
        damage = strength if hits else 0
        turn.log.append((ev.Shot, phase, turn.step, None, emitter, emitter, end, hit, damage, False))


@lru_cache(maxsize=1024)
def idle_shots(ship: Starship, phase: int, step: str) -> tuple[ev.Shot, ...]:
    """Return the shots of the board's lasers where no one stands in any of their beams."""
    return tuple(
        ev.Shot(phase, step, None, emitter, emitter, beam[-1], None, 0, False)
        for emitter, _, beam in ship.laser_beams[phase]
    )


def fire_from_robots(turn: Resolution, volley: Volley) -> None:
    """Fire the lasers of all real robots that are up, once each in their heading (RR-7.1)."""
    occupied, sights, log = turn.occupied.keys(), turn.sights, turn.log
    phase, step = turn.phase, turn.step
    # Most shots meet nothing, and are logged at once.
    plain = not (turn.equipped or turn.damaged)
    for robot in turn.sequence:
        cell = robot.cell
        if cell == OFF or robot.virtual or robot.down or robot.crystal:
            continue
        cells = sights.get(cell << 2 | (robot.heading or 0))
        if plain and cells is not None and occupied.isdisjoint(cells):
            end = cells[-1] if cells else cell
            log.append((ev.Shot, phase, step, robot.index, None, cell, end, None, 0, False))
        else:
            for heading, strength, welds in shots_of(turn, robot):
                fire(turn, robot, heading, strength, volley, welds=welds)


def can_fire(robot: Robot) -> bool:
    """Return whether a robot has a laser, and is on the board, real and up (G-6.2, G-6.4)."""
    return not (robot.cell == OFF or robot.virtual or robot.down or robot.crystal)


Shots = tuple[tuple[int, int, bool], ...]
"""Shots, each with its heading, its damage, and whether it welds."""


def shots_of(turn: Resolution, robot: Robot) -> Shots:
    """Return a robot's shots (RR-10.1, RR-10.2)."""
    heading = robot.heading or 0
    strength = 2 if robot.model == JAMES_BOT or turn.uses(robot, "twin-lasers") else 1
    ahead = (heading, strength, not robot.scanner)
    if robot.equipment == "rear-laser" and turn.uses(robot, "rear-laser"):
        return ahead, (opposite(heading), 1, False)
    return (ahead,)


def fire(
    turn: Resolution, shooter: Robot, heading: int, strength: int, volley: Volley, *, welds: bool
) -> None:
    """Fire one shot of a robot (RR-7.2): at the first real robot, or the first damaged hull cell."""
    occupied, damaged = turn.occupied, turn.damaged
    cell = shooter.cell
    for cell in turn.sight(shooter.cell, heading):
        if cell in occupied:
            _strike(turn, shooter, occupied[cell], heading, strength, volley)
            return
        if cell in damaged:
            if welds:
                volley.append(Welding(shooter, turn.ship.checkpoint_at[cell]))
            turn.shot(shooter, cell, "hull")
            return
    turn.shot(shooter, cell, None)


def _strike(
    turn: Resolution, shooter: Robot, victim: Robot, heading: int, strength: int, volley: Volley
) -> None:
    """Work out what a shot does to a robot: shields take it, repulsors return it (RR-10.3, RR-10.4)."""
    source, hurt, reflected = shooter, victim, False
    if turn.uses(victim, "repulsors") or reflects(victim, heading):
        source, hurt, reflected = victim, shooter, True
    spent = (
        hurt.crystal
        or turn.uses(shooter, "shields")
        or turn.uses(hurt, "shields")
        or (reflected and turn.uses(hurt, "repulsors"))
    )
    damage = 0 if spent else strength
    if damage:
        volley.append(Hit(hurt, damage, source))
    turn.shot(shooter, victim.cell, victim.index, damage, reflected)


def deal(turn: Resolution, volley: Volley) -> None:
    """Deal the damage and the welds of a volley, then destroy who is at the limit (G-6.1, G-6.5)."""
    hits = [shot for shot in volley if isinstance(shot, Hit) and shot.victim.cell != OFF]
    struck = turn.in_order([hit.victim for hit in hits])
    for robot in struck:
        for hit in hits:
            if hit.victim is robot:
                turn.hurt(robot, hit.amount, "laser" if hit.source else "board-laser", hit.source)
    for shot in volley:
        if isinstance(shot, Welding):
            turn.weld(*shot)
    for robot in struck:
        if robot.damage >= turn.setup.ruleset.damage_limit:
            sources = [hit.source for hit in hits if hit.victim is robot and hit.source]
            turn.destroy(robot, "damage", turn.in_order(sources), "shot")
