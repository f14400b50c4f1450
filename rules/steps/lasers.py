"""Laser steps (G-6), welding (RR-7) and optional equipment (RR-10)."""

from typing import Final

from rules import events as ev
from rules.grid import OFF, opposite
from rules.language import N_
from rules.resolution import SHOT, Resolution, step
from rules.setup import LIT_CELLS, Step
from rules.starship import Starship
from rules.state import JAMES_BOT, Robot, reflects

PHASE_EQUIPMENT: Final = ("twin-lasers", "repulsors", "nitro", "clamps")
HAND_EQUIPMENT: Final = ("rear-laser", "shields")
EQUIPMENT: Final = (*PHASE_EQUIPMENT, *HAND_EQUIPMENT)

EQUIPMENT_NAMES: Final = {
    "twin-lasers": N_("twin lasers"),
    "repulsors": N_("repulsors"),
    "nitro": N_("nitro"),
    "clamps": N_("clamps"),
    "rear-laser": N_("rear laser"),
    "shields": N_("shields"),
}
"""The names of equipment, for use in a sentence after “the”."""

EQUIPMENT_TEXTS: Final = {
    "twin-lasers": N_("In the chosen phases, your laser deals 2 damage."),
    "repulsors": N_("In the chosen phases, a shot that hits you damages the robot that fired it."),
    "nitro": N_(
        "In the chosen phases, a chip that moves you forward moves you one more cell. A chip that moves you"
        " back moves you back one cell, and then one cell forward."
    ),
    "clamps": N_("In the chosen phases, no robot can push you, and your chip does nothing."),
    "rear-laser": N_("For the whole turn, a second laser fires backwards."),
    "shields": N_(
        "For the whole turn, nothing damages you, and your laser does no damage. Shafts still destroy you."
    ),
}
"""The effect of each piece of equipment, as a text for its player."""


def full_ammo(item: str | None) -> int | None:
    """Return the full ammunition of a piece of equipment, in units (RR-10), or None for no equipment."""
    if item is None:
        return None
    return 5 if item in PHASE_EQUIPMENT else 2


def engage(turn: Resolution, *items: str) -> None:
    """Engage all equipment of these kinds that players ordered for this phase.

    Each robot that engages its equipment uses one unit of ammunition.
    """
    if not turn.equipped:
        return
    for robot in turn.sequence:
        if robot.equipment in items:
            engages(turn, robot, *items)


def engages(turn: Resolution, robot: Robot, *items: str) -> bool:
    """Engage a robot's equipment if it is one of ``items`` and the player ordered it for this phase.

    Returns whether the robot's equipment is in effect now.
    """
    if (
        robot.equipment in items
        and robot.on_board
        and turn.phase in turn.orders_of(robot).equipment
        and robot.index not in turn.engaged
        and _take_ammo(turn, robot)
    ):
        turn.engaged.add(robot.index)
    return turn.uses(robot, robot.equipment or "")


@step("equipment", "RR-10.2 RR-10.3")
def engage_for_the_turn(turn: Resolution) -> None:
    """Rear lasers and shields, if ordered, are engaged for the whole turn."""
    for robot in turn.on_board:
        if robot.equipment in HAND_EQUIPMENT and turn.orders_of(robot).engaged and _take_ammo(turn, robot):
            turn.engaged_all_turn.add(robot.index)


def _take_ammo(turn: Resolution, robot: Robot) -> bool:
    """Use one unit of a robot's ammunition (RR-10).

    Returns False, and uses none, if the robot has none left, is virtual or is off.
    """
    if robot.virtual or robot.down or not robot.ammo:
        return False
    turn.reload(robot, robot.ammo - 1)
    return True


Hits = list[tuple[Robot, int, Robot | None]]
"""Damage that is not dealt yet: the robot hit, the amount, and the robot that fired (None for a board laser).

All damage of a step is dealt after all shots of the step (G-6.1).
"""

Welds = list[tuple[Robot, int]]
"""Welds that are not done yet (RR-7.2): the robot that fired, and the number of the checkpoint."""


