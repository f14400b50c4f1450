"""The control panel: a form for a player's orders, with the problems of the orders."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

import rules
from accounts.models import Standing
from games.errors import ServiceError, number_in
from games.play.game_view import ChipView, GameView
from games.play.models import Program
from games.play.pages.crew import equipment_name
from games.play.policy import STANDING
from games.play.stored import mark_of
from games.wording import direction_name, names_in_words
from rules.orders import HAND, PAUSE, hand_size
from rules.physics import around
from rules.setup import DAMAGE
from rules.state import LAZYBOT
from rules.steps.lasers import EQUIPMENT_TEXTS

Words = str | Promise


@dataclass(frozen=True, slots=True)
class PowerWords:
    """Texts about switching a robot off: the order, its effect, and the effect of being off."""

    order: Words
    effect: Words
    while_down: Words


POWER_WORDS = {
    "reboot": PowerWords(
        _("Reboot afterwards"),
        _("After this program, all damage is repaired. Your robot is off next turn."),
        _("Your robot is off this turn: it takes no orders, does not drive and does not fire."),
    ),
    "switching off": PowerWords(
        _("Switch off afterwards"),
        _("After this program, your robot is off for a turn, and all its damage is repaired."),
        _("Your robot is off this turn: it has no program, does not fire and passes no checkpoint."),
    ),
    "power-down": PowerWords(
        _("Power down afterwards"),
        _("After this program, your robot is off for a turn, and all its damage is repaired."),
        _("Your robot is off this turn: it takes no orders, does not drive and does not fire."),
    ),
}
"""Texts about switching a robot off, by the name of the ruleset step that switches robots off."""

NEUTRAL = PowerWords(
    _("Power down afterwards"),
    _("Your robot is repaired, and is off for a turn."),
    _("Your robot is off this turn, and takes no orders."),
)


def power_of(ruleset: rules.Ruleset) -> PowerWords:
    """Return the texts about switching a robot off in a ruleset."""
    return next((POWER_WORDS[step.name] for step in ruleset.end if step.name in POWER_WORDS), NEUTRAL)


Document = dict[str, Any]

REGISTERS = range(1, rules.REGISTERS + 1)
HEADING_CHOICES = (("N", _("North")), ("W", _("West")), ("E", _("East")), ("S", _("South")))

SHIELDS_AGAINST_LASERS = _(
    "For the whole turn, robots’ lasers do not damage you, and your lasers do no damage."
)


@dataclass(slots=True)
class RegisterSlot:
    """A register in the form: its chip, whether it is locked, and its problems.

    ``chosen`` is the number of the chosen chip, or "P" for a pause. ``uses_equipment`` means that
    equipment is used in its phase, and ``freed`` that the player wants to unlock the register first.
    """

    number: int
    locked: bool = False
    kind: str | None = None
    chosen: int | str | None = None
    uses_equipment: bool = False
    freed: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ReturnCell:
    """A cell beside an archive where a robot can come back.

    ``direction`` names the side of the archive where the cell lies.
    """

    direction: str
    x: int
    y: int
    chosen: bool

    @property
    def value(self) -> str:
        """The value of the cell in the form: column and row, counted from 0."""
        return f"{self.x},{self.y}"

    @property
    def column(self) -> int:
        return self.x + 1

    @property
    def row(self) -> int:
        return self.y + 1


@dataclass(slots=True)
class Panel:
    """The orders of a player for the turn under way, as a form.

    ``open`` means that orders can be submitted, or submitted again. ``version`` changes with the submitted
    orders, with the hand, and with ``open``. ``given`` is the mark of the submitted orders, or empty.
    ``computers`` means that the orders come from a computer whose seat the player has taken over.
    ``standing`` describes the standing orders that are played if the player misses the turn.

    If ``draft`` is set, the ``registers`` show a draft, which was saved at that time. ``by_phase``
    means that equipment is used phase by phase, and ``uses_equipment`` that other equipment is in use.
    ``spots`` are the cells where the robot can come back if its archive is taken.

    ``decides`` means that the robot is off, and that its player must decide whether it stays off before they
    see their hand. ``face_down`` is a range as long as the hidden hand. ``is_down`` means that the robot is
    off, and that its player only decides whether it stays off (in version 1 of a ruleset). ``shows_aside``
    means that all players see a hand that is redrawn. ``missing_chips`` counts the chips that damage takes.
    """

    turn: int
    open: bool
    submitted: bool
    computers: bool
    standing: str
    version: str
    given: str
    waits_for: str
    draft: datetime | None
    submitted_registers: list[RegisterSlot]
    registers: list[RegisterSlot]
    hand: list[Document]
    missing_chips: int
    asks_heading: bool
    starts: bool
    heading: str | None
    power: PowerWords | None
    power_down: bool
    is_down: bool
    decides: bool
    face_down: range
    stay_down: bool
    must_move: bool
    redeals: bool
    shows_aside: bool
    spots: list[ReturnCell]
    unlocks: bool
    equipment: str
    equipment_text: str
    ammo: int
    by_phase: bool
    uses_equipment: bool
    problems: list[str]

    @property
    def heading_alone(self) -> bool:
        """Whether the heading is the only choice, as in turn 0."""
        return self.turn == 0

    @property
    def spot_chosen(self) -> bool:
        return any(spot.chosen for spot in self.spots)

    @property
    def locked(self) -> list[RegisterSlot]:
        return [register for register in self.registers if register.locked]


def panel_of(
    game: GameView,
    setup: rules.Setup,
    *,
    open_: bool,
    document: Document | None = None,
    refusal: ServiceError | None = None,
) -> Panel | None:
    """Return the orders panel for the viewer, or None if the viewer's robot takes no orders this turn.

    It shows the orders in ``document`` if they were refused, or else the draft, or else the submitted orders.
    """
    me = game.me
    if me is None or game.turn is None or game.status != "running":
        return None
    robot = game.robots[me.seat - 1]
    computers = me.given_by in (Program.Author.COMPUTER, Program.Author.CHANCE)
    if robot["ready"] and not (me.submitted or computers):
        return None
    draft = me.draft if document is None and open_ else None
    orders = document if document is not None else (draft.orders if draft else None) or me.orders or {}
    found = refusal.problems if refusal else []
    item = robot["equipment"] or ""
    allowed, ship = setup.ruleset.orders, setup.starship
    turn, is_down, decides = game.turn, robot["down"], me.may_stay_down
    programs = turn > 0 and not (is_down or decides)
    return Panel(
        turn=turn,
        open=open_,
        submitted=me.submitted,
        computers=computers,
        standing=_standing(game),
        version=f"{turn}-{open_:d}-{me.mark}-{mark_of({'hand': me.hand})}",
        given=me.mark,
        waits_for=names_in_words(game.waiting_for),
        draft=draft.saved_at if draft else None,
        submitted_registers=_submitted_registers(game, robot) if programs and me.submitted else [],
        registers=register_slots(robot["locked"], orders, found) if programs else [],
        hand=chips_to_choose(me.hand or (), robot["model"], setup.ruleset) if programs else [],
        missing_chips=min(robot["damage"], HAND - len(me.hand or ())) if programs else 0,
        asks_heading=turn == 0 or ("heading" in allowed and robot["returned"] and programs),
        starts=turn == 0 or (turn == 1 and not setup.ruleset.opening),
        heading=orders.get("heading") or (robot["heading"] if document is None else None),
        power=power_of(setup.ruleset) if "power_down" in allowed else None,
        power_down=orders.get("power_down") is True,
        is_down=is_down,
        decides=decides,
        face_down=range(hand_size(robot["damage"])) if decides else range(0),
        stay_down=orders.get("stay_down") is True,
        must_move=turn == 1 and not setup.ruleset.start.on_board,
        redeals=game.redeal,
        shows_aside=setup.ruleset.sets_aside,
        spots=return_cells(ship, robot["archive"], orders) if turn and "place" in allowed else [],
        unlocks="unlock" in allowed and programs and len(robot["locked"]) > 1,
        equipment=equipment_name(item),
        equipment_text=_equipment_text(item, setup.ruleset),
        ammo=robot["ammo"] or 0,
        by_phase=item in rules.PHASE_EQUIPMENT,
        uses_equipment=orders.get("equipment") is True,
        problems=list(dict.fromkeys(problem["detail"] for problem in found)),
    )


def _equipment_text(item: str, ruleset: rules.Ruleset) -> str:
    """Describe the effect of equipment. In version 1 of the ruleset, shields only stop lasers (RR-10.3)."""
    if item == "shields" and ruleset.shielded < DAMAGE:
        return str(SHIELDS_AGAINST_LASERS)
    return gettext(EQUIPMENT_TEXTS[item]) if item else ""


def _standing(game: GameView) -> str:
    """Describe the standing orders that are played if the viewer misses the turn. Empty if there are none."""
    if game.me is None or game.absence.policy != STANDING or not game.deadline:
        return ""
    return str(Standing(game.me.standing).label)


def is_late(game: GameView, now: datetime) -> bool:
    """Return whether time is up for the viewer or, if the viewer has no seat, for all players."""
    missed = game.me is not None and game.me.missed
    return missed or (game.deadline is not None and game.deadline <= now)


def saved_at(time: datetime) -> str:
    """Format the time when a draft was saved, in the reader's time zone."""
    return date_format(timezone.localtime(time), "TIME_FORMAT")


