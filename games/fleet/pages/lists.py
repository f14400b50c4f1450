"""Lists of starships: public ones, one's own, and what a person puts into them."""

from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import limits
from accounts.navigation import only_by_form
from games.errors import NotFound, ServiceError, number_in
from games.fleet.inputs import ListForm, ListsFilter
from games.fleet.lists import (
    MOST_LISTS,
    add_to_list,
    change_list,
    counted_lists,
    create_list,
    delete_list,
    first_ships,
    linked_list,
    list_for,
    lists_of,
    lists_with,
    move_in_list,
    own_list,
    public_lists,
    remove_from_list,
    renew_link,
    ships_in,
)
from games.fleet.models import Starship, StarshipList
from games.fleet.selectors import starship_for
from games.reading import may_be_old
from games.shipyard.pages.drafts import unsearched
from games.web.pages import (
    address_without_blanks,
    for_people,
    hides_what_is_not_there,
    page_of,
    user_of,
    viewer_of,
)

Context = dict[str, Any]

STEPS: Final = {"up": -1, "down": 1}
"""Buttons that move a ship in a list, and by how many places."""


@require_safe
@may_be_old()
def public_list_page(request: HttpRequest) -> HttpResponse:
    """Show the lists that everyone sees."""
    if without_blanks := address_without_blanks(request):
        return redirect(without_blanks)
    asked = ListsFilter(request.GET)
    page = page_of(request, public_lists(text=asked.text, sort=asked.sorted_by))
    query = urlencode({name: value for name, value in asked.cleaned_data.items() if value})
    context = {"filter": asked, "page": page, "query": query, "lists": _with_pictures(counted_lists(page))}
    return render(request, "fleet/lists.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
def my_lists(request: HttpRequest) -> HttpResponse:
    """Show a person's lists; on POST make another one."""
    form = ListForm(request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            made = create_list(user=user_of(request), **form.cleaned_data, now=timezone.now())
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("Your list is ready. Add ships to it from their pages."))
            return redirect("starships:one_list", made.pk)
    own = lists_of(user=user_of(request))
    context = {"lists": _with_pictures(own), "form": form, "most": MOST_LISTS, "full": len(own) >= MOST_LISTS}
    return render(request, "fleet/my_lists.html", context, status=422 if form.is_bound else 200)


@require_safe
@may_be_old()
@hides_what_is_not_there
def list_page(request: HttpRequest, list_id: int) -> HttpResponse:
    """Show a list: to everyone who may see it without a link."""
    return render(
        request,
        "fleet/one_list.html",
        _shown(request, list_for(viewer=viewer_of(request), list_id=list_id)),
    )


@require_safe
@never_cache
@unsearched
@hides_what_is_not_there
def shared_list_page(request: HttpRequest, list_link: str) -> HttpResponse:
    """Show a list to anyone who has its link."""
    if wait := limits.take(limits.CHECKS, limits.who(request)):
        return limits.too_many(request, wait)
    context = _shown(request, linked_list(link=list_link)) | {"own": False}
    return render(request, "fleet/one_list.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def edit_list(request: HttpRequest, list_id: int) -> HttpResponse:
    """Show the words of a list, who sees it, and its link; on POST save them, or make another link."""
    user = user_of(request)
    made = own_list(user=user, list_id=list_id)
    kept, link = {name: getattr(made, name) for name in ListForm.base_fields}, made.link_token
    saves = request.method == "POST" and "renew" not in request.POST
    form = ListForm(request.POST if saves else None, initial=kept)
    status = 200
    try:
        if request.method == "POST" and not saves:
            renew_link(user=user, list_id=list_id)
            messages.success(request, _("The old link opens nothing any more. Below is the new one."))
            return redirect("starships:edit_list", list_id)
        if form.is_bound and form.is_valid():
            made = change_list(user=user, list_id=list_id, **form.cleaned_data, now=timezone.now())
            messages.success(request, _("Your list is saved."))
            has_new_link = made.link_token not in ("", link)
            return redirect("starships:edit_list" if has_new_link else "starships:one_list", list_id)
    except NotFound:
        raise
    except ServiceError as refusal:
        form.add_refusal(refusal)
        status = refusal.status
    if form.is_bound:
        status = max(status, 422)
    context = {"list": made, "form": form, "address": _address(request, made)}
    return render(request, "fleet/edit_list.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def confirm_deletion(request: HttpRequest, list_id: int) -> HttpResponse:
    """Ask before a list is deleted; on POST delete it."""
    made = own_list(user=user_of(request), list_id=list_id)
    if request.method != "POST":
        return render(request, "fleet/delete_list.html", {"list": made})
    delete_list(user=user_of(request), list_id=list_id)
    messages.success(request, _("The list is deleted."))
    return redirect("starships:my_lists")


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def arrange_list(request: HttpRequest, list_id: int) -> HttpResponse:
    """Move a ship in a list, or remove it."""
    asked: Context = {"user": user_of(request), "list_id": list_id, "now": timezone.now()}
    starship = _number(request.POST.get("starship", ""))
    if by := STEPS.get(request.POST.get("do", "")):
        move_in_list(**asked, starship_id=starship, by=by)
        return redirect(f"{reverse('starships:one_list', args=[list_id])}#ship-{starship}")
    remove_from_list(**asked, starship_id=starship)
    messages.success(request, _("The ship is no longer in the list."))
    return redirect("starships:one_list", list_id)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@hides_what_is_not_there
def choose_lists(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Show into which lists a ship may go; on POST put it into one, take it out, or begin a list with it."""
    user, ship = user_of(request), starship_for(starship_id=starship_id)
    begins = "name" in request.POST
    form, refused = ListForm(request.POST if begins else None), None
    try:
        if begins and form.is_valid():
            create_list(user=user, **form.cleaned_data, starships=[starship_id], now=timezone.now())
            messages.success(request, _("Your list is ready, with this ship in it."))
            return redirect("starships:add_to_list", starship_id)
        if request.method == "POST" and not begins:
            _put(request, starship_id)
            return redirect("starships:add_to_list", starship_id)
    except NotFound:
        raise
    except ServiceError as refusal:
        refused = refusal
        if begins:
            form.add_refusal(refusal)
    own = lists_of(user=user)
    context = {
        "starship": ship,
        "lists": own,
        "has": lists_with(user=user, starship_id=starship_id),
        "form": form,
        "most": MOST_LISTS,
        "full": len(own) >= MOST_LISTS,
        "refusal": None if begins else refused,
    }
    status = refused.status if refused else 422 if begins else 200
    return render(request, "fleet/add_to_list.html", context, status=status)


def _put(request: HttpRequest, starship_id: int) -> None:
    """Put a ship into the list that a button names, or take it out."""
    asked: Context = {"user": user_of(request), "starship_id": starship_id, "now": timezone.now()}
    if "remove" in request.POST:
        made = remove_from_list(**asked, list_id=_number(request.POST["remove"]))
        messages.success(request, _("Removed from “{list}”.").format(list=made.name))
    else:
        made = add_to_list(**asked, list_id=_number(request.POST.get("add", "")))
        messages.success(request, _("Added to “{list}”.").format(list=made.name))


def _shown(request: HttpRequest, made: StarshipList) -> Context:
    return {
        "list": made,
        "ships": ships_in(made),
        "own": made.user_id == request.user.pk,
        "address": _address(request, made),
    }


def _with_pictures(made: list[StarshipList]) -> list[tuple[StarshipList, list[Starship]]]:
    """Return lists, each with the ships of which it shows pictures."""
    pictures = first_ships(made)
    return [(each, pictures[each.pk]) for each in made]


def _address(request: HttpRequest, made: StarshipList) -> str:
    """Return the whole address under which others see a list; empty where they do not."""
    if made.link_token:
        return request.build_absolute_uri(reverse("starships:shared_list", args=[made.link_token]))
    return request.build_absolute_uri(reverse("starships:one_list", args=[made.pk])) if made.is_public else ""


def _number(text: str) -> int:
    """Return the number of a row that a form names; 0, which no row has, for anything else."""
    return number_in(text) or 0
