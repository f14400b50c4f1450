"""A turn, played: short loops over the steps that the ruleset lists (G-2)."""

from rules import events as ev
from rules.grid import AFTER, PHASES
from rules.resolution import Resolution, new


def play(turn: Resolution, phases: int = len(PHASES)) -> None:
    """Play so many phases of a turn; the end of the turn follows only after the fifth (G-2.1, G-2.2).

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
        play_phase(turn)
        turn.run(ruleset.verdict)
    if phases == len(PHASES) and not turn.state.over:
        turn.phase = AFTER
        turn.rails = turn.ship.rails[AFTER]
        turn.falls = turn.ship.falls[AFTER]
        turn.run(ruleset.end)
        turn.run(ruleset.verdict)


def play_phase(turn: Resolution) -> None:
    """Run the steps of a phase, but for those that concern cells in which nobody stands."""
    state, occupied = turn.state, turn.occupied.keys()
    for step, cells in turn.setup.steps:
        # Virtual robots occupy no cell.
        if cells is not None and not turn.ghostly and occupied.isdisjoint(cells):
            continue
        if state.over:
            return
        turn.step = step.name
        step.rule(turn)


def begin_phase(turn: Resolution, phase: int) -> None:
    """Begin a phase: the chips in its register are revealed, and settle who acts when (G-4.5)."""
    turn.phase = phase
    turn.step = "chips revealed"
    turn.rails = turn.ship.rails[phase]
    turn.sights = turn.ship.sights[phase]
    turn.moved.clear()
    turn.engaged.clear()
    programs = turn.programs
    turn.chips = {
        robot.index: chip
        for robot in turn.robots
        if not robot.down and robot.alive and (chip := programs[robot.index][phase - 1])
    }
    turn.sequence = turn.setup.ruleset.sequence(turn)
    turn.emit(new(ev.Phase, (phase, turn.step, turn.chips)))
