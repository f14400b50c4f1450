"""The form for a game's settings: rules, board, players and options, in folding groups."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _, pgettext

import rules
from games.clocks import paces
from games.clocks.inputs import PaceFields, pace_document
from games.errors import ServiceError, number_in
from games.fleet.models import Starship
from games.fleet.selectors import Suitability, favourite_ids, verdicts_on_ships
from games.lobby.forms import (
    AbsenceFields,
    FieldGroup,
    absence_document,
    field_of_option,
    filter_by_search,
    group_by_favourite,
    model_field,
    numbers_in,
    search_words,
    squad_field,
)
from games.lobby.inputs import GameTerms
from games.lobby.pages.courses import Assembly, Values, assembly_of
from games.play.policy import COMPUTER, GIVE_UP, RANDOM, STANDING
from games.play.terms import PLAIN_FIELDS, SETTINGS, Terms
from games.web.forms import field_of
from games.web.pages import user_of
from games.wording import model_name, option_in_words, option_name, squad_label, value_in_words

ABSENCE_SUMMARIES = {
    STANDING: _("Missed turns: standing orders are played."),
    RANDOM: _("Missed turns: random chips are played."),
    COMPUTER: _("Missed turns: a computer plays them."),
    GIVE_UP: _("Missed turns: a computer replaces the player."),
}
"""A short sentence about what happens after missed turns, for each absence policy."""


HOUSE_RULE_PREFIX = "house_"
"""The prefix for field names of house rules, since an option may have the same key."""


START_CHOICES = (
    ("itself", _("Automatically, once the game is full and everyone is ready")),
    ("host", _("When you start it")),
)


class SettingsForm(AbsenceFields, PaceFields):
    """The form for a game's settings, except a composed board. The fields for options depend on the ruleset.

    The service refuses settings that do not fit together, such as a starship and a ruleset. `add_refusal`
    shows the service's reasons beside the fields. ``club`` is the name of the club whose members can join.
    """

    club = ""
    starship = forms.ModelChoiceField(
        label=_("Starship"),
        queryset=Starship.objects.none(),
        widget=forms.RadioSelect,
        empty_label=None,
        error_messages={
            "required": _("Choose a starship."),
            "invalid_choice": _("This starship is not available. Choose another one."),
        },
    )
    name = field_of(GameTerms, "name")
    start = forms.ChoiceField(
        label=_("How the game starts"),
        choices=START_CHOICES,
        initial="itself",
        required=False,
        widget=forms.RadioSelect,
    )

    def __init__(
        self,
        *args: Any,
        ruleset: rules.Ruleset,
        starships: Iterable[Starship],
        zones: Iterable[str],
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.ruleset = ruleset
        self.offer_paces(zones)
        self.offer_excuses()
        if ruleset.chance_fills:
            self.fields["absence"].initial = RANDOM
        field = self.fields["starship"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Starship.objects.filter(pk__in=[ship.pk for ship in starships])
        if ruleset.boards > 1:
            del self.fields["starship"]  # the page composes boards beside the form
        self.fields["seats"] = _seats(ruleset)
        self.fields.update((name, field_of(GameTerms, name)) for name in PLAIN_FIELDS)
        for option in ruleset.options:
            self.fields[option.key] = field_of_option(option)
        for rule in ruleset.house_rules:
            self.fields[HOUSE_RULE_PREFIX + rule.key] = field_of_option(rule)

    @property
    def options(self) -> dict[str, Any]:
        return {option.key: self.cleaned_data[option.key] for option in self.ruleset.options}

    @property
    def house_rules(self) -> dict[str, Any]:
        return {
            rule.key: self.cleaned_data[HOUSE_RULE_PREFIX + rule.key] for rule in self.ruleset.house_rules
        }

    @property
    def plain(self) -> dict[str, Any]:
        return {name: _or_default(name, self.cleaned_data[name]) for name in PLAIN_FIELDS}

    @property
    def pace_chosen(self) -> dict[str, Any]:
        return pace_document(self.cleaned_data)

    @property
    def absence_chosen(self) -> dict[str, Any] | None:
        """The absence policy as a document, or None if the sent form has none."""
        return absence_document(self.cleaned_data) if self.cleaned_data["absence"] else None

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[option.key] for option in self.ruleset.options]

    @property
    def house_fields(self) -> list[forms.BoundField]:
        return [self[HOUSE_RULE_PREFIX + rule.key] for rule in self.ruleset.house_rules]

    @property
    def departs(self) -> bool:
        """Whether any house rule differs from the rulebook or is invalid.

        If so, the page shows all house rules.
        """
        fields = zip(self.house_fields, self.ruleset.house_rules, strict=True)
        return any(field.errors or _departs(rule, field.value()) for field, rule in fields)

    def add_refusal(self, refusal: ServiceError) -> None:
        """Show each problem in a service's error beside its field. Ignore problems with a composed board."""
        if not refusal.problems:
            self._complain("starship" if refusal.code == "no-starship" else None, refusal.detail)
        for problem in refusal.problems:
            match problem["code"]:
                case "boards" | "checkpoints" | "start":
                    continue
                case "option":
                    field = problem["key"]
                case "house-rule":
                    field = HOUSE_RULE_PREFIX + problem["key"]
                case code:
                    field = code
            self._complain(field, problem["detail"])

    def _complain(self, field: str | None, detail: str) -> None:
        if field == "starship" and field not in self.fields:
            return
        self.add_error(field if field in self.fields else None, detail)


