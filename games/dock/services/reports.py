"""Reports of people to staff: about starships of others, drafts that are shared, and reviews."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.limits import Limit
from accounts.models import User
from games import errors
from games.dock.models import Review
from games.dock.models.reports import LONGEST_REPORT, Report
from games.dock.reviews import locked_starship
from games.errors import Conflict, Forbidden, Gone, Invalid, NotFound, ProblemDocument, refuse_guests
from games.fleet.models import Starship
from games.play.services.locks import hold_person
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import shared_draft
from games.work.models import DAY, spend

MOST_A_DAY: Final = 10
"""Reports that a person may send within a day."""

KEPT: Final = timedelta(days=365)
"""How long a report is kept after staff have decided."""

Thing = Starship | StarshipDraft | Review


def report_starship(*, user: User, starship_id: int, reason: str, text: str = "", now: datetime) -> Report:
    """Report a starship that another person has built.

    Raises Forbidden for guests, the builder, and ships that came with the site, NotFound, Gone for one that
    was taken down, Conflict for one that the person has reported already, Invalid with all that is wrong,
    and TooMany.
    """
    with transaction.atomic():
        _hold(user)
        starship = locked_starship(starship_id)
        if starship.taken_down_at:
            raise Gone("taken-down", _("Staff took this ship down. There is nothing to report any more."))
        if starship.owner_id is None:
            detail = _("This ship came with the site. If something is wrong with it, use the contact page.")
            raise Forbidden("not-of-people", detail)
        return _report(user, starship, starship.owner_id, reason, text, now)


def report_review(
    *, user: User, starship_id: int, review_id: int, reason: str, text: str = "", now: datetime
) -> Report:
    """Report a review that another person has written of a ship, or its answer; raises as `report_starship`.

    A review that others do not see is not found, and neither is one of another ship.
    """
    with transaction.atomic():
        _hold(user)
        starship = locked_starship(starship_id)
        review = starship.reviews.filter(pk=review_id, held_until=None, hidden_at=None).first()
        if review is None or starship.taken_down_at:
            raise NotFound("no-review", _("There is no such review."))
        return _report(user, review, review.author_id, reason, text, now)


def report_shared(*, user: User, link: str, reason: str, text: str = "", now: datetime) -> Report:
    """Report a draft that another person shares by a link; raises as `report_starship`."""
    with transaction.atomic():
        _hold(user)
        held = StarshipDraft.objects.select_for_update(no_key=True).filter(pk=shared_draft(link=link).pk)
        list(held.order_by().values_list("pk"))
        draft = shared_draft(link=link)  # as it is now that it is held
        return _report(user, draft, draft.user_id, reason, text, now)


def close_reports(*, thing: Thing, outcome: Report.Outcome, now: datetime) -> int:
    """Close what is open about a thing, whose row is held; return how many reports there were."""
    return open_reports_of(thing).update(outcome=outcome, closed_at=now)


def open_reports_of(thing: Thing) -> QuerySet[Report]:
    """Return the reports of a thing about which staff have not decided."""
    return Report.objects.filter(closed_at=None, **_about(thing))


def forget_reports(*, now: datetime) -> int:
    """Delete reports that staff decided about long ago; return how many."""
    return Report.objects.filter(closed_at__lte=now - KEPT).delete()[0]


def _hold(user: User) -> None:
    refuse_guests(user)
    hold_person(user)


def _report(user: User, thing: Thing, author: int, reason: str, text: str, now: datetime) -> Report:
    """Keep a report about a thing; both person and thing are held."""
    if author == user.pk:
        raise Forbidden("own", _("This is yours: you can change it, or delete it."))
    if open_reports_of(thing).filter(reporter=user).exists():
        raise Conflict("reported", _("You have reported this already. Staff will look at it."))
    tidy = _checked(reason, text)
    detail = _("You have sent {most} reports within a day. Try again later.").format(most=MOST_A_DAY)
    spend(Limit("reports", MOST_A_DAY, DAY), user=user, detail=detail, now=now)
    return Report.objects.create(**_about(thing), reporter=user, reason=reason, text=tidy, created_at=now)


def _about(thing: Thing) -> dict[str, Any]:
    """Return a thing by the column of a report that leads to it."""
    columns = {Starship: "starship", StarshipDraft: "draft", Review: "review"}
    return {columns[type(thing)]: thing}


def _checked(reason: object, text: str) -> str:
    """Return the text of a report as it is kept; raises Invalid with all that is wrong."""
    problems: list[ProblemDocument] = []
    tidy = errors.tidied(text)
    if reason not in Report.Reason.values:
        problems.append({"code": "reason", "detail": _("Choose what is wrong.")})
    problems += errors.problems_of(tidy, longest=LONGEST_REPORT)
    if reason == Report.Reason.OTHER and not problems and not errors.says_something(tidy):
        problems.append({"code": "text", "detail": _("Write what is wrong, so that staff can find it.")})
    if problems:
        raise Invalid("no-report", _("Your report cannot be sent like this."), problems)
    return tidy
