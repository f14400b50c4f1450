"""Tokens of the API, for their owner: listed, made and shown once, revoked."""

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.navigation import only_by_form
from games.errors import ServiceError, number_in
from games.tokens.models import LIFETIME, LONGEST_NAME
from games.tokens.selectors import tokens_of
from games.tokens.services import LONGEST, MOST, make_token, revoke_own_token, revoke_tokens
from games.web.pages import for_people, hides_what_is_not_there, user_of

LIFETIMES = (30, LIFETIME, 180, LONGEST)
"""For how many days a token can be made on the page; programs may ask for any number up to the last."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the caller's tokens; make another one, which the answer alone has in it."""
    if request.method != "POST":
        return _page(request)
    name, days = request.POST.get("name", ""), request.POST.get("days", str(LIFETIME))
    try:
        good = number_in(days, digits=4) or 0
        made = make_token(user=user_of(request), name=name, days=good, now=timezone.now())
    except ServiceError as refusal:
        return _page(request, refusal=refusal, name=name)
    return _page(request, made=made)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
@reauthentication_required  # type: ignore[untyped-decorator]
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    """Make one of the caller's tokens worthless."""
    revoke_own_token(user=user_of(request), token_id=token_id)
    messages.success(request, _("That token opens nothing any more."))
    return redirect("people:tokens")


@only_by_form
@login_required
@for_people
@reauthentication_required  # type: ignore[untyped-decorator]
def revoke_all(request: HttpRequest) -> HttpResponse:
    """Make all of the caller's tokens worthless."""
    revoke_tokens(user=user_of(request))
    messages.success(request, _("None of your tokens opens anything any more."))
    return redirect("people:tokens")


def _page(
    request: HttpRequest, *, made: str = "", refusal: ServiceError | None = None, name: str = ""
) -> HttpResponse:
    """Answer with the page; with the token that was ``made``, or what was refused and the name typed."""
    context = {
        "tokens": tokens_of(user=user_of(request)),
        "made": made,
        "refusal": refusal,
        "name": name,
        "longest": LONGEST_NAME,
        "most": MOST,
        "lifetimes": LIFETIMES,
        "lifetime": LIFETIME,
    }
    return render(request, "tokens/tokens.html", context, status=refusal.status if refusal else 200)
