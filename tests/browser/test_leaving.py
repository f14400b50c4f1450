"""Deleting an account on the page My data."""

from collections.abc import Callable
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.services import placeholder_of
from games.people.models import Deletion
from games.people.services.deletion import erase
from tests.browser.signing_in import sign_in
from tests.browser.waiting import hears
from tests.cast import password_of
from tests.games.support import Table
from tests.support.site import Site

OpenPage = Callable[..., Page]


def test_an_account_is_deleted_from_click_to_end(
    open_page: OpenPage, people: tuple[User, User], site: Site, table: Table
) -> None:
    alice, bob = people
    game = table.game(alice, bob, now=timezone.now())
    table.play(game, alice, bob, now=timezone.now())
    page, phone, bobs = open_page(), open_page(), open_page()
    for each, person in ((page, alice), (phone, alice), (bobs, bob)):
        sign_in(each, person, site)
    bobs.goto(game.get_absolute_url())
    hears(bobs)
    phone.goto("/my-room/")

    page.goto("/settings/profile/")
    page.get_by_role("link", name="My data").click()
    page.get_by_role("link", name="Delete my account …").click()
    page.get_by_role("link", name="Keep my account").click()
    page.get_by_role("link", name="Delete my account …").click()
    expect(page.get_by_role("heading", name="Delete my account", level=1)).to_be_visible()
    expect(page.get_by_text("1 running game")).to_be_visible()

    gone = page.get_by_role("button", name="Delete my account for good")
    page.get_by_label("Your Robo Name").fill("Bob")
    gone.click()
    expect(page.get_by_role("heading", name="Confirm it’s you")).to_be_visible()
    page.get_by_label("Password").fill(password_of("Alice"))
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not your Robo Name. Enter “Alice”.")
    assert not Deletion.objects.exists()
    page.get_by_label("Your Robo Name").fill("alice")
    gone.click()
    expect(page.get_by_text("Your account was deleted.")).to_be_visible()
    expect(page).to_have_url(f"{site.url}/")
    expect(page.get_by_role("banner").get_by_role("link", name="Log in")).to_be_visible()

    # She cannot get in: neither on a logged-in device nor with her password.
    phone.reload()
    expect(phone.get_by_role("heading", name="Log in", exact=True)).to_be_visible()
    phone.get_by_label("Robo Name or email address").fill("Alice")
    phone.get_by_label("Password").fill(password_of("Alice"))
    phone.get_by_role("button", name="Log in", exact=True).click()
    expect(phone.get_by_role("alert")).to_be_visible()

    # After a worker has erased her, other players see it.
    deletion = Deletion.objects.get()
    erase(deletion_id=deletion.pk, now=timezone.now())
    placeholder = placeholder_of(alice)
    crew = bobs.locator("[data-part=crew]")
    expect(crew).to_contain_text(placeholder)
    expect(crew).not_to_contain_text("Alice")
    assert erase(deletion_id=deletion.pk, now=timezone.now() + timedelta(minutes=5))
    bobs.goto("/players/Alice/")
    expect(bobs.get_by_role("heading", level=1)).not_to_contain_text("Alice")
