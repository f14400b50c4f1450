"""Drafts: a new one, the page of one, and what is done there."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts.navigation import only_by_form, show_as
from games.errors import NotFound, ServiceError
from games.fleet.pages.drawings import THUMBNAIL_CELL, editor_addresses, kept_for_ever, require_theme
from games.fleet.pictures import empty_board
from games.fleet.selectors import NAMED, starship_names
from games.lobby.forms.ships import words_in
from games.pages import for_people, hides_what_is_not_there, number_in, user_of
from games.rights import Right, may
from games.shipyard.drawings import faults_in, sketch_of
from games.shipyard.forms import BlankForm, CopyForm, DraftForm, FlightForm, ImportForm, values_of
from games.shipyard.models import StarshipDraft
from games.shipyard.pages.pictures import drawing_with_marks
from games.shipyard.selectors import (
    DraftProblem,
    draft_for,
    flights_of,
    parent_of,
    problems_in,
    suiting,
)
from games.shipyard.services.drafts import (
    Stale,
    create_draft,
    delete_draft,
    put_cells,
    save_by_name,
    save_draft,
)

Context = dict[str, Any]

SHOWN = 60
"""Problems that the page of a draft lists."""

WIDE = 14
"""Columns of a ship from which on its drawing is wider than a phone."""

LONGEST_NUMBER = 9
"""Figures of the longest number that is read from a form."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
def new(request: HttpRequest) -> HttpResponse:
    """Begin a ship: from nothing, with a copy of a starship, or with a file."""
    begin = request.POST.get("begin", "") if request.method == "POST" else ""
    blank = BlankForm(request.POST if begin == "blank" else None)
    asked = {"starship": request.GET.get("starship", "")}
    wanted = number_in(request.POST.get("starship") or asked["starship"], digits=LONGEST_NUMBER)
    find = words_in(request.GET)
    ships = starship_names(text=find, also=[wanted] if wanted else [])
    copy = CopyForm(request.POST if begin == "copy" else None, ships=ships, initial=asked)
    hosts = {request.get_host().lower(), urlsplit(settings.BASE_URL).netloc.lower()}
    brought = ImportForm(request.POST, request.FILES, hosts=hosts) if begin == "import" else ImportForm()
    forms: dict[str, BlankForm | CopyForm | ImportForm] = {"blank": blank, "copy": copy, "import": brought}
    form = forms.get(begin)
    status = 200
    if form is not None and form.is_valid():
        try:
            draft = _continued(request, form) or create_draft(
                user=user_of(request), now=timezone.now(), **_beginning(form)
            )
        except ServiceError as refusal:
            form.add_refusal(refusal)
            status = refusal.status
        else:
            return redirect("shipyard:draft", draft.pk)
    elif request.method == "POST":
        status = 422
    context = {
        "blank": blank,
        "copy": copy,
        "import": brought,
        "copies": asked["starship"] or begin == "copy" or find,
        "find": find,
        "missed": find and {pk for pk, name in ships} <= {wanted},
        "searches": find or len(ships) >= NAMED,
        "wanted": wanted,
    }
    return render(request, "shipyard/new.html", context, status=status)


def _continued(request: HttpRequest, form: BlankForm | CopyForm | ImportForm) -> StarshipDraft | None:
    """Save what was brought as the next version of a ship of the same name, if that is wanted and there."""
    if not isinstance(form, ImportForm) or form.link or not form.cleaned_data["continues"]:
        return None
    draft = save_by_name(user=user_of(request), document=form.document, now=timezone.now())
    if draft is not None:
        told = _(
            "You have a ship with this name: it is now version {number}, and what it was before is kept."
        )
        messages.success(request, told.format(number=draft.version))
    return draft


