"""A game on a starship of the library, with one click."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

import rules
from accounts.navigation import only_by_form
from games.errors import ServiceError
from games.fleet.selectors.starships import starship_for
from games.library.pages.starships import edition_for_one, starship_page
from games.lobby.pages.creation import RULESET
from games.lobby.services.quick import lone_game
from games.pages import hides_what_is_not_there, sign_in_first, user_of


@only_by_form
@hides_what_is_not_there
def fly(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Start a game for one on a starship, with one click."""
    if not request.user.is_authenticated:
        return sign_in_first(reverse("starships:detail", args=[starship_id]))
    found = starship_for(starship_id=starship_id)
    edition = edition_for_one(found) or rules.ruleset(RULESET)
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
    messages.success(request, _("Your robot is ready to start."))
    return redirect("games:game", game.pk)
