"""Reporting ships and reviews to staff; and what is left of the page of a ship that was taken down."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.dock.models.reports import LONGEST_REPORT, Report
from games.dock.reviews import is_builder, review_for
from games.dock.selectors.reports import has_reported, may_report, takedown_of
from games.dock.services.reports import report_review, report_shared, report_starship
from games.errors import NotFound
from games.fleet.models import Starship
from games.fleet.selectors import starship_for
from games.play.selectors.viewers import Viewer
from games.rights import Right, may
from games.shipyard.pages.drafts import title_of, unsearched
from games.shipyard.selectors import shared_draft
from games.web.inputs import Refusable
from games.web.pages import for_people, hides_what_is_not_there, user_of, viewer_of


class ReportForm(Refusable):
    """What is wrong."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=Report.Reason.choices,
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is wrong.")},
    )
    text = forms.CharField(
        label=_("Details"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": LONGEST_REPORT}),
        help_text=_("If it was copied, say from which ship. Only staff read this."),
    )


class ReviewReportForm(ReportForm):
    """What is wrong with a review."""

    reason = forms.ChoiceField(
        label=_("What is wrong?"),
        choices=[each for each in Report.Reason.choices if each[0] != Report.Reason.UNPLAYABLE],
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose what is wrong.")},
    )


def report_part(*, viewer: Viewer, starship: Starship) -> dict[str, Any]:
    """Return whether the viewer may report a ship, or has, for `dock/report_link.html`."""
    return {
        "may_report": may_report(viewer=viewer)
        and starship.owner_id is not None
        and not is_builder(viewer, starship),
        "has_reported": has_reported(viewer=viewer, thing=starship),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report_ship(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Ask what is wrong with a ship; on POST report it."""
    ship = starship_for(starship_id=starship_id)
    back = reverse("starships:detail", args=[starship_id])

    def send(**given: Any) -> Report:
        return report_starship(starship_id=starship_id, **given)

    return _page(request, send, back, {"heading": ship.name})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def report_a_review(request: HttpRequest, starship_id: int, review_id: int) -> HttpResponse:
    """Ask what is wrong with a review; on POST report it."""
    ship = starship_for(starship_id=starship_id)
    review = review_for(viewer=viewer_of(request), review_id=review_id)
    if review.starship_id != starship_id:
        raise NotFound("no-review", gettext("There is no such review."))
    back = f"{reverse('starships:reviews', args=[starship_id])}#review-{review_id}"

    def send(**given: Any) -> Report:
        return report_review(starship_id=starship_id, review_id=review_id, **given)

    return _page(request, send, back, {"heading": ship.name, "review": review})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@unsearched
@login_required
@for_people
@hides_what_is_not_there
def report_shared_ship(request: HttpRequest, link: str) -> HttpResponse:
    """Ask what is wrong with a ship that is shared by a link; on POST report it."""
    draft = shared_draft(link=link)

    def send(**given: Any) -> Report:
        return report_shared(link=link, **given)

    return _page(request, send, reverse("shipyard:shared", args=[link]), {"heading": title_of(draft)})


def taken_down_page(request: HttpRequest, starship: Starship) -> HttpResponse:
    """Answer that a ship was taken down; its builder and staff read why."""
    viewer = viewer_of(request)
    reads = is_builder(viewer, starship) or may(viewer, Right.SEE_MODERATIONS)
    told = takedown_of(starship) if reads else None
    context = {"takedown": told, "builds": is_builder(viewer, starship)}
    return render(request, "410.html", context, status=410)


def _page(
    request: HttpRequest, send: Callable[..., Report], back: str, context: dict[str, Any]
) -> HttpResponse:
    kind = ReviewReportForm if "review" in context else ReportForm
    form, status = kind(request.POST if request.method == "POST" else None), 200
    if request.method == "POST":
        refused = form.refused_by(send, user=user_of(request), now=timezone.now())
        if refused is None:
            messages.success(request, gettext("Thank you. Staff will look at it."))
            return redirect(back)
        status = refused
    return render(request, "dock/report.html", {"form": form, "back": back, **context}, status=status)
