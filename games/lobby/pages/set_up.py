"""The pages to set up a position: first a starship and a ruleset, then robots on the board.

The page sends the whole position back as a ``position/1`` document, with the fields that a player sees. The
fields replace values of the document. Values without a field stay.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _, pgettext, pgettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from accounts import limits
from games.errors import Conflict, Invalid, ServiceError, document_problems, number_in
from games.fleet.boards import starship_of
from games.fleet.models import Starship
from games.fleet.pictures import board_of, letter_of
from games.fleet.selectors import favourite_ids, fitting_starships, starship_for
from games.lobby import positions
from games.lobby.forms import (
    PlayOnForm,
    field_of_option,
    filter_by_search,
    group_by_favourite,
    numbers_in,
    search_words,
)
from games.lobby.positions import Beginning, Document
from games.lobby.practice import RULESET
from games.play import stored
from games.play.models import Game
from games.web.inputs import Refusable
from games.web.pages import handle_missing, require_account, user_of, viewer_of
from games.wording import direction_name, model_name, squad_label, translate
from rules.launch import hull_at_start
from rules.position import MAX_LIVES, MAX_ROBOTS, read_cell, read_setup
from rules.steps.lasers import EQUIPMENT_NAMES

# --- The robots of a position -------------------------------------------------------------------------------

ON_BOARD: Final = "on"
GONE: Final = ("away", "out", "place")
"""The states of robots that are not on the board, by their keys in the document."""

STATES: Final = {
    ON_BOARD: pgettext_lazy("robot", "In play"),
    "virtual": pgettext_lazy("robot", "Virtual"),
    "down": pgettext_lazy("robot", "Off"),
    "out": pgettext_lazy("robot", "Out"),
    "away": pgettext_lazy("robot", "Comes back later"),
    "place": pgettext_lazy("robot", "Has finished"),
}
"""The names of a robot's states."""

STATE_KEYS: Final = ("virtual", "down", "was_down", "returned", "camped", "away", "out", "place")
"""The keys of a robot that its state replaces."""


class NumberField(forms.IntegerField):
    """A whole number that may be empty in some states of a robot."""

    often_needed = True

    def __init__(self, label: Any, least: int = 1, most: int | None = None) -> None:
        super().__init__(label=label, min_value=least, max_value=most, required=False)


class CellForm(forms.Form):
    """The form for a cell: its column and row, counted from 1."""

    def __init__(self, *args: Any, setup: rules.Setup, **more: Any) -> None:
        super().__init__(*args, **more)
        self.setup = setup
        self._add_cell("column", "row", _("Column"), _("Row"))

    def _add_cell(self, column: str, row: str, *labels: Any) -> None:
        ship = self.setup.starship
        for name, label, most in zip((column, row), labels, (ship.width, ship.height), strict=True):
            self.fields[name] = NumberField(label, most=most)

    def cell(self, column: str = "column", row: str = "row") -> list[int] | None:
        """Return a valid form's cell as in a document, or None if its fields are empty."""
        x, y = self.cleaned_data.get(column), self.cleaned_data.get(row)
        return None if x is None or y is None else [x - 1, y - 1]

    def clean(self) -> dict[str, Any]:
        """Refuse half a cell."""
        given: dict[str, Any] = super().clean() or {}
        for column, row in (("column", "row"), ("archive_column", "archive_row")):
            halves = [name for name in (column, row) if name in given and given[name] is None]
            if len(halves) == 1 and not self.errors:
                self.add_error(halves[0], gettext("Enter a column and a row."))
        return given


