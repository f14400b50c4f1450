"""Strangers cannot find out whether an email address has an account.

In one world Grace has confirmed the address, in the other it has no account. The tests compare everything
except the owner's mail: responses with their headers, and the numbers of queries, password hashes and emails.
"""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.contenttypes.models import ContentType
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.clubs.services import create_club, invite_address
from games.fleet.missions import save_mission
from games.lobby.invitations import decline_invitation, invite
from games.news.models import Notice
from games.play.models import Game
from tests import cast
from tests.access.walking import MILLIONS, number_rows_from, undone
from tests.games.support import HALL, LANE, NOW, Table
from tests.support.pages import LESSON

pytestmark = pytest.mark.django_db

ADDRESS = "grace@example.org"
PASSWORD = "mallory-likes-nobody"


@dataclass
class Spy:
    """Tests whether `ADDRESS` has an account, and records all observable results."""

    seen: list[tuple[Any, ...]] = field(default_factory=list)
    client: Client = field(default_factory=lambda: Client(headers={"X-Request-ID": "one-request"}))
    game: Game | None = None
    alice: User | None = None

    def get(self, path: str) -> Any:
        return self._look(lambda: self.client.get(path))

    def post(self, path: str, **fields: str) -> Any:
        return self._look(lambda: self.client.post(path, fields))

    def call(self, path: str, **body: str) -> Any:
        return self._look(
            lambda: self.client.post(f"/api/v1/{path}", json.dumps(body), content_type="application/json")
        )

    def log_in(self, name: str) -> None:
        self.client.force_login(User.objects.get(robo_name=name))

    def gives_password(self) -> None:
        self.client.post("/accounts/reauthenticate/", {"password": cast.password_of("Alice")})

    def _look(self, ask: Callable[[], Any]) -> Any:
        """Send a request, and record all that a person can observe about the response."""
        mails, hashes = len(mail.outbox), 0
        encode = Argon2PasswordHasher.encode
        verify = Argon2PasswordHasher.verify

        def counted(method: Any) -> Any:
            def count(*args: Any) -> Any:
                nonlocal hashes
                hashes += 1
                return method(*args)

            return count

        with (
            patch.object(Argon2PasswordHasher, "encode", counted(encode)),
            patch.object(Argon2PasswordHasher, "verify", counted(verify)),
            CaptureQueriesContext(connection) as queries,
        ):
            answer = ask()
        assert answer.status_code < 500
        cookies = sorted(answer.cookies)
        headers = {name: value for name, value in answer.headers.items() if name != "Content-Length"}
        self.seen.append(
            (
                answer.status_code,
                _plain(str({**headers, "Content-Security-Policy": ""})),
                cookies,
                _plain(answer.content.decode()),
                ("hashes", hashes),
                ("questions", len(queries)),
                ("mails", len(mail.outbox) - mails),
            )
        )
        return answer


def _plain(text: str) -> str:
    """Remove random values, row IDs and times from a response."""
    text = re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', r"\1", text)
    text = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "…", text)  # of a request
    return re.sub(r"\d{4}-\d\d-\d\dT[\d:.+]+Z?", "…", text)


@contextmanager
def world(million: int, *, has_account: bool) -> Iterator[Spy]:
    """Make a temporary world. ``has_account`` gives the address to Grace's account."""
    cache.clear()
    with undone():
        number_rows_from(million)
        alice, bob, carol = cast.alice(), cast.bob(), cast.carol()
        grace = User.objects.create_user("Grace", ADDRESS if has_account else "other@example.org", PASSWORD)
        grace.confirm_email()
        game = Table(HALL.saved()).game(alice, bob, carol, seats=6, private=True)
        Game.objects.filter(pk=game.pk).update(seed="5eed", commitment="c0", link_token="1ink")
        yield Spy(game=game, alice=alice)


def signs_up(spy: Spy) -> None:
    form = {"username": "Mallory", "email": ADDRESS, "password1": PASSWORD}
    spy.post("/accounts/signup/", **form)
    spy.get("/accounts/confirm-email/")
    spy.get("/players/Mallory/")
    other = Spy(seen=spy.seen)
    other.post("/accounts/signup/", **form | {"email": "mallory@example.org"})  # is the name free?
    other.post("/accounts/login/", login="Mallory", password=PASSWORD)
    other.get("/accounts/confirm-email/")
    cache.clear()
    other.post("/accounts/confirm-email/")
    other.call("tokens", login="Mallory", password=PASSWORD)
    other.call("tokens", login=ADDRESS, password=PASSWORD + "?")
    spy.post("/accounts/confirm-email/", email="third@example.org")
    spy.post("/accounts/confirm-email/", email=ADDRESS)
    spy.post("/accounts/signup/", **form)  # again, in the same browser


def signs_up_as_a_guest(spy: Spy) -> None:
    save_mission(slug="lane", number=1, title="A lane", starship=LANE.saved(), options={}, lesson=LESSON)
    spy.client.post("/missions/lane/")
    spy.post("/accounts/signup/", username="Mallory", email=ADDRESS, password1=PASSWORD)
    spy.get("/missions/")
    before = User.objects.filter(is_guest=True).count()
    spy.client.post("/missions/lane/")
    spy.seen.append((before, User.objects.filter(is_guest=True).count(), Game.objects.count()))


