"""Design faults of a starship that do not prevent play: told as warnings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from rules.errors import Problem
from rules.grid import HEADINGS, LETTERS, opposite
from rules.language import Sentence
from rules.starship import Starship


def survey(ship: Starship) -> Iterator[Problem]:
    """Yield a warning for every design fault, with its row and column."""
    yield from _out_of_reach(ship)
    yield from (_warning(ship, cell, message) for cell, message in lonely_transporters(ship))
    yield from (_warning(ship, cells[0], message) for cells, message in unfed_beams(ship))


def _warning(ship: Starship, cell: int, message: Sentence) -> Problem:
    x, y = ship.pos(cell)
    return Problem(message, y + 1, x + 1, "warning")


def _out_of_reach(ship: Starship) -> Iterator[Problem]:
    """Checkpoints to which no way leads from any start; a board without a start is not judged."""
    starts = [*ship.airlocks, *ship.starts.values()]
    if not starts:
        return
    reached = reachable(ship, starts)
    for number, cell in ship.checkpoints.items():
        if cell not in reached:
            yield _warning(ship, cell, Sentence("no robot can reach checkpoint {number}", number=number))


def reachable(ship: Starship, starts: Iterable[int]) -> set[int]:
    """Return the cells that some sequence of moves leads to, if time and rails allow all they ever allow."""
    return next(parts(ship, (starts,)))


def parts(ship: Starship, groups: Iterable[Iterable[int]]) -> Iterator[set[int]]:
    """Yield the cells that each group of starts reaches, without those that an earlier group reached."""
    reached: set[int] = set()
    transporters = {cell: network for network, cells in ship.networks.items() for cell in cells}
    unused = dict(ship.networks)
    ends = _ends_of_rows(ship)
    for starts in groups:
        part: set[int] = set()
        waiting = list(starts)
        while waiting:
            cell = waiting.pop()
            if cell in reached or not _can_stand(ship, cell):
                continue
            reached.add(cell)
            part.add(cell)
            waiting += _ways_on(ship, cell, ends)
            waiting += unused.pop(transporters.get(cell, ""), ())
        yield part


def _can_stand(ship: Starship, cell: int) -> bool:
    return ship.inside(cell) and (ship.falls[0][cell] is None or cell in ship.bays)


def _ways_on(ship: Starship, cell: int, ends: Sequence[Mapping[int, int]]) -> Iterator[int]:
    for heading in HEADINGS:
        if not ship.railed_always(cell, heading):
            step = ship.steps[heading]
            yield cell + step
            yield from _flights(ship, cell + step, step, ends[heading])


def _ends_of_rows(ship: Starship) -> list[dict[int, int]]:
    """Return the last thruster of each row of thrusters, by heading and by each thruster of the row."""
    found: list[dict[int, int]] = []
    for step in ship.steps:
        ends: dict[int, int] = {}
        for cell in sorted(ship.thrusters, reverse=step > 0):
            ends[cell] = ends.get(cell + step, cell)
        found.append(ends)
    return found


def _flights(ship: Starship, cell: int, step: int, ends: Mapping[int, int]) -> Iterator[int]:
    """Yield where a robot lands that enters this thruster with one or two steps left (RR-6.1)."""
    if cell not in ends:
        return
    for left in (1, 2):
        landing, steps = cell, left + 1
        while steps and ship.inside(landing):
            landing = ends.get(landing, landing) + step
            steps -= 1
            if steps and landing in ends:
                steps += 1
        yield landing


def lonely_transporters(ship: Starship) -> Iterator[tuple[int, Sentence]]:
    """Yield each transporter that is alone in its network, with what is said of it."""
    for network, cells in ship.networks.items():
        if len(cells) == 1:
            message = Sentence(
                "the transporter is alone in its network, {network}, and does nothing",
                network=Sentence(network),
            )
            yield cells[0], message


def unfed_beams(ship: Starship) -> Iterator[tuple[tuple[int, ...], Sentence]]:
    """Yield each side entry that no beam feeds, by its cell; those at the end of the board all together."""
    outer: dict[int, Sentence] = {}
    for cell, side, message in unfed_sides(ship):
        if ship.inside(cell + ship.steps[side]):
            yield (cell,), message
        else:
            outer[cell] = message
    if len(outer) == 1:
        yield from (((cell,), message) for cell, message in outer.items())
    elif outer:
        yield tuple(outer), Sentence("{number} beams expect a beam from outside the board", number=len(outer))


def unfed_sides(ship: Starship) -> Iterator[tuple[int, int, Sentence]]:
    """Yield side entries into which no beam leads, so that nothing is ever turned there (G-5.4)."""
    messages: dict[tuple[int, int], Sentence] = {}
    for cell, beam in ship.beams.items():
        for side in beam.entries:
            if side == opposite(beam.exit):
                continue
            feeder = ship.beams.get(cell + ship.steps[side])
            if feeder is None or feeder.exit != opposite(side) or ship.railed_always(cell, side):
                key = id(beam), side  # equal beams share an object
                if key not in messages:
                    messages[key] = Sentence(
                        "no beam feeds this {beam} from its side {side}", beam=beam.token, side=LETTERS[side]
                    )
                yield cell, side, messages[key]
