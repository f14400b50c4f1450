"""What a scenario comes to, as a document, and how it differs from what is expected."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rules.codec import Json, Vocabulary, events_to_json
from rules.document import written
from rules.errors import NotationError
from rules.events import read_log
from rules.resolution import Resolution
from rules.scenario import Scenario
from rules.state import Robot
from rules.view import robot_to_json

ROBOT_KEYS: Final = [
    "at",
    "heading",
    "damage",
    "lives",
    "alive",
    "virtual",
    "down",
    "was_down",
    "next",
    "archive",
    "locked",
    "ammo",
    "rank",
    "place",
]
EXPECT_KEYS: Final = frozenset({"winner", "hull", "crystal", "events"})


def result_of(scenario: Scenario) -> Json:
    """Run a scenario, and write what came of it."""
    turn = scenario.run()
    state = turn.state
    terms = Vocabulary(turn.ship, [robot.name for robot in state.robots])
    return {
        "robots": {robot.name: _robot(terms, turn, robot) for robot in state.robots if not robot.crystal},
        "hull": {str(number): left for number, left in state.hull.items()},
        "crystal": None if state.crystal is None else terms.cell(state.crystal),
        "winner": terms.robot_or_word(state.winner),
        "events": events_to_json(terms, read_log(turn.log)),
    }


def _robot(terms: Vocabulary, turn: Resolution, robot: Robot) -> Json:
    written = robot_to_json(terms, robot, turn.programs[robot.index])
    return {key: written[key] for key in ROBOT_KEYS}


def differences(scenario: Scenario, result: Json) -> Iterator[str]:
    """Yield each way in which a result is not as expected; raises NotationError on unknown keys."""
    for key, expected in scenario.expect.items():
        _check_form(key, expected, result)
        if key in result["robots"]:
            yield from _robot_differences(key, expected, result["robots"][key])
        elif key == "events":
            yield from _missing_events(expected, result["events"])
        elif key == "hull":
            found = {number: result["hull"].get(number) for number in expected}
            if found != expected:
                yield f"hull: expected {written(expected)}, got {written(found)}"
        elif result[key] != expected:
            yield f"{key}: expected {written(expected)}, got {written(result[key])}"


def _check_form(key: str, expected: object, result: Json) -> None:
    """Raise NotationError where an expectation is of a form that nothing can meet."""
    if key in result["robots"] or key == "hull":
        if not isinstance(expected, dict):
            raise NotationError(f"“expect” of {key} must be an object")
    elif key == "events":
        if not isinstance(expected, list) or not all(isinstance(event, dict) for event in expected):
            raise NotationError("“expect” of events must be a list of objects")
    elif key not in EXPECT_KEYS:
        raise NotationError(f"“expect” names “{key}”, which is no robot of the scenario")


def _robot_differences(name: str, expected: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    for key, value in expected.items():
        if key not in ROBOT_KEYS:
            raise NotationError(f"“expect” of {name} has no key “{key}”")
        if found[key] != value:
            yield f"{name}.{key}: expected {written(value)}, got {written(found[key])}"


def _missing_events(expected: Sequence[Json], events: Sequence[Json]) -> Iterator[str]:
    """Yield the first expected event that does not occur, in order, others in between allowed."""
    rest = iter(events)
    for wanted in expected:
        if not any(_matches(wanted, event) for event in rest):
            order = " in that order" if expected[0] is not wanted else ""
            yield f"events: {written(wanted)} does not occur{order}"
            return


def _matches(wanted: Any, found: Any) -> bool:
    """Return whether every key of a partial event is there, nested objects too."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        return all(key in found and _matches(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)
