"""The Game Room and My Room."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import selectors
from games.views.requests import for_people, page_of, user_of, viewer_of


@require_safe
def room(request: HttpRequest) -> HttpResponse:
    """Show the games that may be joined, and those being played to watch."""
    viewer = viewer_of(request)
    context = {
        "to_join": page_of(request, selectors.games_to_join(viewer=viewer), "join"),
        "to_watch": page_of(request, selectors.games_to_watch(viewer=viewer), "watch"),
    }
    return render(request, "games/room.html", context)


@require_safe
@login_required
@for_people
def mine(request: HttpRequest) -> HttpResponse:
    """Show a person's games, those that wait for them first; before them, what they are invited to."""
    user = user_of(request)
    context = {
        "invitations": selectors.invitations_for(user=user),
        "games": page_of(request, selectors.my_games(user=user)),
        "numbers": selectors.game_numbers(user=user),
    }
    return render(request, "games/mine.html", context)
