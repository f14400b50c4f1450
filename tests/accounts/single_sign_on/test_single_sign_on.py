"""Single sign-on with a real OpenID Connect provider: sign up, log in, link, reauthenticate, be refused."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts import admission, single_sign_on
from accounts.guests import PREFIX
from accounts.models import User
from accounts.sign_ups import SignUp, SignUpBlock, SignUpRule
from games.clubs.models import Candidate, Club
from games.people.selectors.personal_data import personal_data
from games.people.services.deletion import delete_account
from tests.support.accounts import PASSWORD, link_in
from tests.support.provider import Provider, through

pytestmark = pytest.mark.django_db

CHOOSE = "/accounts/oidc/signup/"


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    with Provider() as provider:
        settings.OIDC = provider.setting()
        yield provider


@pytest.fixture
def bob(provider: Provider) -> User:
    """A person without a password. Bob has signed up with the provider."""
    browser = Client()
    through(browser, provider)
    browser.post(CHOOSE, {"username": "Bob"})
    return User.objects.get(robo_name="Bob")


def said(page: Any) -> str:
    return " ".join(str(message) for message in page.context["messages"])


def name_of(browser: Client) -> str:
    user = browser.get("/settings/").wsgi_request.user
    return getattr(user, "robo_name", "")


def test_a_newcomer_chooses_a_robo_name_and_comes_back_without_a_password(
    provider: Provider, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    provider.claims["preferred_username"] = "bob.the.bot@example.org"
    assert "Log in with Club login" in client.get("/accounts/login/").text
    page = through(client, provider, next="/games/")
    assert page["Location"] == f"{CHOOSE}?next=%2Fgames%2F"
    form = client.get(page["Location"])
    assert 'value="bob-the-bot"' in form.text
    assert 'type="password"' not in form.text
    page = client.post(CHOOSE, {"username": "Bob", "email": "alice@example.org", "next": "/games/"})
    assert page["Location"] == "/games/"
    bob = User.objects.get(robo_name="Bob")
    assert (bob.email, bob.has_usable_password()) == ("bob@example.org", False)
    assert EmailAddress.objects.get(user=bob).verified
    assert mailoutbox == []

    elsewhere = Client()
    assert through(elsewhere, provider)["Location"] == "/"
    assert name_of(elsewhere) == "Bob"
    stored = str(list(SocialAccount.objects.values()))
    assert "bob-17" in stored
    assert "example.org" not in stored
    assert {"code_challenge_method": "S256", "ui_locales": "en"}.items() <= provider.asked.items()


def test_an_unverified_address_is_confirmed_by_mail(
    provider: Provider, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    provider.claims["email_verified"] = "false"
    through(client, provider)
    page = client.post(CHOOSE, {"username": "Bob", "email": "bob@example.com"})
    assert page["Location"] == "/accounts/confirm-email/"
    assert User.objects.get().awaits_confirmation
    assert through(Client(), provider)["Location"] == "/accounts/confirm-email/"
    Client().post(link_in(mailoutbox[0]))
    assert User.objects.get().email == "bob@example.com"
    assert through(client, provider)["Location"] == "/"


def choose(mode: str) -> None:
    SignUpRule.objects.create(mode=mode, at=timezone.now())


@pytest.mark.parametrize("verified", [True, False])
def test_by_approval_a_newcomer_from_the_provider_waits_for_staff(
    provider: Provider, client: Client, mailoutbox: list[EmailMessage], verified: bool
) -> None:
    choose("approved")
    provider.claims["email_verified"] = verified
    through(client, provider)
    assert "Staff look at each new account" in client.get(CHOOSE).text
    page = client.post(CHOOSE, {"username": "Bob", "email": "bob@example.org"})
    if not verified:
        page = client.post(link_in(mailoutbox[-1]))
    assert page["Location"] == "/accounts/waiting/"
    assert name_of(client) == ""
    assert through(Client(), provider)["Location"] == "/accounts/waiting/"
    assert admission.approve(user_id=User.objects.get(robo_name="Bob").pk, now=timezone.now())
    assert through(client, provider)["Location"] == "/"
    assert name_of(client) == "Bob"


@pytest.mark.parametrize(
    ("mode", "says"), [("closed", "No new accounts right now"), ("invited", "You need an invitation")]
)
def test_the_provider_opens_no_account_that_the_mode_refuses(
    provider: Provider, client: Client, bob: User, mode: str, says: str
) -> None:
    choose(mode)
    assert through(Client(), provider)["Location"] == "/", "members log in"
    provider.claims |= {"sub": "carol-3", "email": "carol@example.org"}
    page = client.get(through(client, provider)["Location"])
    assert says in page.text
    assert says in client.post(CHOOSE, {"username": "Carol"}).text
    assert not User.objects.filter(robo_name="Carol").exists()


def test_an_invitation_link_admits_a_newcomer_from_the_provider(
    provider: Provider, client: Client, bob: User
) -> None:
    choose("invited")
    link = admission.make_link(user=bob, most=1, now=timezone.now())
    provider.claims |= {"sub": "carol-3", "email": "carol@example.org"}
    client.get(f"/join/{link.token}/")
    through(client, provider)
    assert client.post(CHOOSE, {"username": "Carol"})["Location"] == "/"
    assert SignUp.objects.get(user__robo_name="Carol").invitation == link


def test_an_invitation_by_mail_admits_only_the_verified_address(
    provider: Provider, client: Client, bob: User
) -> None:
    choose("invited")
    provider.claims |= {"sub": "carol-3", "email": "carol@example.org"}
    through(client, provider)
    page = client.get(f"{CHOOSE}?by-mail=1").text
    assert "No game or club has invited carol@example.org." in page
    assert client.post(CHOOSE, {"username": "Carol"}).status_code == 200
    assert not User.objects.filter(robo_name="Carol").exists(), "no queue for people without an invitation"
    now = timezone.now()
    club = Club.objects.create(slug="bolts", name="Bolts", created_at=now)
    Candidate.objects.create(club=club, email="carol@example.org", invited=True, invited_by=bob, since=now)
    assert client.post(CHOOSE, {"username": "Carol"})["Location"] == "/"
    provider.claims |= {"sub": "dave-4", "email": "dave@example.org", "email_verified": False}
    elsewhere = Client()
    through(elsewhere, provider)
    assert f'href="{CHOOSE}?by-mail=1"' in elsewhere.get(CHOOSE).text
    assert "Use the address at which you were invited." in elsewhere.get(f"{CHOOSE}?by-mail=1").text


def test_blocks_hold_for_addresses_from_the_provider(provider: Provider, client: Client) -> None:
    SignUpBlock.objects.create(kind="domain", value="example.org", made_at=timezone.now())
    through(client, provider)
    assert "You can’t sign up with this address." in client.post(CHOOSE, {"username": "Bob"}).text
    assert not User.objects.exists()


@pytest.mark.parametrize("verified", [True, False])
def test_an_address_never_opens_an_existing_account(
    alice: User, provider: Provider, client: Client, mailoutbox: list[EmailMessage], verified: bool
) -> None:
    provider.claims |= {"email": "ALICE@example.org", "email_verified": verified}
    page = client.get(through(client, provider)["Location"])
    assert name_of(client) == ""
    assert ("You already have an account" in page.text) is verified
    page = client.post(CHOOSE, {"username": "Mallory", "email": "alice@example.org"})
    if verified:
        assert "An account here has this address." in page.text
    else:
        assert "has just signed up" in str(mailoutbox[0].body)
    assert name_of(client) == ""
    assert not User.objects.players().filter(robo_name="Mallory").exists()
    assert not SocialAccount.objects.filter(user=alice).exists()


def test_alice_links_her_account_after_her_password_and_unlinks_it(
    alice: User, signed_in: Client, provider: Provider, mailoutbox: list[EmailMessage]
) -> None:
    page = signed_in.post("/accounts/oidc/login/", {"link": ""})
    assert page["Location"].startswith("/accounts/reauthenticate/")
    page = signed_in.post(page["Location"], {"password": PASSWORD})
    signed_in.get(provider.log_in(page.context["address"]).removeprefix("http://testserver"))
    assert "You can log in there" in signed_in.get("/accounts/oidc/").text
    elsewhere = Client()
    through(elsewhere, provider)
    assert name_of(elsewhere) == "Alice"

    signed_in.post("/accounts/oidc/unlink/")
    assert not SocialAccount.objects.exists()
    assert [mail.subject for mail in mailoutbox] == [
        "Your account is linked with Club login",
        "Your account is no longer linked with Club login",
    ]
    elsewhere = Client()
    assert through(elsewhere, provider)["Location"] == CHOOSE


def test_an_identity_belongs_to_one_account(bob: User, signed_in: Client, provider: Provider) -> None:
    page = signed_in.post("/accounts/oidc/login/", {"link": ""})
    page = signed_in.post(page["Location"], {"password": PASSWORD})
    page = signed_in.get(provider.log_in(page.context["address"]), follow=True)
    assert "Another account here is linked" in said(page)
    assert SocialAccount.objects.get().user == bob


def test_a_link_made_for_one_person_is_not_given_to_another(
    alice: User, signed_in: Client, provider: Provider, bob: User
) -> None:
    SocialAccount.objects.all().delete()
    page = signed_in.post("/accounts/oidc/login/", {"link": ""})
    page = signed_in.post(page["Location"], {"password": PASSWORD})
    state = dict(signed_in.session)["socialaccount_states"]
    signed_in.force_login(bob, "accounts.backend.AuthenticationBackend")
    session = signed_in.session
    session["socialaccount_states"] = state
    session.save()
    signed_in.get(provider.log_in(page.context["address"]))
    assert not SocialAccount.objects.exists()


def test_bob_reauthenticates_at_the_provider_and_cannot_unlink_his_only_way_in(
    bob: User, provider: Provider, client: Client
) -> None:
    through(client, provider)
    page = client.post("/accounts/oidc/unlink/")
    assert page["Location"].startswith("/accounts/oidc/reauthenticate/")
    page = client.get(page["Location"])
    assert "log in at Club login again" in page.text
    provider.id_token = {"auth_time": 1}
    again = {"path": "/accounts/oidc/reauthenticate/", "next": "/accounts/2fa/totp/activate/"}
    assert through(client, provider, **again)["Location"].startswith("/accounts/oidc/reauthenticate/")
    provider.id_token = {"sub": "carol"}
    provider.userinfo = {"sub": "carol"}
    assert through(client, provider, **again)["Location"].startswith("/accounts/oidc/reauthenticate/")
    provider.id_token = provider.userinfo = {}
    assert through(client, provider, **again)["Location"] == "/accounts/2fa/totp/activate/"
    assert provider.asked["prompt"] == "login"
    assert client.get("/accounts/2fa/totp/activate/").status_code == 200
    assert "Set a password first" in said(client.post("/accounts/oidc/unlink/", follow=True))
    assert SocialAccount.objects.exists()


def test_bob_deletes_his_account_after_a_login_at_the_provider(
    bob: User, provider: Provider, client: Client
) -> None:
    through(client, provider)
    page = client.post("/settings/data/delete/", {"name": "Bob"})
    assert page["Location"].startswith("/accounts/oidc/reauthenticate/")
    [entry] = personal_data(user=bob, now=timezone.now())["provider_logins"]
    assert entry["uid"] == "bob-17"
    delete_account(user=bob, by=bob, now=timezone.now())
    assert through(Client(), provider)["Location"] == CHOOSE


def test_a_second_factor_is_still_needed_and_the_session_keeps_no_account(
    bob: User, provider: Provider, client: Client
) -> None:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    TOTP.activate(bob, generate_totp_secret())
    assert through(client, provider)["Location"] == "/accounts/2fa/authenticate/"
    assert name_of(client) == ""
    assert "argon" not in str(dict(client.session))
    assert "sociallogin" not in str(dict(client.session))


LIES: list[dict[str, Any]] = [
    {"id_token": {"aud": "another"}},
    {"id_token": {"iss": "https://evil.example"}},
    {"id_token": {"exp": 1}},
    {"id_token": {"sub": ""}},
    {"id_token": {"sub": "x" * 192}},
    {"id_token": {"sub": "\ud800"}},
    {"id_token": {"azp": "another"}},
    {"userinfo": {"sub": "somebody-else"}},
    {"broken": "/token"},
    {"tokens": {"expires_in": "soon"}},
    {"broken": "/keys"},
    {"broken": "/userinfo"},
    {"broken": "/.well-known/openid-configuration"},
]


@pytest.mark.parametrize("lie", LIES, ids=str)
def test_a_false_answer_logs_no_one_in(provider: Provider, client: Client, lie: dict[str, Any]) -> None:
    page = client.post("/accounts/oidc/login/")
    back = provider.log_in(page.context["address"])
    for name, value in lie.items():
        setattr(provider, name, value)
    page = client.get(back, follow=True)
    assert "Club login didn’t confirm who you are." in said(page)
    assert single_sign_on.PENDING_KEY not in client.session


@pytest.mark.parametrize(
    "address", [f"{'b' * 64}@{'c' * 60}.{'d' * 60}.{'e' * 63}.example", "b@\ud800.org", 5]
)
def test_an_address_that_no_account_can_have_is_left_out(
    provider: Provider, client: Client, address: object
) -> None:
    provider.claims["email"] = address
    form = client.get(through(client, provider)["Location"]).context["form"]
    assert (form["email"].value(), form.fields["email"].disabled) == ("", False)


def test_a_token_with_another_key_is_refused(provider: Provider, client: Client) -> None:
    from cryptography.hazmat.primitives.asymmetric import rsa

    provider.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    assert through(client, provider)["Location"] == "/accounts/login/"


def test_a_cancelled_or_forged_way_back_changes_nothing(provider: Provider, client: Client) -> None:
    client.post("/accounts/oidc/login/", {"next": "/games/"})
    [state] = client.session["socialaccount_states"]
    page = client.get(f"/accounts/oidc/callback/?error=access_denied&state={state}", follow=True)
    assert "You cancelled at Club login." in said(page)
    assert page.redirect_chain[0][0] == "/accounts/login/?next=%2Fgames%2F"
    page = client.get("/accounts/oidc/callback/?code=1&state=forged", follow=True)
    assert "didn’t confirm" in said(page)


def test_people_hear_when_the_provider_is_down(provider: Provider, client: Client) -> None:
    page = client.post("/accounts/oidc/login/")
    back = provider.log_in(page.context["address"])
    provider.__exit__()
    for page in (client.get(back, follow=True), client.post("/accounts/oidc/login/", follow=True)):
        assert "Club login doesn’t answer right now." in said(page)


def test_a_guest_keeps_the_games_and_is_not_linked(provider: Provider, client: Client) -> None:
    from accounts.guests import GUEST_KEY, make_guest

    guest = make_guest()
    client.force_login(guest, "accounts.backend.AuthenticationBackend")
    through(client, provider)
    assert "You keep the games" in client.get(CHOOSE).text
    client.post(CHOOSE, {"username": "Bob"})
    assert name_of(client) == "Bob"
    assert GUEST_KEY not in client.session
    assert not User.objects.filter(robo_name__startswith=PREFIX).exists()


def test_without_passwords_only_the_provider_lets_people_in(
    provider: Provider, settings: Settings, client: Client, bob: User, alice: User
) -> None:
    settings.OIDC = provider.setting(only=True)
    page = client.get("/accounts/signup/")
    assert "Sign up with Club login" in page.text
    assert 'name="password1"' not in page.text
    client.post("/accounts/signup/", {"username": "Eve", "email": "e@example.org", "password1": PASSWORD})
    assert not User.objects.filter(robo_name="Eve").exists()
    through(client, provider)
    page = client.get("/accounts/password/set/", follow=True)
    assert "Accounts on this site have no passwords." in said(page)
    elsewhere = Client()
    elsewhere.post("/accounts/login/", {"login": "Alice", "password": PASSWORD})
    assert name_of(elsewhere) == "Alice", "a password from before still works"


def test_without_a_provider_its_pages_do_not_exist(signed_in: Client) -> None:
    for path in ("login/", "signup/", "unlink/", "reauthenticate/"):
        assert signed_in.post(f"/accounts/oidc/{path}").status_code == 404
    assert signed_in.get("/accounts/oidc/callback/").status_code == 404
    assert signed_in.get("/accounts/oidc/")["Location"] == "/accounts/2fa/"
    assert "oidc" not in Client().get("/accounts/login/").text


def test_a_link_to_an_earlier_provider_opens_nothing(bob: User, provider: Provider) -> None:
    SocialAccount.objects.update(provider="https://earlier.example")
    browser = Client()
    assert through(browser, provider)["Location"] == CHOOSE


def test_unconfirmed_sign_ups_end_with_their_links(provider: Provider, client: Client) -> None:
    from games.people.services.deletion import forget_sign_ups

    provider.claims.pop("email")
    through(client, provider)
    client.post(CHOOSE, {"username": "Bob", "email": "bob@example.com"})
    forget_sign_ups(now=timezone.now() + timedelta(days=2))
    assert not SocialAccount.objects.exists()
