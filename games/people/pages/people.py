"""A player's page: who that is, their games, what their robot did in them, and what they earned."""

from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts import guests
from accounts.models import User
from accounts.navigation import is_here, only_by_form
from games.clubs.selectors import clubs_of
from games.competitions.selectors.ladders import places_of
from games.competitions.selectors.tournaments import places_won_by
from games.contacts.selectors import ContactView, contact_of
from games.errors import NotFound, number_in, player_named
from games.people.pages.charts import OPPONENTS, records_of, sums_of
from games.people.pages.medals import medal_of
from games.people.selectors.people import person_page
from games.people.selectors.players import MOST, find_players
from games.people.services.records import mark_seen
from games.reading import may_be_old
from games.web.pages import for_people, page_of, user_of, viewer_of


@require_safe
@may_be_old()
def person(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's page, as far as the viewer may see it; the Robo Name in any case."""
    if guests.is_guest(request.user) and robo_name.lower() == request.user.get_username().lower():
        return guests.refuse(request)
    start = number_in(request.GET.get("start"), digits=6) or 0
    try:
        page = person_page(viewer=viewer_of(request), robo_name=robo_name, start=start)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    context = {"person": page, "start": start, "medals": None}
    shown = player_named(page["robo_name"])
    context |= {"clubs": clubs_of(shown), "won": places_won_by(shown), "rungs": places_of(shown)}
    context["contact"] = _contact(request, shown)
    if page["achievements"] is not None:
        medals = [medal_of(each) for each in page["achievements"]]
        context |= {"medals": medals, "earned": sum(medal.earned_at is not None for medal in medals)}
    statistics: Any = page["statistics"]
    if statistics is not None:
        context |= {
            "sums": sums_of(statistics),
            "records": records_of(statistics),
            "classes": [(name, statistics[key]["games"]) for key, name in OPPONENTS.items()],
        }
    return render(request, "people/person.html", context)


@require_safe
@may_be_old()
def players(request: HttpRequest) -> HttpResponse:
    """Find players by the beginning of their Robo Name; without one, only ask for it."""
    beginning = request.GET.get("name", "").strip()
    context: dict[str, object] = {"beginning": beginning}
    if beginning:
        found = find_players(viewer=viewer_of(request), beginning=beginning)
        context |= {"most": MOST, "page": page_of(request, found), "query": urlencode({"name": beginning})}
    return render(request, "people/players.html", context)


@only_by_form
@login_required
@for_people
def seen(request: HttpRequest) -> HttpResponse:
    """Take note that a player knows what they have earned, and go back to where they were."""
    mark_seen(user=user_of(request), keys=request.POST.getlist("key"), now=timezone.now())
    there = request.POST.get("next", "")
    if not is_here(request, there):
        there = reverse("people:person", args=[user_of(request).robo_name])
    return redirect(there)


def _contact(request: HttpRequest, person: User) -> ContactView | None:
    """Return what the reader has to do with a player; None for strangers, guests and on their own page."""
    viewer = viewer_of(request)
    if not isinstance(viewer, User) or viewer.is_guest or viewer == person:
        return None
    return contact_of(user=viewer, person=person, now=timezone.now())
