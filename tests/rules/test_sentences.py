"""Sentences that describe events, in the words of each ruleset."""

from pathlib import Path
from typing import Any

import pytest

from rules.second_person import TO_YOU, ToYou
from rules.sentences import sentence


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            {"type": "enter", "phase": 1, "step": "chips", "at": [1, 2], "virtual": False},
            "Alice enters the board at column 2, row 3.",
        ),
        (
            {"type": "enter", "phase": 6, "step": "coming back", "at": [1, 2], "virtual": True},
            "Alice comes back at column 2, row 3 as a virtual robot.",
        ),
        (
            {"type": "enter", "phase": 6, "step": "camping", "at": [1, 2], "virtual": True},
            "Alice camped too long and is moved to column 2, row 3.",
        ),
        (
            {"type": "enter", "phase": 0, "step": "crystal", "robot": "power crystal", "at": [0, 0]},
            "The power crystal arrives at column 1, row 1.",
        ),
        (
            {"type": "shot", "hit": "power crystal", "damage": 0, "reflected": False},
            "Alice aims its force projector at the power crystal.",
        ),
        (
            {"type": "shot", "robot": None, "hit": "power crystal", "damage": 0, "reflected": False},
            "One of the ship's lasers shoots the power crystal, without effect.",
        ),
        ({"type": "inspect", "step": "inspection", "checkpoint": 2}, "Alice inspects checkpoint 2."),
        ({"type": "inspect", "step": "checkpoints passed", "checkpoint": 2}, "Alice passes checkpoint 2."),
        ({"type": "inspect", "step": "checkpoints counted", "checkpoint": 2}, "Alice passes checkpoint 2."),
        (
            {"type": "inspect", "step": "flags and repair fields", "checkpoint": 2},
            "Alice touches checkpoint 2.",
        ),
        ({"type": "inspect", "step": "goals", "checkpoint": 2}, "Alice reaches checkpoint 2."),
        ({"type": "finish", "place": 1}, "Alice finishes in place 1."),
        ({"type": "finish", "place": 2, "leaves": True}, "Alice finishes in place 2 and leaves the board."),
        ({"type": "power", "phase": 6, "down": True}, "Alice is switched off."),
        ({"type": "power", "phase": 0, "down": True}, "Alice stays off."),
        ({"type": "power", "phase": 6, "down": False, "may_stay_down": True}, "Alice is switched on."),
        ({"type": "repair", "by": "tanky", "amount": 1}, "Alice repairs 1 damage."),
        (
            {"type": "repair", "by": "power-down", "amount": 4},
            "Alice is off, and all its damage (4) is repaired.",
        ),
        (
            {"type": "repair", "by": "depot", "amount": 2, "freed": [3, 5]},
            "Alice repairs 2 damage at a depot. Registers 3 and 5 are unlocked.",
        ),
        (
            {"type": "over", "step": "crystal home", "reason": "crystal", "winner": "red"},
            "The power crystal is on the airlock of the red squad, so the red squad wins.",
        ),
        (
            {"type": "over", "step": "last squad", "reason": "last standing", "winner": "blue"},
            "The blue squad is the last one standing and wins.",
        ),
        (
            {"type": "over", "step": "last squad", "reason": "all out", "winner": "blue"},
            "All robots are out. The blue squad got furthest and wins.",
        ),
        (
            {"type": "over", "step": "checkpoints passed", "reason": "finished", "winner": "Bob"},
            "Bob has passed every checkpoint and wins.",
        ),
        (
            {"type": "over", "step": "all but one finished", "reason": "finished", "winner": "Bob"},
            "Bob was the first to touch every checkpoint, and wins.",
        ),
        (
            {"type": "over", "step": "first finisher", "reason": "finished", "winner": "Bob"},
            "Bob has inspected every checkpoint and wins.",
        ),
    ],
)
def test_an_event_has_its_sentence(event: dict[str, Any], said: str) -> None:
    assert sentence({"robot": "Alice", **event}) == said


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "destroyed", "robot": "Alice", "by": "space"}, "You are lost in space."),
        (
            {"type": "destroyed", "robot": "Bob", "by": "shaft", "how": "push", "killers": ["Alice"]},
            "Bob falls into a cooling shaft: you pushed.",
        ),
        (
            {"type": "damage", "robot": "Alice", "by": "laser", "source": "Bob", "amount": 2},
            "A shot from Bob hits you: 2 damage.",
        ),
        (
            {"type": "damage", "robot": "Bob", "by": "laser", "source": "Alice", "amount": 1},
            "Your shot hits Bob: 1 damage.",
        ),
        (
            {"type": "damage", "robot": "Bob", "by": "coupling", "amount": 1},
            "Bob is shocked by a power coupling: 1 point of damage.",
        ),
        (
            {"type": "over", "step": "first finisher", "reason": "finished", "winner": "Alice"},
            "You have inspected every checkpoint and win!",
        ),
    ],
)
def test_sentences_say_you_to_the_player_of_a_robot(event: dict[str, Any], said: str) -> None:
    assert sentence(event, ToYou("Alice")) == said


def test_sentences_with_you_are_about_sentences_of_the_log() -> None:
    source = "".join(Path("rules/sentences.py").read_text(encoding="utf-8").split())
    for sentences in TO_YOU.values():
        for told in sentences:
            assert "".join(told.split()) in source, told
