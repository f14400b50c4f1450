"""Finding a game: what it is to be like, and waiting for it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.navigation import only_by_form
from games.errors import ServiceError
from games.matching.forms import FindForm
from games.matching.selectors import ticket_of, ticket_view
from games.matching.services.tickets import seek_game, stop_seeking
from games.pages import for_people, user_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def find(request: HttpRequest) -> HttpResponse:
    """Ask what the game is to be like, and wait for it."""
    user = user_of(request)
    ticket = ticket_of(user=user)
    before = (
        {name: str(value) for name, value in ticket_view(ticket).items() if value is not None}
        if ticket
        else None
    )
    form = FindForm(request.POST or None, initial=before)
    if form.is_valid():
        try:
            seek_game(user=user, **form.wish, now=timezone.now())
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("We look for a game for you. You will hear from us."))
            return redirect("games:mine")
    status = 422 if form.is_bound else 200
    return render(request, "matching/find.html", {"form": form, "ticket": ticket}, status=status)


@only_by_form
@login_required
@for_people
def stop(request: HttpRequest) -> HttpResponse:
    """Wait for a game no more."""
    if stop_seeking(user=user_of(request)):
        messages.success(request, _("We no longer look for a game for you."))
    return redirect("games:mine")
