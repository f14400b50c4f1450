"""Reviews of starships: a part of a ship's page, all of them, writing one, and answering."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.navigation import only_by_form, show_as
from games.dock.models import Review
from games.dock.models.reviews import MOST_STARS, Tag
from games.dock.pages.review_forms import AnswerForm, ReviewForm
from games.dock.selectors.reports import may_report, reviews_reported
from games.dock.selectors.reviews import (
    is_builder,
    may_review,
    own_review,
    rating_of,
    reason_hidden,
    review_for,
    reviews_of,
    version_played,
    version_to_review,
)
from games.dock.services.reviews import answer_review, take_back_review, write_review
from games.errors import NotFound, ServiceError
from games.fleet.models import Starship
from games.fleet.selectors import starship_for
from games.pages import for_people, hides_what_is_not_there, number_in, page_of, user_of, viewer_of
from games.play.pages.sight import Sight
from games.play.selectors.viewers import Viewer

NEWEST: Final = 3
"""Reviews that the page of a ship shows itself."""


def reviews_part(request: HttpRequest, starship: Starship) -> dict[str, Any]:
    """Return what the page of a ship says of its reviews."""
    viewer = viewer_of(request)
    found = reviews_of(viewer=viewer, starship=starship)
    return {
        "rating": rating_of(starship=starship),
        "number_reviews": found.count(),
        "reviews": _seen(viewer, starship, found[:NEWEST]),
        "may_review": may_review(viewer=viewer, starship=starship),
        "may_be_reviewed": starship.section != Starship.Section.MISSIONS,
    }


def review_panel(sight: Sight) -> dict[str, Any]:
    """Return whether the viewer may review the ship of a game that is over, and the version."""
    version = version_played(viewer=sight.viewer, game=sight.game)
    reviewed = version is not None and own_review(viewer=sight.viewer, version=version) is not None
    return {"version_to_review": version, "has_reviewed": reviewed}


@require_safe
@hides_what_is_not_there
def reviews(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show all reviews of a ship, or those of one version."""
    return _page(request, starship_for(starship_id=starship_id))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def review(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show what a person writes about a ship; on POST save it."""
    user, ship = user_of(request), starship_for(starship_id=starship_id)
    try:
        version = version_to_review(user=user, starship=ship, version=_version(request))
    except NotFound:
        raise
    except ServiceError as refusal:
        return _page(request, ship, refusal=refusal)
    mine = own_review(viewer=user, version=version)
    written = {"stars": mine.stars, "tags": mine.tags, "text": mine.text} if mine else {}
    form = ReviewForm(request.POST if request.method == "POST" else None, initial=written)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                saved = write_review(
                    user=user,
                    starship_id=starship_id,
                    version=version.number,
                    now=timezone.now(),
                    **form.cleaned_data,
                )
            except NotFound:
                raise
            except ServiceError as refusal:
                form.add_refusal(refusal)
                status = refusal.status
            else:
                if saved.held_until:
                    messages.info(request, _("Your review is saved. Others see it within two days."))
                else:
                    messages.success(request, _("Your review is published. Thank you."))
                return redirect(f"{reverse('starships:reviews', args=[starship_id])}#review-{saved.pk}")
    context = {"starship": ship, "version": version, "form": form, "mine": mine}
    return render(request, "dock/write_review.html", context, status=status)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def take_back(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Delete a person's review of a version."""
    try:
        take_back_review(user=user_of(request), starship_id=starship_id, version=_version(request))
    except NotFound:
        raise
    except ServiceError as refusal:
        return _page(request, starship_for(starship_id=starship_id), refusal=refusal)
    messages.success(request, _("Your review is deleted."))
    return redirect("starships:reviews", starship_id)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def answer(request: HttpRequest, starship_id: int, review_id: int) -> HttpResponse:
    """Publish what a builder answers to a review."""
    ship = starship_for(starship_id=starship_id)
    if review_for(viewer=viewer_of(request), review_id=review_id).starship_id != starship_id:
        raise NotFound("no-review", _("There is no such review."))
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _page(request, ship, answering=review_id, form=form, status=422)
    text = form.cleaned_data["text"]
    try:
        answer_review(user=user_of(request), review_id=review_id, text=text, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return _page(request, ship, answering=review_id, form=form, refusal=refusal)
    messages.success(request, _("Your answer is published."))
    return redirect(f"{reverse('starships:reviews', args=[starship_id])}#review-{review_id}")


def _page(
    request: HttpRequest,
    starship: Starship,
    *,
    answering: int | None = None,
    form: AnswerForm | None = None,
    refusal: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show the reviews of a ship; after a ``refusal`` with the reason, and its status."""
    viewer = viewer_of(request)
    version = _version(request) if request.method in ("GET", "HEAD") else None
    page: Page[Review] = page_of(request, reviews_of(viewer=viewer, starship=starship, version=version))
    show_as(request, "starships:reviews", starship.pk)
    numbers = starship.revisions.filter(reviews__isnull=False).distinct().order_by("-number")
    context = {
        "starship": starship,
        "rating": rating_of(starship=starship),
        "page": page,
        "reviews": _seen(viewer, starship, page.object_list, answering, form),
        "version": version,
        "query": f"version={version}" if version else "",
        "versions": list(numbers.values_list("number", flat=True)),
        "may_review": may_review(viewer=viewer, starship=starship),
        "refusal": refusal,
    }
    return render(request, "dock/reviews.html", context, status=refusal.status if refusal else status)


def _seen(
    viewer: Viewer,
    starship: Starship,
    reviews: Any,
    answering: int | None = None,
    form: AnswerForm | None = None,
) -> list[dict[str, Any]]:
    """Return reviews as templates show them; ``form`` is what was typed as the answer to one of them."""
    builds, reported = is_builder(viewer, starship), reviews_reported(viewer=viewer, reviews=reviews)
    reports = may_report(viewer=viewer)
    return [
        {
            "review": each,
            "stars": "★" * each.stars + "☆" * (MOST_STARS - each.stars),
            "tags": [Tag(tag).label for tag in each.tags],
            "mine": each.author_id == viewer.pk,
            "why": reason_hidden(review=each),
            "reported": each.pk in reported,
            "may_report": reports and each.is_shown and each.author_id != viewer.pk,
            "form": (form if form and each.pk == answering else AnswerForm(auto_id=f"answer-{each.pk}-%s"))
            if builds and each.is_shown and not each.answer
            else None,
        }
        for each in reviews
    ]


def _version(request: HttpRequest) -> int | None:
    """Return the version that a request names, if it is a number."""
    return number_in(request.POST.get("version") or request.GET.get("version"), digits=9)
