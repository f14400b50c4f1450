"""Looking at a game."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from games.pages import hides_what_is_not_there, viewer_of
from games.people.selectors.records import new_achievements
from games.play.models import Game
from games.play.pages.console import game_page, turn_page, version_of
from games.play.pages.requests import game_in
from games.play.selectors.game import game_view
from games.play.selectors.naming import how_it_broke_off
from games.play.selectors.progress import progress_of
from games.play.services.visits import note_visit
from games.wording import left


@require_safe
@never_cache
@hides_what_is_not_there
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    """Show a game as it is now."""
    return game_page(request, game_in(request, game_id))


@require_safe
@hides_what_is_not_there
def turn(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show a turn that was played."""
    return turn_page(request, game_in(request, game_id), number)


@require_safe
@never_cache
@hides_what_is_not_there
def pulse(request: HttpRequest, game_id: int) -> JsonResponse:
    """Tell an open page whether it is out of date (``seen`` is its version), and who is waited for.

    With ``looking`` someone has it before their eyes.
    """
    found = game_in(request, game_id)
    if "looking" in request.GET and isinstance(request.user, User):
        note_visit(user_id=request.user.pk, game_id=found.pk, now=timezone.now())
    seen = game_view(viewer=viewer_of(request), game=found)
    version = version_of(seen)
    progress = progress_of([found.pk])[found.pk]
    return JsonResponse(
        {
            "version": version,
            "news": "" if request.GET.get("seen") == version else f"{_news(found)}{_brought(request, found)}",
            "waiting_for": seen.waiting_for,
            "noted": progress.noted,
            "status": progress.status,
            "turn": progress.turn,
            "played": progress.played,
            "winner": progress.winner or None,
            "cursor": str(progress.cursor),
            "left": left(seen.deadline) if seen.deadline else "",
        }
    )


def _news(game: Game) -> str:
    match game.status:
        case Game.Status.OPEN:
            return "Something has changed here."
        case _ if game.broke_off:
            return how_it_broke_off(game)
        case Game.Status.CANCELLED:
            return "The game was cancelled."
        case Game.Status.OVER:
            return "The game is over."
    return f"Turn {game.turn - 1} has been played." if game.turn else "The game has started."


def _brought(request: HttpRequest, game: Game) -> str:
    """Say that the viewer has earned something in a game, where they do not know it yet."""
    user = request.user
    if not isinstance(user, User) or not any(
        earned["game"]["id"] == game.pk for earned in new_achievements(user=user)
    ):
        return ""
    return " It has brought you an achievement."
