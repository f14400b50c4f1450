"""The link of a draft: its builder makes it and takes it back, and everyone who has it looks at the ship."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests, limits
from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, sign_in_first, user_of
from games.shipyard.drawings import faults_in, size_of, sketch_of
from games.shipyard.pages.drafts import SHOWN, WIDE, file_of, title_of
from games.shipyard.pages.pictures import drawing_with_marks
from games.shipyard.selectors import draft_for, problems_in, suiting
from games.shipyard.services.drafts import create_draft
from games.shipyard.services.links import drop_link, make_link
from games.shipyard.sharing import UNSEARCHED, shared_draft
from rules.sketch import aligned

View = TypeVar("View", bound=Callable[..., HttpResponse])


def unsearched(view: View) -> View:
    """Keep what is at a secret address out of search engines."""

    @wraps(view)
    def answer(*args: Any, **more: Any) -> HttpResponse:
        response = view(*args, **more)
        response.headers.setdefault(*UNSEARCHED)
        return response

    return cast("View", answer)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def share(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show the link of a draft; on POST make one, another one, or take it back."""
    user = user_of(request)
    draft = draft_for(viewer=user, draft_id=draft_id)
    if request.method != "POST":
        address = _address(request, draft.link_token) if draft.link_token else ""
        context = {"draft": draft, "title": title_of(draft), "address": address}
        return render(request, "shipyard/share.html", context)
    if request.POST.get("do") == "drop":
        drop_link(user=user, draft_id=draft_id)
        messages.success(request, _("The link is taken back. It opens nothing any more."))
    else:
        try:
            make_link(user=user, draft_id=draft_id, now=timezone.now())
        except ServiceError as refusal:
            messages.error(request, refusal.detail)
            return redirect("shipyard:share", draft_id)
        told = _("The old link opens nothing any more. Below is the new one.")
        messages.success(
            request, told if draft.link_token else _("Below is the link. Pass it on as you like.")
        )
    return redirect("shipyard:share", draft_id)


@require_safe
@never_cache
@unsearched
@hides_what_is_not_there
def shared(request: HttpRequest, link: str) -> HttpResponse:
    """Show a draft to anyone who has its link."""
    if wait := limits.take(limits.CHECKS, limits.who(request)):
        return limits.too_many(request, wait)
    draft = shared_draft(link=link)
    if wait := limits.take(limits.CHECKS, limits.who(request), limits.CHECKS.cost(size_of(draft)) - 1):
        return limits.too_many(request, wait)
    problems = problems_in(faults_in(draft))
    context = {
        "draft": draft,
        "title": title_of(draft),
        "builder": draft.user,
        "story": draft.document["description"],
        "board": drawing_with_marks(draft, problems),
        "wide": draft.width > WIDE,
        "problems": list(enumerate(problems))[:SHOWN],
        "left_out": max(0, len(problems) - SHOWN),
        "edition": rules.RULESETS.get(draft.ruleset),
        "suits": suiting(drawing=draft),
        "rows": "\n".join(aligned(sketch_of(draft))),
        "link": link,
        "own": draft.user_id == request.user.pk,
        "copies": request.user.is_authenticated and not guests.is_guest(request.user),
        "reported": draft.reports.filter(reporter=request.user.pk, closed_at=None).exists(),
    }
    return render(request, "shipyard/shared.html", context)


@require_safe
@never_cache
@unsearched
@hides_what_is_not_there
def shared_file(request: HttpRequest, link: str) -> HttpResponse:
    """Answer with a draft as a file, for anyone who has its link."""
    return file_of(shared_draft(link=link))


@only_by_form
@for_people
@hides_what_is_not_there
def copy(request: HttpRequest, link: str) -> HttpResponse:
    """Begin a draft of one's own with a copy of a ship that a player shares."""
    if not request.user.is_authenticated:
        return sign_in_first(reverse("shipyard:shared", args=[link]))
    try:
        draft = create_draft(user=user_of(request), link=link, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
        return redirect("shipyard:shared", link)
    messages.success(request, _("This copy is yours. Draw on."))
    return redirect("shipyard:draft", draft.pk)


def _address(request: HttpRequest, link: str) -> str:
    return request.build_absolute_uri(reverse("shipyard:shared", args=[link]))
