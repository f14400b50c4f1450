"""Runs of my drafts in the wind tunnel."""

from typing import TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.fields import Strict, Text, WholeNumber
from games.api.views.base import Answered, Values, call, person
from games.shipyard.models import MOST_PLAYERS, TunnelRun
from games.shipyard.runs import TunnelRunFacts, TunnelRunView, mark_of, run_facts, run_for, run_view, runs_of
from games.shipyard.selectors import draft_for
from games.shipyard.services.tunnel import cancel_run, start_run
from rules.tunnel.flying import FLIGHTS, MOST_FLIGHTS


class TunnelRunsView(TypedDict):
    """The runs of a draft in the wind tunnel, the last one first."""

    results: list[TunnelRunFacts]


class TunnelSerializer(Strict):
    """What is to be flown: without anything, the draft as it is drawn."""

    may_be_missing = True

    ruleset = Text(default="", allow_blank=True, help_text="In place of the one that the draft is for.")
    players = WholeNumber(
        required=False,
        min_value=1,
        max_value=MOST_PLAYERS,
        help_text="In place of as many as the draft is for, or of the middle number of those that suit.",
    )
    flights = WholeNumber(
        default=FLIGHTS, min_value=1, max_value=MOST_FLIGHTS, help_text="At most: pages offer 200 and 1,000."
    )


@call(
    "POST",
    "Fly a draft in the wind tunnel",
    TunnelRunView,
    409,
    422,
    status=201,
    takes=TunnelSerializer,
    example={"ruleset": "robo-runner", "players": 4, "flights": 200},
)
def start_tunnel_run(request: Request, draft_id: int, asked: Values) -> Answered:
    """Have computers fly a draft, as it is now, up to so many times, and judge it.

    If the same cells were flown like this before, or are being flown, that run is answered. 409 `under-way`
    while another run of mine is; 429 after 20 runs within a day. 422 tells what is wrong with the draft.
    """
    run = start_run(user=person(request), draft_id=draft_id, now=timezone.now(), **asked)
    return Response(run_view(run), status=201, headers={"ETag": _mark(run)})


@call("GET", "List the wind tunnel runs of a draft", TunnelRunsView)
def list_tunnel_runs(request: Request, draft_id: int) -> Answered:
    """The runs of a draft that are kept, the last one first."""
    draft = draft_for(viewer=request.user, draft_id=draft_id)
    return {"results": [run_facts(run) for run in runs_of(draft=draft)]}


@call("GET", "Get a wind tunnel run", TunnelRunView)
def get_tunnel_run(request: Request, run_id: int) -> Answered:
    """How far a run is, and what it has come to so far. Ask every two seconds, with `If-None-Match`."""
    run = run_for(viewer=request.user, run_id=run_id)
    response = Response(run_view(run), headers={"ETag": _mark(run), "Cache-Control": "private, no-cache"})
    if request.headers.get("If-None-Match") == response.headers["ETag"]:
        return Response(status=304, headers=response.headers)
    return response


@call("DELETE", "Cancel a wind tunnel run", TunnelRunView, 409)
def cancel_tunnel_run(request: Request, run_id: int) -> Answered:
    """Stop a run. It stays in the list, with what its last look came to. 409 `over` if it has ended."""
    return run_view(cancel_run(user=person(request), run_id=run_id, now=timezone.now()))


def _mark(run: TunnelRun) -> str:
    return f'"{mark_of(run)}"'
