"""A stream ends soon after its reader has lost access, for any reason."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.sessions import LOGIN_TIME_KEY, MAX_LOGIN_AGE
from games.clocks import machine_clock
from games.lobby.invitations import invite, renew_link, withdraw_invitation
from games.lobby.seats import remove_player
from games.lobby.services import change_game
from games.moderation.services.decisions import begin_case, suspend
from games.people.services.deletion import delete_account
from games.people.tokens import make_token, revoke_tokens
from games.play.models import Game
from games.play.pages.streams import AccessGrant, lost_grants
from games.play.viewers import visible_games, visible_pairs
from roborunner import streams as hub
from tests import cast
from tests.games.play.streams.reading import Answer, Ask, stream_of
from tests.games.support import NOW, Table

Way = tuple[str, dict[str, str], Callable[[], object]]
"""The path and headers of a stream, and an action that ends the reader's access."""


def logged_in(user: User) -> tuple[Client, dict[str, str]]:
    """Log a user in. Return the client, and its session cookie as a header."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    return client, {"Cookie": f"{name}={client.cookies[name].value}"}


def person(name: str) -> tuple[User, Client, dict[str, str]]:
    user = cast.person(name)
    return user, *logged_in(user)


def bearer(user: User) -> dict[str, str]:
    return {"Authorization": f"Bearer {make_token(user=user, now=timezone.now())}"}


def ends(stream: Answer, seconds: float = 20) -> bool:
    """Return whether a stream ends in time, with the event "end"."""
    try:
        while stream.event(seconds)[0] != "end":
            pass
        stream.until(b"0\r\n\r\n", seconds)
    except TimeoutError:
        return False
    return True


def test_streams_end_for_each_way_to_lose_access(
    ask: Ask, table: Table, game: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "RIGHTS_INTERVAL", 0.2)
    monkeypatch.setattr(machine_clock, "database_time", timezone.now)
    lobby = table.game(alice, bob, seats=4, private=True)
    open_lobby = table.game(alice, bob, seats=4)
    ways: dict[str, Way] = {}

    def change(game: Game, **changes: Any) -> Callable[[], object]:
        return lambda: change_game(user=alice, game_id=game.pk, changes=changes, now=NOW)

    other = table.game(alice, seats=4, private=True)
    by_link = f"{stream_of(other)}?link={other.link_token}"
    ways["a new link"] = (
        by_link,
        {},
        lambda: renew_link(user=alice, game_id=other.pk, now=NOW),
    )
    _, leaving, cookie = person("Logout")
    ways["logging out"] = (stream_of(game), cookie, lambda: leaving.post("/accounts/logout/"))
    ways["made private"] = (stream_of(open_lobby), {}, change(open_lobby, private=True))
    _, cookie = logged_in(bob)
    seat = lobby.players.get(user=bob).number
    ways["removed from the game"] = (
        stream_of(lobby),
        cookie,
        lambda: remove_player(user=alice, game_id=lobby.pk, seat=seat, now=NOW),
    )
    invited, _, cookie = person("Invited")
    invite(user=alice, game_id=lobby.pk, robo_name="Invited", now=NOW)
    invitation = lobby.invitations.get(user=invited).pk
    ways["an invitation withdrawn"] = (
        stream_of(lobby),
        cookie,
        lambda: withdraw_invitation(user=alice, game_id=lobby.pk, invitation_id=invitation, now=NOW),
    )
    changed, _, cookie = person("Password")

    def change_password() -> None:
        changed.set_password("quite another one")
        changed.save()

    ways["a new password"] = (stream_of(game), cookie, change_password)
    locked, _, cookie = person("Locked")
    ways["a locked account"] = (
        stream_of(game),
        cookie,
        lambda: User.objects.filter(pk=locked.pk).update(is_active=False),
    )
    deleted, _, cookie = person("Gone")
    ways["a deleted account"] = (stream_of(game), cookie, lambda: delete_account(user=deleted, now=NOW))
    _, client, cookie = person("Old")

    def wear_out() -> None:
        Session.objects.filter(pk=client.session.session_key).update(expire_date=NOW)

    ways["a session that expired"] = (stream_of(game), cookie, wear_out)
    program = cast.person("Program")
    ways["a token revoked"] = (
        f"/api/v1{stream_of(game)}",
        bearer(program),
        lambda: revoke_tokens(user=program),
    )
    erin = cast.erin()
    _, cookie = logged_in(erin)
    ways["staff without the right"] = (
        stream_of(lobby),
        cookie,
        lambda: erin.user_permissions.clear(),
    )
    _, _, cookie = person("Suspended")
    judge = cast.person("Judge", is_staff=True, rights=True)
    case = begin_case(user=judge, robo_name="Suspended", now=timezone.now())
    suspend(user=judge, case_id=case.pk, rule="polite", facts="Rude.", days=3, now=timezone.now())
    stays = {
        "a stranger": ask(stream_of(game)),
        "the host of a private game": ask(stream_of(lobby), **logged_in(alice)[1]),
        "a suspended person, who sees pages as before": ask(stream_of(game), **cookie),
    }
    streams = {name: ask(path, **headers) for name, (path, headers, _) in ways.items()}
    for name, stream in (streams | stays).items():
        assert stream.status == 200, name
        assert stream.event()[0] in ("ready", "lobby"), name
    time.sleep(3 * hub.RIGHTS_INTERVAL)
    for _path, _headers, take_away in ways.values():
        take_away()
    assert [name for name, stream in streams.items() if not ends(stream)] == []
    assert [name for name, stream in stays.items() if ends(stream, 2 * hub.RIGHTS_INTERVAL)] == []


def test_access_is_checked_well_within_fifteen_seconds() -> None:
    assert hub.RIGHTS_INTERVAL + 5 <= 15


def test_many_people_are_checked_like_each_one(table: Table, alice: User, bob: User) -> None:
    """The function for many people, `visible_pairs`, agrees with `visible_games`."""
    carol, dave, erin, grace = cast.carol(), cast.dave(), cast.erin(), cast.grace()
    games = [table.game(alice, seats=3, private=True), table.game(bob, alice, seats=3, private=True)]
    invite(user=alice, game_id=games[0].pk, robo_name="Carol", now=NOW)
    people = [alice, bob, carol, dave, erin, grace]
    pairs = visible_pairs(people=people, game_ids=[game.pk for game in games])
    assert pairs == {
        (game.pk, each.pk) for each in people for game in visible_games(viewer=each).filter(private=True)
    }


def test_an_expired_session_gives_no_access(game: Game, alice: User) -> None:
    client, _ = logged_in(alice)
    key = client.session.session_key
    assert key
    secret, now = alice.get_session_auth_hash(), timezone.now()
    began = client.session[LOGIN_TIME_KEY]
    grant = AccessGrant(game.pk, person=alice.pk, session=key, secret=secret, ends_at=began + MAX_LOGIN_AGE)
    assert lost_grants([grant], now=now) == set()
    assert lost_grants([grant], now=now + timedelta(seconds=MAX_LOGIN_AGE + 60)) == {grant}


def test_checking_many_streams_takes_few_queries(
    table: Table, game: Game, django_assert_max_num_queries: Any, alice: User, bob: User
) -> None:
    private = table.game(alice, bob, private=True)
    grants = [AccessGrant(each.pk, "no such link") for each in (game, private)]
    for each in (alice, bob):
        key = logged_in(each)[0].session.session_key or ""
        secret = each.get_session_auth_hash()
        grants += [AccessGrant(one.pk, person=each.pk, session=key, secret=secret) for one in (game, private)]
    with django_assert_max_num_queries(8):
        assert lost_grants(grants, now=timezone.now()) == {AccessGrant(private.pk, "no such link")}


def test_a_stream_leaves_a_session_from_before_a_new_key_unchanged(
    ask: Ask, game: Game, alice: User, settings: Any
) -> None:
    client, cookie = logged_in(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another one, which is long enough to be taken"
    assert ask(stream_of(game), **cookie).event()[0] == "ready"
    assert Session.objects.filter(pk=client.session.session_key).exists()
    assert client.get("/").context["user"] == alice
