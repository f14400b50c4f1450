"""Forms to create and join games, and the presets of new games."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from django import forms
from django.utils.functional import Promise
from django.utils.text import capfirst, format_lazy
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from accounts.inputs import LooksSelect, SegmentsSelect
from accounts.languages import quoted
from accounts.models import LOOKS
from games import wording
from games.clocks.clock import Bank, Live, Pace, PerTurn
from games.errors import number_in
from games.fleet.models import Starship
from games.lobby.inputs import CompanionNames, PlayOn, QuickGame
from games.lobby.positions import FRIENDS, ONE_SCREEN
from games.lobby.practice import RULESET, computer_numbers, explain_wrong_number, starships_against
from games.play.models import Seat
from games.play.policy import CLEAN_TURNS, COMPUTER, GIVE_UP, MAX_EXCUSED, RANDOM, STANDING, Absence
from games.web.forms import field_of
from games.web.inputs import Pick, Refusable
from games.wording import model_name, option_name, squad_label


@dataclass(frozen=True, slots=True)
class Preset:
    """Preset terms for a new game. Rulesets ignore ``options`` that they do not have."""

    key: str
    name: str | Promise
    text: str | Promise
    seats: int
    pace: Pace
    absence: Absence
    ruleset: str = "robo-runner"
    options: Mapping[str, Any] = field(default_factory=dict)


PRESETS: Mapping[str, Preset] = {
    preset.key: preset
    for preset in (
        Preset(
            "quick-duel",
            _("Quick duel"),
            _("Live, on a small starship."),
            seats=2,
            pace=Live(3),
            absence=Absence(STANDING, 2),
        ),
        Preset(
            "weekend-race",
            _("Weekend race"),
            _("Time you save goes into your time bank."),
            seats=4,
            pace=Bank(12, 1),
            absence=Absence(STANDING, 2),
        ),
        Preset(
            "long-campaign",
            _("Long campaign"),
            _("A large starship, 5 lives each."),
            seats=6,
            pace=PerTurn(48),
            absence=Absence(STANDING, 5),
            options={"lives": 5},
        ),
    )
}
"""The presets by key, in display order."""


ABSENCE_CHOICES = (
    (STANDING, _("Standing orders")),
    (RANDOM, _("Random chips")),
    (COMPUTER, _("A computer plays the turn")),
    (GIVE_UP, _("A computer replaces the player")),
)

NO_LIMIT = "any"
"""The form value for an unlimited number of missed turns."""

EXCUSED_CHOICES = (1, 2, 3, 5, 10)
"""The choices for the number of excused turns before a computer replaces the player."""


def absence_values(chosen: Absence) -> dict[str, Any]:
    """Return the form values of an absence policy."""
    excused = str(chosen.excused) if chosen.excused else NO_LIMIT
    return {"absence": chosen.policy, "excused": "3" if chosen.policy == GIVE_UP else excused}


def absence_document(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the absence policy document for a form's values.

    With the policy `GIVE_UP`, the submitted number of excused turns is ignored: no missed turn is excused.
    """
    policy, excused = given["absence"], given["excused"] or NO_LIMIT
    if policy == GIVE_UP:
        return {"policy": policy, "excused": 0}
    return {"policy": policy, "excused": None if excused == NO_LIMIT else int(excused)}


class AbsenceFields(forms.Form):
    """Form fields for an absence policy.

    The game's current number of excused turns is always among the choices.
    """

    absence = forms.ChoiceField(
        label=_("When a player misses a turn"),
        choices=ABSENCE_CHOICES,
        initial=STANDING,
        help_text=_(
            "If a player’s time runs out, they miss the turn. Each player chooses their own standing orders."
        ),
    )
    excused = forms.ChoiceField(
        label=_("Missed turns allowed"),
        initial="3",
        help_text=format_lazy(
            _(
                "After that, a computer replaces the player until they come back or another player takes"
                " over the seat. Submitting orders on time for {number} turns in a row makes up for one"
                " missed turn."
            ),
            number=CLEAN_TURNS,
        ),
    )

    def offer_excuses(self) -> None:
        """Set the choices for excused turns.

        Fields missing from the submitted data become optional.
        """
        for name in ("absence", "excused"):
            self.fields[name].required = not self.is_bound or name in self.data
        field = self.fields["excused"]
        assert isinstance(field, forms.ChoiceField)
        present = number_in(str(self.initial.get("excused") or ""))
        numbers = set(EXCUSED_CHOICES)
        if present and present <= MAX_EXCUSED:
            numbers.add(present)
        field.choices = [
            *(
                (str(number), ngettext("{number} turn", "{number} turns", number).format(number=number))
                for number in sorted(numbers)
            ),
            (NO_LIMIT, gettext("any number")),
        ]


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """A folding group of form fields, with a ``summary`` of their values."""

    key: str
    title: str
    summary: str
    fields: Sequence[forms.BoundField]
    note: str = ""

    @property
    def open(self) -> bool:
        """Whether the page shows the group unfolded, because a field in the group has an error."""
        return any(field.errors for field in self.fields)


