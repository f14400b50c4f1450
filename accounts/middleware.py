"""Shows times as the reader's clocks do, ends old sessions, keeps everybody within limits,
guests to what is for them, and staff to a second factor."""

from collections.abc import Callable
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone

from accounts import guests, limits
from accounts.login.credentials import WAIT
from accounts.second_factor.services import is_set_up
from accounts.sessions.services import keep
from accounts.time_zones import zone_of
from accounts.users.models import User

ENTRANCES: Final = frozenset(
    {
        "account_login",
        "account_signup",
        "account_confirm_email",
        "mfa_authenticate",
        "mfa_login_webauthn",
    }
)
"""Pages on which a guest is a stranger, who may come in."""

FOR_PEOPLE: Final = frozenset(
    {
        "accounts:profile",
        "account_email",
        "account_change_password",
        "account_set_password",
        "account_reauthenticate",
        "accounts:end_session",
        "usersessions_list",
    }
)
"""Pages about what only an account has, as those of second factors are, too."""

SECOND_FACTORS: Final = "mfa_"


class TimeZoneMiddleware:
    """Turns the times of a page into the time zone of the person who reads it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request` in its reader's time zone, or in the site's for a stranger."""
        with timezone.override(_zone(request)):
            return self.get_response(request)


def _zone(request: HttpRequest) -> ZoneInfo | None:
    if not request.user.is_authenticated:
        return None
    return zone_of(request.user.time_zone)


class SessionMiddleware:
    """Ends sessions that are worn out, and notes that the others are in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request`, as a stranger's where its session is too old."""
        keep(request)
        return self.get_response(request)


class LimitMiddleware:
    """Answers no one more pages than they may have; the API, which knows tokens, sees to this itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request`, unless there were too many."""
        limit = limits.READS if request.method in limits.SAFE else limits.WRITES
        if not request.path.startswith("/api/") and (wait := limits.take(limit, limits.who(request))):
            return limits.too_many(request, wait)
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        """Say to programs, too, when a form was refused for having been sent too often."""
        form = (response.context_data or {}).get("form")
        if isinstance(form, BaseForm) and form.is_bound and _too_often(form):
            response.status_code = 429
            response.headers["Retry-After"] = str(WAIT)
        return response


def _too_often(form: BaseForm) -> bool:
    codes = {error.code for errors in form.errors.as_data().values() for error in errors}
    return bool(codes & {"too_many_login_attempts", "rate_limited"})


class StaffMiddleware:
    """Shows staff's pages to no one by a password alone, where the site asks for a second factor there."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request`."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Lead staff without a second factor to where they set one up."""
        found = request.resolver_match
        if not settings.STAFF_SECOND_FACTOR or not found or found.app_name != "admin":
            return None
        user = request.user
        if not isinstance(user, User) or not user.is_staff or is_set_up(user):
            return None
        messages.warning(request, "The pages of staff take a second factor: set one up first.")
        return redirect("mfa_index")


class GuestMiddleware:
    """Lets guests in by the entrances, as which they would else be turned away, and nowhere beyond.

    What guests may do to games is for the services to say.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer `request`."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, more: dict[str, Any]
    ) -> HttpResponse | None:
        """Make a guest a stranger on the entrances; refuse the pages that are for people."""
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in ENTRANCES and guests.is_guest(request.user):
            request.guest = request.user  # type: ignore[attr-defined]
            request.user = AnonymousUser()
        elif (name in FOR_PEOPLE or name.startswith(SECOND_FACTORS)) and guests.is_guest(request.user):
            return guests.refuse(request)
        return None
