"""Who may have a stream of which game, and from where on: all that takes the database, done in one go."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, Throttled
from rest_framework.request import Request

from accounts import limits
from accounts.models import User
from accounts.sessions import services as sessions
from games import presence
from games.api.authentication import BearerAuthentication
from games.api.errors import answer
from games.api.queries import EventsQuery
from games.api.throttling import Reads
from games.api.views.base import query_of
from games.api.wire import JsonRenderer
from games.errors import Malformed, NotFound, ServiceError, TooMany
from games.play.models import Game
from games.play.selectors.cursors import Cursor, read_cursor
from games.play.selectors.viewers import Viewer, game_for, seat_of
from games.play.services.visits import note_visit
from games.streams.progress import GameProgress, progress_of


@dataclass(frozen=True, slots=True)
class Admission:
    """Someone may look: the ``state`` of the game, and how far they have ``read``, None where they begin now.

    ``watcher`` is the number of the person if they play in the game and look at its page, and ``client``
    whose streams are counted together with this one.
    """

    state: GameProgress
    read: Cursor | None
    watcher: int | None
    client: str


class TooManyStreams(TooMany):
    """One client has as many streams in this process as one gets."""

    def __init__(self) -> None:
        most = limits.STREAMS_OF_A_CLIENT
        super().__init__(
            _("You have {number} streams open already. Close some, then try again.").format(number=most),
            limits.MOMENT,
        )


class Full(ServiceError):
    """This process has as many streams as it can hold."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "full",
            _("The server has no room for another stream. Try again later, and ask for the log until then."),
        )


def admit(
    page: HttpRequest, *, game_id: int, signed_in: bool, check_host: Callable[[HttpRequest], object]
) -> Admission:
    """Return what the sender of a request is admitted to; ``signed_in`` where that takes an account.

    Raises what `refusal` turns into an answer. It uses the database of the thread that it runs in.
    """
    request = _of_api(page)
    if request.method not in ("GET", "HEAD"):
        raise MethodNotAllowed(request.method or "")
    try:
        check_host(page)
    except DisallowedHost:
        raise Malformed("host", _("This site does not answer to that host name.")) from None
    _open_session(page)
    if signed_in and not request.user.is_authenticated:
        raise NotAuthenticated
    throttle = Reads()
    if not throttle.allow_request(request, None):  # type: ignore[arg-type] # of a view it wants nothing here
        raise Throttled(throttle.wait())
    asked = query_of(request, EventsQuery)
    game = game_for(viewer=request.user, game_id=game_id, link=asked["link"])
    progress = progress_of([game.pk]).get(game.pk)
    if progress is None:
        raise NotFound("no-game", _("There is no such game."))
    got = request.headers.get("Last-Event-ID")
    player = None if signed_in or request.method == "HEAD" else _player(request.user, game)
    return Admission(progress, read_cursor(got) if got else asked["after"], player, limits.who(request))


def _of_api(page: HttpRequest) -> Request:
    return Request(page, authenticators=[BearerAuthentication(), SessionAuthentication()])


def _player(viewer: Viewer, game: Game) -> int | None:
    """Return the number of a viewer who plays in a game, having noted that they look at it."""
    if not isinstance(viewer, User) or seat_of(viewer=viewer, game=game) is None:
        return None
    note_visit(user_id=viewer.pk, game_id=game.pk, now=timezone.now())
    presence.note_looking([(game.pk, viewer.pk)])
    return viewer.pk


def _open_session(page: HttpRequest) -> None:
    """Do what the middleware of pages does: find who is logged in. The session itself stays as it is."""
    store = import_module(settings.SESSION_ENGINE)
    page.session = store.SessionStore(page.COOKIES.get(settings.SESSION_COOKIE_NAME))
    user = get_user(page)
    page.user = AnonymousUser() if sessions.is_worn_out(page.session, user) else user


def refusal(error: Exception, page: HttpRequest | None = None) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an error as the API answers it."""
    response = answer(error, {"request": _of_api(page)} if page else {})
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status_code == 405:
        of_api = page is not None and page.path.startswith("/api/")
        headers["allow"] = "GET, HEAD, OPTIONS" if of_api else "GET, HEAD"
    headers |= {"content-type": "application/json", "cache-control": "no-store"}
    return response.status_code, headers, JsonRenderer().render(response.data)
