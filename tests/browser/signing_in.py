"""Quick logins for tests that are not about logging in."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from tests.support.site import Site


def cookie_of(person: User, site: Site) -> dict[str, str]:
    """Log a person in without a page. Return the session cookie for Playwright."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    return {"name": cookie.key, "value": cookie.value, "url": site.url}


def sign_in(page: Page, person: User, site: Site) -> None:
    """Log a person in on a page, by setting the session cookie."""
    page.context.add_cookies([cookie_of(person, site)])
