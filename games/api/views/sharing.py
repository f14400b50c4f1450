"""Starships that I share: the secret link of a draft, and what it shows."""

from django.utils import timezone
from rest_framework.exceptions import Throttled
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import limits
from games.api.throttling import Checks
from games.api.views.base import Answered, call, person
from games.shipyard.drawings import size_of
from games.shipyard.selectors import StarshipDraftView, draft_view
from games.shipyard.services import links
from games.shipyard.sharing import UNSEARCHED, SharedStarshipView, shared_draft, shared_view


@call("POST", "Share a draft", StarshipDraftView, 409)
def create_draft_link(request: Request, draft_id: int) -> Answered:
    """Make a secret `link` to a draft, or another one: then the one before opens nothing any more.

    `GET shipyard/shared/{link}` tells everyone who has it what I have saved last; the page is
    `/shipyard/shared/{link}/`. 409 `taken-down` for a draft that staff have taken down.
    """
    return draft_view(links.make_link(user=person(request), draft_id=draft_id, now=timezone.now()))


@call("DELETE", "Stop sharing a draft", StarshipDraftView)
def delete_draft_link(request: Request, draft_id: int) -> Answered:
    """Take back the link of a draft, if it has one: it opens nothing any more. Copies stay."""
    return draft_view(links.drop_link(user=person(request), draft_id=draft_id))


@call("GET", "Get a shared starship", SharedStarshipView, strangers=True, throttle_classes=(Checks,))
def get_shared_starship(request: Request, link: str) -> Answered:
    """What a link shows: the drawing as its builder saved it last, and what is wrong with it.

    To draw on with a copy, `POST shipyard/drafts` with `{"link": …}`.
    """
    draft = shared_draft(link=link)
    if wait := limits.take(limits.CHECKS, limits.who(request), limits.CHECKS.cost(size_of(draft)) - 1):
        raise Throttled(wait)
    return Response(shared_view(draft), headers=dict([UNSEARCHED]))
