"""Pages of tournaments, ladders, seasons and the search for a game."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

import rules
from accounts.models import User
from accounts.navigation import show_as
from games.clubs.models import Club
from games.clubs.selectors import clubs_led_by
from games.competitions.forms import (
    PRESETS,
    RULESET,
    TABLE_SIZE,
    NewTournamentForm,
    Preset,
    TournamentChangesForm,
)
from games.competitions.inputs import SearchForm, usual_wish, wait_in_words, wish_in_words
from games.competitions.models import LadderGame, Round, Ticket, Tournament
from games.competitions.selectors.ladders import ladder_view, ladders
from games.competitions.selectors.matching import chances_of, last_wish_of, search_of, ticket_of, usual_wait
from games.competitions.selectors.plans import Plan, plan_of
from games.competitions.selectors.seasons import latest_entrants, season_view, seasons
from games.competitions.selectors.tournaments import (
    games_of_round,
    round_of,
    shown_ships,
    terms_of_draft,
    tournament_for,
    tournament_view,
    tournaments,
)
from games.competitions.services.ladders import challenge, join_ladder, leave_ladder, possible_challenge, rest
from games.competitions.services.matching import find_game as find_matching_game, stop_seeking
from games.competitions.services.rounds import start_now
from games.competitions.services.seasons import join_season, leave_season
from games.competitions.services.tournaments import (
    cancel_tournament,
    change_draft,
    checksum_of_draft,
    confirm_entry,
    create_tournament,
    join_tournament,
    leave_tournament,
    open_tournament,
    refuse_opened,
    why_not_host,
)
from games.errors import Conflict, Forbidden, ServiceError, number_in
from games.fleet.selectors import best_ships, favourite_ids, fitting_starships
from games.lobby.forms import numbers_in
from games.lobby.lists import listed
from games.lobby.pages.terms import is_step
from games.play.models import Game
from games.play.pages.console import PageContext
from games.play.policy import absence_in_words
from games.rights import Right, may
from games.web.actions import Done, action
from games.web.pages import handle_missing, page_of, user_of, viewer_of

# --- Tournaments --------------------------------------------------------------------------------------------


Status = Tournament.Status

FINISHED_LISTED: Final = 200
"""The maximum number of ended tournaments to list."""

BOARDS_SHOWN: Final = 12
"""The maximum number of live boards on the page of a tournament."""


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """List open, running and ended tournaments, and the drafts visible to the viewer."""
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
    """Show a round of a tournament: all its tables, and how the players were paired."""
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
    """Show a tournament, with the reason if an action on it was refused."""
    viewer = viewer_of(request)
    row = tournament_for(viewer=viewer, tournament_id=tournament_id)
    shown = tournament_view(viewer=viewer, tournament_id=tournament_id)
    show_as(request, "tournaments:tournament", tournament_id)
    last = shown["last_round"]
    games = listed(games_of_round(row), viewer=viewer)
    hosts = isinstance(viewer, User) and viewer.pk == row.host_id
    manages = may(viewer, Right.CHANGE_TOURNAMENTS)
    waits = row.status == Status.OPEN and not (row.is_marathon or row.is_division or row.lost_its_club)
    context = {
        "row": row,
        "tournament": shown,
        "seen": checksum_of_draft(row) if row.status == Status.DRAFT else "",
        "hosts": hosts,
        "manages": manages,
        "can_start": waits and (hosts or manages) and shown["entrants"] >= row.least,
        "is_full": row.status == Status.OPEN and shown["entrants"] >= row.most,
        "rounds": list(row.all_rounds.order_by("number").values_list("number", flat=True)),
        "games": games.select_related("at_table__table").order_by("at_table__table__number")[:BOARDS_SHOWN],
        "tables": len(last["tables"]) if last else 0,
        "ships": [each.starship for each in shown_ships(row)],
        "link": request.build_absolute_uri(row.get_absolute_url()),
        "plans": _plans(row, shown["entrants"]),
        "refusal": refusal,
    }
    return render(request, "competitions/tournament.html", context, status=refusal.status if refusal else 200)


def _plans(row: Tournament, entrants: int) -> list[Plan]:
    """Return the plans of a tournament before its start, with its entrants and with the maximum.

    If there are too few entrants, only the second one is there.
    """
    if row.status not in (Status.DRAFT, Status.OPEN) or row.is_division:
        return []
    numbers = dict.fromkeys([entrants, row.most] if entrants >= row.least else [row.most])
    return [plan for number in numbers if (plan := plan_of(row, players=number))]


def _rules_to_show(request: HttpRequest) -> dict[str, Any] | None:
    """Return the values to show again in the form for a tournament, or None if it is sent to be saved.

    A preset replaces the values that it names. Chosen starships that fit it stay. The button ``up`` moves a
    starship one round earlier.
    """
    sent = request.POST
    preset, moved = PRESETS.get(sent.get("preset", "")), number_in(sent.get("up"), digits=9)
    if preset is None and moved is None and not is_step(sent):
        return None
    ships = numbers_in(sent.getlist("starships"))
    shown: dict[str, Any] = {**sent.dict(), "starships": ships}
    if preset:
        return shown | _preset_rules(request, preset, chosen=ships, club=sent.get("club", ""))
    order = numbers_in(sent.get("order", "").split())
    if moved in order[1:]:
        place = order.index(moved)
        order[place - 1 : place + 1] = reversed(order[place - 1 : place + 1])
        shown["order"] = " ".join(map(str, order))
    return shown


def _preset_rules(
    request: HttpRequest, preset: Preset, *, chosen: Sequence[int] = (), club: str = ""
) -> dict[str, Any]:
    """Return the values of a preset for the host. The chosen club and the chosen starships that fit stay."""
    edition = rules.ruleset(preset.values["ruleset"])
    known = fitting_starships(ruleset=edition, robots=preset.size, also=chosen)
    ships = [ship.pk for ship in known if ship.pk in chosen]
    best = [ship.pk for ship in best_ships(ruleset=edition, robots=preset.size, most=preset.starships)]
    ships = [*ships, *(each for each in best if each not in ships)][: max(len(ships), preset.starships)]
    clubs = [each.slug for each in clubs_led_by(user_of(request))] if preset.for_club else []
    members = {"club": club if club in clubs else clubs[0]} if clubs else {}
    return preset.values | {"starships": ships} | members


def _rules_context(request: HttpRequest, clubs: Iterable[Club]) -> dict[str, Any]:
    preset = PRESETS.get(request.POST.get("preset") or request.GET.get("preset", ""))
    given = {"clubs": clubs, "favourites": favourite_ids(viewer=user_of(request))}
    return {"given": given, "presets": PRESETS.values(), "preset": preset}


def _new_rules(request: HttpRequest) -> dict[str, Any]:
    user, context = user_of(request), _rules_context(request, clubs_led_by(user_of(request)))
    if preset := context["preset"]:
        initial = _preset_rules(request, preset)
    else:
        best = best_ships(ruleset=rules.ruleset(RULESET), robots=TABLE_SIZE, most=1)
        initial = {"starships": [ship.pk for ship in best]}
    asked = {"club": club} if (club := request.GET.get("club", "")) else {}
    why_not = "" if context["given"]["clubs"] else why_not_host(user)
    return {**context, "initial": {**initial, **asked}, "why_not": why_not}


@action(
    NewTournamentForm,
    template="competitions/new_tournament.html",
    context=_new_rules,
    again=_rules_to_show,
    says=_("Draft saved. Check it, then open the tournament to players."),
)
def new_tournament(request: HttpRequest, asked: dict[str, Any]) -> Done:
    """Show the form for a tournament's rules, and create a draft from it."""
    return Done(then=create_tournament(user=user_of(request), terms=asked, now=timezone.now()))


