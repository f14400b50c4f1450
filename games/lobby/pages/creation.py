"""Pages to start playing: new and quick games, missions, open seats, and the next waiting game."""

from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests
from accounts.navigation import post_only
from games.absence.selectors import seats_offered
from games.clocks.inputs import pace_values
from games.clubs.selectors import clubs_of
from games.errors import NotFound, ServiceError, number_in
from games.fleet.boards import starship_of
from games.fleet.models import Starship
from games.fleet.pictures import empty_board, legend_of
from games.fleet.selectors import editions_of, favourite_ids, fitting_starships, starship_for
from games.lobby import practice
from games.lobby.forms import PRESETS, Preset, QuickForm, absence_values, search_words
from games.lobby.invitations import invite
from games.lobby.lists import GameFilter, Lineup, games_to_take_over, lineups_of, next_waiting
from games.lobby.pages.courses import assembly_of
from games.lobby.pages.terms import (
    Blueprint,
    CreateGameForm,
    TermsContext,
    boards_in,
    draft_of,
    editions,
    ruleset_asked_for,
)
from games.lobby.practice import choose_starship, mission_result, next_mission, quick_game, start_mission
from games.lobby.services import create_game, default_game_name
from games.play.models import Game
from games.play.pages.crew import CrewRobot, crew_of
from games.play.policy import RANDOM
from games.play.selectors import seats_of
from games.play.terms import Terms
from games.play.viewers import newcomer_limit
from games.reading import allow_replica, read_safely
from games.web.pages import handle_missing, page_of, require_account, user_of, viewer_of
from games.wording import names_in_words

RULESET = "robo-runner"
"""The key of the default ruleset for a new game."""

