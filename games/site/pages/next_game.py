"""Going from one game that waits straight to the next."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.errors import number_in
from games.lobby.selectors.rooms import next_waiting
from games.web.pages import user_of


@require_safe
@never_cache
@login_required
def next_game(request: HttpRequest) -> HttpResponse:
    """Lead to the game that waits next for a person; where none does, to My Room.

    ``after`` is the game that they come from: that one is left out. Anything else but a number is no game.
    """
    after = number_in(request.GET.get("after"))
    following = next_waiting(user=user_of(request), after=after)
    if following is None:
        messages.info(request, _("No other game waits for you.") if after else _("No game waits for you."))
        return redirect("games:mine")
    return redirect(following)
