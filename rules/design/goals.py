"""Place starts, checkpoints, shelter and depots on a ship.

Starts are near a dock. Checkpoints are far apart, with at least two separate ways between successive ones. A
way is a path of steps over safe cells. Rails shelter starts, and block lines of fire.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from rules.chance import Stream
from rules.design.canvas import (
    AIRLOCK,
    ALL_IMAGES,
    GRAPPLER,
    Canvas,
    Mark,
    Motif,
    Symmetry,
    edge_of,
    images_of,
    step,
)
from rules.design.genome import Brief, Genome, Layout
from rules.grid import HEADINGS, Pos, quarters_between
from rules.launch import first_start
from rules.setup import Ruleset
from rules.starship import Starship
from rules.tunnel.findings import LIMITS
from rules.tunnel.flying import races
from rules.tunnel.geometry import can_stand, lines_of_fire, shelter


def safe(ship: Starship, cell: int) -> bool:
    """Return whether a cell never destroys a robot, in any phase."""
    return can_stand(ship, cell) and cell not in ship.bays and cell not in ship.crushers


def neighbours(ship: Starship, cell: int) -> Iterator[int]:
    """Yield the safe cells that a robot can reach from a cell in one step."""
    for heading in HEADINGS:
        ahead = cell + ship.steps[heading]
        if not ship.railed_always(cell, heading) and safe(ship, ahead):
            yield ahead


def distances(ship: Starship, start: int) -> dict[int, int]:
    """Return the number of steps from a cell to each cell that a robot can reach from it."""
    found, waiting = {start: 0}, deque([start])
    while waiting:
        cell = waiting.popleft()
        for ahead in neighbours(ship, cell):
            if ahead not in found:
                found[ahead] = found[cell] + 1
                waiting.append(ahead)
    return found


def two_ways(ship: Starship, start: int, goal: int) -> bool:
    """Return whether two ways without a common step lead from ``start`` to ``goal``."""
    used: set[tuple[int, int]] = set()
    for _ in range(2):
        way = _another_way(ship, start, goal, used)
        if not way:
            return False
        for leg in way:
            if leg[::-1] in used:
                used.discard(leg[::-1])
            else:
                used.add(leg)
    return True


def _another_way(
    ship: Starship, start: int, goal: int, used: set[tuple[int, int]]
) -> list[tuple[int, int]] | None:
    """Return the steps of a way that uses none of the ``used`` steps, or None if there is none.

    It may use a step of an earlier way in the opposite direction.
    """
    came: dict[int, int] = {start: start}
    waiting = deque([start])
    while waiting:
        cell = waiting.popleft()
        if cell == goal:
            steps = []
            while cell != start:
                steps.append((came[cell], cell))
                cell = came[cell]
            return steps
        for ahead in neighbours(ship, cell):
            if ahead not in came and (cell, ahead) not in used:
                came[ahead] = cell
                waiting.append(ahead)
    return None


CHECKPOINT_DRAWS: Final = 120
"""The number of random sequences of checkpoints to compare."""
TWO_AIRLOCKS_FROM: Final = 5
"""The minimum number of robots for a ship to get a second airlock."""

Starts = tuple[tuple[Pos, str], ...]


def with_goals(genome: Genome, layout: Layout, brief: Brief, stream: Stream) -> Genome | None:
    """Return the genome with starts and checkpoints, or None if there are no good cells for them."""
    canvas = genome.canvas()
    starts = choose_starts(canvas, layout, brief, genome.symmetry, stream)
    if starts is None:
        return None
    genome = replace(genome, starts=starts)
    if not races(brief.ruleset):
        return genome
    canvas = genome.canvas()
    ship = canvas.starship()
    fit = [pos for pos in layout.goals if _fits(canvas, pos, starts)]
    fit += [pos for pos in sorted(genome.hull) if _fits(canvas, pos, starts) and not stream.below(3)]
    if not fit:
        return None
    chosen = choose_checkpoints(ship, genome.symmetry, starts, fit, brief, stream)
    return replace(genome, checkpoints=chosen) if chosen else None


def checkpoints_wanted(brief: Brief, stream: Stream) -> int:
    """Return the number of checkpoints for a ship, partly at random.

    The number depends on the ship's size. If each robot has its own start, the number is 2 or 3.
    """
    if brief.ruleset.start.own:
        return 2 + stream.below(2) * (brief.ruleset.shared_deck is False)
    side = (brief.width * brief.height) ** 0.5
    fewest = 3 if side < 15 else 4
    number = fewest + stream.below(2)
    return min(number + (not brief.ruleset.start.on_board), brief.ruleset.checkpoints[1])


# Starts


def choose_starts(
    canvas: Canvas, layout: Layout, brief: Brief, symmetry: Symmetry, stream: Stream
) -> Starts | None:
    """Return the cells and tokens of the starts, or None if there is not enough room.

    Returns an empty tuple if robots of this ruleset do not start on the board.
    """
    ruleset = brief.ruleset
    if not ruleset.start.on_board:
        return ()
    docks = stream.shuffled(layout.docks) or [(0, 0)]
    room = sorted(pos for pos in canvas.hull if roomy(canvas, pos))
    if not room:
        return None
    if ruleset.squads:
        return _squads(canvas, docks[0], room, brief)
    if ruleset.start.own:
        return _own_cells(canvas, docks, brief)
    first = min(room, key=lambda pos: (_steps(pos, docks[0]), pos))
    single = ruleset.start.cell is first_start or (brief.players < TWO_AIRLOCKS_FROM and races(ruleset))
    if single:
        return ((first, AIRLOCK),)
    images = images_of(first, symmetry, brief.width, brief.height)
    others = [pos for pos in images if pos in room and _steps(pos, first) > 2]
    if not others:
        others = sorted(
            (pos for pos in room if 3 <= _steps(pos, first) <= 5), key=lambda pos: abs(pos[1] - first[1])
        )[:1]
    wanted = 1 if races(ruleset) else max(1, len(others))
    return tuple((pos, AIRLOCK) for pos in sorted({first, *others[:wanted]}))


def roomy(canvas: Canvas, pos: Pos) -> bool:
    """Return whether a cell is plain hull and at least three of its four neighbours are safe."""
    return canvas.plain(pos) and _open_sides(canvas, pos) >= 3


def _open_sides(canvas: Canvas, pos: Pos) -> int:
    x, y = pos
    return sum(canvas.is_safe(beside) for beside in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)))


def _own_cells(canvas: Canvas, docks: Sequence[Pos], brief: Brief) -> Starts | None:
    """Return a start cell for each seat, or None if there are too few plain cells.

    The cells form a straight row near the rim and a dock. If no such row exists, they are the cells nearest
    to the dock.
    """
    x, y = next((dock for dock in docks if _from_rim(dock, brief) == 0), docks[0])
    plain = {pos for pos in sorted(canvas.hull) if canvas.plain(pos)}
    rows = [
        [(left + index * across, top + index * (1 - across)) for index in range(brief.players)]
        for left, top in sorted(plain)
        for across in (0, 1)
    ]
    whole = [cells for cells in rows if plain.issuperset(cells)]

    def farness(cells: list[Pos]) -> int:
        middle = cells[len(cells) // 2]
        return 3 * sum(_from_rim(pos, brief) for pos in cells) + 2 * _steps(middle, (x, y))

    cells = min(whole, key=farness, default=sorted(plain, key=lambda pos: (_steps(pos, (x, y)), pos)))
    if len(cells) < brief.players:
        return None
    return tuple((pos, str(seat)) for seat, pos in enumerate(cells[: brief.players], 1))


def _from_rim(pos: Pos, brief: Brief) -> int:
    return min(pos[0], pos[1], brief.width - 1 - pos[0], brief.height - 1 - pos[1])


def _squads(canvas: Canvas, dock: Pos, room: list[Pos], brief: Brief) -> Starts | None:
    """Return an airlock for each squad, far apart, and grapplers halfway between them.

    Returns None if there are no such cells.
    """
    width, height = brief.width, brief.height
    pairs = [(pos, (width - 1 - pos[0], height - 1 - pos[1])) for pos in room]
    pairs = [(red, blue) for red, blue in pairs if blue in room and red != blue]
    if not pairs:
        return None
    red, blue = max(pairs, key=lambda pair: (_steps(*pair) - 2 * _off_axis(pair[0], width, height), pair))
    halfway = [
        pos
        for pos in sorted(canvas.hull)
        if canvas.plain(pos) and abs(_steps(pos, red) - _steps(pos, blue)) <= 1
    ]
    middle = min(
        halfway, key=lambda pos: (_steps(pos, red) + _off_middle(pos, width, height), pos), default=None
    )
    if middle is None:
        return None
    centres = images_of(middle, (ALL_IMAGES[0], ALL_IMAGES[2]), width, height)
    return ((red, "red"), (blue, "blue"), *((pos, GRAPPLER) for pos in centres if canvas.plain(pos)))


def _off_axis(pos: Pos, width: int, height: int) -> int:
    return min(abs(2 * pos[0] - width + 1), abs(2 * pos[1] - height + 1))


def _off_middle(pos: Pos, width: int, height: int) -> int:
    return abs(2 * pos[0] - width + 1) + abs(2 * pos[1] - height + 1)


# Checkpoints


def _fits(canvas: Canvas, pos: Pos, starts: Starts) -> bool:
    """Return whether a cell suits a checkpoint: it is roomy and more than three steps from each start."""
    return roomy(canvas, pos) and all(_steps(pos, start) > 3 for start, _ in starts)


def choose_checkpoints(
    ship: Starship, symmetry: Symmetry, starts: Starts, fit: list[Pos], brief: Brief, stream: Stream
) -> tuple[Pos, ...]:
    """Return the cells of the checkpoints in order, or () if no random sequence is acceptable.

    Draws `CHECKPOINT_DRAWS` random sequences of cells from ``fit``. Returns the best one with two separate
    ways on every leg.
    """
    wanted = checkpoints_wanted(brief, stream)
    known: dict[Pos, dict[int, int]] = {}

    def way(one: Pos, other: Pos) -> int:
        if one not in known:
            known[one] = distances(ship, ship.cell(*one))
        return known[one].get(ship.cell(*other), 0)

    trials = []
    for _ in range(CHECKPOINT_DRAWS):
        order = _draw(fit, wanted, symmetry, brief, stream)
        if len(order) == wanted:
            trials.append((_worth(order, starts, symmetry, brief, way), order))
    trials.sort(reverse=True)
    for worth, order in trials[:12]:
        if worth > 0 and _all_have_two_ways(ship, starts, order):
            return order
    return ()


def _draw(fit: list[Pos], wanted: int, symmetry: Symmetry, brief: Brief, stream: Stream) -> tuple[Pos, ...]:
    """Draw a random sequence of cells for checkpoints.

    Often, several of the cells are images of each other under the symmetry. The sequence is empty if it would
    contain a cell twice.
    """
    there = set(fit)
    order: list[Pos] = []
    while len(order) < wanted:
        pos = stream.choice(fit)
        images = [each for each in images_of(pos, symmetry, brief.width, brief.height) if each in there]
        order += stream.shuffled(images) if stream.below(4) else [pos]
        if len(order) > 12:
            break
    chosen = order[:wanted]
    return tuple(stream.shuffled(chosen)) if len(set(chosen)) == wanted else ()


def _worth(
    order: tuple[Pos, ...], starts: Starts, symmetry: Symmetry, brief: Brief, way: Callable[[Pos, Pos], int]
) -> float:
    """Return a score for a sequence of checkpoints. 0 means that it is not acceptable.

    Long legs and symmetry increase the score. Successive checkpoints in the same row or column decrease it.
    """
    side = (brief.width + brief.height) / 2
    begin = [way(start, order[0]) for start, _ in starts]
    legs = [float(way(one, other)) for one, other in pairwise(order)]
    if begin:
        if max(begin) - min(begin) > 3 or 0 in begin:
            return 0.0
        legs.append(sum(begin) / len(begin))
    if not legs or min(legs) < 0.45 * side:
        return 0.0
    apart = min((_steps(one, other) for one in order for other in order if one != other), default=9)
    if apart < 3:
        return 0.0
    lined = sum(one[0] == other[0] or one[1] == other[1] for one, other in pairwise(order))
    images = {
        pos
        for pos in order
        for each in images_of(pos, symmetry, brief.width, brief.height)[1:]
        if each in order
    }
    long = sum(min(leg, 1.3 * side) for leg in legs) / len(legs) / side
    uneven = max(begin) - min(begin) if begin else 0
    return 2 + long + min(legs) / side - 0.25 * lined + 0.9 * len(images) / len(order) - 0.1 * uneven


def _all_have_two_ways(ship: Starship, starts: Starts, order: tuple[Pos, ...]) -> bool:
    legs = [*((start, order[0]) for start, token in starts if token == AIRLOCK), *pairwise(order)]
    return all(two_ways(ship, ship.cell(*one), ship.cell(*other)) for one, other in legs)


def legs_of(ship: Starship, ruleset: Ruleset, starts: Iterable[int]) -> list[tuple[int, int]]:
    """Return the legs of a race, as pairs of cells.

    A leg leads from a start to the first checkpoint, or from a checkpoint to the next. The list is empty
    if robots do not race.
    """
    if not races(ruleset) or not ship.checkpoints:
        return []
    order = list(ship.checkpoints.values())
    first = [(start, order[0]) for start in starts if start != order[0]]
    return [*first, *pairwise(order)]


def _steps(one: Pos, other: Pos) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


EXTRA_SHELTER: Final = 0.12
"""How much shelter to add beyond the ruleset's minimum, as a share of the cells around the starts."""
MAX_RAILS: Final = 4
"""The maximum number of rails to add for one purpose. A rail and its images count as one."""


