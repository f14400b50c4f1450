"""What is wrong with a board, which no flight has to show: it is certain."""

from collections.abc import Iterable, Iterator, Sequence

from rules.grid import Pos
from rules.language import N_, Sentence
from rules.starship import Starship
from rules.tunnel.findings import MOST_CELLS, RED, Finding, number, past_floor, shown
from rules.tunnel.geometry import corners, elements_share, lines_of_fire, shelter
from rules.tunnel.limits import Limits

CORNER = N_("Checkpoint {checkpoint} stands in a corner of rails: there are few ways to it.")
CORNER_ADVICE = N_("Remove one of the rails beside checkpoint {checkpoint}, or move the checkpoint.")
LINE = N_("There is a clear line of fire from checkpoint {one} to checkpoint {next}.")
LINE_ADVICE = N_("Put a rail between checkpoints {one} and {next}, or move one of them.")
SHELTER = N_("Only {share} of the cells around the start are sheltered from shots, where {limit} should be.")
SHELTER_ADVICE = N_("Put rails beside the cells around the start, so that no robot can lie in wait there.")
DESERT = N_("Only {share} of the cells bear anything, where {limit} should.")
DESERT_ADVICE = N_("Add one theme, such as beams, shafts or rails, along the ways between checkpoints.")


def board_findings(ship: Starship, starts: Iterable[int], limits: Limits) -> Iterator[Finding]:
    """Yield what is wrong with a board on which robots start in these cells."""
    for checkpoint, at in corners(ship).items():
        yield _finding("corner", CORNER, CORNER_ADVICE, 1.0, [at], checkpoint=checkpoint)
    for line in lines_of_fire(ship):
        numbers = {"one": line.checkpoint, "next": line.checkpoint + 1}
        yield _finding("line", LINE, LINE_ADVICE, float(len(line.cells)), line.cells, **numbers)
    share, bare = shelter(ship, starts)
    if limits.shelter is not None and share < limits.shelter:
        yield _below("shelter", SHELTER, SHELTER_ADVICE, share, limits.shelter, bare)
    if (share := elements_share(ship)) < limits.elements:
        yield _below("elements", DESERT, DESERT_ADVICE, share, limits.elements, [])


def _finding(
    kind: str, message: str, advice: str, value: float, cells: Sequence[Pos], **values: int
) -> Finding:
    said, advised = Sentence(message, **values), Sentence(advice, **values)
    return Finding(kind, RED, said, advised, shown(), value, cells=tuple(cells[:MOST_CELLS]))


def _below(kind: str, message: str, advice: str, value: float, limit: float, cells: Sequence[Pos]) -> Finding:
    said = Sentence(message, share=number(value, "{:.0%}"), limit=number(limit, "{:.0%}"))
    cells = tuple(cells[:MOST_CELLS])
    excess = past_floor(value, limit)
    return Finding(kind, RED, said, Sentence(advice), shown(), value, limit, None, cells, excess)


def describe(ship: Starship, starts: Iterable[int]) -> dict[str, float]:
    """Return the figures of a board: corners and lines as counts, shelter and elements as shares of cells."""
    return {
        "corners": float(len(corners(ship))),
        "lines": float(len(lines_of_fire(ship))),
        "shelter": shelter(ship, starts)[0],
        "elements": elements_share(ship),
    }
