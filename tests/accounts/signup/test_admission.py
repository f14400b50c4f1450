"""The rules of sign-up: modes, invitations, blocks, approval, and the puzzle against scripts."""

import base64
import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import admission, challenges
from accounts.models import User
from accounts.sign_ups import SignUp, SignUpBlock, SignUpRule, ThrowawayDomain
from tests.support.accounts import PASSWORD, link_in, solved

pytestmark = pytest.mark.django_db

SignUpForm = Callable[..., Any]


def choose(mode: str) -> None:
    SignUpRule.objects.create(mode=mode, at=timezone.now())


def block(kind: str, value: str, **more: Any) -> None:
    value = admission.normal_block(kind, value)
    SignUpBlock.objects.create(kind=kind, value=value, made_at=timezone.now(), **more)


def errors(page: Any) -> str:
    return " ".join(str(error) for found in page.context["form"].errors.values() for error in found)


def test_the_admin_overrides_the_setting(settings: Any) -> None:
    settings.SIGN_UP = "closed"
    assert admission.mode() == "closed"
    choose("open")
    assert admission.mode() == "open"
    choose("")
    assert admission.mode() == "closed"


def test_a_closed_site_says_so_and_members_log_in(alice: User, sign_up: SignUpForm, client: Client) -> None:
    choose("closed")
    assert "Sign-up is closed at the moment." in client.get("/accounts/signup/").content.decode()
    sign_up()
    assert not User.objects.filter(robo_name="Bob").exists()
    assert client.post("/accounts/login/", {"login": "Alice", "password": PASSWORD}).status_code == 302


@pytest.mark.parametrize(
    ("mode", "says", "leads"),
    [
        ("open", "Everyone can sign up here at the moment", False),
        ("invited", "With a link, people can sign up here.", True),
        ("approved", "without waiting for staff", True),
        ("closed", "Sign-up is closed at the moment, so no one can use a link.", False),
    ],
)
def test_the_settings_lead_to_invitations_if_links_help(
    mode: str, says: str, leads: bool, signed_in: Client
) -> None:
    choose(mode)
    assert ('href="/settings/invitations/"' in signed_in.get("/settings/profile/").text) is leads
    assert ('href="/settings/invitations/"' in signed_in.get("/my-people/").text) is leads
    page = signed_in.get("/settings/invitations/").text
    assert says in page
    assert page.count("aria-current") >= 1


def test_by_invitation_a_link_admits_as_many_as_it_is_for(
    alice: User, signed_in: Client, sign_up: SignUpForm, mailoutbox: list[EmailMessage]
) -> None:
    choose("invited")
    signed_in.post("/settings/invitations/", {"most": "1"})
    [link] = admission.links_of(alice, now=timezone.now())
    bob, carol = Client(), Client()
    assert "You need an invitation" in bob.get("/accounts/signup/").content.decode()
    assert bob.get(f"/join/{link.token}/")["Location"] == "/accounts/signup/"
    carol.get(f"/join/{link.token}/")
    assert sign_up(bob).status_code == 302
    bob.post(link_in(mailoutbox[-1]))
    assert bob.get("/settings/profile/").status_code == 200
    assert SignUp.objects.get().invitation == link
    assert (
        "You need an invitation" in sign_up(carol, username="Carol", email="c@example.org").content.decode()
    )
    for ended in (link.token, f"{link.token}%00"):
        assert "This invitation has ended" in Client().get(f"/join/{ended}/").content.decode()


