"""Games lose all data of a deleted account, even if workers die."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, replace_by_person
from games.chat.models import ChatLine
from games.chat.services import post_line
from games.errors import Conflict
from games.lobby.invitations import invite
from games.lobby.seats import join_game, leave_game
from games.news.models import Notice
from games.people.services import deletion as erasure, scrubbing
from games.people.services.deletion import delete_account, erase, erase_again
from games.people.services.scrubbing import Scrubber
from games.play.computers import play_computers
from games.play.history import sentence_of
from games.play.models import Game
from games.votes.models import Vote
from games.votes.services import call_vote, cast_ballot
from games.work.models import Alarm
from games.work.sweeper import offer_deletions
from tests.games.deletions import SETTLED, SOON, erased, faults, played_out, rows_with
from tests.games.support import NOW, Table, later, open_turn, record_of

Messages = list[tuple[str, int]]


@pytest.fixture
def over(lane: Table, alice: User, bob: User) -> Game:
    return played_out(lane, alice, bob)


def test_in_a_running_game_a_rookie_plays_on_and_another_player_hosts(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    erased(alice)
    game.refresh_from_db()
    seat = game.players.get(number=1)
    assert (game.status, game.host) == (Game.Status.RUNNING, bob)
    assert (seat.user, seat.computer, seat.robo_name) == (None, "rookie", f"Deleted-{alice.pk}")
    replaced = Replacement.objects.get()
    assert (replaced.was, replaced.reason) == (User.objects.get(pk=alice.pk), Replacement.Reason.DELETED)
    told = [sentence_of(entry) for entry in game.lobby.filter(at=SOON)]
    assert told == ["Bob is the host now.", f"Deleted-{alice.pk} left for good. A Rookie took the seat."]
    assert play_computers(turn_id=open_turn(game).pk, now=later(minutes=6)) == 1
    table.play(game, bob, carol, now=later(minutes=7))
    assert game.turn == 2
    assert rows_with("alice") == []


def test_a_vote_that_waits_only_for_the_person_is_decided(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    vote = call_vote(user=bob, game_id=game.pk, kind=Vote.Kind.PAUSE, days=2, now=NOW)
    cast_ballot(user=carol, game_id=game.pk, vote_id=vote.pk, yes=False, now=NOW)
    vote.refresh_from_db()
    assert vote.status == Vote.Status.OPEN
    erased(alice)
    vote.refresh_from_db()
    assert (vote.status, vote.voters) == (Vote.Status.REFUSED, 2)


def test_a_vote_that_passes_without_the_person_takes_effect(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, carol, dave)
    table.play(game, alice, bob, carol, dave)
    about = call_vote(user=dave, game_id=game.pk, kind=Vote.Kind.EJECT, seat=1, now=NOW)
    vote = call_vote(user=bob, game_id=game.pk, kind=Vote.Kind.CALL_OFF, now=NOW)
    cast_ballot(user=carol, game_id=game.pk, vote_id=vote.pk, yes=True, now=NOW)
    vote.refresh_from_db()
    assert vote.status == Vote.Status.OPEN, "three of four would have to agree"
    erased(alice)
    for each in (about, vote, game):
        each.refresh_from_db()
    assert (vote.status, vote.ayes, vote.voters) == (Vote.Status.PASSED, 2, 3)
    assert (game.status, game.ending, game.host) == (Game.Status.CANCELLED, Game.Ending.VOTED, bob)
    assert about.status == Vote.Status.VOID
    told = Notice.objects.filter(game=game, kind="cancelled").values_list("user", flat=True)
    assert set(told) == {bob.pk, carol.pk, dave.pk}
    assert rows_with("alice") == []


def test_a_game_without_other_players_is_cancelled(table: Table, alice: User) -> None:
    game = table.game(alice, seats=1)
    erased(alice)
    game.refresh_from_db()
    assert (game.status, game.ended_at) == (Game.Status.CANCELLED, SOON)
    assert not game.turns.filter(hands__deadline__isnull=False).exists()


def test_a_private_game_without_other_players_is_deleted(table: Table, alice: User, bob: User) -> None:
    alone = table.game(alice, seats=1, private=True)
    shared = table.game(alice, bob, private=True)
    left = table.game(alice, seats=3, private=True)
    join_game(user=bob, game_id=left.pk, link=left.link_token, now=NOW)
    post_line(user=bob, game_id=left.pk, text="I am off.", now=NOW)
    leave_game(user=bob, game_id=left.pk, now=NOW)
    erased(alice)
    assert set(Game.objects.values_list("pk", flat=True)) == {shared.pk, left.pk}
    assert not Game.objects.filter(pk=alone.pk).exists()


def test_a_lobby_gets_a_new_host_and_keeps_its_invitations(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, bob, seats=4)
    invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
    invite(user=bob, game_id=game.pk, robo_name="Dave", now=NOW)
    erased(alice)
    game.refresh_from_db()
    assert (game.status, game.host) == (Game.Status.OPEN, bob)
    assert [seat.robo_name for seat in game.players.all()] == ["Bob"]
    assert dict(game.invitations.values_list("user", "invited_by")) == {carol.pk: bob.pk, dave.pk: bob.pk}


def test_a_later_player_keeps_the_seat_and_the_robot_gets_a_placeholder_name(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob)
    seat = game.players.get(user=bob)
    replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.MISSED, now=NOW)
    replace_by_person(game=game, seat=seat, user=dave, reason=Replacement.Reason.TAKEN_OVER, now=NOW)
    erased(bob)
    seat.refresh_from_db()
    assert (seat.user, seat.robo_name) == (dave, f"Deleted-{bob.pk}")
    assert rows_with("bob") == []


def test_alarms_no_longer_name_the_person(duel: Game, alice: User) -> None:
    for number, game in enumerate((duel, None)):
        Alarm.objects.create(
            job="reminders",
            kind="hand",
            row=number,
            game=game,
            error="KeyError: 'Alice' <alice@example.org>",
            due_at=NOW,
            raised_at=NOW,
        )
    erased(alice)
    placeholder = f"KeyError: 'Deleted-{alice.pk}' <(an address)>"
    assert set(Alarm.objects.values_list("error", flat=True)) == {placeholder}


def test_an_interrupted_pass_is_resumed(
    over: Game, duel: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    deletion = delete_account(user=alice, now=NOW)
    whole = scrubbing.scrub_game

    def dies(*, game: Game, scrubber: Scrubber) -> None:
        if game.pk == over.pk:
            raise KeyboardInterrupt
        whole(game=game, scrubber=scrubber)

    monkeypatch.setattr(scrubbing, "scrub_game", dies)
    with pytest.raises(KeyboardInterrupt):
        erase(deletion_id=deletion.pk, now=SOON)
    over.refresh_from_db()
    assert record_of(over, 0).names == ["Alice", "Bob"]
    assert deletion.games.get(game=over).attempts == 1
    assert deletion.games.get(game=duel).done_at == SOON
    monkeypatch.setattr(scrubbing, "scrub_game", whole)
    assert erase(deletion_id=deletion.pk, now=SETTLED)
    over.refresh_from_db()
    assert faults(over) == []


def test_a_game_that_cannot_be_rewritten_delays_no_other_and_waits_for_staff(
    over: Game,
    duel: Game,
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    erin: User,
) -> None:
    deletion = delete_account(user=alice, now=NOW)
    whole = scrubbing.scrub_game

    def fails(*, game: Game, scrubber: Scrubber) -> None:
        if game.pk == duel.pk:
            raise ValueError("no such thing")
        whole(game=game, scrubber=scrubber)

    monkeypatch.setattr(scrubbing, "scrub_game", fails)
    for _ in range(erasure.ATTEMPTS + 2):
        assert not erase(deletion_id=deletion.pk, now=SETTLED)
    left = deletion.games.get(done_at=None)
    assert (left.game, left.attempts, left.error) == (duel, erasure.ATTEMPTS, "ValueError: no such thing")
    assert deletion.games.get(game=over).done_at == SETTLED
    assert not erasure.deletions_to_continue(now=SETTLED).exists()
    monkeypatch.setattr(scrubbing, "scrub_game", whole)
    erase_again(user=erin, deletion_id=deletion.pk)
    assert erasure.deletions_to_continue(now=SETTLED).get() == deletion
    assert erase(deletion_id=deletion.pk, now=SETTLED)
    with pytest.raises(Conflict):
        erase_again(user=erin, deletion_id=deletion.pk)


def test_games_joined_while_the_account_was_closed_are_found(over: Game, alice: User) -> None:
    deletion = delete_account(user=alice, now=NOW)
    assert not erase(deletion_id=deletion.pk, now=SOON)
    ChatLine.objects.create(game=over, user=alice, name="Alice", text="Alice was here.", at=SOON)
    assert erase(deletion_id=deletion.pk, now=SETTLED)
    assert rows_with("alice was") == []
    assert ChatLine.objects.filter(user=alice).exclude(name__startswith="Deleted-").count() == 0


def test_many_games_take_several_messages(
    table: Table, alice: User, monkeypatch: pytest.MonkeyPatch, messages: Messages
) -> None:
    monkeypatch.setattr(erasure, "GAMES_PER_MESSAGE", 2)
    for _ in range(3):
        table.game(alice, seats=1)
    deletion = delete_account(user=alice, now=NOW)
    messages.clear()
    erase(deletion_id=deletion.pk, now=SOON)
    assert [name for name, _ in messages] == ["erase"]
    erase(deletion_id=deletion.pk, now=SOON)
    assert deletion.games.filter(done_at=None).count() == 0


def test_the_sweeper_requests_only_remaining_work(alice: User, messages: Messages) -> None:
    deletion = delete_account(user=alice, now=NOW)
    asked = ("erase", deletion.pk)
    messages.clear()
    offer_deletions(now=SOON)
    assert asked not in messages, "there is no game, and it is too early to be sure"
    offer_deletions(now=SETTLED)
    assert asked in messages
    messages.clear()
    offer_deletions(now=SETTLED + timedelta(seconds=20))
    assert asked not in messages
    assert erase(deletion_id=deletion.pk, now=SETTLED)
    offer_deletions(now=later(hours=1))
    assert asked not in messages
    assert not erase(deletion_id=deletion.pk, now=later(hours=1))
