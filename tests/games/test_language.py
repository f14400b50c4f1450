"""Texts of the rules are shown in the reader's language."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import translation

from games import wording

PUSH = {"type": "move", "robot": "Alice", "pusher": "Bob", "to": [1, 2], "by": "push"}
HIT = {"type": "damage", "robot": "Alice", "by": "board-laser", "amount": 2}

CATALOGUE = {
    "{pusher} pushes {robot} to {cell}.": "{robot} is pushed by {pusher}: {cell}!",
    "column {column}, row {row}": "{row}/{column}",
    "{names} and {last}": "{names} & {last}",
    "north": "up",
}


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Activate a language with a few translated sentences and with its own plural form."""

    def many(one: str, more: str, number: int) -> str:
        return f"{number}× {more}"

    functions: dict[str, Callable[..., Any]] = {
        "gettext": lambda sentence: CATALOGUE.get(sentence, sentence),
        "ngettext": many,
    }
    for name, function in functions.items():
        monkeypatch.setattr(translation._trans, name, function, raising=False)


@pytest.mark.usefixtures("other")
def test_a_log_is_in_the_reader_s_language() -> None:
    assert wording.sentence_of(PUSH) == "Alice is pushed by Bob: 3/2!"
    assert wording.sentence_of(HIT) == "2× Alice is hit by one of the ship's lasers: 2 points of damage."


@pytest.mark.usefixtures("other")
def test_names_and_directions_are_in_the_reader_s_language() -> None:
    assert wording.names_in_words(["Alice", "Bob", "Carol"]) == "Alice, Bob & Carol"
    assert wording.direction_name("N") == "up"


def test_without_another_language_texts_are_english() -> None:
    assert wording.sentence_of(PUSH) == "Bob pushes Alice to column 2, row 3."
    assert wording.names_in_words(["Alice", "Bob"]) == "Alice and Bob"
