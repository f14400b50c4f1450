"""The API reference in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

DOCS = "/api/v1/docs"
PHONE = {"width": 390, "height": 844}


def test_the_overview_of_a_phone_is_short_and_leads_to_a_call(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport=PHONE, java_script_enabled=False)
    page.goto(DOCS)
    expect(page.get_by_role("heading", name="The API", level=1)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 4000
    page.locator("#turns summary").click()
    page.locator("#turns").get_by_role("link", name="Submit orders").click()
    expect(page.get_by_role("heading", name="Submit orders")).to_be_in_viewport()
    assert page.url.endswith(f"{DOCS}/turns#submit_orders")
    assert page.evaluate("document.documentElement.scrollHeight") < 10_000
    page.locator(".reference-nav").get_by_role("link", name="The API").click()
    expect(page.get_by_role("heading", name="The API", level=1)).to_be_visible()


def test_the_login_in_the_head_of_a_small_phone_is_large_enough(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 320, "height": 700})
    page.goto(DOCS)
    box = page.locator(".site-account").get_by_role("link", name="Log in").bounding_box()
    assert box
    assert min(box["width"], box["height"]) >= 24


def test_a_call_shows_its_parameters_and_errors(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{DOCS}/turns#submit_orders")
    call = page.locator(".call", has=page.locator("#submit_orders"))
    expect(call.locator(".call-line")).to_contain_text("games/{game_id}/turns/{number}/orders")
    call.locator("summary").click()
    expect(call).to_contain_text("409")
    expect(call.locator(".example")).to_contain_text("curl -X POST http")
    call.get_by_role("link", name="Submission").click()
    expect(page.locator("#shape-Submission")).to_contain_text("registers")
    expect(page.locator("#shape-Submission")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("fragment", "part"),
    [("submit_orders", "turns"), ("shape-Submission", "turns"), ("shape-Error", "shapes")],
)
def test_old_links_into_the_whole_reference_lead_to_the_part(
    open_page: Callable[..., Page], fragment: str, part: str
) -> None:
    page = open_page(viewport=PHONE)
    page.goto(f"{DOCS}#{fragment}")
    page.wait_for_url(f"**{DOCS}/{part}#{fragment}")
    expect(page.locator(f"[id='{fragment}']")).to_be_in_viewport()


def test_an_old_link_without_scripts_leads_to_the_name_of_the_call(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(f"{DOCS}#submit_orders")
    expect(page.get_by_role("link", name="Submit orders", exact=True)).to_be_in_viewport()