class CreateGameForm(SettingsForm):
    """The form for a new game, with the host's squad and model if the ruleset has them."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if self.ruleset.squads:
            self.fields["squad"] = squad_field(self.ruleset.squads)
        if self.ruleset.models:
            self.fields["model"] = model_field(self.ruleset.models)


def _seats(ruleset: rules.Ruleset) -> forms.Field:
    least, most = ruleset.seats
    message = (
        gettext("{least} to {most}, including you, with the same number in each squad.")
        if ruleset.squads
        else gettext("{least} to {most}, including you.")
    )
    return forms.IntegerField(
        label=pgettext("number", "Players"),
        min_value=least,
        max_value=most,
        initial=max(2, least),
        help_text=message.format(least=least, most=most),
    )


def _departs(rule: rules.Option, value: object) -> bool:
    """Return whether a field's value differs from the default of its house rule. The value may be text."""
    return bool(value) != rule.default if rule.yes_or_no else str(value) != str(rule.default)


def field_groups(form: SettingsForm) -> list[FieldGroup]:
    """Return the groups of a form's fields. Groups without fields in this ruleset are left out."""
    groups = [
        FieldGroup(
            "time", gettext("Time"), _time(form), _fields(form, "pace", "at", "zone", "absence", "excused")
        ),
        FieldGroup(
            "joining", gettext("Joining"), _joining_summary(form), _fields(form, *PLAIN_FIELDS, "start")
        ),
        FieldGroup("robot", gettext("Your robot"), _robot(form), _fields(form, "squad", "model")),
        FieldGroup("options", gettext("Options"), _options(form), form.option_fields),
        FieldGroup(
            "house",
            gettext("House rules"),
            _house_rules(form),
            form.house_fields,
            gettext("By default, the rulebook applies."),
        ),
    ]
    return [group for group in groups if group.fields]


def _fields(form: SettingsForm, *names: str) -> list[forms.BoundField]:
    return [form[name] for name in names if name in form.fields]


def _time(form: SettingsForm) -> str:
    """Return a summary of the time for a turn, and of what happens if a player misses a turn."""
    document = pace_document({"pace": "0"})
    given = {name: form[name].value() for name in ("pace", "at", "zone")}
    try:
        at = time.fromisoformat(str(given["at"])) if given["at"] else None
        document = pace_document({**given, "pace": str(given["pace"]), "at": at})
        pace = paces.read_pace(document)
    except ValueError:
        return ""
    said = f"{_capital(paces.pace_in_words(pace))}."
    missed = ABSENCE_SUMMARIES.get(str(form["absence"].value()), "")
    return f"{said} {missed}" if pace and missed else said