def _draft(request: HttpRequest, tournament_id: int) -> dict[str, Any]:
    user = user_of(request)
    made = tournament_for(viewer=user, tournament_id=tournament_id)
    refuse_opened(made)
    clubs = {club.pk: club for club in [*clubs_led_by(made.host or user), *filter(None, [made.club])]}
    context = _rules_context(request, clubs.values())
    context["given"]["lost_club"] = made.lost_its_club
    return {**context, "initial": terms_of_draft(made), "draft": made}


@action(
    TournamentChangesForm,
    template="competitions/new_tournament.html",
    context=_draft,
    again=_rules_to_show,
    says=_("Draft saved. Check it, then open the tournament to players."),
)
def edit_draft(request: HttpRequest, tournament_id: int, asked: dict[str, Any]) -> None:
    """Show the form for a draft's rules, and change the draft."""
    change_draft(user=user_of(request), tournament_id=tournament_id, terms=asked, now=timezone.now())


@action(refused_on=show_tournament)
def change_entry(request: HttpRequest, tournament_id: int) -> Done:
    """Enter, leave, start or cancel a tournament, confirm the next round, or open a draft."""
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
            opened = open_tournament(**there, seen=request.POST.get("seen", ""))
            if opened.club is None:
                return Done(_("The tournament is open to everyone. Its rules can no longer change."))
            said = _("The tournament is open to members of {club}. Its rules can no longer change.")
            return Done(said.format(club=opened.club.name))
        case "start":
            start_now(**there)
            return Done(_("The tournament has started."))
        case "cancel":
            was_draft = cancel_tournament(**there).pk is None
            if was_draft:
                return Done(_("The draft was deleted."), then="tournaments:list")
            return Done(_("The tournament was cancelled."))
    return Done()


