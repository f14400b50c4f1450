"""Guests play without an account, have no access to some pages, and can sign up."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings as site_settings
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client, RequestFactory
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import challenges, guests, robo_names
from accounts.models import User
from accounts.sign_ups import SignUpBlock
from games.fleet.missions import save_mission
from games.play.models import Game, Seat
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.stored import state_at_start
from tests.games.fleet.test_missions import LESSON
from tests.games.support import HALL, NOW, all_kept, record_of
from tests.support.accounts import PASSWORD, solved

pytestmark = pytest.mark.usefixtures("mailoutbox")

MISSION = "/missions/hall/"


@pytest.fixture(autouse=True)
def mission(db: None) -> None:
    """Save a mission on the test ship."""
    save_mission(slug="hall", number=1, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON)


@pytest.fixture
def guest(client: Client) -> User:
    """A guest in their first mission."""
    client.post(MISSION)
    return User.objects.get(is_guest=True)


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def confirm(client: Client) -> None:
    """Open the confirmation link of the last email, and press its button."""
    text = str(mail.outbox[-1].body)
    path = re.search(r"https?://[^/]+(/accounts/confirm-email/\S+)", text)
    assert path
    client.post(path.group(1))


def test_a_stranger_who_starts_a_mission_is_a_guest(client: Client, guest: User) -> None:
    assert who(client) == str(guest.pk)
    assert re.fullmatch(r"Guest-\d{6}", guest.robo_name)
    assert (guest.email, guest.has_usable_password(), guest.is_staff) == ("", False, False)
    assert not EmailAddress.objects.filter(user=guest).exists()
    assert Game.objects.get().host == guest


def test_each_browser_gets_its_own_guest(client: Client, guest: User) -> None:
    other = Client()
    other.post(MISSION)
    assert User.objects.filter(is_guest=True).count() == 2
    assert Game.objects.count() == 2
    assert who(other) != who(client)


def test_becoming_a_guest_changes_the_session(client: Client) -> None:
    client.get("/accounts/login/")
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies[site_settings.SESSION_COOKIE_NAME] = session.session_key
    client.post(MISSION)
    assert client.session.session_key != session.session_key


def test_a_class_of_forty_guests_behind_one_address_flies_the_first_mission() -> None:
    """Everyone starts it and opens it again, which makes no second game."""
    pupils = [Client() for _ in range(40)]
    assert {pupil.post(MISSION).status_code for pupil in pupils} == {302}
    assert {pupil.post(MISSION).status_code for pupil in pupils[:3]} == {302}
    assert User.objects.filter(is_guest=True).count() == Game.objects.count() == 40


def test_guests_from_one_address_are_limited_and_known_guests_are_not_counted(
    settings: Settings,
) -> None:
    assert settings.ACCOUNT_RATE_LIMITS["guest"] == "300/h/ip"
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "guest": "2/h/ip"}
    known = Client()
    assert [known.post(MISSION).status_code for _ in range(4)] == [302] * 4
    assert [Client().post(MISSION).status_code for _ in range(2)] == [302, 429]


def test_guests_from_a_blocked_network_are_refused_except_known_guests(client: Client, guest: User) -> None:
    block = {"kind": SignUpBlock.Kind.NETWORK, "value": "127.0.0.0/8", "made_at": timezone.now()}
    SignUpBlock.objects.create(**block)
    page = Client().post(MISSION)
    assert page.status_code == 403
    assert "No guests from your network" in page.text
    assert "/contact/" in page.text
    assert User.objects.filter(is_guest=True).count() == 1
    assert client.post(MISSION).status_code == 302


@pytest.mark.parametrize("scripts", [True, False])
def test_in_a_rush_a_new_guest_solves_a_puzzle_or_waits(
    scripts: bool, client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.SIGN_UP_RUSH = 0
    page = client.post(f"{MISSION}?from=home", {"robot": ["3", "4"], "solution": "nonsense"})
    assert page.status_code == 422
    assert page.context["sent_to"] == f"{MISSION}?from=home"
    assert page.context["fields"] == [("robot", "3"), ("robot", "4")]
    challenge = page.context["challenge"]
    assert f'value="{challenge.ticket}"' in page.text
    assert not User.objects.filter(is_guest=True).exists()
    early = client.post(MISSION, {"ticket": challenge.ticket})
    assert "then send the form again" in early.context["detail"]
    then = timezone.now() + challenges.WAIT
    monkeypatch.setattr(timezone, "now", lambda: then)
    answer = {"solution": solved(challenge)} if scripts else {"ticket": challenge.ticket}
    assert client.post(MISSION, answer).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 1
    assert client.post(MISSION).status_code == 302, "a known guest needs no puzzle"


def test_names_of_guests_are_reserved() -> None:
    assert robo_names.problems("Guest-123456")
    assert robo_names.problems("guest")
    assert not robo_names.problems("Guesthouse")


def test_a_guest_has_no_address_and_a_person_has_one(db: None) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Alice", "", None, last_login=NOW)  # has logged in, so has an address
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Erin", "", None, is_staff=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Guest-1", "guest@example.org", None, is_guest=True)


def test_pages_for_accounts_ask_guests_to_sign_up(client: Client, guest: User) -> None:
    for path in (
        *("/settings/profile/", "/accounts/email/", "/accounts/password/change/"),
        *("/accounts/password/set/", "/my-room/", "/games/new/"),
    ):
        page = client.get(path)
        assert page.status_code == 403
        assert "For everything else, sign up." in page.content.decode()


def test_a_guest_s_page_is_closed_to_them_and_missing_for_others(client: Client, guest: User) -> None:
    path = f"/players/{guest.robo_name}/"
    assert client.get(path).status_code == 403
    assert Client().get(path).status_code == 404


def test_no_one_logs_in_by_a_guest_s_name(client: Client, guest: User) -> None:
    other = Client()
    for password in ("", "!", PASSWORD):
        other.post("/accounts/login/", {"login": guest.robo_name, "password": password})
    assert who(other) is None


def test_a_guest_who_signs_up_confirms_first_and_then_has_the_missions(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    game = Game.objects.get()
    assert client.get("/accounts/signup/").status_code == 200
    answer = sign_up()
    assert answer.url == "/accounts/confirm-email/"
    bob = User.objects.get(robo_name="Bob")
    assert bob.awaits_confirmation
    assert Game.objects.get().host == guest, "missions are nobody else's before the address is confirmed"
    assert who(client) == str(guest.pk)  # Bob cannot log in before the address is confirmed
    client.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    assert who(client) == str(guest.pk)
    before = client.session.session_key
    confirm(client)
    assert who(client) == str(bob.pk)
    assert client.session.session_key != before
    assert Seat.objects.get(game=game).user == bob
    assert client.get(f"/games/{game.pk}/").status_code == 200
    assert not User.objects.filter(is_guest=True).exists()


def test_the_robot_gets_the_new_name_in_all_earlier_games(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    game = Game.objects.get()
    submit_orders(user=guest, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    resolve_turn(turn_id=game.turns.get().pk, now=NOW)
    sign_up()
    confirm(client)
    for turn in game.turns.all():
        assert state_at_start(turn)["robots"][0]["name"] == "Bob"
    assert "Bob" in str(record_of(game, 0).events)
    assert guest.robo_name not in all_kept(game)


def test_a_guest_who_confirms_elsewhere_gets_the_missions_by_logging_in_in_the_first_browser(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    sign_up()
    confirm(Client())
    assert Game.objects.get().host == guest
    client.post("/accounts/login/", {"login": "Bob", "password": PASSWORD})
    assert Game.objects.get().host == User.objects.get(robo_name="Bob")


def test_an_invalid_form_leaves_the_guest_a_guest(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    sign_up(username="admin")
    assert who(client) == str(guest.pk)
    guest.refresh_from_db()
    assert guest.is_guest


def test_an_address_with_an_account_is_not_given_away_and_nothing_is_lost(
    client: Client, alice: User, guest: User, sign_up: Callable[..., Any]
) -> None:
    answer = sign_up(email="alice@example.org")
    assert answer.url == "/accounts/confirm-email/"
    assert who(client) == str(guest.pk)
    assert User.objects.filter(pk=guest.pk, is_guest=True).exists()
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    assert who(client) == str(alice.pk)
    assert Game.objects.get().host == alice


def test_logging_in_moves_the_missions_and_deletes_the_guest(
    client: Client, alice: User, guest: User
) -> None:
    assert client.get("/accounts/login/").status_code == 200
    before = client.session.session_key
    client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    game = Game.objects.get()
    assert (game.host, game.players.get().user) == (alice, alice)
    assert game.turns.get().snapshot["robots"][0]["name"] == "Alice"
    assert not User.objects.filter(pk=guest.pk).exists()
    assert who(client) == str(alice.pk)
    assert client.session.session_key != before


def test_a_wrong_password_changes_nothing(client: Client, alice: User, guest: User) -> None:
    client.post("/accounts/login/", {"login": "Alice", "password": "wrong"})
    assert who(client) == str(guest.pk)
    assert Game.objects.get().host == guest


def test_two_guests_become_two_accounts(sign_up: Callable[..., Any]) -> None:
    browsers = [Client(), Client()]
    for browser, name in zip(browsers, ("Bob", "Carol"), strict=True):
        browser.post(MISSION)
        sign_up(browser, username=name, email=f"{name.lower()}@example.org")
        confirm(browser)
    assert {game.host.robo_name for game in Game.objects.all()} == {"Bob", "Carol"}
    assert not User.objects.filter(is_guest=True).exists()


def test_missions_flown_between_sign_up_and_confirmation_move_too(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    sign_up()
    client.post(MISSION)  # as the guest: Bob is not logged in yet
    client.post("/games/quick/")
    assert User.objects.filter(is_guest=True).count() == 1
    confirm(client)
    bob = User.objects.get()
    assert who(client) == str(bob.pk)
    assert [game.host for game in Game.objects.all()] == [bob, bob]


def test_two_tabs_sign_up_once_and_the_games_move_once(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    client.post("/games/quick/")
    sign_up()
    sign_up(username="Carol", email="carol@example.org")  # in the other tab
    confirm(client)
    carol = User.objects.get()
    assert (carol.robo_name, who(client)) == ("Carol", str(carol.pk))
    confirm(client)  # in the other tab, again
    assert who(client) == str(carol.pk)
    assert [game.host for game in Game.objects.all()] == [carol, carol]


def test_an_old_link_of_a_corrected_address_confirms_nothing_and_moves_no_games(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    sign_up(email="bob@exmaple.org")
    old = list(mail.outbox)
    client.post("/accounts/confirm-email/", {"email": "bob@example.org"})
    right = mail.outbox[-1]
    mail.outbox[:] = old
    confirm(client)
    assert (who(client), Game.objects.get().host) == (str(guest.pk), guest)
    mail.outbox[:] = [right]
    confirm(client)
    assert Game.objects.get().host == User.objects.get(email="bob@example.org")


def test_a_guest_with_a_waiting_sign_up_plays_on_and_finds_it_again(
    client: Client, guest: User, sign_up: Callable[..., Any]
) -> None:
    sign_up(email="bob@exmaple.org")
    page = client.get("/accounts/confirm-email/").content.decode()
    assert "Until then you can keep playing as a guest." in page
    assert 'value="bob@exmaple.org"' in page  # to be corrected, not typed again
    assert client.get(f"/games/{Game.objects.get().pk}/").status_code == 200
    home = client.get("/").content.decode()
    assert "Bob, open the link in our email" in home
    assert 'href="/accounts/signup/"' not in home


def test_a_guest_who_logs_out_comes_back_as_the_same_guest(client: Client, guest: User) -> None:
    client.post("/accounts/logout/")
    assert who(client) is None
    client.post(MISSION)
    assert who(client) == str(guest.pk)


def test_a_claim_to_an_account_that_is_not_a_guest_is_ignored(client: Client, alice: User) -> None:
    request = RequestFactory().get("/")
    request.session = client.session
    request.session[guests.GUEST_KEY] = alice.pk
    request.user = type("Nobody", (), {"is_authenticated": False})()
    assert guests.guest_of(request) is None


def test_staff_list_accounts_and_guests(client: Client, guest: User) -> None:
    admin = User.objects.create_superuser("Erin", "erin@example.org", PASSWORD)
    staff = Client()
    staff.force_login(admin)
    assert guest.robo_name not in staff.get("/admin/accounts/user/").content.decode()
    assert guest.robo_name in staff.get("/admin/accounts/user/?guests=yes").content.decode()
    assert staff.get(f"/admin/accounts/user/{guest.pk}/change/").status_code == 200
