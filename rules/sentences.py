"""Events as sentences: the text log that people read in emails and beside the board.

Events are read as JSON documents, so any stored log can be turned into text.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from rules.grid import AFTER, BEFORE
from rules.language import ENGLISH, N_, WAYS, Words, joined, place_of
from rules.launch import CRYSTAL_NAME

Json = Mapping[str, Any]

SQUAD_NAMES: Final = {"red": N_("the red squad"), "blue": N_("the blue squad")}
"""The names of the squads, for use in the middle of a sentence."""

CHIPS: Final = {
    "1": N_("{robot} (forward 1)"),
    "2": N_("{robot} (forward 2)"),
    "3": N_("{robot} (forward 3)"),
    "B": N_("{robot} (back 1)"),
    "L": N_("{robot} (turn left)"),
    "R": N_("{robot} (turn right)"),
    "U": N_("{robot} (turn about)"),
    "P": N_("{robot} (pause)"),
}
FACING: Final = {
    "beam": N_("The beam's curve turns {robot} to face {way}."),
    "twister": N_("A twister turns {robot} to face {way}."),
    "order": N_("{robot} faces {way}."),
}
MOVES: Final = {
    "beam": N_("A tractor beam pulls {robot} to {cell}."),
    "arm": N_("A docking arm pushes {robot} to {cell}."),
    "oil": N_("{robot} slides on oil to {cell}."),
    "transporter": N_("{robot} is beamed to {cell}."),
}
DEATHS: Final = {
    "shaft": N_("{robot} falls into a cooling shaft."),
    "space": N_("{robot} is lost in space."),
    "bay": N_("{robot} falls through a launch bay."),
    "crusher": N_("{robot} is crushed."),
    "damage": N_("{robot} is destroyed by damage."),
    "implosion": N_("{robot} is destroyed in a quantum implosion."),
}
PUSHED: Final = {
    "shaft": N_("{robot} falls into a cooling shaft, pushed by {killers}."),
    "space": N_("{robot} is lost in space, pushed by {killers}."),
    "bay": N_("{robot} falls through a launch bay, pushed by {killers}."),
    "crusher": N_("{robot} is crushed, pushed by {killers}."),
    "damage": N_("{robot} is destroyed by damage, pushed by {killers}."),
    "implosion": N_("{robot} is destroyed in a quantum implosion, pushed by {killers}."),
}
SHOT: Final = {
    "shaft": N_("{robot} falls into a cooling shaft, shot by {killers}."),
    "space": N_("{robot} is lost in space, shot by {killers}."),
    "bay": N_("{robot} falls through a launch bay, shot by {killers}."),
    "crusher": N_("{robot} is crushed, shot by {killers}."),
    "damage": N_("{robot} is destroyed by damage, shot by {killers}."),
    "implosion": N_("{robot} is destroyed in a quantum implosion, shot by {killers}."),
}
OBSTACLES: Final = {
    "rail": N_("{robot} is stopped by a rail."),
    "hull": N_("{robot} is stopped by damaged hull."),
    "robot": N_("{robot} is stopped, because the robot ahead cannot move."),
    "clamps": N_("{robot} is held by clamps."),
}
REPAIRS: Final = {
    "depot": N_("{robot} repairs {number} damage at a depot."),
    "checkpoint": N_("{robot} repairs {number} damage at a checkpoint."),
    "reboot": N_("{robot} reboots, and all its damage ({number}) is repaired."),
    "power-down": N_("{robot} is off, and all its damage ({number}) is repaired."),
    "tanky": N_("{robot} repairs {number} damage."),
}
INSPECTIONS: Final = {
    "goals": N_("{robot} reaches checkpoint {number}."),
    "flags and repair fields": N_("{robot} touches checkpoint {number}."),
    "checkpoints passed": N_("{robot} passes checkpoint {number}."),
    "checkpoints counted": N_("{robot} passes checkpoint {number}."),
}
"""Sentences about a robot that reaches a checkpoint, by the name of the step.

For all other steps, the sentence says that the robot inspects the checkpoint.
"""

FINISHES: Final = {
    "checkpoints passed": N_("{winner} has passed every checkpoint and wins."),
    "checkpoints counted": N_("{winner} has passed every checkpoint and wins."),
    "all but one finished": N_("{winner} was the first to touch every checkpoint, and wins."),
}
"""Sentences about a win by reaching the last checkpoint, by the name of the step.

