"""What staff look at before they decide about a player."""

from typing import Final

from django.db.models import QuerySet

from games.chat.models import ChatLine
from games.conduct.models import Appeal, Case
from games.sanctions.models import Sanction

AROUND: Final = 5
"""Lines of chat that are shown before and after one that was reported."""


def context_of(case: Case) -> list[tuple[ChatLine, bool]]:
    """Return lines of chat that were reported, each with those around it, and whether it is such a line."""
    reported = list(case.reports.exclude(line=None).values_list("line", "line__game").distinct())
    found: dict[int, ChatLine] = {}
    for line, game in reported:
        said = ChatLine.objects.filter(game=game)
        before = said.filter(pk__lte=line).order_by("-pk")[: AROUND + 1]
        behind = said.filter(pk__gt=line).order_by("pk")[:AROUND]
        found |= {each.pk: each for each in [*before, *behind]}
    own = {line for line, _game in reported}
    return [(found[number], number in own) for number in sorted(found)]


def earlier_sanctions(case: Case) -> QuerySet[Sanction]:
    """Return all that staff decided about the person of a case, the last first."""
    return Sanction.objects.filter(user=case.person_id).select_related("by").order_by("-at", "-pk")


def number_of_cases() -> int:
    """Return how many cases wait for staff."""
    return Case.objects.filter(decided_at=None).count()


def number_of_appeals() -> int:
    """Return how many appeals wait for an answer."""
    return Appeal.objects.filter(answered_at=None).count()
