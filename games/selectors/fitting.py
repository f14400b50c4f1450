"""Which starships fit a game: its ruleset, and how many robots play."""

from dataclasses import dataclass

import rules
from games import stored
from games.models import Starship
from games.selectors.starships import rulesets_of, starships, unsuitable


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a starship fits a game.

    ``problems`` say why it cannot be played there. Where it can, ``recommended`` says whether it was built
    for this many robots.
    """

    starship: Starship
    problems: tuple[rules.Problem, ...]
    recommended: bool

    @property
    def possible(self) -> bool:
        """Whether the game can be played on it."""
        return not self.problems


def fits(*, ruleset: rules.Ruleset, robots: int) -> list[Fit]:
    """Return how well each starship in the library fits, the best first and the impossible last.

    Best are those built for this many robots and for this ruleset; missions come after the fleet.
    """
    return sorted((_fit(ruleset, ship, robots) for ship in starships()), key=lambda fit: _rank(ruleset, fit))


def fitting_starships(*, ruleset: rules.Ruleset, robots: int) -> list[Starship]:
    """Return the starships on which this many robots can play by a ruleset, the best first."""
    return [fit.starship for fit in fits(ruleset=ruleset, robots=robots) if fit.possible]


def editions_of(*, starship: Starship) -> list[rules.Ruleset]:
    """Return the rulesets that a starship suits, first those for which it looks built.

    These let robots start where it has cells for it, and are for as few players as it is.
    """
    ship = _board(starship)

    def strangeness(edition: rules.Ruleset) -> tuple[bool, bool]:
        return edition.start.own != bool(ship.starts), starship.seats_least < edition.seats[0]

    return sorted(map(rules.ruleset, rulesets_of(starship=starship)), key=strangeness)


def _fit(ruleset: rules.Ruleset, starship: Starship, robots: int) -> Fit:
    board = _board(starship)
    problems = (*unsuitable(ruleset, board), *rules.overcrowding(ruleset, board, robots))
    return Fit(starship, problems, starship.seats_least <= robots <= starship.seats_most)


def _rank(ruleset: rules.Ruleset, fit: Fit) -> tuple[bool, bool, bool, int]:
    """Return what orders starships; those that are alike keep the order of the library."""
    mission = fit.starship.section == Starship.Section.MISSIONS
    editions = [edition.key for edition in editions_of(starship=fit.starship)]
    strangeness = editions.index(ruleset.key) if ruleset.key in editions else len(editions)
    return not fit.possible, mission, not fit.recommended, strangeness


def _board(starship: Starship) -> rules.Starship:
    assert starship.current
    return stored.starship_of(starship.current)