def guarded(genome: Genome, brief: Brief, stream: Stream) -> Genome:
    """Return the genome with shelter around its starts, rails across lines of fire, and repair depots."""
    genome = _with_screens(_with_shelter(genome, brief))
    return _with_depots(genome, stream)


def _with_screens(genome: Genome) -> Genome:
    """Put a rail across each line of fire between checkpoints, close to the middle of the line.

    Adds at most `MAX_RAILS` rails.
    """
    for _ in range(MAX_RAILS):
        ship = genome.starship()
        line = next(iter(lines_of_fire(ship)), None)
        if line is None:
            break
        middle = len(line.cells) / 2 - 1
        edges = sorted(range(len(line.cells) - 1), key=lambda index: abs(index - middle))
        for index in edges:
            at, beyond = line.cells[index : index + 2]
            heading = next(each for each in HEADINGS if step(at, each) == beyond)
            better = _and(genome, Motif("screen", (Mark(at, "rail", heading),)))
            if len(lines_of_fire(better.starship())) < len(lines_of_fire(ship)):
                genome = better
                break
        else:
            break
    return genome


def _with_shelter(genome: Genome, brief: Brief) -> Genome:
    least = LIMITS[brief.ruleset.key].shelter
    if least is None or not genome.starts:
        return genome
    for _ in range(MAX_RAILS):
        ship = genome.starship()
        share = _sheltered(ship, genome)
        if share >= least + EXTRA_SHELTER:
            break
        tried = [_and(genome, Motif("shelter", (mark,))) for mark in _beside_starts(genome)]
        best = max(tried, key=lambda each: _sheltered(each.starship(), each), default=None)
        if best is None or _sheltered(best.starship(), best) <= share:
            break
        genome = best
    return genome


