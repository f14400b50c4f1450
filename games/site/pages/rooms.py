"""The Game Room and My Room."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import mail
from accounts.models import Frequency
from games.absence.selectors import seats_to_return_to
from games.clubs.selectors import clubs_that_wait_for
from games.competitions.selectors.matching import ticket_of
from games.competitions.selectors.tournaments import entries_of
from games.contacts.selectors import friends_here
from games.lobby.filters import GameFilter
from games.lobby.selectors.invitations import invitations_for
from games.lobby.selectors.missions import offered_to
from games.lobby.selectors.rooms import games_to_join, games_to_watch, my_games
from games.people.selectors.numbers import game_numbers
from games.reading import may_be_old
from games.web.pages import address_without_blanks, for_people, page_of, user_of, viewer_of


@require_safe
@may_be_old()
def room(request: HttpRequest) -> HttpResponse:
    """Show the games that may be joined, and those being played to watch; the query narrows both down."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    viewer = viewer_of(request)
    joinable, watched = games_to_join(viewer=viewer), games_to_watch(viewer=viewer)
    # No one looks for a free seat in a game that is being played.
    others = {name: value for name, value in request.GET.items() if name != "free"}
    join, watch = GameFilter(request.GET, joinable), GameFilter(others, watched)
    context = {
        "filter": join,
        "there": reverse("games:room"),
        "to_join": page_of(request, join.qs, "join"),
        "to_watch": page_of(request, watch.qs, "watch"),
        "all_to_join": joinable.count() if join.chosen else None,
        "all_to_watch": watched.count() if watch.chosen else None,
    }
    return render(request, "site/game_room.html", context)


@require_safe
@login_required
@for_people
def mine(request: HttpRequest) -> HttpResponse:
    """Show a person's games, those that wait for them first.

    Before them stand those that they are invited to, and those that a computer plays for them; after them
    the mission to fly next.
    """
    user = user_of(request)
    context = {
        "invitations": invitations_for(user=user),
        "left": seats_to_return_to(user=user),
        "games": page_of(request, my_games(user=user)),
        "numbers": game_numbers(user=user),
        "ticket": ticket_of(user=user),
        "entries": entries_of(user),
        "clubs": clubs_that_wait_for(user=user),
        "here": friends_here(user=user, now=timezone.now()),
        "flight": offered_to(user=user),
        "closed": mail.came_back(user.email) if user.manner != Frequency.NONE else None,
    }
    return render(request, "site/my_room.html", context)
