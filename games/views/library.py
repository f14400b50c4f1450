"""The library of starships."""

from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games import selectors, services, stored
from games.errors import ServiceError
from games.models import Starship
from games.views.legend import legend_of
from games.views.pictures import empty_board
from games.views.requests import hides_what_is_not_there, sign_in_first, user_of

FOR_EVER = 60 * 60 * 24 * 365
"""Seconds that a browser may keep the drawing of a revision, which never changes."""

THUMBNAIL_CELL = 12


@require_safe
def starships(request: HttpRequest) -> HttpResponse:
    """Show all starships, section by section."""
    found = sorted(selectors.starships(), key=lambda ship: ship.section != Starship.Section.MISSIONS)
    sections = [
        (Starship.Section(section), list(ships))
        for section, ships in groupby(found, key=lambda ship: ship.section)
    ]
    return render(request, "starships/list.html", {"sections": sections})


@require_safe
@hides_what_is_not_there
def starship(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show one starship."""
    return starship_page(request, starship_id)


def starship_page(
    request: HttpRequest, starship_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show one starship; after a ``refusal`` with the reason, and its status."""
    found = selectors.starship_for(starship_id=starship_id)
    assert found.current
    ship = stored.starship_of(found.current)
    context = {
        "starship": found,
        "ship": ship,
        "board": empty_board(ship),
        "wide": ship.width > 14,
        "legend": legend_of(ship),
        "damaged": sum(ship.hull_damage.values()),
        "refusal": refusal,
    }
    return render(request, "starships/detail.html", context, status=refusal.status if refusal else 200)


@require_POST
@hides_what_is_not_there
def fly(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Start a game for one on a starship, with one click."""
    if not request.user.is_authenticated:
        return sign_in_first(reverse("starships:detail", args=[starship_id]))
    found = selectors.starship_for(starship_id=starship_id)
    try:
        game = services.create_game(
            host=user_of(request), name=found.name, starship_id=starship_id, seats=1, now=timezone.now()
        )
    except ServiceError as refusal:
        return starship_page(request, starship_id, refusal)
    messages.success(request, "Your robot is in the airlock.")
    return redirect("games:game", game.pk)


@require_safe
@hides_what_is_not_there
def drawing(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Draw a starship, small, as a picture that lists refer to."""
    if theme not in ("light", "dark"):
        raise Http404("Drawings are light or dark.")
    ship = stored.starship_of(selectors.revision_for(revision_id=revision_id))
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    answer["Cache-Control"] = f"public, max-age={FOR_EVER}, immutable"
    return answer