def lasers(*, piercing: bool = False) -> Step:
    """Return the laser step for board lasers and robots, which fire at the same time.

    With ``piercing``, board lasers hit every robot in their line, not only the first.
    """

    @step("lasers", "G-6 RR-7 RR-10.1 RR-10.2 RR-10.3 RR-10.4 RR-11.2" + " GR-2.3" * piercing)
    def fire_lasers(turn: Resolution) -> None:
        """The lasers of the board and of all real, switched-on robots fire at the same time.

        All damage is then dealt at the same time, and robots at the damage limit are destroyed together
        (G-6.1).
        """
        if turn.equipped:
            engage(turn, "twin-lasers", "repulsors")
        hits: Hits = []
        welds: Welds = []
        if turn.ship.emitters:
            fire_from_board(turn, hits, piercing)
        fire_from_robots(turn, hits, welds)
        if hits or welds:
            deal(turn, hits, welds)

    return fire_lasers


def _has_emitters(ship: Starship) -> bool:
    return bool(ship.emitters)


def board_lasers(*, piercing: bool = False) -> Step:
    """Return the laser step for board lasers only.

    With ``piercing``, these lasers hit every robot in their line, not only the first.
    """
    if piercing:

        @step("board lasers", "G-6 GR-2.3", _has_emitters)
        def fire(turn: Resolution) -> None:
            """The board's lasers fire at the same time, each at all robots up to the next rail."""
            hits: Hits = []
            fire_from_board(turn, hits, True)
            deal(turn, hits)

    else:

        @step("board lasers", "G-6", _has_emitters)
        def fire(turn: Resolution) -> None:
            """The board's lasers fire at the same time, each up to the first robot in its line."""
            hits: Hits = []
            fire_from_board(turn, hits)
            deal(turn, hits)

    return fire


@step("robot lasers", "G-6 AM-2.3 GR-1.2 GR-2.3")
def fire_robot_lasers(turn: Resolution) -> None:
    """All switched-on robots fire at the same time. Each shot stops at the first robot."""
    engage(turn, "twin-lasers", "repulsors")
    hits: Hits = []
    welds: Welds = []
    fire_from_robots(turn, hits, welds)
    deal(turn, hits, welds)


def fire_from_board(turn: Resolution, hits: Hits, piercing: bool = False) -> None:
    """Fire all board lasers, and add the damage to ``hits`` (G-6.2).

    A beam stops at the first real robot. It also hits the virtual robots in front of that robot, but they do
    not stop it (G-6.3). Only rails stop a ``piercing`` beam (GR-2.3).
    """
    ship, phase = turn.ship, turn.phase
    idle: list[ev.Shot] = []
    if turn.full_log:
        known = ship.idle_shots.get(turn.step)
        idle = (known or keep_idle_shots(ship, turn.step))[phase]
    if not turn.concerned & LIT_CELLS:
        turn.log.extend(idle)
        return
    occupied = turn.occupied
    ghosts = [robot for robot in turn.on_board if robot.virtual] if turn.ghostly else []
    for number, beam in enumerate(ship.laser_beams[phase]):
        struck: list[Robot] = []
        end = beam.emitter
        for end in beam.cells:
            robot = occupied[end]
            if robot is not None:
                struck.append(robot)
                if not piercing:
                    break
        if not (struck or ghosts):
            if idle:
                turn.log.append(idle[number])
            continue
        hit = struck[0].index if struck else None
        if ghosts:
            crossed = beam.cells[: beam.cells.index(end) + 1]
            struck += [robot for robot in ghosts if robot.cell in crossed]
        damage = 0
        for robot in struck:
            if not (robot.crystal or (turn.equipped and turn.shields(robot, "board-laser"))):
                damage = beam.strength
                hits.append((robot, damage, None))
        if turn.full_log:
            emitter = beam.emitter
            turn.log.append((SHOT, phase, turn.step, None, emitter, emitter, end, hit, damage, False))


def keep_idle_shots(ship: Starship, step: str) -> list[list[ev.Shot]]:
    """Return the shots that board lasers fire if no robot is in the way, by phase. Store them on the ship."""
    ship.idle_shots[step] = shots = [
        [
            ev.Shot(phase, step, None, beam.emitter, beam.emitter, beam.cells[-1], None, 0, False)
            for beam in beams
        ]
        for phase, beams in enumerate(ship.laser_beams)
    ]
    return shots


