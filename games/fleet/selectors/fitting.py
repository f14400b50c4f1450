"""Which starships fit a game: its ruleset, and how many robots play."""

from collections.abc import Collection
from dataclasses import dataclass

import rules
from games.fleet import stored
from games.fleet.models import Starship
from games.fleet.selectors.starships import prototypes_among, rulesets_of, starships, unsuitable


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


def fits(*, ruleset: rules.Ruleset, robots: int | None = None, also: Collection[int] = ()) -> list[Fit]:
    """Return how well each starship in the library fits, the best first and the impossible last.

    Best are those built for this many robots, if that is known, and for this ruleset. Missions come after
    the fleet. Prototypes are left out, but for those that are asked for, as ``also`` among others.
    """
    ships = [*starships(), *(prototypes_among(also) if also else ())]
    found = [fit(ruleset=ruleset, starship=ship, robots=robots) for ship in ships]
    return sorted(found, key=lambda each: _rank(ruleset, each))


def fit(*, ruleset: rules.Ruleset, starship: Starship, robots: int | None = None) -> Fit:
    """Return how well a starship fits; without a number of ``robots``, for as many as it was built for."""
    board = _board(starship)
    return Fit(
        starship,
        unsuitable(ruleset, board),
        () if robots is None else tuple(rules.overcrowding(ruleset, board, robots)),
        robots is None or starship.seats_least <= robots <= starship.seats_most,
    )


def fitting_starships(
    *, ruleset: rules.Ruleset, robots: int | None = None, also: Collection[int] = ()
) -> list[Starship]:
    """Return the starships on which this many robots can play by a ruleset, the best first."""
    return [each.starship for each in fits(ruleset=ruleset, robots=robots, also=also) if each.possible]


def editions_of(*, starship: Starship) -> list[rules.Ruleset]:
    """Return the rulesets that a starship suits, first those for which it looks built.

    These let robots start where it has cells for it, and are for as few players as it is.
    """
    ship = _board(starship)

    def strangeness(edition: rules.Ruleset) -> tuple[bool, bool]:
        return edition.start.own != bool(ship.starts), starship.seats_least < edition.seats[0]

    return sorted(map(rules.ruleset, rulesets_of(starship=starship)), key=strangeness)


def _rank(ruleset: rules.Ruleset, fit: Fit) -> tuple[bool, bool, bool, int]:
    """Return what orders starships; those that are alike keep the order of the library."""
    mission = fit.starship.section == Starship.Section.MISSIONS
    editions = [edition.key for edition in editions_of(starship=fit.starship)]
    strangeness = editions.index(ruleset.key) if ruleset.key in editions else len(editions)
    return not fit.possible, mission, not fit.recommended, strangeness


def _board(starship: Starship) -> rules.Starship:
    assert starship.current
    return stored.starship_of(starship.current)
