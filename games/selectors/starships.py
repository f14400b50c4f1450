"""The library of starships."""

from django.db.models import QuerySet

import rules
from games import stored
from games.errors import NotFound
from games.models import Starship, StarshipRevision


def starships(*, section: str | None = None, ruleset: str | None = None) -> list[Starship]:
    """Return the starships offered for new games, with their current revisions, section by section.

    With ``ruleset`` those that suit it. Raises NotFound for a section or ruleset that there is not.
    """
    found: QuerySet[Starship] = Starship.objects.filter(retired=False, current__isnull=False)
    if section is not None:
        if section not in Starship.Section.values:
            raise NotFound("no-section", f"There is no section “{section}”.")
        found = found.filter(section=section)
    sections = Starship.Section.values
    ships = sorted(
        found.select_related("current").order_by("position", "name"),
        key=lambda ship: sections.index(ship.section),
    )
    if ruleset is None:
        return ships
    try:
        edition = rules.ruleset(ruleset)
    except rules.UnknownRuleset as error:
        raise NotFound("no-ruleset", f"{error}.") from None
    return [ship for ship in ships if _suits(edition, ship)]


def _suits(ruleset: rules.Ruleset, starship: Starship) -> bool:
    return starship.current is not None and not rules.unsuitable(
        ruleset, stored.starship_of(starship.current)
    )


def starship_for(*, starship_id: int) -> Starship:
    """Return a starship with its current revision, retired or not; raises NotFound."""
    ship = Starship.objects.select_related("current").filter(pk=starship_id, current__isnull=False).first()
    if ship is None:
        raise NotFound("no-starship", "There is no such starship.")
    return ship


def revision_for(*, revision_id: int) -> StarshipRevision:
    """Return a board as it was saved once; raises NotFound."""
    revision = StarshipRevision.objects.filter(pk=revision_id).first()
    if revision is None:
        raise NotFound("no-starship", "There is no such starship.")
    return revision


def rulesets_of(*, starship: Starship) -> list[str]:
    """Return the keys of the rulesets that a starship suits."""
    return [key for key, ruleset in rules.RULESETS.items() if _suits(ruleset, starship)]
