"""Cancelling games."""

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.lobby.models import LobbyEntry
from games.lobby.services import cancel_game
from games.news.channels.mail import compose
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game, Turn
from games.play.resolution import resolve_turn
from games.staff.models import Intervention
from games.staff.services import cancel_as_staff
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, game_seen, later, open_turn


def test_the_host_cancels_before_the_start_and_waiting_players_are_notified(
    table: Table, alice: User, bob: User
) -> None:
    game = cancel_game(user=alice, game_id=table.game(alice, bob, seats=3).pk, now=later(hours=1))
    assert (game.status, game.ended_at) == (Game.Status.CANCELLED, later(hours=1))
    told = Notice.objects.filter(game=game, kind="cancelled")
    assert [notice.user for notice in told] == [bob]
    mail = str(compose(told.get()).body)
    assert "was cancelled before it started" in mail and "reason" not in mail


def test_neither_others_nor_staff_cancel_as_a_host(table: Table, alice: User, bob: User, erin: User) -> None:
    game = table.game(alice, bob, seats=3)
    for other in (bob, erin):
        with pytest.raises(Forbidden, match="Only the host"):
            cancel_game(user=other, game_id=game.pk, now=NOW)


def test_a_host_cannot_cancel_a_started_game_or_cancel_twice(
    duel: Game, alice: User, table: Table, erin: User
) -> None:
    with pytest.raises(Conflict) as refused:
        cancel_game(user=alice, game_id=duel.pk, now=NOW)
    assert refused.value.code == "started"
    game = table.game(alice, seats=2)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        cancel_game(user=alice, game_id=game.pk, now=NOW)
    assert refused.value.code == "finished"
    with pytest.raises(Conflict) as refused:
        cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    assert refused.value.code == "finished"
    assert not Intervention.objects.exists()


def test_staff_cancel_a_running_game_and_it_stops(
    table: Table, duel: Game, alice: User, bob: User, erin: User
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert not resolve_turn(turn_id=turn.pk, now=NOW)
    assert sweep(now=later(days=2)).turns == 0
    turn.refresh_from_db()
    assert (turn.status, turn.attempts) == (Turn.Status.OPEN, 0)


def test_staff_who_cancel_a_lobby_give_a_reason_and_stay_unnamed(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    game = table.game(alice, bob, seats=3)
    cancel_as_staff(user=erin, game_id=game.pk, reason="Its name was <rude>.", now=NOW)
    done = Intervention.objects.get()
    assert (done.game, done.action, done.turn, done.by) == (game, Intervention.Action.CANCEL, None, erin)
    game.refresh_from_db()
    seen = game_seen(viewer=bob, game=game)
    assert seen["interventions"][0]["reason"] == "Its name was <rude>."
    assert "Erin" not in str(seen)
    told = Notice.objects.filter(game=game, kind="cancelled").order_by("user__robo_name")
    assert [notice.user for notice in told] == [alice, bob]
    mail = compose(told[0])
    assert "Staff cancelled it. Reason from staff: “Its name was <rude>.”" in str(mail.body)
    assert "Its name was &lt;rude&gt;." in str(mail.alternatives[0][0])
    assert "Erin" not in str(mail.body)


def test_players_learn_the_reason_but_not_the_staff_member_and_no_turn_is_announced(
    duel: Game, alice: User, erin: User
) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert not any("Erin" in str(row) for row in LobbyEntry.objects.values())
    told = Notice.objects.get(game=duel, kind="cancelled", user=alice)
    assert "There is no winner. Reason from staff: “So.”" in " ".join(str(compose(told).body).split())
    for notice in duel.notices.filter(kind="turn"):
        assert not send_notification(notice_id=notice.pk, now=NOW)
        notice.refresh_from_db()
        assert notice.status == notice.Status.OUTDATED
