"""Passkeys, with a virtual authenticator in the browser."""

from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser.signing_in import sign_in
from tests.cast import password_of
from tests.support.site import Site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def alice(people: tuple[User, User]) -> User:
    return people[0]


def give_authenticator(page: Page) -> None:
    """Add a virtual authenticator that unlocks passkeys without asking."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def add_passkey(page: Page, person: User, *, alone: bool) -> None:
    page.goto("/accounts/2fa/webauthn/add/")
    page.get_by_label("Password").fill(password_of(person.robo_name))
    page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("The blue key")
    page.get_by_label("Log in with only this passkey").set_checked(alone)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()


def sign_out(page: Page) -> None:
    page.context.clear_cookies()
    page.goto("/accounts/login/")


def test_a_passkey_is_enough_to_log_in(page: Page, alice: User, site: Site) -> None:
    sign_in(page, alice, site)
    give_authenticator(page)
    add_passkey(page, alice, alone=True)
    sign_out(page)
    page.goto("/accounts/login/?next=/settings/profile/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_text("works without a password")).to_be_visible()
    expect(page.get_by_text("last used")).to_be_visible()


def test_a_passkey_is_a_second_factor(page: Page, alice: User, site: Site) -> None:
    sign_in(page, alice, site)
    give_authenticator(page)
    add_passkey(page, alice, alone=False)
    sign_out(page)
    page.get_by_label("Robo Name or email address").fill("Alice")
    page.get_by_label("Password").fill(password_of("Alice"))
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("/")
    page.goto("/accounts/2fa/webauthn/")
    expect(page.get_by_role("heading", name="Passkeys")).to_be_visible()


def test_a_passkey_replaces_the_password(page: Page, alice: User, site: Site) -> None:
    sign_in(page, alice, site)
    give_authenticator(page)
    add_passkey(page, alice, alone=True)
    sign_out(page)
    page.get_by_role("button", name="Log in with a passkey").click()
    page.wait_for_url("/")
    page.goto("/accounts/2fa/recovery-codes/generate/")
    page.get_by_role("link", name="Use a passkey").click()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Create codes").click()
    expect(page.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)


def test_a_browser_without_a_passkey_shows_a_message(page: Page, alice: User, site: Site) -> None:
    give_authenticator(page)
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("status")).to_have_text("No passkey was used. Press the button to try again.")
    expect(page.get_by_role("button", name="Log in with a passkey")).to_be_enabled()
    assert not Authenticator.objects.exists()


def test_without_a_script_no_passkey_is_offered(open_page: Callable[..., Page], site: Site) -> None:
    page = open_page(java_script_enabled=False)
    page.goto("/accounts/login/")
    expect(page.get_by_role("button", name="Log in", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Log in with a passkey")).to_be_hidden()