For all other steps, the sentence says that the winner has inspected every checkpoint.
"""

ENDS: Final = {
    "finished": N_("{winner} has inspected every checkpoint and wins."),
    "last standing": N_("{winner} is the last one standing and wins."),
    "all out": N_("All robots are out. {winner} got furthest and wins."),
    "crystal": N_("{crystal} is on the airlock of {winner}, so {winner} wins."),
    "lost": N_("The last life is lost, so the game is lost."),
    "cancelled": N_("The game was cancelled."),
}


def sentence(event: Json, _: Words = ENGLISH) -> str:
    """Return one event as a sentence.

    >>> sentence({"type": "move", "robot": "power crystal", "to": [0, 1], "by": "beam"})
    'A tractor beam pulls the power crystal to column 1, row 2.'
    >>> sentence({"type": "over", "reason": "last standing", "winner": "red"})
    'The red squad is the last one standing and wins.'
    >>> sentence({"type": "over", "reason": "all out", "winner": "blue"})
    'All robots are out. The blue squad got furthest and wins.'
    """
    crystal = _("the power crystal")
    text = SENTENCES[event["type"]](event, _).replace(CRYSTAL_NAME, crystal)
    names = "|".join(map(re.escape, (crystal, *map(_, SQUAD_NAMES.values()))))
    return re.sub(rf"(?:^|(?<=\. ))(?:{names})", lambda name: name[0][0].upper() + name[0][1:], text)


def _simply(told: str) -> Callable[[Json, Words], str]:
    """Return a function that translates a sentence and fills in the fields of an event."""
    return lambda event, _: _(told, **event)


def _phase(event: Json, _: Words) -> str:
    number = event["phase"]
    chips = [_(CHIPS[chip.partition("@")[0]], robot=name) for name, chip in event["chips"].items()]
    if not chips:
        return _("Phase {number}: no robot has a chip.", number=number)
    return _("Phase {number}: {chips}.", number=number, chips="; ".join(chips))


def _move(event: Json, _: Words) -> str:
    values = {"robot": event["robot"], "cell": place_of(event["to"], _)}
    if event["by"] != "push":
        return _(MOVES.get(event["by"], N_("{robot} moves to {cell}.")), **values)
    if "pusher" in event:
        return _("{pusher} pushes {robot} to {cell}.", pusher=event["pusher"], **values)
    return _("{robot} is pushed to {cell}.", **values)


def _turn(event: Json, _: Words) -> str:
    told = FACING.get(event["by"], N_("{robot} turns to face {way}."))
    return _(told, robot=event["robot"], way=_(WAYS[event["to"]]))


def _shot(event: Json, _: Words) -> str:
    hit, damage = event["hit"], event["damage"]
    shooter = event.get("robot") or _("One of the ship's lasers")
    if hit is None and damage:
        return _("{shooter} fires through a virtual robot.", shooter=shooter)
    if hit is None:
        return _("{shooter} fires and hits nothing.", shooter=shooter)
    if hit == "hull":
        return _("{shooter} fires at damaged hull.", shooter=shooter)
    if hit == CRYSTAL_NAME and event.get("robot"):
        return _("{shooter} aims its force projector at {robot}.", shooter=shooter, robot=hit)
    if event["reflected"] and damage:
        return _("{shooter} fires at {robot}, and the shot is reflected.", shooter=shooter, robot=hit)
    if event["reflected"]:
        return _(
            "{shooter} fires at {robot}, and the shot is reflected without effect.",
            shooter=shooter,
            robot=hit,
        )
    if damage:
        return _("{shooter} shoots {robot}.", shooter=shooter, robot=hit)
    return _("{shooter} shoots {robot}, without effect.", shooter=shooter, robot=hit)


def _damage(event: Json, _: Words) -> str:
    robot, number = event["robot"], event["amount"]
    match event["by"]:
        case "laser":
            return _.ngettext(
                "{robot} is hit by a shot from {source}: {number} point of damage.",
                "{robot} is hit by a shot from {source}: {number} points of damage.",
                number,
                robot=robot,
                source=event.get("source"),
            )
        case "board-laser":
            return _.ngettext(
                "{robot} is hit by one of the ship's lasers: {number} point of damage.",
                "{robot} is hit by one of the ship's lasers: {number} points of damage.",
                number,
                robot=robot,
            )
        case "coupling":
            return _.ngettext(
                "{robot} is shocked by a power coupling: {number} point of damage.",
                "{robot} is shocked by a power coupling: {number} points of damage.",
                number,
                robot=robot,
            )
    return _.ngettext(
        "{robot} is burnt by a thruster: {number} point of damage.",
        "{robot} is burnt by a thruster: {number} points of damage.",
        number,
        robot=robot,
    )


def _destroyed(event: Json, _: Words) -> str:
    killers = event.get("killers")
    told = DEATHS if not killers else PUSHED if event["how"] == "push" else SHOT
    return _(told[event["by"]], robot=event["robot"], killers=joined(killers or [], _))


def _repair(event: Json, _: Words) -> str:
    told = REPAIRS.get(event["by"], N_("{robot} repairs {number} damage."))
    repaired = _(told, robot=event["robot"], number=event["amount"])
    freed = [str(register) for register in event.get("freed", ())]
    if not freed:
        return repaired
    registers = _.ngettext(
        "Register {registers} is unlocked.",
        "Registers {registers} are unlocked.",
        len(freed),
        registers=joined(freed, _),
    )
    return f"{repaired} {registers}"


def _inspect(event: Json, _: Words) -> str:
    told = INSPECTIONS.get(event["step"], N_("{robot} inspects checkpoint {number}."))
    return _(told, robot=event["robot"], number=event["checkpoint"])


def _power(event: Json, _: Words) -> str:
    if not event["down"]:
        return _("{robot} is switched on.", robot=event["robot"])
    if event["phase"] == BEFORE:
        return _("{robot} stays off.", robot=event["robot"])
    return _("{robot} is switched off.", robot=event["robot"])


def _reload(event: Json, _: Words) -> str:
    values = {"robot": event["robot"], "number": event["ammo"]}
    if event["phase"] == AFTER:
        return _("{robot} is reloaded. Ammunition: {number}.", **values)
    return _("{robot} uses its equipment. Ammunition left: {number}.", **values)


def _enter(event: Json, _: Words) -> str:
    values = {"robot": event["robot"], "cell": place_of(event["at"], _)}
    if event["robot"] == CRYSTAL_NAME:
        return _("{robot} arrives at {cell}.", **values)
    if event["step"] == "camping":
        return _("{robot} camped too long and is moved to {cell}.", **values)
    if event["phase"] != AFTER:
        return _("{robot} enters the board at {cell}.", **values)
    if event["virtual"]:
        return _("{robot} comes back at {cell} as a virtual robot.", **values)
    return _("{robot} comes back at {cell}.", **values)


def _rank(event: Json, _: Words) -> str:
    ranks = event["ranks"]
    order = ", ".join(f"{ranks[name]} {name}" for name in sorted(ranks, key=ranks.__getitem__))
    return _("Move order for the next turn: {ranks}.", ranks=order)


def _finish(event: Json, _: Words) -> str:
    place = event["place"]
    if "squad" in event:
        return _("{robot} finishes in place {place}.", robot=_(SQUAD_NAMES[event["squad"]]), place=place)
    if event.get("leaves"):
        return _("{robot} finishes in place {place} and leaves the board.", robot=event["robot"], place=place)
    return _("{robot} finishes in place {place}.", robot=event["robot"], place=place)


def _over(event: Json, _: Words) -> str:
    told = ENDS.get(event["reason"], N_("The game is over."))
    if event["reason"] == "finished":
        told = FINISHES.get(event["step"], told)
    winner = event["winner"]
    # No player has the name of a squad, such as “red”.
    who = _(SQUAD_NAMES[winner]) if winner in SQUAD_NAMES else winner
    return _(told, winner=who, crystal=CRYSTAL_NAME)


SENTENCES: Final[Mapping[str, Callable[[Json, Words], str]]] = {
    "phase": _phase,
    "move": _move,
    "turn": _turn,
    "blocked": lambda event, _: _(OBSTACLES[event["by"]], robot=event["robot"]),
    "shot": _shot,
    "damage": _damage,
    "weld": _simply(N_("{robot} welds the hull at checkpoint {checkpoint}; repairs left: {left}.")),
    "repair": _repair,
    "destroyed": _destroyed,
    "inspect": _inspect,
    "archive": lambda event, _: _(
        "{robot} sets its archive at {cell}.", robot=event["robot"], cell=place_of(event["at"], _)
    ),
    "power": _power,
    "reload": _reload,
    "enter": _enter,
    "real": _simply(N_("{robot} becomes real: robots can push and shoot it now.")),
    "virtual": _simply(N_("{robot} becomes virtual: robots pass through it now.")),
    "rank": _rank,
    "finish": _finish,
    "over": _over,
}
