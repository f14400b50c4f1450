"""What starships are found by."""

from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from typing import Final

import rules
from games.fleet import stored
from games.fleet.classes import cells_in
from games.fleet.elements import ELEMENTS, elements_on
from games.fleet.models import Starship, StarshipFacts, StarshipRevision
from games.fleet.selectors.fitting import editions_of
from games.kept import Memory
from rules.tunnel.outlook import expected_turns

EXPECTED: Final = "turns 1"
"""How lengths are expected: another mark once that has changed."""


TURNS: Final = Memory[tuple[int | None]](200_000, lambda turns: 200)
"""How many turns games are expected to take, by the cells of a ship, its ruleset and its players."""


@lru_cache(maxsize=1)
def edition() -> str:
    """Return a mark of the rulesets and elements that there are, and of how lengths are expected.

    It is another one once any of them has changed.
    """
    told = [EXPECTED, *(f"{ruleset.key} {ruleset.version}" for ruleset in rules.RULESETS.values()), *ELEMENTS]
    return sha256("\n".join(told).encode()).hexdigest()[:16]


def facts_of(*, starship: Starship) -> StarshipFacts:
    """Return what a starship is found by: as noted, or as it follows from its revision.

    What is not noted yet has no ``turns``: they take time.
    """
    noted: StarshipFacts | None = getattr(starship, "facts", None)
    if noted and (noted.edition, noted.revision_id) == (edition(), starship.current_id):
        return noted
    return current_facts(starship=starship, expects=False)


def current_facts(*, starship: Starship, expects: bool = True) -> StarshipFacts:
    """Return what follows from the current revision of a starship; it is not saved.

    Unless it ``expects`` how long games are, it has no ``turns``.
    """
    revision = starship.current
    assert revision
    editions = editions_of(starship=starship)
    return StarshipFacts(
        starship=starship,
        revision=revision,
        edition=edition(),
        cells=cells_in(revision.document),
        turns=_expected_turns(starship, editions) if expects else None,
        elements=elements_on(stored.starship_of(revision)),
        rulesets=[each.key for each in editions],
    )


def _expected_turns(starship: Starship, editions: list[rules.Ruleset]) -> int | None:
    """Return about how long games are by the ruleset for which a ship looks built."""
    assert starship.current
    if not editions:
        return None
    ship, ruleset, players = stored.starship_of(starship.current), editions[0], starship.seats_most
    name = f"{hash(ruleset)} {ship.fingerprint} {players}"
    return TURNS.made(name, lambda: (expected_turns(ship, ruleset, players),))[0]


def foresee(*, document: object, seats_least: int, seats_most: int) -> None:
    """Calculate the slow facts of a ship before its rows are locked: `current_facts` remembers them."""
    starship = Starship(seats_least=seats_least, seats_most=seats_most)
    starship.current = StarshipRevision(document=document)
    with suppress(rules.NotationError):
        current_facts(starship=starship)
