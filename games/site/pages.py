"""The front page, the Game Room, My Room, pages about the service, and the menu."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, IntegerField, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

import rules
from accounts import mail
from accounts.limits import SAFE_METHODS
from accounts.models import LOOKS, Frequency, User
from accounts.sessions import TRACE_LIFETIME
from games.absence.selectors import seats_to_return_to
from games.clubs.selectors import clubs_that_wait_for
from games.competitions.selectors.matching import ticket_of
from games.competitions.selectors.tournaments import entries_of
from games.fleet.boards import starship_of
from games.fleet.figures import ship_of_the_week
from games.fleet.missions import offered_missions
from games.fleet.models import Starship
from games.fleet.pictures import board_of, legend_for, staged_board
from games.fleet.search import search
from games.lobby import practice
from games.lobby.lists import GameFilter, games_to_join, games_to_watch, my_games, waiting_for
from games.lobby.pages.creation import RULESET
from games.lobby.practice import offered_mission, won_by
from games.lobby.selectors import invitations_for
from games.news.pages import may_read_mail
from games.people.contacts import friends_here
from games.people.pages import medal_of
from games.people.selectors.records import game_numbers, new_achievements
from games.play import stored
from games.play.game_view import game_view
from games.play.models import Game
from games.play.viewers import Viewer
from games.reading import GAME_ARGUMENT, allow_replica, read_safely
from games.web.pages import address_without_blanks, page_of, require_account, user_of, viewer_of
from roborunner.postgres.queries import PreparedQuery
from rules.drawing.robots import SILHOUETTES


@dataclass(frozen=True, slots=True)
class MenuCounts:
    """The number of games waiting for the player, and missions done and offered."""

    waiting: int
    done: int
    missions: int


class _CountOf(Subquery):
    """A query's number of rows, as a value in another query."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def menu_counts(*, user: User) -> MenuCounts:
    counted: Any = _COUNTED.first(user.pk)
    return MenuCounts(counted.waiting, counted.done, counted.missions) if counted else MenuCounts(0, 0, 0)


def _counted(person: int) -> QuerySet[User]:
    user, missions = User(pk=person), offered_missions().order_by().select_related(None)
    return (
        User.objects.filter(pk=person)
        .only("pk")
        .annotate(
            waiting=_CountOf(waiting_for(user).values("pk")),
            done=_CountOf(missions.filter(Exists(won_by(user))).values("pk")),
            missions=_CountOf(missions.values("pk")),
        )
    )


_COUNTED: Final = PreparedQuery(_counted, int)


def menu_context(request: HttpRequest) -> dict[str, object]:
    """Return the menu's data for every page.

    It has the counts of `MenuCounts`, new achievements from ended games, latest first, and whether the user
    may read emails and the URL is about a game. Counts run only on pages that use them.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"asks_for_game": _asks_for_game(request)}
    return {
        "menu": SimpleLazyObject(lambda: menu_counts(user=user)),
        "new_medals": SimpleLazyObject(
            lambda: [medal_of(each) for each in reversed(new_achievements(user=user))]
        ),
        "may_read_mail": may_read_mail(request),
        "asks_for_game": _asks_for_game(request),
    }


def _asks_for_game(request: HttpRequest) -> bool:
    match = request.resolver_match
    return request.method in SAFE_METHODS and match is not None and GAME_ARGUMENT in match.kwargs


GAMES_TRIED = 5
"""Running games to try for the front page's board. A game may be unreadable."""

GAMES_SHOWN = 3
"""The maximum number of a person's games on the front page."""


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Introduce the game, with a board from a running game. Members see their own games instead."""
    viewer = viewer_of(request)
    watched = games_to_watch(viewer=viewer)
    context: dict[str, object] = {
        "joinable": games_to_join(viewer=viewer).count(),
        "running": watched.count(),
        "starts": not isinstance(viewer, User)
        or viewer.is_guest
        or not any(game_numbers(user=viewer).values()),
    }
    if context["starts"]:
        flights = practice.mission_results(viewer=viewer)
        context["flight"] = next((flight for flight in flights if not flight.done), None)
        context["flown"] = any(flight.done or flight.under_way for flight in flights)
        if isinstance(viewer, User):
            running = my_games(user=viewer).filter(status=Game.Status.RUNNING)
            context["going_on"] = running[:GAMES_SHOWN]
    elif isinstance(viewer, User):
        context["mine"] = list(
            my_games(user=viewer).filter(status__in=(Game.Status.OPEN, Game.Status.RUNNING))[:GAMES_SHOWN]
        )
    chosen = ship_of_the_week(now=timezone.now())
    context["chosen"] = chosen
    boards = (read_safely(partial(_shown, viewer, game), game) for game in watched[:GAMES_TRIED])
    if shown := next(filter(None, boards), None):
        context |= shown
    elif chosen:
        context |= _in_dock(chosen.starship)
    elif ship := search(section="fleet").first() or search().first():
        context |= _in_dock(ship)
    return render(request, "site/home.html", context)


@require_safe
def rulebook(request: HttpRequest) -> HttpResponse:
    """Explain the game, from the ruleset itself."""
    ruleset = rules.ruleset(RULESET)
    editions = list(rules.RULESETS.values())
    context = {"ruleset": ruleset, "editions": editions, "legend": legend_for(ruleset)}
    return render(request, "site/rules.html", context)


def _shown(viewer: Viewer, game: Game) -> dict[str, object]:
    ship = stored.drawn_board(stored.setup_of(game))
    seen = game_view(viewer=viewer, game=game)
    return {
        "board_svg": board_of(ship, seen, looks=stored.looks_of(game)),
        "starship": game.revision and game.revision.starship,
        "watch_url": game.get_absolute_url(),
        "game": game,
    }


def _in_dock(starship: Starship) -> dict[str, object]:
    """Return a starship's board with sample robots."""
    assert starship.current
    ship = starship_of(starship.current)
    return {"board_svg": staged_board(ship), "starship": starship}


@require_safe
@allow_replica()
def room(request: HttpRequest) -> HttpResponse:
    """Show open and running games. The query filters both lists."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    viewer = viewer_of(request)
    joinable, watched = games_to_join(viewer=viewer), games_to_watch(viewer=viewer)
    # Running games have no free seats to filter by.
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
@require_account
def my_room(request: HttpRequest) -> HttpResponse:
    """Show a person's games, the ones that wait for them first.

    Invitations and seats to return to are above the games. The next mission is below.
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
        "flight": offered_mission(user=user),
        "closed": mail.bounce_closure_of(user.email) if user.manner != Frequency.NONE else None,
    }
    return render(request, "site/my_room.html", context)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show a page from `templates/site/service/`, with contacts from the settings."""
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
    if name == "story":
        looks = [(look, SILHOUETTES[look - 1].name) for look in range(1, LOOKS + 1)]
        context |= {"models": list(rules.MODELS.items()), "looks": looks}
    return render(request, f"site/service/{name}.html", context)


def _label(contact: str) -> str:
    """Return an address without its scheme.

    >>> _label("mailto:hello@example.org"), _label("https://example.org/hello")
    ('hello@example.org', 'example.org/hello')
    """
    return contact.removeprefix("mailto:").removeprefix("tel:").removeprefix("https://")
