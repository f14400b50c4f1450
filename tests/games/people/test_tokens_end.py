"""API tokens end after their lifetime, and when their owner's password changes."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from unittest.mock import patch

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.people.models import ApiToken
from games.people.tokens import make_token, use_token
from games.work.sweeper import purge_sessions, purge_tokens, sweep
from tests import cast
from tests.cast import password_of
from tests.games.support import NOW, later
from tests.support.accounts import link_in

NEW = "another-sentence-7"
PAGE = "/settings/tokens/"

pytestmark = pytest.mark.django_db


def logged_in(user: User) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": user.robo_name, "password": password_of(user.robo_name)})
    browser.post("/accounts/reauthenticate/", {"password": password_of(user.robo_name)})
    return browser


def by_change(user: User, mailoutbox: list[EmailMessage]) -> None:
    form = {"oldpassword": password_of(user.robo_name), "password1": NEW, "password2": NEW}
    logged_in(user).post("/accounts/password/change/", form)


def by_reset(user: User, mailoutbox: list[EmailMessage]) -> None:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": user.email})
    page = browser.get(link_in(mailoutbox[-1]), follow=True)
    browser.post(page.request["PATH_INFO"], {"password1": NEW, "password2": NEW})


def by_staff(user: User, mailoutbox: list[EmailMessage]) -> None:
    browser = Client()
    browser.force_login(cast.person("Erin", is_staff=True, is_superuser=True))
    form = {"usable_password": "true", "password1": NEW, "password2": NEW, "set-password": "yes"}
    browser.post(f"/admin/accounts/user/{user.pk}/password/", form)


def by_command(user: User, mailoutbox: list[EmailMessage]) -> None:
    with patch("getpass.getpass", return_value=NEW):
        call_command("changepassword", user.robo_name, stdout=StringIO())


@pytest.mark.parametrize("way", [by_change, by_reset, by_staff, by_command])
def test_a_new_password_revokes_only_its_owner_s_tokens(
    way: Callable[[User, list[EmailMessage]], None], alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    now = timezone.now()
    tokens = [make_token(user=alice, now=now) for _ in range(2)]
    other = make_token(user=bob, now=now)
    way(alice, mailoutbox)
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    for token in tokens:
        me = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
        assert (me.status_code, me.json()["error"]) == (401, "unknown-token")
    assert not ApiToken.objects.filter(user=alice).exists()
    assert Client().get("/api/v1/me", headers={"Authorization": f"Bearer {other}"}).status_code == 200


def test_staff_who_remove_a_password_revoke_its_tokens(alice: User) -> None:
    make_token(user=alice, now=timezone.now())
    browser = Client()
    browser.force_login(cast.person("Erin", is_staff=True, is_superuser=True))
    path = f"/admin/accounts/user/{alice.pk}/password/"
    browser.get(path)
    assert ApiToken.objects.exists()
    browser.post(path, {"usable_password": "false", "unset-password": "yes"})
    assert not User.objects.get(pk=alice.pk).has_usable_password()
    assert not ApiToken.objects.exists()


def test_a_refused_password_revokes_no_tokens(alice: User) -> None:
    make_token(user=alice, now=timezone.now())
    form = {"oldpassword": "not this one", "password1": NEW, "password2": NEW}
    logged_in(alice).post("/accounts/password/change/", form)
    assert ApiToken.objects.count() == 1


def test_an_expired_token_opens_nothing(alice: User) -> None:
    usual = make_token(user=alice, now=NOW)
    short = make_token(user=alice, now=NOW, days=1)
    for token, days in ((usual, 90), (short, 1)):
        assert use_token(token=token, now=NOW + timedelta(days=days, seconds=-1)) == alice
        assert use_token(token=token, now=NOW + timedelta(days=days)) is None


def test_the_lifetime_is_chosen_by_the_api(alice: User) -> None:
    form = {"login": "Alice", "password": password_of("Alice")}
    ask = {"path": "/api/v1/tokens", "content_type": "application/json"}
    for days in (0, 366):
        refused = Client().post(data=form | {"days": days}, **ask)  # type: ignore[arg-type]
        assert refused.status_code == 400
    made = Client().post(data=form | {"days": 7}, **ask)  # type: ignore[arg-type]
    assert made.status_code == 201
    token = ApiToken.objects.get()
    assert token.expires_at - token.created_at == timedelta(days=7)
    assert made.json()["expires_at"][:16] == token.expires_at.isoformat()[:16]
    mine = Client().get("/api/v1/me/tokens", headers={"Authorization": f"Bearer {made.json()['token']}"})
    assert mine.json()["results"][0]["expires_at"][:16] == token.expires_at.isoformat()[:16]


def test_the_page_refuses_invalid_lifetimes(alice: User) -> None:
    answer = logged_in(alice).post(PAGE, {"name": "Bot", "days": "366"})
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_the_page_shows_when_each_expires(alice: User) -> None:
    browser = logged_in(alice)
    browser.post(PAGE, {"name": "Bot", "days": "30"})
    token = ApiToken.objects.get()
    assert token.expires_at - token.created_at == timedelta(days=30)
    assert f"expires {token.expires_at:%-d %B %Y}" in browser.get(PAGE).content.decode()


def test_the_sweeper_deletes_only_expired_tokens(alice: User) -> None:
    make_token(user=alice, now=NOW, days=1)
    make_token(user=alice, now=NOW, days=2)
    for number, days in ((1, 1), (2, 2)):
        key = f"session-{number}"
        Session.objects.create(session_key=key, session_data="x", expire_date=later(days=days))
        UserSession.objects.create(user=alice, session_key=key, ip="203.0.113.9", user_agent="Firefox")
    sweep(now=later(days=1, seconds=1))
    assert list(Session.objects.values_list("pk", flat=True)) == ["session-2"]
    assert list(UserSession.objects.values_list("session_key", flat=True)) == ["session-2"]
    assert [token.expires_at for token in ApiToken.objects.all()] == [later(days=2)]


def test_a_pass_deletes_a_limited_number_and_the_next_continues(alice: User) -> None:
    with patch("games.work.sweeper.ROWS_PER_PASS", 2):
        for number in range(3):
            make_token(user=alice, now=NOW, days=1)
            Session.objects.create(session_key=f"s{number}", session_data="x", expire_date=NOW)
        now = later(days=1, seconds=1)
        assert [purge_tokens(now=now) for _ in range(3)] == [2, 1, 0]
        assert [purge_sessions(now=now) for _ in range(3)] == [2, 1, 0]
