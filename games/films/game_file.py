"""Files of finished games: ``game/1`` documents that anyone can verify without this service."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Annotated, Any, NotRequired, TypedDict

from django.utils.translation import gettext as _

import rules
from games.errors import Conflict, Shape
from games.fleet.selectors import StarshipDocument
from games.play import stored
from games.play.game_view import (
    CELL,
    Events,
    HouseRuleValues,
    LaidBoard,
    OptionValues,
    OrdersDocument,
    boards_of,
)
from games.play.heads import UNREADABLE, board_document, heads_after, instant, opening_document, orders_in
from games.play.models import Game, Turn
from games.play.stored import PlayedHand, TurnRecord, each_played
from rules.codec import STATE_FORMAT
from rules.game_file import AUTHORS, ENDINGS, salt_of

Document = dict[str, Any]


Chips = Annotated[list[int], "The numbers of the chips."]


class AboutView(TypedDict):
    """Facts about a game that the hashes in its file (`play.heads`) do not cover."""

    id: int
    name: str
    boards: Annotated[list[LaidBoard], "The starships that form the board."]
    builder: Annotated[str, "The builder of the starship."]
    created_at: datetime
    started_at: datetime
    ended_at: datetime
    heads_from: Annotated[int | None, "The first turn with a head, in games from before heads; else null."]


class PlayerOfFile(TypedDict):
    """A player of a finished game."""

    seat: int
    name: Annotated[str, "The name of the robot in the log."]
    squad: str | None
    model: str | None
    computer: Annotated[str | None, "The level of a computer that played from the start."]


class PutAsideView(TypedDict):
    """A hand that was put aside, and replaced with other chips."""

    number: Annotated[
        int | None, "Its ordinal in the turn, if it was redrawn; null if it was put aside while dealing."
    ]
    chips: Chips


class HandOfFile(TypedDict):
    """The chips dealt to a robot in a turn."""

    robot: str
    chips: Chips
    redealt: Annotated[int | None, "The ordinal of the redrawn hand in the turn; null without a redraw."]
    aside: NotRequired[Annotated[list[PutAsideView], "The hands that were put aside before."]]


class OrdersOfFile(TypedDict):
    """The orders for a robot in a turn."""

    robot: str
    by: Annotated[str, tuple(AUTHORS)]
    orders: OrdersDocument


class TurnOfFile(TypedDict):
    """A turn of a finished game: hands, orders and events."""

    turn: int
    hands: list[HandOfFile]
    orders: list[OrdersOfFile]
    events: Events
    salt: NotRequired[Annotated[str, "The salt that was hashed with the turn: 32 hexadecimal digits."]]
    head: NotRequired[Annotated[str, "The head after the turn."]]


STATE = {
    "type": "object",
    "description": "The full state of the robots and the board, including secrets of the game.",
    "properties": {
        "format": {"type": "string", "enum": [STATE_FORMAT]},
        "turn": {"type": "integer"},
        "robots": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        "hull": {"type": "object", "additionalProperties": {"type": "integer"}},
        "links": {"type": "array", "items": {"type": "array", "items": CELL}},
        "known": {"type": "array", "items": CELL},
        "return_damage": {"type": "integer"},
        "scanner_damage": {"type": "integer"},
        "over": {"type": "boolean"},
        "winner": {"type": ["string", "null"]},
    },
    "required": ["format", "turn", "robots", "hull", "links", "known", "return_damage", "over", "winner"],
}


POSITION = {
    "type": "object",
    "description": "The robots on the board at the start of turn 1: a `position/1` document without a setup.",
    "additionalProperties": True,
}


class GameFileView(TypedDict):
    """The file of a finished game. You can verify it with `python -m rules verify`."""

    format: Annotated[str, (rules.GAME_FORMAT,)]
    about: AboutView
    ruleset: str
    version: Annotated[int, "The ruleset version."]
    options: OptionValues
    house_rules: HouseRuleValues
    starship: Annotated[StarshipDocument, "The board of the game."]
    seats: list[PlayerOfFile]
    seed: str
    commitment: Annotated[str, "The hash of the seed, published when the game was created."]
    first_head: NotRequired[Annotated[str, "The head before the first turn. Missing in games without heads."]]
    position: NotRequired[
        Annotated[Document, Shape(POSITION), "The position at which the game began, if it was played on."]
    ]
    turns: list[TurnOfFile]
    end: Annotated[Document, Shape(STATE), "The state after the last turn."]
    winner: str | None
    ending: NotRequired[
        Annotated[str, tuple(ENDINGS), "The reason why the game ended, if its rules did not end it."]
    ]
    digest: Annotated[str, "The SHA-256 hash of the rest of the file."]


def game_file(*, game: Game) -> Document:
    """Return a finished game as a document that `rules.verify` can check.

    Everyone who may see the game may download it. Robots have the names that they had in the log. If the game
    did not end by its rules, the document has only the turns that were played, and the reason as ``ending``.
    Raises Conflict if the game is not over, or if no turn was played.
    """
    if not game.was_played:
        raise Conflict("not-over", _("You can’t download a game until it is over."))
    ship = stored.ship_of(game)
    turns = list(each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")))
    if not turns:
        raise Conflict(
            "not-played",
            _("This game ended before its first turn was played, so there is no file to download."),
        )
    first, last = turns[0], turns[-1]
    names = first[1].names
    start = opening_document(game, game.players.order_by("number"))
    heads = _heads(game, turns)
    ending = {"ending": game.ending or Game.Ending.STAFF} if game.ended_early else {}
    return rules.with_digest(
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
            **({"first_head": first[0].head_before} if heads else {}),
            "turns": [_turn(turn, played) | heads.get(turn.number, {}) for turn, played in turns],
            "end": rules.state_to_json(ship, stored.end_in(last[1], ship)),
            "winner": game.winner or None,
            **ending,
        }
    )


def _heads(game: Game, turns: Sequence[tuple[Turn, TurnRecord]]) -> dict[int, Document]:
    """Return each turn's salt and head (a hash of the game so far), by turn number.

    The result is empty for a game without heads. Heads that are missing (`play.heads`) are calculated now.
    """
    first = turns[0][0]
    if not first.head_before:
        return {}
    kept = [turn.head for turn, _ in turns if turn.head]
    before = kept[-1] if kept else first.head_before
    try:
        heads = [*kept, *(head for _, head in heads_after(before, game=game, turns=turns[len(kept) :]))]
    except UNREADABLE:
        return {}
    return {
        turn.number: {"salt": salt_of(game.seed, turn.number), "head": head}
        for (turn, _), head in zip(turns, heads, strict=True)
    }


def _hand(hand: PlayedHand, names: list[str]) -> Document:
    document = {"robot": names[hand.robot - 1], "chips": hand.chips["chips"], "redealt": hand.redealt}
    return document | ({"aside": hand.aside["hands"]} if hand.aside else {})


def _turn(turn: Turn, played: TurnRecord) -> Document:
    return {
        "turn": turn.number,
        "hands": [_hand(hand, played.names) for hand in played.hands],
        "orders": orders_in(played),
        "events": list(played.events),
    }