class PieceForm(CellForm):
    """The form for a robot or a scanner. ``item`` is the robot in the document, and ``number`` counts from 1.

    A document from a request may have any values, so each has a default.
    """

    def __init__(self, *args: Any, setup: rules.Setup, item: Document, number: int, name: str) -> None:
        super().__init__(*args, setup=setup, prefix=f"robot-{number}")
        self.item, self.number, self.name = item, number, name
        self.problems: list[str] = []
        ruleset, scanner = setup.ruleset, bool(item.get("scanner"))
        self.fields["heading"] = _choice(
            _("Heading"), [(letter, capfirst(direction_name(letter))) for letter in rules.LETTERS]
        )
        self.fields["state"] = _choice(_("State"), [(key, STATES[key]) for key in self._states()])
        damage = _number(item, "damage")
        self.fields["damage"] = NumberField(_("Damage"), 0, max(ruleset.damage_limit - 1, damage))
        if not scanner:
            label = _("Spare lives") if ruleset.spare_lives else _("Lives")
            self.fields["lives"] = NumberField(label, 0, MAX_LIVES)
            if last := stored.checkpoints_of(setup):
                most = last + (self.state == "place")
                self.fields["next"] = NumberField(_("Next checkpoint"), 1, most)
            self._add_cell("archive_column", "archive_row", _("Archive: column"), _("Archive: row"))
        if ruleset.ranks:
            self.fields["rank"] = NumberField(_("Move order"), 1, MAX_ROBOTS)
        if ruleset.squads and not scanner:
            self.fields["squad"] = _choice(_("Squad"), [(key, squad_label(key)) for key in ruleset.squads])
        if ruleset.models and not scanner:
            self.fields["model"] = _choice(_("Model"), [(key, model_name(key)) for key in ruleset.models])
        if setup.options.get("equipment") and not scanner:
            choices = [(key, capfirst(translate(name))) for key, name in EQUIPMENT_NAMES.items()]
            none = pgettext("equipment", "None")
            self.fields["equipment"] = _choice(_("Equipment"), [("", none), *choices], required=False)
        for field in self.fields.values():
            field.widget.attrs["autocomplete"] = "off"
        self.initial = self._values()

    @property
    def state(self) -> str:
        """The key of the robot's state in the document."""
        keys = ("out", "place", "away", "virtual", "down")
        found = next((key for key in keys if self.item.get(key)), ON_BOARD)
        return "down" if found == ON_BOARD and self.item.get("was_down") else found

    @property
    def letter(self) -> str:
        """The letter on the sticker of a player's robot."""
        return letter_of(self.number)

    def _states(self) -> list[str]:
        """Return the states that a robot can have with these rules, and its present one."""
        ruleset = self.setup.ruleset
        can = {
            ON_BOARD: True,
            "virtual": ruleset.virtual_start,
            "down": "power_down" in ruleset.orders,
            "out": True,
        }
        return [key for key in STATES if can.get(key) or key == self.state]

    def _values(self) -> dict[str, Any]:
        item, ship = self.item, self.setup.starship
        at, archive = (read_cell(item.get(key), ship) is not None and item[key] for key in ("at", "archive"))
        values = {key: item.get(key) for key in ("heading", "lives", "next", "rank", "squad", "model")}
        values |= {"state": self.state, "damage": _number(item, "damage"), "equipment": item.get("equipment")}
        for cell, names in ((at, ("column", "row")), (archive, ("archive_column", "archive_row"))):
            values |= {name: number + 1 for name, number in zip(names, cell or (), strict=False)}
        return values

    @property
    def notes(self) -> list[str]:
        """The problems of the robot, and the errors of its fields with their labels."""
        form = gettext("{field}: {problem}")
        return self.problems + [
            form.format(field=self[name].label, problem=text)
            for name, texts in self.errors.items()
            for text in texts
        ]

    @property
    def shown(self) -> Document:
        """The robot as the board shows it: with the values of the form, if they are valid."""
        return self.changed if self.is_bound and self.is_valid() else self.item

    @property
    def changed(self) -> Document:
        """The robot with the values of the valid form, as in a document."""
        given, item = self.cleaned_data, dict(self.item)
        if given["state"] != self.state:
            item = {key: value for key, value in item.items() if key not in STATE_KEYS}
            if given["state"] != ON_BOARD:
                item[given["state"]] = True
        item["at"] = None if given["state"] in GONE else self.cell()
        item["heading"] = given["heading"]
        if given["damage"] is not None and given["damage"] != _number(self.item, "damage"):
            item.pop("locked", None)  # the number of locked registers depends on the damage
            item["damage"] = given["damage"]
        for key in ("lives", "next", "rank", "squad", "model"):
            if given.get(key) is not None:
                item[key] = given[key]
        if "archive_column" in self.fields:
            item["archive"] = self.cell("archive_column", "archive_row")
        if given["state"] == "out":
            item.pop("rank", None)
        if "equipment" in given and given["equipment"] != (item.get("equipment") or ""):
            item.pop("ammo", None)
            item["equipment"] = given["equipment"] or None
        return item


def _choice(label: Any, choices: Sequence[tuple[str, Any]], *, required: bool = True) -> forms.ChoiceField:
    return forms.ChoiceField(label=label, choices=choices, required=required)


def _number(item: Document, key: str) -> int:
    value = item.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