def _joining_summary(form: SettingsForm) -> str:
    said = []
    for name in PLAIN_FIELDS:
        value = _plain_value(form, name)
        if name == "private" and not value and form.club:
            said.append(gettext("Only members of {club}").format(club=form.club))
        else:
            said.append(SETTINGS[name].in_short(value))
    said.append(
        gettext("you start the game")
        if form["start"].value() == "host"
        else gettext("starts when full and ready")
    )
    return ", ".join(filter(None, said))


def _plain_value(form: SettingsForm, name: str) -> Any:
    """Return the value of a term of `PLAIN_FIELDS`, or its default if the value is invalid."""
    try:
        field = form.fields[name]
        value = field.clean(form[name].value())
    except forms.ValidationError:
        value = None
    return _or_default(name, value)


def _or_default(name: str, value: Any) -> Any:
    """Return the value of a field, or the default of its term if nothing was filled in."""
    return getattr(Terms(), name) if value in (None, "") else value


def _robot(form: SettingsForm) -> str:
    squad, model = (form[name].value() if name in form.fields else "" for name in ("squad", "model"))
    said = [
        squad_label(str(squad)) if squad else "",
        model_name(str(model)) if model else "",
    ]
    return _capital(", ".join(filter(None, said)))


def _options(form: SettingsForm) -> str:
    chosen = zip(form.ruleset.options, form.option_fields, strict=True)
    said = [option_in_words(option.name_key, _value(option, field)) for option, field in chosen]
    return _capital(", ".join(filter(None, said))) or pgettext("options", "None")


def _house_rules(form: SettingsForm) -> str:
    return ", ".join(_changed_house_rules(form)) or gettext("As in the rulebook")


def _changed_house_rules(form: SettingsForm) -> Iterator[str]:
    for rule, field in zip(form.ruleset.house_rules, form.house_fields, strict=True):
        if (value := _value(rule, field)) != rule.default:
            yield gettext("{rule}: {value}").format(rule=option_name(rule.key), value=value_in_words(value))


def _value(option: rules.Option, field: forms.BoundField) -> int | bool:
    """Return an option's value in a form, or its default if the value is not a number."""
    value = field.value()
    if option.yes_or_no:
        return bool(value)
    number = number_in(str(value), digits=4)
    return option.default if number is None else number


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


STEP_BUTTONS = ("add", "more", "show")
"""The names of buttons that only show the form again.

"add" adds a board, "more" adds fields for further boards, and "show" updates the board or the starships.
"""

CHOICE_BUTTONS = ("edition", "preset")
"""The names of buttons for choosing another ruleset or a preset.

The values in other fields stay if the ruleset allows them.
"""

MAX_PLAYERS = 8
"""The largest number of players in the filters of the starship library."""

MAX_BOARDS = 100
"""The maximum number of starships looked up for one form."""

TermsContext = dict[str, Any]


