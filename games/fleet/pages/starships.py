"""The library of starships."""

from itertools import groupby

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

import rules
from games.errors import ServiceError
from games.fleet import stored
from games.fleet.models import Starship
from games.fleet.pages.legend import legend_of
from games.fleet.pages.pictures import empty_board
from games.fleet.pages.suitability import verdicts
from games.fleet.selectors import starships as fleet_starships
from games.fleet.selectors.fitting import editions_of, fitting_starships
from games.fleet.selectors.starships import revision_for, starship_for
from games.lobby.pages.creation import RULESET
from games.lobby.services.quick import lone_game
from games.pages import hides_what_is_not_there, sign_in_first, user_of

FOR_EVER = 60 * 60 * 24 * 365
"""Seconds that a browser may keep the drawing of a revision, which never changes."""

THUMBNAIL_CELL = 12


@require_safe
def starships(request: HttpRequest) -> HttpResponse:
    """Show all starships, or those that suit a ruleset, section by section."""
    asked = request.GET.get("ruleset") or None
    if asked is not None and asked not in rules.RULESETS:
        raise Http404(f"There is no ruleset “{asked}”.")
    edition = rules.ruleset(asked) if asked else None
    missions_first = sorted(
        fleet_starships.starships(), key=lambda ship: ship.section != Starship.Section.MISSIONS
    )
    found = fitting_starships(ruleset=edition) if edition else missions_first
    sections = [
        (Starship.Section(section), list(ships))
        for section, ships in groupby(found, key=lambda ship: ship.section)
    ]
    context = {"sections": sections, "editions": list(rules.RULESETS.values()), "edition": edition}
    return render(request, "fleet/list.html", context)


@require_safe
@hides_what_is_not_there
def starship(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show one starship."""
    return starship_page(request, starship_id)


def starship_page(
    request: HttpRequest, starship_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show one starship; after a ``refusal`` with the reason, and its status."""
    found = starship_for(starship_id=starship_id)
    assert found.current
    ship = stored.starship_of(found.current)
    judged = verdicts(found)
    suits = [verdict.ruleset for verdict in judged if verdict.suits]
    alone = _edition_for_one(found)
    context = {
        "starship": found,
        "suits": suits,
        "asked": next((edition for edition in suits if edition.key == request.GET.get("ruleset")), None),
        "unsuitable": [verdict for verdict in judged if not verdict.suits],
        "alone": alone,
        "mission": found.missions.first(),
        "ship": ship,
        "board": empty_board(ship),
        "wide": ship.width > 14,
        "edition": (edition := next(iter(editions_of(starship=found)), None)),
        "legend": legend_of(ship, edition),
        "damaged": sum(ship.hull_damage.values()),
        "refusal": refusal,
    }
    return render(request, "fleet/detail.html", context, status=refusal.status if refusal else 200)


@require_POST
@hides_what_is_not_there
def fly(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Start a game for one on a starship, with one click."""
    if not request.user.is_authenticated:
        return sign_in_first(reverse("starships:detail", args=[starship_id]))
    found = starship_for(starship_id=starship_id)
    edition = _edition_for_one(found) or rules.ruleset(RULESET)
    try:
        game = lone_game(
            user=user_of(request),
            name=found.name,
            starship_id=starship_id,
            ruleset=edition.key,
            now=timezone.now(),
        )
    except ServiceError as refusal:
        return starship_page(request, starship_id, refusal)
    messages.success(request, "Your robot is ready to start.")
    return redirect("games:game", game.pk)


def _edition_for_one(starship: Starship) -> rules.Ruleset | None:
    """Return the ruleset by which a starship is flown alone: the best suited that one may play."""
    assert starship.current
    if not stored.starship_of(starship.current).checkpoints:
        return None
    return next((edition for edition in editions_of(starship=starship) if edition.seats[0] == 1), None)


@require_safe
@hides_what_is_not_there
def drawing(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Draw a starship, small, as a picture that lists refer to.

    With ``?checkpoints=2`` it has its first two alone: a game may play no more.
    """
    if theme not in ("light", "dark"):
        raise Http404("Drawings are light or dark.")
    ship = stored.starship_of(revision_for(revision_id=revision_id))
    if asked := request.GET.get("checkpoints"):
        if asked not in map(str, ship.checkpoints):
            raise Http404("A drawing shows as many checkpoints as the starship has, or fewer.")
        ship = rules.with_first_checkpoints(ship, int(asked))
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    answer["Cache-Control"] = f"public, max-age={FOR_EVER}, immutable"
    return answer
