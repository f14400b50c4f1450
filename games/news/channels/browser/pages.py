"""The browsers in which someone has news shown: added, removed, and the script that shows it."""

from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from accounts.sessions import browser_of
from games.errors import ServiceError, number_in
from games.news.channels.browser.services import add_device, drop_device
from games.web.pages import for_people, user_of

WORKER: Final = Path("static", "news", "worker.js")


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Answer with the script that shows news: browsers take it for the whole site at no other place."""
    script = (settings.BASE_DIR / WORKER).read_bytes()
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@only_by_form
@login_required
@for_people
def change(request: HttpRequest) -> HttpResponse:
    """Show someone's news in the browser that asks, or no more in one of their own."""
    user, given = user_of(request), request.POST
    try:
        if "drop" in given:
            drop_device(user=user, device_id=number_in(given["drop"]) or 0)
            messages.success(request, _("That browser no longer shows notifications."))
        else:
            keys = {name: given.get(name, "") for name in ("endpoint", "p256dh", "auth")}
            agent = request.headers.get("User-Agent", "")
            add_device(user=user, **keys, agent=agent, browser=browser_of(request), now=timezone.now())
            messages.success(request, _("This browser now shows your notifications."))
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    return redirect("people:news")
