"""Public data in the API, also for pages on other sites."""

import pytest
from django.test import Client

from accounts.limits import Limit
from accounts.models import User
from games.clubs.services import create_club
from games.people.tokens import make_token
from games.play.models import Game
from games.web.answers import Reads
from games.web.reference import openapi
from tests.games.api_client import ROOT, Answer, Api
from tests.games.support import NOW, Table

ORIGIN = "Access-Control-Allow-Origin"
FILLED_IN = """
achievements awards awards/{key} clubs clubs/{slug} clubs/{slug}/table dock/decisions games
games/{game_id} games/{game_id}/chat games/{game_id}/log games/{game_id}/moments games/{game_id}/ratings
games/{game_id}/robots/{number} games/{game_id}/statistics games/{game_id}/turns/{number}
games/{game_id}/votes ladders ladders/{slug} players/{robo_name} players/{robo_name}/awards
players/{robo_name}/ratings ratings rulesets seasons seats starships starships/lists starships/weeks
starships/{starship_id} starships/{starship_id}/reviews tournaments
"""
NEEDS_MORE = """
games/{game_id}/file games/{game_id}/analysis games/{game_id}/branches/{branch_token} daily daily/{day}
puzzles/next puzzles/{puzzle_id} seasons/{season_id}
shipyard/shared/{link} starships/lists/shared/{list_link} starships/lists/{list_id}
tournaments/{tournament_id} tournaments/{tournament_id}/rounds/{number}
"""
"""Public addresses that need more than a running game, except the first."""


@pytest.fixture
def played(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """A game of Alice and Bob in turn 1. Alice also has a club."""
    create_club(user=alice, name="Tin Can Club", now=NOW)
    table.play(duel, alice, bob)
    return duel


def paths(game: Game) -> list[str]:
    """Return all public addresses that a running game has values for."""
    values = {
        "{game_id}": str(game.pk),
        "{number}": "0",
        "{robo_name}": "Bob",
        "{key}": "champion",
        "{slug}": "tin-can-club",
        "{starship_id}": "0",
    }
    values["{starship_id}"] = str(game.revision.starship_id if game.revision else 0)
    found = []
    for path in FILLED_IN.split():
        values["{number}"] = "1" if "robots" in path else "0"
        for name, value in values.items():
            path = path.replace(name, "robo-runner" if path.startswith("ladders/{") else value)
        found.append(path)
    return found


def test_the_document_marks_public_calls() -> None:
    open_to_all = {
        path.removeprefix(ROOT)
        for path, methods in openapi()["paths"].items()
        if {} in methods.get("get", {}).get("security", [])
    }
    assert open_to_all == {*FILLED_IN.split(), *NEEDS_MORE.split()}


def test_everyone_reads_public_games_starships_rulesets_and_players(played: Game) -> None:
    stranger = Api()
    for path in paths(played):
        assert stranger.get(path).status == 200, path
    game = stranger.get(f"games/{played.pk}").body
    assert (game["me"], game["link"], game["seed"], game["redeal"]) == (None, None, None, False)
    assert [listed["id"] for listed in stranger.get("games").body["results"]] == [played.pk]
    assert stranger.get("games").body["results"][0]["waits_for_me"] is False


def test_a_stranger_sees_no_private_game(table: Table, alice: User, bob: User) -> None:
    private = table.game(alice, bob, private=True)
    stranger = Api()
    assert stranger.get("games").body["results"] == []
    for path in paths(private):
        if path.startswith("games/"):
            assert stranger.get(path).refusal == (404, "no-game"), path
            assert stranger.get(path.replace(str(private.pk), "999999")).refusal == (404, "no-game")
    assert stranger.get(f"games/{private.pk}", link=private.link_token).body["me"] is None


def test_a_stranger_has_no_games_and_changes_nothing(played: Game) -> None:
    stranger = Api()
    assert stranger.get("games", mine="1").refusal == (401, "not-signed-in")
    assert stranger.post("games", {}).refusal == (401, "not-signed-in")
    assert stranger.post(f"games/{played.pk}/chat", {"text": "Hello"}).refusal == (401, "not-signed-in")
    assert stranger.patch(f"games/{played.pk}", {}).refusal == (401, "not-signed-in")
    assert stranger.get("me").refusal == (401, "not-signed-in")


def test_strangers_are_limited_by_address(played: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Reads, "limit", Limit("reads", 2, 60))
    assert [Api().get("rulesets").status for _ in range(2)] == [200, 200]
    refused = Api().get("games")
    assert refused.refusal == (429, "too-many")
    assert refused.headers[ORIGIN] == "*"
    elsewhere = Client(REMOTE_ADDR="192.0.2.7").get(f"{ROOT}games")
    assert elsewhere.status_code == 200


def test_pages_on_other_sites_may_read_public_data(played: Game) -> None:
    browser = Client(headers={"Origin": "https://elsewhere.example"})
    for path in [*paths(played), "schema"]:
        for method in (browser.get, browser.head, browser.options):
            answer = method(ROOT + path)
            assert answer.status_code in (200, 204), path
            assert answer.headers[ORIGIN] == "*", path
            assert "Access-Control-Allow-Credentials" not in answer.headers
        assert answer.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
        assert "Access-Control-Allow-Headers" not in answer.headers
    assert browser.get(f"{ROOT}games/999999").headers[ORIGIN] == "*"


def test_pages_on_other_sites_may_not_read_personal_data(played: Game, alice: User) -> None:
    elsewhere = {"Origin": "https://elsewhere.example"}
    signed_in = Client(headers=elsewhere)
    signed_in.force_login(alice)
    token = make_token(user=alice, now=NOW)
    for path in (f"games/{played.pk}", "games", "rulesets", "me", "me/waiting"):
        assert ORIGIN not in signed_in.get(ROOT + path).headers, path
        with_token = Client(headers={**elsewhere, "Authorization": f"Bearer {token}"}).get(ROOT + path)
        assert with_token.status_code == 200
        assert ORIGIN not in with_token.headers, path
    assert ORIGIN not in Client(headers=elsewhere).get(f"{ROOT}me").headers
    written = Client(headers=elsewhere).post(f"{ROOT}games", "{}", content_type="application/json")
    assert Answer(written).refusal == (401, "not-signed-in")
    assert ORIGIN not in written.headers
    assert ORIGIN not in Client(headers=elsewhere).options(f"{ROOT}me").headers
