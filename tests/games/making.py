"""Helpers for the form for a new game: its fields, and errors in the response."""

from typing import Any

import rules
from games.fleet.models import Starship
from tests.games.reader import Answer

ADDRESS = "/games/new/"


def fields(ship: Starship, /, **changed: Any) -> dict[str, Any]:
    """Return the form of a game of two with the given changes. None leaves a field out."""
    given = {
        "starship": ship.pk,
        "name": "Maiden voyage",
        "seats": 2,
        "pace": "24",
        "sitters": "on",
        "lives": 3,
        "scanners": 0,
        "house_robot_lasers": "on",
        "house_damage_limit": 10,
    }
    return {key: value for key, value in {**given, **changed}.items() if value is not None}


def beside(page: Answer, field: str) -> str:
    return Answer(0, page.html.partition(f'id="id_{field}_error"')[2].partition("</ul>")[0], "").text.strip(
        " >"
    )


def of(key: str, /, **changed: Any) -> dict[str, Any]:
    """Return the form of a game of two by the given ruleset, with default options and house rules."""
    edition = rules.ruleset(key)
    given: dict[str, Any] = {
        "ruleset": key,
        "name": "Maiden voyage",
        "seats": 2,
        "pace": "24",
        "sitters": "on",
    }
    for prefix, choices in (("", edition.options), ("house_", edition.house_rules)):
        for choice in choices:
            value = ("on" if choice.default else None) if choice.yes_or_no else choice.default
            given[prefix + choice.key] = value
    return {name: value for name, value in {**given, **changed}.items() if value is not None}
