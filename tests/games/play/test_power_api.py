"""Staying off, switching on and redrawing a hand, as programs ask for it."""

from typing import Any

import pytest

from accounts.models import User
from games.play.models import Game
from games.play.resolution import resolve_turn
from tests.games.api_client import Answer, ApiOf
from tests.games.support import Table, hand_of, open_turn, orders_for

STAY = {"stay_down": True}


@pytest.fixture
def asleep(api: ApiOf, table: Table, alice: User, bob: User) -> Game:
    """Alice's robot was off in turn 2; in turn 3 she decides."""
    game = table.game(alice, bob, ruleset="amigo-1999", options={"power_down": True})
    assert order(api, game, alice, {**orders_for(game, alice), "power_down": True}).status == 200
    play(api, game, bob)
    play(api, game, bob)
    return game


def order(api: ApiOf, game: Game, player: User, document: dict[str, Any]) -> Answer:
    return api(player).post(f"games/{game.pk}/turns/{open_turn(game).number}/orders", document)


def play(api: ApiOf, game: Game, player: User) -> None:
    """Have the last player who is waited for order something, and the turn played."""
    turn = open_turn(game)
    assert order(api, game, player, orders_for(game, player)).status == 200
    assert resolve_turn(turn_id=turn.pk, now=turn.opened_at)


def wake(api: ApiOf, game: Game, player: User, turn: int = 3) -> Answer:
    return api(player).post(f"games/{game.pk}/turns/{turn}/wake")


def test_until_i_have_decided_my_hand_is_null(api: ApiOf, asleep: Game, alice: User) -> None:
    body = api(alice).get(f"games/{asleep.pk}").body
    assert (body["me"]["hand"], body["me"]["may_stay_down"]) == (None, True)
    assert (body["robots"][0]["down"], body["robots"][0]["was_down"]) == (False, True)
    assert [game["id"] for game in api(alice).get("me/waiting").body["results"]] == [asleep.pk]
    assert hand_of(asleep, alice).chips["chips"] == []


def test_to_stay_off_is_the_whole_order(api: ApiOf, asleep: Game, alice: User, bob: User) -> None:
    answer = order(api, asleep, alice, STAY)
    assert answer.status == 200
    assert (answer.body["me"]["orders"], answer.body["me"]["hand"]) == (STAY, None)
    assert answer.body["waiting_for"] == ["Bob"]
    play(api, asleep, bob)
    log = api(bob).get(f"games/{asleep.pk}/turns/3").body
    assert log["programs"][0]["orders"] == STAY
    assert api(alice).get(f"games/{asleep.pk}").body["me"]["may_stay_down"]


def test_switching_on_answers_with_the_hand(api: ApiOf, asleep: Game, alice: User) -> None:
    answer = wake(api, asleep, alice)
    assert answer.status == 200
    assert [chip["number"] for chip in answer.body["me"]["hand"]] == hand_of(asleep, alice).chips["chips"]
    assert not answer.body["me"]["may_stay_down"]
    assert order(api, asleep, alice, STAY).refusal == (409, "awake")
    assert wake(api, asleep, alice).status == 200
    assert order(api, asleep, alice, orders_for(asleep, alice)).status == 200


def test_a_hand_of_turning_chips_only_is_put_aside_for_all_to_see(
    api: ApiOf, table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, ruleset="amigo-1999")
    table.play(game, alice, bob)
    hand = hand_of(game, alice)
    theirs = set(hand_of(game, bob).chips["chips"])
    hand.chips["chips"] = turning = [each for each in range(70, 421, 10) if each not in theirs][:9]
    hand.save()
    path = f"games/{game.pk}/turns/2/redeal"
    assert api(alice).get(f"games/{game.pk}").body["redeal"]
    assert api(bob).post(path).refusal == (409, "no-redeal")
    answer = api(alice).post(path)
    assert answer.status == 200
    assert not {chip["number"] for chip in answer.body["me"]["hand"]} & set(turning)
    for viewer in (alice, bob, dave):
        aside = api(viewer).get(f"games/{game.pk}").body["robots"][0]["aside"]
        assert [[chip["number"] for chip in each] for each in aside] == [turning]
