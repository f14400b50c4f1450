"""A chart of a ship: in how many phases a robot comes from where it stands to where it wants to be.

Distances are counted in phases, with any chip to hand in each of them; rails, shafts, beams, twisters, bays,
arms, thrusters, oil and transporters already known are as the engine plays them.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from rules.computers.lane import Lane, Stand, phase_classes
from rules.grid import HEADINGS, OFF, PHASES, opposite
from rules.setup import Ruleset, Setup
from rules.starship import Starship
from rules.state import Robot, State

NEVER: Final = 99
"""The distance to a place to which no way leads."""

DRIVES: Final = ("1", "2", "3")
TURNS: Final = {"P": 0, "L": 3, "R": 1, "U": 2}
KINDS: Final = ("1", "2", "3", "B", "L", "R", "U", "P")


class Chart:
    """Where each chip leads from each cell and heading of a ship, in each phase.

    A node is a cell times four plus a heading. ``leads[phase][node]`` has where each of KINDS leads, OFF for
    destruction; ``through[phase]`` the cells come through on the way, in rulesets in which these count.
    """

    def __init__(self, setup: Setup, links: Mapping[int, int]) -> None:
        self.ship = setup.starship
        self.classes = phase_classes(setup.starship)
        self.alike = len(set(self.classes[1:])) == 1
        self.passing = bool(setup.ruleset.entering)
        self.nodes = self.ship.size * 4
        self.leads: list[list[tuple[int, ...] | None]] = [[] for _ in range(len(PHASES) + 1)]
        self.through: list[dict[int, tuple[tuple[int, ...], ...]]] = [{} for _ in range(len(PHASES) + 1)]
        self._distances: dict[tuple[frozenset[int], frozenset[int]], list[list[int]]] = {}
        lane = _lane(setup, links)
        for phase in PHASES:
            if self.classes[phase] == phase:
                self._explore(lane, phase)
            else:
                self.leads[phase] = self.leads[self.classes[phase]]
                self.through[phase] = self.through[self.classes[phase]]
        self._origins = [self._backwards(phase) for phase in range(len(PHASES) + 1)]

    def _explore(self, lane: Lane, phase: int) -> None:
        """Play every chip from every cell: what the ship does then is the same for all headings but that."""
        table: list[tuple[int, ...] | None] = [None] * self.nodes
        ship = self.ship
        for cell, _ in ship.numbered():
            if ship.falls[0][cell] not in (None, "bay"):
                continue
            blank = lane.start._replace(cell=cell)
            rest, rest_through = self._try(lane, phase, blank, "P")
            drives = [
                [self._try(lane, phase, blank._replace(heading=heading), kind) for kind in DRIVES]
                for heading in HEADINGS
            ]
            for heading in HEADINGS:
                back, back_through = drives[opposite(heading)][0]
                # A step backwards is one forwards, in a robot that looks the other way.
                back = back if back == OFF else back ^ 2
                turns = [
                    rest if rest == OFF else rest & ~3 | (rest + heading + quarters) & 3
                    for quarters in TURNS.values()
                ]
                table[cell << 2 | heading] = (
                    *(to for to, _ in drives[heading]),
                    back,
                    turns[1],
                    turns[2],
                    turns[3],
                    turns[0],
                )
                if self.passing:
                    self.through[phase][cell << 2 | heading] = (
                        *(cells for _, cells in drives[heading]),
                        back_through,
                        *(rest_through,) * len(TURNS),
                    )
        self.leads[phase] = table

    def _try(self, lane: Lane, phase: int, stand: Stand, kind: str) -> tuple[int, tuple[int, ...]]:
        after = lane.play(phase, stand, kind)
        if not after.alive:
            return OFF, tuple(lane.entered()) if self.passing else ()
        return after.cell << 2 | after.heading, tuple(lane.entered()) if self.passing else ()

    def _backwards(self, phase: int) -> list[list[int]]:
        origins: list[list[int]] = [[] for _ in range(self.nodes)]
        if phase and self.classes[phase] == phase:
            for node, leads in enumerate(self.leads[phase]):
                for to in set(leads or ()):
                    if to >= 0:
                        origins[to].append(node)
        return origins

    def to_cell(self, cell: int) -> list[list[int]]:
        """Return the distances to a cell, by phase and node; where passing counts, also to passing it."""
        nodes = frozenset(cell << 2 | heading for heading in HEADINGS)
        return self.distances(nodes, frozenset([cell]) if self.passing else frozenset())

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


def _lane(setup: Setup, links: Mapping[int, int]) -> Lane:
    """Return a lane for a robot that no checkpoint concerns, on an undamaged ship."""
    ship = setup.starship
    cell = next(iter(ship.hull), ship.cell(0, 0))
    robot = Robot(0, "", cell, 0, cell, 9, next=0, start=cell)
    return Lane(setup, State(1, [robot], dict.fromkeys(ship.hull_damage, 0), dict(links), set(links)), 0)


@lru_cache(maxsize=32)
def _chart(
    ship: Starship, ruleset: Ruleset, options: tuple[tuple[str, int], ...], links: tuple[tuple[int, int], ...]
) -> Chart:
    return Chart(Setup(ruleset, dict(options), ship), dict(links))


def chart_of(setup: Setup, links: Mapping[int, int]) -> Chart:
    """Return the chart of a ship as it is known; it is drawn once, and kept."""
    return _chart(
        setup.starship, setup.ruleset, tuple(sorted(setup.options.items())), tuple(sorted(links.items()))
    )
