"""Ring: beams that go round and round, with ways on and off."""

from collections.abc import Iterator

from rules.design.hulls import ROUND
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, area, column, line, loop, path, rails, row, spots
from rules.design.symmetry import even
from rules.grid import E, N, Pos, S, W


def ring(order: Order) -> Layout:
    """Lay out one loop with ramps, two that run against each other, four arcs with gaps, or small loops."""
    hull = even(
        order.one_of(ROUND)(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    inset = 2 + (order.side > 11) * order.stream.below(2) + (order.side > 15)
    while (inset, inset) not in hull or (inset, inset - 1) not in hull:
        inset += 1
    left, top, right, bottom = inset, inset, order.width - 1 - inset, order.height - 1 - inset
    clockwise = bool(order.stream.below(2))
    kind = order.stream.below(5)
    motifs: list[Motif] = []
    if kind == 4 and order.side >= 11:
        return _carousels(order, hull, clockwise)
    if kind == 1 and order.side - 2 * inset >= 8:
        speed = order.one_of((1, 2))
        motifs.append(Motif("ring", tuple(loop(left, top, right, bottom, clockwise, speed)), True))
        motifs.append(
            Motif(
                "inner ring",
                tuple(loop(left + 2, top + 2, right - 2, bottom - 2, not clockwise, 3 - speed)),
                True,
            )
        )
        inner = (left + 3, top + 3, right - 3, bottom - 3)
    elif kind == 2:
        motifs.append(Motif("arcs", tuple(_arcs(left, top, right, bottom, clockwise)), True))
        inner = (left + 1, top + 1, right - 1, bottom - 1)
    else:
        motifs.append(Motif("ring", tuple(loop(left, top, right, bottom, clockwise)), True))
        motifs += _ramps(order, inset)
        inner = (left + 1, top + 1, right - 1, bottom - 1)
    motifs += _heart(order, *inner)
    corners = [(1, 1), (order.width - 2, 1), (1, order.height - 2), (order.width - 2, order.height - 2)]
    if order.chance(2):
        at = (left - 1, top - 1)
        motifs.append(Motif("corner shafts", tuple(spots(_mirrored(order, at), "shaft")), True))
    goals = [pos for pos in area(*inner) if pos in hull] + corners
    return Layout(hull, tuple(motifs), tuple(goals), ((order.middle[0], order.height - 1), order.middle))


def _carousels(order: Order, hull: frozenset[Pos], clockwise: bool) -> Layout:
    """Lay out a small loop in each quarter of the ship, with something in its eye."""
    inset = 2 + (order.side > 14)
    size = 2 if order.side < 13 else order.one_of((2, 3)) if order.side < 16 else 3
    motifs = []
    eye, detail = order.one_of(
        (("shaft", ""), ("twister", "2"), ("twister", "+"), ("depot", "1"))[: 5 - size]
    )
    alternate = order.chance(2)
    for x in (inset, order.width - 1 - inset - size):
        for y in (inset, order.height - 1 - inset - size):
            way = clockwise ^ (alternate and (x == inset) != (y == inset))
            motifs.append(Motif("carousel", tuple(loop(x, y, x + size, y + size, way)), True))
            inside = area(x + 1, y + 1, x + size - 1, y + size - 1)
            motifs.append(Motif("eye", tuple(spots(inside, eye, detail)), True))
    x, y = order.middle
    if order.chance(2):
        motifs.append(Motif("walkway", tuple(line((x, 0), S, inset + 1, 2))))
        motifs.append(Motif("walkway", tuple(line((order.width - 1 - x, order.height - 1), N, inset + 1, 2))))
    if order.chance(2):
        motifs.append(Motif("screens", tuple(rails(column(x - 1, y - 1, order.height - y), W))))
        motifs.append(Motif("screens", tuple(rails(column(order.width - x, y - 1, order.height - y), E))))
    goals = [
        pos
        for pos in hull
        if abs(2 * pos[0] - order.width + 1) <= 2 or abs(2 * pos[1] - order.height + 1) <= 2
    ]
    goals += [(1, 1), (order.width - 2, 1), (1, order.height - 2), (order.width - 2, order.height - 2)]
    return Layout(hull, tuple(motifs), tuple(sorted(goals)), ((x, order.height - 1), (x, y)))


def _arcs(left: int, top: int, right: int, bottom: int, clockwise: bool) -> Iterator[Mark]:
    """Yield four arcs, each from the middle of a side round a corner, with a gap before the next."""
    across, down = (right - left + 1) // 2, (bottom - top + 1) // 2
    arcs = [
        [(left, top + down - 1), (left, top), (left + across - 2, top)],
        [(right - across + 1, top), (right, top), (right, top + down - 2)],
        [(right, bottom - down + 1), (right, bottom), (right - across + 2, bottom)],
        [(left + across - 1, bottom), (left, bottom), (left, bottom - down + 2)],
    ]
    for corners in arcs:
        yield from path(corners if clockwise else corners[::-1])


def _ramps(order: Order, inset: int) -> Iterator[Motif]:
    """Yield ramps that lead from the rim of the ship onto the ring, or off it."""
    x, y = order.middle
    shift = order.one_of((0, 1, -1)) if order.side > 11 else 0
    speed = order.one_of((2, 2, 1))
    if inset < 2 or order.chance(4):
        return
    if len(order.symmetry) == 4 and order.symmetry[1].quarters == 1:
        yield Motif("ramps", tuple(line((x + shift, 0), S, inset, speed)))
        return
    from_top = tuple(line((x + shift, 0), S, inset, speed))
    from_left = tuple(line((0, y - shift), E, inset, speed))
    from_bottom = tuple(line((order.width - 1 - x - shift, order.height - 1), N, inset, speed))
    if len(order.symmetry) == 1:
        yield Motif("ramps", from_top + from_left + from_bottom)
    else:
        yield Motif("ramps", from_top + from_left)


def _heart(order: Order, left: int, top: int, right: int, bottom: int) -> Iterator[Motif]:
    """Yield what lies in the middle of the ring."""
    wide, high = right - left + 1, bottom - top + 1
    if min(wide, high) < 3:
        return
    x, y = order.middle
    across, down = 1 - order.width % 2, 1 - order.height % 2
    core = area(x, y, x + across, y + down)
    kind = order.stream.below(4)
    if kind == 0:
        yield Motif("plates", tuple(spots(core, "twister", order.one_of("+-"))), True)
    elif kind == 1 and min(wide, high) >= 5:
        yield Motif("well", tuple(spots(core, "shaft")), True)
    elif kind == 2 and min(wide, high) >= 5:
        around = [(left + 1, top + 1), (right - 1, top + 1), (left + 1, bottom - 1), (right - 1, bottom - 1)]
        yield Motif("four plates", tuple(spots(around, "twister", order.one_of("+-2"))), True)
    if order.chance(2) and wide >= 5:
        yield Motif("screens", tuple(rails(row(x - 1, x + across + 1, top), S)))
        yield Motif("screens", tuple(rails(row(x - 1, x + across + 1, bottom), N)))


def _mirrored(order: Order, pos: Pos) -> list[Pos]:
    x, y = pos
    far_x, far_y = order.width - 1 - x, order.height - 1 - y
    return [(x, y), (far_x, y), (x, far_y), (far_x, far_y)]
