"""The pages of tournaments, ladders, seasons and the search for a game."""

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
from games.competitions.inputs import FindForm, TournamentForm
from games.competitions.models import LadderGame, Round, Tournament
from games.competitions.selectors.ladders import ladder_view, ladders
from games.competitions.selectors.matching import ticket_of, ticket_view
from games.competitions.selectors.seasons import season_view, seasons
from games.competitions.selectors.tournaments import (
    games_of_round,
    round_of,
    tournament_for,
    tournament_view,
    tournaments,
)
from games.competitions.services.ladders import challenge, join_ladder, leave_ladder, rest
from games.competitions.services.matching import seek_game, stop_seeking
from games.competitions.services.seasons import join_season, leave_season
from games.competitions.services.tournaments import (
    cancel_tournament,
    confirm_entry,
    create_tournament,
    join_tournament,
    leave_tournament,
    open_tournament,
    why_not_host,
)
from games.errors import NotFound, ServiceError, number_in
from games.lobby.lists import listed
from games.play.models import Game
from games.play.pages.console import Sight
from games.rights import Right, may
from games.web.pages import for_people, hides_what_is_not_there, page_of, user_of, viewer_of

# --- Tournaments --------------------------------------------------------------------------------------------


Status = Tournament.Status

FINISHED_LISTED: Final = 200
"""Tournaments that are over in the list."""

BOARDS_SHOWN: Final = 12
"""Live boards on the page of a tournament."""


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show tournaments: those that can be entered, those under way, and those that are over."""
    viewer = viewer_of(request)
    over = tournaments(viewer=viewer, statuses=[Status.FINISHED, Status.CANCELLED])
    context = {
        "open": tournaments(viewer=viewer, statuses=[Status.OPEN]).order_by("starts_at")[:50],
        "running": tournaments(viewer=viewer, statuses=[Status.RUNNING])[:50],
        "page": page_of(request, over[:FINISHED_LISTED]),
        "drafts": tournaments(viewer=viewer, statuses=[Status.DRAFT])[:50],
    }
    return render(request, "competitions/tournaments.html", context)


@require_safe
@hides_what_is_not_there
def tournament_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    """Show a tournament."""
    return _tournament_page(request, tournament_id)


@require_safe
@hides_what_is_not_there
def round_page(request: HttpRequest, tournament_id: int, number: int) -> HttpResponse:
    """Show a round of a tournament: all its tables, and how they were made."""
    viewer = viewer_of(request)
    shown = tournament_for(viewer=viewer, tournament_id=tournament_id)
    context = {
        "tournament": shown,
        "round": round_of(viewer=viewer, tournament_id=tournament_id, number=number),
        "numbers": shown.all_rounds.values_list("number", flat=True),
    }
    return render(request, "competitions/round.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def new_tournament(request: HttpRequest) -> HttpResponse:
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
    return render(request, "competitions/new_tournament.html", context, status=422 if form.is_bound else 200)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def change_entry(request: HttpRequest, tournament_id: int) -> HttpResponse:
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
        return _tournament_page(request, tournament_id, refusal)
    messages.success(request, said)
    if isinstance(done, Tournament) and done.pk is None:  # a draft, which is deleted
        return redirect("tournaments:list")
    return redirect("tournaments:tournament", tournament_id)


def _tournament_page(
    request: HttpRequest, tournament_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
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
        "games": games.select_related("at_table__table").order_by("at_table__table__number")[:BOARDS_SHOWN],
        "tables": len(last["tables"]) if last else 0,
        "refusal": refusal,
    }
    return render(request, "competitions/tournament.html", context, status=refusal.status if refusal else 200)


def tournament_panel(sight: Sight) -> dict[str, Any]:
    """Return the round of a tournament that a game belongs to; only rated games do."""
    if sight.game.rated != Game.Rated.YES:
        return {}
    rounds = Round.objects.select_related("tournament")
    return {"round_of_tournament": rounds.filter(tables__link__game=sight.game).first()}


# --- Ladders ------------------------------------------------------------------------------------------------


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    """Show all ladders."""
    return render(request, "competitions/ladders.html", {"ladders": ladders()})


@require_safe
@hides_what_is_not_there
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a ladder."""
    return _ladder_page(request, slug)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def change_rung(request: HttpRequest, slug: str) -> HttpResponse:
    """Step on a ladder, rest or leave; challenge a player."""
    user, now = user_of(request), timezone.now()
    name = request.POST.get("player", "")
    deeds: dict[str, tuple[Callable[[], object], str]] = {
        "join": (lambda: join_ladder(user=user, ruleset=slug, now=now), _("You are on the ladder.")),
        "rest": (
            lambda: rest(user=user, ruleset=slug, now=now),
            _("You rest. Your place is kept for 30 days."),
        ),
        "leave": (lambda: leave_ladder(user=user, ruleset=slug), _("You left the ladder.")),
    }
    deed = request.POST.get("do", "")
    try:
        if deed == "challenge":
            game = challenge(user=user, ruleset=slug, robo_name=name, now=now)
            messages.success(request, _("The game has begun. Good luck!"))
            return redirect(game)
        if deed in deeds:
            do, said = deeds[deed]
            do()
            messages.success(request, said)
    except ServiceError as refusal:
        return _ladder_page(request, slug, refusal)
    return redirect("ladders:ladder", slug)


def _ladder_page(request: HttpRequest, slug: str, refusal: ServiceError | None = None) -> HttpResponse:
    shown = ladder_view(viewer=viewer_of(request), ruleset=slug, now=timezone.now())
    show_as(request, "ladders:ladder", slug)
    context = {"ladder": shown, "refusal": refusal, "now": timezone.now()}
    return render(request, "competitions/ladder.html", context, status=refusal.status if refusal else 200)


def ladder_panel(sight: Sight) -> dict[str, Any]:
    """Return the challenge that a game is; only rated games are."""
    if sight.game.rated != Game.Rated.YES:
        return {}
    return {"challenge": LadderGame.objects.filter(game=sight.game).first()}


# --- Seasons ------------------------------------------------------------------------------------------------


@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """Show seasons: those to come, those under way, and those that are over."""
    every = seasons(viewer=viewer_of(request))
    parts = [
        (key, [each for each in every if each["status"] == key]) for key in ("running", "open", "finished")
    ]
    return render(request, "competitions/seasons.html", {"parts": parts})


@require_safe
@hides_what_is_not_there
def season_page(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show a season with its divisions."""
    page, now = number_in(request.GET.get("page"), digits=6), timezone.now()
    shown = season_view(viewer=viewer_of(request), season_id=season_id, page=page, now=now)
    return render(request, "competitions/season.html", {"season": shown, "now": now})


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
def join_or_leave_season(request: HttpRequest, season_id: int) -> HttpResponse:
    """Join a season, or leave it."""
    user = user_of(request)
    try:
        if request.POST.get("do") == "leave":
            leave_season(user=user, season_id=season_id)
            messages.success(request, _("You do not play this season."))
        else:
            join_season(user=user, season_id=season_id, now=timezone.now())
            messages.success(request, _("You play this season."))
    except NotFound:
        raise
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    return redirect("seasons:season", season_id)


# --- Finding a game -----------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def find_game(request: HttpRequest) -> HttpResponse:
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
    return render(request, "competitions/find_game.html", {"form": form, "ticket": ticket}, status=status)


@only_by_form
@login_required
@for_people
def stop_waiting(request: HttpRequest) -> HttpResponse:
    """Wait for a game no more."""
    if stop_seeking(user=user_of(request)):
        messages.success(request, _("We no longer look for a game for you."))
    return redirect("games:mine")
