"""The front page, the Game Room, My Room, and pages about the service."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

import rules
from accounts import mail
from accounts.models import LOOKS, Frequency, User
from accounts.sessions import TRACE_LIFETIME, previous_visit
from games.absence.selectors import seats_to_return_to
from games.clubs.selectors import clubs_that_wait_for
from games.competitions.selectors.matching import search_of
from games.competitions.selectors.tournaments import entries_of
from games.films.pages.showcase import showcase
from games.fleet.figures import ship_of_the_week
from games.fleet.pictures import legend_for
from games.lobby import practice
from games.lobby.lists import GameFilter, games_to_join, games_to_watch, my_games
from games.lobby.pages.creation import RULESET
from games.lobby.practice import offered_mission
from games.lobby.selectors import invitations_for
from games.people.contacts import friends_here
from games.people.selectors.records import game_numbers
from games.play.models import Game
from games.reading import allow_replica, snapshot
from games.site.appearance import ADDITIONS, own_text
from games.site.selectors import home_of
from games.web.pages import address_without_blanks, page_of, require_account, user_of, viewer_of
from rules.drawing.robots import SILHOUETTES


@require_safe
@snapshot()
def home(request: HttpRequest) -> HttpResponse:
    """Show members their home, and everyone else the front page."""
    viewer, now = viewer_of(request), timezone.now()
    context: dict[str, object] = {
        "joinable": games_to_join(viewer=viewer).count(),
        "running": games_to_watch(viewer=viewer).count(),
        "chosen": ship_of_the_week(now=now),
    }
    if isinstance(viewer, User) and not viewer.is_guest:
        context |= home_of(user=viewer, since=previous_visit(request.session), now=now)
        return render(request, "site/member_home.html", context)
    flights = practice.mission_results(viewer=viewer)
    context |= {
        "showcase": showcase(),
        "flight": next((flight for flight in flights if not flight.done), None),
        "flown": any(flight.done or flight.under_way for flight in flights),
    }
    if isinstance(viewer, User):
        context["going_on"] = my_games(user=viewer).filter(status=Game.Status.RUNNING).first()
    return render(request, "site/home.html", context)


@require_safe
def rulebook(request: HttpRequest) -> HttpResponse:
    """Show the rules of the default ruleset, generated from the ruleset itself."""
    ruleset = rules.ruleset(RULESET)
    editions = list(rules.RULESETS.values())
    context = {"ruleset": ruleset, "editions": editions, "legend": legend_for(ruleset)}
    return render(request, "site/rules.html", context)


@require_safe
@allow_replica()
def room(request: HttpRequest) -> HttpResponse:
    """Show the Game Room: open and running games. The URL's query filters both lists."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    viewer = viewer_of(request)
    joinable, watched = games_to_join(viewer=viewer), games_to_watch(viewer=viewer)
    # Running games have no filter for free seats.
    others = {name: value for name, value in request.GET.items() if name != "free"}
    join, watch = GameFilter(request.GET, joinable), GameFilter(others, watched)
    context = {
        "filter": join,
        "there": reverse("games:room"),
        "to_join": page_of(request, join.qs, "join"),
        "to_watch": page_of(request, watch.qs, "watch"),
        "all_to_join": joinable.count() if join.chosen else None,
        "all_to_watch": watched.count() if watch.chosen else None,
        "search": search_of(user=viewer, now=timezone.now()) if isinstance(viewer, User) else None,
    }
    return render(request, "site/game_room.html", context)


@require_safe
@login_required
@require_account
@snapshot()
def my_room(request: HttpRequest) -> HttpResponse:
    """Show My Room: a person's games, with games waiting for the person first.

    Invitations, and seats that the person may return to, are above the games. The next mission is below.
    """
    user = user_of(request)
    context = {
        "invitations": invitations_for(user=user),
        "left": seats_to_return_to(user=user),
        "games": page_of(request, my_games(user=user)),
        "numbers": game_numbers(user=user),
        "search": search_of(user=user, now=timezone.now()),
        "entries": entries_of(user),
        "clubs": clubs_that_wait_for(user=user),
        "here": friends_here(user=user, now=timezone.now()),
        "flight": offered_mission(user=user),
        "closed": mail.bounce_closure_of(user.email) if user.manner != Frequency.NONE else None,
    }
    return render(request, "site/my_room.html", context)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page from `templates/site/service/`, with contacts and names of cookies from the settings."""
    context = {
        "operator": settings.OPERATOR,
        "contacts": [(contact, _label(contact)) for contact in settings.CONTACT],
        "security": [(contact, _label(contact)) for contact in settings.SECURITY_CONTACT],
        "guest_days": settings.GUEST_DAYS,
        "lobby_days": settings.LOBBY_DAYS,
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "browser_cookie": settings.BROWSER_COOKIE_NAME,
        "messages_cookie": settings.MESSAGES_COOKIE_NAME,
        "traces_days": TRACE_LIFETIME.days,
    }
    if name in ADDITIONS:
        context["own_text"] = own_text(name)
    if name == "story":
        looks = [(look, SILHOUETTES[look - 1].name) for look in range(1, LOOKS + 1)]
        context |= {"models": list(rules.MODELS.items()), "looks": looks}
    return render(request, f"site/service/{name}.html", context)


def _label(contact: str) -> str:
    """Return a contact's URL as people write the address, without its scheme.

    >>> _label("mailto:hello@example.org"), _label("https://example.org/hello")
    ('hello@example.org', 'example.org/hello')
    """
    return contact.removeprefix("mailto:").removeprefix("tel:").removeprefix("https://")