MOST_INVITED = 7
"""The maximum number of players to invite while creating a game."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@require_account
def create(request: HttpRequest) -> HttpResponse:
    """Show the form for a new game. On POST, create the game."""
    key = _ruleset_asked_for(request)
    if key not in rules.RULESETS:
        return render(request, "lobby/creation.html", {**_offers(), "unknown": key}, status=422)
    edition = rules.ruleset(key)
    preset = _preset_asked_for(request)
    draft = draft_of(
        request,
        edition,
        kind=CreateGameForm,
        initial=_initial(request, edition, preset),
        preset=_terms_of(preset, edition) if preset else None,
        boards={"board-1": request.GET.get("starship", "")},
    )
    club = clubs_of(user_of(request)).filter(slug=_club(request)).first()
    draft.form.club = club.name if club else ""
    if draft.complete:
        try:
            game = _create(request, draft)
        except ServiceError as refusal:
            draft.add_refusal(refusal)
        else:
            refused = _invite(request, game)
            messages.success(request, _success_message(game, draft.form.club))
            for each in refused:
                messages.warning(request, each)
            return redirect("games:game", game.pk)
    context = {
        **draft.context,
        **_offers(),
        "preset": preset,
        "invited": _invited(request),
        "club": club,
        "newcomer": newcomer_limit(user=user_of(request), now=timezone.now()),
    }
    return render(request, "lobby/creation.html", context, status=422 if draft.sent else 200)


@post_only
@login_required
@require_account
def board(request: HttpRequest) -> HttpResponse:
    """Show a composed board and its problems, as an HTML fragment for a script."""
    key = request.POST.get("ruleset", "")
    if key not in rules.RULESETS or rules.ruleset(key).boards == 1:
        return HttpResponse(status=404)
    edition = rules.ruleset(key)
    favourites = favourite_ids(viewer=user_of(request))
    ships = fitting_starships(
        ruleset=edition, text=search_words(request.POST), favourites=favourites, also=boards_in(request.POST)
    )
    context = {
        "edition": edition,
        "assembly": assembly_of(request.POST, edition, ships),
        "favourites": favourites & {ship.pk for ship in ships},
    }
    return render(request, "lobby/assembly.html", context)


def _offers() -> TermsContext:
    """Return the rulesets and presets to choose from."""
    return {"editions": editions(), "presets": PRESETS.values()}


def _ruleset_asked_for(request: HttpRequest) -> str:
    """Return the key of the requested ruleset.

    Without a requested ruleset, returns the requested preset's ruleset, or else the best ruleset for the
    requested starship, or else the default.
    """
    if asked := ruleset_asked_for(request):
        return asked
    if preset := _preset_asked_for(request):
        return preset.ruleset
    starship = _starship_asked_for(request)
    fitting = editions_of(starship=starship) if starship else []
    return fitting[0].key if fitting else RULESET


def _preset_asked_for(request: HttpRequest) -> Preset | None:
    return PRESETS.get(request.POST.get("preset") or request.GET.get("preset", ""))


def _starship_asked_for(request: HttpRequest) -> Starship | None:
    number = number_in(request.GET.get("starship"), digits=9)
    if number is None:
        return None
    try:
        return starship_for(starship_id=number)
    except NotFound:
        return None


def _initial(request: HttpRequest, edition: rules.Ruleset, preset: Preset | None) -> TermsContext:
    """Return initial form values, with the requested starship and a suitable number of players.

    A game for invited players is private, so that no one else takes their seats. It is rated all the same.
    """
    least, most = edition.seats
    initial: TermsContext = {
        "name": default_game_name(user_of(request)),
        "seats": min(most, max(2, least, 1 + len(_invited(request)))),
    }
    if _invited(request) and not _club(request):
        initial |= {"private": True, "rated": Game.Rated.YES.value}
    chosen = _starship_asked_for(request)
    if chosen and edition in editions_of(starship=chosen):
        initial["starship"] = chosen.pk
        if preset is None:
            initial["seats"] = min(most, max(2, least, chosen.seats_least))
    return initial


def _terms_of(preset: Preset, edition: rules.Ruleset) -> TermsContext:
    """Return the form values of a preset, adapted to the ruleset. Options of other rulesets are left out."""
    least, most = edition.seats
    absence = preset.absence._replace(policy=RANDOM) if edition.chance_fills else preset.absence
    options = {option.key for option in edition.options}
    return {
        "seats": min(most, max(least, preset.seats)),
        **pace_values(preset.pace),
        **absence_values(absence),
        **{key: value for key, value in preset.options.items() if key in options},
    }


def _create(request: HttpRequest, draft: Blueprint) -> Game:
    return create_game(
        host=user_of(request),
        terms=Terms().with_changes(draft.board | draft.terms),
        squad=draft.form.cleaned_data.get("squad", ""),
        model=draft.form.cleaned_data.get("model", ""),
        club=_club(request),
        now=timezone.now(),
    )


def _club(request: HttpRequest) -> str:
    """Return the slug of the club in a request, or "" if there is none."""
    asked = request.POST if request.method == "POST" else request.GET
    return asked.get("club", "")


def _invited(request: HttpRequest) -> list[str]:
    """Return the names of players to invite, without repeats and at most `MOST_INVITED`."""
    asked = request.POST if request.method == "POST" else request.GET
    return list(dict.fromkeys(filter(None, asked.getlist("invite"))))[:MOST_INVITED]


def _invite(request: HttpRequest, game: Game) -> list[str]:
    """Invite the requested players. Return the reasons for players who could not be invited."""
    refused = []
    for name in _invited(request):
        try:
            invite(user=user_of(request), game_id=game.pk, robo_name=name, now=timezone.now())
        except ServiceError as refusal:
            refused.append(refusal.detail)
    return refused


def _success_message(game: Game, club: str) -> str:
    if game.status == Game.Status.RUNNING:
        return _("Your robot is ready to start.")
    invited = [each.user.robo_name for each in game.invitations.select_related("user") if each.user]
    if game.private and invited:
        said = _("You invited {players}. Only invited players and people with the game’s link can join.")
        return said.format(players=names_in_words(invited))
    if game.private:
        return _("Your game is open. Send its link to the players you want to play with.")
    if club:
        return _("Your game is open. Members of {club} can find it on the club’s page.").format(club=club)
    return _("Your game is open. Players can find it in the Game Room.")


SHOW_BUTTON = "show"
"""The name of the button for showing suitable starships. It does not start a game."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def quick(request: HttpRequest) -> HttpResponse:
    """Show the form for a quick game: a game against computers. On POST, start the game."""
    asked = request.POST if request.method == "POST" else request.GET
    sent = request.method == "POST" and SHOW_BUTTON not in asked
    favourites = favourite_ids(viewer=viewer_of(request))
    form = QuickForm(asked.dict(), sent=sent, favourites=favourites)
    if sent and form.is_valid():
        return _start(request, form)
    return _page(request, form, 422 if sent else 200)


