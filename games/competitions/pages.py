"""Pages of tournaments, ladders, seasons and the search for a game."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.navigation import show_as
from games.clubs.selectors import clubs_led_by
from games.competitions.inputs import NewTournamentForm, Wish
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
from games.errors import ServiceError, number_in
from games.lobby.lists import listed
from games.play.models import Game
from games.play.pages.console import PageContext
from games.rights import Right, may
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import handle_missing, page_of, user_of, viewer_of

# --- Tournaments --------------------------------------------------------------------------------------------


Status = Tournament.Status

FINISHED_LISTED: Final = 200
"""Number of ended tournaments to list."""

BOARDS_SHOWN: Final = 12
"""Live boards on the page of a tournament."""


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show tournaments: open, running and ended ones, and drafts."""
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
@handle_missing
def tournament_page(request: HttpRequest, tournament_id: int) -> HttpResponse:
    return show_tournament(request, tournament_id)


@require_safe
@handle_missing
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


def show_tournament(
    request: HttpRequest, tournament_id: int, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show a tournament, with the reason for a refusal."""
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


def _clubs_to_host(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    clubs = clubs_led_by(user)
    return {"given": {"clubs": clubs}, "why_not": "" if clubs else why_not_host(user)}


@action(
    NewTournamentForm,
    template="competitions/new_tournament.html",
    context=_clubs_to_host,
    says=_("Draft saved. Check it, then open the tournament to players."),
)
def new_tournament(request: HttpRequest, asked: dict[str, Any]) -> Done:
    """Ask for the rules of a tournament, and create a draft."""
    return Done(then=create_tournament(user=user_of(request), terms=asked, now=timezone.now()))


@action(refused_on=show_tournament)
def change_entry(request: HttpRequest, tournament_id: int) -> Done:
    """Enter, leave or cancel a tournament, confirm the next round, or open a draft."""
    there: dict[str, Any] = {"user": user_of(request), "tournament_id": tournament_id, "now": timezone.now()}
    match request.POST.get("do"):
        case "join":
            join_tournament(**there, banned=number_in(request.POST.get("banned"), digits=9))
            return Done(_("You entered the tournament."))
        case "leave":
            leave_tournament(**there)
            return Done(_("You left the tournament."))
        case "confirm":
            confirm_entry(**there)
            return Done(_("You confirmed the next round."))
        case "open":
            open_tournament(**there)
            return Done(_("The tournament is open. Its rules can’t change any more."))
        case "cancel":
            was_draft = cancel_tournament(**there).pk is None
            if was_draft:
                return Done(_("The draft was deleted."), then="tournaments:list")
            return Done(_("The tournament was cancelled."))
    return Done()


def tournament_panel(page: PageContext) -> dict[str, Any]:
    """Return the tournament round of a game. Only rated games have one."""
    if page.game.rated != Game.Rated.YES:
        return {}
    rounds = Round.objects.select_related("tournament")
    return {"round_of_tournament": rounds.filter(tables__link__game=page.game).first()}


# --- Ladders ------------------------------------------------------------------------------------------------


@require_safe
def ladder_list(request: HttpRequest) -> HttpResponse:
    return render(request, "competitions/ladders.html", {"ladders": ladders()})


@require_safe
@handle_missing
def ladder_page(request: HttpRequest, slug: str) -> HttpResponse:
    return show_ladder(request, slug)


def show_ladder(request: HttpRequest, slug: str, refusal: ServiceError | None = None) -> HttpResponse:
    """Show a ladder, with the reason for a refusal."""
    shown = ladder_view(viewer=viewer_of(request), ruleset=slug, now=timezone.now())
    show_as(request, "ladders:ladder", slug)
    context = {"ladder": shown, "refusal": refusal, "now": timezone.now()}
    return render(request, "competitions/ladder.html", context, status=refusal.status if refusal else 200)


@action(refused_on=show_ladder)
def change_rung(request: HttpRequest, slug: str) -> Done:
    """Join a ladder, rest or leave, or challenge a player."""
    user, now = user_of(request), timezone.now()
    match request.POST.get("do"):
        case "challenge":
            name = request.POST.get("player", "")
            game = challenge(user=user, ruleset=slug, robo_name=name, now=now)
            return Done(_("The game has started. Good luck!"), then=game)
        case "join":
            join_ladder(user=user, ruleset=slug, now=now)
            return Done(_("You are on the ladder."))
        case "rest":
            rest(user=user, ruleset=slug, now=now)
            return Done(_("You are resting. You keep your place for 30 days."))
        case "leave":
            leave_ladder(user=user, ruleset=slug)
            return Done(_("You left the ladder."))
    return Done()


def ladder_panel(page: PageContext) -> dict[str, Any]:
    """Return the ladder challenge of a game. Only rated games have one."""
    if page.game.rated != Game.Rated.YES:
        return {}
    return {"challenge": LadderGame.objects.filter(game=page.game).first()}


# --- Seasons ------------------------------------------------------------------------------------------------


@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """Show seasons: open, running and finished."""
    every = seasons(viewer=viewer_of(request))
    parts = [
        (key, [each for each in every if each["status"] == key]) for key in ("running", "open", "finished")
    ]
    return render(request, "competitions/seasons.html", {"parts": parts})


@require_safe
@handle_missing
def season_page(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show a season with its divisions."""
    page, now = number_in(request.GET.get("page"), digits=6), timezone.now()
    shown = season_view(viewer=viewer_of(request), season_id=season_id, page=page, now=now)
    return render(request, "competitions/season.html", {"season": shown, "now": now})


@action()
def join_or_leave_season(request: HttpRequest, season_id: int) -> Done:
    if request.POST.get("do") == "leave":
        leave_season(user=user_of(request), season_id=season_id)
        return Done(_("You left the season."))
    join_season(user=user_of(request), season_id=season_id, now=timezone.now())
    return Done(_("You joined the season."))


# --- Finding a game -----------------------------------------------------------------------------------------


def _ticket(request: HttpRequest) -> dict[str, Any]:
    ticket = ticket_of(user=user_of(request))
    return {"ticket": ticket, "initial": ticket_view(ticket) if ticket else {}}


@action(
    form_of(Wish),
    template="competitions/find_game.html",
    context=_ticket,
    says=_("We’re looking for a game for you. You’ll get a notification when it’s found."),
    then="games:mine",
)
def find_game(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Ask for the player's wishes, and put them in the queue."""
    seek_game(user=user_of(request), wish=asked, now=timezone.now())


@action(then="games:mine")
def stop_waiting(request: HttpRequest) -> Done:
    """Leave the queue."""
    waited = stop_seeking(user=user_of(request))
    return Done(_("We stopped looking for a game for you.") if waited else "")
