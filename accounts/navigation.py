"""The current page, the page to return to after a login, and the context of templates.

A page names its own address as ``next`` in its links to log in and sign up. ``next`` is then passed on in
addresses, in forms, and in the confirmation link that is mailed, so it works in any browser.
"""

import json
from collections.abc import Callable
from contextlib import nullcontext
from functools import wraps
from typing import Any, Final, TypeVar, cast
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import admission
from accounts.inputs import PageSettingsForm
from accounts.languages import as_read_by, note_language
from accounts.models import User
from accounts.services import waiting_sign_up
from accounts.settings import settings_of
from accounts.sign_ups import SignUpMode

View = TypeVar("View", bound=Callable[..., HttpResponse])

Page = Callable[..., HttpResponse]

NEXT: Final = "next"

MAX_NEXT_LENGTH: Final = 1000
"""The maximum length of an address in ``next``, in characters. Longer addresses are dropped."""

_LOGIN_PAGES: Final = ("account_", "mfa_", "usersessions_")
"""Name prefixes of login views. No one returns to these views after a login."""

_HOME: Final = "pages:home"
"""The view of the page that people reach after a login if there is no ``next``."""


def next_url_of(request: HttpRequest) -> str:
    """Return the address given as ``next`` in a request, or "" if it is too long or not on this site."""
    there = request.POST.get(NEXT) or request.GET.get(NEXT) or ""
    return there if is_on_this_site(request, there) and len(there) <= MAX_NEXT_LENGTH else ""


def is_on_this_site(request: HttpRequest, address: str) -> bool:
    """Return whether an address is on the host of this request."""
    return url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure())


def page_to_return_to(request: HttpRequest, *, address: str, name: str, is_page: bool) -> str:
    """Return the page to return to after a login, or an empty string.

    ``address`` and ``name`` are the address of the current page and the name of its view. If the current page
    is a login page, returns that page's own ``next``. ``is_page`` says whether a link can open the address.
    """
    if name.startswith(_LOGIN_PAGES):
        return next_url_of(request)
    if not is_page or not name or name == _HOME or len(address) > MAX_NEXT_LENGTH:
        return ""
    return address


def reverse_with_next(view: str, next_url: str) -> str:
    """Return the address of a login view, with ``next_url`` as ``next`` unless it is empty."""
    return with_next(reverse(view), next_url)


def with_next(address: str, next_url: str) -> str:
    """Add ``next`` to the address of a login page, unless ``next_url`` is empty."""
    return f"{address}?{urlencode({NEXT: next_url})}" if next_url else address


def post_only(view: View) -> View:
    """Restrict a view to POST. Redirect a GET or HEAD to `parent_url`.

    Browsers send a GET when people reload a page, go back or use a bookmark. Other methods get 405.
    """
    post = require_POST(view)

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return redirect(parent_url(request))
        return post(request, *args, **more)

    answer.post_only = True  # type: ignore[attr-defined]
    return cast("View", answer)


def mail_link_page(
    find: Callable[[str], Any], *, unknown: str = "account/unsubscribe_unknown.html"
) -> Callable[[Callable[..., HttpResponse]], Page]:
    """Declare a view as the page behind a signed link in mail.

    ``find`` takes the link's token and returns the link's subject, such as a person, or None if the
    signature is wrong. In that case, the page shows the template ``unknown``. The view gets the result of
    ``find``. Mail programs send a POST without a cookie, so the signature replaces CSRF protection. If the
    reader has an account, the page is in the account's language.
    """

    def declare(view: Callable[..., HttpResponse]) -> Page:
        @csrf_exempt
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(view)
        def page(request: HttpRequest, mark: str) -> HttpResponse:
            if (found := find(mark)) is None:
                return render(request, unknown, status=404)
            reader = found if isinstance(found, User) else getattr(found, "user", None)
            with as_read_by(reader) if reader else nullcontext():
                response = view(request, found)
                note_language(request, response)
            return response

        return page

    return declare


def parent_url(request: HttpRequest) -> str:
    """Return the address of the nearest page above the request's path, with the same query."""
    path = request.path
    while path != "/":
        path = path[: path.rstrip("/").rindex("/") + 1]
        try:
            view = resolve(path).func
        except Resolver404:
            continue
        if not hasattr(view, "post_only"):
            break
    query = request.META.get("QUERY_STRING", "")
    return f"{path}?{query}" if query else path


def reader_settings(request: HttpRequest) -> dict[str, object]:
    """Return template context: the reader's settings, as values, as JSON and as a form.

    Strangers get the default settings. ``sign_up_waits`` is this browser's unconfirmed sign-up, or None if
    there is none.
    """
    user = getattr(request, "user", None)
    person = user if isinstance(user, User) else None
    first = settings_of(User())
    values = settings_of(person) if person else first
    document = {
        "person": person.pk if person else None,
        "fresh": person is not None and values == first,
        "address": reverse("accounts:settings"),
        "values": values,
    }
    return {
        "reader_settings": values,
        "settings_document": json.dumps(document),
        "sign_up_waits": SimpleLazyObject(lambda: _sign_up_in(request)),
        "settings_form": SimpleLazyObject(lambda: PageSettingsForm(instance=person, auto_id="setting-%s")),
    }


def shown_page(request: HttpRequest) -> tuple[str, str]:
    """Return the address and name of the page that the answer to a request belongs to (`show_as`)."""
    match = request.resolver_match
    own = request.get_full_path(), match.view_name if match else ""
    shown: tuple[str, str] = getattr(request, "shown_as", own)
    return shown


def page_context(request: HttpRequest) -> dict[str, object]:
    """Return template context: the page's address and name, and links to log in from the page.

    `login_url`, `signup_url`, `confirm_url` and `reset_url` lead back to the page. `login_provider` is the
    provider of single sign-on, or None. `links_admit` is True if an invitation link helps people to sign up.
    Templates must use these values instead of the request: fragments and answers to forms have other
    addresses than their page (`show_as`).
    """
    address, name = shown_page(request)
    is_page = hasattr(request, "shown_as") or request.method in {"GET", "HEAD"}
    back = page_to_return_to(request, address=address, name=name, is_page=is_page)
    provider = settings.OIDC
    return {
        "page_address": address,
        "page_name": name,
        "links_admit": SimpleLazyObject(_links_admit),
        "login_provider": {"name": provider.name, "only": provider.only} if provider else None,
        "login_url": reverse_with_next("account_login", back),
        "signup_url": reverse_with_next("account_signup", back),
        "confirm_url": reverse_with_next("account_email_verification_sent", back),
        "reset_url": reverse_with_next("account_reset_password", back),
    }


def _links_admit() -> bool:
    return admission.mode() in (SignUpMode.INVITED, SignUpMode.APPROVED)


def show_as(request: HttpRequest, view: str, *values: object, query: str | None = None) -> None:
    """Declare that the answer to a request belongs to the page of ``view``, so that links lead back there.

    ``query`` is the query in the page's address. If it is None, a request for that page
    itself keeps its own query, and for other requests the address has no query.
    """
    path = reverse(view, args=values)
    if query is not None or request.path != path:
        request.shown_as = (path + (query or ""), view)  # type: ignore[attr-defined]


def _sign_up_in(request: HttpRequest) -> User | None:
    return waiting_sign_up(request) if hasattr(request, "session") else None
