"""Invitations by mail count as invitations, and staff decide about people who wait."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts import admission
from accounts.models import User
from accounts.sign_ups import SignUp, SignUpBlock, SignUpRule
from games.clubs.services import create_club, invite_address
from games.lobby.invitations import invite
from tests.games.admin_pages import messages_in
from tests.games.support import Table
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

WAITING = "/admin/accounts/signup/?state=waiting"


def choose(mode: str) -> None:
    SignUpRule.objects.create(mode=mode, at=timezone.now())


def sign_up(browser: Client, name: str) -> Any:
    form = {"username": name, "email": f"{name}@example.net".lower(), "password1": PASSWORD}
    return browser.post("/accounts/signup/", form)


@pytest.mark.parametrize("mode", ["invited", "approved"])
@pytest.mark.parametrize("by", ["club", "game"])
def test_an_invitation_by_mail_admits(
    mode: str, by: str, table: Table, alice: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    now = timezone.now()
    if by == "club":
        club = create_club(user=alice, name="Dock Nine", now=now)
        invite_address(user=alice, slug=club.slug, email="Heidi@example.net", now=now)
    else:
        invite(user=alice, game_id=table.game(alice, seats=4).pk, email="heidi@example.net", now=now)
    choose(mode)
    client.get("/accounts/signup/?by-mail=1")
    sign_up(client, "Heidi")
    assert client.post(link_in(mailoutbox[-1]))["Location"] == "/"
    assert client.get("/settings/profile/").status_code == 200
    assert SignUp.objects.get(user__robo_name="Heidi").status == SignUp.Status.ADMITTED


def test_staff_approve_and_decline_in_bulk(
    erin: User, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    choose("approved")
    for name in ("Heidi", "Ivan", "Judy"):
        browser = Client()
        sign_up(browser, name)
        assert browser.post(link_in(mailoutbox[-1]))["Location"] == "/accounts/waiting/"
    User.objects.filter(pk=erin.pk).update(is_superuser=True)
    client.force_login(erin)
    assert "3 people wait for an account." in client.get("/admin/").text
    page = client.get(WAITING).text
    assert "heidi@example.net" in page
    heidi, ivan, judy = User.objects.filter(robo_name__in=("Heidi", "Ivan", "Judy")).order_by("robo_name")
    done = client.post(WAITING, {"action": "approve", "_selected_action": [heidi.pk, ivan.pk]})
    assert messages_in(done) == ["Approved: Ivan, Heidi."]
    ask = client.post(WAITING, {"action": "decline", "_selected_action": [judy.pk]})
    assert "Decline these accounts?" in ask.text
    form = {"action": "decline", "_selected_action": [judy.pk], "sure": "1"}
    assert "The person will read it." in client.post(WAITING, {**form, "reason": ""}).text
    client.post(WAITING, {**form, "reason": "We know you from elsewhere."})
    assert not User.objects.filter(pk=judy.pk).exists()
    assert "We know you from elsewhere." in str(mailoutbox[-1].body)
    assert set(User.objects.players().filter(pk__in=(heidi.pk, ivan.pk))) == {heidi, ivan}
    assert LogEntry.objects.filter(content_type__model="signup").count() == 3
    assert "wait for an account" not in client.get("/admin/").text


def test_rules_and_blocks_need_no_reason_and_wrong_values_are_explained(erin: User, client: Client) -> None:
    User.objects.filter(pk=erin.pk).update(is_superuser=True)
    client.force_login(erin)
    client.post("/admin/accounts/signuprule/add/", {"mode": "closed", "reason": ""})
    assert admission.mode() == "closed"
    form = {"kind": "network", "value": "nonsense", "reason": ""}
    add = "/admin/accounts/signupblock/add/"
    assert "Enter a network such as" in client.post(add, form).text
    client.post(add, {**form, "value": "203.0.113.7/24", "reason": " Scripts "})
    block = SignUpBlock.objects.get()
    assert (block.value, block.reason, block.by) == ("203.0.113.0/24", "Scripts", erin)
    assert client.post(add, {**form, "value": "203.0.113.9/24"}).status_code == 200, "it is there already"
    rows = "/admin/accounts/signupblock/"
    assert client.post(f"{rows}{block.pk}/change/", {**form, "value": "2001:db8::/32"}).status_code == 302
    assert SignUpBlock.objects.get().value == "2001:db8::/32"