def _beginning(form: BlankForm | CopyForm | ImportForm) -> Context:
    given = form.cleaned_data
    if isinstance(form, ImportForm):
        return {"link": form.link} if form.link else {"document": form.document}
    if isinstance(form, CopyForm):
        return {"starship_id": int(given["starship"])}
    return {
        "name": given["name"],
        "size": (given["width"], given["height"]),
        "ruleset": given["ruleset"],
        "players": given["players"],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def draft(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show a draft, with what is wrong with it; on POST save it as it was typed."""
    found = draft_for(viewer=user_of(request), draft_id=draft_id)
    if request.method != "POST":
        return draft_page(request, found)
    form = DraftForm(request.POST)
    if not form.is_valid():
        return draft_page(request, found, form=form, status=422)
    document = {**form.document, "builder": found.document["builder"]}
    try:
        saved = save_draft(
            user=user_of(request),
            draft_id=draft_id,
            expected_version=None if "anyway" in request.POST else _version_in(request),
            document=document,
            ruleset=form.cleaned_data["ruleset"],
            players=form.cleaned_data["players"],
            now=timezone.now(),
        )
    except Stale as refusal:
        return draft_page(request, refusal.draft, form=form, stale=refusal, status=refusal.status)
    except NotFound:
        raise
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return draft_page(request, found, form=form, status=refusal.status)
    if saved.version == found.version:
        messages.success(request, _("Nothing was changed."))
    else:
        messages.success(request, _("Saved as version {number}.").format(number=saved.version))
    return redirect("shipyard:draft", draft_id)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def fix(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Mend one thing, as the button beside it says."""
    found = draft_for(viewer=user_of(request), draft_id=draft_id)
    version, number = _version_in(request), number_in(request.POST.get("problem"), digits=LONGEST_NUMBER)
    faults = faults_in(found)
    chosen = faults[number].fix if number is not None and number < len(faults) else None
    try:
        if version != found.version:
            raise Stale(found)
        if chosen:
            put_cells(
                user=user_of(request),
                draft_id=draft_id,
                expected_version=found.version,
                cells=dict(chosen.cells),
                now=timezone.now(),
            )
    except Stale as refusal:
        return draft_page(request, refusal.draft, refusal=refusal, status=refusal.status)
    return redirect("shipyard:draft", draft_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def delete(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Ask whether a draft is to be deleted; on POST do it."""
    found = draft_for(viewer=user_of(request), draft_id=draft_id)
    if request.method != "POST":
        return render(request, "shipyard/delete.html", {"draft": found, "title": title_of(found)})
    delete_draft(user=user_of(request), draft_id=draft_id)
    messages.success(request, _("{ship} is deleted.").format(ship=title_of(found)))
    return redirect("shipyard:list")


@require_safe
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def file(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Answer with a draft as a file."""
    return file_of(draft_for(viewer=user_of(request), draft_id=draft_id))


def file_of(found: StarshipDraft) -> HttpResponse:
    """Return a draft as a file."""
    answer = JsonResponse(found.document, json_dumps_params={"ensure_ascii": False, "indent": 2})
    name = f"{slugify(found.name) or 'starship'}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@login_required
@for_people
@hides_what_is_not_there
def drawing(request: HttpRequest, draft_id: int, theme: str) -> HttpResponse:
    """Draw a draft, small, as a picture that lists refer to by its version: that never changes."""
    require_theme(theme)
    found = draft_for(viewer=user_of(request), draft_id=draft_id)
    ship = sketch_of(found).ship
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    return kept_for_ever(answer, public=False) if request.GET.get("v") == str(found.version) else answer


def draft_page(
    request: HttpRequest,
    found: StarshipDraft,
    *,
    form: DraftForm | None = None,
    flight: FlightForm | None = None,
    refusal: ServiceError | None = None,
    stale: Stale | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a draft; after something that could not be done with the reason, and what was typed."""
    show_as(request, "shipyard:draft", found.pk)
    problems = problems_in(faults_in(found))
    errors = sum(problem["severity"] == "error" for problem in problems)
    edition = rules.RULESETS.get(found.ruleset)
    suits = suiting(drawing=found)
    context = {
        "draft": found,
        "title": title_of(found),
        # What was refused is shown as it was typed, in forms alone.
        "state": None if form else _state(found, problems, suits),
        "shipyard": editor_addresses(),
        "parent": parent_of(found),
        "board": drawing_with_marks(found, problems),
        "wide": found.width > WIDE,
        "problems": list(enumerate(problems))[:SHOWN],
        "left_out": max(0, len(problems) - SHOWN),
        "errors": errors,
        "warnings": len(problems) - errors,
        "edition": edition,
        "suits": suits,
        "flies": errors == 0 and (edition or suits),
        "flights": flights_of(draft=found),
        "form": form or DraftForm(initial=values_of(found)),
        "flight": flight or FlightForm(initial={"computers": edition.seats[0] - 1 if edition else 0}),
        "refusal": refusal,
        "stale": stale,
        "library": _library_page(request, found),
    }
    return render(request, "shipyard/draft.html", context, status=status)


def _library_page(request: HttpRequest, found: StarshipDraft) -> str:
    """Return where staff save a draft to the library: as a revision of what it was copied from, or as new."""
    if not may(request.user, Right.CHANGE_STARSHIPS):
        return ""
    page = reverse("admin:games_starship_add")
    if found.parent_revision:
        page = reverse("admin:games_starship_change", args=[found.parent_revision.starship_id])
    return f"{page}?draft={found.pk}"


def _state(
    found: StarshipDraft, problems: list[DraftProblem], suits: Iterable[rules.Ruleset]
) -> dict[str, Any]:
    """Return what the editor begins with: the draft as it is saved, and what was found in it."""
    return {
        "version": found.version,
        "value": {"document": found.document, "ruleset": found.ruleset, "players": found.players},
        "problems": problems,
        "suits": [edition.key for edition in suits],
    }


def title_of(found: StarshipDraft) -> str:
    """Return what a draft is called on pages."""
    return found.name or _("A ship without a name")


def _version_in(request: HttpRequest) -> int:
    """Return which version a form was filled in from; 0, which there is not, where it does not say."""
    return number_in(request.POST.get("version"), digits=LONGEST_NUMBER) or 0
