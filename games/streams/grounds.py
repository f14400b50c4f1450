"""The grounds for the right to a stream, and a check that they still hold."""

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request

from accounts import sessions
from accounts.models import User
from accounts.sessions import ReadOnlySession
from games.people.tokens import digest_of, usable_tokens
from games.play.models import Game
from games.play.selectors.viewers import knowing
from games.web.answers import BearerAuthentication


@dataclass(frozen=True, slots=True)
class Ground:
    """The facts that let a person, or a stranger, see a game when their stream began.

    A person was known by a ``token`` (its hash) or by a ``session`` (its key), which ``ends_at`` some time,
    in seconds since 1970. ``secret`` is another one once they have a new password.
    """

    game: int
    link: str = ""
    person: int | None = None
    secret: str = ""
    session: str = ""
    token: str = ""
    ends_at: float = math.inf


def of_api(page: HttpRequest) -> Request:
    """Return a request as the API sees it."""
    return Request(page, authenticators=[BearerAuthentication(), SessionAuthentication()])


def open_session(page: HttpRequest) -> None:
    """Find out who is logged in, as the middleware of pages does. The session itself stays as it is."""
    page.session = ReadOnlySession(page.COOKIES.get(settings.SESSION_COOKIE_NAME))
    user = get_user(page)
    page.user = AnonymousUser() if sessions.is_worn_out(page.session, user) else user


def ground_of(request: Request, game_id: int, link: str) -> Ground:
    """Return what the right of a request rests on, which was let in just now."""
    user = request.user
    if not isinstance(user, User):
        return Ground(game_id, link)
    ground = Ground(game_id, link, user.pk, user.get_session_auth_hash())
    if isinstance(request.auth, str):
        return replace(ground, token=digest_of(request.auth))
    session = request.session
    return replace(ground, session=session.session_key or "", ends_at=sessions.wears_out_at(session, user))


def lost_grounds(grounds: Collection[Ground], *, now: datetime) -> set[Ground]:
    """Return which grounds no longer hold, with a few queries for all of them.

    A ground is lost with the session, token or password by which its person was known, and with what let
    them see the game. It is not asked whether another one has taken its place.
    """
    known = _still_known(grounds, now)
    games = Game.objects.filter(pk__in={each.game for each in grounds}).order_by()
    links = {
        game.pk: game.link_token if game.private else None for game in games.only("private", "link_token")
    }
    private = [pk for pk, link in links.items() if link is not None]
    pairs = knowing(people=set(known.values()), game_ids=private) if private else set()

    def holds(ground: Ground) -> bool:
        if ground.game not in links or (ground.person is not None and ground not in known):
            return False
        link = links[ground.game]
        if link is None or constant_time_compare(link, ground.link):
            return True
        return (ground.game, ground.person) in pairs

    return {ground for ground in grounds if not holds(ground)}


def _still_known(grounds: Collection[Ground], now: datetime) -> dict[Ground, User]:
    """Return the people of grounds, without those who are no longer logged in, or whose token has ended."""
    people = User.objects.in_bulk({each.person for each in grounds if each.person is not None})
    alive = sessions.sessions_alive({each.session for each in grounds if each.session}, now=now)
    tokens = usable_tokens({each.token for each in grounds if each.token}, now=now)

    def is_known(ground: Ground, user: User) -> bool:
        if not user.is_active:
            return False
        if ground.token:
            return tokens.get(ground.token) == user.pk
        same = constant_time_compare(user.get_session_auth_hash(), ground.secret)
        return same and ground.session in alive and now.timestamp() <= ground.ends_at

    found = ((each, people.get(each.person or 0)) for each in grounds)
    return {ground: user for ground, user in found if user and is_known(ground, user)}
