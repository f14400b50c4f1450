"""Pages of starship lists: public lists, a person's own lists, and their changes."""

from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import limits
from games.errors import number_in
from games.fleet import lists
from games.fleet.inputs import ListsFilter, NewStarshipList, StarshipListChanges
from games.fleet.models import Starship, StarshipList
from games.fleet.selectors import starship_for
from games.reading import allow_replica
from games.shipyard.pages.drafts import unsearched
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import address_without_blanks, handle_missing, page_of, user_of, viewer_of

Context = dict[str, Any]
Values = dict[str, Any]

NewStarshipListForm = form_of(NewStarshipList)
StarshipListChangesForm = form_of(StarshipListChanges)

STEPS: Final = {"up": -1, "down": 1}
"""The buttons for moving a ship in a list, each with its change of the ship's place."""


@require_safe
@allow_replica()
def public_list_page(request: HttpRequest) -> HttpResponse:
    """Show the public lists of starships."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    asked = ListsFilter(request.GET)
    page = page_of(request, lists.public_lists(text=asked.text, sort=asked.sorted_by))
    query = urlencode({name: value for name, value in asked.cleaned_data.items() if value})
    context = {
        "filter": asked,
        "page": page,
        "query": query,
        "lists": _with_pictures(lists.counted_lists(page)),
    }
    return render(request, "fleet/lists.html", context)


def _lists_of_reader(request: HttpRequest) -> Context:
    own = lists.lists_of(user=user_of(request))
    return {"lists": own, "most": lists.MOST_LISTS, "full": len(own) >= lists.MOST_LISTS}


def _lists_with_pictures(request: HttpRequest) -> Context:
    shown = _lists_of_reader(request)
    return {**shown, "lists": _with_pictures(shown["lists"])}


@never_cache
@action(
    NewStarshipListForm,
    template="fleet/my_lists.html",
    context=_lists_with_pictures,
    says=_("Your list is ready. Add ships to it from their pages."),
)
def my_lists(request: HttpRequest, asked: Values) -> Done:
    """Show the user's lists, and the form for a new list. On POST, create the list."""
    made = lists.create_list(user=user_of(request), **asked, now=timezone.now())
    return Done(then=reverse("starships:one_list", args=[made.pk]))


@require_safe
@allow_replica()
@handle_missing
def list_page(request: HttpRequest, list_id: int) -> HttpResponse:
    """Show a public list of starships, or one of the viewer's own lists."""
    return render(
        request,
        "fleet/one_list.html",
        _shown(request, lists.list_for(viewer=viewer_of(request), list_id=list_id)),
    )


@require_safe
@never_cache
@unsearched
@handle_missing
def shared_list_page(request: HttpRequest, list_link: str) -> HttpResponse:
    """Show a list to anyone with its link."""
    if wait := limits.consume(limits.CHECKS, limits.requester_of(request)):
        return limits.too_many_requests(request, wait)
    context = _shown(request, lists.linked_list(link=list_link)) | {"own": False}
    return render(request, "fleet/one_list.html", context)


def _list_to_edit(request: HttpRequest, list_id: int) -> Context:
    made = lists.own_list(user=user_of(request), list_id=list_id)
    initial = {name: getattr(made, name) for name in StarshipListChangesForm.base_fields}
    return {"list": made, "address": _address(request, made), "initial": initial}


def make_link(request: HttpRequest, list_id: int) -> Done:
    """Replace the link of a shared list of starships."""
    lists.renew_link(user=user_of(request), list_id=list_id)
    said = gettext("The old link no longer works. The new one is below.")
    return Done(said, then=reverse("starships:edit_list", args=[list_id]))


@never_cache
@action(
    StarshipListChangesForm,
    template="fleet/edit_list.html",
    context=_list_to_edit,
    buttons={"renew": make_link},
    says=_("List saved."),
)
def edit_list(request: HttpRequest, list_id: int, asked: Values) -> Done:
    """Show the form for the name, text and audience of a list of starships. On POST, save them."""
    link = lists.own_list(user=user_of(request), list_id=list_id).link_token
    made = lists.change_list(user=user_of(request), list_id=list_id, **asked, now=timezone.now())
    has_new_link = made.link_token not in ("", link)
    return Done(then=reverse("starships:edit_list" if has_new_link else "starships:one_list", args=[list_id]))


