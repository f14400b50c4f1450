"""Event streams of games, for open pages and the API, and checks of their readers' access."""

import math
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, Throttled
from rest_framework.request import Request

from accounts import limits, sessions
from accounts.models import User
from accounts.sessions import ReadOnlySession
from games import live
from games.errors import Malformed, NotFound, ServiceError, TooMany
from games.live import CHANNEL
from games.people.selectors.records import new_achievements
from games.people.tokens import digest_of, usable_tokens
from games.play.game_view import game_view
from games.play.models import Game
from games.play.pages.console import game_in, version_of
from games.play.progress import (
    Cursor,
    GameProgress,
    StreamEvent,
    events_between,
    first_events,
    progress_of,
    read_cursor,
)
from games.play.selectors import early_end_in_words
from games.play.services import record_visit
from games.play.viewers import game_for, seat_of, visible_pairs
from games.web.answers import BearerAuthentication, JsonRenderer, Reads, answer
from games.web.api import query_of
from games.web.pages import handle_missing, viewer_of
from games.web.queries import EventsQuery
from games.wording import time_until


@dataclass(frozen=True, slots=True)
class AccessGrant:
    """The reason why a reader may see a game, recorded when their stream began.

    ``link`` is the token of a private game's link, if the reader had one. ``person`` is the ID of a person
    with an account. Either ``token`` is the hash of their API token, or ``session`` is the key of their
    session. The session expires at ``ends_at``, in seconds since 1970. ``secret`` is a hash that changes with
    their password.
    """

    game: int
    link: str = ""
    person: int | None = None
    secret: str = ""
    session: str = ""
    token: str = ""
    ends_at: float = math.inf


def of_api(page: HttpRequest) -> Request:
    """Wrap a Django request with the authentication of the API."""
    return Request(page, authenticators=[BearerAuthentication(), SessionAuthentication()])


def open_session(page: HttpRequest) -> None:
    """Set the user of a request from its session cookie. The session is never changed."""
    page.session = ReadOnlySession(page.COOKIES.get(settings.SESSION_COOKIE_NAME))
    user = get_user(page)
    page.user = AnonymousUser() if sessions.is_login_expired(page.session, user) else user


def grant_for(request: Request, game_id: int, link: str) -> AccessGrant:
    """Return the access grant of a reader with an accepted request: the reason why they may see the game."""
    user = request.user
    if not isinstance(user, User):
        return AccessGrant(game_id, link)
    grant = AccessGrant(game_id, link, user.pk, user.get_session_auth_hash())
    if isinstance(request.auth, str):
        return replace(grant, token=digest_of(request.auth))
    session = request.session
    return replace(grant, session=session.session_key or "", ends_at=sessions.login_expires_at(session, user))


def lost_grants(grants: Collection[AccessGrant], *, now: datetime) -> set[AccessGrant]:
    """Return the access grants that are no longer valid.

    A grant is lost if its session, token or password is no longer valid, or if its person or link no longer
    gives access to the game. A new session, token or link does not replace the one that was lost. The number
    of queries does not depend on the number of grants.
    """
    known = _still_known(grants, now)
    games = Game.objects.filter(pk__in={each.game for each in grants}).order_by()
    links = {
        game.pk: game.link_token if game.private else None for game in games.only("private", "link_token")
    }
    private = [pk for pk, link in links.items() if link is not None]
    pairs = visible_pairs(people=set(known.values()), game_ids=private) if private else set()

    def holds(grant: AccessGrant) -> bool:
        if grant.game not in links or (grant.person is not None and grant not in known):
            return False
        link = links[grant.game]
        if link is None or constant_time_compare(link, grant.link):
            return True
        return (grant.game, grant.person) in pairs

    return {grant for grant in grants if not holds(grant)}


def _still_known(grants: Collection[AccessGrant], now: datetime) -> dict[AccessGrant, User]:
    """Return the users of access grants, by grant. Grants that are no longer valid are left out."""
    people = User.objects.in_bulk({each.person for each in grants if each.person is not None})
    alive = sessions.sessions_alive({each.session for each in grants if each.session}, now=now)
    tokens = usable_tokens({each.token for each in grants if each.token}, now=now)

    def is_known(grant: AccessGrant, user: User) -> bool:
        if not user.is_active:
            return False
        if grant.token:
            return tokens.get(grant.token) == user.pk
        same = constant_time_compare(user.get_session_auth_hash(), grant.secret)
        return same and grant.session in alive and now.timestamp() <= grant.ends_at

    found = ((each, people.get(each.person or 0)) for each in grants)
    return {grant: user for grant, user in found if user and is_known(grant, user)}


@dataclass(frozen=True, slots=True)
class Admission:
    """A reader's permission to read a stream.

    ``state`` is the present progress of the game. ``read`` is the reader's cursor, or None for a new reader.
    The limit on streams applies to each ``client``. ``grant`` is the reason why the reader may see the game.
    """

    state: GameProgress
    read: Cursor | None
    client: str
    grant: AccessGrant