def _sheltered(ship: Starship, genome: Genome) -> float:
    return shelter(ship, [ship.cell(*pos) for pos, token in genome.starts if token != GRAPPLER])[0]


def _beside_starts(genome: Genome) -> list[Mark]:
    """Return the rails that could be added around the first start without making a corner of rails."""
    canvas = genome.canvas()
    found = []
    (x, y), _ = genome.starts[0]
    for at in [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]:
        for heading in HEADINGS:
            taken = [side for side in HEADINGS if edge_of(at, side) in canvas.rails]
            meets = any(quarters_between(side, heading) % 2 for side in taken)
            if (
                canvas.is_safe(at)
                and not meets
                and heading not in taken
                and canvas.is_safe(step(at, heading))
            ):
                found.append(Mark(at, "rail", heading))
    return found


def _with_depots(genome: Genome, stream: Stream) -> Genome:
    """Put one or two repair depots, with their images, into the cells farthest from other elements."""
    for _ in range(1 + (len(genome.symmetry) < 4) * stream.below(2)):
        canvas = genome.canvas()
        taken = [pos for pos in genome.hull if not canvas.plain(pos)]
        taken += [pos for edge in canvas.rails for pos in (edge[0], step(*edge))]
        free = []
        for pos in sorted(genome.hull):
            images = images_of(pos, genome.symmetry, genome.width, genome.height)
            if all(canvas.plain(each) for each in images):
                room = min((_apart(pos, other) for other in taken), default=9)
                own = min((_apart(one, two) for one in images for two in images if one != two), default=9)
                free.append((min(room, own, 4), stream.below(1000), pos))
        if not free or max(free)[0] < 2:
            break
        depot = Mark(max(free)[2], "depot", detail="12"[stream.below(2)])
        genome = _and(genome, Motif("depot", (depot,)))
    return genome


def _apart(one: Pos, other: Pos) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _and(genome: Genome, motif: Motif) -> Genome:
    return replace(genome, motifs=(*genome.motifs, motif))
