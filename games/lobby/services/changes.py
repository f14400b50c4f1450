"""Changing how a game is set up, as long as it is a lobby."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

import rules
from accounts.models import User
from games.clocks.paces import pace_in_words
from games.errors import Invalid, Malformed
from games.lobby.selectors.boards import board_of
from games.lobby.services.links import new_token
from games.lobby.services.lobbies import hosted_lobby
from games.lobby.services.readiness import start_if_ready
from games.lobby.services.robots import close_ranks, crew_for, reseat
from games.lobby.services.terms import Draft, draft, scattered_in
from games.play import stored
from games.play.models import Game, Seat
from games.play.policy import absence_in_words
from games.play.selectors.viewers import game_for
from games.play.services.history import note

SETTINGS = frozenset(
    {
        "name",
        "ruleset",
        "starship",
        "boards",
        "checkpoints",
        "start",
        "options",
        "house_rules",
        "seats",
        "private",
        "pace",
        "absence",
        "least_reliability",
        "starts_itself",
    }
)
BOARD = frozenset({"starship", "boards", "checkpoints", "start"})


def change_game(*, user: User, game_id: int, changes: Mapping[str, Any], now: datetime) -> Game:
    """Change settings of a lobby, for its host; what is not named stays as it is.

    Options and house rules are changed one by one, and begin anew with another ruleset. Each change is
    noted in the lobby, and all other people have to agree anew. Raises NotFound, Forbidden for those who
    are not the host, Conflict once the game has started, Malformed for settings that there are not, and
    Invalid with every reason why these do not make a game together.
    """
    game_for(viewer=user, game_id=game_id)
    if unknown := sorted(set(changes) - SETTINGS):
        raise Malformed("unknown-setting", f"A game has no setting “{unknown[0]}”.")
    with transaction.atomic():
        game = hosted_lobby(user=user, game_id=game_id)
        seats = list(game.players.select_related("user").order_by("number"))
        drafted = _drafted(game, changes, len(seats))
        sentences = list(_differences(game, drafted, changes))
        if not sentences:
            return game
        if drafted.private != game.private:
            game.link_token = new_token()
        _keep(game, drafted, changes)
        game.moved_at = now
        game.save()
        if seats[-1].number > game.seats:
            close_ranks(seats)
        _refit(game, seats)
        for sentence in sentences:
            note(game=game, by=user, text=f"{user.robo_name} {sentence}.", now=now)
        game.players.exclude(user=None).exclude(user=user).update(ready=False)
        start_if_ready(game=game, now=now)
    return game


def _drafted(game: Game, changes: Mapping[str, Any], taken: int) -> Draft:
    """Return the game with its changes."""
    ruleset = changes.get("ruleset", game.ruleset)
    same = ruleset == game.ruleset
    drafted = draft(
        name=changes.get("name", game.name),
        **_board(game, changes),
        ruleset=ruleset,
        options=(game.options if same else {}) | dict(changes.get("options") or {}),
        house_rules=(game.house_rules if same else {}) | dict(changes.get("house_rules") or {}),
        seats=changes.get("seats", game.seats),
        private=changes.get("private", game.private),
        pace=changes.get("pace", stored.pace_of(game)),
        absence=changes.get("absence", stored.absence_of(game)),
        least_reliability=changes.get("least_reliability", game.least_reliability),
        seed=game.seed,
    )
    if drafted.seats < taken:
        detail = f"{taken} seats are taken: there cannot be fewer."
        raise Invalid("no-game", "The game cannot be made like this.", [{"code": "seats", "detail": detail}])
    return drafted


def _board(game: Game, changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the game is laid out on: what the changes name, else what it was, laid anew."""
    kept = board_of(game)
    if scattered_in(changes.get("ruleset", game.ruleset), changes.get("options") or {}):
        kept["checkpoints"] = None
    if not BOARD.isdisjoint(changes):
        asked = {
            "starship_id": changes.get("starship"),
            "boards": changes.get("boards"),
            "checkpoints": changes.get("checkpoints"),
            "start": changes.get("start"),
        }
        if asked["starship_id"] is None and not asked["boards"]:
            given = {key: asked[key] for key in ("checkpoints", "start") if key in changes}
            return kept | given
        return asked
    return kept


def _keep(game: Game, drafted: Draft, changes: Mapping[str, Any]) -> None:
    for field, value in drafted.fields().items():
        setattr(game, field, value)
    before, game.course = game.course, drafted.course()
    if before is not None:
        game.save(update_fields=["course"])
        before.delete()
    game.starts_itself = changes.get("starts_itself", game.starts_itself)


def _refit(game: Game, seats: list[Seat]) -> None:
    """Give robots other squads and models where theirs are none of the ruleset's, or too many's."""
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


def _differences(game: Game, drafted: Draft, changes: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the changes come to, as ends of sentences; what is the same as before is none."""
    setup = drafted.setup
    if drafted.name != game.name:
        yield f"renamed the game “{drafted.name}”"
    if setup.ruleset.key != game.ruleset:
        yield f"changed the rules to {setup.ruleset.name}"
    ship, before = drafted.layout.ship, stored.ship_of(game)
    if rules.write_starship(ship) != rules.write_starship(before):
        as_now = ship.name == before.name and BOARD.isdisjoint(changes)
        yield f"took the board {ship.name} as it is now" if as_now else f"changed the board to {ship.name}"
    for title, before, after, known in (
        ("option", game.options, setup.options, setup.ruleset.options),
        ("house rule", game.house_rules, setup.house_rules, setup.ruleset.house_rules),
    ):
        for choice in known:
            old, new = before.get(choice.key), after[choice.key]
            if old != new:
                name = choice.key.replace("_", " ")
                was = "" if old is None else f" from {_word(old)}"
                yield f"changed the {title} “{name}”{was} to {_word(new)}"
    if drafted.seats != game.seats:
        yield f"changed the seats from {game.seats} to {drafted.seats}"
    if drafted.private != game.private:
        yield "made the game private" if drafted.private else "made the game public"
    if drafted.pace != stored.pace_of(game):
        yield f"changed the pace to {pace_in_words(drafted.pace)}"
    if drafted.absence != stored.absence_of(game):
        yield f"changed what becomes of missed turns: {absence_in_words(drafted.absence).removesuffix('.')}"
    if drafted.least_reliability != game.least_reliability:
        least = drafted.least_reliability
        yield f"lets players join who are reliable to {least} % at least" if least else "lets everybody join"
    if changes.get("starts_itself", game.starts_itself) != game.starts_itself:
        yield (
            "will start the game by hand"
            if game.starts_itself
            else "has the game start by itself once it is full and all are ready"
        )


def _word(value: int | bool) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
