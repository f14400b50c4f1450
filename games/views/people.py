"""A player's page: who that is, their games, what their robot did in them, and what they earned."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from games.errors import NotFound
from games.views.requests import hides_what_is_not_there


@require_safe
@hides_what_is_not_there
def person(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's page, as far as the viewer may see it; the Robo Name in any case."""
    found = User.objects.filter(robo_name__iexact=robo_name, is_active=True).first()
    if found is None:
        raise NotFound("no-player", f"Nobody here is called {robo_name}.")
    return render(request, "people/person.html", {"person": found})
