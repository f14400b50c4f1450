"""Noting what starships are found by."""

from datetime import datetime
from typing import Final

from django.db.models import F, Q

from games import jobs
from games.fleet.models import Starship, StarshipFacts
from games.fleet.selectors.facts import current_facts, edition

MOST: Final = 50
"""Starships that one pass of the sweeper looks at, each for up to half a second; the next one goes on."""


def note_facts(*, starship: Starship) -> None:
    """Note what a starship, whose row is held, is found by."""
    facts = current_facts(starship=starship)
    names = [field.name for field in StarshipFacts._meta.concrete_fields if not field.primary_key]
    StarshipFacts.objects.bulk_create(
        [facts], update_conflicts=True, unique_fields=["starship"], update_fields=names
    )


def put_facts_right(*, now: datetime) -> int:
    """Note what starships are found by that have no facts, or outdated ones; return how many those were."""
    right = Q(facts__edition=edition(), facts__revision=F("current"))
    outdated = Starship.objects.exclude(current=None).exclude(right).order_by("pk")
    return jobs.each("starship facts", outdated, _put_right, most=MOST, now=now)


def _put_right(starship_id: int) -> int:
    held = Starship.objects.select_for_update(no_key=True, of=("self",)).select_related("current")
    note_facts(starship=held.get(pk=starship_id))
    return 1
