"""The settings of a game in groups that fold, each with a line that says what is set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks import paces
from games.clocks.inputs import pace_document
from games.errors import number_in
from games.lobby.forms.terms import SettingsForm, unset
from games.play.policy import COMPUTER, GIVE_UP, RANDOM, STANDING
from games.play.terms import PLAIN, SETTINGS, Terms
from games.wording import choice, choice_name, model_name, option_in_words

MISSED = {
    STANDING: _("standing orders are played"),
    RANDOM: _("random chips are played"),
    COMPUTER: _("a computer plays"),
    GIVE_UP: _("the player loses the seat"),
}
"""What becomes of missed turns, in as few words as possible."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A group of fields. ``said`` is what they are set to, in a few words."""

    key: str
    title: str
    said: str
    fields: Sequence[forms.BoundField]
    note: str = ""

    @property
    def open(self) -> bool:
        """Whether it is to be seen at once, since something in it is wrong."""
        return any(field.errors for field in self.fields)


def folds_of(form: SettingsForm) -> list[Fold]:
    """Return the groups of a form, without those that are empty in its ruleset."""
    groups = [
        Fold("time", gettext("Time"), _time(form), _fields(form, "pace", "at", "zone", "absence", "excused")),
        Fold("joining", gettext("Joining"), _joining(form), _fields(form, *PLAIN, "start")),
        Fold("robot", gettext("Your robot"), _robot(form), _fields(form, "squad", "model")),
        Fold("options", gettext("Options"), _options(form), form.option_fields),
        Fold(
            "house",
            gettext("House rules"),
            _house_rules(form),
            form.house_fields,
            gettext("Without changes, the rulebook applies."),
        ),
    ]
    return [group for group in groups if group.fields]


def _fields(form: SettingsForm, *names: str) -> list[forms.BoundField]:
    return [form[name] for name in names if name in form.fields]


def _time(form: SettingsForm) -> str:
    """Say how long a turn takes, and what happens when its time is up."""
    document = pace_document({"pace": "0"})
    given = {name: form[name].value() for name in ("pace", "at", "zone")}
    try:
        at = time.fromisoformat(str(given["at"])) if given["at"] else None
        document = pace_document({**given, "pace": str(given["pace"]), "at": at})
        pace = paces.read_pace(document)
    except ValueError:
        return ""
    said = f"{_capital(paces.pace_in_words(pace))}."
    missed = MISSED.get(str(form["absence"].value()), "")
    return (
        gettext("{pace} If missed: {consequence}.").format(pace=said, consequence=missed)
        if pace and missed
        else said
    )


def _joining(form: SettingsForm) -> str:
    said = [SETTINGS[name].in_short(_plain(form, name)) for name in PLAIN]
    said.append(
        gettext("you start the game")
        if form["start"].value() == "host"
        else gettext("starts when full and ready")
    )
    return ", ".join(filter(None, said))


def _plain(form: SettingsForm, name: str) -> Any:
    """Return what a plain term is set to; what is no value of it counts as the usual one."""
    try:
        field = form.fields[name]
        value = field.to_python(form[name].value())
        field.validate(value)
    except forms.ValidationError:
        return getattr(Terms(), name)
    return value or unset(name)


def _robot(form: SettingsForm) -> str:
    squad, model = (form[name].value() if name in form.fields else "" for name in ("squad", "model"))
    said = [
        gettext("{squad} squad").format(squad=squad) if squad else "",
        model_name(str(model)) if model else "",
    ]
    return _capital(", ".join(filter(None, said)))


def _options(form: SettingsForm) -> str:
    chosen = zip(form.ruleset.options, form.option_fields, strict=True)
    said = [option_in_words(option.word, _value(option, field)) for option, field in chosen]
    return _capital(", ".join(filter(None, said))) or gettext("None")


def _house_rules(form: SettingsForm) -> str:
    return ", ".join(_departures(form)) or gettext("As in the rulebook")


def _departures(form: SettingsForm) -> Iterator[str]:
    for rule, field in zip(form.ruleset.house_rules, form.house_fields, strict=True):
        if (value := _value(rule, field)) != rule.default:
            yield gettext("{rule}: {value}").format(rule=choice_name(rule.key), value=choice(value))


def _value(option: rules.Option, field: forms.BoundField) -> int | bool:
    """Return what an option is set to; what is no number counts as its default."""
    value = field.value()
    if option.yes_or_no:
        return bool(value)
    number = number_in(str(value), digits=4)
    return option.default if number is None else number


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
