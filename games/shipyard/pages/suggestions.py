"""Pages to order a ship from the generator, follow the search, and see the result."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from games.shipyard import suggestions
from games.shipyard.inputs import ShipOrder
from games.shipyard.models import ShipSuggestion
from games.shipyard.pages.tunnel import VERDICTS, findings_in, tunnel_drawing, verdict_sentence
from games.shipyard.tunnel import report_for
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import handle_missing, require_account, user_of
from games.work.jobs import reason_in_words


def _earlier(request: HttpRequest) -> dict[str, Any]:
    found = suggestions.suggestions_of(user=user_of(request))
    return {
        "under_way": next((each for each in found if each.is_under_way), None),
        "suggestions": [_listed(each) for each in found],
    }


@never_cache
@action(form_of(ShipOrder), template="shipyard/suggest.html", context=_earlier)
def suggest(request: HttpRequest, asked: dict[str, Any]) -> Done:
    """Show earlier suggestions and a form for a new search, and start the search."""
    made = suggestions.ask_for_ship(user=user_of(request), **asked, now=timezone.now())
    return Done(then=reverse("shipyard:suggestion", args=[made.pk]))


@require_safe
@never_cache
@login_required
@require_account
@handle_missing
def suggestion(request: HttpRequest, suggestion_id: int) -> HttpResponse:
    """Show the progress of a search, or the ship found."""
    found = suggestions.suggestion_for(viewer=user_of(request), suggestion_id=suggestion_id)
    report = report_for(found)
    context: dict[str, Any] = {
        "suggestion": found,
        "edition": rules.RULESETS[found.ruleset],
        "name": suggestions.suggested_name(found),
        "theme": suggestions.THEME_NAMES.get(found.found_theme or found.theme),
        "progress": suggestions.progress_of(found),
        "candidates": suggestions.CANDIDATES,
        "failure": reason_in_words(found.failure) if found.failure else "",
        "again": _order_of(found),
    }
    if report and found.document:
        context |= {
            "about": suggestions.THEME_DESCRIPTIONS[found.found_theme],
            "story": found.document["description"],
            "board": tunnel_drawing(found.document, report),
            "verdict": report["verdict"],
            "verdict_sentence": verdict_sentence(report),
            "findings": findings_in(report),
            "report": report,
        }
    return render(request, "shipyard/suggestion.html", context)


@action(says=_("The search was cancelled."))
def cancel_suggestion(request: HttpRequest, suggestion_id: int) -> None:
    """Stop a search for a ship."""
    suggestions.cancel_search(user=user_of(request), suggestion_id=suggestion_id, now=timezone.now())


@action(says=_("The ship is now one of your drafts. You can edit it."))
def draw_on_suggestion(request: HttpRequest, suggestion_id: int) -> Done:
    """Create a draft of the suggested ship."""
    draft = suggestions.create_draft_from(
        user=user_of(request), suggestion_id=suggestion_id, now=timezone.now()
    )
    return Done(then=reverse("shipyard:draft", args=[draft.pk]))


def _listed(found: ShipSuggestion) -> dict[str, Any]:
    """Return the values to show for a suggestion in the list of suggestions."""
    colour = found.report["verdict"] if found.report else ""
    return {
        "row": found,
        "name": suggestions.suggested_name(found),
        "ruleset": rules.RULESETS[found.ruleset].name,
        "theme": suggestions.THEME_NAMES.get(found.found_theme or found.theme),
        "colour": colour,
        "word": VERDICTS[colour] if colour else "",
    }


def _order_of(found: ShipSuggestion) -> dict[str, Any]:
    """Return the form values to order another ship, with the same choices but the next seed."""
    names = ("ruleset", "width", "height", "players", "theme", "symmetry")
    return {**{name: getattr(found, name) for name in names}, "seed": suggestions.next_seed(found.seed)}
