"""The benchmark of pages on a phone reports the missed targets."""

from typing import Any

import pytest

from bench.phone.__main__ import missed, row

SEEN: dict[str, Any] = {
    "name": "front page",
    "status": 200,
    "wrong": "",
    "scores": [100, 100, 100, 100],
    "paint": 1500,
    "bytes": 130_000,
    "requests": 12,
    "shift": 0.02,
    "lost": [],
    "sent": [],
}


def test_a_page_within_all_targets_has_no_miss() -> None:
    assert missed(SEEN) == []
    assert row(SEEN).split() == [
        *("front", "page", "100", "100", "100", "100"),
        *("1.50", "130.0", "12", "0.020"),
    ]


@pytest.mark.parametrize(
    ("more", "target"),
    [
        ({"scores": [99, 100, 100, 100]}, "performance"),
        ({"scores": [100, 99, 100, 100]}, "accessibility"),
        ({"scores": [100, 100, 99, 100]}, "best practices"),
        ({"scores": [100, 100, 100, 99]}, "search engines"),
        ({"paint": 1501}, "paint"),
        ({"bytes": 130_001}, "kB"),
        ({"shift": 0.021}, "shift"),
    ],
)
def test_a_missed_target_is_named(more: dict[str, Any], target: str) -> None:
    assert missed(SEEN | more) == [target]
    assert row(SEEN | more).endswith(f"  {target}")


@pytest.mark.parametrize(
    ("more", "told"),
    [({"status": 404}, "status 404"), ({"wrong": "leads to /accounts/login/"}, "leads to /accounts/login/")],
)
def test_an_unseen_page_has_a_reason(more: dict[str, Any], told: str) -> None:
    assert missed(SEEN | more) == [told]
    assert row(SEEN | more).endswith(told)
