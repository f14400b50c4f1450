"""Taking a seat over by API, and what a game says of missed turns."""

from django.db import transaction

from accounts.models import User
from games.absence.seats import replace_by_computer
from games.play.models import Game, Replacement
from games.play.services import locked_game
from tests.games.api_client import ApiOf
from tests.games.support import Table, later


def left(game: Game, player: User, hour: int = 0) -> None:
    """Have a computer play a player's seat, who has missed too many turns."""
    with transaction.atomic():
        seat = game.players.select_related("user").get(user=player)
        reason = Replacement.Reason.MISSED
        replace_by_computer(game=locked_game(game.pk), seat=seat, reason=reason, now=later(hours=hour))


def test_a_seat_is_taken_over_and_its_game_says_who_steers(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, private=True, absence={"policy": "standing", "excused": 2})
    left(game, bob)
    path = f"games/{game.pk}/seats/2/take"
    assert api(dave).post(path).refusal == (404, "no-game")
    answer = api(dave).post(path, {"link": game.link_token})
    assert answer.status == 200
    seat = answer.body["seats"][1]
    assert (seat["name"], seat["steered_by"], seat["computer"]) == ("Bob", "Dave", None)
    assert answer.body["absence"] == {"policy": "standing", "excused": 2}
    assert (answer.body["me"]["excused"], answer.body["me"]["standing"]) == (2, "laid")
    assert api(bob).post(path).refusal == (409, "not-offered")
    assert api(alice).post(path).refusal == (409, "already-joined")


def test_a_game_is_made_with_a_policy_on_missed_turns(api: ApiOf, table: Table, alice: User) -> None:
    asked = {"name": "First flight", "starship": table.starship.pk, "pace": {"hours": 24}}
    body = api(alice).post("games", {**asked, "absence": {"policy": "computer", "excused": 1}}).body
    assert body["absence"] == {"policy": "computer", "excused": 1}
    changed = api(alice).patch(f"games/{body['id']}", {"absence": {"policy": "give-up"}}).body
    assert changed["absence"] == {"policy": "give-up", "excused": 0}
    assert api(alice).post("games", asked).body["absence"] == {"policy": "random", "excused": None}
    assert api(alice).post("games", {**asked, "absence": {"grace": 1}}).refusal == (400, "malformed")


def test_seats_to_take_over_are_listed_the_last_offered_first(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    games = [table.game(alice, bob, name=name, pace={"hours": 24}) for name in ("first", "second", "third")]
    secret = table.game(alice, bob, private=True)
    table.game(alice, bob, name="nobody has left")
    for hour, game in enumerate((games[1], games[2], games[0], secret)):
        left(game, bob, hour=hour)
    client = api(dave)
    listed = client.get("seats").body
    assert [game["name"] for game in listed["results"]] == ["first", "third", "second"]
    assert [seat["offered"] for seat in listed["results"][0]["seats"]] == [False, True]
    assert api(alice).get("seats").body["results"] == []
    assert [game["name"] for game in api(bob).get("seats").body["results"]] == ["first", "third", "second"]
    pages = [client.get("seats", limit=2).body]
    pages.append(client.get(pages[0]["next"].partition("/api/v1/")[2]).body)
    assert [[game["name"] for game in page["results"]] for page in pages] == [["first", "third"], ["second"]]
    assert pages[1]["next"] is None
    client.post(f"games/{games[0].pk}/seats/2/take")
    assert [game["name"] for game in client.get("seats").body["results"]] == ["third", "second"]


def test_seats_to_take_over_are_narrowed_down(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    left(table.game(alice, bob, name="slow", pace={"hours": 48}), bob)
    left(table.game(alice, bob, name="fast", pace={"hours": 2}), bob)
    client = api(dave)
    assert [game["name"] for game in client.get("seats", pace="fast").body["results"]] == ["fast"]
    assert client.get("seats", seats="5-8").body["results"] == []


def test_who_is_told_of_a_private_seat_sees_that_it_is_offered(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, private=True)
    left(game, bob)
    assert [seat["offered"] for seat in api(bob).get(f"games/{game.pk}").body["seats"]] == [False, True]
