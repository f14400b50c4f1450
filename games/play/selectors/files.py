"""A game that has ended as a ``game/1`` document, which proves itself."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import rules
from games.errors import Conflict
from games.play import stored
from games.play.models import Game, Hand, Turn
from games.play.selectors.game import boards_of
from games.play.selectors.heads import (
    UNREADABLE,
    beginning_of,
    board_document,
    gathered,
    heads_after,
    instant,
    orders_in,
)
from games.play.selectors.viewers import Viewer
from rules.heads import salt_of

Document = dict[str, Any]


def game_file(*, viewer: Viewer, game: Game) -> Document:
    """Return a game that has ended as a document that `rules.verify` proves, for anyone who may see the game.

    Robots bear the names that they have in the log. Of a game that its rules did not end, there is what was
    played of it, and its ``ending``. Raises Conflict while a game goes on, and where nothing was played.
    """
    if not game.was_played:
        raise Conflict("not-over", "There is a file of a game once it is over.")
    ship = stored.ship_of(game)
    turns = list(gathered(game.turns.filter(status=Turn.Status.RESOLVED)).order_by("number"))
    if not turns:
        raise Conflict("not-played", "This game ended before its first turn was played: there is no file.")
    names = [robot["name"] for robot in turns[0].snapshot["robots"]]
    start = beginning_of(game, game.players.order_by("number"))
    heads = _heads(game, turns)
    ending = {"ending": game.ending or Game.Ending.STAFF} if game.broke_off else {}
    return rules.sealed(
        {
            "format": rules.GAME_FORMAT,
            "about": {
                "id": game.pk,
                "name": game.name,
                "boards": [asdict(board) for board in boards_of(game)],
                "builder": board_document(game).get("builder", ""),
                "created_at": start.pop("created_at"),
                "started_at": start.pop("started_at"),
                "ended_at": instant(game.ended_at),
                "heads_from": game.heads_from,
            },
            **start,
            "seats": [{"name": name, **seat} for name, seat in zip(names, start["seats"], strict=False)],
            "seed": game.seed,
            **({"first_head": turns[0].head_before} if heads else {}),
            "turns": [_turn(turn, names) | heads.get(turn.number, {}) for turn in turns],
            "end": rules.state_to_json(ship, stored.end_of(turns[-1], ship)),
            "winner": game.winner or None,
            **ending,
        }
    )


def _heads(game: Game, turns: Sequence[Turn]) -> dict[int, Document]:
    """Return salt and head of each turn, by its number; none of games that were over before there were heads.

    What a release before them has played last has its heads calculated now (`services.heads`).
    """
    if not turns[0].head_before:
        return {}
    kept = [turn.head for turn in turns if turn.head]
    before = kept[-1] if kept else turns[0].head_before
    try:
        heads = [*kept, *(head for _, head in heads_after(before, game=game, turns=turns[len(kept) :]))]
    except UNREADABLE:
        return {}
    return {
        turn.number: {"salt": salt_of(game.seed, turn.number), "head": head}
        for turn, head in zip(turns, heads, strict=True)
    }


def _hand(hand: Hand, names: list[str]) -> Document:
    document = {"robot": names[hand.robot - 1], "chips": hand.chips["chips"], "redealt": hand.redealt}
    return document | ({"aside": hand.aside["hands"]} if hand.aside else {})


def _turn(turn: Turn, names: list[str]) -> Document:
    hands = list(turn.hands.all())
    return {
        "turn": turn.number,
        "hands": [_hand(hand, names) for hand in hands],
        "orders": orders_in(hands, names),
        "events": [entry.event for entry in turn.log.all()],
    }
