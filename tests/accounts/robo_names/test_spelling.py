"""A Robo Name reads the same in a mail, a log and an address."""

import doctest

import pytest
from django.core.exceptions import ValidationError

from accounts import robo_names, time_zones


@pytest.mark.parametrize(
    "name", ["Bob", "Tin-Lizzy_7", "R2D2", "x" * 20, "Redstart", "Hullabaloo", "Bluebell"]
)
def test_it_takes_what_anybody_can_read(name: str) -> None:
    assert robo_names.problems(name) == []


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Al", "at least 3"),
        ("x" * 21, "at most 20 characters, and this one has 21"),
        ("7of9", "starts with a letter"),
        ("-bob", "starts with a letter"),
        ("Tin Lizzy", "letters A to Z, digits, hyphens and underscores"),
        ("Zoë", "letters A to Z"),
        ("Аlice", "letters A to Z"),  # the first letter is Cyrillic
        ("bob@example.org", "letters A to Z"),
        ("Bob\n", "letters A to Z"),
        ("Bob\u202e", "letters A to Z"),
    ],
)
def test_it_says_what_is_wrong_with_the_spelling(name: str, sentence: str) -> None:
    assert any(sentence in problem for problem in robo_names.problems(name))


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "ADMIN", "Adm1n", "a-d-m-i-n", "admin_2", "staff", "St4ff", "Robo-Control", "robocontrol"),
        *(
            "Scanner",
            "Scanner-1",
            "scanner2",
            "Crystal",
            "hull",
            "HUL1",
            "Red",
            "r3d",
            "Blue",
            "B1ue",
            "red7",
        ),
    ],
)
def test_it_refuses_what_the_site_uses_itself(name: str) -> None:
    assert [problem for problem in robo_names.problems(name) if "the site uses itself" in problem]


def test_validation_carries_every_problem() -> None:
    with pytest.raises(ValidationError) as caught:
        robo_names.validate("é")
    assert len(caught.value.messages) == 2


@pytest.mark.parametrize("module", [robo_names, time_zones])
def test_the_examples_in_the_documentation_hold(module: object) -> None:
    results = doctest.testmod(module)  # type: ignore[arg-type]
    assert results.attempted
    assert not results.failed
