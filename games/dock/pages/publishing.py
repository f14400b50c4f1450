"""Publishing a draft as a prototype, and closing one, each on a page that says what happens."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

import rules
from games.dock.forms import PublishForm
from games.dock.selectors.prototypes import BAYS, licence, prototype_of_mine, prototypes_of
from games.dock.services.bays import close_prototype
from games.dock.services.publishing import plan_publication, publish_draft
from games.errors import NotFound, ServiceError
from games.pages import for_people, hides_what_is_not_there, user_of
from games.shipyard.models import StarshipDraft
from games.shipyard.pages.drafts import title_of
from games.shipyard.selectors import draft_for


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def publish(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Say what publishing a draft does, or what it still needs; on POST publish it."""
    draft = draft_for(viewer=user_of(request), draft_id=draft_id)
    if request.method != "POST":
        return _page(request, draft, PublishForm())
    form = PublishForm(request.POST)
    if not form.is_valid():
        return _page(request, draft, form, status=422)
    try:
        made = publish_draft(user=user_of(request), draft_id=draft_id, agrees=True, now=timezone.now())
    except NotFound:
        raise
    except ServiceError as refusal:
        return _page(request, draft, form, refusal=refusal, status=refusal.status)
    current = made.starship.current
    assert current
    told = _("{ship} is in your dock, as version {number}. Everyone can try it now.")
    messages.success(request, told.format(ship=made.starship.name, number=current.number))
    return redirect("starships:detail", made.starship_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def close(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Ask whether a prototype is to leave its bay; on POST close it."""
    prototype = prototype_of_mine(user=user_of(request), starship_id=starship_id)
    refusal: ServiceError | None = None
    if request.method == "POST":
        try:
            close_prototype(user=user_of(request), starship_id=starship_id, now=timezone.now())
        except NotFound:
            raise
        except ServiceError as error:
            refusal = error
        else:
            told = _("{ship} has left its bay. Games on it go on.").format(ship=prototype.starship.name)
            messages.success(request, told)
            return redirect("shipyard:list")
    context = {"prototype": prototype, "starship": prototype.starship, "refusal": refusal}
    return render(request, "dock/close.html", context, status=refusal.status if refusal else 200)


def _page(
    request: HttpRequest,
    draft: StarshipDraft,
    form: PublishForm,
    *,
    refusal: ServiceError | None = None,
    status: int = 200,
) -> HttpResponse:
    user, plan = user_of(request), None
    if refusal is None:
        try:
            plan = plan_publication(user=user, draft=draft, now=timezone.now())
        except ServiceError as error:
            refusal = error
    edition = rules.RULESETS[plan.ruleset] if plan else None
    context = {
        "draft": draft,
        "title": title_of(draft),
        "form": form,
        "plan": plan,
        "edition": edition,
        "refusal": refusal,
        "licence": licence(),
        "bays": prototypes_of(builder=user),
        "most": BAYS,
    }
    return render(request, "dock/publish.html", context, status=status)
