"""Pages of drafts: creation, editing, versions, test flights, and links."""

from collections.abc import Callable, Iterable
from functools import partial, wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests, limits
from accounts.navigation import show_as
from games.errors import Invalid, ServiceError, number_in
from games.fleet.pages.drawings import THUMBNAIL_CELL, cache_permanently, editor_addresses, require_theme
from games.fleet.pictures import empty_board, lay_over
from games.fleet.selectors import NAMES_LISTED, starship_names
from games.lobby.forms import search_words
from games.moderation.selectors import has_reported
from games.play.pages.console import PageContext
from games.rights import Right, may
from games.shipyard import inputs, selectors, services
from games.shipyard.models import Drawing, StarshipDraft
from games.web.actions import Done, action
from games.web.forms import InputForm, form_of
from games.web.pages import handle_missing, require_account, user_of, viewer_of
from rules.drawing.pen import CELL
from rules.sketch import aligned


def drawing_with_marks(drawing: Drawing, problems: Iterable[selectors.DraftProblem]) -> SafeString:
    """Draw the readable cells of a draft, with rulers and a frame around each problem."""
    svg = empty_board(selectors.sketch_of(drawing).ship, rulers=True)
    worst: dict[tuple[int, int], str] = {}
    for problem in problems:
        for cell in selectors.cells_of(problem):
            worst.setdefault((cell["column"], cell["row"]), problem["severity"])
    marks = "".join(mark(column, row, severity) for (column, row), severity in worst.items())
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')


def mark(column: int, row: int, severity: str) -> str:
    """Return an SVG frame around a cell. ``column`` and ``row`` count from 1."""
    x, y, side = (column - 1) * CELL + 1, (row - 1) * CELL + 1, CELL - 2
    return f'<rect class="ship-mark is-{severity}" x="{x}" y="{y}" width="{side}" height="{side}" rx="3"/>'


def compared_drawing(drawing: Drawing, differing: Iterable[tuple[int, int]]) -> SafeString:
    """Draw a version of a draft, with a frame around each cell that differs from another version.

    ``differing`` has the cells to frame as (x, y), counted from 0.
    """
    sketch = selectors.sketch_of(drawing)
    svg = empty_board(sketch.ship, rulers=True)
    inside = sorted((x, y) for x, y in differing if x < sketch.width and y < sketch.height)
    marks = "".join(mark(x + 1, y + 1, "different") for x, y in inside)
    return lay_over(svg, f'<g class="ship-marks">{marks}</g>')


Context = dict[str, Any]

Beginning = inputs.BlankForm | inputs.CopyForm | inputs.ImportForm

FlightForm = form_of(inputs.TestFlight)

PROBLEMS_LISTED = 60
"""The maximum number of problems on the page of a draft."""

WIDE_COLUMNS = 14
"""The maximum number of columns that fit on the screen of a phone. Wider ships scroll."""

