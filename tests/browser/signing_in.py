"""Ways into the site for tests that are about something else."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from accounts.models import User
from tests.support.site import Site


def sign_in(page: Page, person: User, site: Site) -> None:
    """Give a browser the cookie of somebody who has signed in."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": site.url}])
