"""The library of starships."""

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import rules
from games.dock.pages.promotion import promotion_part
from games.dock.pages.reviews import reviews_part
from games.dock.pages.ships import prototype_panel
from games.errors import ServiceError
from games.fleet import stored
from games.fleet.models import Starship
from games.fleet.pages.legend import legend_of
from games.fleet.pages.pictures import empty_board
from games.fleet.pages.suitability import verdicts
from games.fleet.selectors import starships as fleet_starships
from games.fleet.selectors.fitting import editions_of, fitting_starships
from games.fleet.selectors.starships import starship_for
from games.pages import hides_what_is_not_there, viewer_of
from games.replicas import may_be_old


@require_safe
@may_be_old()
def starships(request: HttpRequest) -> HttpResponse:
    """Show all starships, or those that suit a ruleset, section by section."""
    asked = request.GET.get("ruleset") or None
    if asked is not None and asked not in rules.RULESETS:
        raise Http404(_("There is no ruleset “{name}”.").format(name=asked))
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
    found = starship_for(starship_id=starship_id)
    assert found.current
    ship = stored.starship_of(found.current)
    judged = verdicts(found)
    suits = [verdict.ruleset for verdict in judged if verdict.suits]
    alone = edition_for_one(found)
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
        **prototype_panel(viewer=viewer_of(request), starship=found),
        **reviews_part(request, found),
        **promotion_part(viewer=viewer_of(request), starship=found),
    }
    return render(request, "library/starship.html", context, status=refusal.status if refusal else 200)


def edition_for_one(starship: Starship) -> rules.Ruleset | None:
    """Return the ruleset by which a starship is flown alone: the best suited that one may play."""
    assert starship.current
    if not stored.starship_of(starship.current).checkpoints:
        return None
    return next((edition for edition in editions_of(starship=starship) if edition.seats[0] == 1), None)
