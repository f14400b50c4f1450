"""Themes of long beams: a ring, a canyon with bridges, and a factory with lines."""

from collections.abc import Iterator

from rules.design.canvas import (
    HALF_TURN,
    NONE,
    Image,
    Mark,
    Motif,
    area,
    column,
    even,
    line,
    loop,
    path,
    rails,
    row,
    spots,
)
from rules.design.genome import LONG, ROUND, Layout, Order, notched, octagon, plate
from rules.grid import E, N, Pos, S, W

# --- Ring: beams that go round and round, with ways on and off ----------------------------------------------


def ring(order: Order) -> Layout:
    """Lay out a loop with ramps, two opposite loops, four arcs, or small loops."""
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
    """Lay out a small loop in each quarter of the ship, with something in its middle."""
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
    """Yield four arcs, each from the middle of a side round a corner, with gaps."""
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
    """Yield ramps from the rim of the ship onto the ring, or off it."""
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
    """Yield the motifs in the middle of the ring."""
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


# --- Canyon: a gap through the whole ship, or a river of beams, with bridges --------------------------------


def canyon(order: Order) -> Layout:
    """Lay out a canyon through the ship, straight, slanting or in a bend, or a river."""
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
    """Return the canyon's first and last column in each row, symmetric by a half turn."""
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
    """Return the rows of bridges, one or two near each end, and maybe in the middle."""
    off = 2 + order.stream.below(max(1, order.height // 2 - 4))
    rows = {off, order.height - 1 - off}
    if not order.chance(3):
        rows |= {off + 1, order.height - 2 - off}
    if order.height >= 15 or (order.height == 13 and order.chance(2)):
        rows |= {order.middle[1], order.height - 1 - order.middle[1]}
    return sorted(rows)


def _gorge(order: Order, course: list[Pos], bridges: list[int]) -> Iterator[Motif]:
    """Yield the gap, of space or shafts, and beams over its bridges."""
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
    """Yield a river of beams in two directions, with rocks and quays."""
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
    """Yield a river of two opposite lanes with a bend in the middle, and quays."""
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
    """Return the rows of rocks in a river, symmetric from both ends."""
    upper = list(range(2, height // 2, 3))
    return [*upper, *(height - 1 - y for y in upper)]


def _banks(order: Order, course: list[Pos]) -> Iterator[Motif]:
    """Yield the motifs on both banks: rows of rails, twisters, or shafts."""
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


# --- Factory: production lines that wind or run side by side, with machines along them ----------------------


def factory(order: Order) -> Layout:
    """Lay out one winding line, or lines side by side."""
    hull = even(
        order.one_of((plate, plate, notched, octagon))(order.width, order.height, order.stream),
        order.symmetry,
        order.width,
        order.height,
    )
    turns = Image(2) in order.symmetry or len(order.symmetry) == 1
    kind = order.stream.below(3)
    if turns and kind == 0:
        lines, machines = _winding(order)
    elif turns and kind == 1:
        lines, machines = _comb(order)
    else:
        lines, machines = _parallel(order)
    motifs = [*lines, *_machines(order, machines)]
    rows = {y for y, _, _ in machines}
    goals = [
        (x, y) for x, y in sorted(hull) if y not in rows and 0 < x < order.width - 1 and y - 1 in rows | {-1}
    ]
    goals += [(x, y) for x, y in sorted(hull) if y not in rows and y + 1 in rows]
    docks = ((order.middle[0], order.height - 1), (0, order.middle[1]))
    return Layout(hull, tuple(motifs), tuple(goals), docks)


Stretch = tuple[int, int, int]
"""The row of a stretch of line, and its first and last column."""


def _winding(order: Order) -> tuple[list[Motif], list[Stretch]]:
    """Return a line that winds through the works, symmetric by a half turn."""
    left, right = 1, order.width - 2
    bends = 3 if order.height < 15 else order.one_of((3, 5))
    top, bottom = (1, order.height - 2) if order.height < 12 or order.chance(2) else (2, order.height - 3)
    levels = [round(top + (bottom - top) * index / (bends - 1)) for index in range(bends)]
    levels = [
        level if 2 * index < bends else order.height - 1 - levels[bends - 1 - index]
        for index, level in enumerate(levels)
    ]
    corners: list[Pos] = []
    for index, y in enumerate(levels):
        ends = [(left, y), (right, y)]
        corners += ends if index % 2 == 0 else ends[::-1]
    corners[0] = (left + 1, corners[0][1])
    corners[-1] = (right - 1 if bends % 2 else left + 1, corners[-1][1])
    if order.chance(2):
        corners = [(order.width - 1 - x, y) for x, y in corners]
    motif = Motif("line", tuple(path(corners)), True)
    return [motif], [(y, left + 2, right - 2) for y in levels]


def _parallel(order: Order) -> tuple[list[Motif], list[Stretch]]:
    """Return two or four lines, half of them in the opposite direction."""
    y = max(2, order.height // 4) - order.stream.below(2) + (order.height > 12)
    left, right = 1 + order.stream.below(2), order.width - 2
    motifs = [Motif("line", tuple(line((left, y), E, right - left, 1)))]
    stretches = [(y, left, right), (order.height - 1 - y, left, right)]
    if not order.chance(4) and order.height >= 11:
        speed = 2
        begin, end = order.width // 4, order.width - 1 - order.width // 4
        middle = order.middle[1] - (1 if order.height % 2 else 0)
        motifs.append(Motif("fast line", tuple(line((end, middle), W, end - begin + 1, speed))))
        stretches += [(middle, begin, end), (order.height - 1 - middle, begin, end)]
        if len(order.symmetry) == 1:
            back = line((begin, order.height - 1 - middle), E, end - begin + 1, speed)
            motifs.append(Motif("fast line", tuple(back)))
    if len(order.symmetry) == 1:
        low = order.height - 1 - y
        motifs.append(Motif("line", tuple(line((right, low), W, right - left - 1, 1))))
    return motifs, stretches


def _comb(order: Order) -> tuple[list[Motif], list[Stretch]]:
    """Return two lines through the middle, and feeders from both sides."""
    upper = order.middle[1] - (order.height % 2)
    lower = order.height - 1 - upper
    left, right = 1, order.width - 2
    marks = [*line((left, upper), E, right - left + 1), *line((right, lower), W, right - left + 1)]
    motifs = [Motif("line", tuple(marks), True)]
    apart = order.one_of((3, 4))
    top = 1 + order.stream.below(2)
    for x in range(left + 1, right, apart):
        motifs.append(Motif("feeder", tuple(line((x, top), S, upper - top, 1))))
        if len(order.symmetry) == 1:
            motifs.append(
                Motif("feeder", tuple(line((order.width - 1 - x, order.height - 1 - top), N, upper - top, 1)))
            )
    return motifs, [(upper, left + apart, right)]


def _machines(order: Order, stretches: list[Stretch]) -> Iterator[Motif]:
    """Yield machines along the lines: presses, arms, lasers or turntables, if known."""
    kinds = ["laser", "twister"]
    if "crusher" in order.known:
        kinds = ["crusher", "crusher", "arm"]
    elif "docking arm" in order.known:
        kinds = ["arm", "arm", "laser"]
    kind = order.one_of(kinds)
    beats = order.one_of((("15", "24", "3"), ("135", "24"), ("1", "3", "5")))
    whole = order.symmetry[0] == order.symmetry[-1]
    for index, (y, left, right) in enumerate(stretches):
        if not whole and 2 * y > order.height - 1:
            continue
        apart = 5 if kind == "laser" else order.one_of((3, 3, 4))
        for number, x in enumerate(range(left + 2, right - 1, apart)):
            if not whole and 2 * y == order.height - 1 and 2 * x > order.width - 1:
                break
            beat = beats[(number + index) % len(beats)]
            yield Motif(kind, tuple(_machine(kind, (x, y), beat, (number + index) % 2 == 0)))


def _machine(kind: str, at: Pos, beat: str, above: bool) -> Iterator[Mark]:
    x, y = at
    edge = N if above else S
    if kind == "crusher":
        yield Mark(at, "crusher", detail=beat)
        yield from rails([at], edge)
    elif kind == "arm":
        yield Mark(at, "arm", edge, beat)
    elif kind == "laser":
        yield Mark((x, y - 1), "laser", N, "1")
        yield from rails([(x, y + 1)], S)
    else:
        yield from spots([(x, y - 1 if above else y + 1)], "twister", "+" if above else "-")
        yield from rails(row(x, x, y - 1 if above else y + 1), edge)