@dataclass(slots=True)
class Blueprint:
    """The draft of a game's settings in a request.

    If ``sent`` is True, the request saves the settings. Otherwise the page shows the form again. ``assembly``
    is the composed board, in rulesets that join boards, and ``joining`` is True while the host works on it.
    ``favourites`` are the IDs of the host's favourite starships. ``find`` is the text of a starship search,
    and ``missed`` is True if the search found no suitable starships. ``robots`` is the number of players.
    ``reset`` has the labels of settings that the chosen ruleset does not allow.
    """

    verdicts: list[Suitability]
    form: SettingsForm
    assembly: Assembly | None
    sent: bool
    joining: bool = False
    favourites: frozenset[int] = frozenset()
    find: str = ""
    missed: bool = False
    robots: int = 0
    reset: tuple[str, ...] = ()

    @property
    def edition(self) -> rules.Ruleset:
        return self.form.ruleset

    @property
    def complete(self) -> bool:
        """Whether the form has been sent and is valid. The service may still refuse its settings."""
        return self.sent and self.form.is_valid() and not (self.assembly and self.assembly.faulty)

    @property
    def board(self) -> TermsContext:
        """The board, as fields of `Terms`."""
        if self.assembly:
            start = {"start": self.assembly.start} if self.assembly.begin else {}
            return {"boards": self.assembly.boards, "checkpoints": self.assembly.checkpoints, **start}
        return {"starship": self.form.cleaned_data["starship"].pk}

    @property
    def terms(self) -> TermsContext:
        """All settings except the board, as fields of `Terms`."""
        given = self.form.cleaned_data
        return {
            "name": given["name"],
            "ruleset": self.edition.key,
            "options": self.form.options,
            "house_rules": self.form.house_rules,
            "seats": given["seats"],
            **self.form.plain,
            "pace": self.form.pace_chosen,
            **({} if self.form.absence_chosen is None else {"absence": self.form.absence_chosen}),
            "starts_itself": given["start"] != "host",
        }

    def add_refusal(self, refusal: ServiceError) -> None:
        """Show each problem in a service's error beside its field, or beside the composed board."""
        self.form.add_refusal(refusal)
        if self.assembly:
            self.assembly.add_refusal(refusal)

    @property
    def context(self) -> TermsContext:
        form = self.form
        boards = self._boards
        suiting = [verdict for verdict in self.verdicts if verdict.suits]
        chosen = boards if len(boards) == 1 else []
        return {
            "editions": editions(),
            "edition": self.edition,
            "form": form,
            "folds": field_groups(form),
            "assembly": self.assembly,
            "joining": self.joining or len(boards) > 1 or bool(self.assembly and self.assembly.wrong),
            "ships": group_by_favourite(suiting, self.favourites, lambda verdict: verdict.starship),
            "favourites": self.favourites & {verdict.starship.pk for verdict in suiting},
            "unsuitable": [verdict for verdict in self.verdicts if not verdict.suits],
            "chosen": numbers_in(chosen),
            "find": self.find,
            "missed": self.missed,
            "reset": self.reset,
            "robots": self.robots if self.robots <= MAX_PLAYERS else 0,
            "picked": next((each for each in self.verdicts if str(each.starship.pk) in chosen), None),
        }

    @property
    def _boards(self) -> list[str]:
        """The IDs of the chosen starships, as text from the form."""
        if self.assembly:
            return [slot.starship for slot in self.assembly.slots if slot.starship]
        return [str(self.form["starship"].value() or "")] if "starship" in self.form.fields else []


def editions() -> list[rules.Ruleset]:
    """Return the rulesets to choose from."""
    return list(rules.RULESETS.values())


def ruleset_asked_for(request: HttpRequest) -> str:
    """Return the key of the ruleset chosen with a button, or else of the ruleset in the form or the URL.

    Returns "" if none of them names a ruleset.
    """
    chosen = request.POST.get("edition") or request.POST.get("ruleset")
    return chosen or request.GET.get("ruleset") or ""


def draft_of(
    request: HttpRequest,
    edition: rules.Ruleset,
    *,
    kind: type[SettingsForm],
    initial: Mapping[str, Any],
    boards: Values,
    preset: Mapping[str, Any] | None = None,
) -> Blueprint:
    """Return the draft of a game's settings from a request.

    Until the form is sent, the draft has the ``initial`` values and ``boards``. If the starship does not suit
    the ruleset, the best starship replaces it. A ``preset`` replaces the settings that it names. If the host
    chooses another ruleset, all other values stay, unless that ruleset does not allow them.
    """
    picks = request.method == "POST" and any(pick in request.POST for pick in CHOICE_BUTTONS)
    filled = request.method == "POST" and not picks
    sent = filled and not is_step(request.POST)
    zones = [user_of(request).time_zone, "UTC"]
    favourites = favourite_ids(viewer=user_of(request))
    reset: tuple[str, ...] = ()
    if picks:
        kept, reset = _carried_over(request, edition, kind, initial, preset or {}, zones, favourites)
        initial = {**initial, **kept}
        boards = {**request.POST.dict(), "board-1": initial.get("starship") or ""}
    initial = {**initial, **(preset or {})}
    seats = request.POST.get("seats") if filled else initial.get("seats")
    asked = request.POST if filled else {**boards, "starship": initial.get("starship")}
    chosen = boards_in(asked)
    find = search_words(request.POST if filled else request.GET)

    robots = _robots(edition, seats)

    def offer(text: str) -> list[Suitability]:
        return verdicts_on_ships(edition, robots, text=text, favourites=favourites, also=chosen)

    verdicts, missed = filter_by_search(
        find, offer, lambda each: each.starship if each.suits else None, chosen
    )
    ships = [verdict.starship for verdict in verdicts if verdict.suits]
    assembly = None
    if edition.boards > 1 and ships:
        given = request.POST if filled else _known(boards, ships)
        assembly = assembly_of(given, edition, ships)
    form = kind(
        request.POST if sent else None,
        ruleset=edition,
        starships=[verdict.starship for verdict in verdicts],
        zones=zones,
        initial={**initial, "starship": _starship(initial, verdicts)},
    )
    if filled and not sent:
        form.initial = {name: request.POST.get(name, "") for name in form.fields}
    joining = is_step(request.POST)
    return Blueprint(verdicts, form, assembly, sent, joining, favourites, find, missed, robots, reset)


