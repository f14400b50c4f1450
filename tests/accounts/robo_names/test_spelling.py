"""The rules of spelling for Robo Names."""

import pytest
from django.core.exceptions import ValidationError

from accounts import robo_names


def test_it_accepts_readable_names() -> None:
    for name in ("Bob", "Tin-Lizzy_7", "R2D2", "x" * 20, "Redstart", "Hullabaloo", "Bluebell"):
        assert robo_names.problems(name) == []


def test_it_explains_spelling_errors() -> None:
    for name, sentence in (
        ("Al", "Use 3 or more"),
        ("x" * 21, "too long: 21 characters. Use up to 20"),
        ("7of9", "must start with a letter"),
        ("Tin Lizzy", "letters A to Z, digits, hyphens and underscores"),
        ("Zoë", "letters A to Z"),
        ("Аlice", "letters A to Z"),  # the first letter is Cyrillic
        ("Bob\n", "letters A to Z"),
        ("Bob\u202e", "letters A to Z"),
    ):
        assert any(sentence in problem for problem in robo_names.problems(name))


def test_it_calls_a_space_a_space() -> None:
    (problem,) = robo_names.problems("Tin Lizzy")
    assert problem.startswith("A Robo Name can’t contain spaces. Use")


OWN = "admin ADMIN Adm1n a-d-m-i-n admin_2 St4ff Robo-Control robocontrol Scanner-1 Crystal HUL1 r3d red7"


def test_it_refuses_names_reserved_by_the_site() -> None:
    for name in OWN.split():
        assert [problem for problem in robo_names.problems(name) if "reserved word" in problem], name


def test_validation_reports_every_problem() -> None:
    with pytest.raises(ValidationError) as caught:
        robo_names.validate("é")
    assert len(caught.value.messages) == 2