Offer = TypeVar("Offer")

MAX_SEARCH_LENGTH: Final = 80
"""The maximum number of characters in a starship search. Further characters are ignored."""

Groups = list[tuple[str, list[Offer]]]
"""Choices of starships in named groups. Without favourites, there is one group with an empty name."""


def search_words(asked: Mapping[str, Any]) -> str:
    r"""Return the text of a starship search, without null characters or extra spaces.

    >>> search_words({"find": "  tin\0  canoe "})
    'tin canoe'
    """
    return " ".join(str(asked.get("find", "")).replace("\0", " ").split())[:MAX_SEARCH_LENGTH]


def filter_by_search(
    find: str,
    offer: Callable[[str], list[Offer]],
    ship_of: Callable[[Offer], Starship | None],
    chosen: Collection[int],
) -> tuple[list[Offer], bool]:
    """Return the choices for a starship search, and whether the search failed to find a suitable starship.

    ``find`` is the search text. The function ``offer`` returns the choices for a text. The function
    ``ship_of`` returns the starship of a choice, or None if the starship is unsuitable. The ``chosen``
    starships do not count as found, since every search includes them. If no choice is suitable, returns the
    choices for an empty search.
    """
    found = offer(find)
    suiting = [ship.pk for choice in found if (ship := ship_of(choice))]
    return found if suiting or not find else offer(""), bool(find) and set(suiting) <= set(chosen)


def group_by_favourite(
    choices: Iterable[Offer], favourites: Collection[int], ship_of: Callable[[Offer], Starship]
) -> Groups[Offer]:
    """Group choices by starship: favourites first, then other starships.

    Within each group, choices keep their order.
    """
    first: list[Offer] = []
    others: list[Offer] = []
    for choice in choices:
        (first if ship_of(choice).pk in favourites else others).append(choice)
    groups = [(gettext("Your favourites"), first), (gettext("Other starships") if first else "", others)]
    return [(name, some) for name, some in groups if some]


def numbers_in(texts: Iterable[object]) -> list[int]:
    """Return the IDs among submitted values. Values that are not numbers are left out.

    >>> numbers_in(["12", "", None, "x", 3, "9" * 40])
    [12, 3]
    """
    found = (number_in(str(text), digits=9) for text in texts if text is not None)
    return [number for number in found if number is not None]


def squad_field(squads: Sequence[str]) -> forms.Field:
    return forms.ChoiceField(
        label=gettext("Squad"),
        choices=[(squad, squad_label(squad)) for squad in squads],
        widget=forms.RadioSelect,
        initial=squads[0] if squads else "",
        required=False,
    )


def model_field(models: Sequence[str]) -> forms.Field:
    """Return the form field to choose a robot's model. Each choice has a slogan about the model."""
    return forms.ChoiceField(
        label=gettext("Model"),
        choices=[
            (model, f"{gettext(rules.MODELS[model])} {quoted(wording.SLOGANS_OF_MODELS[model])}")
            for model in models
        ],
        widget=forms.RadioSelect,
        initial=models[0],
        required=False,
        error_messages={
            "invalid_choice": gettext("Choose one of these: {models}.").format(
                models=", ".join(map(model_name, models))
            )
        },
    )


def field_of_option(option: rules.Option) -> forms.Field:
    label, text = option_name(option.name_key), gettext(option.text)
    if option.yes_or_no:
        return forms.BooleanField(label=label, required=False, initial=option.default, help_text=text)
    return forms.IntegerField(
        label=label,
        min_value=option.least,
        max_value=option.most,
        initial=option.default,
        help_text=gettext("{text} Choose a number from {least} to {most}.").format(
            text=text, least=option.least, most=option.most
        ),
    )


class FreeLooks(LooksSelect):
    """A widget to choose a robot's picture. Taken pictures are disabled, and show the player's name."""

    taken: Mapping[int, str] = {}

    def create_option(self, name: str, value: Any, *more: Any, **extra: Any) -> dict[str, Any]:
        option = super().create_option(name, value, *more, **extra)
        if owner := self.taken.get(value):
            option["attrs"]["disabled"] = True
            option["taken_by"] = owner
        return option


