"""Digests: the most important events of a turn in a few lines."""

from typing import Any

from games.news.kinds import LINES_PER_DIGEST, digest


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": kind, "phase": 1, "step": "x", **fields}


def hit(robot: str, amount: int = 1) -> dict[str, Any]:
    return event("damage", robot=robot, amount=amount, by="laser", source="Bob")


def test_it_tells_events_of_the_reader_s_robot_and_important_ones() -> None:
    events = [
        event("move", robot="Alice", **{"from": [0, 0], "to": [1, 0]}, by="chip"),
        hit("Alice", 2),
        hit("Carol"),
        event("destroyed", robot="Carol", at=[3, 3], by="shaft"),
        event("inspect", robot="Bob", checkpoint=2),
        event("weld", robot="Alice", checkpoint=3, left=1),
    ]
    assert digest(events, robot="Alice") == [
        "Alice is hit by a shot from Bob: 2 points of damage.",
        "Carol falls into a cooling shaft.",
        "Bob inspects checkpoint 2.",
    ]
    assert digest(events[4:], robot="Alice") == [
        "Bob inspects checkpoint 2.",
        "Alice welds the hull at checkpoint 3; repairs left: 1.",
    ]


def test_repeated_events_are_described_once() -> None:
    assert digest([hit("Alice")] * 3, robot="Alice") == [
        "Alice is hit by a shot from Bob: 1 point of damage, 3 times."
    ]


def test_without_events_it_is_empty() -> None:
    assert digest([hit("Bob")], robot="Alice") == []


def test_the_reader_s_own_lines_come_first_of_three() -> None:
    others = [event("inspect", robot=name, checkpoint=1) for name in ("Bob", "Carol", "Dave", "Erin")]
    own = event("inspect", robot="Alice", checkpoint=2)
    end = event("over", winner="Alice", reason="finished")
    assert digest([hit("Alice"), *others, own, end], robot="Alice") == [
        "Bob inspects checkpoint 1.",
        "Alice inspects checkpoint 2.",
        "Alice has inspected every checkpoint and wins.",
    ]


def test_important_events_have_room_before_the_reader_s_own_damage() -> None:
    troubles = [event("damage", robot="Alice", amount=n, by="coupling") for n in range(1, 20)]
    lines = digest([*troubles, event("over", winner="Bob", reason="finished")], robot="Alice")
    assert len(lines) == LINES_PER_DIGEST
    assert lines[-1] == "Bob has inspected every checkpoint and wins."
