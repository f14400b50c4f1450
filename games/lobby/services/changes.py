"""Changing how a game is set up, as long as it is a lobby."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.errors import Conflict, Invalid, Malformed
from games.lobby.selectors.terms import changes_after
from games.lobby.services.creation import usual_name
from games.lobby.services.links import new_token
from games.lobby.services.locks import hosted_lobby
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import close_ranks, crew_for, reseat
from games.lobby.services.terms import Arrangement, arrange, scattered_in
from games.play import stored
from games.play.history import sentence_of
from games.play.models import Game, Seat
from games.play.selectors.viewers import game_for
from games.play.selectors.words import refuse_words
from games.play.services.history import note
from games.play.terms import BOARD, SETTINGS, Terms, terms_of


def change_game(
    *, user: User, game_id: int, changes: Mapping[str, Any], instead_of: int | None = None, now: datetime
) -> Game:
    """Change settings of a lobby, for its host; what is not named stays as it is.

    Options and house rules are changed one by one, and begin again with another ruleset. Each change is
    noted in the lobby, as is each model that a robot loses, and all other people have to agree again. With
    ``instead_of`` (`last_change`) only settings that the host has seen are replaced. Raises NotFound,
    Forbidden for those who are not the host, Conflict once the game has started, or for settings that have
    changed since, with each change, Malformed for settings that there are not, and Invalid with every reason
    why these do not make a game together.
    """
    game_for(viewer=user, game_id=game_id)
    if unknown := sorted(set(changes) - {*SETTINGS, *BOARD}):
        raise Malformed("unknown-setting", _("There is no setting “{name}”.").format(name=unknown[0]))
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        seats = list(game.players.select_related("user").order_by("number"))
        arranged = _arranged(game, changes, len(seats))
        differences = list(_differences(game, arranged, changes))
        if not differences:
            return game
        if instead_of is not None:
            _check_seen(game, instead_of)
        refuse_words(user=user, words=[arranged.terms.name], before=[game.name, usual_name(user)], now=now)
        if arranged.terms.private != game.private:
            game.link_token = new_token()
        _keep(game, arranged)
        game.moved_at = now
        game.save()
        if seats[-1].number > game.seats:
            close_ranks(seats)
        for kind, parameters in differences:
            note(game=game, by=user, kind=kind, player=user.robo_name, **parameters, now=now)
        for robot, model in _refit(game, seats):
            note(game=game, by=user, kind="without-model", robot=robot, model=model, now=now)
        game.players.exclude(user=None).exclude(user=user).update(ready=False)
        start_if_ready(game=game, now=now)
    return game


def _check_seen(game: Game, seen: int) -> None:
    if since := [{"code": each.kind, "detail": sentence_of(each)} for each in changes_after(game, seen)]:
        detail = _("The settings have changed since you opened this form. Compare them, then save again.")
        raise Conflict("settings-changed", detail, since)


def _arranged(game: Game, changes: Mapping[str, Any], taken: int) -> Arrangement:
    before = terms_of(game)
    same = changes.get("ruleset", game.ruleset) == game.ruleset
    asked = {**changes, **_board(before, changes)}
    for key in ("options", "house_rules"):
        asked[key] = {**(getattr(before, key) if same else {}), **(changes.get(key) or {})}
    arranged = arrange(before.with_changes(asked), seed=game.seed)
    if arranged.terms.seats < taken:
        detail = _("{taken} seats are already taken. Choose at least that many.").format(taken=taken)
        raise Invalid(
            "no-game",
            _("The game cannot be created with these settings."),
            [{"code": "seats", "detail": detail}],
        )
    return arranged


def _board(before: Terms, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the changes name of the board; another starship or other boards come without the rest."""
    named = {key: changes[key] for key in BOARD if key in changes}
    if named.get("starship") is not None or named.get("boards"):
        return {key: named.get(key) for key in BOARD}
    given: dict[str, Any] = {key: named[key] for key in ("checkpoints", "start") if key in named}
    if scattered_in(changes.get("ruleset", before.ruleset), changes.get("options") or {}):
        given = {"checkpoints": None, **given}
    return {key: given.get(key, getattr(before, key)) for key in BOARD}


def _keep(game: Game, arranged: Arrangement) -> None:
    for field, value in arranged.fields().items():
        setattr(game, field, value)
    before, game.course = game.course, arranged.course(game)
    if before is not None:
        game.save(update_fields=["course"])
        before.delete()


def _refit(game: Game, seats: list[Seat]) -> list[tuple[str, str]]:
    """Give robots other squads and models where theirs are none of the ruleset's, or too many's.

    Returns the models that the ruleset does not have, each with the name of the robot that had it.
    """
    lost = [(seat.robo_name, seat.model) for seat in seats if seat.model]
    ruleset = stored.edition_of(game)
    size = game.seats // len(ruleset.squads) if ruleset.squads else 0
    settled: list[Seat] = []
    for seat in seats:
        full = [other.squad for other in settled].count(seat.squad) >= size
        squad = seat.squad if seat.squad in ruleset.squads and not full else ""
        model = seat.model if seat.model in ruleset.models else ""
        crew = crew_for(
            ruleset=ruleset, seats=game.seats, taken=settled, squad=squad, model=model, look=seat.look
        )
        reseat(seat, crew)
        settled.append(seat)
    return [(robot, model) for robot, model in lost if model not in ruleset.models]


def _differences(
    game: Game, arranged: Arrangement, changes: Mapping[str, Any]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is another than before, as kinds and parameters for the history."""
    terms = list(arranged.terms.differences(terms_of(game)))
    first = ("name", "ruleset")
    yield from (("term", each) for each in terms if each["term"] in first)
    ship, before = arranged.layout.ship, stored.ship_of(game)
    if rules.write_starship(ship) != rules.write_starship(before):
        as_now = ship.name == before.name and changes.keys().isdisjoint(BOARD)
        yield "board-as-now" if as_now else "board", {"starship": ship.name}
    yield from (("term", each) for each in terms if each["term"] not in first)
