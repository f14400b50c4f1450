"""Second factors: setup, login, and lost factors."""

import json
import time
from collections.abc import Iterator

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.conf import settings
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client, override_settings

from accounts.backend import reencrypt_second_factors
from accounts.models import User
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

INDEX, ACTIVATE = "/accounts/2fa/", "/accounts/2fa/totp/activate/"
NEXT_CODE = 31
"""Seconds after which an authenticator app shows its next code."""


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(1_800_000_000, tick=False) as clock:
        yield clock


def code_of(secret: str) -> str:
    """Return the code that an authenticator app with the given secret shows now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def confirmed(browser: Client, path: str) -> HttpResponse:
    """Confirm the password, and return the page."""
    browser.post(f"/accounts/reauthenticate/?next={path}", {"password": PASSWORD, "next": path})
    return browser.get(path)


def sign_in(**more: str) -> tuple[Client, HttpResponse]:
    browser = Client()
    return browser, browser.post("/accounts/login/", {"login": "Alice", "password": PASSWORD, **more})


@pytest.fixture
def secret(signed_in: Client, alice: User) -> str:
    key = generate_totp_secret()
    TOTP.activate(alice, key)
    RecoveryCodes.activate(alice)
    return key


def test_a_factor_is_set_up_with_only_the_password(signed_in: Client) -> None:
    assert signed_in.get(ACTIVATE)["Location"].startswith("/accounts/reauthenticate/")
    assert not Authenticator.objects.exists()


@pytest.mark.django_db(transaction=True)  # mail goes out after the commit
def test_an_app_is_set_up_by_its_first_code(signed_in: Client, mailoutbox: list[EmailMessage]) -> None:
    page = confirmed(signed_in, ACTIVATE)
    refused = signed_in.post(ACTIVATE, {"code": "000000"})
    assert b"This code is wrong" in refused.content
    assert not Authenticator.objects.exists()
    secret = page.context["form"].secret
    assert refused.context["form"].secret == secret, "a slip of the finger makes no new key"
    assert b"otpauth" not in page.content, "the key is in the picture, and once in words"
    codes = signed_in.post(ACTIVATE, {"code": code_of(secret)}, follow=True)
    assert len(codes.context["unused_codes"]) == 10
    assert [mail.subject for mail in mailoutbox] == ["Your account has an authenticator app"]
    assert "10 left" in signed_in.get(INDEX).content.decode()


def test_a_copy_of_the_database_opens_no_account(secret: str, alice: User) -> None:
    kept = json.dumps(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in kept
    assert not any(code in kept for code in recovery_codes(alice))


def recovery_codes(user: User) -> list[str]:
    found: list[str] = Authenticator.objects.get(user=user, type="recovery_codes").wrap().get_unused_codes()
    return found


def test_the_password_is_no_longer_enough(secret: str) -> None:
    browser, answer = sign_in(next="/settings/profile/")
    assert answer["Location"].startswith("/accounts/2fa/authenticate/")
    assert browser.get("/settings/profile/").status_code == 302
    page = browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert b"This code is wrong" in page.content
    assert browser.get("/settings/profile/").status_code == 302
    answer = browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert answer["Location"] == "/settings/profile/"
    assert browser.get("/settings/profile/").status_code == 200


def test_a_code_works_once(secret: str) -> None:
    code = code_of(secret)
    for status in (302, 200):
        browser, _ = sign_in()
        assert browser.post("/accounts/2fa/authenticate/", {"code": code}).status_code == status


def test_a_code_works_for_half_a_minute(secret: str, clock: time_machine.Traveller) -> None:
    code = code_of(secret)
    clock.shift(NEXT_CODE)
    browser, _ = sign_in()
    assert b"This code is wrong" in browser.post("/accounts/2fa/authenticate/", {"code": code}).content


def test_a_recovery_code_works_once(secret: str, alice: User) -> None:
    first, *others = recovery_codes(alice)
    for status in (302, 200):
        browser, _ = sign_in()
        assert browser.post("/accounts/2fa/authenticate/", {"code": first}).status_code == status
    assert recovery_codes(alice) == others


def test_guessing_codes_is_stopped(secret: str) -> None:
    browser, _ = sign_in()
    for _ in range(5):
        browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    page = browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    assert b"Too many wrong passwords" in page.content
    assert browser.get("/settings/profile/").status_code == 302


def test_resetting_a_password_does_not_bypass_the_second_factor(
    secret: str, mailoutbox: list[EmailMessage]
) -> None:
    browser = Client()
    mailoutbox.clear()
    browser.post("/accounts/password/reset/", {"email": "alice@example.org"})
    page = browser.get(link_in(mailoutbox[0]), follow=True)
    form = {"password1": "quite-another-7", "password2": "quite-another-7"}
    answer = browser.post(page.request["PATH_INFO"], form)
    assert answer["Location"].startswith("/accounts/2fa/authenticate/")
    assert browser.get("/settings/profile/").status_code == 302


def test_a_code_replaces_the_password_before_a_sensitive_action(secret: str, signed_in: Client) -> None:
    signed_in.get("/settings/data/file/")
    signed_in.session.flush()
    browser, _ = sign_in()
    browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
    asked = browser.get("/settings/data/file/", follow=True)
    assert b"Enter a code" in asked.content
    page = browser.get("/accounts/2fa/reauthenticate/?next=/settings/data/file/")
    assert b"enter the code from your app" in page.content


def test_turning_off_an_app_deletes_its_codes(
    secret: str, signed_in: Client, mailoutbox: list[EmailMessage]
) -> None:
    page = confirmed(signed_in, "/accounts/2fa/totp/deactivate/")
    assert b"Turn off the authenticator app?" in page.content
    signed_in.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    assert mailoutbox[-1].subject == "Your authenticator app was turned off"
    _, answer = sign_in()
    assert answer["Location"] == "/"


def test_new_recovery_codes_replace_the_old_ones(secret: str, signed_in: Client, alice: User) -> None:
    before = recovery_codes(alice)
    path = "/accounts/2fa/recovery-codes/generate/"
    assert b"Your 10 unused codes stop working" in confirmed(signed_in, path).content
    signed_in.post(path)
    assert not set(before) & set(recovery_codes(alice))
    text = signed_in.get("/accounts/2fa/recovery-codes/download/").content.decode()
    assert all(code in text for code in recovery_codes(alice))


def test_a_new_secret_key_opens_factors_of_the_old_one(secret: str) -> None:
    with override_settings(SECRET_KEY="k" * 40, SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        browser, _ = sign_in()
        assert browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)}).status_code == 302


def test_a_lost_secret_key_lets_no_one_in_and_breaks_nothing(
    secret: str, caplog: pytest.LogCaptureFixture
) -> None:
    with override_settings(SECRET_KEY="k" * 40, SECRET_KEY_FALLBACKS=[]):
        browser, _ = sign_in()
        page = browser.post("/accounts/2fa/authenticate/", {"code": code_of(secret)})
        assert b"This code is wrong" in page.content
    assert "Add its old SECRET_KEY to SECRET_KEY_OLD" in caplog.text


NO_PASSKEY = ["", "[]", '{"response": 1}', '{"id": "x", "rawId": "x"}']


@pytest.mark.parametrize("path", ["authenticate/", "webauthn/login/"])
def test_an_invalid_passkey_is_refused(secret: str, path: str) -> None:
    for sent in NO_PASSKEY:
        browser, _ = sign_in()
        browser.get("/accounts/2fa/webauthn/login/", headers={"Accept": "application/json"})
        answer = browser.post(f"/accounts/2fa/{path}", {"credential": sent}, follow=True)
        assert answer.status_code == 200
        assert browser.get("/settings/profile/").status_code == 302


def test_an_invalid_passkey_is_not_added(signed_in: Client) -> None:
    path = "/accounts/2fa/webauthn/add/"
    assert b"data-options" in confirmed(signed_in, path).content
    for sent in NO_PASSKEY:
        assert signed_in.post(path, {"name": "Phone", "credential": sent}).status_code == 200
    assert not Authenticator.objects.exists()


def test_no_one_changes_the_passkey_of_another_account(signed_in: Client, alice: User) -> None:
    bob = User.objects.create_user("Bob", "bob@example.org", PASSWORD)
    key = Authenticator.objects.create(user=bob, type="webauthn", data={"name": "Bob's"})
    for deed in ("edit", "remove"):
        path = f"/accounts/2fa/webauthn/keys/{key.pk}/{deed}/"
        assert confirmed(signed_in, path).status_code == 404
        assert signed_in.post(path, {"name": "Mine"}).status_code == 404
    key.refresh_from_db()
    assert key.data["name"] == "Bob's"


def test_an_address_can_be_changed_with_a_second_factor(secret: str, signed_in: Client) -> None:
    confirmed(signed_in, "/accounts/email/")
    page = signed_in.post("/accounts/email/", {"email": "new@example.org", "action_add": ""}, follow=True)
    assert b"Not confirmed yet" in page.content


def token(**sent: str) -> tuple[int, str]:
    answer = Client().post(
        "/api/v1/tokens", {"login": "Alice", "password": PASSWORD, **sent}, content_type="application/json"
    )
    return answer.status_code, answer.json().get("error", "")


def test_creating_a_token_requires_a_code(secret: str) -> None:
    assert token() == (403, "code-missing")
    assert token(code="000000") == (401, "wrong-login")
    assert token(code=code_of(secret)) == (201, "")
    assert token(code=code_of(secret)) == (401, "wrong-login"), "it is used up"


def test_guessing_codes_for_tokens_is_stopped(secret: str) -> None:
    for _ in range(5):
        assert token(code="000000")[0] == 401
    assert token(code=code_of(secret)) == (429, "too-many")


def test_without_the_password_no_one_learns_about_the_second_factor(secret: str) -> None:
    assert token(password="a-wrong-password", code=code_of(secret)) == (401, "wrong-login")


def test_creating_a_token_without_a_second_factor_requires_no_code(alice: User) -> None:
    assert token() == (201, "")


@pytest.fixture
def staff(db: None) -> Client:
    browser = Client()
    browser.force_login(User.objects.create_superuser("Erin", "erin@example.org", PASSWORD))
    return browser


def test_staff_remove_a_lost_factor(secret: str, staff: Client, mailoutbox: list[EmailMessage]) -> None:
    factor = Authenticator.objects.get(type="totp")
    path = f"/admin/mfa/authenticator/{factor.pk}/"
    page = staff.get(f"{path}change/").content.decode()
    assert "Alice" in page
    assert factor.data["secret"] not in page
    staff.post(f"{path}delete/", {"post": "yes"})
    assert not Authenticator.objects.exists(), "the recovery codes go with the last factor"
    assert mailoutbox[-1].subject == "Staff removed a second factor"
    assert mailoutbox[-1].to == ["alice@example.org"]
    assert sign_in()[1]["Location"] == "/"


def test_the_other_factor_and_the_codes_remain(secret: str, staff: Client, alice: User) -> None:
    Authenticator.objects.create(user=alice, type="webauthn", data={"name": "Phone", "credential": {}})
    factor = Authenticator.objects.get(type="totp")
    staff.post(f"/admin/mfa/authenticator/{factor.pk}/delete/", {"post": "yes"})
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"webauthn", "recovery_codes"}


def test_staff_pages_require_a_second_factor_if_the_site_says_so(staff: Client) -> None:
    assert staff.get("/admin/").status_code == 200
    with override_settings(STAFF_SECOND_FACTOR=True):
        page = staff.get("/admin/", follow=True)
        assert page.redirect_chain == [(INDEX, 302)]
        assert b"Staff pages need a second factor" in page.content
        assert staff.post("/admin/accounts/user/add/", {"robo_name": "Mallory"})["Location"] == INDEX
        TOTP.activate(User.objects.get(robo_name="Erin"), generate_totp_secret())
        assert staff.get("/admin/").status_code == 200


def test_players_are_not_asked_for_a_second_factor(signed_in: Client) -> None:
    with override_settings(STAFF_SECOND_FACTOR=True):
        assert signed_in.get("/settings/profile/").status_code == 200
        assert signed_in.get("/admin/")["Location"].startswith("/admin/login/")


def test_secrets_are_encrypted_again_with_a_new_key(secret: str, alice: User) -> None:
    codes = RecoveryCodes(Authenticator.objects.get(type=Authenticator.Type.RECOVERY_CODES)).generate_codes()
    old, new = settings.SECRET_KEY, "a new key of 32 characters or more, for a test"
    with override_settings(SECRET_KEY=new, SECRET_KEY_FALLBACKS=["x" * 40, old]):
        assert [reencrypt_second_factors() for _again in range(2)] == [2, 0]
    with override_settings(SECRET_KEY=new, SECRET_KEY_FALLBACKS=[]):
        found = {each.type: each.wrap() for each in Authenticator.objects.all()}
        assert found[Authenticator.Type.TOTP].validate_code(code_of(secret))
        assert found[Authenticator.Type.RECOVERY_CODES].generate_codes() == codes
