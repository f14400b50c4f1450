"""What staff look at before they decide about a player."""

from typing import Final

from django.db.models import QuerySet

from accounts.models import User
from games.chat.models import ChatLine
from games.conduct.models import Appeal, Case, ConductEntry, PlayerReport
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


def cases_for(viewer: User) -> QuerySet[Case]:
    """Return the cases that a member of staff may know of: in which they have no part."""
    reported = PlayerReport.objects.filter(reporter=viewer.pk).values("case")
    return Case.objects.exclude(person=viewer.pk).exclude(pk__in=reported)


def entries_for(viewer: User) -> QuerySet[ConductEntry]:
    """Return the entries of the log that a member of staff may read: of others' cases."""
    reported = PlayerReport.objects.filter(reporter=viewer.pk).values("case")
    return ConductEntry.objects.exclude(person=viewer.pk).exclude(case__in=reported)


def number_of_cases(viewer: User) -> int:
    """Return how many cases wait for a member of staff."""
    return cases_for(viewer).filter(decided_at=None).count()


def number_of_appeals(viewer: User) -> int:
    """Return how many appeals wait for the answer of a member of staff."""
    return Appeal.objects.filter(answered_at=None).exclude(sanction__user=viewer.pk).count()
