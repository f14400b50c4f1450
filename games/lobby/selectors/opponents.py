"""Games against computers: how many there may be, and on which starships they are played."""

from collections.abc import Collection
from typing import Final

from django.utils.translation import gettext as _

import rules
from games.errors import Invalid, NotFound
from games.fleet import boards
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors import fits

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


def wrong_number(ruleset: rules.Ruleset, number: object) -> str:
    """Say that one person cannot play against this many computers, why, and against how many instead."""
    if ruleset.squads:
        told = _(
            "You cannot play {ruleset} against {number} computers here, because its squads must be equal."
            " Choose one of these numbers: {numbers}."
        )
    else:
        told = _(
            "You cannot play {ruleset} against {number} computers here."
            " Choose one of these numbers: {numbers}."
        )
    numbers = ", ".join(map(str, computers_in(ruleset)))
    return told.format(ruleset=ruleset.name, number=number, numbers=numbers)


def starships_against(
    *,
    ruleset: rules.Ruleset,
    computers: int,
    text: str = "",
    favourites: Collection[int] = (),
    also: Collection[int] = (),
) -> list[Starship]:
    """Return the starships for one person against computers, the best first, among those that `fits` finds.

    They are built for this many robots; if there are none, any on which these robots can play. They have
    checkpoints of their own, where the creator of a game may set others: here no one is asked for any.
    """
    found = fits(ruleset=ruleset, robots=1 + computers, text=text, favourites=favourites, also=also)
    possible = [fit for fit in found if fit.possible and not _unfinished(ruleset, fit.starship)]
    built = [fit for fit in possible if fit.recommended]
    return [fit.starship for fit in built or possible]


def _unfinished(ruleset: rules.Ruleset, starship: Starship) -> bool:
    """Return whether a ship cannot be played on as it is drawn."""
    assert starship.current
    return not rules.suits(ruleset, boards.starship_of(starship.current))


def choose_starship(
    *, ruleset: str, computers: int, starship_id: int | None, for_guest: bool = False
) -> Starship:
    """Return the starship to play on: the one that is asked for, or else the best.

    Raises NotFound where there is none, and Invalid for a ruleset, number or starship that there is not, or
    that do not fit together. Guests play on no prototypes.
    """
    edition = rules.RULESETS.get(ruleset)
    if edition is None:
        raise _refusal(
            "ruleset", _("There is no ruleset “{ruleset}”. Choose one from the list.").format(ruleset=ruleset)
        )
    if computers not in computers_in(edition):
        raise _refusal("computers", wrong_number(edition, computers))
    also = () if starship_id is None or for_guest else (starship_id,)
    offered = starships_against(ruleset=edition, computers=computers, also=also)
    if not offered:
        raise NotFound(
            "no-starship",
            _("No starship fits {ruleset}. Ask the staff to add one.").format(ruleset=edition.name),
        )
    if starship_id is None:
        return offered[0]
    if chosen := next((ship for ship in offered if ship.pk == starship_id), None):
        return chosen
    known = Starship.objects.filter(OFFERED, pk=starship_id).first()
    if known is None:
        raise _refusal("starship", _("This starship is no longer available. Choose one of these."))
    if known.is_prototype and for_guest:
        raise _refusal(
            "starship", _("To play on a prototype, sign up or log in. Guests choose one of these.")
        )
    told = _("{starship} does not fit {ruleset} with {robots} robots. Choose one of these.")
    raise _refusal("starship", told.format(starship=known.name, ruleset=edition.name, robots=1 + computers))


def _refusal(field: str, detail: str) -> Invalid:
    return Invalid("no-game", detail, [{"code": field, "detail": detail}])
