"""Turns are kept as rows for the release before, and moved while games go on and workers are interrupted."""

from functools import partial
from typing import Any

import pytest
from django.core.management import call_command

import rules
from accounts.models import User
from games.play import stored
from games.play.models import Draft, Game, LogEntry, Program, Transition
from games.play.selectors.log import log_after
from games.play.services import moving
from games.play.services.drafts import save_draft
from games.play.services.locks import locked_game
from games.play.services.moving import end_transition
from games.play.services.resolution import resolve_turn
from games.staff.selectors.soundness import faults_of
from tests.games.moves import all_shown, five_turns, in_rows, move
from tests.games.support import (
    NOW,
    Table,
    hand_of,
    kept,
    open_turn,
    orders_for,
    resolved_again,
)
from tests.games.together import hold, meanwhile, wait_for_waiter

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def played(duel: Game, table: Table, alice: User, bob: User) -> Game:
    """The duel after its turns 0 to 4, as the release before has played them; Alice ordered for turn 5."""
    return five_turns(table, duel, alice, bob)


# As long as the release before may read and write them


def test_a_turn_that_is_played_meanwhile_is_kept_as_the_release_before_reads_it(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    first = duel.last_seq
    save_draft(user=alice, game_id=duel.pk, turn_number=1, document=orders_for(duel, alice, 2), now=NOW)
    ordered = {seat: orders_for(duel, user) for seat, user in ((1, alice), (2, bob))}
    chips = {seat: hand_of(duel, user).chips for seat, user in ((1, alice), (2, bob))}
    start = open_turn(duel).snapshot
    turn = table.play(duel, alice, bob)
    assert (turn.record, turn.recorded, turn.snapshot) == (None, None, start)
    outcome = resolved_again(duel)
    ship = stored.ship_of(duel)
    assert turn.outcome == rules.state_to_json(ship, outcome.state)
    assert start is not None
    terms = stored.vocabulary_of(ship, rules.state_from_json(ship, start))
    documents = rules.events_to_json(terms, outcome.events)
    written = list(turn.log.order_by("seq").values_list("seq", "game", "version", "event"))
    assert written == [(seq, duel.pk, 1, event) for seq, event in enumerate(documents, first + 1)]
    programs = Program.objects.filter(hand__turn=turn).order_by("hand__robot")
    assert [(given.hand.robot, given.by, given.submitted_at) for given in programs] == [
        (1, "player", NOW),
        (2, "player", NOW),
    ]
    assert {given.hand.robot: stored.plain_orders(given) for given in programs} == ordered
    assert {hand.robot: hand.chips for hand in turn.hands.all()} == chips
    assert not turn.hands.exclude(remind_at=None).exists()
    assert not turn.hands.exclude(deadline=None).exists()
    assert not Draft.objects.exists()


def test_once_that_has_ended_turns_are_kept_as_documents(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    end_transition()
    turn = table.play(duel, alice, bob)
    assert turn.record and turn.recorded
    assert not (turn.hands.exists() or turn.log.exists())
    assert in_rows(duel) == [0]
    assert turn.recorded > max(LogEntry.objects.values_list("pk", flat=True)), "it counts as the later one"
    assert list(faults_of(duel)) == []
    end_transition()
    assert table.play(duel, alice, bob).record


# Interrupted, repeated, and at the same time as everything else


@pytest.mark.parametrize("step", ["write", "drop_hands"])
def test_it_may_be_interrupted_anywhere_and_repeated(
    played: Game, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    before = all_shown(played)
    monkeypatch.setattr(moving, "AT_ONCE", 3)
    calls = iter(range(100))
    real = getattr(moving, step)

    def interrupted(*given: Any) -> Any:
        if next(calls) == (8 if step == "write" else 1):
            raise KeyboardInterrupt
        return real(*given)

    with monkeypatch.context() as patched:
        patched.setattr(moving, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            call_command("move_turns")
    assert in_rows(played) == [3, 4]
    assert Program.objects.filter(hand__turn__number__in=(3, 4)).count() == 4
    assert all_shown(played) == before
    call_command("move_turns", verbosity=0)
    assert in_rows(played) == []
    assert all_shown(played) == before


def test_it_says_how_many_turns_it_moved_and_nothing_is_left_the_second_time(
    played: Game, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in ("Moved: turns 5.", "Moved: turns 0."):
        call_command("move_turns")
        assert said in capsys.readouterr().out
    assert not Transition.objects.exists()


def test_a_game_that_is_deleted_meanwhile_is_passed_over(
    played: Game, table: Table, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = table.game(bob, carol)
    table.play(other, bob, carol)

    def deleted(game_id: int) -> Game:
        if game_id == played.pk:
            Game.objects.filter(pk=game_id).delete()
        return locked_game(game_id)

    monkeypatch.setattr(moving, "locked_game", deleted)
    call_command("move_turns", verbosity=0)
    assert in_rows(other) == []
    assert not Game.objects.filter(pk=played.pk).exists()


@pytest.mark.django_db(transaction=True)
def test_a_turn_is_played_while_turns_of_another_game_are_moved(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    """Only the game of which turns are moved is held, and only for as long."""
    first, second = table.game(alice, bob), table.game(bob, carol)
    for game in (first, second):
        table.play(game, *(seat.user for seat in game.players.all()))
    table.move(first, alice, bob)
    with hold() as holding:
        holding.execute("SELECT 1 FROM games_game WHERE id = %s FOR NO KEY UPDATE", second.pk)
        moving_all = meanwhile(move)
        wait_for_waiter(holding.backend)
        assert (in_rows(first), in_rows(second)) == ([], [0])
        assert resolve_turn(turn_id=open_turn(first).pk, now=NOW)
    assert moving_all.result(timeout=20) == 2
    assert (in_rows(first), in_rows(second)) == ([1], [])
    for game in (first, second):
        game.refresh_from_db()
        assert list(faults_of(game)) == []


@pytest.mark.django_db(transaction=True)
def test_a_turn_waits_for_the_move_of_its_games_turns_and_then_is_played(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    for _ in range(3):
        table.play(duel, alice, bob)
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    with hold() as holding:
        holding.execute("SELECT 1 FROM games_logentry WHERE game_id = %s AND seq = 1 FOR UPDATE", duel.pk)
        moving_all = meanwhile(move)
        mover = wait_for_waiter(holding.backend)
        resolved = meanwhile(partial(resolve_turn, turn_id=turn.pk, now=NOW))
        wait_for_waiter(mover)
        log = log_after(viewer=alice, game=duel)["events"]
    assert moving_all.result(timeout=20) == 3
    assert resolved.result(timeout=20) is True
    duel.refresh_from_db()
    assert (in_rows(duel), duel.turn) == ([3], 4)
    assert log_after(viewer=alice, game=duel)["events"][: len(log)] == log
    assert len(log) == kept(duel, 2).last_seq
    assert list(faults_of(duel)) == []
