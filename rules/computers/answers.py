"""Orders from what a computer has settled on: which chips play a program, and what else is asked for."""

from collections.abc import Sequence

from rules.chips import MOVES, PAUSE, REGISTERS, Chip
from rules.computers.search import Plan
from rules.state import Robot


def registers_for(
    robot: Robot, hand: Sequence[Chip], plan: Plan, *, moves_first: bool = False, lowest: bool = False
) -> tuple[Chip | None, ...]:
    """Return chips of the hand that play a program: of each kind those of the highest numbers come first.

    Or those of the ``lowest``, where that is asked for.

    What the program leaves open, where it ends early, is filled with the chips that are left.
    """
    spare = sorted(hand, reverse=not lowest)
    registers: list[Chip | None] = [None] * REGISTERS
    for register, kind in enumerate(plan.kinds):
        if register not in robot.locked:
            registers[register] = PAUSE if kind == PAUSE.kind else _take(spare, kind)
    for register in range(REGISTERS):
        if register not in robot.locked and registers[register] is None:
            if register == 0 and moves_first:
                spare.sort(key=lambda chip: chip.kind not in MOVES)
            registers[register] = spare.pop(0)
    return tuple(registers)


def _take(spare: list[Chip], kind: str) -> Chip:
    chip = next(chip for chip in spare if chip.kind == kind)
    spare.remove(chip)
    return chip
