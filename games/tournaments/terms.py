"""What a tournament is to be like, and what is wrong with it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

import rules
from games import texts
from games.clocks.clock import Pace, PerTurn
from games.errors import ProblemDocument
from games.fleet.models import Starship
from games.fleet.selectors import fit
from games.play.policy import STANDING, Absence
from games.ratings.selectors.outcomes import RANKED
from games.tournaments.models import LONGEST_NAME, LONGEST_TEXT, Tournament
from games.tournaments.schedules import MOST_IN_A_LEAGUE

Kind = Tournament.Kind

MOST_ENTRANTS: Final = 300
MOST_ROUNDS: Final = 9
MOST_SHIPS: Final = 12

LATEST: Final = timedelta(days=90)
"""How far ahead a tournament may start."""

MONTH: Final = timedelta(days=31)
"""How long a marathon lasts."""

PACES: Final = (12, 24, 48, 72, 168)
"""Hours for a turn."""

EXCUSED: Final = 3
"""Missed turns in one game after which a computer takes the seat."""


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentTerms:
    """The rules of a tournament, as they are asked for."""

    name: str
    kind: str
    starts_at: datetime
    text: str = ""
    club: str = ""
    ruleset: str = "robo-runner"
    size: int = 4
    rounds: int = 5
    starships: Sequence[int] = ()
    ship_choice: str = Tournament.ShipChoice.FIXED.value
    hours: int = 24
    least: int = 2
    most: int = 64

    @property
    def pace(self) -> Pace:
        return PerTurn(self.hours)

    @property
    def absence(self) -> Absence:
        """What becomes of those who miss turns: it is the same in all games of a tournament."""
        return Absence(STANDING, EXCUSED)


def problems_with(
    terms: TournamentTerms, ships: Sequence[Starship], *, now: datetime
) -> list[ProblemDocument]:
    """Return all that is wrong with the rules of a tournament; ``ships`` are those of its starships."""
    found: list[tuple[str, str]] = []

    def check(right: bool, code: str, detail: str) -> None:
        if not right:
            found.append((code, detail))

    needed = _("The tournament needs a name.")
    words = [
        *texts.problems_of_name(texts.tidied_name(terms.name), longest=LONGEST_NAME, needed=needed),
        *texts.problems_of(texts.tidied(terms.text), longest=LONGEST_TEXT),
    ]
    check(terms.kind in Kind, "kind", _one_of(Kind.values))
    check(
        now < terms.starts_at <= now + LATEST,
        "starts_at",
        _("Choose a start within the next {days} days.").format(days=LATEST.days),
    )
    most = MOST_IN_A_LEAGUE if terms.kind == Kind.LEAGUE else MOST_ENTRANTS
    check(
        2 <= terms.least <= terms.most <= most,
        "most",
        _("Choose 2 to {most} entrants, from the smaller number to the larger.").format(most=most),
    )
    marathon = terms.kind == Kind.MARATHON
    check(
        terms.ruleset in rules.RULESETS or (marathon and not terms.ruleset),
        "ruleset",
        _("There is no ruleset “{ruleset}”.").format(ruleset=terms.ruleset),
    )
    if not marathon and terms.ruleset in rules.RULESETS:
        found += _of_games(terms, ships)
    return [*words, *({"code": code, "detail": detail} for code, detail in found)]


def _of_games(terms: TournamentTerms, ships: Sequence[Starship]) -> list[tuple[str, str]]:
    """Return what is wrong with the games of a tournament: their ruleset, size, pace and starships."""
    found: list[tuple[str, str]] = []
    ruleset = rules.ruleset(terms.ruleset)
    least, most = ruleset.seats
    if terms.ruleset not in RANKED:
        found.append(("ruleset", _("Tournaments are for rulesets without squads.")))
    elif not max(2, least) <= terms.size <= min(8, most):
        found.append(
            (
                "size",
                _("Choose tables of {least} to {most} players.").format(
                    least=max(2, least), most=min(8, most)
                ),
            )
        )
    if terms.kind == Kind.SWISS and not 1 <= terms.rounds <= MOST_ROUNDS:
        found.append(("rounds", _("Choose 1 to {most} rounds.").format(most=MOST_ROUNDS)))
    if terms.hours not in PACES:
        found.append(("hours", _one_of([str(hours) for hours in PACES])))
    if terms.ship_choice not in Tournament.ShipChoice:
        found.append(("ship_choice", _one_of(Tournament.ShipChoice.values)))
    if not 1 <= len(terms.starships) <= MOST_SHIPS or len(set(terms.starships)) < len(terms.starships):
        found.append(("starships", _("Choose 1 to {most} different starships.").format(most=MOST_SHIPS)))
    elif len(ships) < len(terms.starships):
        found.append(("starships", _("One of these starships is not available. Choose another one.")))
    else:
        for ship in ships:
            if not fit(ruleset=ruleset, starship=ship, robots=terms.size).possible:
                detail = _("{starship} cannot be played with these rules by {number} players.")
                found.append(("starships", detail.format(starship=ship.name, number=terms.size)))
    return found


def _one_of(choices: Sequence[str]) -> str:
    return _("Choose one of these: {choices}.").format(choices=", ".join(choices))
