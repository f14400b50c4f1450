"""Convert states and events to JSON and back, and rename robots in JSON.

In JSON, robots have their names, cells are ``[x, y]``, and headings are letters such as ``"N"``. A robot's
name may also be a word of the format, such as “move” or “lost”. Renaming therefore changes only the fields
that contain robots (`FIELDS`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from rules import events as ev
from rules.document import NotationError, check_format, quoted
from rules.elements import SQUADS
from rules.grid import LETTERS, OFF
from rules.orders import PAUSE, Chip
from rules.starship import Starship
from rules.state import Robot, State

STATE_FORMAT: Final = "state/1"

Json = dict[str, Any]


class Vocabulary:
    """Converts values of the engine to and from JSON: robot indexes to names, cells to coordinates.

    Each kind of value, such as ``robot`` or ``cell``, has one method to write it and one to read it.
    """

    def __init__(self, ship: Starship, names: Sequence[str]) -> None:
        self.ship = ship
        self.names = tuple(names)
        self.indexes = {name: index for index, name in enumerate(names)}

    # To documents

    def plain(self, value: Any) -> Any:
        return value

    def robot(self, index: int) -> str:
        return self.names[index]

    def robots(self, indexes: Iterable[int]) -> list[str]:
        return [self.names[index] for index in indexes]

    def cell(self, cell: int) -> list[int] | None:
        return None if cell == OFF else list(self.ship.pos(cell))

    def heading(self, heading: int | None) -> str | None:
        return None if heading is None else LETTERS[heading]

    def chips(self, chips: Mapping[int, Chip]) -> dict[str, str]:
        return {self.names[index]: str(chip) for index, chip in chips.items()}

    def registers(self, registers: Mapping[int, Mapping[int, Chip]]) -> dict[str, dict[str, str]]:
        return {
            self.names[index]: {str(number): str(chip) for number, chip in chips.items()}
            for index, chips in registers.items()
        }

    def numbers(self, numbers: Mapping[int, int]) -> dict[str, int]:
        return {self.names[index]: number for index, number in numbers.items()}

    def numbers_in_order(self, numbers: Iterable[int]) -> list[int]:
        return list(numbers)

    def mark(self, value: bool) -> bool:
        return value

    def robot_or_word(self, value: int | str | None) -> str | None:
        return self.names[value] if isinstance(value, int) else value

    # From documents

    def read_plain(self, value: Any) -> Any:
        return value

    def read_robot(self, name: str) -> int:
        return self.indexes[name]

    def read_robots(self, names: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.indexes[name] for name in names)

    def read_cell(self, pos: Sequence[int] | None) -> int:
        return OFF if pos is None else self.ship.cell(pos[0], pos[1])

    def read_heading(self, letter: str | None) -> int | None:
        return None if letter is None else LETTERS.index(letter)

    def read_chips(self, chips: Mapping[str, str]) -> dict[int, Chip]:
        return {self.indexes[name]: read_chip(text) for name, text in chips.items()}

    def read_registers(self, registers: Mapping[str, Mapping[str, str]]) -> dict[int, dict[int, Chip]]:
        return {
            self.indexes[name]: {int(number): read_chip(text) for number, text in chips.items()}
            for name, chips in registers.items()
        }

    def read_numbers(self, numbers: Mapping[str, int]) -> dict[int, int]:
        return {self.indexes[name]: number for name, number in numbers.items()}

    def read_numbers_in_order(self, numbers: Iterable[int]) -> tuple[int, ...]:
        return tuple(numbers)

    def read_mark(self, value: bool) -> bool:
        return value

    def read_robot_or_word(self, value: str | None) -> int | str | None:
        return value if value is None else self.indexes.get(value, value)


def read_chip(text: str) -> Chip:
    """Read a chip, written as ``KIND@NUMBER``. A chip without a number is not from the deck."""
    kind, _, number = text.partition("@")
    if kind == PAUSE.kind:
        return PAUSE
    return Chip(int(number) if number else 10000, kind)


class Field(NamedTuple):
    """A field of an event in JSON.

    ``key`` is its JSON key, ``attribute`` its name in Python, and ``form`` the name of a `Vocabulary` method.
    """

    key: str
    attribute: str
    form: str
    optional: bool


def _fields(text: str) -> tuple[Field, ...]:
    """Read the description of an event's fields.

    Each field is written as ``key=attribute:form``, with ``?`` after the attribute if the field is optional.
    """
    fields = []
    for word in text.split():
        name, _, form = word.partition(":")
        key, _, attribute = name.rstrip("?").partition("=")
        fields.append(Field(key, attribute or key, form or "plain", name.endswith("?")))
    return tuple(fields)


FIELDS: Final[Mapping[type[Any], tuple[Field, ...]]] = {
    ev.Phase: _fields("chips:chips"),
    ev.Move: _fields("robot:robot from=origin:cell to:cell by pusher?:robot"),
    ev.Turn: _fields("robot:robot from=origin:heading to:heading by"),
    ev.Blocked: _fields("robot:robot at:cell heading:heading by"),
    ev.Shot: _fields(
        "robot?:robot emitter?:cell from=origin:cell to:cell hit:robot_or_word damage reflected"
    ),
    ev.Damage: _fields("robot:robot amount by source?:robot"),
    ev.Weld: _fields("robot:robot checkpoint left"),
    ev.Repair: _fields("robot:robot amount by freed?:numbers_in_order"),
    ev.Destroyed: _fields("robot:robot at:cell by killers?:robots how? out?"),
    ev.Inspect: _fields("robot:robot checkpoint"),
    ev.Archive: _fields("robot:robot at:cell"),
    ev.Power: _fields("robot:robot down may_stay_down?:mark"),
    ev.Reload: _fields("robot:robot ammo"),
    ev.Enter: _fields("robot:robot at:cell heading:heading virtual"),
    ev.Real: _fields("robot:robot"),
    ev.Virtual: _fields("robot:robot"),
    ev.Rank: _fields("ranks:numbers weights:numbers"),
    ev.Finish: _fields("robot?:robot squad? place leaves?:mark"),
    ev.Over: _fields("winner:robot_or_word reason locked?:registers"),
}
"""The JSON fields of each type of event, in the documented order."""

TYPES: Final[Mapping[str, type[Any]]] = {kind.__name__.lower(): kind for kind in FIELDS}


def event_to_json(terms: Vocabulary, event: ev.Event) -> Json:
    kind = type(event)
    document: Json = {"type": kind.__name__.lower(), "phase": event.phase, "step": event.step}
    for field in FIELDS[kind]:
        value = getattr(event, field.attribute)
        if not (field.optional and (value is None or value is False or value == ())):
            document[field.key] = getattr(terms, field.form)(value)
    return document


@contextmanager
def _refusing(what: str) -> Iterator[None]:
    """Convert errors caused by a malformed document to NotationError. ``what`` names the part being read."""
    try:
        yield
    except NotationError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError):
        detail = f"{what} cannot be read: a key is missing, or has a value that it cannot have"
        raise NotationError(detail) from None


def event_from_json(terms: Vocabulary, document: Json) -> ev.Event:
    """Read one event from JSON. Raises NotationError if the document is malformed."""
    with _refusing("the event"):
        return _read_event(terms, document)


def _read_event(terms: Vocabulary, document: Json) -> ev.Event:
    kind = TYPES.get(document.get("type", ""))
    if kind is None:
        raise NotationError(f"there is no event {quoted(document.get('type'))}")
    values: Json = {"phase": document["phase"], "step": document["step"]}
    for field in FIELDS[kind]:
        if field.key in document:
            read: Callable[[Any], Any] = getattr(terms, f"read_{field.form}")
            values[field.attribute] = read(document[field.key])
        elif not field.optional:
            raise NotationError(f"the event {quoted(document['type'])} has no “{field.key}”")
        else:
            values[field.attribute] = kind._field_defaults.get(field.attribute)
    event: ev.Event = kind(**values)
    return event


def events_to_json(terms: Vocabulary, events: Iterable[ev.Event]) -> list[Json]:
    return [event_to_json(terms, event) for event in events]


def events_from_json(terms: Vocabulary, documents: Iterable[Json]) -> list[ev.Event]:
    return [event_from_json(terms, document) for document in documents]


ROBOT_FORMS: Final[Mapping[str, str]] = {
    "cell": "cell",
    "heading": "heading",
    "start": "cell",
    "archive": "cell",
}
ROBOT_PLAIN: Final = [
    "name",
    "lives",
    "damage",
    "next",
    "rank",
    "alive",
    "virtual",
    "down",
    "returned",
    "scanner",
    "squad",
    "model",
    "equipment",
    "ammo",
    "place",
    "camped",
    "crystal",
    "laid",
]
ROBOT_MARKS: Final = ("was_down", "pays")


def state_to_json(ship: Starship, state: State) -> Json:
    """Write a state as ``state/1``, with all its secrets. The document is for storage only."""
    terms = Vocabulary(ship, [robot.name for robot in state.robots])

    def robot_to_json(robot: Robot) -> Json:
        document: Json = {key: getattr(robot, key) for key in ROBOT_PLAIN}
        document |= {key: getattr(terms, form)(getattr(robot, key)) for key, form in ROBOT_FORMS.items()}
        document["registers"] = [chip and str(chip) for chip in robot.registers]
        document["locked"] = list(robot.locked)
        # Written only if true, because older states lack these keys.
        document |= {key: True for key in ROBOT_MARKS if getattr(robot, key)}
        return document | ({"fell": robot.fell} if robot.fell else {})

    scanners = {} if state.scanner_damage is None else {"scanner_damage": state.scanner_damage}
    return {
        "format": STATE_FORMAT,
        "turn": state.turn,
        "robots": [robot_to_json(robot) for robot in state.robots],
        "hull": {str(number): left for number, left in state.hull.items()},
        "links": [[terms.cell(origin), terms.cell(to)] for origin, to in state.links.items()],
        "known": [terms.cell(cell) for cell in sorted(state.known)],
        "return_damage": state.return_damage,
        **scanners,
        "over": state.over,
        "winner": terms.robot_or_word(state.winner),
    }


def state_from_json(ship: Starship, document: Json) -> State:
    """Read a stored ``state/1`` document. Raises NotationError if the document is malformed."""
    check_format(document, STATE_FORMAT)
    with _refusing("the state"):
        return _read_state(ship, document)


def _read_state(ship: Starship, document: Json) -> State:
    terms = Vocabulary(ship, [robot["name"] for robot in document["robots"]])

    def robot_from_json(index: int, item: Json) -> Robot:
        values = {key: item[key] for key in (*ROBOT_PLAIN, *ROBOT_MARKS) if key in item}
        values |= {key: getattr(terms, f"read_{form}")(item[key]) for key, form in ROBOT_FORMS.items()}
        registers = [None if text is None else read_chip(text) for text in item["registers"]]
        locked, fell = tuple(item.get("locked", ())), item.get("fell", 0)
        return Robot(index=index, registers=registers, locked=locked, fell=fell, **values)

    winner = document["winner"]
    return State(
        turn=document["turn"],
        robots=[robot_from_json(index, item) for index, item in enumerate(document["robots"])],
        hull={int(number): left for number, left in document["hull"].items()},
        links={terms.read_cell(origin): terms.read_cell(to) for origin, to in document["links"]},
        known={terms.read_cell(cell) for cell in document["known"]},
        return_damage=document["return_damage"],
        scanner_damage=document.get("scanner_damage"),
        over=document["over"],
        winner=winner
        if winner in SQUADS and winner not in terms.indexes
        else terms.read_robot_or_word(winner),
    )


def rename_in_state(document: Json, before: str, after: str) -> Json:
    """Return a ``state/1`` document with the robot ``before`` renamed to ``after``.

    >>> rename_in_state({"robots": [{"name": "Ann"}, {"name": "Bo"}], "winner": "Bo"}, "Bo", "Cy")
    {'robots': [{'name': 'Ann'}, {'name': 'Cy'}], 'winner': 'Cy'}
    """
    robots = [{**robot, "name": after} if robot["name"] == before else robot for robot in document["robots"]]
    return {**document, "robots": robots, "winner": _name(document["winner"], {before: after})}


def rename_in_event(document: Json, names: Mapping[str, str]) -> Json:
    """Return a logged event with its robots renamed. ``names`` maps old names to new names.

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
"""The forms (`Field.form`) of fields with robot names, each with a function that renames these robots."""

FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    name: {field.key: field.form for field in FIELDS[kind] if field.form in _RENAMED}
    for name, kind in TYPES.items()
}
"""The fields with robot names and the forms of these fields (`Field.form`), for each type of event."""
