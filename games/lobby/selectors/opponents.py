"""Games against computers: how many there may be, and on which starships they are played."""

from typing import Final

import rules
from games.errors import Invalid, NotFound
from games.fleet.models import Starship
from games.fleet.selectors.fitting import fits

RULESET: Final = "robo-runner"
"""What is played unless something else is asked for."""

MOST_COMPUTERS: Final = 3
"""Computers against one person."""


def computers_in(ruleset: rules.Ruleset) -> list[int]:
    """Return how many computers one person may play against: enough for the ruleset, in equal squads."""
    least, most = ruleset.seats
    squads = len(ruleset.squads) or 1
    numbers = range(1, MOST_COMPUTERS + 1)
    return [number for number in numbers if least <= number + 1 <= most and (number + 1) % squads == 0]


def numbers_told(ruleset: rules.Ruleset) -> str:
    """Say how many computers one person may play against, and why."""
    numbers = [str(number) for number in computers_in(ruleset)]
    told = f"{', '.join(numbers[:-1])} or {numbers[-1]}" if numbers[1:] else numbers[0]
    why = ", so that its squads are equal" if ruleset.squads else ""
    return f"{ruleset.name} is played here against {told} computers{why}."


def starships_against(*, ruleset: rules.Ruleset, computers: int) -> list[Starship]:
    """Return the starships for one person against computers, the best first.

    They are built for this many robots; if there are none, any on which these robots can play.
    """
    possible = [fit for fit in fits(ruleset=ruleset, robots=1 + computers) if fit.possible]
    built = [fit for fit in possible if fit.recommended]
    return [fit.starship for fit in built or possible]


def choose_starship(*, ruleset: str, computers: int, starship_id: int | None) -> Starship:
    """Return the starship to play on: the one that is asked for, or else the best.

    Raises NotFound where there is none, and Invalid for a ruleset, number or starship that there is not, or
    that do not fit together.
    """
    edition = rules.RULESETS.get(ruleset)
    if edition is None:
        raise _refusal("ruleset", f"There is no ruleset “{ruleset}”. Choose one from the list.")
    if computers not in computers_in(edition):
        raise _refusal("computers", f"{numbers_told(edition)} You asked for {computers}.")
    offered = starships_against(ruleset=edition, computers=computers)
    if not offered:
        raise NotFound("no-starship", f"No starship fits {edition.name}. Ask the staff to load some.")
    if starship_id is None:
        return offered[0]
    if chosen := next((ship for ship in offered if ship.pk == starship_id), None):
        return chosen
    known = Starship.objects.filter(pk=starship_id, retired=False).exclude(current=None).first()
    if known is None:
        raise _refusal("starship", "This starship is not there any more. Choose one of these.")
    game = f"{edition.name} with {1 + computers} robots"
    raise _refusal("starship", f"{known.name} does not fit {game}. Choose one of these.")


def _refusal(field: str, detail: str) -> Invalid:
    return Invalid("no-game", detail, [{"code": field, "detail": detail}])
