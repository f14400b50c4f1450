"""Liner: cabins on both sides of a corridor, in a hull with a bow and a stern."""

from collections.abc import Iterator

from rules.design.hulls import LONG
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, column, line, rails, row, spots
from rules.design.symmetry import even
from rules.grid import E, Pos, S, W


def liner(order: Order) -> Layout:
    """Lay out a corridor with moving walkways, cabins with two doors each, and what the cabins are for."""
    hull = even(
        order.one_of((LONG[0], LONG[0], LONG[3], LONG[1]))(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    upper = order.middle[1] - (order.height % 2)
    lower = order.height - 1 - upper
    wide = order.one_of((3, 4)) if order.width > 10 else 3
    lefts = list(range(_margin(order.width, wide), order.width - wide + 1, wide))
    deep = min(3, upper - 1)
    motifs = [*_walkways(order, upper, lower)]
    walls: list[Mark] = []
    for index, x in enumerate(lefts):
        walls += _cabin((x, upper - deep), wide, deep, index, len(lefts))
    both = all(image.at((0, 0), order.width, order.height)[1] == 0 for image in order.symmetry)
    motifs.append(Motif("cabins", tuple(walls)))
    if both:
        turned = [
            Mark(
                (order.width - 1 - mark.at[0], order.height - 1 - mark.at[1]),
                mark.kind,
                (mark.heading + 2) & 3,
            )
            for mark in walls
        ]
        motifs.append(Motif("cabins", tuple(turned)))
    kinds = order.stream.shuffled([("twister", "+"), ("shaft", ""), ("twister", "2"), ("depot", "1")])
    for index, x in enumerate(lefts):
        kind, detail = kinds[index % 2]
        at = (x + wide // 2, upper - deep)
        if index % 2 == 0 or order.chance(3):
            motifs.append(Motif("cabin", tuple(spots([at], kind, detail))))
            if both:
                far = (order.width - 1 - at[0], order.height - 1 - at[1])
                motifs.append(Motif("cabin", tuple(spots([far], kind, detail))))
    cabins = [pos for pos in sorted(hull) if pos[1] < upper - 1 or pos[1] > lower + 1]
    ends = [(x, y) for x in (1, order.width - 2) for y in (upper, lower) if (x, y) in hull]
    return Layout(hull, tuple(motifs), (*cabins, *ends), ((0, upper), (order.width - 1, lower)))


def _margin(width: int, wide: int) -> int:
    return (width % wide + wide) // 2 if width % wide else wide // 2


def _walkways(order: Order, upper: int, lower: int) -> Iterator[Motif]:
    """Yield a beam each way along the corridor."""
    begin, end = order.width // 5, order.width - 1 - order.width // 5
    speed = order.one_of((1, 2, 2))
    marks = [*line((begin, upper), E, end - begin + 1, speed), *line((end, lower), W, end - begin + 1, speed)]
    yield Motif("walkways", tuple(marks), True)


def _cabin(at: Pos, wide: int, deep: int, index: int, count: int) -> Iterator[Mark]:
    """Yield the walls of a cabin, with a door to the corridor and one to the next cabin."""
    x, y = at
    door = x + (wide - 1) // 2 + index % 2
    yield from rails([pos for pos in row(x, x + wide - 1, y + deep - 1) if pos[0] != door], S)
    if index < count - 1:
        yield from rails(column(x + wide - 1, y + (index % 2), y + deep - 2 + (index % 2)), E)
    if index == 0:
        yield from rails(column(x, y + 1, y + deep - 1), W)
