"""The head of a game (a hash that binds its turns) is stored with each resolved turn.

Turns that were resolved by an older release get their heads later.
"""

import json
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.management import CommandError, call_command

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, replace_by_person
from games.films.game_file import game_file
from games.films.selectors import past_turn
from games.fleet.services import save_starship
from games.lobby.seats import join_game
from games.play.computers import play_computers
from games.play.heads import fill_missing_heads
from games.play.models import Game, Program, Turn
from games.play.resolution import resolve_turn
from games.play.stored import Document, PlayedHand, TurnRecord
from games.staff.selectors import faults_of
from games.staff.services import cancel_as_staff
from games.work.models import Alarm
from rules.verification import find_head, heads_of
from tests.games.deletions import erased
from tests.games.support import (
    LANE,
    NOW,
    Table,
    game_seen,
    later,
    open_turn,
    programs_of,
    record_of,
    rekeep,
    sweep,
)


def file_of(game: Game) -> rules.GameFile:
    """Return the game's file as parsed from the download."""
    document = game_file(game=Game.objects.get(pk=game.pk))
    return rules.read_game_file(json.loads(rules.canonical(document)))


def head_of(game: Game) -> Any:
    return game_seen(viewer=AnonymousUser(), game=Game.objects.get(pk=game.pk))["head"]


def to_the_end(game: Game, *players: User) -> list[Any]:
    """Play a game on the lane to its end. Return each head that was shown, in order."""
    shown = [head_of(game)]
    while game.status == Game.Status.RUNNING:
        Table(game.revision.starship).play(game, *players_left(game))
        shown.append(head_of(game))
    return shown


def players_left(game: Game) -> list[User]:
    owed = open_turn(game).hands.filter(seat__user__isnull=False).select_related("seat__user")
    return [hand.seat.user for hand in owed]


def forget_heads(game: Game, *, since: int = 0) -> None:
    """Delete the heads from a turn on, as if an older release had resolved the turns."""
    turns = Turn.objects.filter(game=game)
    turns.filter(number__gte=since).update(head="", head_before="")


def nonsense_in(game: Game) -> tuple[Document, ...]:
    """Make the record of turn 0 unreadable. Return its original events."""
    events = record_of(game, 0).events
    rekeep(game, 0, events=({"type": "nonsense"}, *events[1:]))
    return events


def by_computers(played: TurnRecord) -> tuple[PlayedHand, ...]:
    """Return a turn's hands, with computers as the authors of all orders."""
    return tuple(
        replace(hand, program=hand.program and replace(hand.program, by="computer")) for hand in played.hands
    )


@pytest.fixture
def race(lane: Table, alice: User, bob: User) -> Game:
    return lane.game(alice, bob, options={"lives": 1})


def test_a_lobby_has_no_head_and_a_started_game_has_its_first(table: Table, alice: User, bob: User) -> None:
    lobby = table.game(alice, seats=2)
    assert head_of(lobby) is None
    join_game(user=bob, game_id=lobby.pk, link="", now=NOW)
    head = head_of(lobby)
    assert head["turn"] is None
    assert len(head["hash"]) == 64


def test_every_shown_head_is_in_the_file(race: Game) -> None:
    shown = to_the_end(race)
    game = file_of(race)
    assert rules.verify(game) == []
    assert [(head.turn, head.hash) for head in heads_of(game)] == [
        (head["turn"], head["hash"]) for head in shown
    ]
    assert [head["turn"] for head in shown] == [None, *range(race.turn + 1)]
    assert game.has_heads
    assert game.heads_from is None
    assert past_turn(game=race, number=1)["head"] == shown[2]["hash"]


