"""Turns that the release before has played are moved from rows into documents, and nothing else changes."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command
from django.db.models import F

import rules
from accounts.models import User
from games.people.services.recount import Recounted, recount
from games.play.models import Game, Hand, LogEntry, Program, Seat, Turn
from games.play.played import kept_of
from games.play.selectors.files import game_file
from games.play.selectors.log import log_after
from games.play.services import moving
from games.play.services.moving import end_transition, move_turns
from games.staff.selectors.soundness import faults_of
from tests.games.at_random import play_game
from tests.games.deletions import erased, faults, rows_with
from tests.games.moves import all_shown, as_before, five_turns, in_rows, move
from tests.games.support import (
    Table,
    kept,
    later,
    open_turn,
)

pytestmark = pytest.mark.usefixtures("rows")

TURNS = 10
"""After this many a random game has been seen enough of."""


@pytest.fixture
def played(duel: Game, table: Table, alice: User, bob: User) -> Game:
    """The duel after its turns 0 to 4, as the release before has played them; Alice ordered for turn 5."""
    return five_turns(table, duel, alice, bob)


@pytest.fixture
def half(played: Game, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The same, of which the first two turns were moved before that was broken off."""
    monkeypatch.setattr(moving, "AT_ONCE", 2)
    assert next(move_turns()).turns == 2
    assert in_rows(played) == [2, 3, 4]
    return played


# Before and after


@pytest.mark.parametrize("key", rules.RULESETS)
def test_all_that_is_shown_of_a_random_game_is_as_it_was(key: str, db: None) -> None:
    game = play_game(key, random.Random(f"moving {key}"), turns=TURNS)
    as_before(game)
    before, numbers = all_shown(game), in_rows(game)
    assert before["faults"] == []
    assert before["log"]["events"] and before["people"][0]["played"]
    assert move() == len(numbers) > 0
    assert all_shown(game) == before
    call_command("check_games", game.pk, verbosity=0)
    assert in_rows(game) == []
    assert not LogEntry.objects.filter(game=game).exists()
    assert not Hand.objects.filter(turn__game=game, turn__status=Turn.Status.RESOLVED).exists()
    assert move() == 0


def test_a_games_file_is_the_same_and_proves_it(solo_loss: Game) -> None:
    as_before(solo_loss)
    before = game_file(viewer=AnonymousUser(), game=solo_loss)
    assert move() > 1
    assert game_file(viewer=AnonymousUser(), game=solo_loss) == before
    assert faults(solo_loss) == []


