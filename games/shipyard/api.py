"""The API of the shipyard: drafts, test flights, links, runs of the wind tunnel, and suggestions."""

import re
from typing import Annotated, Any, Final, TypedDict

from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.errors import ErrorView, Malformed, ServiceError, refuse_guests
from games.fleet.pictures import empty_board
from games.play.game_view import GameView
from games.shipyard import inputs, selectors, services, suggestions, tunnel
from games.shipyard.models import Drawing, ShipSuggestion, StarshipDraft, TunnelRun
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
    """My drafts, the last saved first."""

    results: list[selectors.StarshipDraftFacts]
    most: Annotated[int, "How many I may have."]


class DraftRevisionsView(TypedDict):
    """The versions of a draft that are kept, the last one first."""

    results: list[selectors.DraftRevisionFacts]


class StaleDraftView(ErrorView):
    """A draft was saved in the meantime; nothing was changed."""

    draft: Annotated[selectors.StarshipDraftView, "What it is now."]


class CheckedStarshipView(TypedDict):
    """What is wrong with a drawing, and how it looks."""

    problems: list[selectors.DraftProblem]
    suits: Annotated[list[str], "The rulesets by which it can be flown."]
    drawing: Annotated[str | None, "An SVG document, if it was asked for."]


class VersionMissing(ServiceError):
    """A change that does not say which version it is of."""

    status = 428


def _expected(request: Request, *, needed: bool = True) -> int | None:
    """Return which version a change is of, by the header `If-Match`."""
    header = request.headers.get("If-Match")
    if header is None or not header.strip():
        if not needed:
            return None
        raise VersionMissing("no-version", _("Send the header If-Match with the ETag of the draft."))
    found = VERSION.fullmatch(header.strip())
    if found is None:
        raise Malformed("malformed", _('If-Match must be the ETag of the draft, such as “"7"”.'))
    return int(found[1])


def _tagged(draft: StarshipDraft, status: int = 200) -> Response:
    """Answer with a draft, and with its version as the ETag."""
    return Response(selectors.draft_view(draft), status=status, headers={"ETag": f'"{draft.version}"'})


@call("GET", "List my drafts", StarshipDraftsView)
def list_starship_drafts(request: Request) -> Answered:
    """The starships that I am drawing, the last saved first."""
    return _listed(request)


@call(
    "POST",
    "Begin a draft",
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
    """Begin with plain hull, a document, or a copy: of a starship, of a draft of mine, or of a shared one.

    Cells of a document may say anything: what is wrong with them is told under `problems`. 409 `too-many` if
    I have as many as one may have.
    """
    width, height = asked.pop("width", None), asked.pop("height", None)
    if width is not None or height is not None:
        asked["size"] = (width or height or USUAL_SIZE, height or width or USUAL_SIZE)
    asked |= {f"{key}_id": asked.pop(key) for key in ("starship", "draft") if key in asked}
    return _tagged(services.create_draft(user=person(request), now=timezone.now(), **asked), 201)


@call("GET", "Get a draft", selectors.StarshipDraftView)
def get_starship_draft(request: Request, draft_id: int) -> Answered:
    """A starship that I am drawing, with all that is wrong with it. Its version is also the `ETag`."""
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
    told={412: StaleDraftView},
)
def save_starship_draft(request: Request, draft_id: int, asked: Values) -> Answered:
    """Save what I have drawn. The header `If-Match` must be the `ETag` of the version that I have changed.

    412 if another version was saved in the meantime; 428 without the header. A drawing that is the same as
    the saved one makes no new version, so it may be sent again.
    """
    expected = _expected(request)
    user, now = person(request), timezone.now()
    return _tagged(
        services.save_draft(user=user, draft_id=draft_id, expected_version=expected, now=now, **asked)
    )


@call("DELETE", "Delete a draft", StarshipDraftsView)
def delete_starship_draft(request: Request, draft_id: int) -> Answered:
    """Delete a draft with all its versions. Its test flights stay as they are."""
    services.delete_draft(user=person(request), draft_id=draft_id)
    return _listed(request)


