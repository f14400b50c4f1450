"""A game that has ended as a ``game/1`` document, which proves itself."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch

import rules
from games import stored
from games.errors import Conflict
from games.models import Game, Hand, LogEntry, Turn
from games.selectors.game import boards_of, commitment_of
from games.selectors.gathering import program_of
from games.selectors.viewers import Viewer

Document = dict[str, Any]


def game_file(*, viewer: Viewer, game: Game) -> Document:
    """Return a game that has ended as a document that `rules.verify` proves, for whoever may see the game.

    Robots bear the names that they have in the log. Of a game that its rules did not end, there is what was
    played of it, and its ``ending``. Raises Conflict while a game goes on, and where nothing was played.
    """
    if not game.was_played:
        raise Conflict("not-over", "There is a file of a game once it is over.")
    ship = stored.ship_of(game)
    turns = list(_turns(game))
    if not turns:
        raise Conflict("not-played", "This game ended before its first turn was played: there is no file.")
    names = [robot["name"] for robot in turns[0].snapshot["robots"]]
    ending = {"ending": game.ending or Game.Ending.STAFF} if game.broke_off else {}
    return rules.sealed(
        {
            "format": rules.GAME_FORMAT,
            "about": {
                "id": game.pk,
                "name": game.name,
                "boards": list(boards_of(game)),
                "created_at": _instant(game.created_at),
                "started_at": _instant(game.started_at),
                "ended_at": _instant(game.ended_at),
            },
            "ruleset": game.ruleset,
            "version": game.version,
            "options": game.options,
            "house_rules": game.house_rules,
            "starship": (game.course or game.revision).document,
            "seats": list(_seats(game, names)),
            "seed": game.seed,
            "commitment": commitment_of(game),
            "turns": [_turn(turn, names) for turn in turns],
            "end": rules.state_to_json(ship, stored.end_of(turns[-1], ship)),
            "winner": game.winner or None,
            **ending,
        }
    )


def _instant(at: datetime | None) -> str | None:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None


def _turns(game: Game) -> Iterator[Turn]:
    """Yield the turns that were played, in order, with all that belongs to each, in few queries."""
    hands = Prefetch("hands", Hand.objects.select_related("program").order_by("robot"))
    log = Prefetch("log", LogEntry.objects.order_by("seq"))
    played = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")
    yield from played.prefetch_related(hands, log)


def _seats(game: Game, names: list[str]) -> Iterator[Document]:
    for seat in game.players.order_by("number"):
        yield {
            "seat": seat.number,
            "name": names[seat.number - 1],
            "squad": seat.squad or None,
            "model": seat.model or None,
            "computer": seat.computer or None,
        }


def _turn(turn: Turn, names: list[str]) -> Document:
    hands = list(turn.hands.all())
    given = ((hand, program_of(hand)) for hand in hands)
    return {
        "turn": turn.number,
        "hands": [
            {"robot": names[hand.robot - 1], "chips": hand.chips["chips"], "redealt": hand.redealt}
            for hand in hands
        ],
        "orders": [
            {"robot": names[hand.robot - 1], "by": program.by, "orders": stored.plain_orders(program)}
            for hand, program in given
            if program
        ],
        "events": [entry.event for entry in turn.log.all()],
    }
