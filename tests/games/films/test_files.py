"""Files of finished games: they are complete proofs, and open to everyone with access."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

import rules
from accounts.models import User
from games.errors import Conflict
from games.films.game_file import game_file
from games.play import computers
from games.play.computers import play_computers
from games.play.models import Game, Program
from games.play.resolution import resolve_turn
from games.play.viewers import game_for
from games.staff.services import cancel_as_staff
from tests.games.support import DUCTS, LANE, NOW, WORKSHOP, YARD, Table, code_of, game_seen, later, open_turn


def file_of(game: Game) -> dict[str, Any]:
    """Return a game's file as people download it."""
    document: dict[str, Any] = json.loads(rules.canonical(game_file(game=game)))
    return document


def faults(document: object) -> list[str]:
    return [str(fault) for fault in rules.verify(rules.read_game_file(document))]


def to_the_end(game: Game, play: Callable[[], object]) -> Game:
    """Repeat ``play`` until the game is over."""
    while game.status == Game.Status.RUNNING:
        play()
        game.refresh_from_db()
    return game


def without_players(game: Game) -> Game:
    """Resolve each turn without orders, after its time has run out, until the game is over."""

    def play() -> None:
        turn = open_turn(game)
        assert resolve_turn(turn_id=turn.pk, now=later(days=2 * turn.number + 2))

    return to_the_end(game, play)


def test_the_hash_of_the_seed_commits_a_game_from_the_start(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, seed="5eed")
    assert game.commitment == rules.commitment("5eed")
    assert game_seen(viewer=AnonymousUser(), game=game)["commitment"] == game.commitment


def test_a_seed_replaced_in_the_database_is_detected(solo_loss: Game) -> None:
    Game.objects.update(seed="another")
    solo_loss.refresh_from_db()
    assert "the seed does not fit the commitment" in faults(file_of(solo_loss))[0]


def test_a_solo_game_is_proved(solo_loss: Game) -> None:
    document = file_of(solo_loss)
    assert faults(document) == []
    assert (document["winner"], document["seats"][0]["name"]) == (None, "Alice")
    assert document["starship"]["name"] == LANE.name
    assert {given["by"] for turn in document["turns"] for given in turn["orders"]} == {"player"}
    assert document["about"]["ended_at"] == "2026-11-21T12:00:00Z"


def test_orders_of_late_players_are_proved(lane: Table, alice: User, bob: User) -> None:
    game = without_players(lane.game(alice, bob, options={"lives": 1}))
    document = file_of(game)
    assert faults(document) == []
    assert {given["by"] for turn in document["turns"] for given in turn["orders"]} == {"deadline"}


def with_computers(game: Game, player: User, table: Table) -> Game:
    """Play a game against computers to its end."""

    def play() -> None:
        turn = open_turn(game)
        if turn.hands.filter(seat__user=player, program=None).exists():
            table.move(game, player)
        play_computers(turn_id=turn.pk, now=NOW)
        assert resolve_turn(turn_id=turn.pk, now=NOW)

    return to_the_end(game, play)


def test_a_game_with_computers_and_scanners_is_proved(lane: Table, alice: User) -> None:
    options = {"lives": 1, "scanners": 2, "equipment": True}
    game = with_computers(lane.game(alice, seats=2, computers=["rookie"], options=options), alice, lane)
    document = file_of(game)
    assert faults(document) == []
    assert "Scanner 1" in {hand["robot"] for hand in document["turns"][1]["hands"]}
    assert [seat["computer"] for seat in document["seats"]] == [None, "rookie"]


def test_random_orders_of_a_computer_are_proved(
    lane: Table, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr(computers.computers, "choose", fail)
    game = lane.game(alice, seats=2, computers=["rookie"], options={"lives": 1})
    document = file_of(with_computers(game, alice, lane))
    assert faults(document) == []
    assert Program.Author.CHANCE in {given["by"] for turn in document["turns"] for given in turn["orders"]}


def test_squads_and_joined_boards_are_proved(db: None, alice: User, bob: User) -> None:
    squads = Table(DUCTS.saved()).game(alice, bob, ruleset="robo-recon", options={"lives": 1})
    yard = YARD.saved().pk
    boards = [{"starship": yard, "at": [0, 0]}, {"starship": yard, "at": [1, 0], "turned": 1}]
    course = Table(WORKSHOP.saved()).game(
        alice, bob, ruleset="amigo-1999", boards=boards, checkpoints=[[0, 0], [3, 0]], options={"lives": 1}
    )
    for game in (squads, course):
        document = file_of(without_players(game))
        assert faults(document) == []
    assert [board["turned"] for board in document["about"]["boards"]] == [0, 1]


def test_running_and_cancelled_games_have_no_file(table: Table, trio: Game, alice: User, erin: User) -> None:
    """The file of a running game would reveal all future hands, as it contains the seed."""
    lobby, cancelled = table.game(alice, seats=2), table.game(alice)
    cancel_as_staff(user=erin, game_id=cancelled.pk, reason="So.", now=NOW)
    for game, code in ((lobby, "not-over"), (trio, "not-over"), (cancelled, "not-played")):
        game.refresh_from_db()
        assert code_of(Conflict, game_file, game=game) == code


def test_a_long_game_is_read_in_as_many_queries_as_a_short_one(lane: Table, alice: User, bob: User) -> None:
    counts = set()
    for lives in (1, 4):
        game = without_players(lane.game(alice, bob, options={"lives": lives}))
        game = game_for(viewer=alice, game_id=game.pk)
        with CaptureQueriesContext(connection) as queries:
            file_of(game)
        counts.add(len(queries))
    assert counts == {2}


def test_the_command_proves_a_download_without_django(solo_loss: Game, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(rules.canonical(file_of(solo_loss)))
    told = subprocess.run(
        [sys.executable, "-S", "-m", "rules", "verify", str(path)],
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith("ok  ")