class RobotForm(forms.Form):
    """The form for a robot's look (its picture), and for its squad and model if the ruleset has them.

    ``taken`` maps the looks of the other robots to their players' names. ``full`` has the squads without a
    free seat.
    """

    look = forms.ChoiceField(label=_("Robot"), required=False, widget=FreeLooks)

    def __init__(
        self,
        *args: Any,
        ruleset: rules.Ruleset,
        taken: Mapping[int, str],
        full: Sequence[str] = (),
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        look = self.fields["look"]
        assert isinstance(look, forms.ChoiceField) and isinstance(look.widget, FreeLooks)
        look.choices = [(number, str(number)) for number in range(1, LOOKS + 1)]
        look.widget.taken = taken
        if ruleset.squads:
            self.fields["squad"] = squad_field([squad for squad in ruleset.squads if squad not in full])
        if ruleset.models:
            self.fields["model"] = model_field(ruleset.models)


class ComputerForm(RobotForm):
    """The form for a computer's level and robot."""

    strength = field_of(QuickGame, "strength", initial=Seat.Level.PILOT)
    field_order = ["strength", "look"]


class QuickForm(Refusable):
    """The form for a game against computers: the computers' level and number, the ruleset and the starship.

    ``asked`` has the requested values. The choices depend on its ruleset and its number of computers. Each
    field has a default. The service refuses combinations that do not fit, and `add_refusal` shows the reasons
    beside the fields. Starships in ``favourites`` come first, and may be prototypes. ``find`` is the text of
    a starship search, and ``missed`` is True if the search found no starships.
    """

    strength = field_of(
        QuickGame,
        "strength",
        error_messages={"invalid_choice": _("There is no level “%(value)s”. Choose one from the list.")},
    )
    computers = forms.TypedChoiceField(label=_("Computers"), coerce=int, initial="1", widget=SegmentsSelect)
    ruleset = forms.ChoiceField(
        label=_("Ruleset"),
        choices=[(key, edition.name) for key, edition in rules.RULESETS.items()],
        initial=RULESET,
        error_messages={"invalid_choice": _("There is no ruleset “%(value)s”. Choose one from the list.")},
    )
    starship = forms.IntegerField(
        required=False, error_messages={"invalid": _("Choose a starship from the list.")}
    )

    def __init__(self, asked: Mapping[str, str], *, sent: bool, favourites: Collection[int] = ()) -> None:
        usual = {name: str(field.initial) for name, field in self.base_fields.items() if field.initial}
        given = usual | {name: asked[name] for name in self.base_fields if name in asked}
        self.edition = rules.RULESETS.get(given["ruleset"]) or rules.ruleset(RULESET)
        numbers = [str(number) for number in computer_numbers(self.edition)]
        number = given["computers"] if given["computers"] in numbers else numbers[0]
        self.find, self.robots = search_words(asked), 1 + int(number)
        chosen = numbers_in([given.get("starship", "")])

        def offer(text: str) -> list[Starship]:
            return starships_against(
                ruleset=self.edition, computers=int(number), text=text, favourites=favourites, also=chosen
            )

        self.ships, self.missed = filter_by_search(self.find, offer, lambda ship: ship, chosen)
        if sent:
            super().__init__(given)
        else:
            levels = Seat.Level.values
            strength = given["strength"] if given["strength"] in levels else usual["strength"]
            known = {"strength": strength, "computers": number, "ruleset": self.edition.key}
            super().__init__(initial=known)
        field = self.fields["computers"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(each, each) for each in numbers]
        field.error_messages["invalid_choice"] = explain_wrong_number(self.edition, "%(value)s")
        self.groups = group_by_favourite(self.ships, favourites, lambda ship: ship)
        wanted = given.get("starship", "")
        usually = (str(ship.pk) for ship in self.ships if not ship.is_prototype)
        self.chosen = wanted if wanted in {str(ship.pk) for ship in self.ships} else next(usually, "")


LARGEST_FILE: Final = 4 * 1024 * 1024
"""The maximum size of an uploaded game, in bytes. The API has the same limit."""


class CompanionNamesField(forms.Field):
    """A form field for the names of the other players at a screen, one a line."""

    def __init__(self, **more: Any) -> None:
        more["label"] = _("Names of the other people at this screen")
        more["help_text"] = _(
            "One name a line, in the order of the robots that you do not play. If a line is empty, a computer"
            " plays the robot. Only for people at this screen."
        )
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 3}), **more)

    def to_python(self, value: Any) -> list[str]:
        """Return the names. Raises ValidationError with all their errors, or if there are too many."""
        declared = PlayOn().fields["names"]
        assert isinstance(declared, CompanionNames)
        lines = str(value or "").rstrip().splitlines()
        if declared.max_length is not None and len(lines) > declared.max_length:
            raise forms.ValidationError(
                gettext("Enter at most {number} names.").format(number=declared.max_length)
            )
        names = [declared.name.to_internal_value(line) for line in lines]
        if faults := declared.faults(names):
            raise forms.ValidationError(faults)
        return names


