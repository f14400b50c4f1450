"""The page that shows the API."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from games.api.views.document import openapi
from tests import cast

DOCS = "/api/v1/docs"


def send(page: Page, call: str) -> Locator:
    """Try a call of the reference with its example; return where the status will stand."""
    block = page.locator(".opblock").filter(has=page.get_by_text(call, exact=True))
    block.locator(".opblock-summary-control").click()
    block.get_by_role("button", name="Try it out").click()
    block.get_by_role("button", name="Execute").click()
    return block.locator(".live-responses-table tbody .response-col_status").first


def test_the_reference_shows_every_call(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(DOCS)
    expect(page.get_by_role("heading", name="Robo Runner")).to_be_visible()
    count = sum(len(operations) for operations in openapi()["paths"].values())
    expect(page.locator(".opblock")).to_have_count(count)


def test_a_stranger_who_tries_a_call_is_asked_for_a_token(open_page: Callable[..., Page]) -> None:
    page = open_page()
    page.goto(DOCS)
    expect(send(page, "List the rulesets")).to_contain_text("401")


def test_who_is_signed_in_may_write(open_page: Callable[..., Page]) -> None:
    alice: User = cast.alice()
    page = open_page()
    page.goto(f"/accounts/login/?next={DOCS}")
    page.get_by_label("Robo Name or email address").fill(alice.robo_name)
    page.get_by_label("Password", exact=True).fill(cast.password_of(alice.robo_name))
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{DOCS}")
    status = send(page, "Create a game")
    expect(status).to_contain_text("404")  # past the guards, and no starship is there
