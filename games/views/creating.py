"""Making a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

import rules
from games import selectors, services
from games.errors import ServiceError
from games.forms import CreateGameForm
from games.models import Game, Starship
from games.views.requests import user_of

RULESET = "robo-runner"


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Ask what game it shall be, and make it."""
    ships = selectors.starships(ruleset=RULESET)
    form = CreateGameForm(
        request.POST or None,
        ruleset=rules.ruleset(RULESET),
        starships=ships,
        initial=_initial(request, ships),
    )
    if form.is_valid():
        try:
            game = _create(request, form)
        except ServiceError as refusal:
            form.add_refusal(refusal)
        else:
            messages.success(request, _said(game))
            return redirect("games:game", game.pk)
    chosen = str(form["starship"].value() or "")
    context = {"form": form, "ships": ships, "chosen": chosen}
    return render(request, "games/create.html", context, status=422 if form.errors else 200)


def _initial(request: HttpRequest, ships: list[Starship]) -> dict[str, object]:
    """Fill in the starship that the reader came from, and as many players as suit it."""
    chosen = next((ship for ship in ships if str(ship.pk) == request.GET.get("starship")), None)
    name = f"{user_of(request).robo_name}’s game"
    if chosen is None:
        return {"name": name}
    return {"name": name, "starship": chosen.pk, "seats": max(2, chosen.seats_least)}


def _create(request: HttpRequest, form: CreateGameForm) -> Game:
    given = form.cleaned_data
    hours = given["hours"]
    return services.create_game(
        host=user_of(request),
        name=given["name"],
        starship_id=given["starship"].pk,
        ruleset=RULESET,
        options=form.options,
        seats=given["seats"],
        private=given["private"],
        pace={"hours": hours},
        now=timezone.now(),
    )


def _said(game: Game) -> str:
    if game.status == Game.Status.RUNNING:
        return "Your robot is in the airlock."
    if game.private:
        return "Your game is ready. Give its link to those who shall join."
    return "Your game is ready, and waits in the Game Room for players."