def _submitted_registers(game: GameView, robot: Mapping[str, Any]) -> list[RegisterSlot]:
    """Return the registers of the submitted orders, with the kinds of their chips."""
    me = game.me
    assert me is not None and me.orders is not None
    kinds: dict[Any, Any] = {chip["number"]: chip["kind"] for chip in me.hand or ()}
    slots = register_slots(robot["locked"], me.orders, [])
    for slot in slots:
        slot.kind = slot.kind if slot.locked else kinds.get(slot.chosen, slot.chosen)
    return slots


def chips_to_choose(hand: Sequence[ChipView], model: str | None, ruleset: rules.Ruleset) -> list[Document]:
    """Return the chips that the player can choose from, including a pause for LazyBot (GR-1.2).

    In rulesets with ranks, numbers decide nothing, and chips show none.
    """
    chips: list[Document] = [
        {"value": chip["number"], **chip, **({"number": ""} if ruleset.ranks else {})} for chip in hand
    ]
    if model == LAZYBOT:
        chips.append({"value": PAUSE.kind, "number": "", "kind": PAUSE.kind})
    return chips


def return_cells(
    ship: rules.Starship, at: Sequence[int] | None, orders: Mapping[str, Any]
) -> list[ReturnCell]:
    """Return the cells around the archive ``at`` (column and row) where a robot can come back (AM-6.3)."""
    if at is None:
        return []
    archive = ship.cell(*at)
    x, y = ship.pos(archive)
    ways = {
        (x, y - 1): direction_name("N"),
        (x + 1, y): direction_name("E"),
        (x, y + 1): direction_name("S"),
        (x - 1, y): direction_name("W"),
    }
    cells = [ship.pos(cell) for cell in around(ship, archive)]
    return [ReturnCell(ways[cell], *cell, orders.get("place") == list(cell)) for cell in cells]


