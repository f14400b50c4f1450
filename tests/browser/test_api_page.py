"""The API reference in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from games.web.reference import openapi

DOCS = "/api/v1/docs"


def test_the_reference_shows_every_call(open_page: Callable[..., Page]) -> None:
    page = open_page(java_script_enabled=False)
    page.goto(DOCS)
    expect(page.get_by_role("heading", name="The API", level=1)).to_be_visible()
    operations = [call for calls in openapi()["paths"].values() for call in calls.values()]
    expect(page.locator(".call-path")).to_have_count(len(operations))
    titles = page.evaluate(
        "names => names.map((name) => document.getElementById(name)?.textContent)",
        [operation["operationId"] for operation in operations],
    )
    assert titles == [operation["summary"] for operation in operations]
    links = page.locator("main a[href^='#']").evaluate_all("links => links.map((link) => link.hash.slice(1))")
    there = page.locator("[id]").evaluate_all("elements => elements.map((element) => element.id)")
    assert set(links) <= set(there)


def test_a_call_shows_its_parameters_and_errors(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.goto(f"{DOCS}#submit_orders")
    call = page.locator(".call", has=page.locator("#submit_orders"))
    expect(call.locator(".call-line")).to_contain_text("games/{game_id}/turns/{number}/orders")
    call.locator("summary").click()
    expect(call).to_contain_text("409")
    expect(call.locator(".example")).to_contain_text("curl -X POST http")
    call.get_by_role("link", name="Submission").click()
    expect(page.locator(".shape", has=page.locator("#shape-Submission"))).to_contain_text("registers")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_links_lead_past_calls_without_a_layout_to_their_place(open_page: Callable[..., Page]) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    page.goto(DOCS)
    last = page.locator(".shape .fields").last
    laid_out = "fields => fields.checkVisibility({contentVisibilityAuto: true})"
    assert not last.evaluate(laid_out)
    links = page.locator(".reference-nav ul ul li:last-child a")
    places = links.evaluate_all("links => links.map((link) => link.hash.slice(1))")
    for place in (places[0], places[len(places) // 2], places[-1]):
        page.goto("about:blank")
        page.goto(f"{DOCS}#{place}")
        expect(page.locator(f"[id='{place}']")).to_be_in_viewport()
        top = page.locator(f"[id='{place}']").evaluate("title => title.getBoundingClientRect().top")
        assert 0 <= top < 100
    last.scroll_into_view_if_needed()
    page.wait_for_function(laid_out, arg=last.element_handle())
