"""Turns as the release before has left them, and all that is shown of them before and after a move."""

import json
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder
from django.test import Client

from accounts.models import User
from games import belonging
from games.people.selectors.data_file import held_about
from games.play.models import Game, Seat, Turn
from games.play.selectors.files import game_file
from games.play.selectors.log import log_after, past_turn
from games.play.services.moving import move_turns
from games.staff.selectors.soundness import faults_of
from tests.games.support import NOW, Table, game_seen, later


def as_before(*games: Game) -> None:
    """Have turns and seats be as the release before leaves them, which knows none of the new columns."""
    Turn.objects.filter(game__in=games, record=None).update(first_seq=None, last_seq=None)
    Seat.objects.filter(game__in=games).update(ordered_at=None)
    for model, way in belonging.tables():
        model._default_manager.filter(**{f"{way}__in": [game.pk for game in games]}).update(game=None)


def move() -> int:
    """Move all there is; return how many turns were moved."""
    moved = list(move_turns())
    assert not [fault for each in moved for fault in each.faults]
    return sum(each.turns for each in moved)


def in_rows(game: Game) -> list[int]:
    """Return the numbers of the turns that were played and have rows."""
    resolved = game.turns.filter(status=Turn.Status.RESOLVED, record=None)
    return list(resolved.order_by("number").values_list("number", flat=True))


def all_shown(game: Game) -> dict[str, Any]:
    """Return all that is shown of a game and its players, as far as the past is in it."""
    game = Game.objects.get(pk=game.pk)
    turns = game.turns.order_by("number")
    client = Client()
    films = [f"{game.get_absolute_url()}turns/{turn.number}/film/" for turn in turns if turn.resolved_at]
    seen = game_seen(viewer=AnonymousUser(), game=game)
    return {
        "view": seen,
        "log": log_after(viewer=AnonymousUser(), game=game, limit=10_000),
        "turns": [
            past_turn(viewer=AnonymousUser(), game=game, number=turn.number)
            for turn in turns
            if turn.resolved_at
        ],
        "heads": list(turns.values_list("head_before", "head")),
        "films": [json.loads(client.get(film).content) for film in films],
        "file": game_file(viewer=AnonymousUser(), game=game) if game.was_played else None,
        "faults": list(faults_of(game)),
        "people": [told_of(seat.user) for seat in game.players.all() if seat.user],
        "active": [seat.last_active_at for seat in game.players.all()],
    }


def told_of(user: User) -> Any:
    """Return a person's file, but for what the move adds: when they ordered, and the number of the game."""
    held = json.loads(json.dumps(held_about(user=user, now=NOW), cls=DjangoJSONEncoder))
    for seat in held["seats"]:
        del seat["ordered_at"]
    for key in ("hands", "orders", "drafts", "tallies", "shares", "replacements", "ballots"):
        for row in held[key]:
            del row["game_id"]
    return held


def five_turns(table: Table, game: Game, alice: User, bob: User) -> Game:
    """Play turns 0 to 4 as the release before does; Alice gives orders for turn 5."""
    for number in range(5):
        table.play(game, alice, bob, now=later(minutes=number))
    table.move(game, alice, now=later(minutes=7))
    as_before(game)
    return game