def asks_for_a_password(spy: Spy) -> None:
    spy.post("/accounts/password/reset/", email=ADDRESS)
    spy.get("/accounts/password/reset/done/")


def guesses_passwords(spy: Spy) -> None:
    for login in (ADDRESS, ADDRESS.upper(), "Grace"):
        spy.post("/accounts/login/", login=login, password="guess")
        spy.call("tokens", login=login, password="guess")


def guesses_until_it_is_too_much(spy: Spy) -> None:
    for login in ("Grace", ADDRESS):
        for number in range(7):
            spy.client.defaults["REMOTE_ADDR"] = f"192.0.2.{number + (7 if login == ADDRESS else 0)}"
            spy.post("/accounts/login/", login=login, password="guess")


def changes_their_address(spy: Spy) -> None:
    spy.log_in("Alice")
    spy.gives_password()
    spy.post("/accounts/email/", email=ADDRESS, action_add="")
    spy.get("/accounts/email/")


def invites(spy: Spy) -> None:
    assert spy.game
    spy.log_in("Alice")
    spy.call(f"games/{spy.game.pk}/invitations", email=ADDRESS)
    spy.call(f"games/{spy.game.pk}/invitations", email=ADDRESS)
    spy.get(f"/games/{spy.game.pk}/")
    spy.log_in("Bob")
    spy.call(f"games/{spy.game.pk}/invitations", email=ADDRESS)
    spy.get(f"/api/v1/games/{spy.game.pk}")
    spy.post(f"/games/{spy.game.pk}/invite/", whom="nobody-yet@example.org")


def invites_to_a_club(spy: Spy) -> None:
    assert spy.alice
    club = create_club(user=spy.alice, name="Tin Can Club", now=timezone.now())
    there = club.get_absolute_url()
    spy.log_in("Alice")
    for _ in range(2):
        spy.post(f"{there}member/", do="invite", player=ADDRESS)
    spy.get(there)
    spy.post(f"{there}member/", do="remove", player="Grace")
    number = str(club.candidates.get().pk)
    for _ in range(2):
        spy.post(f"{there}member/", do="withdraw", invitation=number)
    spy.post(f"{there}member/", do="invite", player=ADDRESS)
    spy.get(there)
    spy.call(f"clubs/{club.slug}/members/Bob", role="invited")


def takes_their_data_along(spy: Spy) -> None:
    assert spy.game and spy.alice
    ContentType.objects.get_for_model(User)  # a process asks for it once
    invite(user=spy.alice, game_id=spy.game.pk, email=ADDRESS, now=NOW)
    club = create_club(user=spy.alice, name="Tin Can Club", now=NOW)
    invite_address(user=spy.alice, slug=club.slug, email=ADDRESS, now=NOW)
    grace = User.objects.get(robo_name="Grace")
    if grace.email == ADDRESS:
        decline_invitation(user=grace, game_id=spy.game.pk, now=NOW)
    spy.log_in("Alice")
    spy.gives_password()
    answer = spy.get("/settings/data/file/")
    assert answer.status_code == 200
    assert ADDRESS in answer.content.decode()


@pytest.mark.parametrize(
    "does",
    [
        signs_up,
        signs_up_as_a_guest,
        asks_for_a_password,
        guesses_passwords,
        guesses_until_it_is_too_much,
        changes_their_address,
        invites,
        invites_to_a_club,
        takes_their_data_along,
    ],
)
def test_strangers_cannot_see_whether_an_address_has_an_account(
    does: Callable[[Spy], None], mailoutbox: list[Any]
) -> None:
    seen, million = [], next(MILLIONS)
    for has_account in (True, False):
        with world(million, has_account=has_account) as spy:
            does(spy)
            seen.append(spy.seen)
    told = [
        f"step {number}: {a} and {b}"
        for number, (one, other) in enumerate(zip(*seen, strict=True))
        for a, b in zip(one, other, strict=True)
        if a != b
    ]
    assert told == []


def test_the_two_worlds_differ_for_the_owner_of_the_address(mailoutbox: list[Any]) -> None:
    subjects, million = [], next(MILLIONS)
    for has_account in (True, False):
        mailoutbox.clear()
        with world(million, has_account=has_account) as spy:
            spy.post("/accounts/signup/", username="Mallory", email=ADDRESS, password1=PASSWORD)
            spy.post("/accounts/password/reset/", email=ADDRESS)
            subjects.append([each.subject for each in mailoutbox])
            if has_account:
                assert spy.alice and spy.game
                invite(user=spy.alice, game_id=spy.game.pk, email=ADDRESS, now=NOW)
                assert Notice.objects.filter(user__robo_name="Grace").exists()
    assert subjects == [
        ["You already have an account", "Choose a new password, Grace"],
        ["Confirm your address, Mallory", "No account has this address"],
    ]
