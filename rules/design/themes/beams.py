"""Themes with long beams: a ring, a canyon with bridges, and a factory with production lines."""

from collections.abc import Iterator

from rules.design.canvas import (
    HALF_TURN,
    NONE,
    Image,
    Mark,
    Motif,
    area,
    column,
    line,
    loop,
    path,
    rails,
    row,
    spots,
    symmetric_part,
)
from rules.design.genome import LONG, ROUND, Layout, LayoutRequest, notched, octagon, plate
from rules.grid import E, N, Pos, S, W

# --- Ring: beams that go round and round, with ways on and off ----------------------------------------------


def ring(request: LayoutRequest) -> Layout:
    """Lay out a ring of beams: a loop with ramps, two loops in opposite directions, or four arcs or loops."""
    hull = symmetric_part(
        request.one_of(ROUND)(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    inset = 2 + (request.side > 11) * request.stream.below(2) + (request.side > 15)
    while (inset, inset) not in hull or (inset, inset - 1) not in hull:
        inset += 1
    left, top, right, bottom = inset, inset, request.width - 1 - inset, request.height - 1 - inset
    clockwise = bool(request.stream.below(2))
    kind = request.stream.below(5)
    motifs: list[Motif] = []
    if kind == 4 and request.side >= 11:
        return _carousels(request, hull, clockwise)
    if kind == 1 and request.side - 2 * inset >= 8:
        speed = request.one_of((1, 2))
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
        motifs += _ramps(request, inset)
        inner = (left + 1, top + 1, right - 1, bottom - 1)
    motifs += _heart(request, *inner)
    corners = [
        (1, 1),
        (request.width - 2, 1),
        (1, request.height - 2),
        (request.width - 2, request.height - 2),
    ]
    if request.chance(2):
        at = (left - 1, top - 1)
        motifs.append(Motif("corner shafts", tuple(spots(_mirrored(request, at), "shaft")), True))
    goals = [pos for pos in area(*inner) if pos in hull] + corners
    return Layout(
        hull, tuple(motifs), tuple(goals), ((request.middle[0], request.height - 1), request.middle)
    )


def _carousels(request: LayoutRequest, hull: frozenset[Pos], clockwise: bool) -> Layout:
    """Lay out a small loop of beams in each quarter of the ship, around shafts, twisters or depots."""
    inset = 2 + (request.side > 14)
    size = 2 if request.side < 13 else request.one_of((2, 3)) if request.side < 16 else 3
    motifs = []
    eye, detail = request.one_of(
        (("shaft", ""), ("twister", "2"), ("twister", "+"), ("depot", "1"))[: 5 - size]
    )
    alternate = request.chance(2)
    for x in (inset, request.width - 1 - inset - size):
        for y in (inset, request.height - 1 - inset - size):
            way = clockwise ^ (alternate and (x == inset) != (y == inset))
            motifs.append(Motif("carousel", tuple(loop(x, y, x + size, y + size, way)), True))
            inside = area(x + 1, y + 1, x + size - 1, y + size - 1)
            motifs.append(Motif("eye", tuple(spots(inside, eye, detail)), True))
    x, y = request.middle
    if request.chance(2):
        motifs.append(Motif("walkway", tuple(line((x, 0), S, inset + 1, 2))))
        motifs.append(
            Motif("walkway", tuple(line((request.width - 1 - x, request.height - 1), N, inset + 1, 2)))
        )
    if request.chance(2):
        motifs.append(Motif("screens", tuple(rails(column(x - 1, y - 1, request.height - y), W))))
        motifs.append(Motif("screens", tuple(rails(column(request.width - x, y - 1, request.height - y), E))))
    goals = [
        pos
        for pos in hull
        if abs(2 * pos[0] - request.width + 1) <= 2 or abs(2 * pos[1] - request.height + 1) <= 2
    ]
    goals += [
        (1, 1),
        (request.width - 2, 1),
        (1, request.height - 2),
        (request.width - 2, request.height - 2),
    ]
    return Layout(hull, tuple(motifs), tuple(sorted(goals)), ((x, request.height - 1), (x, y)))


def _arcs(left: int, top: int, right: int, bottom: int, clockwise: bool) -> Iterator[Mark]:
    """Yield four beams, each from the middle of a side around a corner, with gaps between them."""
    across, down = (right - left + 1) // 2, (bottom - top + 1) // 2
    arcs = [
        [(left, top + down - 1), (left, top), (left + across - 2, top)],
        [(right - across + 1, top), (right, top), (right, top + down - 2)],
        [(right, bottom - down + 1), (right, bottom), (right - across + 2, bottom)],
        [(left + across - 1, bottom), (left, bottom), (left, bottom - down + 2)],
    ]
    for corners in arcs:
        yield from path(corners if clockwise else corners[::-1])


def _ramps(request: LayoutRequest, inset: int) -> Iterator[Motif]:
    """Yield beams that lead from the rim of the ship to the ring."""
    x, y = request.middle
    shift = request.one_of((0, 1, -1)) if request.side > 11 else 0
    speed = request.one_of((2, 2, 1))
    if inset < 2 or request.chance(4):
        return
    if len(request.symmetry) == 4 and request.symmetry[1].quarters == 1:
        yield Motif("ramps", tuple(line((x + shift, 0), S, inset, speed)))
        return
    from_top = tuple(line((x + shift, 0), S, inset, speed))
    from_left = tuple(line((0, y - shift), E, inset, speed))
    from_bottom = tuple(line((request.width - 1 - x - shift, request.height - 1), N, inset, speed))
    if len(request.symmetry) == 1:
        yield Motif("ramps", from_top + from_left + from_bottom)
    else:
        yield Motif("ramps", from_top + from_left)


def _heart(request: LayoutRequest, left: int, top: int, right: int, bottom: int) -> Iterator[Motif]:
    """Yield motifs for the area inside the ring: twisters, shafts or rails."""
    wide, high = right - left + 1, bottom - top + 1
    if min(wide, high) < 3:
        return
    x, y = request.middle
    across, down = 1 - request.width % 2, 1 - request.height % 2
    core = area(x, y, x + across, y + down)
    kind = request.stream.below(4)
    if kind == 0:
        yield Motif("plates", tuple(spots(core, "twister", request.one_of("+-"))), True)
    elif kind == 1 and min(wide, high) >= 5:
        yield Motif("well", tuple(spots(core, "shaft")), True)
    elif kind == 2 and min(wide, high) >= 5:
        around = [(left + 1, top + 1), (right - 1, top + 1), (left + 1, bottom - 1), (right - 1, bottom - 1)]
        yield Motif("four plates", tuple(spots(around, "twister", request.one_of("+-2"))), True)
    if request.chance(2) and wide >= 5:
        yield Motif("screens", tuple(rails(row(x - 1, x + across + 1, top), S)))
        yield Motif("screens", tuple(rails(row(x - 1, x + across + 1, bottom), N)))


def _mirrored(request: LayoutRequest, pos: Pos) -> list[Pos]:
    x, y = pos
    far_x, far_y = request.width - 1 - x, request.height - 1 - y
    return [(x, y), (far_x, y), (x, far_y), (far_x, far_y)]


# --- Canyon: a gap through the whole ship, or a river of beams, with bridges --------------------------------


def canyon(request: LayoutRequest) -> Layout:
    """Lay out a straight, slanted or bent canyon through the ship, or a river of beams."""
    hull = symmetric_part(
        request.one_of((*LONG[:3], octagon))(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    course = _course(request)
    kind = request.stream.below(6)
    if kind == 0:
        motifs = list(_river(request, course))
    elif kind in (1, 2) and request.symmetry in (HALF_TURN, NONE):
        motifs = list(_meander(request))
    else:
        motifs = list(_gorge(request, course, _bridges(request)))
    motifs += _banks(request, course)
    near, far = request.width // 5, request.width - 1 - request.width // 5
    goals = [
        (x, y)
        for x in range(request.width)
        for y in range(request.height)
        if (x, y) in hull and (x <= near or x >= far)
    ]
    docks = ((1, request.middle[1]), (request.width - 2, request.middle[1]))
    return Layout(hull, tuple(motifs), tuple(goals), docks)


def _course(request: LayoutRequest) -> list[Pos]:
    """Return the first and last column of the canyon for each row, symmetric under a half turn."""
    wide = 2 if request.width % 2 == 0 else request.one_of((1, 3)) if request.width > 11 else 1
    first = (request.width - wide) // 2
    half = request.height // 2
    slant = request.one_of((0, 1, 2)) if request.symmetry == HALF_TURN else 0
    if len(request.symmetry) == 1:
        slant = request.one_of((1, 2, 2))
    shifts = []
    for y in range(request.height):
        up = (request.height - 1) / 2 - y
        reach = min(request.width // 5, 3)
        if slant == 0:
            shift = 0
        elif slant == 1:
            shift = round(up * reach / half)
        else:
            shift = (up > half / 2) * reach - (up < -half / 2) * reach
        shifts.append(shift)
    return [(first + shift, first + shift + wide - 1) for shift in shifts]


def _bridges(request: LayoutRequest) -> list[int]:
    """Return the rows with a bridge: one or two near each end, and sometimes in the middle."""
    off = 2 + request.stream.below(max(1, request.height // 2 - 4))
    rows = {off, request.height - 1 - off}
    if not request.chance(3):
        rows |= {off + 1, request.height - 2 - off}
    if request.height >= 15 or (request.height == 13 and request.chance(2)):
        rows |= {request.middle[1], request.height - 1 - request.middle[1]}
    return sorted(rows)


def _gorge(request: LayoutRequest, course: list[Pos], bridges: list[int]) -> Iterator[Motif]:
    """Yield the canyon, made of space or shafts, and beams across its bridges."""
    gap = [
        (x, y) for y, (left, right) in enumerate(course) if y not in bridges for x in range(left, right + 1)
    ]
    kind = "space" if course[0] != (0, 0) and (course[0][1] > course[0][0] or request.chance(2)) else "shaft"
    yield Motif("gorge", tuple(spots(gap, kind)), True)
    marks: list[Mark] = []
    if request.chance(4):
        return
    speed = request.one_of((1, 1, 2))
    for index, y in enumerate(bridges):
        left, right = course[y]
        reach = 1 + request.width // 12
        heading = E if index % 2 else W
        start = (left - reach, y) if heading == E else (right + reach, y)
        marks += line(start, heading, right - left + 1 + 2 * reach, speed)
    yield Motif("bridges", tuple(marks), True)


def _river(request: LayoutRequest, course: list[Pos]) -> Iterator[Motif]:
    """Yield a river: two beams in opposite directions, obstacles between them, and rails along the river."""
    speed = request.one_of((1, 2))
    marks: list[Mark] = []
    left, right = course[request.middle[1]]
    wide = max(2 + request.width % 2, right - left + 1)
    left = (request.width - wide) // 2
    right = left + wide - 1
    marks += line((left, 1), S, request.height - 2, speed)
    marks += line((right, request.height - 2), N, request.height - 2, speed)
    if wide > 2:
        rocks = [(x, y) for x in range(left + 1, right) for y in _rapids(request.height)]
        yield Motif("rapids", tuple(spots(rocks, request.one_of(("shaft", "twister")), "2")), True)
    yield Motif("river", tuple(marks), True)
    for y in range(1, request.height - 1):
        if y % 4 in (1, 2):
            yield Motif("quay", tuple(rails([(left, y)], W)))
            if len(request.symmetry) == 1:
                yield Motif("quay", tuple(rails([(left + wide - 1, request.height - 1 - y)], E)))


def _meander(request: LayoutRequest) -> Iterator[Motif]:
    """Yield a river with a bend in the middle: two beams in opposite directions, and rails along them."""
    width, height = request.width, request.height
    speed = request.one_of((1, 1, 2))
    left = width // 2 - 2 - (width > 12) * request.stream.below(2)
    bend = (height + 1) // 2
    down = [(left, 1), (left, bend), (width - 2 - left, bend), (width - 2 - left, height - 2)]
    up = [(width - 1 - x, height - 1 - y) for x, y in down]
    yield Motif("river", (*path(down, speed), *path(up, speed)), True)
    yield Motif("quay", tuple(rails(column(left, 2, 3), W)))
    yield Motif("quay", tuple(rails(column(left + 1, 2, 3), E)))


def _rapids(height: int) -> list[int]:
    """Return the rows with obstacles in a river, symmetric about the middle."""
    upper = list(range(2, height // 2, 3))
    return [*upper, *(height - 1 - y for y in upper)]


def _banks(request: LayoutRequest, course: list[Pos]) -> Iterator[Motif]:
    """Yield motifs beside the canyon: twisters, shafts or rows of rails."""
    third = max(2, request.width // 6)
    top = 1 + request.stream.below(2)
    kind = request.stream.below(3)
    at = [(third, top + 2), (third, request.height - 3 - top)]
    if kind == 0:
        yield Motif("turntables", tuple(spots(at[:1], "twister", request.one_of("+-2"))))
        yield Motif("breakwater", tuple(rails(column(third + 1, top, top + 2), E)))
    elif kind == 1:
        yield Motif("potholes", tuple(spots(at, "shaft")))
    else:
        yield Motif("breakwater", tuple(rails(column(third, top + 1, top + 3), W)))
        yield Motif(
            "breakwater",
            tuple(rails(column(third + 1, request.height - 4 - top, request.height - 2 - top), E)),
        )
    if len(request.symmetry) == 1:
        beyond = request.width - 2 - third
        yield Motif(
            "turntables", tuple(spots([(beyond, request.middle[1])], "twister", request.one_of("+-")))
        )


# --- Factory: production lines that wind or run side by side, with machines along them ----------------------


def factory(request: LayoutRequest) -> Layout:
    """Lay out a factory: one winding production line, two lines with feeders, or parallel lines."""
    hull = symmetric_part(
        request.one_of((plate, plate, notched, octagon))(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    turns = Image(2) in request.symmetry or len(request.symmetry) == 1
    kind = request.stream.below(3)
    if turns and kind == 0:
        lines, machines = _winding(request)
    elif turns and kind == 1:
        lines, machines = _comb(request)
    else:
        lines, machines = _parallel(request)
    motifs = [*lines, *_machines(request, machines)]
    rows = {y for y, _, _ in machines}
    goals = [
        (x, y)
        for x, y in sorted(hull)
        if y not in rows and 0 < x < request.width - 1 and y - 1 in rows | {-1}
    ]
    goals += [(x, y) for x, y in sorted(hull) if y not in rows and y + 1 in rows]
    docks = ((request.middle[0], request.height - 1), (0, request.middle[1]))
    return Layout(hull, tuple(motifs), tuple(goals), docks)


Stretch = tuple[int, int, int]
"""A straight part of a production line: its row, first column and last column."""


def _winding(request: LayoutRequest) -> tuple[list[Motif], list[Stretch]]:
    """Return a line that winds through the ship, symmetric under a half turn, and its straight parts."""
    left, right = 1, request.width - 2
    bends = 3 if request.height < 15 else request.one_of((3, 5))
    top, bottom = (
        (1, request.height - 2) if request.height < 12 or request.chance(2) else (2, request.height - 3)
    )
    levels = [round(top + (bottom - top) * index / (bends - 1)) for index in range(bends)]
    levels = [
        level if 2 * index < bends else request.height - 1 - levels[bends - 1 - index]
        for index, level in enumerate(levels)
    ]
    corners: list[Pos] = []
    for index, y in enumerate(levels):
        ends = [(left, y), (right, y)]
        corners += ends if index % 2 == 0 else ends[::-1]
    corners[0] = (left + 1, corners[0][1])
    corners[-1] = (right - 1 if bends % 2 else left + 1, corners[-1][1])
    if request.chance(2):
        corners = [(request.width - 1 - x, y) for x, y in corners]
    motif = Motif("line", tuple(path(corners)), True)
    return [motif], [(y, left + 2, right - 2) for y in levels]


def _parallel(request: LayoutRequest) -> tuple[list[Motif], list[Stretch]]:
    """Return two or four parallel production lines in both directions, and their straight parts."""
    y = max(2, request.height // 4) - request.stream.below(2) + (request.height > 12)
    left, right = 1 + request.stream.below(2), request.width - 2
    motifs = [Motif("line", tuple(line((left, y), E, right - left, 1)))]
    stretches = [(y, left, right), (request.height - 1 - y, left, right)]
    if not request.chance(4) and request.height >= 11:
        speed = 2
        begin, end = request.width // 4, request.width - 1 - request.width // 4
        middle = request.middle[1] - (1 if request.height % 2 else 0)
        motifs.append(Motif("fast line", tuple(line((end, middle), W, end - begin + 1, speed))))
        stretches += [(middle, begin, end), (request.height - 1 - middle, begin, end)]
        if len(request.symmetry) == 1:
            back = line((begin, request.height - 1 - middle), E, end - begin + 1, speed)
            motifs.append(Motif("fast line", tuple(back)))
    if len(request.symmetry) == 1:
        low = request.height - 1 - y
        motifs.append(Motif("line", tuple(line((right, low), W, right - left - 1, 1))))
    return motifs, stretches


def _comb(request: LayoutRequest) -> tuple[list[Motif], list[Stretch]]:
    """Return two lines through the middle with feeders at right angles, and the stretch for machines."""
    upper = request.middle[1] - (request.height % 2)
    lower = request.height - 1 - upper
    left, right = 1, request.width - 2
    marks = [*line((left, upper), E, right - left + 1), *line((right, lower), W, right - left + 1)]
    motifs = [Motif("line", tuple(marks), True)]
    apart = request.one_of((3, 4))
    top = 1 + request.stream.below(2)
    for x in range(left + 1, right, apart):
        motifs.append(Motif("feeder", tuple(line((x, top), S, upper - top, 1))))
        if len(request.symmetry) == 1:
            motifs.append(
                Motif(
                    "feeder",
                    tuple(line((request.width - 1 - x, request.height - 1 - top), N, upper - top, 1)),
                )
            )
    return motifs, [(upper, left + apart, right)]


def _machines(request: LayoutRequest, stretches: list[Stretch]) -> Iterator[Motif]:
    """Yield machines along the production lines: crushers, arms, lasers or twisters.

    Crushers and arms need a ruleset that knows them.
    """
    kinds = ["laser", "twister"]
    if "crusher" in request.known:
        kinds = ["crusher", "crusher", "arm"]
    elif "docking arm" in request.known:
        kinds = ["arm", "arm", "laser"]
    kind = request.one_of(kinds)
    beats = request.one_of((("15", "24", "3"), ("135", "24"), ("1", "3", "5")))
    whole = request.symmetry[0] == request.symmetry[-1]
    for index, (y, left, right) in enumerate(stretches):
        if not whole and 2 * y > request.height - 1:
            continue
        apart = 5 if kind == "laser" else request.one_of((3, 3, 4))
        for number, x in enumerate(range(left + 2, right - 1, apart)):
            if not whole and 2 * y == request.height - 1 and 2 * x > request.width - 1:
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