def test_a_cancelled_game_shows_the_head_after_its_last_resolved_turn(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    game = table.game(alice, bob)
    for _ in range(3):
        table.play(game, alice, bob)
    before = head_of(game)
    assert before["turn"] == 2
    cancel_as_staff(user=erin, game_id=game.pk, reason="So.", now=NOW)
    assert head_of(game) == before
    assert find_head(file_of(game), before["hash"])


def test_a_worker_that_dies_leaves_no_head_of_an_unresolved_turn(
    race: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = head_of(race)
    Table(race.revision.starship).move(race, alice, bob)

    def die(**_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr("games.consequences.settle_votes", die)
        with pytest.raises(MemoryError):
            resolve_turn(turn_id=open_turn(race).pk, now=NOW)
    assert head_of(race) == before
    assert not Turn.objects.exclude(head="").exists()


def test_a_change_of_player_changes_no_head(lane: Table, alice: User, bob: User, carol: User) -> None:
    game = lane.game(alice, bob, seats=3, computers=["pilot"], options={"lives": 1})
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    lane.play(game, alice, bob)
    shown = head_of(game)
    seat = game.players.get(user=bob)
    replace_by_computer(game=game, seat=seat, reason=Replacement.Reason.STAFF, now=NOW)
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    lane.play(game, alice)
    if game.status == Game.Status.RUNNING:
        replace_by_person(game=game, seat=seat, user=carol, reason=Replacement.Reason.TAKEN_OVER, now=NOW)
        game.refresh_from_db()
    while game.status == Game.Status.RUNNING:
        play_computers(turn_id=open_turn(game).pk, now=NOW)
        lane.play(game, *players_left(game))
    document = file_of(game)
    assert rules.verify(document, kept=shown["hash"]) == []
    file = game_file(game=game)
    assert [seat["computer"] for seat in file["seats"]] == [None, "pilot", None]


def test_a_deleted_account_changes_no_head_of_a_finished_game(race: Game, alice: User, bob: User) -> None:
    shown = to_the_end(race)
    erased(alice)
    game = file_of(race)
    assert [head.hash for head in heads_of(game)] == [head["hash"] for head in shown]
    assert rules.verify(game, kept=shown[-1]["hash"]) == []
    race.refresh_from_db()
    assert "Alice" not in json.dumps(game_file(game=race))


def test_a_deleted_account_changes_no_head_of_a_running_game(
    lane: Table, alice: User, bob: User, carol: User
) -> None:
    game = lane.game(alice, bob, carol, options={"lives": 2})
    lane.play(game, alice, bob, carol)
    lane.move(game, alice)
    shown = head_of(game)
    erased(alice)
    game.refresh_from_db()
    assert head_of(game) == shown
    ordered = Program.objects.get(hand__robot=1)
    assert {programs_of(game, 0)[1].by, ordered.by} == {"player"}, "orders stay those of a player"
    lane.play(game, bob, carol, now=later(minutes=6))
    while game.status == Game.Status.RUNNING:
        play_computers(turn_id=open_turn(game).pk, now=later(minutes=7))
        lane.play(game, *players_left(game), now=later(minutes=7))
    assert rules.verify(file_of(game), kept=shown["hash"]) == []


def test_deleting_the_account_of_the_board_s_builder_changes_no_head(
    db: None, alice: User, bob: User, carol: User
) -> None:
    document = {**LANE.document, "name": "Carol’s lane", "builder": "Carol"}
    starship = save_starship(document=document, section="fleet", by=carol, now=NOW)
    game = Table(starship).game(alice, bob, options={"lives": 1})
    shown = to_the_end(game)
    assert game_file(game=game)["about"]["builder"] == "Carol"
    erased(carol)
    game = Game.objects.get(pk=game.pk)
    assert rules.verify(file_of(game), kept=shown[-1]["hash"]) == []
    assert game_file(game=game)["about"]["builder"] == f"Deleted-{carol.pk}"


def test_a_turn_resolved_by_an_older_release_gets_its_head_with_the_next(
    lane: Table, alice: User, bob: User
) -> None:
    game = lane.game(alice, bob, options={"lives": 2})
    lane.play(game, alice, bob)
    lane.play(game, alice, bob)
    shown = head_of(game)
    forget_heads(game, since=1)
    Turn.objects.filter(game=game, number=1).update(head_before=game.turns.get(number=0).head)
    assert head_of(game) is None
    lane.play(game, alice, bob)
    assert game.turns.get(number=1).head == shown["hash"]
    assert game.heads_from is None
    while game.status == Game.Status.RUNNING:
        lane.play(game, *players_left(game))
    assert rules.verify(file_of(game), kept=shown["hash"]) == []


def test_a_game_started_by_an_older_release_has_heads_from_the_next_turn_on(
    lane: Table, alice: User, bob: User
) -> None:
    game = lane.game(alice, bob, options={"lives": 2})
    lane.play(game, alice, bob)
    forget_heads(game)
    lane.play(game, alice, bob)
    assert game.heads_from == 2
    while game.status == Game.Status.RUNNING:
        lane.play(game, *players_left(game))
    assert rules.verify(file_of(game)) == []


def test_a_game_ended_by_an_older_release_has_all_heads_in_its_file(race: Game) -> None:
    shown = to_the_end(race)
    last = race.turns.get(number=race.turn)
    Turn.objects.filter(pk=last.pk).update(head="", head_before="")
    assert rules.verify(file_of(race), kept=shown[-1]["hash"]) == []
    forget_heads(race)
    game = file_of(race)
    assert not game.has_heads, "it was over before there were heads"
    assert rules.verify(game) == []
    assert head_of(race) is None


def test_a_game_with_unreadable_turns_continues_without_heads_until_it_is_repaired(
    lane: Table, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    game = lane.game(alice, bob, options={"lives": 3})
    lane.play(game, alice, bob)
    forget_heads(game)
    events = nonsense_in(game)
    with caplog.at_level(logging.ERROR):
        lane.play(game, alice, bob)
    assert f"Game {game.pk} has no heads" in caplog.text
    assert head_of(game) is None
    rekeep(game, 0, events=events)
    lane.play(game, *players_left(game))
    assert head_of(game)["turn"] == 2
    assert list(faults_of(game)) == []


def test_the_sweeper_fills_gaps_of_an_older_release(lane: Table, alice: User, bob: User) -> None:
    game = lane.game(alice, bob, options={"lives": 2})
    lane.play(game, alice, bob)
    shown = head_of(game)
    forget_heads(game)
    assert fill_missing_heads(now=NOW) == 1
    assert head_of(game) == shown
    assert Game.objects.get(pk=game.pk).heads_from == 1
    assert fill_missing_heads(now=NOW) == 0
    assert list(faults_of(game)) == []


def test_the_sweeper_sets_an_unreadable_game_aside_and_continues(lane: Table, alice: User, bob: User) -> None:
    bad, good = (lane.game(alice, bob, options={"lives": 2}) for _ in range(2))
    for game in (bad, good):
        lane.play(game, alice, bob)
        forget_heads(game)
    events = nonsense_in(bad)
    sweep(NOW)
    assert (head_of(bad), head_of(good)["turn"]) == (None, 0)
    alarm = Alarm.objects.get(job="heads", closed_at=None)
    assert alarm.game == bad
    assert "the head of turn 0 cannot be calculated" in alarm.error
    rekeep(bad, 0, events=events)
    sweep(later(minutes=2))
    assert head_of(bad)["turn"] == 0
    assert not Alarm.objects.filter(job="heads", closed_at=None).exists()


SPOILT: list[tuple[Callable[[Game], object], str]] = [
    (
        lambda game: rekeep(game, 1, hands=by_computers(record_of(game, 1))),
        "turn 1: its head does not fit",
    ),
    (lambda game: Turn.objects.filter(number=1).update(head="0" * 64), "turn 1: its head does not fit"),
    (lambda game: Turn.objects.filter(number=0).update(head_before="0" * 64), "its first head does not fit"),
    (lambda game: Game.objects.update(started_at=later(days=-1)), "its first head does not fit"),
    (
        lambda game: nonsense_in(game),
        "its heads cannot be calculated (NotationError)",
    ),
]


@pytest.mark.parametrize(("spoil", "told"), SPOILT)
def test_heads_detect_changes_in_the_database(
    race: Game, capsys: pytest.CaptureFixture[str], spoil: Callable[[Game], object], told: str
) -> None:
    to_the_end(race)
    call_command("check_games")
    spoil(race)
    with pytest.raises(CommandError):
        call_command("check_games")
    assert told in capsys.readouterr().err
