"""Cancelling games."""

import pytest

from accounts.models import User
from games import services
from games.errors import Conflict, Forbidden
from games.models import Game, Notice, Turn
from games.notify.mail import compose
from tests.games.support import NOW, Table, later, open_turn


def test_the_host_cancels_before_the_start(table: Table, alice: User) -> None:
    game = services.cancel_game(user=alice, game_id=table.game(alice, seats=2).pk, now=later(hours=1))
    assert (game.status, game.ended_at) == (Game.Status.CANCELLED, later(hours=1))


def test_those_who_waited_are_told(table: Table, alice: User, bob: User) -> None:
    game = services.cancel_game(user=alice, game_id=table.game(alice, bob, seats=3).pk, now=NOW)
    told = Notice.objects.filter(game=game, kind=Notice.Kind.CANCELLED)
    assert [notice.user for notice in told] == [bob]
    assert "and will not be played" in str(compose(told.get()).body)


def test_others_do_not(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, seats=3)
    with pytest.raises(Forbidden):
        services.cancel_game(user=bob, game_id=game.pk, now=NOW)


def test_the_host_does_not_once_it_has_started(duel: Game, alice: User) -> None:
    with pytest.raises(Conflict) as refused:
        services.cancel_game(user=alice, game_id=duel.pk, now=NOW)
    assert refused.value.code == "started"


def test_staff_cancel_a_running_game_and_it_goes_no_further(
    table: Table, duel: Game, alice: User, bob: User, erin: User
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    services.cancel_game(user=erin, game_id=duel.pk, now=NOW)
    assert not services.resolve_turn(turn_id=turn.pk, now=NOW)
    assert services.sweep(now=later(days=2)).turns == 0
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.OPEN, 0)


def test_nothing_is_cancelled_twice(table: Table, alice: User, erin: User) -> None:
    game = table.game(alice, seats=2)
    services.cancel_game(user=alice, game_id=game.pk, now=NOW)
    for user in (alice, erin):
        with pytest.raises(Conflict) as refused:
            services.cancel_game(user=user, game_id=game.pk, now=NOW)
        assert refused.value.code == "finished"


def test_nobody_is_told_of_a_turn_that_will_not_be_played(duel: Game, erin: User) -> None:
    services.cancel_game(user=erin, game_id=duel.pk, now=NOW)
    for notice in duel.notices.filter(kind=Notice.Kind.TURN):
        assert not services.send_notice(notice_id=notice.pk, now=NOW)
        notice.refresh_from_db()
        assert notice.status == notice.Status.OUTDATED