def test_documents_hold_what_a_worker_would_have_written(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    """Two games of one seed: one is moved, the other was kept as documents from the start."""
    moved = table.game(alice, bob, seed="the same")
    for _ in range(3):
        table.play(moved, alice, bob)
    as_before(moved)
    assert move() == 3
    end_transition()
    other = table.game(alice, bob, seed="the same")
    for _ in range(3):
        table.play(other, alice, bob)
    for number in range(3):
        assert kept(moved, number) == kept(other, number)
    columns = ("number", "first_seq", "last_seq", "snapshot", "outcome")
    assert list(moved.turns.values_list(*columns)) == list(other.turns.values_list(*columns))


def test_the_turn_under_way_stays_as_it_is(played: Game, alice: User) -> None:
    before = Turn.objects.filter(pk=open_turn(played).pk).values().get()
    hands = list(Hand.objects.filter(turn__number=5).order_by("pk").values())
    program = Program.objects.filter(hand__turn__number=5).values().get()
    move()
    assert Turn.objects.filter(pk=open_turn(played).pk).values().get() == before
    assert list(Hand.objects.order_by("pk").values()) == hands
    assert Program.objects.values().get() == program
    assert played.players.get(user=alice).last_active_at == later(minutes=7)


def test_when_players_last_ordered_is_noted_and_never_set_back(played: Game, alice: User, bob: User) -> None:
    Seat.objects.filter(user=alice).update(ordered_at=later(minutes=6))
    move()
    ordered = dict(played.players.values_list("user", "ordered_at"))
    assert ordered == {alice.pk: later(minutes=6), bob.pk: later(minutes=4)}


def test_turns_count_in_the_order_in_which_they_were_played(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    """Workers' clocks differ: the later turn has the earlier time. Some turns are moved, others not yet."""
    games = table.game(alice, bob), table.game(alice, carol)
    for number in range(8):
        game = games[number % 2]
        table.play(game, *(seat.user for seat in game.players.all()), now=later(minutes=-number))
    as_before(*games)
    as_it_was = Recounted(games=2, turns=8, people=3)
    assert alice.achievements.exists()
    assert recount() == as_it_was
    next(move_turns())
    assert [in_rows(game) for game in games] == [[], [0, 1, 2, 3]]
    assert recount() == as_it_was
    assert move() == 4
    assert recount() == as_it_was
    end_transition()
    for game in games:
        table.play(game, *(seat.user for seat in game.players.all()), now=later(minutes=-9))
    assert recount() == Recounted(games=2, turns=10, people=3)


# Half moved


def test_a_game_that_is_half_moved_is_shown_as_before(played: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "AT_ONCE", 2)
    before, left = all_shown(played), [2, 3, 4]
    for moved in move_turns():
        left = left[2:] if in_rows(played) != left else left
        assert (in_rows(played), moved.faults) == (left, [])
        assert all_shown(played) == before
    assert in_rows(played) == []


@pytest.mark.parametrize("ended", [True, False])
def test_a_game_that_is_half_moved_is_played_on(
    half: Game, table: Table, alice: User, bob: User, ended: bool
) -> None:
    if ended:
        end_transition()
    for _ in range(2):
        table.play(half, alice, bob, now=later(hours=1))
    assert in_rows(half) == ([2, 3, 4] if ended else [2, 3, 4, 5, 6])
    log = log_after(viewer=alice, game=half)["events"]
    assert [event["seq"] for event in log] == list(range(1, half.last_seq + 1))
    assert {event["turn"] for event in log} == set(range(7))
    assert list(faults_of(half)) == []
    before = all_shown(half)
    assert move() == len(before["turns"]) - 2 - (2 if ended else 0)
    assert all_shown(half) == before


@pytest.mark.parametrize("left", ["rows", "documents"])
def test_the_log_goes_on_where_a_cursor_left_it_whatever_was_moved(half: Game, left: str) -> None:
    if left == "documents":
        Turn.objects.filter(number__gt=1, status=Turn.Status.RESOLVED).update(attempts=0)
        move()
    whole = log_after(viewer=AnonymousUser(), game=half)["events"]
    for seq in range(half.last_seq + 1):
        page = log_after(viewer=AnonymousUser(), game=half, seq=seq, limit=3)
        assert page["events"] == whole[seq : seq + 3]


def test_a_person_is_forgotten_in_rows_and_documents_alike(half: Game, alice: User, bob: User) -> None:
    erased(alice)
    assert rows_with("alice") == []
    half.refresh_from_db()
    assert [kept(half, number).names for number in range(5)] == [[f"Deleted-{alice.pk}", "Bob"]] * 5
    assert list(faults_of(half)) == []
    assert move() == 3
    assert rows_with("alice") == []
    assert list(faults_of(half)) == []


# Rows that contradict themselves


def end_elsewhere(turn: Turn) -> None:
    assert turn.outcome
    turn.outcome["robots"][0]["damage"] += 1
    turn.save()


def nonsense(turn: Turn) -> None:
    turn.log.filter(event__type="phase").update(event={"type": "nonsense"})


def lose(turn: Turn) -> None:
    turn.log.filter(event__type="move").order_by("seq")[0].delete()


def tear(turn: Turn) -> None:
    turn.log.filter(seq__gt=turn.log.order_by("seq")[3].seq).update(seq=F("seq") + 1000)


def no_start(turn: Turn) -> None:
    Turn.objects.filter(pk=turn.pk).update(snapshot={"format": "state/1"})


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (end_elsewhere, "its log does not lead to its end"),
        (lose, "its log has gaps"),
        (tear, "its log has gaps"),
        (nonsense, "nonsense"),
        (no_start, ""),
    ],
)
def test_a_turn_whose_rows_contradict_themselves_stays_and_is_named(
    played: Game, capsys: pytest.CaptureFixture[str], spoil: Callable[[Turn], None], told: str
) -> None:
    turn, whole = played.turns.get(number=1), played.turns.get(number=1)
    log, intact = list(turn.log.order_by("seq")), kept_of(turn)
    spoil(turn)
    spoilt = list(LogEntry.objects.filter(turn=turn).order_by("seq").values())
    with pytest.raises(CommandError, match=f"turn 1 of game {played.pk}: .*{told}") as refused:
        call_command("move_turns")
    assert str(refused.value).count(f"of game {played.pk}") == 1
    assert "Moved: turns 4." in capsys.readouterr().out
    assert in_rows(played) == [1]
    assert list(LogEntry.objects.order_by("seq").values()) == spoilt
    assert Program.objects.filter(hand__turn=turn).count() == 2
    assert list(faults_of(played)) != []
    LogEntry.objects.filter(turn=turn).delete()
    LogEntry.objects.bulk_create(log)
    Turn.objects.filter(pk=turn.pk).update(snapshot=whole.snapshot, outcome=whole.outcome)
    call_command("move_turns")
    assert "Moved: turns 1." in capsys.readouterr().out
    assert in_rows(played) == []
    assert kept(played, 1) == intact
    assert list(faults_of(played)) == []


