"""Lists of starships that people make."""

from typing import Annotated, Final, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.documents import URL
from games.api.fields import LARGEST_ID, Choice, Items, Strict, Text, WholeNumber
from games.api.pagination import numbered
from games.api.queries import StarshipListsQuery
from games.api.throttling import Checks
from games.api.views.base import Answered, Values, call, person
from games.api.views.library import ListedStarshipView, listed
from games.documents import written
from games.library.models import StarshipList
from games.library.models.lists import LONGEST_NAME, LONGEST_TEXT, MOST_SHIPS
from games.library.selectors.lists import (
    MOST_LISTS,
    StarshipListFacts,
    counted,
    linked_list,
    list_facts,
    list_for,
    lists_of,
    public_lists,
    ships_in,
)
from games.library.services import lists
from games.shipyard.sharing import UNSEARCHED


class StarshipListsView(TypedDict):
    """A page of the lists that everyone sees."""

    count: Annotated[int, "How many there are on all pages."]
    next: Annotated[str | None, URL, "Where the next page is; null on the last."]
    previous: Annotated[str | None, URL, "Where the page before is."]
    results: list[StarshipListFacts]


class MyStarshipListsView(TypedDict):
    """My lists, the last changed first."""

    results: list[StarshipListFacts]
    most: Annotated[int, "How many I may have."]


class StarshipListView(StarshipListFacts):
    """A list with its ships. Those that were retired stay in it."""

    link: Annotated[str | None, "What opens it for others, in a list of mine that is seen by its link."]
    starships: Annotated[list[ListedStarshipView], "In its order."]


SEEN_BY: Final = "Who sees it: I alone, those who have its link, or everyone."


class NewStarshipListSerializer(Strict):
    """A list of starships."""

    name = Text(help_text=f"At most {LONGEST_NAME} characters; another one for each list of mine.")
    text = Text(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of at most {LONGEST_TEXT} characters.",
    )
    seen_by = Choice(StarshipList.SeenBy.values, default=StarshipList.SeenBy.OWNER.value, help_text=SEEN_BY)
    starships = Items(
        child=WholeNumber(min_value=1, max_value=LARGEST_ID),
        default=list,
        max_length=MOST_SHIPS,
        help_text="Their `id`s, in order.",
    )


class StarshipListChangesSerializer(Strict):
    """What should change in a list; what is not named stays."""

    name = Text(required=False, help_text=f"At most {LONGEST_NAME} characters.")
    text = Text(
        required=False,
        allow_blank=True,
        trim_whitespace=False,
        help_text=f"Plain text of at most {LONGEST_TEXT} characters.",
    )
    seen_by = Choice(
        StarshipList.SeenBy.values,
        required=False,
        help_text=f"{SEEN_BY} Its link opens nothing any more once it is another than `link`.",
    )
    starships = Items(
        child=WholeNumber(min_value=1, max_value=LARGEST_ID),
        required=False,
        max_length=MOST_SHIPS,
        help_text="The `id`s of all its ships, in order.",
    )


@call("GET", "List lists of starships", StarshipListsView, query=StarshipListsQuery, strangers=True, old=bool)
def list_starship_lists(request: Request, asked: Values) -> Answered:
    """Lists that everyone sees; empty ones are left out."""
    found = public_lists(text=asked["q"], sort=asked["sort"])
    rows, told = numbered(request, found, page=asked["page"], limit=asked["limit"])
    return {**told, "results": [list_facts(each) for each in counted(rows)]}


@call("GET", "List my lists of starships", MyStarshipListsView)
def list_my_starship_lists(request: Request) -> Answered:
    """All my lists, also those that only I see."""
    found = lists_of(user=person(request))
    return {"results": [list_facts(each) for each in found], "most": MOST_LISTS}


@call(
    "POST",
    "Make a list of starships",
    StarshipListView,
    409,
    422,
    status=201,
    takes=NewStarshipListSerializer,
    example={"name": "For beginners", "seen_by": "everyone", "starships": [4, 6]},
)
def create_starship_list(request: Request, asked: Values) -> Answered:
    """Make a list. I may have 20, with 50 ships in each."""
    made = lists.create_list(user=person(request), **asked, now=timezone.now())
    return _view(request, made.pk)


@call("GET", "Get a list of starships", StarshipListView, strangers=True)
def get_starship_list(request: Request, list_id: int) -> Answered:
    """A list that everyone sees, or one of mine, with its ships."""
    return _view(request, list_id)


@call(
    "PATCH",
    "Change a list of starships",
    StarshipListView,
    422,
    takes=StarshipListChangesSerializer,
    example={"starships": [6, 4]},
)
def update_starship_list(request: Request, list_id: int, asked: Values) -> Answered:
    """Change the words of a list of mine, who sees it, or its ships and their order."""
    lists.change_list(user=person(request), list_id=list_id, **asked, now=timezone.now())
    return _view(request, list_id)


@call("DELETE", "Delete a list of starships", MyStarshipListsView)
def delete_starship_list(request: Request, list_id: int) -> Answered:
    """Delete a list of mine; its ships stay. Answers with those that are left."""
    lists.delete_list(user=person(request), list_id=list_id)
    found = lists_of(user=person(request))
    return {"results": [list_facts(each) for each in found], "most": MOST_LISTS}


@call("POST", "Renew the link of a list", StarshipListView, 409)
def create_list_link(request: Request, list_id: int) -> Answered:
    """Give a list of mine that is seen by its link another one: the one before opens nothing any more."""
    lists.renew_link(user=person(request), list_id=list_id)
    return _view(request, list_id)


@call("PUT", "Add a starship to a list", StarshipListView, 409)
def add_to_starship_list(request: Request, list_id: int, starship_id: int) -> Answered:
    """Put a starship at the end of a list of mine; one that is in it stays where it is."""
    lists.add_to_list(user=person(request), list_id=list_id, starship_id=starship_id, now=timezone.now())
    return _view(request, list_id)


@call("DELETE", "Remove a starship from a list", StarshipListView)
def remove_from_starship_list(request: Request, list_id: int, starship_id: int) -> Answered:
    """Take a starship from a list of mine, if it is in it."""
    lists.remove_from_list(user=person(request), list_id=list_id, starship_id=starship_id, now=timezone.now())
    return _view(request, list_id)


@call("GET", "Get a shared list", StarshipListView, strangers=True, throttle_classes=(Checks,))
def get_shared_starship_list(request: Request, list_link: str) -> Answered:
    """What a link shows: a list with its ships."""
    made = linked_list(link=list_link)
    return Response(_with_ships(made, link=None), headers=dict([UNSEARCHED]))


def _view(request: Request, list_id: int) -> StarshipListView:
    made = list_for(viewer=request.user, list_id=list_id)
    own = made.user_id == request.user.pk
    return _with_ships(made, link=made.link_token or None if own else None)


def _with_ships(made: StarshipList, *, link: str | None) -> StarshipListView:
    ships = [listed(ship) for ship in ships_in(made)]
    return written(StarshipListView, made, maker=made.user.robo_name, link=link, starships=ships)
