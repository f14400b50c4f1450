"""Making a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import rules
from accounts.navigation import only_by_form
from games.clocks.inputs import pace_values
from games.clubs.selectors import clubs_of
from games.errors import NotFound, ServiceError, number_in
from games.fleet.models import Starship
from games.fleet.selectors import editions_of, favourite_ids, fitting_starships, starship_for
from games.lobby.forms.policy import absence_values
from games.lobby.forms.ships import words_in
from games.lobby.forms.terms import CreateGameForm
from games.lobby.pages.courses import assembly_of
from games.lobby.pages.terms import Blueprint, Context, boards_in, draft_of, editions, ruleset_asked_for
from games.lobby.presets import PRESETS, Preset
from games.lobby.services.creation import create_game, usual_name
from games.lobby.services.invitations import invite
from games.play.models import Game
from games.play.policy import RANDOM
from games.play.selectors.newcomers import newcomer_limit
from games.play.terms import Terms
from games.web.pages import for_people, user_of

RULESET = "robo-runner"
"""The ruleset that is offered first."""

MOST_INVITED = 7
"""How many others there may be in a game."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def create(request: HttpRequest) -> HttpResponse:
    """Ask for the terms of a game, and create it."""
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
    if draft.complete:
        try:
            game = _create(request, draft)
        except ServiceError as refusal:
            draft.add_refusal(refusal)
        else:
            messages.success(request, _said(game))
            _invite(request, game)
            return redirect("games:game", game.pk)
    club = _club(request)
    context = {
        **draft.context,
        **_offers(),
        "preset": preset,
        "invited": _invited(request),
        "club": clubs_of(user_of(request)).filter(slug=club).first(),
        "newcomer": newcomer_limit(user=user_of(request), now=timezone.now()),
    }
    return render(request, "lobby/creation.html", context, status=422 if draft.sent else 200)


@only_by_form
@login_required
@for_people
def board(request: HttpRequest) -> HttpResponse:
    """Show the board that is being put together as it is by now: a part of the page, for its script."""
    key = request.POST.get("ruleset", "")
    if key not in rules.RULESETS or rules.ruleset(key).boards == 1:
        return HttpResponse(status=404)
    edition = rules.ruleset(key)
    favourites = favourite_ids(viewer=user_of(request))
    ships = fitting_starships(
        ruleset=edition,
        text=words_in(request.POST),
        favourites=favourites,
        also=boards_in(request.POST),
    )
    context = {
        "edition": edition,
        "assembly": assembly_of(request.POST, edition, ships),
        "favourites": favourites & {ship.pk for ship in ships},
    }
    return render(request, "lobby/assembly.html", context)


def _offers() -> Context:
    """Return the rulesets and presets to choose from."""
    return {"editions": editions(), "presets": PRESETS.values()}


def _ruleset_asked_for(request: HttpRequest) -> str:
    """Return the ruleset asked for; else that of a preset, or the one that suits a starship best."""
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


def _initial(request: HttpRequest, edition: rules.Ruleset, preset: Preset | None) -> Context:
    """Fill in the starship that the reader came from, with as many players as suit it."""
    least, most = edition.seats
    initial: Context = {
        "name": usual_name(user_of(request)),
        "seats": min(most, max(2, least, 1 + len(_invited(request)))),
    }
    chosen = _starship_asked_for(request)
    if chosen and edition in editions_of(starship=chosen):
        initial["starship"] = chosen.pk
        if preset is None:
            initial["seats"] = min(most, max(2, least, chosen.seats_least))
    return initial


def _terms_of(preset: Preset, edition: rules.Ruleset) -> Context:
    """Return a preset as the form is filled in with it, as far as the ruleset knows its terms."""
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
    """Return the club that the game is to be for, by its part of an address."""
    asked = request.POST if request.method == "POST" else request.GET
    return asked.get("club", "")


def _invited(request: HttpRequest) -> list[str]:
    """Return the names of those who are to be invited, each once; no more than there may be seats."""
    asked = request.POST if request.method == "POST" else request.GET
    return list(dict.fromkeys(filter(None, asked.getlist("invite"))))[:MOST_INVITED]


def _invite(request: HttpRequest, game: Game) -> None:
    """Invite those who were to be; say who cannot be invited, and why."""
    for name in _invited(request):
        try:
            invite(user=user_of(request), game_id=game.pk, robo_name=name, now=timezone.now())
        except ServiceError as refusal:
            messages.warning(request, refusal.detail)


def _said(game: Game) -> str:
    if game.status == Game.Status.RUNNING:
        return _("Your robot is ready to start.")
    if game.private:
        return _("Your game is ready. Send its link to the players you want.")
    return _("Your game is ready. Players find it in the Game Room.")
