"""API calls for branches of a game."""

from django.utils import timezone
from rest_framework.request import Request

from games.branches import selectors, services
from games.branches.inputs import NewBranch, NewBranchOfTurn
from games.branches.selectors import BranchList, BranchView
from games.web.api import Answered, Values, call, game_of, person
from games.web.queries import LinkQuery

CHANGES = {"name": "Left first", "orders": {"1": {"registers": [490, 500, 80, 90, 100]}}, "computers": 2}


@call("GET", "List your branches of a game", BranchList, query=LinkQuery)
def list_branches(request: Request, game_id: int, asked: Values) -> Answered:
    """Returns your branches of a game, by turn, without their turns."""
    return selectors.list_branches(user=person(request), game=game_of(request, game_id, asked))


@call(
    "POST",
    "Play a turn again with other orders",
    BranchView,
    409,
    422,
    status=201,
    takes=NewBranchOfTurn,
    guests=False,
    example={"turn": 3, **CHANGES},
)
def create_branch(request: Request, game_id: int, asked: Values) -> Answered:
    """Creates a branch: a played turn with other orders or headings. The other robots keep their orders.

    Send the whole orders of each changed robot. Chips must be in its hand. In a running game, you must have a
    seat, and other robots have only the chips that they played.

    404 means that the turn was not played. 409 means that the game is not over and you have no seat in it, or
    that you have too many branches. 422 has all problems of the orders.
    """
    user = person(request)
    made = services.create_branch(user=user, game=game_of(request, game_id), now=timezone.now(), **asked)
    return selectors.branch_view(made, viewer=user)


@call("GET", "Get a branch", BranchView, query=LinkQuery, strangers=True)
def get_branch(request: Request, game_id: int, branch_token: str, asked: Values) -> Answered:
    """Returns a branch with its turns: the changed turn, and the turns that computers play.

    Anyone with its token may read it once the game is over. Until then, only its owner may.
    """
    game = game_of(request, game_id, asked)
    made = selectors.branch_of(viewer=request.user, game=game, token=branch_token)
    return selectors.branch_view(made, viewer=request.user)


@call(
    "PUT",
    "Change a branch",
    BranchView,
    422,
    takes=NewBranch,
    guests=False,
    example=CHANGES,
)
def update_branch(request: Request, game_id: int, branch_token: str, asked: Values) -> Answered:
    """Replaces the name and all changes of one of your branches. Its turn stays."""
    user = person(request)
    game = game_of(request, game_id)
    made = services.change_branch(user=user, game=game, token=branch_token, now=timezone.now(), **asked)
    return selectors.branch_view(made, viewer=user)


@call("DELETE", "Delete a branch", BranchList, guests=False)
def delete_branch(request: Request, game_id: int, branch_token: str) -> Answered:
    """Deletes one of your branches, and returns the others. Its link stops working."""
    user, game = person(request), game_of(request, game_id)
    services.delete_branch(user=user, game=game, token=branch_token)
    return selectors.list_branches(user=user, game=game)
