"""The API of records of games."""

import rules
from accounts.models import User
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.support import Table


def test_a_player_is_returned_with_the_parts_they_share(
    api: ApiOf, duel: Game, alice: User, dave: User
) -> None:
    alice.shows_history = "nobody"
    alice.save()
    seen = api(dave).get("players/aLiCe").body
    assert (seen["robo_name"], seen["mine"], seen["history"]) == ("Alice", False, None)
    assert len(seen["achievements"]) == 35
    assert api(alice).get("players/alice").body["history"] == []
    assert api(dave).get("players/nobody").status == 404
    assert api(dave).get("players/alice", start=-1).status == 400


def test_achievements_are_marked_as_seen(api: ApiOf, alice: User) -> None:
    assert api(alice).post("me/achievements/seen", {"keys": ["zombie"]}).body == {"seen": 0}
    assert api(alice).post("me/achievements/seen").body == {"seen": 0}


def test_a_finished_game_is_downloaded_with_its_proof(
    api: ApiOf, solo_loss: Game, duel: Game, dave: User
) -> None:
    document = api(dave).get(f"games/{solo_loss.pk}/file").body
    assert rules.verify(rules.read_game_file(document)) == []
    seen = api(dave).get(f"games/{solo_loss.pk}").body
    assert (seen["commitment"], seen["seed"]) == (document["commitment"], document["seed"])
    assert api(dave).get(f"games/{duel.pk}/file").refusal == (409, "not-over")
    assert api(dave).get("games/99999/file").refusal == (404, "no-game")
    assert api().get(f"games/{solo_loss.pk}/file").body == document, "public games are for everybody"


def test_a_private_game_is_downloaded_only_by_its_link(
    api: ApiOf, lane: Table, alice: User, dave: User
) -> None:
    game = lane.game(alice, private=True)
    assert api(dave).get(f"games/{game.pk}/file").refusal == (404, "no-game")
    assert api(dave).get(f"games/{game.pk}/file", link=game.link_token).refusal == (409, "not-over")


def test_the_head_of_a_game_is_available_from_its_start(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    lobby = table.game(alice, seats=2)
    assert api(dave).get(f"games/{lobby.pk}").body["head"] is None
    game = table.game(alice, bob)
    first = api(dave).get(f"games/{game.pk}").body["head"]
    assert first == {"turn": None, "hash": game.turns.get().head_before}
    turn = table.play(game, alice, bob)
    seen = api(dave).get(f"games/{game.pk}").body
    assert (seen["head"], seen["heads_from"]) == ({"turn": 0, "hash": turn.head}, None)
    assert api(dave).get(f"games/{game.pk}/turns/0").body["head"] == turn.head != first["hash"]
