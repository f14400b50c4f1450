"""A game is played by the ruleset version that was current when it was created."""

import rules
from accounts.models import User
from games.films.game_file import game_file
from games.lobby.seats import join_game
from games.play import stored
from games.play.models import Game
from tests.games.support import NOW, Board, Table, game_seen

LEDGE = Board("Ledge", ("a1 a2+wNESW .+i1 .+i2",))
"""A board where the robot of seat 1 falls with any moving chip. Seat 2 is enclosed."""


def ledge(table: Table, alice: User, bob: User, version: int) -> Game:
    """Play a game by the given ruleset version until Alice's robot is out."""
    game = table.game(alice, seats=2, ruleset="websocket", options={"lives": 1})
    Game.objects.filter(pk=game.pk).update(version=version)
    join_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    for _ in range(5):
        table.play(game, alice, bob)
        robots = game_seen(viewer=bob, game=game)["robots"]
        if robots[0]["lives"] == 0:
            return game
    raise AssertionError("Alice's robot is not out")


def test_a_new_game_uses_the_newest_version(duel: Game) -> None:
    assert duel.version == rules.RULESETS[duel.ruleset].version == 2


def test_a_game_is_played_by_the_version_of_its_creation(alice: User, bob: User) -> None:
    table = Table(LEDGE.saved())
    first, second = ledge(table, alice, bob, 1), ledge(table, alice, bob, 2)
    assert [stored.setup_of(game).ruleset.version for game in (first, second)] == [1, 2]
    assert (first.status, first.winner) == (Game.Status.OVER, "Bob")
    assert (second.status, second.winner) == (Game.Status.RUNNING, "")
    file = rules.read_game_file(game_file(game=first))
    assert (file.setup.ruleset.version, rules.verify(file)) == (1, [])