def test_other_games_are_moved_all_the_same(
    played: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    other = table.game(bob, carol)
    table.play(other, bob, carol)
    nonsense(played.turns.get(number=1))
    with pytest.raises(CommandError):
        call_command("move_turns", verbosity=0)
    assert (in_rows(played), in_rows(other)) == ([1], [])


# Turns in which nothing happened


@pytest.fixture
def uneventful(table: Table, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> Game:
    """The duel after four turns; in the first and the third nothing happened at all."""

    def nothing(setup: Any, state: rules.State, *_: Any) -> rules.Outcome:
        return rules.Outcome(state.copy(), [])

    for number in range(4):
        with monkeypatch.context() as patched:
            if number % 2 == 0:
                patched.setattr(rules, "resolve_turn", nothing)
            table.play(duel, alice, bob)
    as_before(duel)
    return duel


def test_turns_in_which_nothing_happened_are_moved_as_well(
    uneventful: Game, table: Table, alice: User, bob: User
) -> None:
    before = all_shown(uneventful)
    assert before["faults"] == []
    assert {event["turn"] for event in before["log"]["events"]} == {1, 3}
    assert move() == 4
    assert all_shown(uneventful) == before
    seqs = list(uneventful.turns.order_by("number").values_list("first_seq", "last_seq"))[:4]
    middle = seqs[1][1]
    assert seqs == [(1, 0), (1, middle), (middle + 1, middle), (middle + 1, uneventful.last_seq)]
    assert uneventful.turns.get(number=2).recorded is None
    table.play(uneventful, alice, bob)
    assert list(faults_of(uneventful)) == []


def test_the_log_goes_on_after_turns_in_which_nothing_happened(
    uneventful: Game, table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As documents, and where the turns before it are half moved."""
    monkeypatch.setattr(moving, "AT_ONCE", 3)
    assert next(move_turns()).turns == 3
    end_transition()
    turn = table.play(uneventful, alice, bob)
    assert turn.first_seq == kept(uneventful, 3).last_seq + 1
    assert list(faults_of(uneventful)) == []
