"""The form for a branch: a part for each robot, with its chips, other orders and heading."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

import rules
from accounts.inputs import GuardedForm
from games.branches.inputs import NewBranch
from games.branches.selectors import Basis
from games.fleet.pictures import letter_of
from games.play.game_view import ChipView
from games.play.pages.crew import equipment_name
from games.play.pages.panel import (
    RegisterSlot,
    chips_to_choose,
    orders_in_form,
    power_of,
    register_slots,
    return_cells,
)
from games.play.stored import mark_of
from games.web.forms import form_of

Document = Mapping[str, Any]

NO_CHANGES: Final[Document] = {"orders": {}, "headings": {}}

NewBranchForm = form_of(NewBranch)


class BranchForm(GuardedForm, NewBranchForm):  # type: ignore[valid-type, misc]
    """The form for a branch that exists. ``changes`` is the mark of its orders and headings."""

    changes = forms.CharField(required=False, widget=forms.HiddenInput, label=_("Orders"))

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        values.pop("changes", None)
        return values


@dataclass(frozen=True, slots=True)
class ReturnChoice:
    """A choice for the cell where a robot comes back if its archive is taken."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class RobotForm:
    """The part of the form for one robot. ``changed`` means that the branch changes the robot.

    ``start`` is the heading at the start of the turn, or empty if it cannot be changed. ``heading`` is the
    ordered heading of a robot that chooses one, else None. ``takes_orders`` is false if only the heading at
    the start can be changed. ``power`` is empty if the robot has no order to switch off. ``stays`` means that
    it may stay off. ``ammo`` is 0 without equipment, or if the equipment is empty.
    """

    seat: int
    name: str
    look: int
    changed: bool
    start: str
    heading: str | None
    takes_orders: bool
    registers: list[RegisterSlot]
    hand: list[dict[str, Any]]
    power: str | Promise
    power_down: bool
    stays: bool
    stay_down: bool
    equipment: str
    ammo: int
    by_phase: bool
    uses_equipment: bool
    unlocks: list[RegisterSlot]
    returns: list[ReturnChoice]

    @property
    def letter(self) -> str:
        """The letter of the robot's picture."""
        return letter_of(self.look)


def robot_forms(basis: Basis, document: Document, looks: Mapping[int, int]) -> Iterator[RobotForm]:
    """Yield the parts of the form for the robots that a branch can change.

    ``document`` has the branch's orders and headings.
    """
    for robot in basis.played.state.players:
        form = _robot_form(basis, robot, document, looks[robot.index])
        if form.start or form.takes_orders:
            yield form


def _robot_form(basis: Basis, robot: rules.Robot, document: Document, look: int) -> RobotForm:
    state, ship, ruleset = basis.played.state, basis.setup.starship, basis.setup.ruleset
    seat, allowed = str(robot.index + 1), ruleset.orders
    own = basis.played.orders.get(robot.index)
    before = rules.write_orders(own) if own else {}
    changed = document["orders"].get(seat)
    orders = before if changed is None else changed
    takes_orders = robot.index in basis.changeable
    programs = takes_orders and state.turn > 0 and not robot.down and not before.get("stay_down")
    returned = robot.returned and programs and "heading" in allowed
    asks_heading = takes_orders and (state.turn == 0 or returned)
    on_board = robot.alive and robot.heading is not None and ship.inside(robot.cell)
    start = rules.LETTERS[robot.heading] if on_board and robot.heading is not None else ""
    if asks_heading:
        start = ""  # the order replaces it
    locked = {
        str(register + 1): chip.kind if (chip := robot.registers[register]) else None
        for register in robot.locked
    }
    shown = {"registers": before.get("registers", []), **orders}  # orders to stay off have no registers
    slots = register_slots(locked, shown, []) if programs else []
    equipped = programs or (takes_orders and robot.down)
    return RobotForm(
        seat=robot.index + 1,
        name=robot.name,
        look=look,
        changed=changed is not None or seat in document["headings"],
        start=document["headings"].get(seat, start) if start else "",
        heading=str(orders.get("heading") or "") if asks_heading else None,
        takes_orders=asks_heading or programs or (takes_orders and robot.down),
        registers=slots,
        hand=chips_to_choose(_hand(basis, robot.index), robot.model, ruleset) if programs else [],
        power=power_of(ruleset).order if programs and "power_down" in allowed else "",
        power_down=orders.get("power_down") is True,
        stays=takes_orders and (robot.down or (robot.was_down and programs)) and "stay_down" in allowed,
        stay_down=orders.get("stay_down") is True,
        equipment=equipment_name(robot.equipment),
        ammo=(robot.ammo or 0) if equipped and robot.equipment else 0,
        by_phase=robot.equipment in rules.PHASE_EQUIPMENT,
        uses_equipment=orders.get("equipment") is True,
        unlocks=[slot for slot in slots if slot.locked] if "unlock" in allowed and len(locked) > 1 else [],
        returns=_returns(ship, robot, orders) if takes_orders and state.turn and "place" in allowed else [],
    )


