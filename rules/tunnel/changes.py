"""Changes of a few cells of a finished starship."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rules.elements import Arm, Cell, Emitter, SlideRail
from rules.grid import Pos, opposite
from rules.notation import write_starship
from rules.sketch import read_sketch
from rules.starship import Starship

Tokens = Mapping[Pos, str]
"""What to put, by column and row from 0."""


def changed(ship: Starship, cells: Tokens) -> Starship:
    """Return a ship with other tokens in some cells."""
    return read_sketch(write_starship(ship), known=True).put(cells).ship


class Change:
    """A ship while cells of it are changed."""

    def __init__(self, ship: Starship) -> None:
        self.ship = ship
        self.cells: dict[Pos, Cell] = {}

    def at(self, pos: Pos) -> Cell:
        return self.cells.get(pos) or self.ship.at(*pos)

    def put(self, pos: Pos, cell: Cell) -> None:
        self.cells[pos] = cell

    def rail(self, pos: Pos, edge: int) -> None:
        """Put a rail on an edge."""
        cell = self.at(pos)
        self.put(pos, replace(cell, rails=tuple(sorted({*cell.rails, edge}))))

    def unrail(self, pos: Pos, edge: int) -> None:
        """Take the rail from an edge, whichever of its two cells declares it."""
        for at, side in ((pos, edge), (beside(self.ship, pos, edge), opposite(edge))):
            if at and side in self.at(at).rails:
                cell = self.at(at)
                self.put(at, replace(cell, rails=tuple(each for each in cell.rails if each != side)))

    @property
    def tokens(self) -> Tokens:
        return {at: cell.token for at, cell in sorted(self.cells.items()) if cell != self.ship.at(*at)}

    @property
    def board(self) -> Starship:
        return changed(self.ship, self.tokens)


def beside(ship: Starship, pos: Pos, edge: int) -> Pos | None:
    """Return the cell beyond an edge, None beyond the end of the board."""
    beyond = ship.cell(*pos) + ship.steps[edge]
    return ship.pos(beyond) if ship.inside(beyond) else None


def is_bare(ship: Starship, pos: Pos, edge: int) -> bool:
    """Return whether nothing stands on an edge but a rail, so that this may come and go."""
    sides = [(ship.at(*pos), edge)]
    if beyond := beside(ship, pos, edge):
        sides.append((ship.at(*beyond), opposite(edge)))
    return not any(side in _fitted(cell) for cell, side in sides)


def _fitted(cell: Cell) -> set[int]:
    """Return the edges of a cell that bear anything but a rail."""
    fittings: list[Sequence[SlideRail | Arm | Emitter]] = [cell.slides, cell.arms, cell.emitters]
    return {*cell.couplings, *(each.edge for fitted in fittings for each in fitted)}


def is_open(ship: Starship, pos: Pos, edge: int) -> bool:
    return is_bare(ship, pos, edge) and not ship.railed_ever(ship.cell(*pos), edge)
