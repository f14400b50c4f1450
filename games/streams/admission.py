"""Who may have a stream of which game, and from where on: all that takes the database, done in one go."""

from collections.abc import Callable
from dataclasses import dataclass

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, Throttled

from accounts import limits
from games.errors import Malformed, NotFound, ServiceError, TooMany
from games.play.selectors.cursors import Cursor, read_cursor
from games.play.selectors.viewers import game_for
from games.streams.grounds import Ground, ground_of, of_api, open_session
from games.streams.progress import GameProgress, progress_of
from games.web.answers import JsonRenderer, Reads, answer
from games.web.api import query_of
from games.web.queries import EventsQuery


@dataclass(frozen=True, slots=True)
class Admission:
    """Someone may look: the ``state`` of the game, and how far they have ``read``, None where they begin now.

    ``client`` says whose streams are counted together with this one. The right rests on the ``ground``.
    """

    state: GameProgress
    read: Cursor | None
    client: str
    ground: Ground


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
    request = of_api(page)
    if request.method not in ("GET", "HEAD"):
        raise MethodNotAllowed(request.method or "")
    try:
        check_host(page)
    except DisallowedHost:
        raise Malformed("host", _("This site does not answer to that host name.")) from None
    open_session(page)
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
    read = read_cursor(got) if got else asked["after"]
    return Admission(progress, read, limits.who(request), ground_of(request, game.pk, asked["link"]))


def refusal(error: Exception, page: HttpRequest | None = None) -> tuple[int, dict[str, str], bytes]:
    """Return status, headers and body of an error as the API answers it."""
    response = answer(error, {"request": of_api(page)} if page else {})
    headers = {name.lower(): value for name, value in response.headers.items()}
    if response.status_code == 405:
        by_api = page is not None and page.path.startswith("/api/")
        headers["allow"] = "GET, HEAD, OPTIONS" if by_api else "GET, HEAD"
    headers |= {"content-type": "application/json", "cache-control": "no-store"}
    return response.status_code, headers, JsonRenderer().render(response.data)
