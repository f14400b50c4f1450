"""How many phases a way is expected to take, with the chips that chance deals, and not with any to hand.

In each phase one may choose among a few chips drawn from the whole deck: that comes close to what a hand of
nine does over a turn. A way that is the shortest but takes certain chips is longer so than another.
"""

from typing import Final

from rules.chips import DECK
from rules.computers.chart import NEVER, Chart
from rules.computers.tracks import KINDS
from rules.grid import HEADINGS, PHASES

DRAWS: Final = 5
"""Chips among which one chooses in a phase."""
LOST: Final = 20.0
"""What being destroyed costs, in phases."""
DETOUR: Final = 1.65
"""How many phases a way takes for each that it takes at best, as a rule."""
SWEEPS: Final = 12
"""How often values are carried over the whole ship, nearest to the goal first: then they hardly change."""
DRAWN: Final = KINDS[:7]
"""The kinds of the deck."""


def _misses(mask: int) -> float:
    """Return how likely none of the chips drawn is of the kinds in the mask."""
    sought = sum(1 for chip in DECK if mask >> DRAWN.index(chip.kind) & 1)
    return float((1 - sought / len(DECK)) ** DRAWS)


MISSES: Final = tuple(_misses(mask) for mask in range(1 << len(DRAWN)))


def expected_phases(chart: Chart, cell: int) -> list[list[float]]:
    """Return the phases that the way to a cell is expected to take, by phase and node to start from."""
    if cell not in chart.expected:
        chart.expected[cell] = _worked_out(chart, cell)
    return chart.expected[cell]


def _worked_out(chart: Chart, cell: int) -> list[list[float]]:
    near = chart.to_cell(cell)
    phases = PHASES[:1] if chart.alike else PHASES
    times: list[list[float]] = [[]]
    times += [[min(float(NEVER), DETOUR * way) for way in near[phase]] for phase in phases]
    order = {
        phase: sorted(
            (node for node, leads in enumerate(chart.leads[phase]) if leads and near[phase][node] < NEVER),
            key=near[phase].__getitem__,
        )
        for phase in phases
    }
    for _ in range(SWEEPS if chart.alike else 1 + SWEEPS // len(PHASES)):
        for phase in reversed(phases):
            ahead = times[1 if chart.alike else phase % len(PHASES) + 1]
            _sweep(chart, cell, phase, order[phase], times[phase], ahead)
    return [times[1]] * (len(PHASES) + 1) if chart.alike else times


def _sweep(
    chart: Chart, cell: int, phase: int, nodes: list[int], here: list[float], ahead: list[float]
) -> None:
    """Work out each node again: of the chips drawn, the one that leads on best is played."""
    goal = {cell << 2 | heading for heading in HEADINGS}
    leads, through = chart.leads[phase], chart.through[phase]
    for node in nodes:
        values = [
            (0.0 if to in goal else ahead[to] if to >= 0 else LOST, place)
            for place, to in enumerate((leads[node] or ())[: len(DRAWN)])
        ]
        if chart.passing:
            values = [(0.0 if cell in through[node][place] else value, place) for value, place in values]
        values.sort()
        mask, missed, total = 0, 1.0, 1.0
        for value, place in values:
            mask |= 1 << place
            still = MISSES[mask]
            total += value * (missed - still)
            missed = still
        here[node] = min(float(NEVER), total)
