"""The versions of a draft: what is kept, two of them side by side, and bringing one back."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from games.pages import for_people, hides_what_is_not_there, user_of
from games.shipyard.drawings import sketch_of
from games.shipyard.models import StarshipDraft
from games.shipyard.pages.drafts import title_of
from games.shipyard.pages.pictures import compared_drawing
from games.shipyard.selectors import draft_for, number_of, version_for, versions_of
from games.shipyard.services.drafts import bring_back


@require_safe
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def history(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show the versions of a draft that are kept, and two of them side by side: ``?left=3&right=7``."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    versions = versions_of(draft=draft)
    kept = [(number_of(each), each) for each in versions]
    numbers = [number for number, _each in kept]
    right = _chosen(request, "right", numbers, draft.version)
    before = [number for number in numbers if number < right]
    left = _chosen(request, "left", numbers, before[0] if before else right)
    context = {
        "draft": draft,
        "title": title_of(draft),
        "versions": kept,
        "left": left,
        "right": right,
        **_compared(draft, left, right),
    }
    return render(request, "shipyard/history.html", context)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def restore(request: HttpRequest, draft_id: int, number: int) -> HttpResponse:
    """Save an earlier version as a new one."""
    draft = bring_back(user=user_of(request), draft_id=draft_id, number=number, now=timezone.now())
    told = _("Version {number} is back, as version {now}.")
    messages.success(request, told.format(number=number, now=draft.version))
    return redirect("shipyard:draft", draft_id)


def _compared(draft: StarshipDraft, left: int, right: int) -> dict[str, Any]:
    """Return two versions as pictures, with the cells marked in which they differ."""
    one, other = (version_for(draft=draft, number=number) for number in (left, right))
    before, after = sketch_of(one), sketch_of(other)
    differing = {
        (x, y)
        for y in range(max(before.height, after.height))
        for x in range(max(before.width, after.width))
        if before.token_at(x, y) != after.token_at(x, y)
    }
    return {
        "pair": [
            (left, one, compared_drawing(one, differing)),
            (right, other, compared_drawing(other, differing)),
        ],
        "differing": len(differing),
    }


def _chosen(request: HttpRequest, side: str, numbers: list[int], usual: int) -> int:
    asked = request.GET.get(side, "")
    return int(asked) if asked in map(str, numbers) else usual
