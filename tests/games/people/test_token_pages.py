"""The page of API tokens."""

import re

from django.test import Client

from accounts import guests
from accounts.models import User
from games.people.models import ApiToken
from games.people.tokens import make_token, use_token
from tests.cast import password_of
from tests.games.reader import ReaderOf
from tests.games.support import NOW, later

PAGE = "/settings/tokens/"
ALL = f"{PAGE}revoke/"


def revoking(token: ApiToken) -> str:
    return f"{PAGE}{token.pk}/revoke/"


def signed_in(client: Client, user: User) -> User:
    """Log a user in with a recently confirmed password, and return the user."""
    client.post("/accounts/login/", {"login": user.robo_name, "password": password_of(user.robo_name)})
    client.post("/accounts/reauthenticate/", {"password": password_of(user.robo_name)})
    return user


def test_a_new_token_is_shown_once_and_opens_the_api(client: Client, alice: User) -> None:
    signed_in(client, alice)
    answer = client.post(PAGE, {"name": "  My   bot "})
    assert answer.status_code == 200
    assert "no-store" in answer.headers["Cache-Control"]
    [token] = re.findall(r'value="(robo_[\w-]{43})" readonly', answer.content.decode())
    assert token not in client.get(PAGE).content.decode()
    assert ApiToken.objects.get().name == "My bot"
    me = Client().get("/api/v1/me", headers={"Authorization": f"Bearer {token}"})
    assert me.json()["robo_name"] == "Alice"


def test_creating_a_token_requires_the_password(client: Client, alice: User) -> None:
    client.force_login(alice)
    asked = client.post(PAGE, {"name": "My bot"})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    assert not ApiToken.objects.exists()
    client.post(asked.headers["Location"], {"password": "guess"})
    assert not ApiToken.objects.exists()
    made = client.post(asked.headers["Location"], {"password": password_of("Alice")}, follow=True)
    assert re.search(r'value="robo_[\w-]{43}" readonly', made.content.decode())
    assert ApiToken.objects.get().name == "My bot"


def test_the_page_lists_tokens_by_name_and_last_use(read: ReaderOf, alice: User, bob: User) -> None:
    assert "You have no tokens." in read(alice).get(PAGE).text
    used = make_token(user=alice, name="<Bot>", now=NOW)
    make_token(user=alice, now=later(hours=1))
    make_token(user=bob, name="Bob’s own", now=NOW)
    use_token(token=used, now=later(hours=2))
    page = read(alice).get(PAGE)
    assert "<Bot> created 21 November 2026, 12:00 · last used 21 November 2026, 14:00" in page.text
    assert "Unnamed token created 21 November 2026, 13:00 · never used" in page.text
    assert "Bob’s own" not in page.text
    assert used not in page.text


def test_one_token_is_revoked(client: Client, alice: User) -> None:
    kept, gone = (make_token(user=alice, now=later(hours=hour)) for hour in (0, 1))
    signed_in(client, alice)
    page = client.post(revoking(ApiToken.objects.order_by("pk")[1]), follow=True).content.decode()
    assert "Token revoked." in page
    assert use_token(token=kept, now=NOW) == alice
    assert use_token(token=gone, now=NOW) is None


def test_all_tokens_of_a_person_are_revoked_together(client: Client, alice: User, bob: User) -> None:
    for user in (alice, alice, bob):
        make_token(user=user, now=NOW)
    signed_in(client, alice)
    assert "Revoke all" in client.get(PAGE).content.decode()
    page = client.post(ALL, follow=True).content.decode()
    assert "All tokens revoked." in page
    assert ApiToken.objects.get().user == bob
    assert "Revoke all" not in page


def test_strangers_and_guests_have_no_tokens(client: Client, db: None) -> None:
    for path in (PAGE, ALL, f"{PAGE}1/revoke/"):
        assert client.post(path).headers["Location"].startswith("/accounts/login/")
    client.force_login(guests.make_guest())
    for path in (PAGE, ALL, f"{PAGE}1/revoke/"):
        assert client.post(path).status_code == 403
    assert client.get(PAGE).status_code == 403
    assert not ApiToken.objects.exists()


def test_security_and_the_list_of_sessions_link_to_the_page(read: ReaderOf, alice: User) -> None:
    for path in ("/accounts/2fa/", "/accounts/sessions/"):
        assert PAGE in read(alice).get(path).links
