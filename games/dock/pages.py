"""Pages of the Space Dock: prototypes, publication, requests for promotion, and reviews."""

from functools import wraps
from typing import Any, Final, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from accounts.navigation import show_as
from games.dock import selectors, services
from games.dock.inputs import Answer, CommitteeVote, NewPrototype, NewReview
from games.dock.models import LONGEST_REASONS, MOST_STARS, Promotion, PromotionVote, Prototype, Review, Tag
from games.dock.reviews import (
    answer_review,
    is_builder,
    may_review,
    own_review,
    rating_of,
    reason_hidden,
    review_for,
    reviews_of,
    take_back_review,
    version_played,
    version_to_review,
    write_review,
)
from games.dock.services import close_prototype, plan_publication, publish_draft, vote_about
from games.errors import Forbidden, NotFound, ServiceError, number_in
from games.fleet import boards
from games.fleet.models import Starship
from games.fleet.pictures import empty_board
from games.fleet.selectors import MOST_FAVOURITES, favourites_of, starship_for
from games.moderation.selectors import may_report, reviews_reported, takedowns_of
from games.play.pages.console import PageContext
from games.play.viewers import Viewer
from games.shipyard.pages.drafts import title_of
from games.shipyard.pages.tunnel import run_context
from games.shipyard.selectors import draft_for, drafts_of
from games.shipyard.services import MOST_DRAFTS
from games.web.actions import Done, action
from games.web.forms import InputForm, form_of
from games.web.pages import View, handle_missing, page_of, require_account, user_of, viewer_of

AnswerForm = form_of(Answer)
CommitteeVoteForm = form_of(CommitteeVote)


# --- Promotion ----------------------------------------------------------------------------------------------


def promotion_part(*, viewer: User | AnonymousUser, prototype: Prototype | None) -> dict[str, Any]:
    """Return the context for `dock/promotion.html`, a part of the page of a starship."""
    if prototype is None:
        return {}
    starship = prototype.starship
    part: dict[str, Any] = {
        "prototype": prototype,
        "decision": selectors.decisions_about(starship_id=starship.pk).first(),
    }
    if viewer.pk == starship.owner_id:
        part |= needs_part(prototype)
    elif prototype.status == Prototype.Status.READY and selectors.is_member(viewer):
        part["promotion"] = selectors.open_promotion_of(prototype=prototype)
    return {"way": part}


def needs_part(prototype: Prototype) -> dict[str, Any]:
    """Return the context for `dock/needs.html`, about a prototype's progress towards promotion."""
    return {
        "prototype": prototype,
        "builds": True,
        "promotion": selectors.open_promotion_of(prototype=prototype),
        "readiness": selectors.readiness_of(prototype=prototype)
        if prototype.status == Prototype.Status.TESTING
        else None,
    }


def _way_of(starship_id: int) -> str:
    return f"{reverse('starships:detail', args=[starship_id])}#way"


def _refuse_promotion(request: HttpRequest, starship_id: int, refusal: ServiceError) -> HttpResponse:
    if isinstance(refusal, NotFound):
        raise refusal
    messages.error(request, refusal.detail)
    return redirect(_way_of(starship_id))


@action(
    refused_on=_refuse_promotion,
    says=_("Promotion requested. The design committee’s decision will appear on this page."),
)
def request_promotion(request: HttpRequest, starship_id: int) -> Done:
    services.ask_for_promotion(user=user_of(request), starship_id=starship_id, now=timezone.now())
    return Done(then=_way_of(starship_id))


@action(refused_on=_refuse_promotion, says=_("You withdrew your request. You can change the ship again."))
def withdraw_promotion(request: HttpRequest, starship_id: int) -> Done:
    services.take_back_promotion(user=user_of(request), starship_id=starship_id, now=timezone.now())
    return Done(then=_way_of(starship_id))


@require_safe
def decision_list(request: HttpRequest) -> HttpResponse:
    """Show the design committee's decisions, newest first."""
    return render(request, "dock/decisions.html", {"decisions": page_of(request, selectors.decisions())})


