"""The pages of the design committee: what waits for it, and all there is to judge a prototype by."""

from functools import wraps
from typing import Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from games.dock.models import MOST_WORDS, Promotion, PromotionVote
from games.dock.pages.reviews import reviews_part
from games.dock.selectors.committee import (
    NEEDED,
    games_to_show,
    open_promotions,
    promotion_for,
    refuse_others,
    voters_about,
    votes_in,
)
from games.dock.selectors.readiness import people_of, readiness_of, testers_of
from games.dock.services.promotion import vote_about
from games.errors import Forbidden, NotFound, ServiceError
from games.fleet import boards
from games.fleet.pictures import empty_board
from games.pages import View, for_people, hides_what_is_not_there, page_of, user_of
from games.shipyard.pages.tunnel import run_context

GAMES: Final = 20
"""Games that a page lists."""

VERSIONS: Final = 20
"""Versions that a page lists."""


def for_members(view: View) -> View:
    """Answer 403 to everyone who is not on the committee."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        try:
            return view(request, *args, **more)
        except Forbidden as refusal:
            raise PermissionDenied(refusal.detail) from None

    return cast("View", answer)


@require_safe
@never_cache
@login_required
@for_people
@for_members
def promotions(request: HttpRequest) -> HttpResponse:
    """Show what waits for a decision, what has waited longest first."""
    user = user_of(request)
    refuse_others(user)
    page = page_of(request, open_promotions())
    rows = [
        (each, votes_in(each), next((vote for vote in each.votes.all() if vote.user_id == user.pk), None))
        for each in page
    ]
    return render(request, "dock/promotions.html", {"page": page, "rows": rows, "user": user})


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@for_members
@hides_what_is_not_there
def promotion(request: HttpRequest, promotion_id: int) -> HttpResponse:
    """Show all there is to judge a prototype by; on POST vote about it."""
    user = user_of(request)
    found = promotion_for(viewer=user, promotion_id=promotion_id)
    if request.method != "POST":
        return _page(request, found)
    choice, words = request.POST.get("vote", ""), request.POST.get("words", "")
    try:
        voted = vote_about(
            user=user, promotion_id=promotion_id, choice=choice, words=words, now=timezone.now()
        )
    except NotFound:
        raise
    except ServiceError as refusal:
        found = promotion_for(viewer=user, promotion_id=promotion_id)
        return _page(request, found, refusal=refusal, choice=choice, words=words)
    if voted.status == Promotion.Status.OPEN:
        messages.success(request, _("Your vote counts. You can change it until the committee has decided."))
        return redirect("promotions:one", promotion_id)
    messages.success(request, _("With your vote it is decided."))
    return redirect("promotions:decisions")


def _page(
    request: HttpRequest,
    found: Promotion,
    *,
    refusal: ServiceError | None = None,
    choice: str = "",
    words: str = "",
) -> HttpResponse:
    user, prototype = user_of(request), found.prototype
    mine = next((vote for vote in found.votes.all() if vote.user_id == user.pk), None)
    seen = testers_of(prototype=prototype, public=True)
    context: dict[str, Any] = {
        "promotion": found,
        "prototype": prototype,
        "starship": prototype.starship,
        "ruleset": rules.RULESETS[prototype.ruleset],
        "votes": votes_in(found),
        "needed": NEEDED,
        "voters": voters_about(found).count(),
        "own": prototype.starship.owner_id == user.pk,
        "open": found.status == Promotion.Status.OPEN and prototype.status == prototype.Status.READY,
        "choices": PromotionVote.Choice.choices,
        "choice": choice or (mine.choice if mine else ""),
        "words": words if refusal else (mine.words if mine else ""),
        "most": MOST_WORDS,
        "mine": mine,
        "refusal": refusal,
        "readiness": readiness_of(prototype=prototype),
        "testers": people_of(testers=seen),
        "hidden": len(testers_of(prototype=prototype)) - len(seen),
        "games": games_to_show(promotion=found, most=GAMES),
        "versions": prototype.starship.revisions.filter(prototype=True).order_by("-number")[:VERSIONS],
        "decided": found.ended_at if found.status in Promotion.DECIDED else None,
        **reviews_part(request, prototype.starship),
    }
    if found.run:
        context |= run_context(found.run)
    else:
        context["board"] = empty_board(boards.starship_of(found.revision))
    return render(request, "dock/promotion_page.html", context, status=refusal.status if refusal else 200)
