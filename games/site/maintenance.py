"""The page of a site under maintenance, and the site notices on all pages."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts import rights
from games.clocks.clock import Span
from games.clocks.maintenance import maintenance_at
from games.errors import UnderMaintenance
from games.news.site_notices import site_notices_at

OPEN_PATHS: Final = (
    "/accounts/login/",
    "/accounts/logout/",
    "/accounts/2fa/authenticate/",
    "/accounts/2fa/webauthn/login/",
    "/accounts/oidc/callback/",
    "/accounts/oidc/login/",
    "/admin/login/",
    "/unsubscribe/",
)
"""The beginnings of paths that work during maintenance: staff log in, and mail can be stopped."""


class MaintenanceMiddleware:
    """Answers 503 during maintenance, except to staff. Needs the person and the language of the request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        now = timezone.now()
        maintenance = maintenance_at(now)
        if (
            maintenance is None
            or request.path.startswith(OPEN_PATHS)
            or rights.belongs_to_staff(request.user)
        ):
            return self._get_response(request)
        return maintenance_page(request, maintenance, now)


def maintenance_page(request: HttpRequest, maintenance: Span, now: datetime) -> HttpResponse:
    """Return the answer during maintenance: JSON for programs, and a page with the end for people."""
    refusal = UnderMaintenance(wait=(maintenance.end - now).total_seconds())
    answer: HttpResponse
    if request.path.startswith("/api/") or request.headers.get("Accept") == "application/json":
        answer = JsonResponse(refusal.document, status=refusal.status)
    else:
        context = {"until": maintenance.end}
        answer = render(request, "site/maintenance.html", context, status=refusal.status)
    answer.headers["Retry-After"] = str(refusal.wait)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def site_context(request: HttpRequest) -> dict[str, object]:
    """Return template context for the frame of every page: site_notices, and the maintenance for staff."""
    now = timezone.now()
    return {
        "site_notices": SimpleLazyObject(lambda: site_notices_at(now)),
        "maintenance": SimpleLazyObject(lambda: maintenance_at(now)),
    }