def _hand(basis: Basis, index: int) -> list[ChipView]:
    chips = sorted(basis.played.hands.get(index, ()), reverse=True)
    return [{"number": chip.number, "kind": chip.kind} for chip in chips]


def _returns(ship: rules.Starship, robot: rules.Robot, orders: Document) -> list[ReturnChoice]:
    """Return the choices for coming back. They contain the ordered cell, even if it is elsewhere."""
    if not ship.inside(robot.archive):
        return []
    place = orders.get("place")
    first = gettext("the first free neighbour, clockwise from north")
    choices = [ReturnChoice("", first, place is None)]
    said = gettext("{direction}: column {column}, row {row}")
    for cell in return_cells(ship, ship.pos(robot.archive), orders):
        text = said.format(direction=cell.direction, column=cell.column, row=cell.row)
        choices.append(ReturnChoice(cell.value, text, cell.chosen))
    if isinstance(place, list) and not any(choice.chosen for choice in choices):
        value = ",".join(map(str, place))
        x, y = (number + 1 if isinstance(number, int) else "?" for number in [*place, None, None][:2])
        text = gettext("column {column}, row {row}").format(column=x, row=y)
        choices.append(ReturnChoice(value, text, True))
    return choices


def changes_in_form(post: QueryDict, basis: Basis) -> dict[str, Any]:
    """Return the orders and headings in a form that differ from the game."""
    orders: dict[str, Any] = {}
    headings: dict[str, str] = {}
    for robot in basis.played.state.players:
        seat = str(robot.index + 1)
        fields = _fields_of(post, f"{seat}-")
        start, own = fields.get("start"), basis.played.orders.get(robot.index)
        if start and (robot.heading is None or rules.LETTERS[robot.heading] != start):
            headings[seat] = start
        if own is None or "orders" not in fields:
            continue
        before, document = rules.write_orders(own), orders_in_form(fields)
        if robot.was_down and document.get("stay_down"):
            document = {"stay_down": True}
        if {*map(str, document.get("unlock", ()))} == {*map(str, before.get("unlock", ()))}:
            document |= {key: before[key] for key in ("unlock",) if key in before}  # the form has no order
        if document != before:
            orders[seat] = document
    return {"orders": orders, "headings": headings}


def _fields_of(post: QueryDict, prefix: str) -> QueryDict:
    """Return the fields whose names begin with a prefix, without the prefix."""
    fields = QueryDict(mutable=True)
    for name, values in post.lists():
        if name.startswith(prefix):
            fields.setlist(name.removeprefix(prefix), values)
    return fields


def initial_of(name: str, computers: int, document: Document) -> dict[str, Any]:
    """Return the initial values of the form for a branch that exists."""
    changes = {key: document[key] for key in ("orders", "headings")}
    return {"name": name, "computers": computers, "changes": mark_of(changes)}
