"""Events as sentences: the text log that a person reads, in mails and beside the board.

Works on events as they are written in documents, so that it serves wherever a log is read.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from rules.elements import SQUADS
from rules.grid import AFTER, BEFORE
from rules.launch import CRYSTAL_NAME

Json = Mapping[str, Any]

WAYS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
CHIPS: Final = {
    "1": "one forward",
    "2": "two forward",
    "3": "three forward",
    "B": "one back",
    "L": "turn left",
    "R": "turn right",
    "U": "half turn",
    "P": "pause",
}
DEATHS: Final = {
    "shaft": "falls into a cooling shaft",
    "space": "is lost in space",
    "bay": "falls through a launch bay",
    "crusher": "is crushed",
    "damage": "is destroyed by its damage",
    "implosion": "is destroyed in a quantum implosion",
}
OBSTACLES: Final = {
    "rail": "is stopped by a rail",
    "hull": "is stopped by damaged hull",
    "robot": "is stopped, since the robot ahead cannot move",
    "clamps": "is held by clamps",
}
WOUNDS: Final = {
    "laser": "is hit by {source}'s laser",
    "board-laser": "is hit by one of the ship's lasers",
    "coupling": "is shocked by a power coupling",
    "thruster": "is burnt by a thruster",
}
REPAIRS: Final = {
    "depot": "is repaired at a depot",
    "checkpoint": "is repaired at a checkpoint",
    "reboot": "reboots, and all its damage is repaired",
    "power-down": "is down, and all its damage is repaired",
    "tanky": "mends itself",
}
INSPECTIONS: Final = {
    "goals": "reaches checkpoint {number}",
    "flags and repair fields": "touches flag {number}",
    "checkpoints passed": "passes checkpoint {number}",
    "checkpoints counted": "passes checkpoint {number}",
}
"""How a checkpoint is done, by the ruleset's step; in all others it is inspected."""

FINISHES: Final = {
    "checkpoints passed": "{winner} has passed every checkpoint and wins.",
    "checkpoints counted": "{winner} has passed every checkpoint and wins.",
    "all but one finished": "{winner} was the first to touch every flag, and wins.",
}
"""How a game is won by finishing, by the ruleset's step; in all others by inspecting."""

ENDS: Final = {
    "finished": "{winner} has inspected every checkpoint and wins.",
    "last standing": "{winner} is the last one standing and wins.",
    "all out": "All robots are out; {winner} had come furthest and wins.",
    "crystal": "power crystal stands on the airlock of {winner}, which wins.",
    "lost": "The last life is lost, and with it the game.",
    "cancelled": "The game was cancelled.",
}


def sentence(event: Json) -> str:
    """Return one event as a sentence.

    >>> sentence({"type": "move", "robot": "power crystal", "to": [0, 1], "by": "beam"})
    'A tractor beam pulls the power crystal to column 1, row 2.'
    >>> sentence({"type": "over", "reason": "last standing", "winner": "red"})
    'The red squad is the last one standing and wins.'
    """
    text = SENTENCES[event["type"]](event).replace(CRYSTAL_NAME, f"the {CRYSTAL_NAME}")
    return text[0].upper() + text[1:] if text.startswith("the ") else text


