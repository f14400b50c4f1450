"""The library of starships."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from accounts.navigation import show_as
from games.dock.pages.promotion import promotion_part
from games.dock.pages.reports import report_part, taken_down_page
from games.dock.pages.reviews import reviews_part
from games.dock.pages.ships import prototype_panel
from games.errors import ServiceError
from games.fleet import stored
from games.fleet.classes import class_of_board
from games.fleet.models import Starship
from games.fleet.pages.legend import legend_of
from games.fleet.pages.pictures import empty_board
from games.fleet.pages.suitability import verdicts
from games.fleet.selectors.favourites import is_favourite
from games.fleet.selectors.fitting import editions_of
from games.fleet.selectors.starships import starship_for
from games.library.forms import LibraryFilter
from games.library.selectors.record import length_of, record_of
from games.library.selectors.search import search
from games.library.selectors.weeks import ship_of_the_week
from games.pages import address_without_blanks, hides_what_is_not_there, page_of, viewer_of
from games.replicas import may_be_old

PAGE: Final = 24
"""Starships on a page, or of a section where no filter is on."""

SECTIONS: Final = (Starship.Section.MISSIONS, Starship.Section.FLEET)
"""What newcomers see, in this order. Prototypes are found by those who look for them."""


@require_safe
@may_be_old()
def starships(request: HttpRequest) -> HttpResponse:
    """Show the library: what an address asks for, or the beginning of each section."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    asked = LibraryFilter(request.GET)
    context: dict[str, object] = {"filter": asked}
    if asked.chosen or "page" in request.GET:
        context |= {
            "page": page_of(request, asked.found(), size=PAGE),
            "section": next((each for each in Starship.Section if each == asked.chosen.get("section")), None),
            "edition": rules.RULESETS.get(asked.chosen.get("ruleset", "")),
        }
    else:
        found = [(section, search(section=section)) for section in SECTIONS]
        sections = [(section, list(ships[:PAGE]), ships.count()) for section, ships in found]
        context |= {
            "sections": [each for each in sections if each[1]],
            "chosen": ship_of_the_week(now=timezone.now()),
            "prototypes": search(section=Starship.Section.PROTOTYPES).count(),
        }
    return render(request, "library/list.html", context)


@require_safe
@may_be_old()
@hides_what_is_not_there
def starship(request: HttpRequest, starship_id: int) -> HttpResponse:
    return starship_page(request, starship_id)


def starship_page(
    request: HttpRequest, starship_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show one starship; after a ``refusal`` with the reason, and its status."""
    found = starship_for(starship_id=starship_id, taken_down=True)
    if found.taken_down_at:
        return taken_down_page(request, found)
    assert found.current
    show_as(request, "starships:detail", starship_id)
    ship = stored.starship_of(found.current)
    judged = verdicts(found)
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
    return render(request, "library/starship.html", context, status=refusal.status if refusal else 200)


def edition_for_one(starship: Starship) -> rules.Ruleset | None:
    """Return the ruleset by which a starship is flown alone: the best suited that one may play."""
    assert starship.current
    if not stored.starship_of(starship.current).checkpoints:
        return None
    return next((edition for edition in editions_of(starship=starship) if edition.seats[0] == 1), None)