def is_step(asked: Mapping[str, Any]) -> bool:
    """Return whether a request only asks to show the form again, with a button or with a new search."""
    searches = "enter" in asked and "find" in asked and search_words(asked) != asked.get("searched", "")
    return searches or any(step in asked for step in STEP_BUTTONS)


def _carried_over(
    request: HttpRequest,
    edition: rules.Ruleset,
    kind: type[SettingsForm],
    initial: Mapping[str, Any],
    preset: Mapping[str, Any],
    zones: list[str],
    favourites: frozenset[int],
) -> tuple[TermsContext, tuple[str, ...]]:
    """Return the sent values that another ruleset allows, and the labels of fields with disallowed values.

    Untouched defaults are left out, since the other ruleset may have different defaults.
    """
    before = rules.RULESETS.get(request.POST.get("ruleset", ""), edition)
    ship = number_in(request.POST.get("starship") or request.POST.get("board-1"), digits=9)
    robots = _robots(before, request.POST.get("seats"))
    best = _starship({}, verdicts_on_ships(before, robots, favourites=favourites))
    kept: TermsContext = {} if ship in (None, best) else {"starship": ship}
    old = kind(request.POST, ruleset=before, starships=[], zones=zones, initial={**initial})
    new = kind(ruleset=edition, starships=[], zones=zones)
    reset = []
    for name in old.changed_data:
        omitted = old.fields[name].widget.value_omitted_from_data(request.POST, {}, name)
        if name == "starship" or name in preset or omitted:
            continue
        value = old[name].data
        try:
            new.fields[name].clean(value)
        except (KeyError, forms.ValidationError):
            reset.append(str(old[name].label))
        else:
            kept[name] = value
    return kept, tuple(reset)


def _starship(initial: Mapping[str, Any], verdicts: list[Suitability]) -> int | None:
    """Return the ID of the starship to select when the form is first shown, or None if no starship suits.

    The initial starship stays selected unless it is unsuitable, even if it is retired. Otherwise, the best
    suitable starship is selected. Prototypes, and starships without room for all players, are never
    selected by default.
    """
    asked = initial.get("starship")
    unsuitable = [verdict.starship.pk for verdict in verdicts if not verdict.suits]
    if asked is not None and asked not in unsuitable:
        return int(asked)
    ships = [verdict.starship for verdict in verdicts if verdict.suits and not verdict.crowded]
    return next((ship.pk for ship in ships if not ship.is_prototype), None)


def _robots(edition: rules.Ruleset, seats: object) -> int:
    """Return the number of players in a form, within the ruleset's limits. The default is 2."""
    least, most = edition.seats
    number = number_in(str(seats), digits=3)
    return min(most, max(least, 2 if number is None else number))


def boards_in(values: Mapping[str, Any]) -> list[int]:
    """Return the IDs of the starships chosen in a form. They may be prototypes."""
    keys = [key for key in values if key == "starship" or key.startswith("board-")]
    return numbers_in(values[key] for key in keys[:MAX_BOARDS])


def _known(boards: Values, ships: list[Starship]) -> Values:
    """Return the boards of a form, or only the first offered starship if any board is not offered."""
    known = {str(ship.pk) for ship in ships}
    asked = [value for key, value in boards.items() if key.startswith("board-")]
    return boards if asked and known.issuperset(asked) else {"board-1": str(ships[0].pk)}
