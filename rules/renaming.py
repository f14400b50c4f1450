"""Robots that get another name: in states and events as they are kept, in JSON.

Only what the vocabulary takes for a robot is touched (`codec.FIELDS`): a robot may bear a name that is a word
of the vocabulary as well, such as “move” or “lost”.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules.codec import FIELDS, TYPES, Json


def rename_in_state(document: Json, before: str, after: str) -> Json:
    """Return a ``state/1`` document in which the robot called ``before`` is called ``after``.

    >>> rename_in_state({"robots": [{"name": "Ann"}, {"name": "Bo"}], "winner": "Bo"}, "Bo", "Cy")
    {'robots': [{'name': 'Ann'}, {'name': 'Cy'}], 'winner': 'Cy'}
    """
    robots = [{**robot, "name": after} if robot["name"] == before else robot for robot in document["robots"]]
    return {**document, "robots": robots, "winner": _name(document["winner"], before, after)}


def rename_in_event(document: Json, before: str, after: str) -> Json:
    """Return a logged event in which the robot called ``before`` is called ``after``.

    >>> rename_in_event({"type": "move", "robot": "move", "by": "move"}, "move", "Ann")
    {'type': 'move', 'robot': 'Ann', 'by': 'move'}
    """
    forms = {field.key: field.form for field in FIELDS[TYPES[document["type"]]]}
    return {
        key: _RENAMED[form](value, before, after) if (form := forms.get(key)) in _RENAMED else value
        for key, value in document.items()
    }


def _name(value: Any, before: str, after: str) -> Any:
    return after if value == before else value


def _names(values: list[str], before: str, after: str) -> list[str]:
    return [_name(value, before, after) for value in values]


def _keys(values: Mapping[str, Any], before: str, after: str) -> dict[str, Any]:
    return {_name(key, before, after): value for key, value in values.items()}


_RENAMED: Final[Mapping[str | None, Callable[[Any, str, str], Any]]] = {
    "robot": _name,
    "robot_or_word": _name,
    "robots": _names,
    "chips": _keys,
    "numbers": _keys,
}
"""Each form of `codec.Terms` that names robots; none of its other words is a name that a robot may have."""
