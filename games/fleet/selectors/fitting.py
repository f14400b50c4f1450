"""Which starships fit a game: its ruleset, and how many robots play."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from django.db.models import Case, F, Func, IntegerField, Q, QuerySet, Value, When

import rules
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors.starships import current_board, named, rulesets_of, unsuitable

MOST: Final = 60
"""Starships to choose from: of those that suit, and as many of the others. A search finds the rest."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a starship fits a game.

    ``unsuitable`` says why the ruleset cannot be played on it, ``overcrowding`` why this many robots cannot.
    Where it can be played, ``recommended`` says whether it was built for this many robots.
    """

    starship: Starship
    unsuitable: tuple[rules.Problem, ...]
    overcrowding: tuple[rules.Problem, ...]
    recommended: bool

    @property
    def problems(self) -> tuple[rules.Problem, ...]:
        """Why the game cannot be played on it."""
        return self.unsuitable + self.overcrowding

    @property
    def possible(self) -> bool:
        return not self.problems


def fits(
    *,
    ruleset: rules.Ruleset,
    robots: int | None = None,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Fit]:
    """Return how well starships in the library fit, the best first and the impossible last.

    Best are those built for this many robots, if that is known, and for this ruleset. Missions come after
    the fleet. They are `MOST` of those that suit the ruleset, and as many of the others; with a ``text``,
    of those in whose names and builders each of its words occurs. Further there are someone's ``favourites``
    that it finds, and, in any case, those that are asked for as ``also``. Prototypes are among these alone,
    and not among the favourites where boards are joined.
    """
    favoured = named(text) & Q(pk__in=favourites)
    if ruleset.boards > 1:
        favoured &= ~Q(section=Starship.Section.PROTOTYPES)
    offered = Starship.objects.filter(OFFERED).select_related("current")
    ships = {ship.pk: ship for ship in _listed(offered.filter(named(text)), ruleset, robots)}
    ships |= {ship.pk: ship for ship in offered.filter(favoured | Q(pk__in=also)).exclude(pk__in=ships)}
    found = [fit(ruleset=ruleset, starship=ship, robots=robots) for ship in ships.values()]
    return sorted(found, key=lambda each: _rank(ruleset, each))


def _listed(offered: QuerySet[Starship], ruleset: rules.Ruleset, robots: int | None) -> Iterator[Starship]:
    """Yield the starships of the library that fit best, by what is noted of them; see `_rank`.

    What is not noted yet comes first among those that do not suit: it is looked at here.
    """
    robots = robots or 0
    mission = Case(When(section=Starship.Section.MISSIONS, then=1), default=0, output_field=IntegerField())
    built = Case(
        When(seats_least__lte=robots, seats_most__gte=robots, then=0), default=1, output_field=IntegerField()
    )
    place = Func(
        F("facts__rulesets"), Value(ruleset.key), function="array_position", output_field=IntegerField()
    )
    suits = Q(facts__rulesets__contains=[ruleset.key])
    library = offered.exclude(section=Starship.Section.PROTOTYPES)
    in_order = ("position", "name", "pk")
    yield from library.filter(suits).order_by(mission, built, place, *in_order)[:MOST]
    yield from library.exclude(suits).order_by(F("facts__pk").asc(nulls_first=True), mission, *in_order)[
        :MOST
    ]


def fit(*, ruleset: rules.Ruleset, starship: Starship, robots: int | None = None) -> Fit:
    """Return how well a starship fits; without a number of ``robots``, for as many as it was built for."""
    board = current_board(starship)
    return Fit(
        starship,
        unsuitable(ruleset, board),
        () if robots is None else tuple(rules.overcrowding(ruleset, board, robots)),
        robots is None or starship.seats_least <= robots <= starship.seats_most,
    )


def fitting_starships(
    *,
    ruleset: rules.Ruleset,
    robots: int | None = None,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Starship]:
    """Return the starships on which this many robots can play by a ruleset, as `fits` finds them."""
    found = fits(ruleset=ruleset, robots=robots, text=text, favourites=favourites, also=also)
    return [each.starship for each in found if each.possible]


def editions_of(*, starship: Starship) -> list[rules.Ruleset]:
    """Return the rulesets that a starship suits, first those for which it looks built.

    These let robots start where it has cells for it, and are for as few players as it is.
    """
    ship = current_board(starship)

    def strangeness(edition: rules.Ruleset) -> tuple[bool, bool]:
        return edition.start.own != bool(ship.starts), starship.seats_least < edition.seats[0]

    return sorted(map(rules.ruleset, rulesets_of(starship=starship)), key=strangeness)


def _rank(ruleset: rules.Ruleset, fit: Fit) -> tuple[bool, bool, bool, int]:
    """Return what orders starships; those that are alike keep the order of the library."""
    mission = fit.starship.section == Starship.Section.MISSIONS
    editions = [edition.key for edition in editions_of(starship=fit.starship)]
    strangeness = editions.index(ruleset.key) if ruleset.key in editions else len(editions)
    return not fit.possible, mission, not fit.recommended, strangeness


def best_ships(*, ruleset: rules.Ruleset, robots: int, most: int) -> list[Starship]:
    """Return the best starships of the fleet for a ruleset and so many robots."""
    fleet = (each for each in fits(ruleset=ruleset, robots=robots) if each.possible)
    return [each.starship for each in fleet if each.starship.section == Starship.Section.FLEET][:most]
