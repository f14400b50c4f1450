"""The address in notifications about a turn: it opens the console at the orders."""

from accounts.models import User
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import Table


def test_a_player_gets_to_the_console(duel: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"{duel.get_absolute_url()}move/")
    assert page.address.partition("#")[0] == duel.get_absolute_url()
    assert f"{duel.get_absolute_url()}turns/0/orders/" in page.actions


def test_others_log_in_first_and_learn_nothing_of_private_games(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    move = f"{game.get_absolute_url()}move/"
    assert read(None).get(move).address == f"/accounts/login/?next={move}"
    assert read(dave).get(move).status == 404
