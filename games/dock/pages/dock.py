"""The Space Dock of a person: prototypes in their bays, ships that only they see, and their favourites."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.dock.pages.promotion import needs_part
from games.dock.selectors.committee import is_member
from games.dock.selectors.prototypes import BAYS, flown_by_people, prototypes_of
from games.dock.selectors.reports import takedowns_of
from games.fleet.selectors import MOST_FAVOURITES, favourites_of
from games.pages import for_people, user_of
from games.shipyard.selectors import drafts_of
from games.shipyard.services import MOST_DRAFTS


@require_safe
@never_cache
@login_required
@for_people
def dock(request: HttpRequest) -> HttpResponse:
    """Show the reader's bays, their drafts, and their favourites."""
    bays = prototypes_of(builder=user_of(request))
    flown = flown_by_people(bays)
    drafts = drafts_of(user=user_of(request))
    context = {
        "bays": [(each, flown.get(each.starship_id, 0), needs_part(each)) for each in bays],
        "free": range(BAYS - len(bays)),
        "drafts": drafts,
        "most": MOST_DRAFTS,
        "full": len(drafts) >= MOST_DRAFTS,
        "takedowns": takedowns_of(builder=user_of(request)),
        "published": {each.draft_id: each for each in bays},
        "decides": is_member(user_of(request)),
        **favourites_context(user_of(request)),
    }
    return render(request, "library/dock.html", context)


def favourites_context(user: User) -> dict[str, object]:
    """Return what `templates/library/favourites.html` shows, on any page."""
    return {
        "favourites": favourites_of(user=user).select_related("rating"),
        "most_favourites": MOST_FAVOURITES,
    }
