"""Optional equipment is engaged, each use taking one ammunition (RR-10)."""

from typing import Final

from rules.language import N_
from rules.resolution import Resolution, step
from rules.state import Robot

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
"""What equipment is called in a sentence, after “the”."""

EQUIPMENT_TEXTS: Final = {
    "twin-lasers": N_("In the chosen phases your laser deals 2 damage."),
    "repulsors": N_("In the chosen phases a shot that hits you damages the robot that fired it."),
    "nitro": N_("In the chosen phases a chip that moves you forward moves you one cell more."),
    "clamps": N_("In the chosen phases no robot can push you, and your chip does not move you."),
    "rear-laser": N_("For the whole turn a second laser fires backwards."),
    "shields": N_(
        "For the whole turn nothing damages you, and your laser does no damage. Shafts still destroy you."
    ),
}
"""What equipment does for its player."""


def full_ammo(item: str | None) -> int | None:
    """Return the ammunition that equipment has when it is full (RR-10)."""
    if item is None:
        return None
    return 5 if item in PHASE_EQUIPMENT else 2


def engage(turn: Resolution, *items: str) -> None:
    """Engage equipment of these kinds where it was ordered for this phase; one ammunition is used."""
    if not turn.equipped:
        return
    for robot in turn.sequence:
        if robot.equipment in items:
            engages(turn, robot, *items)


def engages(turn: Resolution, robot: Robot, *items: str) -> bool:
    """Engage the equipment of a robot, if ordered for this phase; return whether it is effective."""
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
    """Rear lasers and shields that were ordered are engaged for the whole turn."""
    for robot in turn.on_board:
        if robot.equipment in HAND_EQUIPMENT and turn.orders_of(robot).engaged and _take_ammo(turn, robot):
            turn.engaged_all_turn.add(robot.index)


def _take_ammo(turn: Resolution, robot: Robot) -> bool:
    """Use one ammunition; a robot that is virtual or down uses none, and has no effect (RR-10)."""
    if robot.virtual or robot.down or not robot.ammo:
        return False
    turn.reload(robot, robot.ammo - 1)
    return True