def joined(names: list[str]) -> str:
    """Join names as a list in a sentence.

    >>> joined(["Alice", "Bob", "Carol"])
    'Alice, Bob and Carol'
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _points(amount: int) -> str:
    return f"{amount} point{'' if amount == 1 else 's'} of damage"


def _cell(pos: list[int]) -> str:
    return f"column {pos[0] + 1}, row {pos[1] + 1}"


def _phase(event: Json) -> str:
    chips = [f"{name} {CHIPS[text.partition('@')[0]]}" for name, text in event["chips"].items()]
    return f"Phase {event['phase']}: {'; '.join(chips) if chips else 'no robot has a chip'}."


def _move(event: Json) -> str:
    robot, to = event["robot"], _cell(event["to"])
    match event["by"]:
        case "push":
            return (
                f"{event['pusher']} pushes {robot} to {to}."
                if "pusher" in event
                else f"{robot} is pushed to {to}."
            )
        case "beam":
            return f"A tractor beam pulls {robot} to {to}."
        case "arm":
            return f"A docking arm pushes {robot} to {to}."
        case "oil":
            return f"{robot} slides on to {to}."
        case "transporter":
            return f"{robot} is beamed to {to}."
    return f"{robot} moves to {to}."


def _turn(event: Json) -> str:
    robot, to = event["robot"], WAYS[event["to"]]
    match event["by"]:
        case "beam":
            return f"The beam's curve turns {robot} to the {to}."
        case "twister":
            return f"A twister turns {robot} to the {to}."
        case "order":
            return f"{robot} faces {to}."
    return f"{robot} turns to the {to}."


def _shot(event: Json) -> str:
    shooter = event.get("robot") or "A laser of the ship"
    if event["hit"] is None:
        return (
            f"{shooter} fires through what is virtual."
            if event["damage"]
            else f"{shooter} fires and hits nobody."
        )
    if event["hit"] == "hull":
        return f"{shooter} fires at damaged hull."
    if event["hit"] == CRYSTAL_NAME and event.get("robot"):
        return f"{shooter} aims its force projector at {event['hit']}."
    if event["reflected"]:
        back = "and the shot comes back" if event["damage"] else "and the shot is spent"
        return f"{shooter} fires at {event['hit']}, {back}."
    return f"{shooter} shoots {event['hit']}" + ("." if event["damage"] else ", to no effect.")


def _damage(event: Json) -> str:
    cause = WOUNDS[event["by"]].format(source=event.get("source"))
    return f"{event['robot']} {cause}: {_points(event['amount'])}."


def _destroyed(event: Json) -> str:
    text = f"{event['robot']} {DEATHS[event['by']]}"
    if killers := event.get("killers"):
        text += f", {'pushed' if event['how'] == 'push' else 'shot'} by {joined(killers)}"
    return text + "."


def _rank(event: Json) -> str:
    order = sorted(event["ranks"], key=event["ranks"].__getitem__)
    listed = ", ".join(f"{event['ranks'][name]} {name}" for name in order)
    return f"Ranks of the next turn: {listed}."


def _enter(event: Json) -> str:
    if event["robot"] == CRYSTAL_NAME:
        return f"{event['robot']} arrives at {_cell(event['at'])}."
    if event["step"] == "camping":
        return f"{event['robot']} has camped too long, and is moved to {_cell(event['at'])}."
    if event["phase"] != AFTER:
        return f"{event['robot']} enters at {_cell(event['at'])}."
    return f"{event['robot']} comes back at {_cell(event['at'])}{', virtual' if event['virtual'] else ''}."


def _power(event: Json) -> str:
    if not event["down"]:
        return "comes up again"
    return "stays off" if event["phase"] == BEFORE else "goes down"


def _reload(event: Json) -> str:
    if event["phase"] == 6:
        return f"{event['robot']}'s ammunition is refilled to {event['ammo']}."
    return f"{event['robot']} engages its equipment; ammunition left: {event['ammo']}."


def _winner(event: Json) -> str | None:
    """Return who has won; people are never called what squads are."""
    winner: str | None = event["winner"]
    return f"the {winner} squad" if winner in SQUADS else winner


def _finish(event: Json) -> str:
    if "squad" in event:
        return f"The {event['squad']} squad takes place {event['place']}."
    leaving = ", and leaves the board" if event.get("leaves") else ""
    return f"{event['robot']} takes place {event['place']}{leaving}."


def _repair(event: Json) -> str:
    freed = event.get("freed")
    registers = f"; register{'s' * (len(freed) > 1)} {joined(list(map(str, freed)))} freed" if freed else ""
    return f"{event['robot']} {REPAIRS.get(event['by'], 'is repaired')} ({event['amount']}){registers}."


def _inspect(event: Json) -> str:
    done = INSPECTIONS.get(event["step"], "inspects checkpoint {number}")
    return f"{event['robot']} {done.format(number=event['checkpoint'])}."


def _over(event: Json) -> str:
    text = ENDS.get(event["reason"], "The game is over.")
    if event["reason"] == "finished":
        text = FINISHES.get(event["step"], text)
    return text.format(winner=_winner(event))


SENTENCES: Final[Mapping[str, Callable[[Json], str]]] = {
    "phase": _phase,
    "move": _move,
    "turn": _turn,
    "blocked": lambda event: f"{event['robot']} {OBSTACLES[event['by']]}.",
    "shot": _shot,
    "damage": _damage,
    "weld": lambda event: (
        f"{event['robot']} welds the hull at checkpoint {event['checkpoint']}; repairs left: {event['left']}."
    ),
    "repair": _repair,
    "destroyed": _destroyed,
    "inspect": _inspect,
    "archive": lambda event: f"{event['robot']} leaves its archive at {_cell(event['at'])}.",
    "power": lambda event: f"{event['robot']} {_power(event)}.",
    "reload": _reload,
    "enter": _enter,
    "real": lambda event: f"{event['robot']} becomes real: robots can push and shoot it now.",
    "virtual": lambda event: f"{event['robot']} becomes virtual: robots pass through it now.",
    "rank": _rank,
    "finish": _finish,
    "over": _over,
}
