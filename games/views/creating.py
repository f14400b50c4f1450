"""Making a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

import rules
from games import selectors, services
from games.errors import NotFound, ServiceError
from games.forms import CreateGameForm
from games.models import Game, Starship
from games.views.assembling import assembly_of
from games.views.drafting import Context, Draft, draft_of, editions
from games.views.requests import for_people, user_of
from games.views.suitability import dock

RULESET = "robo-runner"
"""The ruleset that is offered first."""


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@for_people
def create(request: HttpRequest) -> HttpResponse:
    """Ask what game it shall be, and make it."""
    key = _ruleset_asked_for(request)
    if key not in rules.RULESETS:
        return render(request, "games/create.html", {"editions": editions(), "unknown": key}, status=422)
    edition = rules.ruleset(key)
    draft = draft_of(
        request,
        edition,
        kind=CreateGameForm,
        initial=_initial(request, edition),
        boards={"board-1": request.GET.get("starship", "")},
    )
    if draft.complete:
        try:
            game = _create(request, draft)
        except ServiceError as refusal:
            draft.add_refusal(refusal)
        else:
            messages.success(request, _said(game))
            return redirect("games:game", game.pk)
    return render(request, "games/create.html", draft.context, status=422 if draft.sent else 200)


@require_POST
@login_required
@for_people
def board(request: HttpRequest) -> HttpResponse:
    """Show the board that is being put together as it is by now: a part of the page, for its script."""
    key = request.POST.get("ruleset", "")
    if key not in rules.RULESETS or rules.ruleset(key).boards == 1:
        return HttpResponse(status=404)
    edition = rules.ruleset(key)
    ships, _ = dock(edition)
    context = {"edition": edition, "assembly": assembly_of(request.POST, edition, ships)}
    return render(request, "games/assembly.html", context)


def _ruleset_asked_for(request: HttpRequest) -> str:
    """Return the ruleset asked for; where only a starship was, the one that suits best."""
    asked = request.POST.get("ruleset") or request.GET.get("ruleset")
    if asked:
        return asked
    starship = _starship_asked_for(request)
    fitting = selectors.editions_of(starship=starship) if starship else []
    return fitting[0].key if fitting else RULESET


def _starship_asked_for(request: HttpRequest) -> Starship | None:
    number = request.GET.get("starship", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    try:
        return selectors.starship_for(starship_id=int(number))
    except NotFound:
        return None


def _initial(request: HttpRequest, edition: rules.Ruleset) -> Context:
    """Fill in the starship that the reader came from, and as many players as suit it."""
    name = f"{user_of(request).robo_name}’s game"
    chosen = _starship_asked_for(request)
    if chosen is None or edition not in selectors.editions_of(starship=chosen):
        return {"name": name}
    least, most = edition.seats
    return {"name": name, "starship": chosen.pk, "seats": min(most, max(2, least, chosen.seats_least))}


def _create(request: HttpRequest, draft: Draft) -> Game:
    board = draft.board
    if "starship" in board:
        board = {"starship_id": board["starship"]}
    return services.create_game(
        host=user_of(request),
        **board,
        **draft.terms,
        squad=draft.form.cleaned_data.get("squad", ""),
        model=draft.form.cleaned_data.get("model", ""),
        now=timezone.now(),
    )


def _said(game: Game) -> str:
    if game.status == Game.Status.RUNNING:
        return "Your robot is ready to start."
    if game.private:
        return "Your game is ready. Give its link to those who shall join."
    return "Your game is ready, and waits in the Game Room for players."
