"""A turn, played: short loops over the steps that the ruleset lists (G-2)."""

from typing import Final

from rules import events as ev
from rules.apply import settle
from rules.chips import Chip
from rules.grid import AFTER, PHASES
from rules.resolution import Resolution
from rules.setup import EVERYWHERE, PlacedStep

PHASE: Final = ev.Phase


def play(turn: Resolution, phases: int = len(PHASES)) -> None:
    """Play a number of phases of a turn; the end of the turn follows only after the fifth (G-2.1, G-2.2).

    Turn 0 has no phases, but the ruleset's opening alone (RR-1.3).
    """
    ruleset = turn.setup.ruleset
    if turn.state.turn == 0:
        turn.run(ruleset.opening)
        return
    turn.run(ruleset.before)
    for phase in PHASES[:phases]:
        if turn.state.over:
            return
        begin_phase(turn, phase)
        run_where_needed(turn, turn.setup.phase)
        if turn.departed or ruleset.crystal:
            turn.run(ruleset.verdict)
    if phases == len(PHASES) and not turn.state.over:
        turn.phase = AFTER
        turn.ways = turn.ship.ways[AFTER]
        turn.falls = turn.ship.falls[AFTER]
        run_where_needed(turn, turn.setup.end)
        if turn.departed or ruleset.crystal:
            turn.run(ruleset.verdict)


def run_where_needed(turn: Resolution, steps: tuple[PlacedStep, ...]) -> None:
    """Run steps in order, but for those that concern cells in which no one stands."""
    state, robots, concerns = turn.state, turn.robots, turn.setup.concerns
    concerned = turn.concerned
    for name, rule, mark in steps:
        if concerned & mark:
            if state.over:
                return
            turn.step = name
            rule(turn)
            if turn.moved:
                # Where robots stand matters again only after a step that has moved one.
                turn.moved = False
                concerned = EVERYWHERE
                for robot in robots:
                    concerned |= concerns[robot.cell]
                turn.concerned = concerned


def begin_phase(turn: Resolution, phase: int) -> None:
    """Begin a phase: reveal the chips of its register, and settle who acts when (G-4.5).

    Rails, light and bays are as they are in it.
    """
    turn.phase = phase
    turn.step = step = "chips revealed"
    turn.ways = turn.ship.ways[phase]
    turn.sights = turn.ship.sights[phase]
    turn.phase_begins = len(turn.log)
    turn.engaged.clear()
    notes, robots, register = turn.notes, turn.robots, phase - 1
    chips: list[Chip | None] = [None] * len(robots)
    revealed: dict[int, Chip] = {}
    for robot, program in turn.acting:
        chip = program[register]
        if chip is not None:
            index = robot.index
            chips[index] = robot.registers[register] = chip
            if notes:
                revealed[index] = chip
    turn.chips = chips
    turn.sequence = turn.setup.ruleset.sequence(turn)
    if notes:
        turn.log.append((PHASE, phase, step, revealed))
    if phase == 1:
        settle(robots)
