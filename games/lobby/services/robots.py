"""Which robot sits on which seat: its look, and its squad and model in rulesets that have them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypedDict

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import LOOKS, User
from games.errors import Conflict, Forbidden, Invalid, Malformed, ServiceError
from games.play import stored
from games.play.models import Game, Seat
from games.play.selectors.viewers import game_for
from games.play.services.locks import locked_game, touch


class Crew(TypedDict):
    """The robot of a seat, as fields of a `Seat`."""

    look: int
    squad: str
    model: str


def change_seat(
    *, user: User, game_id: int, squad: str = "", model: str = "", look: int | None = None, now: datetime
) -> Game:
    """Go over to another squad, or take another model or look, before the game starts.

    Raises NotFound where the person may not know of the game, Malformed where nothing is asked for,
    Forbidden without a seat, Conflict once the game has started or where the squad is full or another
    robot looks like that, and Invalid for a look that there is not, and for a squad or a model that the
    ruleset does not have.
    """
    game_for(viewer=user, game_id=game_id)
    if not squad and not model and look is None:
        raise Malformed("nothing", _("Say what to change: “squad”, “model” or “look”."))
    with transaction.atomic():
        game = locked_game(game_id)
        seats = list(game.players.all())
        mine = next((seat for seat in seats if seat.user_id == user.pk), None)
        if mine is None:
            raise Forbidden("no-seat", _("You have no seat in this game."))
        if game.status == Game.Status.CANCELLED:
            raise Conflict("cancelled", _("This game was cancelled."))
        if game.status != Game.Status.OPEN:
            raise Conflict(
                "started", _("The game has started. Squads, models and robots can no longer change.")
            )
        others = [seat for seat in seats if seat is not mine]
        crew = crew_for(
            ruleset=stored.edition_of(game),
            seats=game.seats,
            taken=others,
            squad=squad or mine.squad,
            model=model or mine.model,
            look=mine.look if look is None else look,
        )
        reseat(mine, crew)
        touch(game, now)
    return game


def reseat(seat: Seat, crew: Crew) -> None:
    """Give a seat another robot, and save it."""
    seat.squad, seat.model, seat.look = crew["squad"], crew["model"], crew["look"]
    seat.save(update_fields=["squad", "model", "look"])


def close_ranks(seats: Iterable[Seat]) -> None:
    """Number the seats of a game, given in their order, from 1 without a gap."""
    for number, seat in enumerate(seats, 1):
        if seat.number != number:  # each number below its own is free by now
            seat.number = number
            seat.save(update_fields=["number"])


def crew_for(
    *,
    ruleset: rules.Ruleset,
    seats: int,
    taken: Iterable[Seat],
    squad: str = "",
    model: str = "",
    look: int | None = None,
    favourite: int | None = None,
) -> Crew:
    """Return the robot of one more seat; what is not asked for is chosen, if it can be the favourite look.

    Raises Invalid with what there is not, and Conflict where the squad is full or the look is taken.
    """
    others = list(taken)
    refusals: list[ServiceError] = []
    crew = Crew(look=1, squad="", model="")
    try:
        crew["look"] = _look([seat.look for seat in others], look, favourite)
    except ServiceError as refusal:
        refusals.append(refusal)
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


def free_seat(game: Game, taken: Iterable[Seat]) -> int:
    """Return the number of the first free seat; raises Conflict where there is none."""
    numbers = {seat.number for seat in taken}
    for number in range(1, game.seats + 1):
        if number not in numbers:
            return number
    raise Conflict("full", _("This game is full: all its seats are taken."))


def _squad(ruleset: rules.Ruleset, seats: int, taken: Sequence[str], wanted: str) -> str:
    """Return the squad asked for, else the smallest, of equals the first."""
    if wanted and wanted not in ruleset.squads:
        raise _none_such(ruleset, "squad", wanted, ruleset.squads)
    if not ruleset.squads:
        return ""
    squad = wanted or min(ruleset.squads, key=taken.count)
    if taken.count(squad) >= seats // len(ruleset.squads) > 0:
        detail = _("The {squad} squad is full.").format(squad=squad)
        raise Conflict("squad-full", detail, [{"code": "squad", "detail": detail}])
    return squad


def _model(ruleset: rules.Ruleset, taken: Sequence[str], wanted: str) -> str:
    """Return the model asked for, else the first that no one has, else the first."""
    if wanted and wanted not in ruleset.models:
        raise _none_such(ruleset, "model", wanted, ruleset.models)
    if not ruleset.models:
        return ""
    free = (model for model in ruleset.models if model not in taken)
    return wanted or next(free, ruleset.models[0])


def _look(taken: Sequence[int], wanted: int | None, favourite: int | None) -> int:
    """Return the look asked for, else the favourite if it is free, else the first that is."""
    if wanted is None:
        free = [look for look in range(1, LOOKS + 1) if look not in taken]
        return favourite if favourite and favourite in free else free[0]
    if not isinstance(wanted, int) or isinstance(wanted, bool) or not 1 <= wanted <= LOOKS:
        detail = _("There is no robot {number}. Choose one from 1 to {most}.").format(
            number=wanted, most=LOOKS
        )
        raise Invalid("no-look", detail, [{"code": "look", "detail": detail}])
    if wanted in taken:
        detail = _("Another player has this robot. Choose another one.")
        raise Conflict("look-taken", detail, [{"code": "look", "detail": detail}])
    return wanted


def _none_such(ruleset: rules.Ruleset, what: str, wanted: str, there: Sequence[str]) -> Invalid:
    detail = _none_such_told(what, there).format(ruleset=ruleset.name, wanted=wanted, there=", ".join(there))
    return Invalid(f"no-{what}", detail, [{"code": what, "detail": detail}])


def _none_such_told(what: str, there: Sequence[str]) -> str:
    if what == "squad":
        if there:
            return _("{ruleset} has no squad “{wanted}”. Choose one of these: {there}.")
        return _("{ruleset} has no squad “{wanted}”: it has no squads.")
    if there:
        return _("{ruleset} has no model “{wanted}”. Choose one of these: {there}.")
    return _("{ruleset} has no model “{wanted}”: it has no models.")
