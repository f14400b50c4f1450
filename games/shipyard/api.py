"""The API of the shipyard: drafts, test flights, links, the wind tunnel, and suggestions."""

import re
from typing import Annotated, Any, Final, TypedDict

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext as _
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.errors import ErrorView, Malformed, ServiceError, refuse_guests
from games.fleet.pictures import empty_board
from games.play.game_view import GameView
from games.shipyard import inputs, selectors, services, suggestions, tunnel
from games.shipyard.models import Drawing, ShipSuggestion, StarshipDraft
from games.shipyard.outlook import ShipOutlookView, outlook_view
from games.shipyard.services import MOST_DRAFTS, USUAL_PLAYERS, USUAL_SIZE
from games.web.answers import Checks, Flights, Outlooks
from games.web.api import Answered, ShipParser, Values, call, person, view_of
from rules.notation import STARSHIP_FORMAT

VERSION: Final = re.compile(r'(?:W/)?"([0-9]{1,9})"', re.ASCII)

DOCUMENT: Final = {
    "format": STARSHIP_FORMAT,
    "name": "Tin Canoe",
    "builder": "alice",
    "description": "Mind the gap.",
    "rows": ["a b1:E .", "~ . .+i1"],
}


class StarshipDraftsView(TypedDict):
    """Your drafts, last saved first."""

    results: list[selectors.StarshipDraftFacts]
    most: Annotated[int, "The maximum number of drafts."]


class DraftRevisionsView(TypedDict):
    """The stored versions of a draft, newest first."""

    results: list[selectors.DraftRevisionFacts]


class StaleDraftView(ErrorView):
    """Another version of the draft was saved after yours was loaded. This request changed nothing."""

    draft: Annotated[selectors.StarshipDraftView, "The current draft."]


class CheckedStarshipView(TypedDict):
    """The problems of a drawing, the suitable rulesets, and a picture."""

    problems: list[selectors.DraftProblem]
    suits: Annotated[list[str], "The keys of the rulesets that it can be flown with."]
    drawing: Annotated[str | None, "An SVG document, or null unless the request has `drawing`."]


class VersionMissing(ServiceError):
    """Raised if a request to save a draft has no header `If-Match`."""

    status = 428


def _expected(request: Request, *, needed: bool = True) -> int | None:
    """Return the version number in the header `If-Match`, or None if there is no such header.

    Raises VersionMissing if the header is ``needed`` but missing, and Malformed if it is not a version.
    """
    header = request.headers.get("If-Match")
    if header is None or not header.strip():
        if not needed:
            return None
        raise VersionMissing(
            "no-version", _("The header If-Match is missing. Send it with the ETag of the draft.")
        )
    found = VERSION.fullmatch(header.strip())
    if found is None:
        raise Malformed("malformed", _('If-Match must be the ETag of the draft, such as “"7"”.'))
    return int(found[1])


def _tagged(draft: StarshipDraft, status: int = 200) -> Response:
    """Return a response with a draft in the body and the draft's version as the ETag."""
    return Response(selectors.draft_view(draft), status=status, headers={"ETag": f'"{draft.version}"'})


@call("GET", "List your drafts", StarshipDraftsView)
def list_starship_drafts(request: Request) -> Answered:
    """Returns your drafts, last saved first."""
    return _listed(request)


@call(
    "POST",
    "Create a draft",
    selectors.StarshipDraftView,
    404,
    409,
    422,
    status=201,
    takes=inputs.NewStarshipDraft,
    example={"name": "Tin Canoe", "width": 12, "height": 12, "ruleset": "robo-runner"},
    parser_classes=(ShipParser,),
)
def create_starship_draft(request: Request, asked: Values) -> Answered:
    """Creates a draft: an empty ship, an imported document, or a copy of a starship or of another draft.

    The other draft must be yours or shared. Cells of a document may be faulty: `problems` lists the faults.
    409 `too-many` if you have the maximum number of drafts.
    """
    width, height = asked.pop("width", None), asked.pop("height", None)
    if width is not None or height is not None:
        asked["size"] = (width or height or USUAL_SIZE, height or width or USUAL_SIZE)
    asked |= {f"{key}_id": asked.pop(key) for key in ("starship", "draft") if key in asked}
    return _tagged(services.create_draft(user=person(request), now=timezone.now(), **asked), 201)


