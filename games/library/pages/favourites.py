"""Favourite starships, of the person who looks."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.navigation import only_by_form
from games.errors import ServiceError
from games.fleet.services.favourites import add_favourite, remove_favourite
from games.library.pages.dock import favourites_context
from games.library.pages.starships import starship_page
from games.pages import for_people, hides_what_is_not_there, sign_in_first, user_of

REMOVE = "remove"
"""What the button sends that takes a ship from the favourites."""


@require_safe
@login_required
@for_people
def favourites(request: HttpRequest) -> HttpResponse:
    """Show a person's favourites."""
    return render(request, "library/favourites_page.html", favourites_context(user_of(request)))


@only_by_form
@hides_what_is_not_there
@for_people
def favourite(request: HttpRequest, starship_id: int) -> HttpResponse:
    """Add a starship to the favourites, or remove it."""
    there = reverse("starships:detail", args=[starship_id])
    if not request.user.is_authenticated:
        return sign_in_first(there)
    user = user_of(request)
    if request.POST.get("do") == REMOVE:
        remove_favourite(user=user, starship_id=starship_id)
        messages.success(request, _("Removed from your favourites."))
        return redirect(there)
    try:
        add_favourite(user=user, starship_id=starship_id, now=timezone.now())
    except ServiceError as refusal:
        return starship_page(request, starship_id, refusal)
    messages.success(request, _("Added to your favourites."))
    return redirect(there)