class TooManyStreams(TooMany):
    """The error if a client has the maximum number of streams in this process."""

    def __init__(self) -> None:
        most = limits.STREAMS_PER_CLIENT
        super().__init__(
            _("You have {number} open streams, which is the limit. Close one, then try again.").format(
                number=most
            ),
            limits.DEFAULT_WAIT,
        )


class Full(ServiceError):
    """The error if this process already has the maximum number of event streams."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "full",
            _(
                "The server cannot open another stream now. Poll the log instead, and try to open a stream"
                " later."
            ),
        )


class GameStreams:
    address = re.compile(r"/(?P<api>api/v1/)?games/(?P<number>[0-9]{1,18})/events/?", re.ASCII)
    channel = CHANNEL

    @property
    def streams_per_client(self) -> int:
        """The maximum number of streams of one client in a process."""
        return limits.STREAMS_PER_CLIENT

    full = Full
    too_many = TooManyStreams
    states = staticmethod(progress_of)
    first_news = staticmethod(first_events)
    news = staticmethod(events_between)

    def admit(
        self, page: HttpRequest, number: int, *, api: bool, check_host: Callable[[HttpRequest], object]
    ) -> Admission:
        """Check a request for a stream, and return the reader's permission.

        If the request came through the ``api``, its reader must be logged in. `refusal` turns the errors that
        this raises into responses. This uses the database connection of its thread.
        """
        request = of_api(page)
        if request.method not in ("GET", "HEAD"):
            raise MethodNotAllowed(request.method or "")
        try:
            check_host(page)
        except DisallowedHost:
            raise Malformed("host", _("This host name does not belong to this site.")) from None
        open_session(page)
        if api and not request.user.is_authenticated:
            raise NotAuthenticated
        throttle = Reads()
        if not throttle.allow_request(request, None):  # type: ignore[arg-type] # it needs no view
            raise Throttled(throttle.wait())
        asked = query_of(request, EventsQuery)
        game = game_for(viewer=request.user, game_id=number, link=asked["link"])
        progress = progress_of([game.pk]).get(game.pk)
        if progress is None:
            raise NotFound("no-game", _("There is no such game."))
        got = request.headers.get("Last-Event-ID")
        read = read_cursor(got) if got else asked["after"]
        return Admission(
            progress, read, limits.requester_of(request), grant_for(request, game.pk, asked["link"])
        )

    def refusal(self, error: Exception, page: HttpRequest | None = None) -> tuple[int, dict[str, str], bytes]:
        """Return the status, headers and body of the response to an error, in the format of the API."""
        response = answer(error, {"request": of_api(page)} if page else {})
        headers = {name.lower(): value for name, value in response.headers.items()}
        if response.status_code == 405:
            by_api = page is not None and page.path.startswith("/api/")
            headers["allow"] = "GET, HEAD, OPTIONS" if by_api else "GET, HEAD"
        headers |= {"content-type": "application/json", "cache-control": "no-store"}
        return response.status_code, headers, JsonRenderer().render(response.data)

    def lost(self, grants: Collection[AccessGrant]) -> set[AccessGrant]:
        """Return the access grants that are no longer valid."""
        return lost_grants(grants, now=timezone.now())

    def is_older(self, state: GameProgress, other: GameProgress) -> bool:
        """Return whether a state of a game is older than another: whether its log or chat is shorter."""
        return state.cursor.seq < other.cursor.seq or state.cursor.chat < other.cursor.chat

    def farewell(self, state: GameProgress) -> Iterator[StreamEvent]:
        """Yield the last event for a reader who has lost access to the game."""
        yield StreamEvent("end", {}, state.cursor)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def pulse(request: HttpRequest, game_id: int) -> HttpResponse:
    """Return a game page's version, sentences about changes since version ``seen``, and the game's progress.

    With POST, an open page reports that its reader is present. The response is then empty.
    """
    found = game_in(request, game_id)
    if request.method == "POST":
        user = request.user
        if isinstance(user, User) and seat_of(viewer=user, game=found):
            live.record_viewers([(found.pk, user.pk)])
            record_visit(user_id=user.pk, game_id=found.pk, now=timezone.now())
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
            "left": time_until(seen.deadline) if seen.deadline else "",
        }
    )


def _news(request: HttpRequest, game: Game) -> Iterator[str]:
    """Yield sentences about the game's latest change and the viewer's new achievements in the game."""
    yield _end_in_words(game)
    user = request.user
    if isinstance(user, User) and any(each["game"]["id"] == game.pk for each in new_achievements(user=user)):
        yield _("You earned an achievement.")


def _end_in_words(game: Game) -> str:
    match game.status:
        case Game.Status.OPEN:
            return _("The game has changed.")
        case _status if game.ended_early:
            return early_end_in_words(game)
        case Game.Status.CANCELLED:
            return _("The game was cancelled.")
        case Game.Status.OVER:
            return _("The game is over.")
    if game.turn:
        return _("Turn {number} has been played.").format(number=game.turn - 1)
    return _("The game has started.")