MOST_DIGITS = 9
"""The maximum number of digits of an ID, a version or another number in a posted form."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@require_account
def new_draft(request: HttpRequest) -> HttpResponse:
    """Create a draft: an empty ship, a copy of a library starship, or an imported ship."""
    begin = request.POST.get("begin", "blank") if request.method == "POST" else ""
    asked = {"starship": request.GET.get("starship", "")}
    wanted = number_in(request.POST.get("starship") or asked["starship"], digits=MOST_DIGITS)
    find = search_words(request.GET)
    ships = starship_names(text=find, also=[wanted] if wanted else [])
    hosts = {request.get_host().lower(), urlsplit(settings.BASE_URL).netloc.lower()}
    kinds: dict[str, Callable[..., Beginning]] = {
        "blank": inputs.BlankForm,
        "copy": partial(inputs.CopyForm, ships=ships, initial=asked),
        "import": partial(inputs.ImportForm, hosts=hosts),
    }
    forms = {
        name: kind(request.POST, request.FILES) if name == begin else kind() for name, kind in kinds.items()
    }
    form, unknown_way = forms.get(begin), None
    status = 200
    if form is not None and form.is_valid():
        try:
            draft = _continued(request, form) or services.create_draft(
                user=user_of(request), now=timezone.now(), **_beginning(form)
            )
        except ServiceError as refusal:
            form.add_refusal(refusal)
            status = refusal.status
        else:
            return redirect("shipyard:draft", draft.pk)
    elif request.method == "POST":
        status = 422
        if form is None:
            unknown_way = Invalid("begin", gettext("Choose how to start your ship."))
    context = {
        **forms,
        "refusal": unknown_way,
        "copies": asked["starship"] or begin == "copy" or find,
        "find": find,
        "missed": find and {pk for pk, name in ships} <= {wanted},
        "searches": find or len(ships) >= NAMES_LISTED,
        "wanted": wanted,
    }
    return render(request, "shipyard/new.html", context, status=status)


def _continued(request: HttpRequest, form: Beginning) -> StarshipDraft | None:
    """Save an imported ship as the next version of the person's draft with the ship's name.

    Returns None if the form does not import a document, if the person has not chosen to continue a draft, or
    if the person has no draft with the name.
    """
    if not isinstance(form, inputs.ImportForm) or form.link or not form.cleaned_data["continues"]:
        return None
    draft = services.save_by_name(user=user_of(request), document=form.document, now=timezone.now())
    if draft is not None:
        message = gettext(
            "Saved as version {number} of your draft with this name. The previous version is kept."
        )
        messages.success(request, message.format(number=draft.version))
    return draft


def _beginning(form: Beginning) -> Context:
    given = form.cleaned_data
    if isinstance(form, inputs.ImportForm):
        return {"link": form.link} if form.link else {"document": form.document}
    if isinstance(form, inputs.CopyForm):
        return {"starship_id": int(given["starship"])}
    return {
        "name": given["name"],
        "size": (given["width"], given["height"]),
        "ruleset": given["ruleset"],
        "players": given["players"],
    }


def _draft_to_delete(request: HttpRequest, draft_id: int) -> Context:
    found = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    return {"draft": found, "title": title_of(found)}


@never_cache
@action(template="shipyard/delete.html", context=_draft_to_delete, then="shipyard:list")
def confirm_deletion(request: HttpRequest, draft_id: int) -> Done:
    """Ask for confirmation and delete a draft."""
    title = title_of(selectors.draft_for(viewer=user_of(request), draft_id=draft_id))
    services.delete_draft(user=user_of(request), draft_id=draft_id)
    return Done(gettext("{ship} was deleted.").format(ship=title))


@require_safe
@never_cache
@login_required
@require_account
@handle_missing
def draft_file(request: HttpRequest, draft_id: int) -> HttpResponse:
    return file_of(selectors.draft_for(viewer=user_of(request), draft_id=draft_id))


def file_of(found: StarshipDraft) -> HttpResponse:
    """Return a draft's document as a download."""
    answer = JsonResponse(found.document, json_dumps_params={"ensure_ascii": False, "indent": 2})
    name = f"{slugify(found.name) or 'starship'}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@require_safe
@login_required
@require_account
@handle_missing
def draft_drawing(request: HttpRequest, draft_id: int, theme: str) -> HttpResponse:
    """Draw a small picture of a draft.

    Browsers may cache the picture for ever if the address has the draft's current version.
    """
    require_theme(theme)
    found = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    ship = selectors.sketch_of(found).ship
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    return cache_permanently(answer, public=False) if request.GET.get("v") == str(found.version) else answer


def show_draft(
    request: HttpRequest,
    draft_id: int,
    form: inputs.DraftForm | None = None,
    flight: InputForm | None = None,
    refusal: ServiceError | None = None,
) -> HttpResponse:
    """Show a draft. After a refusal, also show the reason and the typed values."""
    found = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    show_as(request, "shipyard:draft", found.pk)
    problems = selectors.problems_in(selectors.faults_in(found))
    errors = sum(problem["severity"] == "error" for problem in problems)
    edition = rules.RULESETS.get(found.ruleset)
    suits = selectors.suiting(drawing=found)
    context = {
        "draft": found,
        "title": title_of(found),
        # Refused values are shown only in forms, as typed.
        "state": None if form else _state(found, problems, suits),
        "shipyard": editor_addresses(),
        "parent": selectors.parent_of(found),
        "board": drawing_with_marks(found, problems),
        "wide": found.width > WIDE_COLUMNS,
        "problems": list(enumerate(problems))[:PROBLEMS_LISTED],
        "left_out": max(0, len(problems) - PROBLEMS_LISTED),
        "errors": errors,
        "warnings": len(problems) - errors,
        "edition": edition,
        "suits": suits,
        "flies": errors == 0 and (edition or suits),
        "flights": selectors.flights_of(draft=found),
        "form": form or inputs.DraftForm(initial=inputs.values_of(found)),
        "flight": flight or FlightForm(initial={"computers": edition.seats[0] - 1 if edition else 0}),
        "refusal": refusal,
        "stale": bool(form) and isinstance(refusal, services.Stale),
        "library": _library_page(request, found),
    }
    return render(request, "shipyard/draft.html", context, status=refusal.status if refusal else 200)


