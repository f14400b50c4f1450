"""Someone's webhook: set, tried out, and removed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.navigation import only_by_form
from games.errors import ServiceError
from games.news.channels.webhook.services import drop_webhook, renew_secret, set_webhook, try_webhook
from games.news.pages.settings import news_page
from games.web.pages import for_people, user_of


@only_by_form
@login_required
@for_people
def change(request: HttpRequest) -> HttpResponse:
    """Do what was asked to someone's webhook; what cannot be done is told on the page."""
    deed = DEEDS.get(request.POST.get("do", ""), _set)
    try:
        said = deed(request, user_of(request), timezone.now())
    except ServiceError as refusal:
        typed: dict[str, Any] = {"webhook_url": request.POST["url"]} if "url" in request.POST else {}
        return news_page(request, refusal=refusal, **typed)
    messages.success(request, said)
    return redirect("people:news")


def _set(request: HttpRequest, user: User, now: datetime) -> str:
    set_webhook(user=user, url=request.POST.get("url", ""), now=now)
    return _("Your notifications will go to this address. Send a test to see whether they arrive.")


def _test(request: HttpRequest, user: User, now: datetime) -> str:
    try_webhook(user=user, now=now)
    return _("The test arrived.")


def _renew(request: HttpRequest, user: User, now: datetime) -> str:
    renew_secret(user=user)
    return _("From now on your notifications are signed with the new secret.")


def _drop(request: HttpRequest, user: User, now: datetime) -> str:
    drop_webhook(user=user)
    return _("Your webhook is removed. It gets no more notifications.")


Deed = Callable[[HttpRequest, User, datetime], str]

DEEDS: Final[dict[str, Deed]] = {"set": _set, "test": _test, "renew": _renew, "drop": _drop}
