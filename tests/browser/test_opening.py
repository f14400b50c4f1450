"""Pages that several tests reuse are clean at the start of each test."""

from playwright.sync_api import Browser, Page

from tests.browser.opening import Kept
from tests.support.site import Site

STORE = "() => { localStorage.mark = sessionStorage.mark = name = document.cookie = 'mark=1'; }"
STORED = "[localStorage.mark, sessionStorage.mark, name, document.cookie].map((each) => each ?? '')"


def test_a_page_used_again_is_clean(chromium: Browser, site: Site) -> None:
    kept = Kept(chromium, site.url)

    def leave_marks() -> Page:
        with kept.opening() as open_page:
            page = open_page()
            size = page.viewport_size
            page.goto("/rules/")
            assert page.evaluate(STORED) == [""] * 4
            page.evaluate(STORE)
            assert page.evaluate(STORED) == ["mark=1"] * 4
            page.set_viewport_size({"width": 390, "height": 844})
        assert page.viewport_size == size
        return page

    page = leave_marks()
    assert leave_marks() is page
    kept.close()


def test_a_page_that_cannot_be_cleaned_is_not_used_again(chromium: Browser, site: Site) -> None:
    kept = Kept(chromium, site.url)
    opened = []
    for mark in (
        lambda page: page.add_init_script("globalThis.marked = true"),
        lambda page: page.context.new_page(),
        lambda page: None,
        lambda page: None,
    ):
        with kept.opening() as open_page:
            opened.append(open_page())
            mark(opened[-1])
    kept.close()
    assert len({id(page) for page in opened}) == 3
    assert opened[2] is opened[3]