class CrewForm(forms.Form):
    """The form for the number of robots, the options and the house rules of a position.

    Random checkpoints stay as they are, because a game draws them before its start.
    """

    def __init__(
        self, sent: QueryDict | None, *, edition: rules.Ruleset, setup: rules.Setup, robots: int
    ) -> None:
        least, most = edition.seats
        self.groups = {
            "options": [
                (option, f"option-{option.key}")
                for option in edition.options
                if option.key != "random_checkpoints"
            ],
            "house_rules": [(rule, f"house-{rule.key}") for rule in edition.house_rules],
        }
        self.values = {"options": setup.options, "house_rules": setup.house_rules}
        initial = {
            name: self.values[group].get(option.key, option.default)
            for group, fields in self.groups.items()
            for option, name in fields
        }
        super().__init__(sent, initial={"robots": robots, **initial})
        numbers = range(least, most + 1, len(edition.squads) or 1)
        self.fields["robots"] = forms.TypedChoiceField(
            label=pgettext("number", "Robots"), choices=[(each, each) for each in numbers], coerce=int
        )
        for fields in self.groups.values():
            for option, name in fields:
                self.fields[name] = field_of_option(option)

    @property
    def rule_fields(self) -> list[forms.BoundField]:
        """The fields of options and house rules."""
        return [self[name] for fields in self.groups.values() for _option, name in fields]

    def chosen(self, group: str) -> dict[str, Any]:
        """Return the valid form's ``options`` or ``house_rules``."""
        given = {option.key: self.cleaned_data[name] for option, name in self.groups[group]}
        return {**self.values[group], **given}


@dataclass(frozen=True, slots=True)
class SeenBoard:
    """The contents of a board with a position. The values suit `board_of`."""

    robots: Sequence[Document]
    hull: Mapping[str, int]
    links: Sequence[Sequence[Sequence[int]]]
    crystal: Sequence[int] | None


class Placement:
    """A position that a player sets up: its document, its forms, and its problems.

    ``sent`` has the values of a sent form. Raises RulesError if no game can have the setup of the document.
    ``starship`` is the ship in the library. ``beginning`` is None while the position has problems.
    """

    def __init__(
        self, document: Document, *, sent: QueryDict | None = None, starship: Starship | None = None
    ) -> None:
        self.document, self.starship = document, starship
        self.beginning: Beginning | None = None
        self.problems: list[str] = []
        self._read(sent)
        if sent is not None and self._is_valid:
            self._apply()
        if self._is_valid:
            self._check()

    @property
    def _forms(self) -> list[forms.Form]:
        return [self.crew, *self.pieces, *([self.crystal] if self.crystal else [])]

    @property
    def _is_valid(self) -> bool:
        return all(form.is_valid() for form in self._forms if form.is_bound)

    def _read(self, sent: QueryDict | None = None) -> None:
        """Make the forms of the document. Robots that the request does not have are shown as they are."""
        self.setup = setup = read_setup(self.document)
        items = self.document["robots"]
        self.players = sum(not item.get("scanner") for item in items)
        self.pieces = [
            PieceForm(
                sent if sent and f"robot-{number}-heading" in sent else None,
                setup=setup,
                item=item,
                number=number,
                name=self._name(number),
            )
            for number, item in enumerate(items, 1)
        ]
        edition = rules.ruleset(setup.ruleset.key, setup.ruleset.version)
        self.crew = CrewForm(
            sent if sent and "robots" in sent else None, edition=edition, setup=setup, robots=self.players
        )
        self.crystal: CellForm | None = None
        if setup.ruleset.crystal:
            cell = self.document.get("crystal")
            known = cell if cell and read_cell(cell, setup.starship) is not None else []
            initial = dict(zip(("column", "row"), (number + 1 for number in known), strict=False))
            data = sent if sent and "crystal-column" in sent else None
            self.crystal = CellForm(data, setup=setup, prefix="crystal", initial=initial)

    def _name(self, number: int) -> str:
        if number > self.players:
            return gettext("Scanner {number}").format(number=number - self.players)
        return gettext("Robot {number}").format(number=number)

    def _apply(self) -> None:
        """Put the values of the forms into the document, and make the forms of the new one."""
        robots = [form.changed if form.is_bound else form.item for form in self.pieces]
        document = {**self.document, "robots": robots}
        if self.crystal and self.crystal.is_bound:
            document["crystal"] = self.crystal.cell()
        if self.crew.is_bound:
            seats = self.crew.cleaned_data["robots"]
            options, house = self.crew.chosen("options"), self.crew.chosen("house_rules")
            if (seats, options, house) != (self.players, self.setup.options, self.setup.house_rules):
                try:
                    document = positions.reshaped_position(
                        document, seats=seats, options=options, house_rules=house
                    )
                except rules.RulesError as error:
                    for problem in document_problems("crew", error.problems):
                        self.crew.add_error(None, capfirst(problem["detail"]))
                    return
        self.document = document
        self._read()

    def _check(self) -> None:
        try:
            self.beginning = positions.beginning_at(document=self.document, starship=self.starship)
        except Invalid as refusal:
            for problem in refusal.problems:
                number = number_in(str(problem.get("key", "")).removeprefix("robot "), digits=2)
                detail = capfirst(problem["detail"])
                if number and number <= len(self.pieces):
                    self.pieces[number - 1].problems.append(detail)
                else:
                    self.problems.append(detail)

    @property
    def errors_by_control(self) -> dict[str, list[str]]:
        """All errors, by the ID of the control that each is about."""
        found: dict[str, list[str]] = {"id_robots": list(self.problems)}
        for form in self._forms:
            control = form["robots" if form is self.crew else "column"].id_for_label
            if isinstance(form, PieceForm):
                words = gettext("{robot}. {problem}")
                texts = [words.format(robot=form.name, problem=note) for note in form.notes]
            else:
                texts = [str(text) for texts in form.errors.values() for text in texts]
            found.setdefault(control, []).extend(texts)
        return found

    @property
    def errors(self) -> list[str]:
        """All errors, for the line that says whether a game can begin."""
        return [text for texts in self.errors_by_control.values() for text in texts]

    @property
    def board(self) -> SafeString:
        """The drawing of the board with its robots. Values that are no cells are left out."""
        setup, ship = self.setup, self.setup.starship
        robots = [
            {
                "seat": form.number,
                "name": form.name,
                "at": None if read_cell(item.get("at"), ship) is None else item["at"],
                "heading": item.get("heading") if item.get("heading") in [*rules.LETTERS] else "N",
                "damage": min(max(0, _number(item, "damage")), setup.ruleset.damage_limit),
                "virtual": bool(item.get("virtual")),
                "down": bool(item.get("down") or item.get("was_down")),
                "scanner": bool(item.get("scanner")),
            }
            for form in self.pieces
            for item in [form.shown]
        ]
        hull = self.beginning.position.hull if self.beginning else hull_at_start(setup)
        crystal = self.document.get("crystal") if self.crystal else None
        seen = SeenBoard(
            robots=[robot for robot in robots if robot["at"] is not None],
            hull={str(number): left for number, left in hull.items()},
            links=[],
            crystal=None if read_cell(crystal, ship) is None else crystal,
        )
        return board_of(
            stored.drawn_board(setup),
            seen,
            looks={form.number - 1: form.number for form in self.pieces[: self.players]},
            goal=stored.checkpoints_of(setup) or None,
        )

    @property
    def text(self) -> str:
        """The document as JSON, for the hidden field of the page."""
        return rules.canonical(self.document)

    @property
    def seats(self) -> list[tuple[int, str]]:
        """The players' robots in the game, or all of them if none is."""
        players = self.pieces[: self.players]
        playing = [form for form in players if form.state not in ("out", "place")]
        return [(form.number, form.name) for form in playing or players]


