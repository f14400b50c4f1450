"""Islands: plates of hull in open space, and causeways between them."""

from collections.abc import Iterator

from rules.design.layout import Layout, Order
from rules.design.motifs import Motif, area, line, rails, spots
from rules.design.symmetry import even
from rules.grid import E, N, Pos, S, W

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle."""


def islands(order: Order) -> Layout:
    """Lay out two rows of two or three islands, sometimes with one in the middle, or four around one."""
    width, height = order.width, order.height
    if order.side >= 11 and order.chance(3):
        return _star(order)
    columns = 3 if width >= 14 and order.chance(2) else 2
    gap = 1 + (order.side >= 13) * order.stream.below(2)
    middle = columns == 2 and order.side >= 11 and order.chance(2)
    wide = 3 if middle else gap
    lefts = _shares(width, columns, wide)
    tops = _shares(height, 2, wide)
    boxes = [(left, top, right, bottom) for top, bottom in tops for left, right in lefts]
    rounded = order.stream.below(2)
    cells: set[Pos] = set()
    for box in boxes:
        cells |= _island(box, rounded)
    if middle:
        x, y = order.middle
        half = 1 + (order.side > 14)
        cells |= set(area(x - half, y - half, width - 1 - x + half, height - 1 - y + half))
    motifs: list[Motif] = []
    roads = list(_causeways(boxes, columns, order))
    for road, heading in roads:
        cells |= set(road)
        if not order.chance(5):
            motifs += _lanes(road, heading, order)
    hull = even(cells, order.symmetry, width, height)
    motifs += _sights(order, boxes)
    goals = [
        (x, y)
        for left, top, right, bottom in boxes
        for x, y in area(left + 1, top + 1, right - 1, bottom - 1)
    ]
    docks = (order.middle, (boxes[0][0] + 1, boxes[0][1] + 2))
    return Layout(hull, tuple(motifs), tuple(pos for pos in goals if pos in hull), docks)


def _star(order: Order) -> Layout:
    """Lay out an island in the middle, and one on each side of it."""
    width, height = order.width, order.height
    (x, y), gap = order.middle, 1 + (order.side > 14)
    half = 1 + (order.side > 14)
    left, top, right, bottom = x - half, y - half, width - 1 - x + half, height - 1 - y + half
    aside = order.stream.below(2)
    boxes = [
        (left - aside - 1, 0, right + aside + 1, top - gap - 1),
        (0, top - aside - 1, left - gap - 1, bottom + aside + 1),
        (right + gap + 1, top - aside - 1, width - 1, bottom + aside + 1),
        (left - aside - 1, bottom + gap + 1, right + aside + 1, height - 1),
    ]
    rounded = order.stream.below(2)
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
        motifs += _lanes(road, heading, order)
    hull = even(cells, order.symmetry, width, height)
    motifs += _sights(order, boxes)
    goals = [pos for box in boxes for pos in area(*box) if pos in hull]
    return Layout(hull, tuple(motifs), tuple(goals), (order.middle, (boxes[0][0] + 1, boxes[0][1] + 1)))


def _shares(length: int, count: int, gap: int) -> list[Pos]:
    """Return where islands begin and end along a side: the same from both ends."""
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


def _causeways(boxes: list[Box], columns: int, order: Order) -> Iterator[tuple[list[Pos], int]]:
    """Yield causeways with two lanes between neighbours, each with the heading across the gap."""
    for index, (left, _, right, bottom) in enumerate(boxes):
        if (index + 1) % columns:
            near = boxes[index + 1][0]
            y = (boxes[0][1] + boxes[0][3]) // 2
            y = order.height - 2 - y if index >= columns else y
            yield area(right, y, near, y + 1), E
        if index + columns < len(boxes):
            near = boxes[index + columns][1]
            x = (left + right) // 2
            column = index % columns
            if 2 * column > columns - 1:
                x = (
                    order.width
                    - 1
                    - (boxes[columns - 1 - column][0] + boxes[columns - 1 - column][2]) // 2
                    - 1
                )
            elif 2 * column == columns - 1:
                x = order.middle[0]
            yield area(x, bottom, x + 1, near), S


def _lanes(road: list[Pos], heading: int, order: Order) -> Iterator[Motif]:
    """Yield a beam each way over a causeway."""
    (left, top), (right, bottom) = road[0], road[-1]
    speed = 1
    if heading == E:
        yield Motif("lanes", tuple(line((left, top), E, right - left + 1, speed)), True)
        yield Motif("lanes", tuple(line((right, bottom), W, right - left + 1, speed)), True)
    else:
        yield Motif("lanes", tuple(line((left, bottom), N, bottom - top + 1, speed)), True)
        yield Motif("lanes", tuple(line((right, top), S, bottom - top + 1, speed)), True)


def _sights(order: Order, boxes: list[Box]) -> Iterator[Motif]:
    """Yield what each island is known for, alike on its images."""
    wells = 0
    for index, (left, top, right, bottom) in enumerate(boxes[: (len(boxes) + 1) // 2]):
        if right - left < 3 or bottom - top < 3:
            continue
        x, y = (left + right) // 2, (top + bottom) // 2
        kind = order.stream.below(5)
        if kind == 4 and "transporter" in order.known and len(order.symmetry) > 1:
            colour = ("purple", "blue", "red", "yellow")[index % 4]
            yield Motif("door", tuple(spots([(x - 1, y)], "transporter", colour)))
        elif kind == 0 and wells < 2:
            wells += 1
            yield Motif("well", tuple(spots([(x, y - 1)], "shaft")))
        elif kind == 1:
            yield Motif("turntable", tuple(spots([(x - 1, y)], "twister", order.one_of("+-2"))))
        elif kind == 2:
            yield Motif("harbour wall", tuple(rails(area(x - 1, top + 1, x + 1, top + 1), N)))
        else:
            yield Motif("harbour wall", tuple(rails(area(left + 1, y - 1, left + 1, y + 1), W)))
        if order.symmetry[0] == order.symmetry[-1]:
            at = (order.width - 1 - x, order.height - 1 - y)
            yield Motif("turntable", tuple(spots([at], "twister", order.one_of("+-"))))
