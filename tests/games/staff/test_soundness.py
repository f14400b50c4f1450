"""Checks of a game's stored data, including games without turns."""

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import transaction
from django.db.models import Model

from games.fleet.models import StarshipRevision
from games.lobby.services import cancel_game
from games.play.models import Game, Hand, Turn
from games.staff.selectors import faults_of
from tests import cast
from tests.games.support import HALL, LANE, NOW, Table, record_of, rekeep


@pytest.fixture
def lobby(db: None) -> Game:
    return Table(HALL.saved()).game(cast.alice(), seats=2)


def test_a_lobby_is_consistent(lobby: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(faults_of(lobby)) == []
    call_command("check_games")
    assert capsys.readouterr().out == "All games are sound: 1 games, 0 turns.\n"


def test_a_cancelled_lobby_is_consistent(lobby: Game) -> None:
    cancel_game(user=lobby.host, game_id=lobby.pk, now=NOW)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CANCELLED
    assert list(faults_of(lobby)) == []


def test_a_game_without_its_turns_is_inconsistent(db: None) -> None:
    game = Table(HALL.saved()).game(cast.alice(), cast.bob())
    game.turns.all().delete()
    assert "it should have turns 0 to 0, but has 0 turns" in list(faults_of(game))


NO_GAME = "its ruleset, options or board cannot be read"
BROKEN: list[tuple[type[Model], dict[str, Any], str]] = [
    (Game, {"ruleset": "gone"}, NO_GAME),
    (Game, {"options": {"lives": "many"}}, NO_GAME),
    (Game, {"pace": {"format": "pace/2", "hours": "many"}}, "its pace cannot be read"),
    (
        Game,
        {"absence": {"format": "absence/1", "policy": "gone"}},
        "its terms for missed turns cannot be read",
    ),
    (Turn, {"snapshot": {"format": "state/1"}}, "its start cannot be read"),
    (Hand, {"calendar": {"format": "calendar/1"}}, "calendar of robot 1 cannot be read (KeyError: 'night')"),
    (Hand, {"chips": {"format": "hand/1"}}, "the hand of robot 1 cannot be read"),
    (StarshipRevision, {"document": {"format": "starship/1"}}, "board cannot be read"),
]


def test_unreadable_data_gives_a_sentence_instead_of_a_traceback(
    db: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command goes on to check all other games."""
    game = Table(HALL.saved()).game(cast.alice(), cast.bob())
    Table(LANE.saved()).game(cast.carol())
    of_the_game = {Game: {"pk": game.pk}, Turn: {"game": game}, Hand: {"turn__game": game}}
    for model, damage, said in BROKEN:
        with transaction.atomic():
            rows = model._default_manager.filter(**of_the_game.get(model, {"pk": game.revision_id}))
            rows.update(**damage)
            with pytest.raises(CommandError, match="1 of 2 games have faults"):
                call_command("check_games")
            transaction.set_rollback(True)
        told = capsys.readouterr().err
        assert said in told
        assert "Traceback" not in told


def test_an_unreadable_record_of_a_turn_gives_a_sentence(db: None) -> None:
    table, alice, bob = Table(HALL.saved()), cast.alice(), cast.bob()
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    first, second = record_of(game, 0).hands
    assert second.program
    chips = {**first.chips, "chips": ["none"]}
    orders = replace(second.program, orders={"heading": "up"})
    rekeep(game, 0, hands=(replace(first, chips=chips), replace(second, program=orders)))
    told = "\n".join(faults_of(game))
    assert "turn 0: the hand of robot 1 cannot be read" in told
    assert "turn 0: the program of robot 2 cannot be read" in told
    game.turns.filter(number=0).update(record=b"torn")
    assert "turn 0: it cannot be read (ValueError: The record of a turn cannot be read" in "\n".join(
        faults_of(game)
    )


def test_a_log_of_the_wrong_length_is_found(db: None) -> None:
    table, alice, bob = Table(HALL.saved()), cast.alice(), cast.bob()
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    last = record_of(game, 0).last_seq
    game.turns.filter(number=0).update(last_seq=last + 1)
    assert list(faults_of(game)) == [f"turn 0: its log ends with entry {last} instead of {last + 1}"]
