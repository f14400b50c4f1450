"""Factory: production lines that wind or run side by side, with machines along them."""

from collections.abc import Iterator

from rules.design.hulls import notched, octagon, plate
from rules.design.layout import Layout, Order
from rules.design.motifs import Mark, Motif, line, path, rails, row, spots
from rules.design.symmetry import Image, even
from rules.grid import E, N, Pos, S, W


def factory(order: Order) -> Layout:
    """Lay out one line that winds through the whole works, or lines side by side."""
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
    """Return a line that winds through the works; it lies like its own half turn."""
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
    """Return two lines or four, one half of which runs against the other."""
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
    """Return two lines through the middle, and others that bring goods to them from both sides."""
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
    """Yield machines along the lines: presses, arms, lasers or turntables, as the ruleset knows them."""
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