def tournament_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context with the tournament round of a game. The round is None for other games.

    All tournament games have the setting `Rated.YES`. For games with another setting, the context is empty.
    """
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
    """Show a ladder, with the reason if an action on it was refused."""
    shown = ladder_view(viewer=viewer_of(request), ruleset=slug, now=timezone.now())
    show_as(request, "ladders:ladder", slug)
    context = {"ladder": shown, "refusal": refusal, "now": timezone.now()}
    return render(request, "competitions/ladder.html", context, status=refusal.status if refusal else 200)


@action(refused_on=show_ladder)
def change_rung(request: HttpRequest, slug: str) -> Done:
    """Join a ladder, rest from it, or leave it."""
    user, now = user_of(request), timezone.now()
    match request.POST.get("do"):
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


@handle_missing
def show_challenge(
    request: HttpRequest, slug: str, robo_name: str, refusal: ServiceError | None = None
) -> HttpResponse:
    """Show the game that a challenge would start, or the ladder with the reason why it can’t."""
    user, now = user_of(request), timezone.now()
    try:
        found = possible_challenge(user=user, ruleset=slug, robo_name=robo_name, now=now)
    except (Conflict, Forbidden) as error:
        return show_ladder(request, slug, refusal=error)
    context = {
        "challenge": found,
        "ruleset": rules.ruleset(slug),
        "absence": absence_in_words(found.terms.absence),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return render(request, "competitions/challenge.html", context, status=status)


@action(page=show_challenge)
def challenge_player(request: HttpRequest, slug: str, robo_name: str) -> Done:
    """Show the game of a challenge, and start it once the player confirms."""
    revision = number_in(request.POST.get("revision"), digits=9)
    there: dict[str, Any] = {"user": user_of(request), "ruleset": slug, "robo_name": robo_name}
    game = challenge(**there, revision=revision, now=timezone.now())
    return Done(_("The game has started. Good luck!"), then=game)


def ladder_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context with the ladder challenge of a game. It is None for other games.

    All challenges have the setting `Rated.YES`. For games with another setting, the context is empty.
    """
    if page.game.rated != Game.Rated.YES:
        return {}
    return {"challenge": LadderGame.objects.filter(game=page.game).first()}


# --- Seasons ------------------------------------------------------------------------------------------------


@require_safe
def season_list(request: HttpRequest) -> HttpResponse:
    """List running, open and finished seasons."""
    every = seasons(viewer=viewer_of(request))
    parts = [
        (key, found)
        for key in ("running", "open", "finished")
        if (found := [each for each in every if each["status"] == key])
    ]
    return render(request, "competitions/seasons.html", {"parts": parts})


@require_safe
@handle_missing
def season_page(request: HttpRequest, season_id: int) -> HttpResponse:
    """Show a season with its divisions."""
    page, now = number_in(request.GET.get("page"), digits=6), timezone.now()
    shown = season_view(viewer=viewer_of(request), season_id=season_id, page=page, now=now)
    context = {"season": shown, "now": now, "entrants": latest_entrants(season_id=season_id)}
    return render(request, "competitions/season.html", context)


@action()
def join_or_leave_season(request: HttpRequest, season_id: int) -> Done:
    if request.POST.get("do") == "leave":
        leave_season(user=user_of(request), season_id=season_id)
        return Done(_("You left the season."))
    join_season(user=user_of(request), season_id=season_id, now=timezone.now())
    return Done(_("You joined the season."))


# --- Finding a game -----------------------------------------------------------------------------------------


NOT_WAITING: Final = _("You are no longer waiting. If we found a game, it is in My Room.")


def _search(request: HttpRequest) -> dict[str, Any]:
    user, now = user_of(request), timezone.now()
    search = search_of(user=user, now=now)
    wish = usual_wish(last_wish_of(user=user))
    return {
        "search": search,
        "initial": wish,
        "chosen": wish_in_words(wish),
        "chances": chances_of(Ticket(user=user, created_at=search.since if search else now, **wish), now=now),
        "wait": wait_in_words(usual_wait(wish, now=now), wish["computers_after"]),
    }


def _look(user: User, wish: dict[str, Any], *, change: bool = False) -> Done:
    """Look for a game, and open it if one is found at once."""
    if game := find_matching_game(user=user, wish=wish, change=change, now=timezone.now()):
        return Done(_("We found a game for you."), game)
    if change and ticket_of(user=user) is None:
        return Done(NOT_WAITING, "games:mine")
    return Done("", "games:find")


def _find_usual_game(request: HttpRequest) -> Done:
    """Look for a game with the player's usual wish. A player who already waits keeps their wish."""
    user = user_of(request)
    return _look(user, usual_wish(last_wish_of(user=user)))


@action(
    SearchForm,
    template="competitions/find_game.html",
    context=_search,
    buttons={"usual": _find_usual_game},
)
def find_game(request: HttpRequest, asked: dict[str, Any]) -> Done:
    """Show the search for a game, and look for a game with the wish that the player chose."""
    return _look(user_of(request), asked, change="change" in request.POST)


@action(then="games:mine")
def stop_waiting(request: HttpRequest) -> Done:
    """Take the player out of the queue for a game."""
    if stop_seeking(user=user_of(request)):
        return Done(_("We stopped looking for a game for you."))
    return Done(NOT_WAITING)
