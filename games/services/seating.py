"""Squads and models: which robot sits on which seat, in rulesets that have a choice of them."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction

import rules
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, Malformed, ServiceError
from games.models import Game, Seat
from games.selectors import game_for
from games.services.locking import locked_game


def change_seat(*, user: User, game_id: int, squad: str = "", model: str = "", now: datetime) -> Game:
    """Go over to another squad, or take another model, before the game starts.

    Raises NotFound where the person may not know of the game, Malformed where nothing is asked for,
    Forbidden without a seat, Conflict once the game has started or where the squad is full, and Invalid
    for a squad or a model that the ruleset does not have.
    """
    game_for(viewer=user, game_id=game_id)
    if not squad and not model:
        raise Malformed("nothing", "Say which “squad” or which “model” it shall be.")
    with transaction.atomic():
        game = locked_game(game_id)
        seats = list(game.players.all())
        mine = next((seat for seat in seats if seat.user_id == user.pk), None)
        if mine is None:
            raise Forbidden("no-seat", "You have no seat in this game.")
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", "This game was cancelled.")
        if game.status != Game.Status.OPEN:
            raise Conflict("started", "The game has started: squads and models stay as they are.")
        others = [seat for seat in seats if seat is not mine]
        wanted = {"squad": squad or mine.squad, "model": model or mine.model}
        crew = crew_for(ruleset=rules.ruleset(game.ruleset), seats=game.seats, taken=others, **wanted)
        mine.squad, mine.model = crew["squad"], crew["model"]
        mine.save(update_fields=["squad", "model"])
        game.moved_at = now
        game.save(update_fields=["moved_at"])
    return game


def crew_for(
    *, ruleset: rules.Ruleset, seats: int, taken: Iterable[Seat], squad: str = "", model: str = ""
) -> dict[str, str]:
    """Return squad and model of one more seat, as fields of a `Seat`; what is not asked for is chosen.

    Raises Invalid with what the ruleset does not have, and Conflict where the squad is full.
    """
    others = list(taken)
    refusals: list[ServiceError] = []
    crew = {"squad": "", "model": ""}
    try:
        crew["squad"] = _squad(ruleset, seats, [seat.squad for seat in others], squad)
    except ServiceError as refusal:
        refusals.append(refusal)
    try:
        crew["model"] = _model(ruleset, [seat.model for seat in others], model)
    except ServiceError as refusal:
        refusals.append(refusal)
    if refusals:
        first = refusals[0]
        first.problems = [problem for refusal in refusals for problem in refusal.problems]
        raise first
    return crew


def _squad(ruleset: rules.Ruleset, seats: int, taken: Sequence[str], wanted: str) -> str:
    """Return the squad asked for, else the smallest, of equals the first."""
    if wanted and wanted not in ruleset.squads:
        raise _none_such(ruleset, "squad", wanted, ruleset.squads)
    if not ruleset.squads:
        return ""
    squad = wanted or min(ruleset.squads, key=taken.count)
    if taken.count(squad) >= seats // len(ruleset.squads) > 0:
        detail = f"The {squad} squad is full."
        raise Conflict("squad-full", detail, [{"code": "squad", "detail": detail}])
    return squad


def _model(ruleset: rules.Ruleset, taken: Sequence[str], wanted: str) -> str:
    """Return the model asked for, else the first that nobody has, else the first."""
    if wanted and wanted not in ruleset.models:
        raise _none_such(ruleset, "model", wanted, ruleset.models)
    if not ruleset.models:
        return ""
    free = (model for model in ruleset.models if model not in taken)
    return wanted or next(free, ruleset.models[0])


def _none_such(ruleset: rules.Ruleset, what: str, wanted: str, there: Sequence[str]) -> Invalid:
    known = f"there are: {', '.join(there)}" if there else f"it has no {what}s"
    detail = f"{ruleset.name} has no {what} “{wanted}”; {known}."
    return Invalid(f"no-{what}", detail, [{"code": what, "detail": detail}])
