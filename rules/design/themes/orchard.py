"""Orchard: the same small thing again and again, in rows, with paths between."""

from collections.abc import Iterator

from rules.design.hulls import ROUND, cross
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, line, rails, spots
from rules.design.symmetry import even
from rules.grid import E, N, Pos, S, W


def orchard(order: Order) -> Layout:
    """Lay out rows of trees: shafts, turntables, pinwheels of rails or puddles of oil."""
    hull = even(
        order.one_of((*ROUND, cross))(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    apart = 3 if order.side < 15 else order.one_of((3, 4))
    trees = [
        (x, y) for y in _evenly(order.height, apart) for x in _evenly(order.width, apart) if (x, y) in hull
    ]
    kinds = ["pinwheel", "shaft", "twister"] + ["oil"] * ("oil" in order.known)
    main, other = order.one_of(kinds), order.one_of(kinds)
    motifs = []
    for x, y in trees:
        column = _evenly(order.width, apart).index(x)
        line_of = _evenly(order.height, apart).index(y)
        kind = main if (column + line_of) % 2 == 0 else other
        motifs.append(Motif(kind, tuple(_tree(kind, (x, y))), True))
    if order.chance(2):
        motifs += _paths(order)
    goals = [
        (x, y)
        for x, y in sorted(hull)
        if (x, y) not in trees and abs(2 * x - order.width + 1) + abs(2 * y - order.height + 1) > order.side
    ]
    return Layout(hull, tuple(motifs), tuple(goals), (order.middle, (order.middle[0], order.height - 1)))


def _evenly(length: int, apart: int) -> list[int]:
    """Return places along a side, some three or four cells apart, alike from both ends.

    >>> _evenly(12, 3), _evenly(13, 3), _evenly(14, 3)
    ([1, 4, 7, 10], [3, 6, 9], [2, 5, 8, 11])
    """
    for gap in (apart, 7 - apart):
        for margin in (2, 1, 3):
            if length > 2 * margin + gap and (length - 1 - 2 * margin) % gap == 0:
                return list(range(margin, length - margin, gap))
    return [2, length - 3]


def _tree(kind: str, at: Pos) -> Iterator[Mark]:
    x, y = at
    if kind == "pinwheel":
        yield from rails([(x - 1, y)], N)
        yield from rails([(x, y - 1)], E)
        yield from rails([(x + 1, y)], S)
        yield from rails([(x, y + 1)], W)
    else:
        yield from spots([at], kind, "+" if kind == "twister" else "")


def _paths(order: Order) -> Iterator[Motif]:
    """Yield beams along the rim."""
    length = order.width - 6
    yield Motif("path", tuple(line((3, 0), E, length)), True)
    yield Motif("path", tuple(line((order.width - 4, order.height - 1), W, length)), True)
    if order.chance(2):
        length = order.height - 6
        yield Motif("path", tuple(line((0, order.height - 4), N, length)), True)
        yield Motif("path", tuple(line((order.width - 1, 3), S, length)), True)
