"""Making a game."""

from typing import Any

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
from games.views.assembling import Assembly, assembly_of
from games.views.requests import user_of
from games.views.suitability import dock, editions_of

RULESET = "robo-runner"
"""The ruleset that is offered first."""

STEPS = ("add", "more", "show")
"""Buttons that send the form without making a game of it yet: a board is added, or looked at."""

Context = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def create(request: HttpRequest) -> HttpResponse:
    """Ask what game it shall be, and make it."""
    key = _ruleset_asked_for(request)
    if key not in rules.RULESETS:
        return render(request, "games/create.html", {"editions": _editions(), "unknown": key}, status=422)
    edition = rules.ruleset(key)
    ships, unsuitable = dock(edition)
    sent = request.method == "POST" and not any(step in request.POST for step in STEPS)
    assembly = _assembly(request, edition, ships)
    form = CreateGameForm(
        request.POST if sent else None,
        ruleset=edition,
        starships=[*ships, *(verdict.starship for verdict in unsuitable)],
        initial=_initial(request, edition, ships),
    )
    if request.method == "POST" and not sent:
        form.initial = {name: request.POST.get(name, "") for name in form.fields}
    if sent and form.is_valid() and not (assembly and assembly.faulty):
        try:
            game = _create(request, form, assembly)
        except ServiceError as refusal:
            form.add_refusal(refusal)
            if assembly:
                assembly.add_refusal(refusal)
        else:
            messages.success(request, _said(game))
            return redirect("games:game", game.pk)
    context = {
        "editions": _editions(),
        "edition": edition,
        "form": form,
        "assembly": assembly,
        "ships": ships,
        "unsuitable": unsuitable,
        "chosen": str(form["starship"].value() or "") if "starship" in form.fields else "",
    }
    return render(request, "games/create.html", context, status=422 if sent else 200)


@require_POST
@login_required
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
    fitting = editions_of(starship) if starship else []
    return fitting[0].key if fitting else RULESET


def _starship_asked_for(request: HttpRequest) -> Starship | None:
    number = request.GET.get("starship", "")
    if not (number.isascii() and number.isdecimal() and len(number) < 10):
        return None
    try:
        return selectors.starship_for(starship_id=int(number))
    except NotFound:
        return None


def _editions() -> list[rules.Ruleset]:
    return list(rules.RULESETS.values())


def _assembly(request: HttpRequest, edition: rules.Ruleset, ships: list[Starship]) -> Assembly | None:
    """Return the board that is being put together; at first it is the starship that the reader came from."""
    if edition.boards == 1 or not ships:
        return None
    if request.method == "POST":
        return assembly_of(request.POST, edition, ships)
    asked = request.GET.get("starship", "")
    known = {str(ship.pk) for ship in ships}
    return assembly_of({"board-1": asked if asked in known else str(ships[0].pk)}, edition, ships)


def _initial(request: HttpRequest, edition: rules.Ruleset, ships: list[Starship]) -> Context:
    """Fill in the starship that the reader came from, and as many players as suit it."""
    chosen = next((ship for ship in ships if str(ship.pk) == request.GET.get("starship")), None)
    name = f"{user_of(request).robo_name}’s game"
    if chosen is None:
        return {"name": name}
    least, most = edition.seats
    return {"name": name, "starship": chosen.pk, "seats": min(most, max(2, least, chosen.seats_least))}


def _create(request: HttpRequest, form: CreateGameForm, assembly: Assembly | None) -> Game:
    given = form.cleaned_data
    if assembly:
        board: Context = {"boards": assembly.boards, "checkpoints": assembly.checkpoints}
    else:
        board = {"starship_id": given["starship"].pk}
    return services.create_game(
        host=user_of(request),
        name=given["name"],
        **board,
        ruleset=form.ruleset.key,
        options=form.options,
        house_rules=form.house_rules,
        seats=given["seats"],
        squad=given.get("squad", ""),
        model=given.get("model", ""),
        private=given["private"],
        pace={"hours": given["hours"]},
        now=timezone.now(),
    )


def _said(game: Game) -> str:
    if game.status == Game.Status.RUNNING:
        return "Your robot is ready to start."
    if game.private:
        return "Your game is ready. Give its link to those who shall join."
    return "Your game is ready, and waits in the Game Room for players."
