"""Votes: calling votes, voting rights, and the time of the decision."""

from datetime import datetime, timedelta

import pytest

from accounts.models import User
from games.absence.missed_turns import play_overdue_of_turn
from games.absence.models import Replacement
from games.errors import Conflict, Forbidden, Invalid, Malformed, NotFound
from games.lobby.models import LobbyEntry
from games.news.models import Notice
from games.play.history import sentence_of
from games.play.models import Game, Hand, Seat, Turn
from games.play.resolution import resolve_turn
from games.staff.services import replace_as_staff
from games.votes.models import Ballot, Vote
from games.votes.services import call_vote, cast_ballot, close_due_votes
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, code_of, later, open_turn
from tests.games.votes.services.ballots import CALL_OFF, CONCEDE, EJECT, PAUSE, RESUME, ask, counted, say


def test_the_caller_agrees_and_the_others_are_notified(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    vote = ask(alice, trio, CALL_OFF)
    assert (vote.status, vote.closes_at, vote.turn) == (Vote.Status.OPEN, later(days=3), 1)
    assert [(ballot.user, ballot.yes) for ballot in vote.ballots.all()] == [(alice, True)]
    told = Notice.objects.filter(game=trio, kind="vote")
    assert {notice.user for notice in told} == {bob, carol}
    noted = LobbyEntry.objects.filter(game=trio, by=alice).latest("pk")
    assert sentence_of(noted) == "Alice started a vote: Should the game be cancelled, without a winner?"


def test_several_votes_share_one_unsent_notification(trio: Game, alice: User, bob: User) -> None:
    ask(alice, trio, CALL_OFF)
    ask(alice, trio, CONCEDE, seat=2)
    first = Notice.objects.get(game=trio, kind="vote", user=bob)
    Notice.objects.filter(pk=first.pk).update(status=Notice.Status.SENT, sent_at=NOW)
    ask(alice, trio, PAUSE, days=3)
    second = Notice.objects.get(game=trio, kind="vote", user=bob)
    assert (second.status, second.pk != first.pk) == (Notice.Status.PENDING, True)


def test_only_one_vote_of_a_kind_is_open(trio: Game, alice: User, bob: User) -> None:
    ask(alice, trio, EJECT, seat=3)
    assert code_of(Conflict, ask, bob, trio, EJECT, seat=1) == "vote-open"
    assert ask(bob, trio, CALL_OFF).status == Vote.Status.OPEN


def test_a_refused_vote_cannot_be_repeated_for_three_days(trio: Game, alice: User, bob: User) -> None:
    vote = ask(alice, trio, CONCEDE, seat=3)
    assert say(bob, vote, yes=False).status == Vote.Status.REFUSED
    assert code_of(Conflict, ask, bob, trio, CONCEDE, seat=3, now=later(days=3)) == "asked-lately"
    assert ask(alice, trio, CONCEDE, seat=2, now=later(days=3)).status == Vote.Status.OPEN
    close_due_votes(now=later(days=7))
    assert ask(bob, trio, CONCEDE, seat=3, now=later(days=7)).status == Vote.Status.OPEN


def test_an_impossible_vote_is_refused_with_its_reason(trio: Game, alice: User) -> None:
    for more, error, code in (
        ({"kind": "duel"}, Invalid, "no-such-kind"),
        ({"kind": EJECT}, Malformed, "seat"),
        ({"kind": CALL_OFF, "seat": 2}, Malformed, "seat"),
        ({"kind": PAUSE}, Malformed, "days"),
        ({"kind": CALL_OFF, "days": 2}, Malformed, "days"),
        ({"kind": PAUSE, "days": 0}, Invalid, "days"),
        ({"kind": PAUSE, "days": 29}, Invalid, "days"),
        ({"kind": EJECT, "seat": 9}, NotFound, "no-such-seat"),
        ({"kind": EJECT, "seat": 1}, Forbidden, "no-vote"),
        ({"kind": CONCEDE, "seat": 1}, Forbidden, "no-vote"),
        ({"kind": RESUME}, Conflict, "pointless"),
    ):
        with pytest.raises(error) as refused:
            call_vote(user=alice, game_id=trio.pk, now=NOW, **more)  # type: ignore[arg-type]
        assert refused.value.code == code
    assert not Vote.objects.exists()


def test_strangers_call_no_votes_and_learn_nothing(trio: Game, dave: User) -> None:
    assert code_of(Forbidden, ask, dave, trio, CALL_OFF) == "no-seat"
    Game.objects.filter(pk=trio.pk).update(private=True)
    with pytest.raises(NotFound):
        ask(dave, trio, CALL_OFF)


def test_a_vote_requires_a_game_that_can_do_it(table: Table, duel: Game, alice: User, bob: User) -> None:
    for game, asked, code in (
        (table.game(alice, bob, seats=3), {"kind": CALL_OFF}, "not-running"),
        (duel, {"kind": CONCEDE, "seat": 2}, "not-begun"),
        (duel, {"kind": EJECT, "seat": 2}, "too-few"),  # no one removes another player without a second vote
        (table.game(alice, bob, pace=None), {"kind": PAUSE, "days": 3}, "pointless"),
    ):
        with pytest.raises(Conflict) as refused:
            ask(alice, game, **asked)  # type: ignore[arg-type]
        assert refused.value.code == code


def test_a_player_who_is_out_has_no_vote_and_blocks_none(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    Seat.objects.filter(game=trio, user=carol).update(out=True)
    vote = ask(alice, trio, CALL_OFF)
    assert code_of(Forbidden, say, carol, vote) == "no-vote"
    assert counted(say(bob, vote)) == (Vote.Status.PASSED, 2, 0, 2)


def test_computers_have_no_vote(table: Table, alice: User) -> None:
    game = table.game(alice, seats=3, computers=["rookie", "rookie"])
    assert counted(ask(alice, game, CALL_OFF)) == (Vote.Status.PASSED, 1, 0, 1)


def test_a_replaced_player_has_no_vote_and_their_ballot_does_not_count(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    vote = ask(carol, trio, CALL_OFF)
    eject = ask(alice, trio, EJECT, seat=3)
    assert say(bob, eject).status == Vote.Status.PASSED
    assert counted(vote)[0] == Vote.Status.OPEN
    with pytest.raises(Forbidden):
        say(carol, vote)
    say(alice, vote)
    assert counted(say(bob, vote, yes=False)) == (Vote.Status.REFUSED, 1, 1, 2)


def test_a_vote_that_waits_only_for_a_removed_player_is_decided_with_the_removal(
    trio: Game, alice: User, bob: User
) -> None:
    vote = ask(alice, trio, PAUSE, days=3)
    assert counted(say(bob, vote, yes=False))[0] == Vote.Status.OPEN
    eject = ask(alice, trio, EJECT, seat=3)
    assert say(bob, eject).status == Vote.Status.PASSED
    assert counted(vote) == (Vote.Status.REFUSED, 1, 1, 2)


def test_a_player_replaced_by_staff_blocks_no_vote(
    trio: Game, alice: User, bob: User, carol: User, erin: User
) -> None:
    vote = ask(alice, trio, CONCEDE, seat=2)
    eject = ask(bob, trio, EJECT, seat=3)
    seat = trio.players.get(user=carol)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="She asked for it.", now=NOW)
    assert counted(vote) == (Vote.Status.PASSED, 1, 0, 1)
    trio.refresh_from_db()
    assert (trio.status, trio.winner) == (Game.Status.OVER, "Bob")
    assert counted(eject)[0] == Vote.Status.VOID


@pytest.mark.parametrize("others", [True, False])
def test_a_player_replaced_for_missed_turns_blocks_no_vote(
    table: Table, alice: User, bob: User, carol: User, others: bool
) -> None:
    """The player is replaced at the end of the turn, or earlier at their own deadline."""
    game = table.game(alice, bob, carol, absence={"policy": "give-up"})
    table.play(game, alice, bob, carol)
    vote = ask(alice, game, PAUSE, days=3)
    say(bob, vote, yes=False)
    table.move(game, alice, now=later(hours=2))
    turn = open_turn(game)
    assert turn.deadline
    if others:
        Hand.objects.filter(turn=turn, seat__user=bob).update(deadline=turn.deadline + timedelta(hours=9))
        Turn.objects.filter(pk=turn.pk).update(deadline=turn.deadline + timedelta(hours=9))
        assert play_overdue_of_turn(turn_id=turn.pk, now=turn.deadline) == 1
    else:
        table.move(game, bob, now=later(hours=2))
        vote_open_until(vote, turn.deadline + timedelta(hours=1))
        assert resolve_turn(turn_id=turn.pk, now=turn.deadline)
    assert Replacement.objects.get().was == carol
    assert counted(vote) == (Vote.Status.REFUSED, 1, 1, 2)


def vote_open_until(vote: Vote, closes_at: datetime) -> None:
    Vote.objects.filter(pk=vote.pk).update(closes_at=closes_at)


def test_a_squad_does_not_vote_on_its_own_victory(alice: User, bob: User, carol: User, dave: User) -> None:
    from tests.games.support import DUCTS

    table = Table(DUCTS.saved())
    game = table.game(alice, bob, carol, dave, ruleset="robo-recon", seats=4)
    table.play(game, alice, bob, carol, dave)
    squads = {seat.user_id: seat.squad for seat in game.players.all()}
    mine = [user for user in (alice, bob, carol, dave) if squads[user.pk] == squads[alice.pk]]
    others = [user for user in (alice, bob, carol, dave) if user not in mine]
    with pytest.raises(Forbidden):
        ask(mine[1], game, CONCEDE, seat=1)
    vote = say(others[1], ask(others[0], game, CONCEDE, seat=1))
    assert counted(vote) == (Vote.Status.PASSED, 2, 0, 2)
    game.refresh_from_db()
    assert game.winner == squads[alice.pk]


def test_a_ballot_can_be_changed_until_the_decision(trio: Game, alice: User, bob: User) -> None:
    vote = ask(alice, trio, EJECT, seat=3)
    say(alice, vote, yes=False)
    assert [(ballot.user, ballot.yes) for ballot in Ballot.objects.filter(vote=vote)] == [(alice, False)]
    assert counted(vote)[0] == Vote.Status.REFUSED
    assert code_of(Conflict, say, bob, vote) == "vote-closed"


def test_votes_after_the_deadline_are_refused(trio: Game, alice: User, bob: User) -> None:
    vote = ask(alice, trio, EJECT, seat=3)
    with pytest.raises(Conflict):
        say(bob, vote, now=later(days=3))


def test_a_vote_of_another_game_is_not_found(trio: Game, table: Table, alice: User, bob: User) -> None:
    vote = ask(alice, trio, CALL_OFF)
    other = table.game(alice, bob)
    with pytest.raises(NotFound):
        cast_ballot(user=bob, game_id=other.pk, vote_id=vote.pk, yes=True, now=NOW)


def test_the_sweeper_closes_overdue_votes(trio: Game, alice: User) -> None:
    """A missing ballot counts as no in a vote to remove a player. In other votes it does not count."""
    eject, off = ask(alice, trio, EJECT, seat=3), ask(alice, trio, CALL_OFF)
    sweep(now=later(days=3) - timedelta(seconds=1))
    assert counted(eject)[0] == counted(off)[0] == Vote.Status.OPEN
    sweep(now=later(days=3))
    assert counted(eject) == (Vote.Status.REFUSED, 1, 0, 2)
    assert counted(off) == (Vote.Status.PASSED, 1, 0, 3)
    trio.refresh_from_db()
    assert trio.ending == Game.Ending.VOTED


def test_an_unreadable_game_delays_no_other(
    trio: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.votes import services as counting

    other = table.game(alice, bob)
    for game in (trio, other):
        ask(alice, game, CALL_OFF)
    locked = counting.locked_game

    def fail(game_id: int) -> Game:
        if game_id == trio.pk:
            raise ValueError("unreadable")
        return locked(game_id)

    monkeypatch.setattr(counting, "locked_game", fail)
    assert close_due_votes(now=later(days=3)) == 1
    other.refresh_from_db()
    assert other.status == Game.Status.CANCELLED
