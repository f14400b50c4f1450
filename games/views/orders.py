"""The control panel: orders as a form, filled in with what was dealt, submitted or refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

import rules
from games.errors import ServiceError
from games.views.crew import equipment_name

Document = dict[str, Any]

REGISTERS = range(1, rules.REGISTERS + 1)
WAYS = (("N", "North"), ("W", "West"), ("E", "East"), ("S", "South"))

EQUIPMENT = {
    "twin-lasers": "In the phases chosen your laser deals 2 damage.",
    "repulsors": "In the phases chosen a shot that hits you hurts whoever fired it.",
    "nitro": "In the phases chosen a chip that moves you forward moves you one cell more.",
    "clamps": "In the phases chosen nobody can push you, and your chip does not move you.",
    "rear-laser": "All turn long a second laser fires backwards.",
    "shields": "All turn long robots’ lasers do you no damage, and yours do none.",
}


@dataclass(slots=True)
class Socket:
    """One register: what lies in it, or is locked there, and what is wrong with it."""

    number: int
    locked: bool = False
    kind: str | None = None
    chosen: int | None = None
    engaged: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Panel:
    """What a player may order for the turn under way, and has ordered.

    ``open`` says whether orders can be given (still, or again). ``by_phase`` is true of equipment that is
    used phase by phase, ``engaged`` where other equipment shall be used.
    """

    turn: int
    open: bool
    submitted: bool
    sockets: list[Socket]
    hand: list[Document]
    asks_heading: bool
    heading: str | None
    power_down: bool
    equipment: str
    equipment_text: str
    ammo: int
    by_phase: bool
    engaged: bool
    problems: list[str]

    @property
    def heading_alone(self) -> bool:
        """Whether there is nothing to choose but the heading (turn 0)."""
        return self.turn == 0


def panel_of(
    game: Mapping[str, Any],
    *,
    open_: bool,
    entered: Document | None = None,
    refusal: ServiceError | None = None,
) -> Panel | None:
    """Return the panel of a game as its player sees it; None where there is nothing to order this turn.

    It shows the orders ``entered``, where they were refused, else those submitted before.
    """
    me = game["me"]
    if me is None or game["status"] != "running":
        return None
    robot = game["robots"][me["seat"] - 1]
    if robot["ready"] and not me["submitted"]:
        return None
    orders = entered if entered is not None else me["orders"] or {}
    found = refusal.problems if refusal else []
    item = robot["equipment"] or ""
    return Panel(
        turn=game["turn"],
        open=open_,
        submitted=me["submitted"],
        sockets=[] if game["turn"] == 0 else _sockets(robot, orders, found),
        hand=me["hand"],
        asks_heading=game["turn"] == 0 or robot["returned"],
        heading=orders.get("heading") or (robot["heading"] if entered is None else None),
        power_down=orders.get("power_down") is True,
        equipment=equipment_name(item),
        equipment_text=EQUIPMENT.get(item, ""),
        ammo=robot["ammo"] or 0,
        by_phase=item in rules.PHASE_EQUIPMENT,
        engaged=orders.get("equipment") is True,
        problems=[problem["detail"] for problem in found if "register" not in problem],
    )


def _sockets(robot: Mapping[str, Any], orders: Document, found: Sequence[Document]) -> list[Socket]:
    registers = orders.get("registers") or []
    phases = orders.get("equipment")
    sockets = []
    for number in REGISTERS:
        locked = str(number) in robot["locked"]
        chosen = registers[number - 1] if len(registers) >= number else None
        sockets.append(
            Socket(
                number=number,
                locked=locked,
                kind=robot["locked"].get(str(number)),
                chosen=chosen if isinstance(chosen, int) else None,
                engaged=isinstance(phases, list) and number in phases,
                problems=[problem["detail"] for problem in found if problem.get("register") == number],
            )
        )
    return sockets


def entered_in(post: QueryDict) -> Document:
    """Return what was entered in the form as a document of orders; what makes no sense stays as it is.

    Whether it is allowed is for the service to say.
    """
    document: Document = {}
    if any(f"register-{number}" in post for number in REGISTERS):
        document["registers"] = [_number(post.get(f"register-{number}", "")) for number in REGISTERS]
    elif "program" in post:  # all registers are locked
        document["registers"] = [None] * rules.REGISTERS
    if "engaged" in post:
        document["equipment"] = True
    elif phases := post.getlist("phase"):
        document["equipment"] = [_number(phase) for phase in phases]
    if heading := post.get("heading"):
        document["heading"] = heading
    if "power_down" in post:
        document["power_down"] = True
    return document


def _number(text: str) -> int | str | None:
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text or None