@never_cache
@action(inputs.DraftForm, page=show_draft)
def draft(request: HttpRequest, draft_id: int, asked: Context) -> Done:
    """Show a draft with its problems, and save the typed values."""
    found = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    saved = services.save_draft(
        user=user_of(request),
        draft_id=draft_id,
        expected_version=None if "anyway" in request.POST else _version_in(request),
        document=inputs.document_of(asked, builder=found.document["builder"]),
        ruleset=asked["ruleset"],
        players=asked["players"],
        now=timezone.now(),
    )
    if saved.version == found.version:
        return Done(gettext("Nothing was changed."), then=request.path)
    return Done(gettext("Saved as version {number}.").format(number=saved.version), then=request.path)


@action(refused_on=show_draft)
def fix_draft(request: HttpRequest, draft_id: int) -> None:
    """Apply the fix for one fault of a draft."""
    found = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    number, faults = number_in(request.POST.get("problem"), digits=MOST_DIGITS), selectors.faults_in(found)
    if _version_in(request) != found.version:
        raise services.Stale(found)
    if number is not None and number < len(faults) and (fix := faults[number].fix):
        services.put_cells(
            user=user_of(request),
            draft_id=draft_id,
            expected_version=found.version,
            cells=dict(fix.cells),
            now=timezone.now(),
        )


def _refuse_flight(
    request: HttpRequest, draft_id: int, form: InputForm, refusal: ServiceError
) -> HttpResponse:
    return show_draft(request, draft_id, flight=form, refusal=refusal)


@limits.limited(limits.TEST_FLIGHTS)
@action(
    FlightForm,
    refused_on=_refuse_flight,
    says=_("Your ship is ready to fly. This test flight doesn’t affect records."),
)
def fly(request: HttpRequest, draft_id: int, asked: Context) -> Done:
    """Start a test flight of a draft."""
    game = services.fly_draft(user=user_of(request), draft_id=draft_id, **asked, now=timezone.now())
    return Done(then=reverse("games:game", args=[game.pk]))


def _library_page(request: HttpRequest, found: StarshipDraft) -> str:
    """Return the address of the admin page to save a draft to the library.

    Returns an empty string for people without the right to change starships.
    """
    if not may(request.user, Right.CHANGE_STARSHIPS):
        return ""
    page = reverse("admin:games_starship_add")
    if found.parent_revision:
        page = reverse("admin:games_starship_change", args=[found.parent_revision.starship_id])
    return f"{page}?draft={found.pk}"


def _state(
    found: StarshipDraft, problems: list[selectors.DraftProblem], suits: Iterable[rules.Ruleset]
) -> dict[str, Any]:
    """Return the editor's initial state: the draft as saved, and its problems."""
    return {
        "version": found.version,
        "value": {"document": found.document, "ruleset": found.ruleset, "players": found.players},
        "problems": problems,
        "suits": [edition.key for edition in suits],
    }


def title_of(found: StarshipDraft) -> str:
    """Return the name of a draft, or a title for a draft without a name."""
    return found.name or gettext("Unnamed ship")


def _version_in(request: HttpRequest) -> int:
    """Return the version of the draft when its form was loaded, or 0 if unknown."""
    return number_in(request.POST.get("version"), digits=MOST_DIGITS) or 0


