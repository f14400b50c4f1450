"""What open pages ask for and say between two loads."""

from collections.abc import Iterator

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games import live
from games.people.selectors.records import new_achievements
from games.play.models import Game
from games.play.pages.console import version_of
from games.play.pages.requests import game_in
from games.play.selectors.games import game_view
from games.play.selectors.naming import how_it_broke_off
from games.play.selectors.viewers import seat_of
from games.play.services.visits import note_visit
from games.streams.progress import progress_of
from games.web.pages import hides_what_is_not_there, viewer_of
from games.wording import left


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@hides_what_is_not_there
def pulse(request: HttpRequest, game_id: int) -> HttpResponse:
    """Tell an open page whether it is out of date (``seen`` is its version), and who is waited for.

    By POST the page says that its reader is there, and asks nothing.
    """
    found = game_in(request, game_id)
    if request.method == "POST":
        user = request.user
        if isinstance(user, User) and seat_of(viewer=user, game=found):
            live.note_looking([(found.pk, user.pk)])
            note_visit(user_id=user.pk, game_id=found.pk, now=timezone.now())
        return HttpResponse(status=204)
    seen = game_view(viewer=viewer_of(request), game=found)
    version = version_of(seen)
    progress = progress_of([found.pk])[found.pk]
    return JsonResponse(
        {
            "version": version,
            "news": "" if request.GET.get("seen") == version else " ".join(_news(request, found)),
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


def _news(request: HttpRequest, game: Game) -> Iterator[str]:
    """Say what has happened, and whether the viewer has earned something by it, if they do not know yet."""
    yield _happened(game)
    user = request.user
    if isinstance(user, User) and any(each["game"]["id"] == game.pk for each in new_achievements(user=user)):
        yield _("It has brought you an achievement.")


def _happened(game: Game) -> str:
    match game.status:
        case Game.Status.OPEN:
            return _("Something has changed here.")
        case _status if game.broke_off:
            return how_it_broke_off(game)
        case Game.Status.CANCELLED:
            return _("The game was cancelled.")
        case Game.Status.OVER:
            return _("The game is over.")
    if game.turn:
        return _("Turn %(number)d has been played.") % {"number": game.turn - 1}
    return _("The game has started.")
