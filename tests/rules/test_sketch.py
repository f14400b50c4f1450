"""Sketches of draft starships: reading, refusing and drawing them."""

from typing import Any

import pytest

from rules.document import NotationError
from rules.sketch import LONGEST_TOKEN, Sketch, blank_sketch, read_sketch, write_sketch


def document(*rows: str, **keys: Any) -> dict[str, Any]:
    return {"format": "starship/1", "rows": list(rows), **keys}


def test_unreadable_parts_are_kept() -> None:
    given = document("a q!", ".+zz", name="Ark", builder="Noah", description="Dry.\nMostly.")
    assert write_sketch(read_sketch(given)) == given


def test_it_draws_the_readable_part_of_a_cell_and_hull_otherwise() -> None:
    sketch = read_sketch(document("a q+wN+zz", "b1:E"))
    assert [cell.token for cell in sketch.ship.cells] == ["a", ".+wN", "b1:E", "."]
    assert (sketch.width, sketch.height) == (2, 2)


def test_it_puts_tokens_and_fills_short_rows() -> None:
    assert Sketch((("a",),)).put({(3, 0): "o"}).rows == (("a", ".", ".", "o"),)


def test_an_empty_row_is_kept() -> None:
    assert read_sketch(document("a .", "")).rows == (("a", "."), ())


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([], "a JSON object with the format “starship/1” is expected"),
        ({"rows": ["."]}, "the key “format” is missing"),
        ({"format": "starship/9", "rows": ["."]}, 'the format is "starship/9"'),
        ({"format": "starship/1"}, "the key “rows” is missing"),
        (document(), "“rows” is empty"),
        (document("", "  "), "“rows” is empty"),
        ({"format": "starship/1", "rows": [1]}, "“rows” must be a list of texts, one for each row"),
        (document(" ".join(["."] * 1000)), "the board has 1000 × 1 cells, but the limit is 100 × 100"),
        (document(*["."] * 1000), "the board has 1 × 1000 cells, but the limit is 100 × 100"),
        (document(". " + "x" * (LONGEST_TOKEN + 1)), "the cell is longer than 200 characters"),
        (document(".\x00"), "the cell contains a control character"),
        (document(".", name=3), "“name” must be text"),
        (document(".", name="x" * 81), "“name” is longer than 80 characters"),
        (document(".", name="a\nb"), "“name”: U+000A (control character) is invisible"),
        (document(".", description="a\x07b"), "“description”: U+0007 (control character) is invisible"),
        (document(".", colour="red"), "a starship has an unknown key “colour”"),
    ],
)
def test_it_refuses_a_value_that_is_no_sketch(given: Any, reason: str) -> None:
    with pytest.raises(NotationError) as refusal:
        read_sketch(given)
    assert reason in str(refusal.value)


def test_it_reports_all_problems_at_once() -> None:
    with pytest.raises(NotationError) as refusal:
        read_sketch(document(". " + "x" * 201, ".\x01", name=3, colour="red"))
    assert len(refusal.value.problems) == 4


def test_a_blank_sketch_is_hull_in_the_requested_size() -> None:
    assert write_sketch(blank_sketch(3, 2, "Ark"))["rows"] == [". . .", ". . ."]
    for width, height in ((0, 1), (1, 101)):
        with pytest.raises(NotationError, match="1 to 100 columns"):
            blank_sketch(width, height)