# --- Pages --------------------------------------------------------------------------------------------------


class BoardForm(Refusable):
    """The form for the ruleset and the starship of a position. Its choices depend on the ruleset in it.

    ``find`` is the text of a starship search, and ``missed`` is True if the search found no starships.
    """

    ruleset = forms.ChoiceField(
        label=_("Ruleset"), choices=[(key, edition.name) for key, edition in rules.RULESETS.items()]
    )
    starship = forms.IntegerField(
        error_messages={"required": _("Choose a starship."), "invalid": _("Choose a starship from the list.")}
    )

    def __init__(self, asked: Mapping[str, str], *, sent: bool, favourites: frozenset[int]) -> None:
        key = asked.get("ruleset", RULESET)
        self.edition = rules.RULESETS.get(key) or rules.ruleset(RULESET)
        self.find, self.chosen = search_words(asked), asked.get("starship", "")
        chosen = numbers_in([self.chosen])

        def offer(text: str) -> list[Starship]:
            found = fitting_starships(ruleset=self.edition, text=text, favourites=favourites, also=chosen)
            return [ship for ship in found if ship.current and _suits(self.edition, ship)]

        self.ships, self.missed = filter_by_search(self.find, offer, lambda ship: ship, chosen)
        if not sent and not self.chosen and self.ships:
            self.chosen = str(self.ships[0].pk)
        values = {"ruleset": self.edition.key, "starship": self.chosen}
        super().__init__(values if sent else None, initial=values)
        self.groups = group_by_favourite(self.ships, favourites, lambda ship: ship)

    def clean_starship(self) -> Starship:
        """Return the chosen starship. Raises ValidationError if it is not among the choices."""
        number = self.cleaned_data["starship"]
        if ship := next((ship for ship in self.ships if ship.pk == number), None):
            return ship
        raise forms.ValidationError(gettext("Choose a starship from the list."))