@require_safe
@never_cache
@login_required
@require_account
@handle_missing
def history(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show the stored versions of a draft, and compare two of them: ``?left=3&right=7``."""
    draft = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    versions = selectors.versions_of(draft=draft)
    kept = [(selectors.number_of(each), each) for each in versions]
    numbers = [number for number, _each in kept]
    right = _chosen(request, "right", numbers, draft.version)
    before = [number for number in numbers if number < right]
    left = _chosen(request, "left", numbers, before[0] if before else right)
    context = {
        "draft": draft,
        "title": title_of(draft),
        "versions": kept,
        "left": left,
        "right": right,
        **_compared(draft, left, right),
    }
    return render(request, "shipyard/history.html", context)


@action()
def restore_version(request: HttpRequest, draft_id: int, number: int) -> Done:
    draft = services.restore_version(
        user=user_of(request), draft_id=draft_id, number=number, now=timezone.now()
    )
    said = gettext("Version {number} was restored as version {now}.")
    return Done(
        said.format(number=number, now=draft.version), then=reverse("shipyard:draft", args=[draft_id])
    )


def _compared(draft: StarshipDraft, left: int, right: int) -> dict[str, Any]:
    """Return pictures of two versions of a draft, with frames around differing cells."""
    one, other = (selectors.version_for(draft=draft, number=number) for number in (left, right))
    before, after = selectors.sketch_of(one), selectors.sketch_of(other)
    differing = {
        (x, y)
        for y in range(max(before.height, after.height))
        for x in range(max(before.width, after.width))
        if before.token_at(x, y) != after.token_at(x, y)
    }
    return {
        "pair": [
            (left, one, compared_drawing(one, differing)),
            (right, other, compared_drawing(other, differing)),
        ],
        "differing": len(differing),
    }


def _chosen(request: HttpRequest, side: str, numbers: list[int], usual: int) -> int:
    asked = request.GET.get(side, "")
    return int(asked) if asked in map(str, numbers) else usual


def flight_panel(page: PageContext) -> dict[str, Any]:
    """Return the context of a test flight's page: the draft's ID, for its builder.

    In other games, and for other viewers, the ID is None.
    """
    return {"draft_of_flight": selectors.draft_flown_in(viewer=page.viewer, game=page.game)}


View = TypeVar("View", bound=Callable[..., HttpResponse])


def unsearched(view: View) -> View:
    """Decorate a view to keep its pages, which have secret addresses, out of search engines."""

    @wraps(view)
    def answer(*args: Any, **more: Any) -> HttpResponse:
        response = view(*args, **more)
        response.headers.setdefault(*selectors.NOINDEX_HEADER)
        return response

    return cast("View", answer)


def _link_of(request: HttpRequest, draft_id: int) -> Context:
    draft = selectors.draft_for(viewer=user_of(request), draft_id=draft_id)
    address = _address(request, draft.link_token) if draft.link_token else ""
    return {"draft": draft, "title": title_of(draft), "address": address}


@never_cache
@action(template="shipyard/share.html", context=_link_of)
def share_draft(request: HttpRequest, draft_id: int) -> Done:
    """Show the secret link of a draft, make a new link, or remove the link."""
    user, there = user_of(request), request.path
    if request.POST.get("do") == "drop":
        services.drop_link(user=user, draft_id=draft_id)
        return Done(gettext("The link was removed and no longer works."), then=there)
    had_one = selectors.draft_for(viewer=user, draft_id=draft_id).link_token
    services.make_link(user=user, draft_id=draft_id, now=timezone.now())
    message = gettext("The old link no longer works. The new one is below.")
    return Done(message if had_one else gettext("The link is below. Share it with anyone."), then=there)


@require_safe
@never_cache
@unsearched
@handle_missing
def shared_draft_page(request: HttpRequest, link: str) -> HttpResponse:
    """Show a draft to anyone with its link."""
    if wait := limits.consume(limits.CHECKS, limits.requester_of(request)):
        return limits.too_many_requests(request, wait)
    draft = selectors.shared_draft(link=link)
    if wait := limits.consume(
        limits.CHECKS, limits.requester_of(request), limits.CHECKS.cost(selectors.characters_in(draft)) - 1
    ):
        return limits.too_many_requests(request, wait)
    problems = selectors.problems_in(selectors.faults_in(draft))
    context = {
        "draft": draft,
        "title": title_of(draft),
        "builder": draft.user,
        "story": draft.document["description"],
        "board": drawing_with_marks(draft, problems),
        "wide": draft.width > WIDE_COLUMNS,
        "problems": list(enumerate(problems))[:PROBLEMS_LISTED],
        "left_out": max(0, len(problems) - PROBLEMS_LISTED),
        "edition": rules.RULESETS.get(draft.ruleset),
        "suits": selectors.suiting(drawing=draft),
        "rows": "\n".join(aligned(selectors.sketch_of(draft))),
        "link": link,
        "own": draft.user_id == request.user.pk,
        "copies": request.user.is_authenticated and not guests.is_guest(request.user),
        "reported": has_reported(viewer=viewer_of(request), thing=draft),
    }
    return render(request, "shipyard/shared.html", context)


@require_safe
@never_cache
@unsearched
@handle_missing
def shared_file(request: HttpRequest, link: str) -> HttpResponse:
    """Return a draft as a file, for anyone with its link."""
    return file_of(selectors.shared_draft(link=link))


@action(says=_("The ship was copied. You can edit your copy."))
def copy_shared_draft(request: HttpRequest, link: str) -> Done:
    """Copy a shared ship into a new draft."""
    draft = services.create_draft(user=user_of(request), link=link, now=timezone.now())
    return Done(then=reverse("shipyard:draft", args=[draft.pk]))


def _address(request: HttpRequest, link: str) -> str:
    return request.build_absolute_uri(reverse("shipyard:shared", args=[link]))