def register_slots(
    chips: Mapping[str, str | None], orders: Mapping[str, Any], found: Sequence[Document]
) -> list[RegisterSlot]:
    """Return the registers with the chips of orders and the problems ``found``.

    ``chips`` has the kinds of the chips in locked registers, by number.
    """
    registers = orders.get("registers") or []
    phases = orders.get("equipment")
    freed = orders.get("unlock") or []
    slots = []
    for number in REGISTERS:
        locked = str(number) in chips
        chosen = registers[number - 1] if len(registers) >= number else None
        slots.append(
            RegisterSlot(
                number=number,
                locked=locked,
                kind=chips.get(str(number)),
                chosen=chosen if isinstance(chosen, int) or chosen == PAUSE.kind else None,
                uses_equipment=isinstance(phases, list) and number in phases,
                freed=number in freed,
                problems=[problem["detail"] for problem in found if problem.get("register") == number],
            )
        )
    return slots


def orders_in_form(post: QueryDict) -> Document:
    """Return the orders of a submitted form as a document. Wrong values are not corrected.

    The service that receives the document checks it.
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
    if place := post.get("place"):
        document["place"] = [_number(number) for number in place.split(",")]
    if freed := post.getlist("unlock"):
        document["unlock"] = [_number(number) for number in freed]
    for key in ("power_down", "stay_down"):
        if key in post:
            document[key] = True
    return document


def _number(text: str) -> int | str | None:
    number = number_in(text.strip(), digits=9)
    return number if number is not None else text.strip() or None
