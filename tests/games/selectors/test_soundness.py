"""Whether what is kept of a game is one story: of games that have no turns, too."""

import pytest
from django.core.management import call_command

from games import services
from games.models import Game
from games.selectors.soundness import faults_of
from tests import cast
from tests.games.support import HALL, NOW, Table


@pytest.fixture
def lobby(db: None) -> Game:
    """A game that waits for players."""
    return Table(HALL.saved()).game(cast.alice(), seats=2)


def test_a_game_that_waits_for_players_is_sound(lobby: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(faults_of(lobby)) == []
    call_command("check_games")
    assert capsys.readouterr().out == "All is sound: 1 games, 0 turns.\n"


def test_a_game_that_was_called_off_before_it_started_is_sound(lobby: Game) -> None:
    services.cancel_game(user=lobby.host, game_id=lobby.pk, now=NOW)
    lobby.refresh_from_db()
    assert lobby.status == Game.Status.CANCELLED
    assert list(faults_of(lobby)) == []


def test_a_game_that_lost_its_turns_is_not(db: None) -> None:
    game = Table(HALL.saved()).game(cast.alice(), cast.bob())
    game.turns.all().delete()
    assert "it should have the turns from 0 to 0, and has 0" in list(faults_of(game))
