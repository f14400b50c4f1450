"""What people fill in to make a game, or to change one that has not started."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games import wording
from games.clocks.inputs import PaceFields, pace_document
from games.errors import ServiceError, number_in
from games.fleet.models import Starship
from games.lobby.forms.policy import AbsenceFields, absence_document
from games.play.models import Game
from games.play.policy import RANDOM
from games.play.terms import PLAIN, SETTINGS, Terms
from games.wording import choice_name, model_name

HOUSE = "house_"
"""What the names of house rules' fields begin with: an option may have the same key."""

Values = dict[str, Any]


STARTS = (
    ("itself", _("Automatically, once it is full and all are ready")),
    ("host", _("When you start it")),
)


def numbers_in(texts: Iterable[object]) -> list[int]:
    """Return the numbers of rows among what was asked for or filled in.

    >>> numbers_in(["12", "", None, "x", 3, "9" * 40])
    [12, 3]
    """
    found = (number_in(str(text), digits=9) for text in texts if text is not None)
    return [number for number in found if number is not None]


class SettingsForm(AbsenceFields, PaceFields):
    """All that a host settles, but for boards that are put together; its options are the ruleset's.

    What does not fit together, a starship and a ruleset for one, is for the service to say:
    `add_refusal` puts it beside the fields.
    """

    starship = forms.ModelChoiceField(
        queryset=Starship.objects.none(),
        widget=forms.RadioSelect,
        empty_label=None,
        error_messages={
            "required": _("Choose a starship."),
            "invalid_choice": _("This starship is not available. Choose another one."),
        },
    )
    name = forms.CharField(
        label=_("Name of the game"),
        max_length=Game._meta.get_field("name").max_length,
        help_text=_("Other players see this name."),
        error_messages={"required": _("The game needs a name.")},
    )
    start = forms.ChoiceField(
        label=_("Start"),
        choices=STARTS,
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
            del self.fields["starship"]  # boards are put together beside the form
        self.fields["seats"] = _seats(ruleset)
        self.fields.update((name, _plain(name)) for name in PLAIN)
        for option in ruleset.options:
            self.fields[option.key] = field_of_option(option)
        for rule in ruleset.house_rules:
            self.fields[HOUSE + rule.key] = field_of_option(rule)

    @property
    def options(self) -> Values:
        return {option.key: self.cleaned_data[option.key] for option in self.ruleset.options}

    @property
    def house_rules(self) -> Values:
        return {rule.key: self.cleaned_data[HOUSE + rule.key] for rule in self.ruleset.house_rules}

    @property
    def plain(self) -> Values:
        return {name: self.cleaned_data[name] or unset(name) for name in PLAIN}

    @property
    def pace_chosen(self) -> Values:
        return pace_document(self.cleaned_data)

    @property
    def absence_chosen(self) -> Values | None:
        """What becomes of players who miss turns, as a document; None where nothing was said of it."""
        return absence_document(self.cleaned_data) if self.cleaned_data["absence"] else None

    @property
    def option_fields(self) -> list[forms.BoundField]:
        """The fields of the options, in the ruleset's order."""
        return [self[option.key] for option in self.ruleset.options]

    @property
    def house_fields(self) -> list[forms.BoundField]:
        """The fields of the house rules, in the ruleset's order."""
        return [self[HOUSE + rule.key] for rule in self.ruleset.house_rules]

    @property
    def departs(self) -> bool:
        """Whether a house rule is other than in the book, or wrong: then they are to be seen."""
        fields = zip(self.house_fields, self.ruleset.house_rules, strict=True)
        return any(field.errors or _departs(rule, field.value()) for field, rule in fields)

    def add_refusal(self, refusal: ServiceError) -> None:
        """Put each fault that the service found beside its field; those of boards are not shown here."""
        if not refusal.problems:
            self._complain("starship" if refusal.code == "no-starship" else None, refusal.detail)
        for problem in refusal.problems:
            match problem["code"]:
                case "boards" | "checkpoints" | "start":
                    continue
                case "option":
                    field = problem["key"]
                case "house-rule":
                    field = HOUSE + problem["key"]
                case code:
                    field = code
            self._complain(field, problem["detail"])

    def _complain(self, field: str | None, detail: str) -> None:
        if field == "starship" and field not in self.fields:
            return
        self.add_error(field if field in self.fields else None, detail)


class CreateGameForm(SettingsForm):
    """A new game: its settings, and its host's squad and model, where the ruleset has them."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if self.ruleset.squads:
            self.fields["squad"] = squad_field(self.ruleset.squads)
        if self.ruleset.models:
            self.fields["model"] = model_field(self.ruleset.models)


def squad_field(squads: Sequence[str]) -> forms.Field:
    return forms.ChoiceField(
        label=gettext("Squad"),
        choices=[(squad, gettext("{squad} squad").format(squad=squad)) for squad in squads],
        widget=forms.RadioSelect,
        initial=squads[0] if squads else "",
        required=False,
    )


def model_field(models: Sequence[str]) -> forms.Field:
    """Return the choice of a robot's model, with what is special about each."""
    return forms.ChoiceField(
        label=gettext("Model"),
        choices=[
            (model, f"{gettext(rules.MODELS[model])} “{wording.SLOGANS_OF_MODELS[model]}”")
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


def _seats(ruleset: rules.Ruleset) -> forms.Field:
    least, most = ruleset.seats
    told = (
        gettext("{least} to {most}, including you, with the same number in each squad.")
        if ruleset.squads
        else gettext("{least} to {most}, including you.")
    )
    return forms.IntegerField(
        label=gettext("Players"),
        min_value=least,
        max_value=most,
        initial=max(2, least),
        help_text=told.format(least=least, most=most),
    )


def unset(name: str) -> Any:
    """Return the value of a plain term of which nothing was filled in.

    >>> unset("private"), unset("least_reliability"), unset("rated")
    (False, 0, 'usual')
    """
    usual = getattr(Terms(), name)
    return usual if SETTINGS[name].choices else type(usual)()


def _plain(name: str) -> forms.Field:
    """Return the field of a plain term: a box to tick, a choice, a number, or a text."""
    known, usual = SETTINGS[name], getattr(Terms(), name)
    shown: dict[str, Any] = {"label": known.label, "help_text": known.help, "initial": usual}
    shown["required"] = False
    if known.choices:
        return forms.ChoiceField(choices=known.choices.choices, widget=forms.RadioSelect, **shown)
    if isinstance(usual, bool):
        return forms.BooleanField(**shown)
    if isinstance(usual, int):
        return forms.IntegerField(min_value=known.least, max_value=known.most, **shown)
    return forms.CharField(**shown)


def field_of_option(option: rules.Option) -> forms.Field:
    label, text = choice_name(option.word), gettext(option.text)
    if option.yes_or_no:
        return forms.BooleanField(label=label, required=False, initial=option.default, help_text=text)
    return forms.IntegerField(
        label=label,
        min_value=option.least,
        max_value=option.most,
        initial=option.default,
        help_text=gettext("{text} {least} to {most}.").format(
            text=text, least=option.least, most=option.most
        ),
    )


def _departs(rule: rules.Option, value: object) -> bool:
    """Return whether what a field holds, as a text or as what it stands for, is not the default."""
    return bool(value) != rule.default if rule.yes_or_no else str(value) != str(rule.default)