@call("GET", "Get a draft", selectors.StarshipDraftView)
def get_starship_draft(request: Request, draft_id: int) -> Answered:
    """Returns one of your drafts, with its problems. Its version is also the `ETag`."""
    return _tagged(selectors.draft_for(viewer=request.user, draft_id=draft_id))


@call(
    "PUT",
    "Save a draft",
    selectors.StarshipDraftView,
    412,
    422,
    428,
    takes=inputs.StarshipDraftChange,
    example={"document": DOCUMENT},
    parser_classes=(ShipParser,),
    refusal_types={412: StaleDraftView},
)
def save_starship_draft(request: Request, draft_id: int, asked: Values) -> Answered:
    """Saves your draft. `If-Match` must be the `ETag` of the version that you changed.

    412 if another version was saved in the meantime; 428 without the header. If your request equals the saved
    draft, no new version is made, so you can repeat a request.
    """
    expected = _expected(request)
    user, now = person(request), timezone.now()
    return _tagged(
        services.save_draft(user=user, draft_id=draft_id, expected_version=expected, now=now, **asked)
    )


@call("DELETE", "Delete a draft", StarshipDraftsView)
def delete_starship_draft(request: Request, draft_id: int) -> Answered:
    """Deletes a draft with all its versions. Its test flights stay."""
    services.delete_draft(user=person(request), draft_id=draft_id)
    return _listed(request)


@call("GET", "List the versions of a draft", DraftRevisionsView)
def list_draft_revisions(request: Request, draft_id: int) -> Answered:
    """Returns the stored versions of a draft, newest first.

    At most one version a minute is stored. After a day, only one version an hour stays.
    """
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return {"results": [selectors.revision_facts(version) for version in selectors.versions_of(draft=draft)]}


