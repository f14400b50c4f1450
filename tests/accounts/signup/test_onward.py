"""The link in the sign-up email returns people to the page that they left.

It works in any browser.
"""

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.support.accounts import PASSWORD, link_in

SignUp = Callable[..., Any]

pytestmark = pytest.mark.django_db

THERE = "/games/?ruleset=robo-rally&search=a+b"
ONWARD = "?" + urlencode({"next": THERE})
BOB = {"login": "Bob", "password": PASSWORD}


def ways_in(page: Any) -> dict[str, str]:
    """Return the query of a page's links to log in, sign up and confirm."""
    found = re.findall(r'href="/accounts/(login|signup|confirm-email)/([^"]*)"', page.content.decode())
    return {name: html.unescape(query) for name, query in found}


def test_every_page_leads_back_to_itself_through_log_in_and_sign_up(client: Client) -> None:
    assert ways_in(client.get(THERE)) == {"login": ONWARD, "signup": ONWARD}
    for entrance in ("login", "signup"):
        assert set(ways_in(client.get(f"/accounts/{entrance}/{ONWARD}")).values()) == {ONWARD}
    for no_use in ("/", "/accounts/login/?next=https://example.org/", f"/games/?search={'x' * 1000}"):
        assert set(ways_in(client.get(no_use)).values()) == {""}, no_use


def test_only_forms_name_the_account_pages_directly() -> None:
    """Other links use `login_url`, `signup_url` and the like, which add the way back."""
    entrance = re.compile(
        r'(?<!action="){% url "account_(login|signup|email_verification_sent|reset_password)" %}'
    )
    templates = Path(settings.BASE_DIR, "templates").rglob("*.html")
    found = {path.name for path in templates if entrance.search(path.read_text())}
    assert found <= {"authenticate.html"}, found


def test_an_invitation_survives_the_mail_in_any_browser(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    assert sign_up(next=THERE)["Location"] == f"/accounts/confirm-email/{ONWARD}"
    waits = client.get(f"/accounts/confirm-email/{ONWARD}")
    assert waits.content.decode().count(f'value="{html.escape(THERE)}"') == 2
    corrected = client.post("/accounts/confirm-email/", {"email": "bob@example.com", "next": THERE})
    assert corrected["Location"] == f"/accounts/confirm-email/{ONWARD}"

    link, elsewhere = link_in(mailoutbox[-1]), Client()
    assert mailoutbox[-1].to == ["bob@example.com"] and link.endswith(ONWARD)
    assert f'value="{html.escape(THERE)}"' in elsewhere.get(link).content.decode()
    confirmed = elsewhere.post(link.partition("?")[0], {"next": THERE})
    assert confirmed["Location"] == f"/accounts/login/{ONWARD}"
    assert elsewhere.post(confirmed["Location"], {**BOB, "next": THERE})["Location"] == THERE

    first_tab = client.get(f"/accounts/confirm-email/{ONWARD}")
    assert "Your address is confirmed" in first_tab.content.decode()
    assert "We sent an email" not in first_tab.content.decode()
    assert ways_in(first_tab)["login"] == ONWARD


def test_an_invitation_survives_a_forgotten_account_and_password(
    alice: User, sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(email=alice.email, next=THERE)
    for entrance in ("login", "password/reset"):
        assert f"/accounts/{entrance}/{ONWARD}\n" in f"{mailoutbox[-1].body}\n", "You already have an account"
    elsewhere, hidden = Client(), f'name="next" value="{html.escape(THERE)}"'
    assert hidden in elsewhere.get(f"/accounts/password/reset/{ONWARD}").content.decode()
    for address in ("nobody@example.org", alice.email):
        sent = elsewhere.post("/accounts/password/reset/", {"email": address, "next": THERE})
        assert sent["Location"] == f"/accounts/password/reset/done/{ONWARD}"
    assert ways_in(elsewhere.get(sent["Location"]))["login"] == ONWARD
    assert f"/accounts/signup/{ONWARD}\n" in mailoutbox[-2].body, "No account has this address"
    page = elsewhere.get(link_in(mailoutbox[-1]), follow=True)
    assert hidden in page.content.decode()
    given = {"password1": "quite-another-7", "password2": "quite-another-7", "next": THERE}
    assert elsewhere.post(page.request["PATH_INFO"], given)["Location"] == THERE


def test_a_person_who_logs_in_before_confirming_gets_a_link_that_leads_on(
    sign_up: SignUp, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    assert "next" not in link_in(mailoutbox.pop())
    EmailAddress.objects.update(email="bob@example.com")  # a second email within a minute is not sent
    elsewhere = Client()
    assert elsewhere.post("/accounts/login/", {**BOB, "next": THERE})["Location"].endswith(ONWARD)
    assert elsewhere.post(link_in(mailoutbox[0]), {"next": THERE})["Location"] == THERE
    assert elsewhere.get("/settings/profile/").status_code == 200


def test_a_link_opened_again_says_that_the_address_is_confirmed(
    sign_up: SignUp, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(next=THERE)
    link = link_in(mailoutbox[0])
    Client().post(link)
    for again in (Client().get(link), Client().post(link)):
        assert again.status_code == 200
        text = again.content.decode()
        assert "<strong>bob@example.org</strong> is confirmed for Bob" in text
        assert ways_in(again)["login"] == ONWARD
    key = link.split("/")[3]
    for wrong in (key[:-1] + ("a" if key[-1] != "a" else "b"), key.split(":")[0], "x" + key):
        page = Client().get(f"/accounts/confirm-email/{wrong}/")
        assert "This link no longer works" in page.content.decode()
        assert "Bob" not in page.content.decode() and "bob@" not in page.content.decode()
    User.objects.all().delete()
    assert Client().post(link).status_code == 404
