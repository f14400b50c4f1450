"""Fortress: a keep of rails with gates, and walls and lasers around it."""

from collections.abc import Iterator

from rules.design.hulls import STRONG
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, area, column, rails, row, spots
from rules.design.symmetry import even
from rules.grid import E, N, Pos, S, W


def fortress(order: Order) -> Layout:
    """Lay out a keep in the middle, a moat or an outer wall, and lasers that rake the ground before it."""
    hull = even(
        order.one_of(STRONG)(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    inset = max(3, round(order.side * order.one_of((0.26, 0.32))))
    left, top, right, bottom = inset, inset, order.width - 1 - inset, order.height - 1 - inset
    motifs = [Motif("keep", tuple(_walls(left, top, right, bottom, order)), True)]
    kind = order.stream.below(4)
    if kind == 3 and "docking arm" in order.known:
        motifs.append(Motif("rams", tuple(_rams(left, top, right, bottom)), True))
    elif kind == 0:
        corners = _corners(left - 1, top - 1, right + 1, bottom + 1)
        motifs.append(Motif("moat", tuple(spots(corners, "shaft")), True))
    elif kind == 1:
        motifs.append(Motif("lasers", tuple(_lasers(left, top, right, bottom)), True))
    else:
        motifs.append(Motif("moat", tuple(_moat(left - 1, top - 1, right + 1, bottom + 1)), True))
    if order.chance(2):
        motifs.append(Motif("outer walls", tuple(_outworks(order, hull)), True))
    x, y = order.middle
    core = area(x, y, order.width - 1 - x, order.height - 1 - y)
    if order.chance(2) and right - left >= 4:
        motifs.append(Motif("court", tuple(spots(core, "twister", order.one_of("+-2"))), True))
    towers = _corners(1, 1, order.width - 2, order.height - 2)
    gatehouses = [(x, 1), (x, order.height - 2), (1, y), (order.width - 2, y)]
    inside = area(left, top, right, bottom)
    docks = (order.middle, (x, order.height - 1))
    return Layout(hull, tuple(motifs), (*inside, *towers, *gatehouses, *towers), docks)


def _walls(left: int, top: int, right: int, bottom: int, order: Order) -> Iterator[Mark]:
    """Yield the walls of the keep; each side has a gate, in the middle or, turning, beside a corner."""
    wide, high = right - left + 1, bottom - top + 1
    turning = order.chance(3)
    gate = 2 if wide % 2 == 0 else order.one_of((1, 3)) if wide > 4 else 1
    if turning:
        yield from rails(row(left + 2, right, top), N)
        yield from rails(column(right, top + 2, bottom), E)
        yield from rails(row(left, right - 2, bottom), S)
        yield from rails(column(left, top, bottom - 2), W)
        return
    across = (wide - gate) // 2
    gate = 2 if high % 2 == 0 else 1 if high < 5 else 1 + 2 * (gate > 1)
    down = (high - gate) // 2
    for edge, y in ((N, top), (S, bottom)):
        yield from rails([*row(left, left + across - 1, y), *row(right - across + 1, right, y)], edge)
    for edge, x in ((W, left), (E, right)):
        yield from rails([*column(x, top, top + down - 1), *column(x, bottom - down + 1, bottom)], edge)


def _lasers(left: int, top: int, right: int, bottom: int) -> Iterator[Mark]:
    """Yield four lasers, each along one side of the keep, and the rails that stop them."""
    yield Mark((left - 1, top - 1), "laser", W, "1")
    yield from rails([(right + 1, top - 1)], E)
    yield Mark((right + 1, bottom + 1), "laser", E, "1")
    yield from rails([(left - 1, bottom + 1)], W)


def _rams(left: int, top: int, right: int, bottom: int) -> Iterator[Mark]:
    """Yield arms on the walls beside the gates, which push robots away."""
    for x, y, edge in (
        (left, top - 1, S),
        (right, bottom + 1, N),
        (right, top - 1, S),
        (left, bottom + 1, N),
    ):
        yield Mark((x, y), "arm", edge, "135")
    for x, y, edge in (
        (left - 1, bottom, E),
        (right + 1, top, W),
        (left - 1, top, E),
        (right + 1, bottom, W),
    ):
        yield Mark((x, y), "arm", edge, "24")


def _moat(left: int, top: int, right: int, bottom: int) -> Iterator[Mark]:
    """Yield shafts before each corner of the keep, three to a corner."""
    for x, inwards in ((left, 1), (right, -1)):
        for y, down in ((top, 1), (bottom, -1)):
            yield from spots([(x, y), (x + inwards, y), (x, y + down)], "shaft")


def _outworks(order: Order, hull: frozenset[Pos]) -> Iterator[Mark]:
    """Yield short walls halfway between the keep and the rim."""
    x, y = order.middle
    far_x, far_y = order.width - 1 - x, order.height - 1 - y
    yield from rails(row(x - 1, far_x + 1, 1), N if (x, 0) in hull else S)
    yield from rails(row(x - 1, far_x + 1, order.height - 2), S if (x, 0) in hull else N)
    yield from rails(column(1, y - 1, far_y + 1), W if (0, y) in hull else E)
    yield from rails(column(order.width - 2, y - 1, far_y + 1), E if (0, y) in hull else W)


def _corners(left: int, top: int, right: int, bottom: int) -> list[Pos]:
    return [(left, top), (right, top), (left, bottom), (right, bottom)]
