"""What someone fills in to make a tournament."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import duration
from games.clubs.models import Club
from games.fleet.models import OFFERED, Starship
from games.ratings.selectors.outcomes import RANKED
from games.refusals import Refusable
from games.tournaments.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.tournaments.terms import MOST_ENTRANTS, MOST_ROUNDS, PACES, TournamentTerms

RULESETS = [(key, rules.ruleset(key).name) for key in RANKED]


class TournamentForm(Refusable):
    """The rules of a tournament. What its kind has no use for is not looked at."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        error_messages={"required": _("The tournament needs a name.")},
    )
    text = forms.CharField(
        label=_("About the tournament"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    kind = forms.ChoiceField(
        label=_("Kind"), choices=Tournament.Kind.choices, widget=forms.RadioSelect, initial="swiss"
    )
    club = forms.ChoiceField(label=_("Who can enter"), required=False)
    starts_at = forms.DateTimeField(
        label=_("Start"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        input_formats=["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"],
        help_text=_("Until then players can enter. Within the next 90 days."),
        error_messages={"invalid": _("Write a day and a time, such as 2026-12-24 20:00.")},
    )
    least = forms.IntegerField(
        label=_("Entrants, at least"),
        min_value=2,
        initial=4,
        help_text=_("With fewer it is called off."),
    )
    most = forms.IntegerField(label=_("Entrants, at most"), max_value=MOST_ENTRANTS, initial=32)
    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=RULESETS)
    size = forms.IntegerField(label=_("Players at a table"), min_value=2, max_value=8, initial=4)
    rounds = forms.IntegerField(
        label=_("Rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        initial=5,
        help_text=_("Of a Swiss system. All other kinds have as many as it takes."),
    )
    hours = forms.TypedChoiceField(label=_("Time for a turn"), coerce=int, initial=24)
    starships = forms.ModelMultipleChoiceField(
        label=_("Starships"),
        queryset=Starship.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    ship_choice = forms.ChoiceField(
        label=_("Which starship a table plays on"),
        choices=Tournament.ShipChoice.choices,
        widget=forms.RadioSelect,
        initial="fixed",
    )

    def __init__(self, *args: Any, clubs: Iterable[Club], **more: Any) -> None:
        super().__init__(*args, **more)
        led = [(club.slug, club.name) for club in clubs]
        self.fields["club"].choices = [("", _("Everyone")), *led]  # type: ignore[attr-defined]
        self.fields["hours"].choices = [(each, duration(each)) for each in PACES]  # type: ignore[attr-defined]
        if not led:
            del self.fields["club"]
        ships = self.fields["starships"]
        assert isinstance(ships, forms.ModelMultipleChoiceField)
        ships.queryset = Starship.objects.filter(OFFERED, section=Starship.Section.FLEET).order_by("name")
        soon = timezone.localtime(timezone.now() + timedelta(days=7))
        self.fields["starts_at"].initial = soon.replace(minute=0, second=0, microsecond=0)

    @property
    def terms(self) -> TournamentTerms:
        """What is asked for, as `create_tournament` takes it."""
        data = dict(self.cleaned_data)
        ships = [ship.pk for ship in data.pop("starships")]
        return TournamentTerms(**{**data, "starships": ships})