# --- Bays ---------------------------------------------------------------------------------------------------


@require_safe
@never_cache
@login_required
@require_account
def dock(request: HttpRequest) -> HttpResponse:
    """Show the user's bays, drafts, and favourite starships."""
    bays = selectors.prototypes_of(builder=user_of(request))
    flown = selectors.flown_by_people(bays)
    drafts = drafts_of(user=user_of(request))
    context = {
        "bays": [(each, flown.get(each.starship_id, 0), needs_part(each)) for each in bays],
        "free": range(selectors.BAYS_PER_BUILDER - len(bays)),
        "drafts": drafts,
        "most": MOST_DRAFTS,
        "full": len(drafts) >= MOST_DRAFTS,
        "takedowns": takedowns_of(builder=user_of(request)),
        "published": {each.draft_id: each for each in bays},
        "decides": selectors.is_member(user_of(request)),
        **favourites_context(user_of(request)),
    }
    return render(request, "dock/dock.html", context)


def favourites_context(user: User) -> dict[str, object]:
    """Return the context for `templates/fleet/favourites.html`."""
    return {
        "favourites": favourites_of(user=user).select_related("rating"),
        "most_favourites": MOST_FAVOURITES,
    }


def prototype_panel(*, viewer: Viewer, starship: Starship) -> dict[str, Any]:
    """Return the context about a starship as a prototype, even if it has left its bay.

    The context is empty if the starship never was a prototype.
    """
    found = selectors.prototype_facts(starship=starship)
    if found is None:
        return {}
    return {
        "prototype": found,
        "builds_it": starship.owner_id is not None and starship.owner_id == getattr(viewer, "pk", None),
        "flown": selectors.flown_by_people([found]).get(starship.pk, 0),
        "copied_from": selectors.parent_in_library(found),
    }


def _publication(request: HttpRequest, draft_id: int) -> dict[str, Any]:
    """Return the context of the page to publish a draft.

    The context contains what publishing the draft would do, or the service's error.
    """
    user = user_of(request)
    draft = draft_for(viewer=user, draft_id=draft_id)
    shown = {
        "draft": draft,
        "title": title_of(draft),
        "licence": selectors.licence(),
        "bays": selectors.prototypes_of(builder=user),
        "most": selectors.BAYS_PER_BUILDER,
    }
    try:
        plan = plan_publication(user=user, draft=draft, now=timezone.now())
    except ServiceError as refusal:
        return {**shown, "obstacle": refusal}
    return {**shown, "plan": plan, "edition": rules.RULESETS[plan.ruleset]}


@never_cache
@action(form_of(NewPrototype), template="dock/publish.html", context=_publication)
def publish_page(request: HttpRequest, draft_id: int, asked: dict[str, Any]) -> Done:
    """Show what publishing a draft would do, or why it cannot be published. On POST, publish the draft."""
    made = publish_draft(user=user_of(request), draft_id=draft_id, now=timezone.now())
    current = made.starship.current
    assert current
    said = gettext("Version {number} of {ship} is published. Everyone can play on it now.")
    there = reverse("starships:detail", args=[made.starship_id])
    return Done(said.format(ship=made.starship.name, number=current.number), then=there)


def _prototype_to_close(request: HttpRequest, starship_id: int) -> dict[str, Any]:
    prototype = selectors.own_prototype(user=user_of(request), starship_id=starship_id)
    return {"prototype": prototype, "starship": prototype.starship}


@never_cache
@action(template="dock/close.html", context=_prototype_to_close, then="shipyard:list")
def close_page(request: HttpRequest, starship_id: int) -> Done:
    """Ask the builder for confirmation. On POST, take the prototype out of its bay."""
    prototype = selectors.own_prototype(user=user_of(request), starship_id=starship_id)
    close_prototype(user=user_of(request), starship_id=starship_id, now=timezone.now())
    said = gettext("{ship} has left its bay. Running games continue.")
    return Done(said.format(ship=prototype.starship.name))


