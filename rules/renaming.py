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
    return {**document, "robots": robots, "winner": _name(document["winner"], {before: after})}


def rename_in_event(document: Json, names: Mapping[str, str]) -> Json:
    """Return a logged event in which robots have other names: ``names`` maps old ones to new ones.

    >>> rename_in_event({"type": "move", "robot": "move", "by": "move"}, {"move": "Ann"})
    {'type': 'move', 'robot': 'Ann', 'by': 'move'}
    """
    forms = FORMS[document["type"]]
    return {
        key: _RENAMED[forms[key]](value, names) if key in forms else value for key, value in document.items()
    }


def _name(value: Any, names: Mapping[str, str]) -> Any:
    return names.get(value, value)


def _names(values: list[str], names: Mapping[str, str]) -> list[str]:
    return [_name(value, names) for value in values]


def _keys(values: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {_name(key, names): value for key, value in values.items()}


_RENAMED: Final[Mapping[str, Callable[[Any, Mapping[str, str]], Any]]] = {
    "robot": _name,
    "robot_or_word": _name,
    "robots": _names,
    "chips": _keys,
    "registers": _keys,
    "numbers": _keys,
}
"""Each form of `codec.Vocabulary` that names robots; none of its other words is a name for robots."""

FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    name: {field.key: field.form for field in FIELDS[kind] if field.form in _RENAMED}
    for name, kind in TYPES.items()
}
"""Of each type of event the fields that name robots, with their form."""
