"""Tournaments: their list, the page of each, and what one may do there."""

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.navigation import only_by_form, show_as
from games.clubs.selectors import clubs_led_by
from games.errors import ServiceError
from games.lobby.selectors.rooms import listed
from games.pages import for_people, hides_what_is_not_there, number_in, page_of, user_of, viewer_of
from games.rights import Right, may
from games.tournaments.forms import TournamentForm
from games.tournaments.models import Tournament
from games.tournaments.selectors.tournaments import (
    games_of_round,
    round_of,
    tournament_for,
    tournament_view,
    tournaments,
)
from games.tournaments.services.creation import (
    cancel_tournament,
    create_tournament,
    open_tournament,
    why_not_host,
)
from games.tournaments.services.entries import confirm_entry, join_tournament, leave_tournament

Status = Tournament.Status

MOST_OVER: Final = 200
"""Tournaments that are over in the list."""

TABLES: Final = 12
"""Live boards on the page of a tournament."""


@require_safe
def listing(request: HttpRequest) -> HttpResponse:
    """Show tournaments: those that can be entered, those under way, and those that are over."""
    viewer = viewer_of(request)
    over = tournaments(viewer=viewer, statuses=[Status.FINISHED, Status.CANCELLED])
    context = {
        "open": tournaments(viewer=viewer, statuses=[Status.OPEN]).order_by("starts_at")[:50],
        "running": tournaments(viewer=viewer, statuses=[Status.RUNNING])[:50],
        "page": page_of(request, over[:MOST_OVER]),
        "drafts": tournaments(viewer=viewer, statuses=[Status.DRAFT])[:50],
    }
    return render(request, "tournaments/tournaments.html", context)


@require_safe
@hides_what_is_not_there
def tournament(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a tournament."""
    return _page(request, tournament_id)


@require_safe
@hides_what_is_not_there
def one_round(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Show a round of a tournament: all its tables, and how they were made."""
    viewer = viewer_of(request)
    shown = tournament_for(viewer=viewer, tournament_id=tournament_id)
    context = {
        "tournament": shown,
        "round": round_of(viewer=viewer, tournament_id=tournament_id, number=number),
        "numbers": shown.all_rounds.values_list("number", flat=True),
    }
    return render(request, "tournaments/round.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def create(request: HttpRequest) -> HttpResponse:
    """Ask for the rules of a tournament, and make it as a draft."""
    user = user_of(request)
    clubs = clubs_led_by(user)
    form = TournamentForm(request.POST or None, clubs=clubs)
    if form.is_valid():
        try:
            made = create_tournament(user=user, terms=form.terms, now=timezone.now())
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _("This is a draft: only you see it. Look at it, then open it."))
            return redirect(made)
    context = {"form": form, "why_not": "" if clubs else why_not_host(user)}
    return render(request, "tournaments/new.html", context, status=422 if form.is_bound else 200)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def act(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Enter a tournament, leave it or play on; open it or call it off."""
    user, now = user_of(request), timezone.now()
    number = number_in(request.POST.get("banned"), digits=9)
    there: dict[str, Any] = {"user": user, "tournament_id": tournament_id, "now": now}
    deeds: dict[str, tuple[Callable[[], object], str]] = {
        "join": (lambda: join_tournament(**there, banned=number), _("You are in the tournament.")),
        "leave": (lambda: leave_tournament(**there), _("You left the tournament.")),
        "confirm": (lambda: confirm_entry(**there), _("You play the next round.")),
        "open": (lambda: open_tournament(**there), _("The tournament is open. Its rules stay as they are.")),
        "cancel": (lambda: cancel_tournament(**there), _("The tournament is called off.")),
    }
    deed = deeds.get(request.POST.get("do", ""))
    if deed is None:
        return redirect("tournaments:tournament", tournament_id)
    do, said = deed
    try:
        done = do()
    except ServiceError as refusal:
        return _page(request, tournament_id, refusal)
    messages.success(request, said)
    if isinstance(done, Tournament) and done.pk is None:  # a draft, which is deleted
        return redirect("tournaments:list")
    return redirect("tournaments:tournament", tournament_id)


def _page(request: HttpRequest, tournament_id: int, refusal: ServiceError | None = None) -> HttpResponse:
    viewer = viewer_of(request)
    row = tournament_for(viewer=viewer, tournament_id=tournament_id)
    shown = tournament_view(viewer=viewer, tournament_id=tournament_id)
    show_as(request, "tournaments:tournament", tournament_id)
    last = shown["last_round"]
    games = listed(games_of_round(row), viewer=viewer)
    context = {
        "row": row,
        "tournament": shown,
        "hosts": isinstance(viewer, User) and viewer.pk == row.host_id,
        "manages": may(viewer, Right.CHANGE_TOURNAMENTS),
        "rounds": list(row.all_rounds.order_by("number").values_list("number", flat=True)),
        "games": games.select_related("at_table__table").order_by("at_table__table__number")[:TABLES],
        "tables": len(last["tables"]) if last else 0,
        "refusal": refusal,
    }
    return render(request, "tournaments/tournament.html", context, status=refusal.status if refusal else 200)
