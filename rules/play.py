"""A turn, played: short loops over the steps that the ruleset lists (G-2)."""

from functools import lru_cache

from rules import events as ev
from rules.grid import AFTER, PHASES
from rules.resolution import Resolution
from rules.ruleset import Ruleset, Step
from rules.starship import Starship


@lru_cache(maxsize=256)
def steps_of_a_phase(ruleset: Ruleset, ship: Starship) -> tuple[Step, ...]:
    """Return the steps of a phase, without those whose elements the ship lacks."""
    return tuple(step for step in ruleset.phase if step.needs(ship))


def play(turn: Resolution, phases: int = len(PHASES)) -> None:
    """Play so many phases of a turn; the end of the turn follows only after the fifth (G-2.1, G-2.2).

    Turn 0 has no phases, but the ruleset's opening alone (RR-1.3).
    """
    ruleset = turn.setup.ruleset
    if turn.state.turn == 0:
        turn.run(ruleset.opening)
        return
    steps = steps_of_a_phase(ruleset, turn.ship)
    turn.run(ruleset.before)
    for phase in PHASES[:phases]:
        if turn.state.over:
            return
        begin_phase(turn, phase)
        turn.run(steps)
        turn.run(ruleset.verdict)
    if phases == len(PHASES) and not turn.state.over:
        turn.phase = AFTER
        turn.falls = turn.ship.falls[AFTER]
        turn.run(ruleset.end)
        turn.run(ruleset.verdict)


def begin_phase(turn: Resolution, phase: int) -> None:
    """Begin a phase: the chips in its register are revealed, and settle who acts when (G-4.5)."""
    turn.phase = phase
    turn.step = "chips revealed"
    turn.moved.clear()
    turn.engaged.clear()
    turn.sequence = turn.setup.ruleset.sequence(turn)
    chips = {robot.index: chip for robot in turn.robots if (chip := turn.chip(robot))}
    turn.emit(ev.Phase(phase, turn.step, chips))
