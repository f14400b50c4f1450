"""What a host changes before a game starts: its settings, and the computers that play."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

import rules
from games.clocks.inputs import pace_values
from games.errors import Conflict, Forbidden, NotFound, ServiceError, number_in
from games.lobby.forms.lobby import ComputerForm
from games.lobby.forms.policy import absence_values
from games.lobby.forms.terms import HOUSE, SettingsForm
from games.lobby.pages.actions import robot_in
from games.lobby.pages.courses import Values
from games.lobby.pages.lobby import lobby_of, robot_form
from games.lobby.pages.terms import Blueprint, Context, draft_of, ruleset_asked_for
from games.lobby.selectors.terms import last_change
from games.lobby.services.changes import change_game
from games.lobby.services.staffing import change_computer
from games.play import stored
from games.play.models import Game
from games.play.pages.console import game_page
from games.play.pages.requests import game_in
from games.play.selectors.games import game_view
from games.play.terms import PLAIN, board_of
from games.web.pages import hides_what_is_not_there, user_of, viewer_of


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@hides_what_is_not_there
def settings(request: HttpRequest, game_id: int) -> HttpResponse:
    game = game_in(request, game_id)
    if refusal := _refusal(request, game, _("Only the host may change the settings.")):
        return game_page(request, game_id, refusal=refusal)
    key = ruleset_asked_for(request) or game.ruleset
    known = rules.RULESETS.get(key)
    edition = known or rules.ruleset(game.ruleset)
    draft = draft_of(
        request, edition, kind=SettingsForm, initial=_settled(game, edition), boards=_boards(game)
    )
    instead_of, stale = number_in(request.POST.get("instead_of")), None
    if known and draft.complete:
        before = game.lobby.count()
        try:
            changed = change_game(
                user=user_of(request),
                game_id=game.pk,
                changes=_changes(game, draft),
                instead_of=instead_of,
                now=timezone.now(),
            )
        except ServiceError as refused:
            if refused.code == "settings-changed":
                stale, instead_of = refused, None  # who sends it again has seen what changed
            elif refused.code != "no-game":
                return game_page(request, game_id, refusal=refused)
            else:
                draft.add_refusal(refused)
        else:
            messages.success(request, _said(changed, changed.lobby.count() > before))
            return redirect("games:game", game.pk)
    seen = last_change(game) if instead_of is None else instead_of
    context = draft.context | {
        "game": game,
        "unknown": "" if known else key,
        "instead_of": seen,
        "stale": stale,
    }
    status = stale.status if stale else 422 if draft.sent or not known else 200
    return render(request, "lobby/settings.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@hides_what_is_not_there
def computer(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show a computer that plays, to be changed."""
    game = game_in(request, game_id)
    if refusal := _refusal(request, game, _("Only the host may change the computers.")):
        return game_page(request, game_id, refusal=refusal)
    refused: ServiceError | None = None
    if request.method == "POST":
        try:
            change_computer(
                user=user_of(request),
                game_id=game.pk,
                seat=number,
                strength=request.POST.get("strength") or None,
                **robot_in(request),
                now=timezone.now(),
            )
        except NotFound:
            raise
        except ServiceError as error:
            refused = error
        else:
            return redirect("games:game", game.pk)
    seen = game_view(viewer=viewer_of(request), game=game)
    ruleset = stored.edition_of(game)
    places = lobby_of(seen, ruleset).places
    place = next((place for place in places if place.number == number and place.computer), None)
    if place is None:
        raise NotFound("no-such-seat", _("No computer plays on this seat."))
    context = {
        "game": game,
        "place": place,
        "form": robot_form(seen, ruleset, place, kind=ComputerForm),
        "refusal": refused,
    }
    return render(request, "lobby/computer.html", context, status=refused.status if refused else 200)


def _said(game: Game, differs: bool) -> str:
    if game.status == Game.Status.RUNNING:
        return _("You changed the settings. The game has started.")
    if not differs:
        return _("Nothing was changed.")
    return _("You changed the settings. The other players have to say again that they are ready.")


def _refusal(request: HttpRequest, game: Game, not_host: str) -> ServiceError | None:
    """Return why someone may not change a game, before they are asked how."""
    if game.host_id != user_of(request).pk:
        return Forbidden("not-host", not_host)
    if game.status == Game.Status.CANCELLED:
        return Conflict("cancelled", _("This game was cancelled."))
    if game.status != Game.Status.OPEN:
        return Conflict("started", _("The game has started. Its settings can no longer change."))
    return None


def _settled(game: Game, edition: rules.Ruleset) -> dict[str, Any]:
    """Return what is settled by now, as the form names it; of another ruleset, what both know."""
    own = edition.key == game.ruleset
    least, most = edition.seats
    options = {key: value for key, value in game.options.items() if own}
    house_rules = {f"{HOUSE}{key}": value for key, value in game.house_rules.items() if own}
    return {
        "name": game.name,
        **pace_values(stored.pace_of(game)),
        **absence_values(stored.absence_of(game)),
        **{name: getattr(game, name) for name in PLAIN},
        "start": "itself" if game.starts_itself else "host",
        "seats": min(most, max(least, game.seats)),
        "starship": game.revision.starship_id if game.revision else None,
        **options,
        **house_rules,
    }


def _boards(game: Game) -> Values:
    """Return how the boards of a game lie, and its own checkpoints, as the form names them."""
    if game.course is None and game.revision:
        return {"board-1": str(game.revision.starship_id)}
    values: dict[str, str] = {}
    pieces = game.course.pieces.select_related("revision") if game.course else ()
    for number, piece in enumerate(pieces, 1):
        values |= {
            f"board-{number}": str(piece.revision.starship_id),
            f"column-{number}": str(piece.column + 1),
            f"row-{number}": str(piece.row + 1),
            f"turned-{number}": str(piece.turned),
        }
    board = board_of(game)
    for number, (x, y) in enumerate(board["checkpoints"] or (), 1):
        values |= {f"checkpoint-column-{number}": str(x + 1), f"checkpoint-row-{number}": str(y + 1)}
    if board["start"]:
        x, y = board["start"]
        values |= {"start-column": str(x + 1), "start-row": str(y + 1)}
    return values


def _changes(game: Game, draft: Blueprint) -> Context:
    """Return what is to be changed; a starship that stays is left as it was when it was chosen."""
    changes = draft.terms | draft.board
    if game.course is None and game.revision and changes.get("starship") == game.revision.starship_id:
        del changes["starship"]
    return changes