def drop_hidden_names(form: forms.Form) -> None:
    """Drop the names of companions and their errors, unless people at one screen play.

    Pages hide the field otherwise.
    """
    if form.cleaned_data.get("opponents") != ONE_SCREEN:
        form.errors.pop("names", None)
        form.cleaned_data.pop("names", None)


class PlayOnForm(Refusable):
    """The form for a game that begins at a position: the player's robot, and the players of the others.

    ``robots`` has the seats whose robots are in the game, with their names.
    """

    seat = forms.TypedChoiceField(label=_("Your robot"), coerce=int, widget=SegmentsSelect)
    opponents = field_of(PlayOn, "opponents")
    names = CompanionNamesField()
    strength = field_of(PlayOn, "strength")

    def __init__(self, *args: Any, robots: Sequence[tuple[int, str]], guest: bool, **more: Any) -> None:
        super().__init__(*args, **more)
        seat, opponents = self.fields["seat"], self.fields["opponents"]
        assert isinstance(seat, forms.TypedChoiceField)
        assert isinstance(opponents, forms.TypedChoiceField)
        seat.choices = list(robots)
        seat.initial = robots[0][0]
        without = {FRIENDS} if guest else set()  # guests have no lobby
        if len(robots) == 1:
            del self.fields["names"]
            without.add(ONE_SCREEN)
        declared = PlayOn().fields["opponents"]
        assert isinstance(declared, Pick)
        opponents.choices = [each for each in declared.choices.items() if each[0] not in without]
        if without == {FRIENDS, ONE_SCREEN}:
            del self.fields["opponents"]

    def clean(self) -> dict[str, Any]:
        """Ignore names that the page hides."""
        drop_hidden_names(self)
        return super().clean() or {}


class LoadForm(Refusable):
    """The form to load a game: a file or a pasted document, its turn, and the player's seat."""

    upload = forms.FileField(
        label=_("File"),
        required=False,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
        help_text=_("A game that you downloaded here, or a position/1 document."),
        error_messages={"empty": _("This file is empty.")},
    )
    text = forms.CharField(
        label=_("Or paste it"), required=False, strip=False, widget=forms.Textarea(attrs={"rows": 8})
    )
    upload.often_needed = text.often_needed = True  # type: ignore[attr-defined]  # one of the two is
    turn = forms.IntegerField(
        label=_("Turn"),
        required=False,
        min_value=1,
        max_value=100_000,
        help_text=_("The new game begins at the start of this turn. Default: the last turn."),
    )
    seat = forms.IntegerField(
        label=_("Your seat"),
        required=False,
        min_value=1,
        max_value=100,
        help_text=_("Default: the first seat whose robot is in the game."),
    )
    opponents = field_of(PlayOn, "opponents")
    names = CompanionNamesField()
    strength = field_of(PlayOn, "strength")

    document: Any = None

    def clean(self) -> dict[str, Any]:
        """Read the uploaded file, or else the pasted text, as JSON into ``document``."""
        drop_hidden_names(self)
        cleaned: dict[str, Any] = super().clean() or {}
        upload, text = cleaned.pop("upload", None), cleaned.pop("text", "") or ""
        field = "text" if upload is None else "upload"
        if self.errors:
            return cleaned
        if not (upload or text.strip()):
            self.add_error("upload", gettext("Choose a file, or paste a document."))
        elif (upload.size if upload else len(text)) > LARGEST_FILE:
            self.add_error(field, gettext("This file is larger than 4 MB. Choose a smaller one."))
        else:
            try:
                self.document = rules.parse(upload.read() if upload else text)
            except rules.NotationError as error:
                (problem,) = error.problems
                self.add_error(field, capfirst(problem.in_words(wording.WORDS)))
        return cleaned