def _suits(edition: rules.Ruleset, ship: Starship) -> bool:
    """Return whether a ship suits a ruleset without other checkpoints or a start chosen by the host."""
    assert ship.current
    return rules.suits(edition, starship_of(ship.current))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@require_account
@handle_missing
def set_up(request: HttpRequest) -> HttpResponse:
    """Show the pages to set up a position. On POST, show it with its changes, or create the new game."""
    if request.method == "POST":
        return _changed(request)
    if "game" in request.GET:
        return _from_turn(request)
    sent = "next" in request.GET
    form = BoardForm(request.GET.dict(), sent=sent, favourites=favourite_ids(viewer=viewer_of(request)))
    if sent and form.is_valid():
        ship, edition = form.cleaned_data["starship"], form.edition
        least = max(edition.seats[0], 2, len(edition.squads))
        try:
            document = positions.new_position(ruleset=edition, starship=ship, seats=least)
            return position_page(request, Placement(document, starship=ship))
        except rules.RulesError as error:
            for problem in document_problems("starship", error.problems):
                form.add_error("starship", capfirst(problem["detail"]))
    return render(request, "lobby/set_up_board.html", {"form": form}, status=422 if form.errors else 200)


def _from_turn(request: HttpRequest) -> HttpResponse:
    """Show the position at the start of a turn of a finished game, to change it."""
    game, turn = number_in(request.GET.get("game")), number_in(request.GET.get("turn"))
    try:
        beginning = positions.beginning_in_game(
            viewer=viewer_of(request), game_id=game or 0, turn=turn or 0, link=request.GET.get("link", "")
        )
        positions.refuse_taken_down(beginning)
    except Conflict as refusal:
        messages.error(request, refusal.detail)
        return redirect("games:game", game)
    starship = beginning.revision.starship if beginning.revision else None
    document = positions.written_position(beginning)
    known = None if starship is None or starship.hidden else starship
    return position_page(request, Placement(document, starship=known))


def _changed(request: HttpRequest) -> HttpResponse:
    """Show a sent position again, or create its game if the button says so."""
    text, number = request.POST.get("position", ""), number_in(request.POST.get("starship"), digits=9)
    cost = limits.CHECKS.cost(len(text))
    if wait := limits.consume(limits.CHECKS, limits.requester_of(request), cost):
        return limits.too_many_requests(request, wait)
    starship = None if number is None else starship_for(starship_id=number)
    try:
        placement = Placement(dict(rules.parse(text)), sent=request.POST, starship=starship)
    except rules.RulesError as error:
        (problem, *_more) = document_problems("document", error.problems)
        detail = gettext("This position cannot be read. Begin again. {problem}.")
        messages.error(request, detail.format(problem=capfirst(problem["detail"])))
        return redirect("games:set_up")
    if "play" not in request.POST:
        return position_page(request, placement)
    form = PlayOnForm(request.POST, robots=placement.seats, guest=False)
    if placement.beginning is None or not form.is_valid():
        return position_page(request, placement, form, status=422)
    if wait := limits.consume(limits.PLAYED_ON, limits.requester_of(request)):
        return limits.too_many_requests(request, wait)
    try:
        game = positions.play_on(
            user=user_of(request), beginning=placement.beginning, **form.cleaned_data, now=timezone.now()
        )
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return position_page(request, placement, form, status=refusal.status)
    return begun(request, game)


def position_page(
    request: HttpRequest, placement: Placement, form: PlayOnForm | None = None, *, status: int = 200
) -> HttpResponse:
    """Show a position, to change it and to begin a game."""
    if form is None:
        seats = placement.seats
        kept = ("seat", "opponents", "strength", "names")
        chosen = {key: request.POST[key] for key in kept if key in request.POST}
        if chosen.get("seat") not in [str(number) for number, _name in seats]:
            chosen["seat"] = str(seats[0][0])
        form = PlayOnForm(initial=chosen, robots=seats, guest=False)
    context = {"placement": placement, "ship": stored.drawn_board(placement.setup), "form": form}
    return render(request, "lobby/set_up.html", context, status=status)


def begun(request: HttpRequest, game: Game) -> HttpResponse:
    """Lead to a new game that begins at a position."""
    if game.status == Game.Status.RUNNING:
        messages.success(
            request, gettext("Your game begins at this position. It changes no records or ratings.")
        )
    else:
        messages.success(
            request, gettext("Your game is open. Send its link to the players you want to play with.")
        )
    return redirect("games:game", game.pk)
