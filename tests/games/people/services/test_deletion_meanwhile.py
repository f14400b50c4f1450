"""Accounts are deleted while their games continue, on the real database."""

from functools import partial

import pytest

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import post_line
from games.errors import ServiceError
from games.lobby.seats import join_game
from games.people.models import Deletion
from games.people.services.deletion import delete_account, erase
from games.play.computers import play_computers
from games.play.models import Game, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from tests.games.deletions import SETTLED, SOON, faults, rows_with
from tests.games.support import LANE, NOW, Table, open_turn, orders_for
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def to_the_end(deletion: Deletion) -> None:
    """Erase an account with two workers at once. One message too many is sent."""
    for now in (SOON, SETTLED):
        done = together(
            partial(erase, deletion_id=deletion.pk, now=now),
            partial(erase, deletion_id=deletion.pk, now=now),
        )
        assert set(done) <= {True, False}
    assert not erase(deletion_id=deletion.pk, now=SETTLED)
    deletion.refresh_from_db()
    assert deletion.done_at == SETTLED
    assert rows_with("alice") == []


def test_an_account_is_deleted_while_a_turn_is_resolved(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    turn = open_turn(game)
    table.move(game, alice, bob)
    played, deletion = together(
        partial(resolve_turn, turn_id=turn.pk, now=NOW),
        partial(delete_account, user=alice, now=NOW),
    )
    assert played is True
    to_the_end(deletion)
    game.refresh_from_db()
    assert (game.turn, game.host) == (1, bob)
    names = [robot["name"] for robot in game.turns.get(number=1).snapshot["robots"]]
    assert names == [f"Deleted-{alice.pk}", "Bob"]


def test_an_account_is_deleted_while_a_turn_is_resolved_and_the_game_rewritten(
    alice: User, bob: User
) -> None:
    lane = Table(LANE.saved())
    game = lane.game(alice, bob, options={"lives": 1})
    deletion = delete_account(user=alice, now=NOW)
    lane.move(game, bob)
    submit_orders(
        user=User.objects.get(pk=alice.pk),
        game_id=game.pk,
        turn_number=0,
        document=orders_for(game, alice),
        now=NOW,
    )
    turn = open_turn(game)
    played, erased = together(
        partial(resolve_turn, turn_id=turn.pk, now=SOON),
        partial(erase, deletion_id=deletion.pk, now=SOON),
    )
    assert (played, erased) == (True, False)
    to_the_end(deletion)
    game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        if game.players.filter(user=bob, out=False).exists():
            lane.move(game, bob)
        play_computers(turn_id=open_turn(game).pk, now=SETTLED)
        assert resolve_turn(turn_id=open_turn(game).pk, now=SETTLED)
        game.refresh_from_db()
    assert faults(game) == []
    assert rows_with("alice") == []


def test_an_account_is_deleted_while_the_person_still_writes(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    said, deletion = together(
        partial(post_line, user=alice, game_id=game.pk, text="Alice goes.", now=NOW),
        partial(delete_account, user=alice, now=NOW),
    )
    assert isinstance(said, ChatLine | ServiceError)
    to_the_end(deletion)


def test_an_account_is_deleted_while_the_person_joins_a_game(table: Table, alice: User, bob: User) -> None:
    game = table.game(bob, seats=3)
    joined, deletion = together(
        partial(join_game, user=alice, game_id=game.pk, now=NOW),
        partial(delete_account, user=alice, now=NOW),
    )
    assert isinstance(joined, Game | ServiceError)
    to_the_end(deletion)
    assert [seat.robo_name for seat in game.players.all()] == ["Bob"]


def test_two_simultaneous_deletions_delete_the_account_once(alice: User) -> None:
    done = together(
        partial(delete_account, user=alice, now=NOW),
        partial(delete_account, user=alice, now=NOW),
    )
    assert sorted(type(each).__name__ for each in done) == ["Conflict", "Deletion"]
    to_the_end(Deletion.objects.get())
    assert not Turn.objects.exists()
