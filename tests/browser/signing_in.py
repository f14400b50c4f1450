"""Ways into the site for tests that are about something else."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from tests.support.site import Site


def cookie_of(person: User, site: Site) -> dict[str, str]:
    """Log somebody in, and return the cookie that says so."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    return {"name": cookie.key, "value": cookie.value, "url": site.url}


def sign_in(page: Page, person: User, site: Site) -> None:
    """Give a browser the cookie of somebody who has logged in."""
    page.context.add_cookies([cookie_of(person, site)])
