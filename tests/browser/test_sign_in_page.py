"""The login page in a real browser."""

from playwright.sync_api import Page, expect


def test_the_sign_in_page_asks_for_a_password(page: Page) -> None:
    response = page.goto("/accounts/login/")
    assert response
    assert response.ok
    expect(page.locator("input[type=password]")).to_be_visible()
