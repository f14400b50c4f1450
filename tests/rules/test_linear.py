"""The time to process a document grows only linearly with the document's size."""

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

import rules
from rules.__main__ import main
from rules.document import _no_double
from rules.drawing import draw
from rules.drawing.words import kinds_of, parts_by_cell
from rules.mending import faults_of
from rules.sketch import read_sketch
from rules.tunnel.outlook import outlook_of

Document = dict[str, Any]

MOST: Final = 2.5
"""The maximum growth of the number of calls when a document doubles, as a factor."""

WIDE: Final = 50
FLOORS: Final = ("b3:NEW", "d1234", "b1:NES", "o", "t:purple", "h3", "~", "f", "a", ".")
CROWD: Final = "+r12345E+cE+l3E+x1234"


def crowded(height: int) -> Document:
    """Return a board with many elements in every fifth cell, and lasers along all rows."""
    numbers = count(1)
    floor = count()
    rows = [
        " ".join(
            FLOORS[next(floor) * 7 % 10] + (f"+i{next(numbers)}{CROWD}" if x % 5 == y % 5 else "")
            for x in range(WIDE)
        )
        for y in range(height)
    ]
    return {"format": "starship/1", "name": "Crowd", "rows": rows}


def chequered(height: int) -> Document:
    """Return a board where every second cell is space, to get as many outlines as possible in its drawing."""
    rows = [" ".join(".~"[(x + y) % 2] for x in range(WIDE)) for y in range(height)]
    return {"format": "starship/1", "rows": rows}


def stairs(height: int) -> Document:
    """Return a board with rails between its rows. Only thrusters lead north. It has no start."""
    return {"format": "starship/1", "rows": [" ".join([".+wS", "f+wS"] * (WIDE // 2))] * height}


def thrusters(height: int) -> Document:
    """Return a narrow board of thrusters, with one start and one checkpoint."""
    rows = [["f"] * 10 for _ in range(height)]
    rows[0][:2] = "a", ".+i1"
    return {"format": "starship/1", "rows": [" ".join(row) for row in rows]}


def transporters(height: int) -> Document:
    """Return a board of space and of one network of transporters."""
    rows = [["t:purple"] * 5 + ["~"] * 5 for _ in range(height)]
    rows[-1][-1] = "."
    return {"format": "starship/1", "rows": [" ".join(row) for row in rows]}


def wrong(height: int) -> Document:
    """Return a board of unreadable cells, all different."""
    number = count()
    rows = [" ".join(f"q{next(number)}" for _ in range(WIDE)) for _ in range(height)]
    return {"format": "starship/1", "rows": rows}


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of function calls while ``work`` runs."""
    calls = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


def lines_of(work: Callable[[], object]) -> int:
    """Return the number of lines that run in ``work``. Each pass of a loop counts."""
    lines = 0

    def note(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        work()
    finally:
        sys.settrace(before)
    return lines


def ship_of(document: Document) -> rules.Starship:
    return read_sketch(document).ship


WORK: Final[dict[str, Callable[[Document], object]]] = {
    "check": rules.check_starship,
    "draw": lambda document: draw(ship_of(document)),
    "words": lambda document: list(parts_by_cell(ship_of(document))),
    "kinds": lambda document: [kinds_of(cell) for cell in ship_of(document).cells],
    "faults": lambda document: faults_of(read_sketch(document), rules.ruleset("websocket"), 8),
    "suitability": lambda document: rules.reasons_against(rules.ruleset("websocket"), ship_of(document)),
    "outlook": lambda document: outlook_of(ship_of(document), rules.ruleset("robo-recon"), 8),
    "writing": lambda document: rules.write_starship(ship_of(document)),
}


@pytest.mark.parametrize("made", [crowded, chequered, stairs, wrong])
@pytest.mark.parametrize("work", WORK)
def test_a_board_of_twice_the_size_needs_about_twice_the_work(
    made: Callable[[int], Document], work: str
) -> None:
    small, large = made(20), made(40)
    for each in (small, large):  # fills the caches for single cells
        WORK[work](each)
    once, twice = (calls_of(lambda given=given: WORK[work](given)) for given in (small, large))

    assert twice <= MOST * once


@pytest.mark.parametrize("made", [thrusters, transporters])
def test_loops_over_a_board_grow_with_its_cells(
    made: Callable[[int], Document],
) -> None:
    small, large = read_sketch(made(20)), read_sketch(made(40))
    for each in (small, large):
        faults_of(each)
    once, twice = (lines_of(lambda given=given: faults_of(given)) for given in (small, large))

    assert twice <= MOST * once


def test_each_sentence_about_a_board_is_looked_up_once() -> None:
    def looked_up(height: int) -> int:
        asked: list[str] = []

        def gettext(sentence: str) -> str:
            asked.append(sentence)
            return sentence

        rows = [" ".join(["b2:NWE", ".+wN+p135N", ".+r2E", "d24", ".+l2W+wW", ". . . . ."] * 5)] * height
        list(parts_by_cell(ship_of({"format": "starship/1", "rows": rows}), rules.Words(gettext)))
        return len(asked)

    assert looked_up(40) == looked_up(20) < 100


def test_unreadable_cells_need_little_more_work_than_others() -> None:
    work = WORK["faults"]
    for each in (chequered(40), wrong(40)):  # fills the caches for single cells
        work(each)
    good, bad = (calls_of(lambda rows=rows: work(rows)) for rows in (chequered(40), wrong(40)))

    assert bad < 2 * good


@pytest.mark.parametrize(
    "text",
    [
        lambda size: "{" + ",".join(f'"k{number}":0' for number in range(size)) + f',"k{size - 1}":0}}',
        lambda size: json.dumps({f"k{number}": number for number in range(size)}),
        lambda size: json.dumps({"k": ["9" * 300] * size}),
        lambda size: '{"k": ' + "[" * size,
    ],
)
def test_a_text_of_twice_the_size_needs_about_twice_the_work(text: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        with suppress(rules.NotationError):
            rules.parse(text(size))

    read(500)
    once, twice = calls_of(lambda: read(2000)), calls_of(lambda: read(4000))

    assert twice <= MOST * once


def test_a_repeated_key_is_found_without_comparing_all_keys() -> None:
    class Counted(str):
        compared = 0
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            Counted.compared += 1
            return str.__eq__(self, other)  # type: ignore[arg-type]

    with pytest.raises(rules.NotationError, match="appears twice"):
        _no_double([(Counted(f"k{number}"), 0) for number in [*range(3000), 2999]])
    assert Counted.compared < 100


def test_the_engine_accepts_a_board_with_every_cell_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    full = "b1:NE+x12345+wNESW+cN+cE+cS+cW+p135N+p24E+p1S+pW+l3N+l3E+l3S+l3W"
    document = {"format": "starship/1", "name": "Full", "rows": [" ".join([full] * 100)] * 100}
    file = tmp_path / "full.json"
    file.write_text(json.dumps(document))

    assert main(["validate", str(file)]) == 0
    assert ": error: " not in capsys.readouterr().out
    assert read_sketch(document).width == 100
