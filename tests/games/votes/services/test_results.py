"""The effects of votes that pass."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.absence.models import Replacement
from games.errors import Conflict
from games.news.models import Notice
from games.play.computers import play_computers
from games.play.models import Game, Seat, Turn
from games.play.resolution import resolve_turn
from games.staff.selectors import faults_of
from games.staff.services import cancel_as_staff
from games.votes.models import Vote
from games.votes.services import close_due_votes
from tests.games.support import NOW, Table, later, open_turn
from tests.games.votes.services.ballots import CALL_OFF, CONCEDE, EJECT, PAUSE, RESUME, ask, counted, say


def test_a_game_is_cancelled_and_everyone_is_notified(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    turn = open_turn(trio)
    vote = say(bob, ask(alice, trio, CALL_OFF))
    assert counted(vote) == (Vote.Status.PASSED, 2, 0, 3)
    trio.refresh_from_db()
    assert (trio.status, trio.ending, trio.winner) == (Game.Status.CANCELLED, Game.Ending.VOTED, "")
    told = Notice.objects.filter(game=trio, kind="cancelled")
    assert {notice.user for notice in told} == {alice, bob, carol}
    assert list(faults_of(trio)) == []
    assert not resolve_turn(turn_id=turn.pk, now=later(days=9))


def test_a_game_is_conceded_by_all_others_and_won(trio: Game, alice: User, bob: User, carol: User) -> None:
    vote = ask(alice, trio, CONCEDE, seat=3)
    trio.refresh_from_db()
    assert trio.status == Game.Status.RUNNING
    assert say(bob, vote).status == Vote.Status.PASSED
    trio.refresh_from_db()
    assert (trio.status, trio.ending, trio.winner) == (Game.Status.OVER, Game.Ending.CONCEDED, "Carol")
    told = Notice.objects.filter(game=trio, kind="over")
    assert {(notice.user, notice.turn) for notice in told} == {(alice, 0), (bob, 0), (carol, 0)}
    assert list(faults_of(trio)) == []


def test_a_single_player_among_computers_concedes_immediately(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, computers=["rookie"])
    table.move(game, alice)
    turn = open_turn(game)
    play_computers(turn_id=turn.pk, now=NOW)
    resolve_turn(turn_id=turn.pk, now=NOW)
    rookie = game.players.get(number=2)
    assert ask(alice, game, CONCEDE, seat=2).status == Vote.Status.PASSED
    game.refresh_from_db()
    assert game.winner == rookie.name


def test_a_robot_that_is_out_cannot_be_conceded_to(trio: Game, alice: User, carol: User) -> None:
    Seat.objects.filter(game=trio, user=carol).update(out=True)
    with pytest.raises(Conflict) as refused:
        ask(alice, trio, CONCEDE, seat=3)
    assert refused.value.detail == "This robot can no longer win the game."


def test_a_player_voted_out_is_replaced_by_a_computer(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    assert say(bob, ask(alice, trio, EJECT, seat=3)).status == Vote.Status.PASSED
    seat = trio.players.get(number=3)
    assert (seat.user, seat.computer, seat.robo_name) == (None, "rookie", "Carol")
    replaced = Replacement.objects.get(seat=seat)
    assert (replaced.was, replaced.reason) == (carol, Replacement.Reason.VOTED)


def test_a_game_is_paused_and_resumed_by_vote(trio: Game, alice: User, bob: User) -> None:
    deadline = open_turn(trio).deadline
    assert deadline
    assert say(bob, ask(alice, trio, PAUSE, days=7)).status == Vote.Status.PASSED
    trio.refresh_from_db()
    assert trio.paused_until == later(hours=1, days=7)
    assert open_turn(trio).deadline == deadline + timedelta(days=7)
    vote = ask(bob, trio, RESUME, now=later(days=1))
    assert say(alice, vote, now=later(days=1)).status == Vote.Status.PASSED
    trio.refresh_from_db()
    assert trio.paused_until is None or trio.paused_until <= later(days=1)


def test_a_vote_to_end_a_finished_pause_has_no_effect(trio: Game, alice: User, bob: User) -> None:
    say(bob, ask(alice, trio, PAUSE, days=1))
    vote = ask(alice, trio, RESUME, now=later(hours=20))
    close_due_votes(now=later(hours=44))
    assert counted(vote)[0] == Vote.Status.VOID


def test_votes_of_a_finished_game_have_no_effect(
    lane: Table, trio: Game, alice: User, bob: User, erin: User
) -> None:
    vote = ask(alice, trio, CONCEDE, seat=2)
    cancel_as_staff(user=erin, game_id=trio.pk, reason="So.", now=NOW)
    assert counted(vote)[0] == Vote.Status.VOID
    game = lane.game(alice, bob, options={"lives": 1})
    vote = ask(alice, game, CALL_OFF)
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status=Turn.Status.OPEN)
        resolve_turn(turn_id=turn.pk, now=later(days=2 * turn.number + 2))
        game.refresh_from_db()
    assert counted(vote)[0] == Vote.Status.VOID


def test_of_two_votes_the_one_that_ends_the_game_cancels_the_other(
    trio: Game, alice: User, bob: User
) -> None:
    off, eject = ask(alice, trio, CALL_OFF), ask(alice, trio, EJECT, seat=3)
    say(bob, off)
    assert counted(eject)[0] == Vote.Status.VOID
    assert trio.players.get(number=3).user is not None
