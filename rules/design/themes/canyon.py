"""Canyon: a gap through the whole ship, or a river of beams, with bridges."""

from collections.abc import Iterator

from rules.design.hulls import LONG, octagon
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, column, line, path, rails, spots
from rules.design.symmetry import HALF_TURN, NONE, even
from rules.grid import E, N, Pos, S, W


def canyon(order: Order) -> Layout:
    """Lay out a canyon that runs through the ship, straight, slanting or in a bend, or a river."""
    hull = even(
        order.one_of((*LONG[:3], octagon))(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    course = _course(order)
    kind = order.stream.below(6)
    if kind == 0:
        motifs = list(_river(order, course))
    elif kind in (1, 2) and order.symmetry in (HALF_TURN, NONE):
        motifs = list(_meander(order))
    else:
        motifs = list(_gorge(order, course, _bridges(order)))
    motifs += _banks(order, course)
    near, far = order.width // 5, order.width - 1 - order.width // 5
    goals = [
        (x, y)
        for x in range(order.width)
        for y in range(order.height)
        if (x, y) in hull and (x <= near or x >= far)
    ]
    docks = ((1, order.middle[1]), (order.width - 2, order.middle[1]))
    return Layout(hull, tuple(motifs), tuple(goals), docks)


def _course(order: Order) -> list[Pos]:
    """Return the first and the last column of the canyon in each row; it lies like its own half turn."""
    wide = 2 if order.width % 2 == 0 else order.one_of((1, 3)) if order.width > 11 else 1
    first = (order.width - wide) // 2
    half = order.height // 2
    slant = order.one_of((0, 1, 2)) if order.symmetry == HALF_TURN else 0
    if len(order.symmetry) == 1:
        slant = order.one_of((1, 2, 2))
    shifts = []
    for y in range(order.height):
        up = (order.height - 1) / 2 - y
        reach = min(order.width // 5, 3)
        if slant == 0:
            shift = 0
        elif slant == 1:
            shift = round(up * reach / half)
        else:
            shift = (up > half / 2) * reach - (up < -half / 2) * reach
        shifts.append(shift)
    return [(first + shift, first + shift + wide - 1) for shift in shifts]


def _bridges(order: Order) -> list[int]:
    """Return the rows of bridges: one or two near both ends, and sometimes some in the middle."""
    off = 2 + order.stream.below(max(1, order.height // 2 - 4))
    rows = {off, order.height - 1 - off}
    if not order.chance(3):
        rows |= {off + 1, order.height - 2 - off}
    if order.height >= 15 or (order.height == 13 and order.chance(2)):
        rows |= {order.middle[1], order.height - 1 - order.middle[1]}
    return sorted(rows)


def _gorge(order: Order, course: list[Pos], bridges: list[int]) -> Iterator[Motif]:
    """Yield the gap, open space or a row of shafts, and beams over its bridges."""
    gap = [
        (x, y) for y, (left, right) in enumerate(course) if y not in bridges for x in range(left, right + 1)
    ]
    kind = "space" if course[0] != (0, 0) and (course[0][1] > course[0][0] or order.chance(2)) else "shaft"
    yield Motif("gorge", tuple(spots(gap, kind)), True)
    marks: list[Mark] = []
    if order.chance(4):
        return
    speed = order.one_of((1, 1, 2))
    for index, y in enumerate(bridges):
        left, right = course[y]
        reach = 1 + order.width // 12
        heading = E if index % 2 else W
        start = (left - reach, y) if heading == E else (right + reach, y)
        marks += line(start, heading, right - left + 1 + 2 * reach, speed)
    yield Motif("bridges", tuple(marks), True)


def _river(order: Order, course: list[Pos]) -> Iterator[Motif]:
    """Yield a river of beams, with shafts where it bends."""
    speed = order.one_of((1, 2))
    marks: list[Mark] = []
    left, right = course[order.middle[1]]
    wide = max(2 + order.width % 2, right - left + 1)
    left = (order.width - wide) // 2
    right = left + wide - 1
    marks += line((left, 1), S, order.height - 2, speed)
    marks += line((right, order.height - 2), N, order.height - 2, speed)
    if wide > 2:
        rocks = [(x, y) for x in range(left + 1, right) for y in _rapids(order.height)]
        yield Motif("rapids", tuple(spots(rocks, order.one_of(("shaft", "twister")), "2")), True)
    yield Motif("river", tuple(marks), True)
    for y in range(1, order.height - 1):
        if y % 4 in (1, 2):
            yield Motif("quay", tuple(rails([(left, y)], W)))
            if len(order.symmetry) == 1:
                yield Motif("quay", tuple(rails([(left + wide - 1, order.height - 1 - y)], E)))


def _meander(order: Order) -> Iterator[Motif]:
    """Yield a river of two lanes, one each way, that bends in the middle of the ship; it has quays."""
    width, height = order.width, order.height
    speed = order.one_of((1, 1, 2))
    left = width // 2 - 2 - (width > 12) * order.stream.below(2)
    bend = (height + 1) // 2
    down = [(left, 1), (left, bend), (width - 2 - left, bend), (width - 2 - left, height - 2)]
    up = [(width - 1 - x, height - 1 - y) for x, y in down]
    yield Motif("river", (*path(down, speed), *path(up, speed)), True)
    yield Motif("quay", tuple(rails(column(left, 2, 3), W)))
    yield Motif("quay", tuple(rails(column(left + 1, 2, 3), E)))


def _rapids(height: int) -> list[int]:
    """Return the rows of rocks in a river, alike from both ends."""
    upper = list(range(2, height // 2, 3))
    return [*upper, *(height - 1 - y for y in upper)]


def _banks(order: Order, course: list[Pos]) -> Iterator[Motif]:
    """Yield what stands on both banks: rails in rows, twisters, or shafts."""
    third = max(2, order.width // 6)
    top = 1 + order.stream.below(2)
    kind = order.stream.below(3)
    at = [(third, top + 2), (third, order.height - 3 - top)]
    if kind == 0:
        yield Motif("turntables", tuple(spots(at[:1], "twister", order.one_of("+-2"))))
        yield Motif("breakwater", tuple(rails(column(third + 1, top, top + 2), E)))
    elif kind == 1:
        yield Motif("potholes", tuple(spots(at, "shaft")))
    else:
        yield Motif("breakwater", tuple(rails(column(third, top + 1, top + 3), W)))
        yield Motif(
            "breakwater", tuple(rails(column(third + 1, order.height - 4 - top, order.height - 2 - top), E))
        )
    if len(order.symmetry) == 1:
        beyond = order.width - 2 - third
        yield Motif("turntables", tuple(spots([(beyond, order.middle[1])], "twister", order.one_of("+-"))))
