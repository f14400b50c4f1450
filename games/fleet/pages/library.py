"""Pages of the starship library, single starships, ships of the week, and favourites."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from accounts.navigation import show_as
from games.dock.pages import favourites_context, promotion_part, prototype_panel, reviews_part
from games.errors import ServiceError
from games.fleet import boards
from games.fleet.figures import length_of, record_of, ship_of_the_week, ships_of_weeks
from games.fleet.inputs import LibraryFilter
from games.fleet.models import Starship
from games.fleet.pictures import empty_board, legend_of
from games.fleet.search import class_of_board, search
from games.fleet.selectors import editions_of, is_favourite, starship_for, verdicts_by_ruleset
from games.fleet.services import add_favourite, remove_favourite
from games.lobby.pages.creation import RULESET
from games.lobby.practice import solo_game
from games.moderation.pages import report_part, taken_down_page
from games.reading import allow_replica
from games.web.actions import Done, action
from games.web.pages import (
    address_without_blanks,
    handle_missing,
    page_of,
    require_account,
    user_of,
    viewer_of,
)

STARSHIPS_PER_PAGE: Final = 16
"""The maximum number of starships on a page of results."""

SECTIONS: Final = {Starship.Section.MISSIONS: 4, Starship.Section.FLEET: 8}
"""The sections on the library's first page, in order, each with the maximum number of starships there.

Prototypes appear only in search results.
"""


@require_safe
@allow_replica()
def library(request: HttpRequest) -> HttpResponse:
    """Show the library: the results of its filters, or else the first starships of each section."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    asked = LibraryFilter(request.GET)
    context: dict[str, object] = {"filter": asked}
    if asked.chosen or "page" in request.GET:
        context |= {
            "page": page_of(request, asked.found(), size=STARSHIPS_PER_PAGE),
            "section": next((each for each in Starship.Section if each == asked.chosen.get("section")), None),
            "edition": rules.RULESETS.get(asked.chosen.get("ruleset", "")),
        }
    else:
        found = [(section, search(section=section), most) for section, most in SECTIONS.items()]
        sections = [(section, list(ships[:most]), ships.count()) for section, ships, most in found]
        context |= {
            "sections": [each for each in sections if each[1]],
            "chosen": ship_of_the_week(now=timezone.now()),
            "prototypes": search(section=Starship.Section.PROTOTYPES).count(),
        }
    return render(request, "fleet/list.html", context)


@require_safe
@allow_replica()
@handle_missing
def starship(request: HttpRequest, starship_id: int) -> HttpResponse:
    return starship_page(request, starship_id)


def starship_page(
    request: HttpRequest, starship_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show the page of a starship. After a ``refusal``, show its reason, and use its HTTP status."""
    found = starship_for(starship_id=starship_id, taken_down=True)
    if found.taken_down_at:
        return taken_down_page(request, found)
    assert found.current
    show_as(request, "starships:detail", starship_id)
    ship = boards.starship_of(found.current)
    judged = verdicts_by_ruleset(found)
    suits = [verdict.ruleset for verdict in judged if verdict.suits]
    alone, viewer = edition_for_one(found), viewer_of(request)
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
        "class": class_of_board(found.current),
        "legend": legend_of(ship, edition),
        "damaged": sum(ship.hull_damage.values()),
        "is_favourite": isinstance(viewer, User) and is_favourite(user=viewer, starship_id=starship_id),
        "record": (record := record_of(starship_id)),
        "length": length_of(found, record),
        "refusal": refusal,
        **(panel := prototype_panel(viewer=viewer, starship=found)),
        **reviews_part(request, found),
        **report_part(viewer=viewer, starship=found),
        **promotion_part(viewer=viewer, prototype=panel.get("prototype")),
    }
    return render(request, "fleet/starship.html", context, status=refusal.status if refusal else 200)


def edition_for_one(starship: Starship) -> rules.Ruleset | None:
    """Return the best ruleset for one player on a starship, or None if there is none."""
    assert starship.current
    if not boards.starship_of(starship.current).checkpoints:
        return None
    return next((edition for edition in editions_of(starship=starship) if edition.seats[0] == 1), None)


@require_safe
@allow_replica()
def weeks(request: HttpRequest) -> HttpResponse:
    """Show the ship of the week for each week so far, the latest first."""
    return render(request, "fleet/weeks.html", {"page": page_of(request, ships_of_weeks(), size=24)})


@action(guests=True, refused_on=starship_page, says=_("Your robot is ready to start."))
def fly(request: HttpRequest, starship_id: int) -> Done:
    """Start a game for one player on a starship."""
    found = starship_for(starship_id=starship_id)
    edition = edition_for_one(found) or rules.ruleset(RULESET)
    game = solo_game(
        user=user_of(request),
        name=found.name,
        starship_id=starship_id,
        ruleset=edition.key,
        now=timezone.now(),
    )
    return Done(then=reverse("games:game", args=[game.pk]))


REMOVE = "remove"
"""The value of the button for removing a favourite."""


@require_safe
@login_required
@require_account
def favourites(request: HttpRequest) -> HttpResponse:
    return render(request, "fleet/favourites_page.html", favourites_context(user_of(request)))


@action(refused_on=starship_page)
def favourite(request: HttpRequest, starship_id: int) -> Done:
    if request.POST.get("do") == REMOVE:
        remove_favourite(user=user_of(request), starship_id=starship_id)
        return Done(_("Removed from your favourites."))
    add_favourite(user=user_of(request), starship_id=starship_id, now=timezone.now())
    return Done(_("Added to your favourites."))
