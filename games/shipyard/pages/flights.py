"""Flying a draft, and finding back to it from its game."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import limits
from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, user_of
from games.play.pages.sight import Sight
from games.shipyard.forms import FlightForm
from games.shipyard.pages.drafts import draft_page
from games.shipyard.selectors import draft_flown_in, draft_for
from games.shipyard.services.flights import fly_draft


@only_by_form
@limits.limited(limits.TEST_FLIGHTS)
@login_required
@for_people
@hides_what_is_not_there
def fly(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Start a test flight of a draft, with one click."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    form = FlightForm(request.POST)
    if not form.is_valid():
        return draft_page(request, draft, flight=form, status=422)
    try:
        game = fly_draft(
            user=user_of(request),
            draft_id=draft_id,
            computers=form.cleaned_data["computers"],
            strength=form.cleaned_data["strength"] or str(form.fields["strength"].initial),
            now=timezone.now(),
        )
    except NotFound:
        raise
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return draft_page(request, draft, flight=form, refusal=refusal, status=refusal.status)
    messages.success(request, _("Your ship is ready to fly. This test flight counts for nothing."))
    return redirect("games:game", game.pk)


def flight_panel(sight: Sight) -> dict[str, Any]:
    """Return the draft of which a game is a test flight, for the person who draws it."""
    return {"draft_of_flight": draft_flown_in(viewer=sight.viewer, game=sight.game)}
