"""The profile settings."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from accounts.settings import change_preferences
from tests.support.accounts import PASSWORD, link_in

pytestmark = pytest.mark.django_db

FORM = {
    "time_zone": "UTC",
    "shows_name": "everybody",
    "shows_games": "everybody",
    "shows_history": "everybody",
    "shows_statistics": "everybody",
    "shows_achievements": "everybody",
    "shows_accuracy": "nobody",
}
"""The profile form with unchanged values and without a favourite robot."""


TABS = ("", "profile/", "time/", "standing/", "news/", "data/")


def test_one_menu_entry_leads_to_all_settings(alice: User, signed_in: Client) -> None:
    front = signed_in.get("/").content.decode()
    menu = front.partition('class="site-account"')[2].partition("</ul>")[0]
    assert re.findall(r'href="(/settings/[^"]*)"', menu) == ["/settings/"]
    for tab in TABS:
        page = signed_in.get(f"/settings/{tab}").content.decode()
        tabs = page.partition('<nav class="tabs" aria-label="Settings">')[2].partition("</nav>")[0]
        links = re.findall(r'href="([^"]+)"( aria-current="page")?', tabs)
        assert [link for link, current in links if current] == [f"/settings/{tab}"]
        assert {f"/settings/{other}" for other in TABS} < {link for link, _ in links}


def test_strangers_and_guests_see_the_settings_of_their_browser_without_tabs(client: Client) -> None:
    page = client.get("/settings/").content.decode()
    assert "<h1>Display and sound</h1>" in page and 'aria-label="Settings"' not in page


def test_a_profile_is_saved(alice: User, signed_in: Client) -> None:
    page = signed_in.post("/settings/profile/", {**FORM, "time_zone": "Asia/Tokyo"}, follow=True)
    assert b"Your profile is saved." in page.content
    alice.refresh_from_db()
    assert alice.time_zone == "Asia/Tokyo"


def test_an_unknown_time_zone_is_refused(alice: User, signed_in: Client) -> None:
    page = signed_in.post("/settings/profile/", {**FORM, "time_zone": "Mars/Base"})
    assert "Mars/Base is not a time zone. Choose one from the list." in page.content.decode()
    alice.refresh_from_db()
    assert alice.time_zone == "UTC"


def test_a_favourite_robot_is_stored_and_removed_again(alice: User, signed_in: Client) -> None:
    signed_in.post("/settings/profile/", {**FORM, "look": "5"})
    alice.refresh_from_db()
    assert alice.look == 5
    signed_in.post("/settings/profile/", {**FORM, "look": ""})
    alice.refresh_from_db()
    assert alice.look is None


def test_a_ninth_robot_and_an_unknown_audience_are_refused(alice: User, signed_in: Client) -> None:
    page = signed_in.post("/settings/profile/", {**FORM, "look": "9", "shows_games": "aliens"})
    assert "There is no robot 9. Choose a robot from 1 to 8." in page.content.decode()
    assert b"aliens is not one of the available choices" in page.content
    alice.refresh_from_db()
    assert (alice.look, alice.shows_games) == (None, "everybody")


def test_each_part_of_a_profile_has_its_own_audience(alice: User, signed_in: Client) -> None:
    names = [name for name in FORM if name.startswith("shows_")]
    for chosen in names:
        signed_in.post("/settings/profile/", {**FORM, chosen: "players"})
        alice.refresh_from_db()
        kept = {name: getattr(alice, name) for name in names}
        assert kept == {name: FORM[name] for name in names} | {chosen: "players"}


def test_saved_choices_are_preselected(alice: User, signed_in: Client) -> None:
    User.objects.update(look=3, shows_history="players")
    page = signed_in.get("/settings/profile/").content.decode()
    for name, value in (("look", "3"), ("shows_history", "players"), ("shows_games", "everybody")):
        assert re.search(rf'<input type="radio" name="{name}" value="{value}"[^>]* checked', page), name
    assert len(re.findall(r'<input type="radio" name="look"', page)) == 9, "eight robots, or any"


def test_a_service_refuses_an_unknown_preference(alice: User) -> None:
    with pytest.raises(KeyError):
        change_preferences(user=alice, is_staff=True)
    with pytest.raises(ValidationError):
        change_preferences(user=alice, look=9)
    with pytest.raises(ValidationError):
        change_preferences(user=alice, shows_games="aliens")
    alice.refresh_from_db()
    assert (alice.look, alice.shows_games, alice.is_staff) == (None, "everybody", False)


def test_the_robo_name_never_changes(alice: User, signed_in: Client) -> None:
    signed_in.post("/settings/profile/", {**FORM, "robo_name": "Mallory", "is_staff": "on"})
    alice.refresh_from_db()
    assert (alice.robo_name, alice.is_staff) == ("Alice", False)


def test_a_time_zone_dropped_by_iana_breaks_no_page(alice: User, signed_in: Client) -> None:
    User.objects.update(time_zone="Europe/Atlantis")
    assert signed_in.get("/settings/profile/").status_code == 200


def test_changing_the_password_requires_the_old_one(
    alice: User, signed_in: Client, mailoutbox: list[EmailMessage]
) -> None:
    form = {"oldpassword": "wrong", "password1": "quite-another-7", "password2": "quite-another-7"}
    page = signed_in.post("/accounts/password/change/", form)
    assert b"This is not your current password." in page.content
    page = signed_in.post("/accounts/password/change/", form | {"oldpassword": PASSWORD}, follow=True)
    assert b"Your password is changed." in page.content
    assert [mail.subject for mail in mailoutbox] == ["Your password was changed"]
    alice.refresh_from_db()
    assert alice.check_password("quite-another-7")


def ask_for_address(browser: Client, email: str) -> HttpResponse:
    """Send the form for a new email address, and confirm the password."""
    asked = browser.post("/accounts/email/", {"email": email, "action_add": ""}, follow=True)
    assert asked.redirect_chain[0][0].startswith("/accounts/reauthenticate/"), "not without the password"
    assert b"enter your password again" in asked.content
    form = {"password": PASSWORD, "next": "/accounts/email/"}
    return browser.post("/accounts/reauthenticate/", form)


def test_a_new_address_takes_over_once_confirmed(
    alice: User, signed_in: Client, mailoutbox: list[EmailMessage]
) -> None:
    ask_for_address(signed_in, "New@example.org")
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert mailoutbox[0].to == ["new@example.org"]
    assert b"Not confirmed yet" in signed_in.get("/accounts/email/").content
    signed_in.post(link_in(mailoutbox[0]))
    alice.refresh_from_db()
    assert alice.email == "new@example.org"
    assert EmailAddress.objects.get().email == "new@example.org"
    assert mailoutbox[1].to == ["alice@example.org"], "the old address is told"
    assert mailoutbox[1].subject == "Your address was changed"


def test_a_change_of_address_can_be_cancelled(alice: User, signed_in: Client) -> None:
    ask_for_address(signed_in, "new@example.org")
    assert EmailAddress.objects.count() == 2
    signed_in.post("/accounts/email/", {"email": "new@example.org", "action_remove": ""})
    assert EmailAddress.objects.get().email == "alice@example.org"


def test_another_account_s_address_cannot_be_taken(
    alice: User, signed_in: Client, mailoutbox: list[EmailMessage]
) -> None:
    User.objects.create_user("Bob", "bob@example.org", PASSWORD)  # has not confirmed it yet
    page = ask_for_address(signed_in, "bob@example.org")
    assert page.status_code == 302, "nobody learns by this that Bob has an account"
    page = signed_in.post(link_in(mailoutbox[0]), follow=True)
    assert "Another account already uses bob@example.org" in page.content.decode()
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"


def test_the_address_stays_without_the_password(alice: User, signed_in: Client) -> None:
    signed_in.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})
    page = signed_in.post("/accounts/reauthenticate/", {"password": "guess", "next": "/accounts/email/"})
    assert b"This is not your password." in page.content
    assert EmailAddress.objects.get().email == "alice@example.org"
