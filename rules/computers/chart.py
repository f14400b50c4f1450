"""A chart of a ship: in how many phases a robot comes from where it stands to where it wants to be.

Distances are counted in phases, with any chip to hand in each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from rules.computers.tracks import Tracks
from rules.grid import HEADINGS, OFF, PHASES
from rules.setup import Ruleset, Setup
from rules.starship import Starship

NEVER: Final = 99
"""The distance to a place to which no way leads."""


class Chart(Tracks):
    """How far it is on a ship, as it is known."""

    def __init__(self, setup: Setup, links: Mapping[int, int], base: Chart | None = None) -> None:
        super().__init__(setup, links, base)
        self._distances: dict[tuple[frozenset[int], frozenset[int]], list[list[int]]] = {}
        self._to_cell: dict[int, list[list[int]]] = {}
        self.expected: dict[int, list[list[float]]] = {}
        self._origins = [self._backwards(phase, base) for phase in range(len(PHASES) + 1)]

    def _backwards(self, phase: int, base: Chart | None) -> list[tuple[int, ...]]:
        """Return the nodes that lead to each node; those of the base are the same but where leads differ."""
        if base:
            origins = list(base._origins[phase])
            before, after = base.leads[phase], self.leads[phase]
            for node in self.redrawn[phase]:
                for to in {*(before[node] or ())} - {OFF}:
                    origins[to] = tuple([origin for origin in origins[to] if origin != node])
                for to in {*(after[node] or ())} - {OFF}:
                    origins[to] = (*origins[to], node)
            return origins
        found: list[list[int]] = [[] for _ in range(self.nodes)]
        if phase and self.classes[phase] == phase:
            for node, leads in enumerate(self.leads[phase]):
                for to in {*(leads or ())} - {OFF}:
                    found[to].append(node)
        # Garbage collection does not look into tuples of numbers again and again, as it does into lists.
        return [tuple(nodes) for nodes in found]

    def to_cell(self, cell: int) -> list[list[int]]:
        """Return the distances to a cell, by phase and node; where passing counts, also to passing it."""
        if cell not in self._to_cell:
            nodes = frozenset([cell << 2 | heading for heading in HEADINGS])
            self._to_cell[cell] = self.distances(nodes, frozenset([cell]) if self.passing else frozenset())
        return self._to_cell[cell]

    def distances(self, nodes: frozenset[int], passing: frozenset[int] = frozenset()) -> list[list[int]]:
        """Return in how many phases a node is reached, or a cell passed, by phase and node to start from."""
        key = nodes, passing
        if key not in self._distances:
            self._distances[key] = self._search(nodes, passing)
        return self._distances[key]

    def _search(self, nodes: frozenset[int], passing: frozenset[int]) -> list[list[int]]:
        """Search backwards, by breadth: what a phase leads to is where the next one starts."""
        first, alike = PHASES[0], self.alike
        phases = (first,) if alike else PHASES
        distance = [[NEVER] * self.nodes for _ in range(len(PHASES) + 1)]
        edge: list[tuple[int, int]] = []
        for phase in phases:
            for node in self._last_step(phase, nodes, passing):
                distance[phase][node] = 1
                edge.append((phase, node))
        steps = 1
        while edge:
            steps += 1
            wave, edge = edge, []
            for phase, node in wave:
                before = first if alike else (phase - 2) % len(PHASES) + 1
                table = distance[before]
                for origin in self._origins[self.classes[before]][node]:
                    if table[origin] > steps:
                        table[origin] = steps
                        edge.append((before, origin))
        return [distance[first]] * (len(PHASES) + 1) if alike else distance

    def _last_step(self, phase: int, nodes: frozenset[int], passing: frozenset[int]) -> Iterable[int]:
        origins = self._origins[self.classes[phase]]
        found = {origin for node in nodes for origin in origins[node]}
        if passing:
            found |= {
                node
                for node, ways in self.through[phase].items()
                if any(not passing.isdisjoint(way) for way in ways)
            }
        return found


Pairs = tuple[tuple[str, int], ...]


@lru_cache(maxsize=64)
def _unlinked(ship: Starship, ruleset: Ruleset, options: Pairs) -> Chart:
    return Chart(Setup(ruleset, dict(options), ship), {})


@lru_cache(maxsize=64)
def _linked(ship: Starship, ruleset: Ruleset, options: Pairs, links: tuple[tuple[int, int], ...]) -> Chart:
    base = _unlinked(ship, ruleset, options)
    return Chart(Setup(ruleset, dict(options), ship), dict(links), base)


def chart_of(setup: Setup, links: Mapping[int, int]) -> Chart:
    """Return the chart of a ship as it is known; it is drawn once, and kept."""
    options = tuple(sorted(setup.options.items()))
    if not links:
        return _unlinked(setup.starship, setup.ruleset, options)
    return _linked(setup.starship, setup.ruleset, options, tuple(sorted(links.items())))
