"""What starships are found by."""

from functools import lru_cache
from hashlib import sha256

import rules
from games.fleet import stored
from games.fleet.classes import cells_in
from games.fleet.elements import ELEMENTS, elements_on
from games.fleet.models import Starship, StarshipFacts
from games.fleet.selectors.fitting import editions_of


@lru_cache(maxsize=1)
def edition() -> str:
    """Return a mark of the rulesets and elements that there are: another one once any of them has changed."""
    told = [*(f"{ruleset.key} {ruleset.version}" for ruleset in rules.RULESETS.values()), *ELEMENTS]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def facts_of(*, starship: Starship) -> StarshipFacts:
    """Return what a starship is found by: as noted, or as it follows from its revision."""
    noted: StarshipFacts | None = getattr(starship, "facts", None)
    if noted and (noted.edition, noted.revision_id) == (edition(), starship.current_id):
        return noted
    return current_facts(starship=starship)


def current_facts(*, starship: Starship) -> StarshipFacts:
    """Return what follows from the current revision of a starship; it is not saved."""
    revision = starship.current
    assert revision
    return StarshipFacts(
        starship=starship,
        revision=revision,
        edition=edition(),
        cells=cells_in(revision.document),
        elements=elements_on(stored.starship_of(revision)),
        rulesets=[each.key for each in editions_of(starship=starship)],
    )
