"""The way of a prototype into the fleet, on its page; and what was decided, for everyone."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.navigation import only_by_form
from games.dock.models import Prototype
from games.dock.selectors.committee import decisions as all_decisions
from games.dock.selectors.committee import decisions_about, is_member, open_promotion_of
from games.dock.selectors.readiness import readiness_of
from games.dock.services import promotion as services
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, page_of, user_of


def promotion_part(*, viewer: User | AnonymousUser, prototype: Prototype | None) -> dict[str, Any]:
    """Return what the page of a starship tells of its way into the fleet, for `dock/promotion.html`."""
    if prototype is None:
        return {}
    starship = prototype.starship
    part: dict[str, Any] = {
        "prototype": prototype,
        "decision": decisions_about(starship_id=starship.pk).first(),
    }
    if viewer.pk == starship.owner_id:
        part |= needs_part(prototype)
    elif prototype.status == Prototype.Status.READY and is_member(viewer):
        part["promotion"] = open_promotion_of(prototype=prototype)
    return {"way": part}


def needs_part(prototype: Prototype) -> dict[str, Any]:
    """Return what its builder sees of what a prototype still needs, for `dock/needs.html`."""
    return {
        "prototype": prototype,
        "builds": True,
        "promotion": open_promotion_of(prototype=prototype),
        "readiness": readiness_of(prototype=prototype)
        if prototype.status == Prototype.Status.TESTING
        else None,
    }


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def ask(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Put a prototype before the committee."""
    return _do(
        request,
        services.ask_for_promotion,
        starship_id,
        _("The design committee will decide about your ship. You see its decision on this page."),
    )


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def take_back(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Take a prototype back from the committee."""
    return _do(
        request, services.take_back, starship_id, _("Your ship is back in its bay. You can change it again.")
    )


@require_safe
def decisions(request: HttpRequest) -> HttpResponse:
    """Show what the design committee has decided, the last first."""
    return render(request, "dock/decisions.html", {"decisions": page_of(request, all_decisions())})


def _do(request: HttpRequest, deed: Any, starship_id: int, done: str) -> HttpResponse:
    try:
        deed(user=user_of(request), starship_id=starship_id, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, done)
    return redirect(f"{reverse('starships:detail', args=[starship_id])}#way")