def _start(request: HttpRequest, form: QuickForm) -> HttpResponse:
    choices = dict(form.cleaned_data)
    strength, starship = choices.pop("strength"), choices.pop("starship")
    try:
        chosen = choose_starship(**choices, starship_id=starship, for_guest=not for_members(request))
    except ServiceError as refusal:  # refused before the game counts against a guest's limit
        form.add_refusal(refusal)
        return _page(request, form, refusal.status)
    player = guests.computer_game_player(request)
    if isinstance(player, HttpResponse):
        return player
    try:
        game = quick_game(
            user=player,
            strength=strength,
            **choices,
            starship_id=chosen.pk,
            admits_guests=True,
            now=timezone.now(),
        )
    except ServiceError as refusal:
        form.add_refusal(refusal)
        return _page(request, form, refusal.status)
    messages.success(request, _("Your robot and the computers are ready to start."))
    return redirect("games:game", game.pk)


def for_members(request: HttpRequest) -> bool:
    """Return whether the viewer has an account, and so may play on prototypes. Guests may not."""
    return request.user.is_authenticated and not guests.is_guest(request.user)


def _page(request: HttpRequest, form: QuickForm, status: int) -> HttpResponse:
    return render(request, "lobby/quick.html", {"form": form}, status=status)


@require_safe
@never_cache
def missions(request: HttpRequest) -> HttpResponse:
    """Show all missions, with the viewer's results."""
    results = practice.mission_results(viewer=viewer_of(request))
    context = {
        "results": results,
        "done": sum(result.done for result in results),
        "following": next_mission(results),
    }
    return render(request, "lobby/missions.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_missing
def mission(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a mission. On POST, start or continue it. People without an account play as guests."""
    result = mission_result(viewer=viewer_of(request), slug=slug)
    if request.method == "POST":
        return _start_mission(request, slug)
    assert result.mission.starship.current
    ship = starship_of(result.mission.starship.current)
    setup = rules.make_setup(rules.ruleset(RULESET), result.mission.options, ship, 1)
    context = {
        "result": result,
        "mission": result.mission,
        "lesson": result.mission.lesson,
        "board": empty_board(ship),
        "legend": legend_of(ship, setup.ruleset),
    }
    return render(request, "lobby/mission.html", context)


def _start_mission(request: HttpRequest, slug: str) -> HttpResponse:
    pilot = guests.player_or_guest(request)
    if isinstance(pilot, HttpResponse):
        return pilot
    game = start_mission(user=pilot, slug=slug, now=timezone.now())
    return redirect("games:game", game.pk)


@require_safe
@allow_replica()
def offers(request: HttpRequest) -> HttpResponse:
    """Show the games with a seat to take over, filtered by the URL query."""
    games = games_to_take_over(viewer=viewer_of(request))
    asked = {name: value for name, value in request.GET.items() if name != "free" and value}
    found = GameFilter(asked, games)
    del found.form.fields["free"]
    shown = page_of(request, found.qs)
    lineups = lineups_of(games=shown)
    context = {
        "filter": found,
        "there": reverse("games:offers"),
        "games": shown,
        "rows": [(game, read_safely(partial(_offered, game, lineups.get(game.pk)), game)) for game in shown],
        "all_games": games.count() if found.chosen else None,
    }
    return render(request, "lobby/open_seats.html", context)


def _offered(game: Game, lineup: Lineup | None) -> list[CrewRobot]:
    """Return the robots whose seats in a game may be taken over, or an empty list if there is no lineup."""
    if lineup is None:
        return []
    seats = seats_of(game)
    crew = crew_of(
        lineup.robots,
        setup=lineup.setup,
        looks={seat.number - 1: seat.look for seat in seats},
        me=None,
        playing=False,
        steered={},
        deadline=None,
        vacations={},
    )
    offered = {seat.number for seat in seats_offered(seats=seats, game=game)}
    return [robot for robot in crew if robot.seat in offered]


@require_safe
@never_cache
@login_required
def next_game(request: HttpRequest) -> HttpResponse:
    """Redirect to the next game waiting for the user, or to My Room if no game waits.

    In the URL query, ``after`` is the ID of the previous game, which is skipped. An invalid ID is ignored.
    """
    after = number_in(request.GET.get("after"))
    following = next_waiting(user=user_of(request), after=after)
    if following is None:
        messages.info(
            request, _("No other games are waiting for you.") if after else _("No games are waiting for you.")
        )
        return redirect("games:mine")
    return redirect(following)
