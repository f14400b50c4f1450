"""When to use optional equipment (RR-10): where winning grows likelier by more than ammunition is worth."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rules.computers.task import Task
from rules.grid import PHASES
from rules.orders import Orders
from rules.steps.equipment import HAND_EQUIPMENT

AMMUNITION: Final = 0.004
"""What one use has to add to the chance to win, from 0 to 1."""

Judge = Callable[[Orders], float]


def equip(task: Task, orders: Orders, judge: Judge) -> tuple[float, Orders]:
    """Add to orders the uses of equipment that are worth it; return the chance to win, and the orders.

    Uses in single phases are added one by one, the most useful first.
    """
    robot = task.robot
    best = judge(orders), orders
    ammo = robot.ammo or 0
    if not ammo or robot.virtual or robot.equipment is None:
        return best
    if robot.equipment in HAND_EQUIPMENT:
        engaged = replace(orders, engaged=True)
        return max(best, (judge(engaged) - AMMUNITION, engaged), key=_chance)
    gains: list[tuple[float, int]] = []
    for phase in PHASES:
        gain = judge(replace(orders, equipment=frozenset([phase]))) - best[0] - AMMUNITION
        if gain > 0:
            gains.append((gain, phase))
    phases: frozenset[int] = frozenset()
    for _, phase in sorted(gains, key=lambda gain: -gain[0])[:ammo]:
        wider = replace(orders, equipment=phases | {phase})
        chance = judge(wider) - AMMUNITION * len(wider.equipment)
        if chance > best[0]:
            best, phases = (chance, wider), wider.equipment
    return best


def _chance(found: tuple[float, Orders]) -> float:
    return found[0]
