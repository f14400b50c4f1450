"""Pages about the service itself: help, story, who runs it, and by which terms."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import rules
from accounts.models import LOOKS
from accounts.sessions import TRACES_KEPT
from rules.drawing.robots import SILHOUETTES


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """Show one of the pages of `templates/site/service/`, with whom the settings name."""
    context = {
        "operator": settings.OPERATOR,
        "contacts": [(contact, _label(contact)) for contact in settings.CONTACT],
        "security": [(contact, _label(contact)) for contact in settings.SECURITY_CONTACT],
        "guest_days": settings.GUEST_DAYS,
        "lobby_days": settings.LOBBY_DAYS,
        "session_cookie": settings.SESSION_COOKIE_NAME,
        "csrf_cookie": settings.CSRF_COOKIE_NAME,
        "browser_cookie": settings.BROWSER_COOKIE_NAME,
        "messages_cookie": settings.MESSAGES_COOKIE_NAME,
        "traces_days": TRACES_KEPT.days,
    }
    if name == "story":
        looks = [(look, SILHOUETTES[look - 1].name) for look in range(1, LOOKS + 1)]
        context |= {"models": list(rules.MODELS.items()), "looks": looks}
    return render(request, f"site/service/{name}.html", context)


def _label(contact: str) -> str:
    """Return how an address is shown.

    >>> _label("mailto:hello@example.org"), _label("https://example.org/hello")
    ('hello@example.org', 'example.org/hello')
    """
    return contact.removeprefix("mailto:").removeprefix("tel:").removeprefix("https://")