@call("GET", "Get a version of a draft", selectors.DraftRevisionView)
def get_draft_revision(request: Request, draft_id: int, number: int) -> Answered:
    """Returns a stored version of a draft, with its problems."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return selectors.revision_view(selectors.version_for(draft=draft, number=number))


@call(
    "POST",
    "Restore a version of a draft",
    selectors.StarshipDraftView,
    412,
    refusal_types={412: StaleDraftView},
)
def restore_draft_revision(request: Request, draft_id: int, number: int) -> Answered:
    """Saves a stored version of a draft as the next version.

    The header `If-Match` is optional. 412 if it is given and is not the `ETag` of the current version.
    """
    draft = services.restore_version(
        user=person(request),
        draft_id=draft_id,
        number=number,
        expected_version=_expected(request, needed=False),
        now=timezone.now(),
    )
    return _tagged(draft)


@call("GET", "Download a draft", selectors.DraftDocument)
def get_draft_document(request: Request, draft_id: int) -> Answered:
    """Returns the document of a draft, as a file."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    name = f"{slugify(draft.name) or 'starship'}.json"
    return Response(draft.document, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@call(
    "POST",
    "Fly a draft",
    GameView,
    422,
    status=201,
    takes=inputs.TestFlight,
    example={"computers": 3, "strength": "pilot"},
    throttle_classes=(Flights,),
)
def fly_starship_draft(request: Request, draft_id: int, asked: Values) -> Answered:
    """Starts a private game on the saved draft, with or without computers.

    The game does not count in statistics or achievements. A running test flight of the same draft ends. 422
    lists the faults of the draft.
    """
    game = services.fly_draft(user=person(request), draft_id=draft_id, now=timezone.now(), **asked)
    return view_of(request, game)


@call(
    "POST",
    "Check a starship",
    CheckedStarshipView,
    422,
    takes=inputs.StarshipCheck,
    example={"document": DOCUMENT, "ruleset": "robo-runner", "players": 4},
    parser_classes=(ShipParser,),
    throttle_classes=(Checks,),
    keeps_nothing=True,
)
def check_starship(request: Request, asked: Values) -> Answered:
    """Returns the problems of a starship, and fixes for them. Nothing is saved."""
    refuse_guests(person(request))
    draws = asked.pop("drawing")
    drawing = _drawn(asked)
    return {
        "problems": selectors.problems_in(selectors.faults_in(drawing)),
        "suits": [edition.key for edition in selectors.suiting(drawing=drawing)],
        "drawing": empty_board(selectors.sketch_of(drawing).ship, cell=32, theme="auto", rulers=True)
        if draws
        else None,
    }


@call(
    "POST",
    "Preview a starship",
    ShipOutlookView,
    422,
    takes=inputs.StarshipLook,
    example={"document": DOCUMENT, "ruleset": "robo-runner", "players": 4},
    parser_classes=(ShipParser,),
    throttle_classes=(Outlooks,),
    keeps_nothing=True,
)
def preview_starship(request: Request, asked: Values) -> Answered:
    """Returns a preview of a starship, calculated without any flights. Nothing is saved.

    The preview has the fastest ways to each checkpoint, clear lines of fire between checkpoints, the shelter
    from shots around the starts, and the cells that no robot can reach. If the ship is unfinished, unknown
    values are null.
    """
    refuse_guests(person(request))
    return outlook_view(_drawn(asked))


def _drawn(asked: Values) -> Drawing:
    """Return an unsaved drawing of the document in a request."""
    return selectors.drawing_of(**{"name": None, "ruleset": "", "players": USUAL_PLAYERS, **asked})


def _listed(request: Request) -> dict[str, Any]:
    found = selectors.drafts_of(user=person(request))
    return {"results": [selectors.facts_of_draft(draft) for draft in found], "most": MOST_DRAFTS}


@call("POST", "Share a draft", selectors.StarshipDraftView, 409, group="sharing")
def create_draft_link(request: Request, draft_id: int) -> Answered:
    """Creates a new secret `link` to a draft. The previous link stops working.

    `GET shipyard/shared/{link}` returns the last saved version to everyone with the link; its page is
    `/shipyard/shared/{link}/`. 409 `taken-down` for a draft that staff have taken down.
    """
    return selectors.draft_view(
        services.make_link(user=person(request), draft_id=draft_id, now=timezone.now())
    )


@call("DELETE", "Stop sharing a draft", selectors.StarshipDraftView, group="sharing")
def delete_draft_link(request: Request, draft_id: int) -> Answered:
    """Removes the secret link of a draft, if it has one. Copies made with the link stay."""
    return selectors.draft_view(services.drop_link(user=person(request), draft_id=draft_id))


@call(
    "GET",
    "Get a shared starship",
    selectors.SharedStarshipView,
    strangers=True,
    throttle_classes=(Checks,),
    group="sharing",
)
def get_shared_starship(request: Request, link: str) -> Answered:
    """Returns the last saved version of a shared draft, with its problems.

    To copy the draft, `POST shipyard/drafts` with `{"link": …}`.
    """
    draft = selectors.shared_draft(link=link)
    if wait := limits.consume(
        limits.CHECKS, limits.requester_of(request), limits.CHECKS.cost(selectors.characters_in(draft)) - 1
    ):
        raise Throttled(wait)
    return Response(selectors.shared_view(draft), headers=dict([selectors.NOINDEX_HEADER]))


class TunnelRunsView(TypedDict):
    """The wind tunnel runs of a draft, newest first."""

    results: list[tunnel.TunnelRunFacts]


@call(
    "POST",
    "Fly a draft in the wind tunnel",
    tunnel.TunnelRunView,
    409,
    422,
    status=201,
    takes=inputs.TunnelOrder,
    example={"ruleset": "robo-runner", "players": 4, "flights": 200},
    group="tunnel",
)
def start_tunnel_run(request: Request, draft_id: int, asked: Values) -> Answered:
    """Starts a wind tunnel run: up to `flights` games between computers on the draft.

    If a run with the same cells and settings exists, the answer is that run. 409 `under-way` if another run
    of yours is not over; 429 after 20 runs within a day. 422 lists the faults of the draft.
    """
    run = tunnel.start_run(user=person(request), draft_id=draft_id, now=timezone.now(), **asked)
    return Response(tunnel.run_view(run), status=201, headers={"ETag": _etag(tunnel.run_state_tag(run))})


@call("GET", "List the wind tunnel runs of a draft", TunnelRunsView, group="tunnel")
def list_tunnel_runs(request: Request, draft_id: int) -> Answered:
    """Returns the last 20 wind tunnel runs of a draft, newest first."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return {"results": [tunnel.run_facts(run) for run in tunnel.runs_of(draft=draft)]}


@call("GET", "Get a wind tunnel run", tunnel.TunnelRunView, group="tunnel")
def get_tunnel_run(request: Request, run_id: int) -> Answered:
    """Returns the progress and results of a wind tunnel run.

    To follow the run, repeat the request every two seconds with `If-None-Match`.
    """
    run = tunnel.run_for(viewer=request.user, run_id=run_id)
    headers = {"ETag": _etag(tunnel.run_state_tag(run)), "Cache-Control": "private, no-cache"}
    response = Response(tunnel.run_view(run), headers=headers)
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a wind tunnel run", tunnel.TunnelRunView, 409, group="tunnel")
def cancel_tunnel_run(request: Request, run_id: int) -> Answered:
    """Cancels a wind tunnel run. The run stays in the list, with its last report.

    409 `over` if the run has ended.
    """
    return tunnel.run_view(tunnel.cancel_run(user=person(request), run_id=run_id, now=timezone.now()))


def _etag(state_tag: str) -> str:
    """Return the ETag of a state, as described in the reader's language."""
    return f'"{state_tag}-{get_language()}"'


class ShipSuggestionsView(TypedDict):
    """Your suggestions, newest first."""

    results: list[suggestions.ShipSuggestionFacts]


def _suggestion_response(suggestion: ShipSuggestion, status: int = 200) -> Response:
    """Return a response with a suggestion in the body and a tag for the suggestion's state as the ETag."""
    headers = {"ETag": _etag(suggestions.search_state_tag(suggestion)), "Cache-Control": "private, no-cache"}
    return Response(suggestions.suggestion_view(suggestion), status=status, headers=headers)


@call(
    "POST",
    "Create a suggestion",
    suggestions.ShipSuggestionView,
    409,
    422,
    status=201,
    takes=inputs.ShipOrder,
    guests=False,
    example={"ruleset": "robo-runner", "width": 12, "height": 12, "players": 4, "theme": "ring"},
    group="suggestions",
)
def create_suggestion(request: Request, asked: Values) -> Answered:
    """Starts a search for a starship. A search takes a few minutes.

    If you have a suggestion with the same choices and seed, the answer is that suggestion. 409 `under-way` if
    another search of yours is not over; 429 after 10 searches within a day.
    """
    made = suggestions.ask_for_ship(user=person(request), **asked, now=timezone.now())
    return _suggestion_response(made, 201)


@call("GET", "List your suggestions", ShipSuggestionsView, group="suggestions")
def list_suggestions(request: Request) -> Answered:
    """Returns your suggestions, newest first."""
    return {
        "results": [
            suggestions.suggestion_facts(each) for each in suggestions.suggestions_of(user=person(request))
        ]
    }


@call("GET", "Get a suggestion", suggestions.ShipSuggestionView, group="suggestions")
def get_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Returns the progress of a search, and the ship once it is found.

    To follow the search, repeat the request every two seconds with `If-None-Match`.
    """
    response = _suggestion_response(
        suggestions.suggestion_for(viewer=request.user, suggestion_id=suggestion_id)
    )
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a search", suggestions.ShipSuggestionView, 409, group="suggestions")
def cancel_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Cancels a search. 409 `over` if the search has ended."""
    now = timezone.now()
    return suggestions.suggestion_view(
        suggestions.cancel_search(user=person(request), suggestion_id=suggestion_id, now=now)
    )


@call(
    "POST",
    "Create a draft from a suggestion",
    selectors.StarshipDraftView,
    409,
    status=201,
    group="suggestions",
)
def create_draft_of_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Creates a draft from the suggested ship.

    409 `no-ship` before the ship is found, and `too-many` if you have the maximum number of drafts.
    """
    draft = suggestions.create_draft_from(
        user=person(request), suggestion_id=suggestion_id, now=timezone.now()
    )
    return Response(selectors.draft_view(draft), status=201, headers={"ETag": f'"{draft.version}"'})
