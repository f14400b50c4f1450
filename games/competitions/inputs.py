"""Inputs for tournaments, ladders and the search for a game."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy as _, pgettext

import rules
from accounts.inputs import GuardedForm
from games.clocks.paces import duration
from games.competitions import matching
from games.competitions.formats import MOST_IN_A_LEAGUE
from games.competitions.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.competitions.selectors.matching import PACES as OFFERED_PACES
from games.competitions.services.matching import MOST_HOURS, MOST_SPREAD
from games.competitions.services.tournaments import MOST_ENTRANTS, MOST_ROUNDS, MOST_SHIPS, PACES
from games.errors import ProblemDocument, ServiceError
from games.lobby.lists import PACES as GAME_PACES, RULESETS, SIZES
from games.standings.selectors.results import RATED_RULESETS
from games.web.forms import form_of
from games.web.inputs import (
    Amount,
    Choice,
    Flag,
    Id,
    Input,
    Instant,
    Items,
    Name,
    Pick,
    Prose,
    Strict,
    Text,
    WholeNumber,
)
from games.wording import duration_in_words

# --- Tournaments --------------------------------------------------------------------------------------------


def _in_a_week() -> datetime:
    soon = timezone.localtime(timezone.now() + timedelta(days=7))
    return soon.replace(minute=0, second=0, microsecond=0)


class NewTournament(Input):
    """The rules of a new tournament. They can't change once the tournament is open."""

    refusal = "no-tournament", _("Couldn’t save the tournament. Fix the marked fields.")

    name = Name(label=_("Name"), longest=LONGEST_NAME, needed=_("The tournament needs a name."))
    text = Prose(label=_("About the tournament"), longest=LONGEST_TEXT, rows=3, default="", allow_blank=True)
    kind = Choice(
        Tournament.Kind.choices,
        label=_("Kind"),
        help_text=_(
            "In the Swiss system, players with similar points meet in each round, and no one is out. In a "
            "knock-out, the best of each table advance. In a marathon, all rated games of 31 days count."
        ),
        style={"initial": Tournament.Kind.SWISS.value},
    )
    club = Text(
        default="", allow_blank=True, help_text="The `slug` of a club. You must be its captain or an officer."
    )
    starts_at = Instant(
        label=_("Start"),
        help_text=_("It must start within the next 90 days."),
        style={"initial": _in_a_week},
    )
    least = Amount(
        label=_("Minimum entrants"),
        least=2,
        most=MOST_ENTRANTS,
        default=2,
        style={"initial": 4, "required": True},
        help_text=_("The tournament is cancelled if fewer players enter."),
    )
    most = Amount(
        label=_("Maximum entrants"),
        least=2,
        most=MOST_ENTRANTS,
        default=64,
        style={"initial": 32, "required": True},
    )
    ruleset = Pick(
        [("", _("Any")), *RULESETS],
        label=_("Ruleset"),
        default="robo-runner",
        style={"choices": [(key, rules.ruleset(key).name) for key in RATED_RULESETS], "required": True},
    )
    size = Amount(label=_("Players at a table"), least=2, most=8, default=4, style={"required": True})
    rounds = Amount(
        label=_("Rounds"),
        least=1,
        most=MOST_ROUNDS,
        default=5,
        help_text=_("Swiss system only."),
    )
    hours = Pick(
        [(each, lazy(duration, str)(each)) for each in PACES], label=_("Time for a turn"), default=24
    )
    starships = Items(
        child=Id(),
        default=list,
        help_text=f"The `id`s of 1 to {MOST_SHIPS} starships. Not used in a marathon.",
    )
    ship_choice = Choice(
        Tournament.ShipChoice.choices,
        label=_("Starship for each table"),
        default=Tournament.ShipChoice.FIXED.value,
    )
    sitters = Flag(
        label=_("Sitters"),
        default=True,
        help_text=_(
            "Players who will be away can let a friend submit their orders on some days. The game’s history"
            " shows it. In a marathon, the host of each game decides."
        ),
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return the problems with the number of entrants, the ruleset, the table size and the starships.

        In a marathon, only the number of entrants is checked.
        """
        found: list[tuple[str, str]] = []
        kind, ships = values["kind"], values["starships"]
        most = MOST_IN_A_LEAGUE if kind == Tournament.Kind.LEAGUE else MOST_ENTRANTS
        if not values["least"] <= values["most"] <= most:
            detail = gettext("Choose from 2 to {most} entrants. The maximum can’t be below the minimum.")
            found.append(("most", detail.format(most=most)))
        if kind == Tournament.Kind.MARATHON:
            return [{"code": code, "detail": detail} for code, detail in found]
        if values["ruleset"] not in RATED_RULESETS:
            found.append(
                ("ruleset", gettext("Tournaments can’t use rulesets with squads. Choose another ruleset."))
            )
        else:
            least, most = rules.ruleset(values["ruleset"]).seats
            if not least <= values["size"] <= most:
                detail = gettext("Choose tables of {least} to {most} players.")
                found.append(("size", detail.format(least=max(2, least), most=min(8, most))))
        if not 1 <= len(ships) <= MOST_SHIPS or len(set(ships)) < len(ships):
            detail = gettext("Choose 1 to {most} different starships.").format(most=MOST_SHIPS)
            found.append(("starships", detail))
        return [{"code": code, "detail": detail} for code, detail in found]


class TournamentsQuery(Strict):
    """Filters for the list of tournaments."""

    status = Choice(Tournament.Status.choices, required=False, help_text="Only tournaments with this status.")


class Entry(Strict):
    """An entry in a tournament."""

    may_be_missing = True

    banned = WholeNumber(default=None, allow_null=True, help_text="The `id` of the starship to ban.")


# --- Ladders ------------------------------------------------------------------------------------------------


class MyPlace(Strict):
    """A request to join a ladder, to rest from it, or to end a rest."""

    may_be_missing = True

    resting = Flag(default=False, help_text="Whether you rest. You keep your place for 30 days.")


class Challenge(Strict):
    """A challenge on a ladder."""

    robo_name = Text(help_text="The Robo Name of a player above you, within your reach.")


# --- Finding a game -----------------------------------------------------------------------------------------


ANY: Final = ("", _("Any"))
NUMBERS = [(number, str(number)) for number in range(2, matching.MOST_SEATS + 1)]


class Wish(Input):
    """Preferences for a game. If a player chooses “any” for a value, more games match."""

    refusal = "no-such-game", _("Couldn’t start the search. Fix the marked fields.")

    ruleset = Pick([ANY, *RULESETS], label=_("Ruleset"), default="")
    pace = Pick(
        [("", _("Any except live")), *((key, name) for key, name in GAME_PACES if key in OFFERED_PACES)],
        label=_("Time for a turn"),
        default="",
        style={"initial": "day"},
    )
    size = Pick([ANY, *SIZES], label=_("Board"), default="")
    least = Amount(
        label=_("Minimum players"), least=2, most=matching.MOST_SEATS, default=2, style={"choices": NUMBERS}
    )
    most = Amount(
        label=_("Maximum players"),
        least=2,
        most=matching.MOST_SEATS,
        default=matching.MOST_SEATS,
        style={"choices": NUMBERS, "initial": 4},
    )
    spread = Amount(
        label=_("Ratings of other players"),
        least=50,
        most=MOST_SPREAD,
        default=None,
        allow_null=True,
        help_text=_(
            "“Near yours” means within 200 points at first. The range grows by 50 points every 6 hours."
        ),
        style={
            "choices": [("", _("Near yours")), (100, _("Within 100 points")), (200, _("Within 200 points"))]
        },
    )
    least_reliability = Amount(
        label=_("Minimum reliability of other players"),
        least=0,
        most=100,
        default=0,
        help_text=_("Missed turns lower a player’s reliability. New players start at 100 %."),
        style={
            "choices": [
                (0, _("Any")),
                (50, _("At least 50 %")),
                (75, _("At least 75 %")),
                (90, _("At least 90 %")),
            ]
        },
    )
    computers_after = Amount(
        label=_("Fill up with computers"),
        least=0,
        most=MOST_HOURS,
        default=None,
        allow_null=True,
        help_text=_("These games aren’t rated."),
        style={
            "initial": 24,
            "choices": [
                ("", _("Never")),
                (0, _("At once")),
                (1, _("After an hour")),
                (24, _("After a day")),
                (72, _("After three days")),
            ],
        },
    )

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return the problems with the minimum and maximum numbers of players, if there are any.

        The ruleset must allow at least one number of players from the minimum to the maximum.
        """
        if values["least"] > values["most"]:
            detail = gettext("Choose from 2 to {most} players. The maximum can’t be below the minimum.")
            return [{"code": "most", "detail": detail.format(most=matching.MOST_SEATS)}]
        wish = matching.Wish(ruleset=values["ruleset"], least=values["least"], most=values["most"])
        if not wish.numbers:
            detail = gettext("This ruleset doesn’t support these numbers of players. Choose other numbers.")
            return [{"code": "most", "detail": detail}]
        return []


WishForm: Final = form_of(Wish)


class SearchForm(GuardedForm, WishForm):  # type: ignore[misc,valid-type] # made from the input
    """The form to look for a game, or to change the wish of a player who waits."""


def usual_wish(last: Mapping[str, Any]) -> dict[str, Any]:
    """Return a player's last wish, with the form's values for the rest. Ignores an outdated wish."""
    usual = {name: field.initial for name, field in WishForm.base_fields.items()}
    wish = Wish(data=usual | {name: value for name, value in last.items() if name in usual})
    try:
        return wish.allowed()
    except ServiceError:
        return usual_wish({})


def wish_in_words(wish: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    """Return the labels and values of a wish for the page."""
    fields: dict[str, Any] = WishForm.base_fields

    def chosen(name: str) -> tuple[Any, Any]:
        value = "" if wish[name] is None else wish[name]
        return fields[name].label, dict(fields[name].choices).get(value, value)

    least, most = wish["least"], wish["most"]
    label, computers = chosen("computers_after")
    return [
        *(chosen(name) for name in ("ruleset", "pace", "size")),
        (pgettext("number", "Players"), least if least == most else f"{least}–{most}"),
        *(chosen(name) for name in ("spread", "least_reliability") if wish[name]),
        (label, duration(computers) if isinstance(computers, int) else computers),
    ]


def wait_in_words(usual: int | None, computers_after: int | None) -> str:
    """Return how long a search usually takes, or at most until computers join."""
    if usual is not None:
        return gettext("About {time}").format(time=duration_in_words(usual))
    if computers_after is None:
        return gettext("Not known yet")
    if not computers_after:
        return gettext("None: computers join at once")
    return gettext("At most {time}, then computers join").format(time=duration(computers_after))