# --- Reviews ------------------------------------------------------------------------------------------------


REVIEWS_SHOWN: Final = 3
"""The maximum number of reviews on the page of a ship."""


def reviews_part(request: HttpRequest, starship: Starship) -> dict[str, Any]:
    """Return the context about a ship's reviews, for the ship's page."""
    viewer = viewer_of(request)
    found = reviews_of(viewer=viewer, starship=starship)
    return {
        "rating": rating_of(starship=starship),
        "number_reviews": found.count(),
        "reviews": _seen(viewer, starship, found[:REVIEWS_SHOWN]),
        "may_review": may_review(viewer=viewer, starship=starship),
        "may_be_reviewed": starship.section != Starship.Section.MISSIONS,
    }


def review_panel(page: PageContext) -> dict[str, Any]:
    """Return the context about the version to review after a game, and whether the viewer reviewed it."""
    version = version_played(viewer=page.viewer, game=page.game)
    reviewed = version is not None and own_review(viewer=page.viewer, version=version) is not None
    return {"version_to_review": version, "has_reviewed": reviewed}


@require_safe
@handle_missing
def review_list(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show the reviews of a ship. The URL query can limit them to one version."""
    return _review_page(request, starship_for(starship_id=starship_id))


def _refuse_review(
    request: HttpRequest,
    starship_id: int,
    refusal: ServiceError,
    review_id: int | None = None,
    form: InputForm | None = None,
) -> HttpResponse:
    ship = starship_for(starship_id=starship_id)
    return _review_page(request, ship, answering=review_id, form=form, refusal=refusal)


def _review_to_write(request: HttpRequest, starship_id: int) -> dict[str, Any]:
    user, ship = user_of(request), starship_for(starship_id=starship_id)
    version = version_to_review(user=user, starship=ship, version=_version(request))
    mine = own_review(viewer=user, version=version)
    written = {"stars": mine.stars, "tags": mine.tags, "text": mine.text} if mine else {}
    return {"starship": ship, "version": version, "mine": mine, "initial": written}


def _page_of_review(review: Review) -> str:
    return f"{reverse('starships:reviews', args=[review.starship_id])}#review-{review.pk}"


@never_cache
@action(
    form_of(NewReview), template="dock/write_review.html", context=_review_to_write, refused_on=_refuse_review
)
def review_page(request: HttpRequest, starship_id: int, asked: dict[str, Any]) -> Done:
    """Show the form for the user's review of a ship. On POST, save the review."""
    given = {**asked, "starship_id": starship_id, "version": _version(request)}
    saved = write_review(user=user_of(request), **given, now=timezone.now())
    if not saved.held_until:
        return Done(gettext("Your review is published."), then=_page_of_review(saved))
    messages.info(request, gettext("Your review is saved. Others will see it within two days."))
    return Done(then=_page_of_review(saved))


@action(refused_on=_refuse_review, says=_("Your review was deleted."))
def withdraw_review(request: HttpRequest, starship_id: int) -> Done:
    take_back_review(user=user_of(request), starship_id=starship_id, version=_version(request))
    return Done(then=reverse("starships:reviews", args=[starship_id]))


@action(AnswerForm, refused_on=_refuse_review, says=_("Your answer is published."))
def answer_page(request: HttpRequest, starship_id: int, review_id: int, asked: dict[str, Any]) -> Done:
    review = review_for(viewer=viewer_of(request), review_id=review_id)
    if review.starship_id != starship_id:
        raise NotFound("no-review", gettext("There is no such review."))
    answer_review(user=user_of(request), review_id=review_id, **asked, now=timezone.now())
    return Done(then=_page_of_review(review))


def _review_page(
    request: HttpRequest,
    starship: Starship,
    *,
    answering: int | None = None,
    form: InputForm | None = None,
    refusal: ServiceError | None = None,
) -> HttpResponse:
    """Show the reviews of a ship. After a ``refusal``, show its reason, and use its HTTP status."""
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
    return render(request, "dock/reviews.html", context, status=refusal.status if refusal else 200)


def _seen(
    viewer: Viewer,
    starship: Starship,
    reviews: Any,
    answering: int | None = None,
    form: InputForm | None = None,
) -> list[dict[str, Any]]:
    """Return the reviews of a ship as dictionaries for templates, each with its stars, tags and answer form.

    If the builder has submitted an answer, ``form`` is the submitted form, and ``answering`` is the ID of the
    answered review.
    """
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
    """Return the number of the requested version, or None if there is none."""
    return number_in(request.POST.get("version") or request.GET.get("version"), digits=9)


GAMES_SHOWN: Final = 20

VERSIONS: Final = 20


def for_members(view: View) -> View:
    """Make a view answer viewers outside the design committee with status 403 when it raises Forbidden."""

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
@require_account
@for_members
def promotion_list(request: HttpRequest) -> HttpResponse:
    """Show undecided requests for promotion to a member of the design committee, oldest first."""
    user = user_of(request)
    selectors.refuse_others(user)
    page = page_of(request, selectors.open_promotions())
    rows = [
        (
            each,
            selectors.votes_in(each),
            next((vote for vote in each.votes.all() if vote.user_id == user.pk), None),
        )
        for each in page
    ]
    return render(request, "dock/promotions.html", {"page": page, "rows": rows, "user": user})


def show_promotion(
    request: HttpRequest,
    promotion_id: int,
    form: InputForm | None = None,
    refusal: ServiceError | None = None,
) -> HttpResponse:
    """Show a request for promotion with facts about the prototype, and the member's vote."""
    user = user_of(request)
    found = selectors.promotion_for(viewer=user, promotion_id=promotion_id)
    prototype = found.prototype
    mine = next((vote for vote in found.votes.all() if vote.user_id == user.pk), None)
    form = form or CommitteeVoteForm(initial={"vote": mine.choice, "words": mine.words} if mine else {})
    seen = selectors.testers_of(prototype=prototype, public=True)
    context: dict[str, Any] = {
        "promotion": found,
        "prototype": prototype,
        "starship": prototype.starship,
        "ruleset": rules.RULESETS[prototype.ruleset],
        "votes": selectors.votes_in(found),
        "needed": selectors.VOTES_NEEDED,
        "voters": selectors.voters_about(found).count(),
        "own": prototype.starship.owner_id == user.pk,
        "open": found.status == Promotion.Status.OPEN and prototype.status == prototype.Status.READY,
        "choices": PromotionVote.Choice.choices,
        "form": form,
        "most": LONGEST_REASONS,
        "mine": mine,
        "refusal": refusal,
        "readiness": selectors.readiness_of(prototype=prototype),
        "testers": selectors.people_of(testers=seen),
        "hidden": len(selectors.testers_of(prototype=prototype)) - len(seen),
        "games": selectors.games_to_show(promotion=found, most=GAMES_SHOWN),
        "versions": prototype.starship.revisions.filter(prototype=True).order_by("-number")[:VERSIONS],
        "decided": found.ended_at if found.status in Promotion.DECIDED else None,
        **reviews_part(request, prototype.starship),
    }
    if found.run:
        context |= run_context(found.run)
    else:
        context["board"] = empty_board(boards.starship_of(found.revision))
    return render(request, "dock/promotion_page.html", context, status=refusal.status if refusal else 200)


@never_cache
@for_members
@action(CommitteeVoteForm, page=show_promotion)
def promotion_page(request: HttpRequest, promotion_id: int, asked: dict[str, Any]) -> Done:
    """Show a request for promotion with facts about the prototype. On POST, save the member's vote."""
    voted = vote_about(user=user_of(request), promotion_id=promotion_id, **asked, now=timezone.now())
    if voted.status != Promotion.Status.OPEN:
        return Done(gettext("Your vote is saved. It was the deciding vote."), then="promotions:decisions")
    said = gettext("Your vote is saved. You can change it until the committee decides.")
    return Done(said, then=request.path)
