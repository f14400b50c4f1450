"""Middleware for people: sessions, limits, time zones, languages and logins."""

from collections.abc import Callable
from time import thread_time
from typing import Any, Final
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _

from accounts import guests, limits
from accounts.backend import WAIT
from accounts.languages import as_read_in, note_language
from accounts.navigation import is_on_this_site
from accounts.rights import lacks_second_factor
from accounts.sessions import extend_session, set_browser_cookie

ENTRANCES: Final = frozenset(
    {
        "account_login",
        "account_signup",
        "account_confirm_email",
        "account_provider_callback",
        "account_provider_login",
        "account_provider_signup",
        "mfa_authenticate",
        "mfa_login_webauthn",
    }
)
"""The login and sign-up views. On their pages, a guest counts as a person who is not logged in."""

FOR_PEOPLE: Final = frozenset(
    {
        "accounts:profile",
        "account_email",
        "account_change_password",
        "account_set_password",
        "account_provider",
        "account_provider_reauthenticate",
        "account_provider_unlink",
        "account_reauthenticate",
        "accounts:end_session",
        "accounts:invitations",
        "accounts:end_invitation",
        "usersessions_list",
    }
)
"""Views of pages that require an account, in addition to all views of second factors."""

SECOND_FACTORS: Final = "mfa_"


class PersonMiddleware:
    """Ends old sessions, applies rate limits, and sets the reader's time zone and language.

    It also keeps guests from pages that require an account, and staff without a second factor from staff
    pages. The services, not this class, limit the actions of guests in games.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, or answer 429 if the requester has sent too many requests.

        The API counts its own requests, because it also recognises requesters by token. Slow answers cost
        extra, both of pages and of the API.
        """
        began = thread_time()
        extend_session(request)
        wait = 0
        limit = limits.READS if request.method in limits.SAFE_METHODS else limits.WRITES
        if not request.path.startswith("/api/"):
            wait = limits.consume(limit, limits.requester_of(request))
        with as_read_in(request):
            response = limits.too_many_requests(request, wait) if wait else self.get_response(request)
            note_language(request, response)
        if not wait:
            limits.charge(limit, limits.requester_of(request), thread_time() - began)
        if token := getattr(request, "browser_token", ""):
            set_browser_cookie(response=response, token=token)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if request.user.is_authenticated and is_page and "Cache-Control" not in response.headers:
            patch_cache_control(response, private=True, no_store=True)  # so that it is gone after logging out
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: object, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Treat guests as not logged in on login pages, and refuse pages that the person may not open.

        Guests may not open pages that require an account. Staff may not open staff pages without a second
        factor.
        """
        found = request.resolver_match
        name = found.view_name if found else ""
        if name in ENTRANCES and guests.is_guest(request.user):
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        elif (name in FOR_PEOPLE or name.startswith(SECOND_FACTORS)) and guests.is_guest(request.user):
            return guests.accounts_only_page(request)
        elif found and found.app_name == "admin" and lacks_second_factor(request.user):
            messages.warning(request, _("Staff pages need a second factor. Set one up first."))
            return redirect("mfa_index")
        return None

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        """Set the status of a page to 429 if its form was refused after too many attempts.

        Programs that fill in the form recognise the refusal by this status.
        """
        form = (response.context_data or {}).get("form")
        if isinstance(form, BaseForm) and form.is_bound and _too_often(form):
            response.status_code = 429
            response.headers["Retry-After"] = str(WAIT)
        return response


def explain_login(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    """Explain on the login page that a form was not saved because the person is not logged in.

    After the login, the person returns to the page on which they filled in the form.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method in limits.SAFE_METHODS or response.status_code != 302:
            return response
        own, there = redirect_to_login(request.get_full_path()).url, response.headers["Location"]
        if there.partition("=")[0] != own.partition("=")[0]:
            return response
        messages.warning(request, _("Nothing was saved. Log in, then try again."))
        if there == own and (page := _page_before(request)):
            response.headers["Location"] = redirect_to_login(page).url
        return response

    return answer


def _page_before(request: HttpRequest) -> str:
    """Return the path and query of the request's ``Referer``, or "" if that page is on another site."""
    before = request.headers.get("Referer", "")
    if not is_on_this_site(request, before):
        return ""
    parts = urlsplit(before)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def _too_often(form: BaseForm) -> bool:
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    return bool(codes & {"too_many_login_attempts", "rate_limited"})
