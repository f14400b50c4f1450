"""Taking a seat over by API, and what a game says of missed turns."""

from django.db import transaction

from accounts.models import User
from games.models import Game, Replacement
from games.services.locking import locked_game
from games.services.replacing import replace_by_computer
from tests.games.api.conftest import ApiOf
from tests.games.support import NOW, Table


def left(game: Game, player: User) -> None:
    """Have a computer play a player's seat, who has missed too many turns."""
    with transaction.atomic():
        seat = game.players.select_related("user").get(user=player)
        reason = Replacement.Reason.MISSED
        replace_by_computer(game=locked_game(game.pk), seat=seat, reason=reason, now=NOW)


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
    for absence in ("mercy", {"policy": "mercy"}, {"excused": 0}, {"grace": 1}):
        assert api(alice).post("games", {**asked, "absence": absence}).refusal[1] == "absence"