def _list_to_delete(request: HttpRequest, list_id: int) -> Context:
    return {"list": lists.own_list(user=user_of(request), list_id=list_id)}


@never_cache
@action(
    template="fleet/delete_list.html",
    context=_list_to_delete,
    says=_("List deleted."),
    then="starships:my_lists",
)
def confirm_deletion(request: HttpRequest, list_id: int) -> None:
    """Ask whether to delete a list of starships. On POST, delete the list."""
    lists.delete_list(user=user_of(request), list_id=list_id)


@action()
def arrange_list(request: HttpRequest, list_id: int) -> Done:
    asked: Context = {"user": user_of(request), "list_id": list_id, "now": timezone.now()}
    starship, there = _number(request, "starship"), reverse("starships:one_list", args=[list_id])
    if by := STEPS.get(request.POST.get("do", "")):
        lists.move_in_list(**asked, starship_id=starship, by=by)
        return Done(then=f"{there}#ship-{starship}")
    lists.remove_from_list(**asked, starship_id=starship)
    return Done(gettext("Ship removed from the list."), then=there)


def _lists_for_ship(request: HttpRequest, starship_id: int) -> Context:
    ship, has = (
        starship_for(starship_id=starship_id),
        lists.lists_with(user=user_of(request), starship_id=starship_id),
    )
    return {"starship": ship, "has": has, **_lists_of_reader(request)}


def put_in(request: HttpRequest, starship_id: int) -> Done:
    """Add a starship to one of the user's lists."""
    asked: Context = {"user": user_of(request), "starship_id": starship_id, "now": timezone.now()}
    made = lists.add_to_list(**asked, list_id=_number(request, "add"))
    return Done(gettext("Added to “{list}”.").format(list=made.name), then=request.path)


def take_out(request: HttpRequest, starship_id: int) -> Done:
    """Remove a starship from one of the user's lists."""
    asked: Context = {"user": user_of(request), "starship_id": starship_id, "now": timezone.now()}
    made = lists.remove_from_list(**asked, list_id=_number(request, "remove"))
    return Done(gettext("Removed from “{list}”.").format(list=made.name), then=request.path)


@never_cache
@action(
    NewStarshipListForm,
    template="fleet/add_to_list.html",
    context=_lists_for_ship,
    buttons={"remove": take_out, "add": put_in},
    says=_("Your list is ready, and this ship is in it."),
)
def choose_lists(request: HttpRequest, starship_id: int, asked: Values) -> Done:
    """Show the user's lists, so that they can add a ship. On POST, create a new list with the ship."""
    lists.create_list(user=user_of(request), **asked, starships=[starship_id], now=timezone.now())
    return Done(then=request.path)


def _shown(request: HttpRequest, made: StarshipList) -> Context:
    return {
        "list": made,
        "ships": lists.ships_in(made),
        "own": made.user_id == request.user.pk,
        "address": _address(request, made),
    }


def _with_pictures(made: list[StarshipList]) -> list[tuple[StarshipList, list[Starship]]]:
    """Return each list together with the ships whose pictures the page shows for it."""
    pictures = lists.first_ships(made)
    return [(each, pictures[each.pk]) for each in made]


def _address(request: HttpRequest, made: StarshipList) -> str:
    """Return the full URL of a list for other people, or "" if they cannot see the list."""
    if made.link_token:
        return request.build_absolute_uri(reverse("starships:shared_list", args=[made.link_token]))
    return request.build_absolute_uri(reverse("starships:one_list", args=[made.pk])) if made.is_public else ""


def _number(request: HttpRequest, name: str) -> int:
    """Return an ID from a form field, or 0 if it is not a number. No row has the ID 0."""
    return number_in(request.POST.get(name)) or 0