def fire_from_robots(turn: Resolution, hits: Hits, welds: Welds) -> None:
    """Fire the lasers of all real robots that are switched on (RR-7.1).

    The effects of the shots are added to ``hits`` and ``welds``.
    """
    sights, occupied, full_log, log = turn.sights, turn.occupied, turn.full_log, turn.log
    # Without equipment or damaged hull, a shot can only hit a robot. Most shots hit nothing.
    plain = not (turn.equipped or turn.damaged)
    for robot in turn.sequence:
        cell = robot.cell
        if cell == OFF or robot.virtual or robot.down or robot.crystal:
            continue
        if plain and (sight := sights[robot.heading or 0][cell]) is not None:
            end = cell
            for end in sight:
                victim = occupied[end]
                if victim is not None:
                    _strike(turn, robot, victim, robot.heading or 0, strength_of(turn, robot), hits)
                    break
            else:
                if full_log:
                    log.append((SHOT, turn.phase, turn.step, robot.index, None, cell, end, None, 0, False))
            continue
        for heading, strength, welding in shots_of(turn, robot):
            fire(turn, robot, heading, strength, hits, welds if welding else None)


def can_fire(robot: Robot) -> bool:
    """Return whether a robot can fire (G-6.2, G-6.4).

    It must be on the board, real and switched on. The crystal never fires.
    """
    return not (robot.cell == OFF or robot.virtual or robot.down or robot.crystal)


Shots = tuple[tuple[int, int, bool], ...]
"""A robot's shots. Each has a heading, its damage, and whether the shot welds."""


def shots_of(turn: Resolution, robot: Robot) -> Shots:
    """Return the shots that a robot fires in this phase (RR-10.1, RR-10.2)."""
    heading = robot.heading or 0
    ahead = (heading, strength_of(turn, robot), not robot.scanner)
    if robot.equipment == "rear-laser" and turn.uses(robot, "rear-laser"):
        return ahead, (opposite(heading), 1, False)
    return (ahead,)


def strength_of(turn: Resolution, robot: Robot) -> int:
    """Return the damage of a robot's forward shot (GR-1.2, RR-10.1)."""
    twin = turn.equipped and turn.uses(robot, "twin-lasers")
    return 2 if twin or robot.model == JAMES_BOT else 1


def fire(
    turn: Resolution, shooter: Robot, heading: int, strength: int, hits: Hits, welds: Welds | None
) -> None:
    """Fire one shot of a robot, up to the first real robot or the first damaged hull cell (RR-7.2).

    The effect is added to ``hits`` or ``welds``. If ``welds`` is None, the shot cannot weld.
    """
    occupied, damaged = turn.occupied, turn.damaged
    cell = shooter.cell
    for cell in turn.sight(shooter.cell, heading):
        if victim := occupied[cell]:
            _strike(turn, shooter, victim, heading, strength, hits)
            return
        if cell in damaged:
            if welds is not None:
                welds.append((shooter, turn.ship.checkpoint_at[cell]))
            turn.shot(shooter, cell, "hull")
            return
    turn.shot(shooter, cell, None)


def _strike(turn: Resolution, shooter: Robot, victim: Robot, heading: int, strength: int, hits: Hits) -> None:
    """Record a shot at a robot. Shields absorb it, and repulsors return it (RR-10.3, RR-10.4)."""
    source, hurt, reflected, equipped = shooter, victim, False, turn.equipped
    if (equipped and turn.uses(victim, "repulsors")) or reflects(victim, heading):
        source, hurt, reflected = victim, shooter, True
    spent = hurt.crystal or (
        equipped
        and (
            turn.uses(shooter, "shields")
            or turn.uses(hurt, "shields")
            or (reflected and turn.uses(hurt, "repulsors"))
        )
    )
    damage = 0 if spent else strength
    if damage:
        hits.append((hurt, damage, source))
    turn.shot(shooter, victim.cell, victim.index, damage, reflected)


def deal(turn: Resolution, hits: Hits, welds: Welds | None = None) -> None:
    """Deal the damage and do the welds of a step, then destroy robots with too much damage (G-6.1, G-6.5)."""
    struck: list[Robot] = []
    for victim, _, _ in hits:
        if victim.cell != OFF:
            struck.append(victim)
    struck = turn.in_order(struck)
    for robot in struck:
        for victim, amount, source in hits:
            if victim is robot:
                turn.hurt(robot, amount, "laser" if source else "board-laser", source)
    for shooter, checkpoint in welds or ():
        turn.weld(shooter, checkpoint)
    for robot in struck:
        if robot.damage >= turn.setup.ruleset.damage_limit:
            sources = [source for victim, _, source in hits if victim is robot and source]
            turn.destroy(robot, "damage", turn.in_order(sources), "shot")
