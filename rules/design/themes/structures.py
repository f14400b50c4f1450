"""Themes of built structures: a fortress, islands, a space liner, and an orchard."""

from collections.abc import Iterator

from rules.design.canvas import Mark, Motif, area, column, line, rails, row, spots, symmetric_part
from rules.design.genome import LONG, ROUND, STRONG, Layout, LayoutRequest, cross
from rules.grid import E, N, Pos, S, W

# --- Fortress: a keep of rails with gates, and walls and lasers around it -----------------------------------


def fortress(request: LayoutRequest) -> Layout:
    """Lay out a keep of rails in the middle, with shafts, arms or lasers, and sometimes outer walls."""
    hull = symmetric_part(
        request.one_of(STRONG)(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    inset = max(3, round(request.side * request.one_of((0.26, 0.32))))
    left, top, right, bottom = inset, inset, request.width - 1 - inset, request.height - 1 - inset
    motifs = [Motif("keep", tuple(_walls(left, top, right, bottom, request)), True)]
    kind = request.stream.below(4)
    if kind == 3 and "docking arm" in request.known:
        motifs.append(Motif("rams", tuple(_rams(left, top, right, bottom)), True))
    elif kind == 0:
        corners = _corners(left - 1, top - 1, right + 1, bottom + 1)
        motifs.append(Motif("moat", tuple(spots(corners, "shaft")), True))
    elif kind == 1:
        motifs.append(Motif("lasers", tuple(_lasers(left, top, right, bottom)), True))
    else:
        motifs.append(Motif("moat", tuple(_moat(left - 1, top - 1, right + 1, bottom + 1)), True))
    if request.chance(2):
        motifs.append(Motif("outer walls", tuple(_outworks(request, hull)), True))
    x, y = request.middle
    core = area(x, y, request.width - 1 - x, request.height - 1 - y)
    if request.chance(2) and right - left >= 4:
        motifs.append(Motif("court", tuple(spots(core, "twister", request.one_of("+-2"))), True))
    towers = _corners(1, 1, request.width - 2, request.height - 2)
    gatehouses = [(x, 1), (x, request.height - 2), (1, y), (request.width - 2, y)]
    inside = area(left, top, right, bottom)
    docks = (request.middle, (x, request.height - 1))
    return Layout(hull, tuple(motifs), (*inside, *towers, *gatehouses, *towers), docks)


def _walls(left: int, top: int, right: int, bottom: int, request: LayoutRequest) -> Iterator[Mark]:
    """Yield the rails of the keep. Each wall has a gate, either in the middle or beside a corner."""
    wide, high = right - left + 1, bottom - top + 1
    turning = request.chance(3)
    gate = 2 if wide % 2 == 0 else request.one_of((1, 3)) if wide > 4 else 1
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
    """Yield two lasers that fire along opposite sides of the keep, and the rails that stop them."""
    yield Mark((left - 1, top - 1), "laser", W, "1")
    yield from rails([(right + 1, top - 1)], E)
    yield Mark((right + 1, bottom + 1), "laser", E, "1")
    yield from rails([(left - 1, bottom + 1)], W)


def _rams(left: int, top: int, right: int, bottom: int) -> Iterator[Mark]:
    """Yield arms on the walls beside the gates. They push robots away from the keep."""
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
    """Yield three shafts around each corner of the keep."""
    for x, inwards in ((left, 1), (right, -1)):
        for y, down in ((top, 1), (bottom, -1)):
            yield from spots([(x, y), (x + inwards, y), (x, y + down)], "shaft")


def _outworks(request: LayoutRequest, hull: frozenset[Pos]) -> Iterator[Mark]:
    """Yield short walls of rails near the middle of each side of the ship."""
    x, y = request.middle
    far_x, far_y = request.width - 1 - x, request.height - 1 - y
    yield from rails(row(x - 1, far_x + 1, 1), N if (x, 0) in hull else S)
    yield from rails(row(x - 1, far_x + 1, request.height - 2), S if (x, 0) in hull else N)
    yield from rails(column(1, y - 1, far_y + 1), W if (0, y) in hull else E)
    yield from rails(column(request.width - 2, y - 1, far_y + 1), E if (0, y) in hull else W)


def _corners(left: int, top: int, right: int, bottom: int) -> list[Pos]:
    return [(left, top), (right, top), (left, bottom), (right, bottom)]


# --- Islands: plates of hull in open space, and causeways between them --------------------------------------


Box = tuple[int, int, int, int]
"""A rectangle, as its left column, top row, right column and bottom row."""


def islands(request: LayoutRequest) -> Layout:
    """Lay out two rows of islands, sometimes with one more in the middle, or four around a central island."""
    width, height = request.width, request.height
    if request.side >= 11 and request.chance(3):
        return _star(request)
    columns = 3 if width >= 14 and request.chance(2) else 2
    gap = 1 + (request.side >= 13) * request.stream.below(2)
    middle = columns == 2 and request.side >= 11 and request.chance(2)
    wide = 3 if middle else gap
    lefts = _shares(width, columns, wide)
    tops = _shares(height, 2, wide)
    boxes = [(left, top, right, bottom) for top, bottom in tops for left, right in lefts]
    rounded = request.stream.below(2)
    cells: set[Pos] = set()
    for box in boxes:
        cells |= _island(box, rounded)
    if middle:
        x, y = request.middle
        half = 1 + (request.side > 14)
        cells |= set(area(x - half, y - half, width - 1 - x + half, height - 1 - y + half))
    motifs: list[Motif] = []
    roads = list(_causeways(boxes, columns, request))
    for road, heading in roads:
        cells |= set(road)
        if not request.chance(5):
            motifs += _lanes(road, heading, request)
    hull = symmetric_part(cells, request.symmetry, width, height)
    motifs += _sights(request, boxes)
    goals = [
        (x, y)
        for left, top, right, bottom in boxes
        for x, y in area(left + 1, top + 1, right - 1, bottom - 1)
    ]
    docks = (request.middle, (boxes[0][0] + 1, boxes[0][1] + 2))
    return Layout(hull, tuple(motifs), tuple(pos for pos in goals if pos in hull), docks)


def _star(request: LayoutRequest) -> Layout:
    """Lay out an island in the middle of the ship, and one on each of its four sides."""
    width, height = request.width, request.height
    (x, y), gap = request.middle, 1 + (request.side > 14)
    half = 1 + (request.side > 14)
    left, top, right, bottom = x - half, y - half, width - 1 - x + half, height - 1 - y + half
    aside = request.stream.below(2)
    boxes = [
        (left - aside - 1, 0, right + aside + 1, top - gap - 1),
        (0, top - aside - 1, left - gap - 1, bottom + aside + 1),
        (right + gap + 1, top - aside - 1, width - 1, bottom + aside + 1),
        (left - aside - 1, bottom + gap + 1, right + aside + 1, height - 1),
    ]
    rounded = request.stream.below(2)
    cells = set(area(left, top, right, bottom)).union(*(_island(box, rounded) for box in boxes))
    west, east = x - width % 2, width - 1 - x + width % 2
    north, south = y - height % 2, height - 1 - y + height % 2
    roads = [
        (area(west, top - gap - 1, east, top - 1), S),
        (area(west, bottom + 1, east, bottom + gap + 1), S),
        (area(left - gap - 1, north, left - 1, south), E),
        (area(right + 1, north, right + gap + 1, south), E),
    ]
    motifs: list[Motif] = []
    for road, heading in roads:
        cells |= set(road)
        motifs += _lanes(road, heading, request)
    hull = symmetric_part(cells, request.symmetry, width, height)
    motifs += _sights(request, boxes)
    goals = [pos for box in boxes for pos in area(*box) if pos in hull]
    return Layout(hull, tuple(motifs), tuple(goals), (request.middle, (boxes[0][0] + 1, boxes[0][1] + 1)))


def _shares(length: int, count: int, gap: int) -> list[Pos]:
    """Return the first and last cell of each island along a side, symmetric about the middle."""
    size = (length - gap * (count - 1)) // count
    first = [(index * (size + gap), index * (size + gap) + size - 1) for index in range(count // 2)]
    last = [(length - 1 - end, length - 1 - begin) for begin, end in reversed(first)]
    if count % 2:
        return [*first, (first[-1][1] + gap + 1, last[0][0] - gap - 1), *last]
    return [*first, *last]


def _island(box: Box, rounded: int) -> set[Pos]:
    left, top, right, bottom = box
    corners = {(x, y) for x in (left, right) for y in (top, bottom)} if rounded else set()
    return set(area(*box)) - corners


def _causeways(boxes: list[Box], columns: int, request: LayoutRequest) -> Iterator[tuple[list[Pos], int]]:
    """Yield the causeways between neighbouring islands: the cells of two lanes, and the heading."""
    for index, (left, _, right, bottom) in enumerate(boxes):
        if (index + 1) % columns:
            near = boxes[index + 1][0]
            y = (boxes[0][1] + boxes[0][3]) // 2
            y = request.height - 2 - y if index >= columns else y
            yield area(right, y, near, y + 1), E
        if index + columns < len(boxes):
            near = boxes[index + columns][1]
            x = (left + right) // 2
            column = index % columns
            if 2 * column > columns - 1:
                x = (
                    request.width
                    - 1
                    - (boxes[columns - 1 - column][0] + boxes[columns - 1 - column][2]) // 2
                    - 1
                )
            elif 2 * column == columns - 1:
                x = request.middle[0]
            yield area(x, bottom, x + 1, near), S


def _lanes(road: list[Pos], heading: int, request: LayoutRequest) -> Iterator[Motif]:
    """Yield two beams over a causeway, one in each direction."""
    (left, top), (right, bottom) = road[0], road[-1]
    speed = 1
    if heading == E:
        yield Motif("lanes", tuple(line((left, top), E, right - left + 1, speed)), True)
        yield Motif("lanes", tuple(line((right, bottom), W, right - left + 1, speed)), True)
    else:
        yield Motif("lanes", tuple(line((left, bottom), N, bottom - top + 1, speed)), True)
        yield Motif("lanes", tuple(line((right, top), S, bottom - top + 1, speed)), True)


def _sights(request: LayoutRequest, boxes: list[Box]) -> Iterator[Motif]:
    """Yield landmarks for the first half of the islands. The symmetry repeats them on the other islands."""
    wells = 0
    for index, (left, top, right, bottom) in enumerate(boxes[: (len(boxes) + 1) // 2]):
        if right - left < 3 or bottom - top < 3:
            continue
        x, y = (left + right) // 2, (top + bottom) // 2
        kind = request.stream.below(5)
        if kind == 4 and "transporter" in request.known and len(request.symmetry) > 1:
            colour = ("purple", "blue", "red", "yellow")[index % 4]
            yield Motif("door", tuple(spots([(x - 1, y)], "transporter", colour)))
        elif kind == 0 and wells < 2:
            wells += 1
            yield Motif("well", tuple(spots([(x, y - 1)], "shaft")))
        elif kind == 1:
            yield Motif("turntable", tuple(spots([(x - 1, y)], "twister", request.one_of("+-2"))))
        elif kind == 2:
            yield Motif("harbour wall", tuple(rails(area(x - 1, top + 1, x + 1, top + 1), N)))
        else:
            yield Motif("harbour wall", tuple(rails(area(left + 1, y - 1, left + 1, y + 1), W)))
        if request.symmetry[0] == request.symmetry[-1]:
            at = (request.width - 1 - x, request.height - 1 - y)
            yield Motif("turntable", tuple(spots([at], "twister", request.one_of("+-"))))


# --- Liner: cabins on both sides of a corridor, in a hull with a bow and a stern ----------------------------


def liner(request: LayoutRequest) -> Layout:
    """Lay out a corridor with a beam in each direction, and cabins with two doors each."""
    hull = symmetric_part(
        request.one_of((LONG[0], LONG[0], LONG[3], LONG[1]))(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    upper = request.middle[1] - (request.height % 2)
    lower = request.height - 1 - upper
    wide = request.one_of((3, 4)) if request.width > 10 else 3
    lefts = list(range(_margin(request.width, wide), request.width - wide + 1, wide))
    deep = min(3, upper - 1)
    motifs = [*_walkways(request, upper, lower)]
    walls: list[Mark] = []
    for index, x in enumerate(lefts):
        walls += _cabin((x, upper - deep), wide, deep, index, len(lefts))
    both = all(image.at((0, 0), request.width, request.height)[1] == 0 for image in request.symmetry)
    motifs.append(Motif("cabins", tuple(walls)))
    if both:
        turned = [
            Mark(
                (request.width - 1 - mark.at[0], request.height - 1 - mark.at[1]),
                mark.kind,
                (mark.heading + 2) & 3,
            )
            for mark in walls
        ]
        motifs.append(Motif("cabins", tuple(turned)))
    kinds = request.stream.shuffled([("twister", "+"), ("shaft", ""), ("twister", "2"), ("depot", "1")])
    for index, x in enumerate(lefts):
        kind, detail = kinds[index % 2]
        at = (x + wide // 2, upper - deep)
        if index % 2 == 0 or request.chance(3):
            motifs.append(Motif("cabin", tuple(spots([at], kind, detail))))
            if both:
                far = (request.width - 1 - at[0], request.height - 1 - at[1])
                motifs.append(Motif("cabin", tuple(spots([far], kind, detail))))
    cabins = [pos for pos in sorted(hull) if pos[1] < upper - 1 or pos[1] > lower + 1]
    ends = [(x, y) for x in (1, request.width - 2) for y in (upper, lower) if (x, y) in hull]
    return Layout(hull, tuple(motifs), (*cabins, *ends), ((0, upper), (request.width - 1, lower)))


def _margin(width: int, wide: int) -> int:
    return (width % wide + wide) // 2 if width % wide else wide // 2


def _walkways(request: LayoutRequest, upper: int, lower: int) -> Iterator[Motif]:
    """Yield two beams along the corridor, one in each direction."""
    begin, end = request.width // 5, request.width - 1 - request.width // 5
    speed = request.one_of((1, 2, 2))
    marks = [*line((begin, upper), E, end - begin + 1, speed), *line((end, lower), W, end - begin + 1, speed)]
    yield Motif("walkways", tuple(marks), True)


def _cabin(at: Pos, wide: int, deep: int, index: int, count: int) -> Iterator[Mark]:
    """Yield the rails around a cabin, with gaps for doors to the corridor and to the next cabin."""
    x, y = at
    door = x + (wide - 1) // 2 + index % 2
    yield from rails([pos for pos in row(x, x + wide - 1, y + deep - 1) if pos[0] != door], S)
    if index < count - 1:
        yield from rails(column(x + wide - 1, y + (index % 2), y + deep - 2 + (index % 2)), E)
    if index == 0:
        yield from rails(column(x, y + 1, y + deep - 1), W)


# --- Orchard: the same small thing again and again, in rows, with paths between -----------------------------


def orchard(request: LayoutRequest) -> Layout:
    """Lay out rows of trees. A tree is a shaft, a twister, a pinwheel of rails, or oil."""
    hull = symmetric_part(
        request.one_of((*ROUND, cross))(request.width, request.height, request.stream),
        request.symmetry,
        request.width,
        request.height,
    )
    apart = 3 if request.side < 15 else request.one_of((3, 4))
    trees = [
        (x, y)
        for y in _evenly(request.height, apart)
        for x in _evenly(request.width, apart)
        if (x, y) in hull
    ]
    kinds = ["pinwheel", "shaft", "twister"] + ["oil"] * ("oil" in request.known)
    main, other = request.one_of(kinds), request.one_of(kinds)
    motifs = []
    for x, y in trees:
        column = _evenly(request.width, apart).index(x)
        line_of = _evenly(request.height, apart).index(y)
        kind = main if (column + line_of) % 2 == 0 else other
        motifs.append(Motif(kind, tuple(_tree(kind, (x, y))), True))
    if request.chance(2):
        motifs += _paths(request)
    goals = [
        (x, y)
        for x, y in sorted(hull)
        if (x, y) not in trees
        and abs(2 * x - request.width + 1) + abs(2 * y - request.height + 1) > request.side
    ]
    return Layout(
        hull, tuple(motifs), tuple(goals), (request.middle, (request.middle[0], request.height - 1))
    )


def _evenly(length: int, apart: int) -> list[int]:
    """Return the positions of trees along a side, 3 or 4 cells apart and symmetric about the middle.

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


def _paths(request: LayoutRequest) -> Iterator[Motif]:
    length = request.width - 6
    yield Motif("path", tuple(line((3, 0), E, length)), True)
    yield Motif("path", tuple(line((request.width - 4, request.height - 1), W, length)), True)
    if request.chance(2):
        length = request.height - 6
        yield Motif("path", tuple(line((0, request.height - 4), N, length)), True)
        yield Motif("path", tuple(line((request.width - 1, 3), S, length)), True)