@call("GET", "List the versions of a draft", DraftRevisionsView)
def list_draft_revisions(request: Request, draft_id: int) -> Answered:
    """The versions that are kept, the last one first: a minute apart, and an hour after a day."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return {"results": [selectors.revision_facts(version) for version in selectors.versions_of(draft=draft)]}


@call("GET", "Get a version of a draft", selectors.DraftRevisionView)
def get_draft_revision(request: Request, draft_id: int, number: int) -> Answered:
    """A draft as it was once."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return selectors.revision_view(selectors.version_for(draft=draft, number=number))


@call("POST", "Bring back a version of a draft", selectors.StarshipDraftView, 412, told={412: StaleDraftView})
def restore_draft_revision(request: Request, draft_id: int, number: int) -> Answered:
    """Save an earlier version as a new one; what is there now is kept as well. `If-Match` may be sent."""
    draft = services.bring_back(
        user=person(request),
        draft_id=draft_id,
        number=number,
        expected_version=_expected(request, needed=False),
        now=timezone.now(),
    )
    return _tagged(draft)


@call("GET", "Download a draft", selectors.DraftDocument)
def get_draft_document(request: Request, draft_id: int) -> Answered:
    """The drawing alone, as a file."""
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
    """Start a private game on a draft as it is now, alone or against computers. It counts for nothing.

    A test flight of the same draft that is under way ends. 422 tells what is wrong with the draft.
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
    """What is wrong with a starship, and what mends it. Nothing is saved."""
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
    """What a starship is like while it is drawn: ways, lines of fire, shelter, cells out of reach.

    It tells what can be told of a ship that is not finished. Nothing is saved.
    """
    refuse_guests(person(request))
    return outlook_view(_drawn(asked))


def _drawn(asked: Values) -> Drawing:
    """Return what was sent to be looked at, and is kept nowhere."""
    return selectors.drawing_of(**{"name": None, "ruleset": "", "players": USUAL_PLAYERS, **asked})


def _listed(request: Request) -> dict[str, Any]:
    found = selectors.drafts_of(user=person(request))
    return {"results": [selectors.facts_of_draft(draft) for draft in found], "most": MOST_DRAFTS}


@call("POST", "Share a draft", selectors.StarshipDraftView, 409, group="sharing")
def create_draft_link(request: Request, draft_id: int) -> Answered:
    """Make a secret `link` to a draft, or another one: then the one before opens nothing any more.

    `GET shipyard/shared/{link}` tells everyone who has it what I have saved last; the page is
    `/shipyard/shared/{link}/`. 409 `taken-down` for a draft that staff have taken down.
    """
    return selectors.draft_view(
        services.make_link(user=person(request), draft_id=draft_id, now=timezone.now())
    )


@call("DELETE", "Stop sharing a draft", selectors.StarshipDraftView, group="sharing")
def delete_draft_link(request: Request, draft_id: int) -> Answered:
    """Take back the link of a draft, if it has one: it opens nothing any more. Copies stay."""
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
    """What a link shows: the drawing as its builder saved it last, and what is wrong with it.

    To draw on with a copy, `POST shipyard/drafts` with `{"link": …}`.
    """
    draft = selectors.shared_draft(link=link)
    if wait := limits.take(
        limits.CHECKS, limits.who(request), limits.CHECKS.cost(selectors.size_of(draft)) - 1
    ):
        raise Throttled(wait)
    return Response(selectors.shared_view(draft), headers=dict([selectors.UNSEARCHED]))


class TunnelRunsView(TypedDict):
    """The runs of a draft in the wind tunnel, the last one first."""

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
    """Have computers fly a draft, as it is now, up to so many times, and judge it.

    If the same cells were flown like this before, or are being flown, that run is answered. 409 `under-way`
    while another run of mine is; 429 after 20 runs within a day. 422 tells what is wrong with the draft.
    """
    run = tunnel.start_run(user=person(request), draft_id=draft_id, now=timezone.now(), **asked)
    return Response(tunnel.run_view(run), status=201, headers={"ETag": _mark(run)})


@call("GET", "List the wind tunnel runs of a draft", TunnelRunsView, group="tunnel")
def list_tunnel_runs(request: Request, draft_id: int) -> Answered:
    """The runs of a draft that are kept, the last one first."""
    draft = selectors.draft_for(viewer=request.user, draft_id=draft_id)
    return {"results": [tunnel.run_facts(run) for run in tunnel.runs_of(draft=draft)]}


@call("GET", "Get a wind tunnel run", tunnel.TunnelRunView, group="tunnel")
def get_tunnel_run(request: Request, run_id: int) -> Answered:
    """How far a run is, and what it has come to so far. Ask every two seconds, with `If-None-Match`."""
    run = tunnel.run_for(viewer=request.user, run_id=run_id)
    response = Response(
        tunnel.run_view(run), headers={"ETag": _mark(run), "Cache-Control": "private, no-cache"}
    )
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a wind tunnel run", tunnel.TunnelRunView, 409, group="tunnel")
def cancel_tunnel_run(request: Request, run_id: int) -> Answered:
    """Stop a run. It stays in the list, with what its last look came to. 409 `over` if it has ended."""
    return tunnel.run_view(tunnel.cancel_run(user=person(request), run_id=run_id, now=timezone.now()))


def _mark(run: TunnelRun) -> str:
    return f'"{tunnel.mark_of_run(run)}"'


class ShipSuggestionsView(TypedDict):
    """The ships that I have asked for, the last one first."""

    results: list[suggestions.ShipSuggestionFacts]


def _told(suggestion: ShipSuggestion, status: int = 200) -> Response:
    """Answer with a suggestion, and with what differs whenever something of it does as the ETag."""
    headers = {"ETag": f'"{suggestions.mark_of_search(suggestion)}"', "Cache-Control": "private, no-cache"}
    return Response(suggestions.suggestion_view(suggestion), status=status, headers=headers)


@call(
    "POST",
    "Ask for a starship",
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
    """Have the generator look for a starship. That takes some minutes.

    If I have asked for the same with the same seed, that is answered. 409 `under-way` while another one is
    being looked for; 429 after 10 within a day.
    """
    made = suggestions.ask_for_ship(user=person(request), **asked, now=timezone.now())
    return _told(made, 201)


@call("GET", "List my suggestions", ShipSuggestionsView, group="suggestions")
def list_suggestions(request: Request) -> Answered:
    """The ships that I have asked for, the last one first."""
    return {
        "results": [
            suggestions.suggestion_facts(each) for each in suggestions.suggestions_of(user=person(request))
        ]
    }


@call("GET", "Get a suggestion", suggestions.ShipSuggestionView, group="suggestions")
def get_suggestion(request: Request, suggestion_id: int) -> Answered:
    """How far the search is, and the ship once it is found. Ask every two seconds, with `If-None-Match`."""
    response = _told(suggestions.suggestion_for(viewer=request.user, suggestion_id=suggestion_id))
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a search", suggestions.ShipSuggestionView, 409, group="suggestions")
def cancel_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Stop looking for a ship. 409 `over` if the search has ended."""
    now = timezone.now()
    return suggestions.suggestion_view(
        suggestions.cancel_search(user=person(request), suggestion_id=suggestion_id, now=now)
    )


@call("POST", "Draw on with a suggestion", selectors.StarshipDraftView, 409, status=201, group="suggestions")
def create_draft_of_suggestion(request: Request, suggestion_id: int) -> Answered:
    """Begin a draft with the ship that was found. 409 `no-ship` before that, `too-many` without room."""
    draft = suggestions.draw_on(user=person(request), suggestion_id=suggestion_id, now=timezone.now())
    return Response(selectors.draft_view(draft), status=201, headers={"ETag": f'"{draft.version}"'})
