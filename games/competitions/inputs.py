"""The forms for a new tournament and for finding a game."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import duration
from games.clubs.models import Club
from games.competitions.matching import MOST_SEATS
from games.competitions.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.competitions.selectors.matching import PACES as OFFERED_PACES
from games.competitions.services.tournaments import MOST_ENTRANTS, MOST_ROUNDS, TournamentTerms
from games.competitions.services.tournaments import PACES as TOURNAMENT_PACES
from games.fleet.models import OFFERED, Starship
from games.lobby.lists import PACES, SIZES
from games.lobby.lists import RULESETS as GAME_RULESETS
from games.standings.selectors.results import RANKED
from games.web.inputs import Refusable

RANKED_RULESETS = [(key, rules.ruleset(key).name) for key in RANKED]


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
    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=RANKED_RULESETS)
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
        self.fields["hours"].choices = [(each, duration(each)) for each in TOURNAMENT_PACES]  # type: ignore[attr-defined]
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


SPREADS = (("", _("Anyone near")), ("100", _("Within 100 points")), ("200", _("Within 200 points")))
RELIABILITIES = (
    ("0", _("Any")),
    ("50", _("At least 50 %")),
    ("75", _("At least 75 %")),
    ("90", _("At least 90 %")),
)
COMPUTERS = (
    ("", _("Never")),
    ("0", _("At once")),
    ("1", _("After an hour")),
    ("24", _("After a day")),
    ("72", _("After three days")),
)
NUMBERS = [(str(number), str(number)) for number in range(2, MOST_SEATS + 1)]
ANY = ("", _("Any"))


class FindForm(Refusable):
    """What the game is to be like; what is left at “any” fits more games."""

    ruleset = forms.ChoiceField(label=_("Ruleset"), choices=[ANY, *GAME_RULESETS], required=False)
    pace = forms.ChoiceField(
        label=_("Time for a turn"),
        choices=[("", _("Any but live")), *((key, name) for key, name in PACES if key in OFFERED_PACES)],
        required=False,
        initial="day",
    )
    size = forms.ChoiceField(label=_("Board"), choices=[ANY, *SIZES], required=False)
    least = forms.ChoiceField(label=_("Players, at least"), choices=NUMBERS, initial="2")
    most = forms.ChoiceField(label=_("Players, at most"), choices=NUMBERS, initial="4")
    spread = forms.ChoiceField(
        label=_("Rating of the others"),
        choices=SPREADS,
        required=False,
        help_text=_("“Near” is 200 points at first, and 50 more after each six hours."),
    )
    least_reliability = forms.ChoiceField(
        label=_("Reliability of the others"),
        choices=RELIABILITIES,
        required=False,
        help_text=_("Players who miss turns have less than 100 %. Newcomers have 100."),
    )
    computers_after = forms.ChoiceField(
        label=_("Fill up with computers"),
        choices=COMPUTERS,
        required=False,
        help_text=_("Such a game is not rated."),
    )

    @property
    def wish(self) -> dict[str, Any]:
        """What is asked for, as `seek_game` takes it."""
        data = self.cleaned_data
        numbers = {name: int(data[name]) if data[name] else None for name in ("spread", "computers_after")}
        texts = {name: data[name] for name in ("ruleset", "pace", "size")}
        numbers |= {name: int(data[name]) for name in ("least", "most")}
        return {**texts, **numbers, "least_reliability": int(data["least_reliability"] or 0)}