def test_without_an_invitation_the_mail_says_so(
    sign_up: SignUpForm, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    """The page does not reveal whether an address is invited."""
    choose("invited")
    assert (
        "Use the address at which you were invited."
        in client.get("/accounts/signup/?by-mail=1").content.decode()
    )
    page = sign_up()
    assert page["Location"] == "/accounts/confirm-email/"
    assert mailoutbox[-1].subject == "You need an invitation"
    assert "/accounts/confirm-email/" not in str(mailoutbox[-1].body)


@pytest.mark.parametrize(
    ("approved", "letter"), [(True, "Your account is ready, Bob"), (False, "not approved")]
)
def test_by_approval_staff_decide_and_the_person_hears_of_it(
    approved: bool, letter: str, sign_up: SignUpForm, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    choose("approved")
    assert "Staff look at each new account" in client.get("/accounts/signup/").content.decode()
    sign_up()
    confirmed = client.post(link_in(mailoutbox[-1]))
    assert confirmed["Location"] == "/accounts/waiting/"
    assert "Staff will look at your account" in client.get("/accounts/waiting/").content.decode()
    assert client.get("/settings/profile/").status_code == 302
    log_in = {"login": "Bob", "password": PASSWORD}
    assert client.post("/accounts/login/", log_in)["Location"] == "/accounts/waiting/"
    bob = User.objects.get(robo_name="Bob")
    assert bob not in User.objects.players()
    now = timezone.now()
    if approved:
        assert admission.approve(user_id=bob.pk, now=now)
        assert client.post("/accounts/login/", log_in)["Location"] == "/"
    else:
        assert admission.decline(user_id=bob.pk, reason="You wrote spam elsewhere.", now=now)
        assert "You wrote spam elsewhere." in str(mailoutbox[-1].body)
        assert not User.objects.filter(pk=bob.pk).exists()
    assert letter in mailoutbox[-1].subject
    assert not admission.approve(user_id=bob.pk, now=now), "it is decided once"


def test_a_sign_up_from_before_a_stricter_mode_waits_for_staff(
    sign_up: SignUpForm, client: Client, mailoutbox: list[EmailMessage]
) -> None:
    sign_up()
    choose("closed")
    assert client.post(link_in(mailoutbox[-1]))["Location"] == "/accounts/waiting/"


REFUSED = "You can’t sign up with this address."


@pytest.mark.parametrize(
    ("kind", "value", "email", "refusal"),
    [
        ("domain", "Bad.example", "bob@mail.BAD.example", REFUSED),
        ("address", "BOB@example.org", "bob@Example.org", REFUSED),
        ("domain", "Müller.example", "bob@xn--mller-kva.example", REFUSED),
        ("domain", "bad.example", "bob@notbad.example", ""),
        ("domain", "bad.example", "bob@mailinator.com", "This is a throw-away address."),
        ("allowed", "mailinator.com", "bob@mailinator.com", ""),
    ],
)
def test_blocks_of_addresses(
    kind: str, value: str, email: str, refusal: str, sign_up: SignUpForm, client: Client
) -> None:
    block(kind, value)
    page = sign_up(email=email)
    assert errors(page).startswith(refusal) if refusal else page.status_code == 302


def test_a_block_ends_and_spares_members(alice: User, signed_in: Client, sign_up: SignUpForm) -> None:
    block("domain", "example.org", ends_at=timezone.now() + timedelta(days=1))
    block("network", "127.0.0.0/8")
    assert signed_in.get("/settings/profile/").status_code == 200
    page = Client().get("/accounts/signup/").content.decode()
    assert "No new accounts from your network" in page and "/contact/" in page
    SignUpBlock.objects.update(ends_at=timezone.now())
    assert sign_up(Client()).status_code == 302


def test_networks_of_both_versions_are_blocked_and_stored_in_part() -> None:
    now = timezone.now()
    block("network", "203.0.113.77/24")
    block("network", "2001:db8::/32")
    for ip in ("203.0.113.1", "::ffff:203.0.113.9", "2001:db8:1::5"):
        assert admission.is_blocked_network(ip, now=now), ip
    for ip in ("203.0.114.1", "2001:db9::1", "0.0.0.0"):
        assert not admission.is_blocked_network(ip, now=now), ip
    user = User.objects.create_user("Bob", "bob@example.org")
    row = admission.record_sign_up(user=user, ip="2001:db8:1:2::3", token="", now=now)
    assert row.network == "2001:db8:1::"
    assert admission.forget_origins(now=now + admission.SIGN_UP_KEPT) == 3 - 2
    assert not SignUp.objects.exists()


def test_a_new_list_of_throwaway_domains_replaces_the_package(tmp_path: Path) -> None:
    now, file = timezone.now(), tmp_path / "list.txt"
    file.write_text("# new\n\nTrash.example\n")
    call_command("load_throwaway_domains", str(file))
    with pytest.raises(ValidationError):
        admission.check_address("bob@mail.trash.example", now=now)
    assert admission.check_address("bob@mailinator.com", now=now)
    for text in ("", "no domain"):
        file.write_text(text)
        with pytest.raises(CommandError):
            call_command("load_throwaway_domains", str(file))
    assert [row.domain for row in ThrowawayDomain.objects.all()] == ["trash.example"]
    call_command("load_throwaway_domains", "package")
    with pytest.raises(ValidationError):
        admission.check_address("bob@mailinator.com", now=now)


# --- The puzzle ---------------------------------------------------------------------------------------------


@pytest.fixture
def rush(settings: Any) -> Iterator[None]:
    """Many people sign up at the moment."""
    settings.SIGN_UP_RUSH = 0
    cache.clear()
    yield
    cache.clear()


def test_in_a_quiet_hour_there_is_no_puzzle(client: Client, settings: Any) -> None:
    assert "challenge" not in client.get("/accounts/signup/").context
    settings.SIGN_UP_RUSH = 1
    User.objects.create_user("Bob", "bob@example.org")
    assert not challenges.is_required(now=timezone.now())
    User.objects.create_user("Carol", "carol@example.org")
    assert challenges.is_required(now=timezone.now())
    assert not challenges.is_required(now=timezone.now() + challenges.RUSH_PERIOD)


@pytest.mark.usefixtures("rush")
def test_a_puzzle_admits_one_person_once(client: Client, sign_up: SignUpForm) -> None:
    assert "Many people are signing up right now." in errors(sign_up(Client()))
    solution = solved(client.get("/accounts/signup/").context["challenge"])
    assert sign_up(Client(), solution=solution).status_code == 302
    again = sign_up(Client(), username="Carol", email="carol@example.org", solution=solution)
    assert "Many people are signing up right now." in errors(again)


@pytest.mark.usefixtures("rush")
@pytest.mark.parametrize("change", ["form", "late", "wrong", "huge", "nonsense"])
def test_a_wrong_solution_is_refused(change: str, sign_up: SignUpForm) -> None:
    now = timezone.now() - challenges.LIFETIME * 2 if change == "late" else timezone.now()
    challenge = challenges.new_challenge("guest" if change == "form" else "sign-up", now=now)
    solution = solved(challenge)
    if change == "wrong":
        document = json.loads(base64.b64decode(solution))
        document["solution"]["derivedKey"] = "00" * 32
        solution = base64.b64encode(json.dumps(document).encode()).decode()
    solution = {"huge": "A" * 5000, "nonsense": "]"}.get(change, solution)
    assert "Many people are signing up right now." in errors(sign_up(solution=solution))


@pytest.mark.usefixtures("rush")
def test_without_scripts_a_person_waits(sign_up: SignUpForm) -> None:
    now = timezone.now()
    early = challenges.new_challenge("sign-up", now=now)
    assert "Wait 1" in errors(sign_up(ticket=early.ticket))
    ticket = challenges.new_challenge("sign-up", now=now - challenges.WAIT).ticket
    assert sign_up(ticket=ticket).status_code == 302
    again = sign_up(Client(), username="Carol", email="carol@example.org", ticket=ticket)
    assert "This form was already sent." in errors(again)


@pytest.mark.usefixtures("rush")
def test_after_an_error_a_person_without_scripts_does_not_wait_again(sign_up: SignUpForm) -> None:
    now = timezone.now()
    early = challenges.new_challenge("sign-up", now=now - timedelta(seconds=4)).ticket
    page = sign_up(ticket=early)
    assert (page.context["challenge"].ticket, page.context["challenge"].seconds) == (early, 6)
    waited = challenges.new_challenge("sign-up", now=now - challenges.WAIT).ticket
    assert sign_up(ticket=waited, email="nonsense").context["challenge"].ticket == waited
    assert sign_up(ticket=waited).status_code == 302
    again = sign_up(Client(), username="Carol", email="carol@example.org", ticket=waited)
    assert again.context["challenge"].ticket != waited, "a used ticket is replaced"


@pytest.mark.usefixtures("rush")
def test_tickets_are_few_for_a_network(sign_up: SignUpForm) -> None:
    then = timezone.now() - challenges.WAIT
    pages = []
    for number in range(challenges.TICKETS.most + 1):
        ticket = challenges.new_challenge("sign-up", now=then).ticket
        pages.append(
            sign_up(Client(), username=f"Robin{number}", email=f"b{number}@example.org", ticket=ticket)
        )
    assert [page.status_code for page in pages] == [302] * challenges.TICKETS.most + [200]
    assert "Too many people from your network" in errors(pages[-1])
