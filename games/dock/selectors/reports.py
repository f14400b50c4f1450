"""What people have reported, and what staff took down."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.dock.models import Review
from games.dock.models.moderation import Moderation
from games.dock.models.reports import Report
from games.errors import written
from games.fleet.models import Starship
from games.play.selectors.viewers import Viewer
from games.shipyard.models import StarshipDraft


class ReportView(TypedDict):
    """What I have reported to staff."""

    id: int
    reason: Annotated[str, Report.Reason]
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Takedown:
    """A ship of a person that staff have taken down: what it is called, when, and the reason.

    It is a ``starship`` of the library, or else a draft that was shared.
    """

    name: str
    at: datetime
    reason: str
    starship: int | None = None
    draft: int | None = None


def may_report(*, viewer: Viewer) -> bool:
    """Return whether someone may report what others have made."""
    return isinstance(viewer, User) and not viewer.is_guest


def has_reported(*, viewer: Viewer, thing: Starship | StarshipDraft) -> bool:
    """Return whether the viewer has reported a ship, and staff have not decided."""
    return isinstance(viewer, User) and thing.reports.filter(reporter=viewer, closed_at=None).exists()


def reviews_reported(*, viewer: Viewer, reviews: Iterable[Review]) -> set[int]:
    """Return which of these reviews the viewer has reported, as long as staff have not decided."""
    if not isinstance(viewer, User):
        return set()
    found = Report.objects.filter(
        reporter=viewer, closed_at=None, review__in=[review.pk for review in reviews]
    )
    return set(found.values_list("review", flat=True))


def report_view(report: Report) -> ReportView:
    """Return a report as the person who sent it sees it."""
    return written(ReportView, report)


def takedown_of(starship: Starship) -> Takedown:
    """Return why a ship was taken down, for its builder and staff."""
    assert starship.taken_down_at
    why = _why(Moderation.objects.filter(starship=starship, review=None))
    return Takedown(starship.name, starship.taken_down_at, why, starship=starship.pk)


def takedowns_of(*, builder: User) -> list[Takedown]:
    """Return the ships of a person that are taken down, the last first; of one and its draft, the ship."""
    ships = Starship.objects.filter(owner=builder, taken_down_at__isnull=False)
    found = [takedown_of(ship) for ship in ships.order_by("pk")]
    drafts = StarshipDraft.objects.filter(user=builder, taken_down_at__isnull=False)
    for draft in drafts.exclude(prototypes__starship__taken_down_at__isnull=False).order_by("pk"):
        assert draft.taken_down_at
        why = _why(Moderation.objects.filter(draft=draft))
        found.append(Takedown(draft.name, draft.taken_down_at, why, draft=draft.pk))
    return sorted(found, key=lambda each: each.at, reverse=True)


def open_reports() -> QuerySet[Report]:
    """Return what waits for a decision of staff: of each thing its first report, the oldest first."""
    same = Q(starship=OuterRef("starship")) | Q(draft=OuterRef("draft")) | Q(review=OuterRef("review"))
    earlier = Report.objects.filter(same, closed_at=None, pk__lt=OuterRef("pk"))
    return Report.objects.filter(~Exists(earlier), closed_at=None).order_by("created_at", "pk")


def reports_for(viewer: User) -> QuerySet[Report]:
    """Return the reports of which a member of staff may know: none is about what they have made."""
    about = Q(starship__owner=viewer.pk) | Q(draft__user=viewer.pk) | Q(review__author=viewer.pk)
    return Report.objects.exclude(pk__in=Report.objects.filter(about).order_by().values("pk"))


def number_of_open_reports(viewer: User) -> int:
    """Return about how many things a member of staff is asked to decide."""
    return open_reports().filter(pk__in=reports_for(viewer).order_by().values("pk")).count()


def number_of_held_reviews() -> int:
    """Return how many reviews wait as some of many in a day."""
    return Review.objects.filter(held_until__isnull=False, hidden_at=None).count()


def reports_like(report: Report) -> QuerySet[Report]:
    """Return all reports about the thing that a report is about, the last first."""
    about = {"starship": report.starship_id, "draft": report.draft_id, "review": report.review_id}
    return Report.objects.filter(**about).select_related("reporter").order_by("-created_at", "-pk")


def decisions_like(report: Report) -> QuerySet[Moderation]:
    """Return what staff have done about the thing that a report is about, the last first."""
    if report.starship_id:
        found = Moderation.objects.filter(starship=report.starship_id, review=None)
    elif report.draft_id:
        found = Moderation.objects.filter(draft=report.draft_id)
    else:
        found = Moderation.objects.filter(review=report.review_id)
    return found.select_related("by").order_by("-at", "-pk")


def _why(decisions: QuerySet[Moderation]) -> str:
    taken = decisions.filter(action=Moderation.Action.TAKE_DOWN)
    return taken.order_by("-at", "-pk").values_list("reason", flat=True).first() or ""
