"""The API accepts the same orders again until the turn is resolved."""

from typing import Any

from accounts.models import User
from games.play.models import Draft, Game, Program, Turn
from games.play.resolution import resolve_turn
from tests.games.api_client import Answer, ApiOf
from tests.games.support import NOW, WORKSHOP, Table, hand_of, later, open_turn, orders_for


def order(api: ApiOf, game: Game, player: User, document: dict[str, Any], turn: int | None = None) -> Answer:
    number = open_turn(game).number if turn is None else turn
    return api(player).post(f"games/{game.pk}/turns/{number}/orders", document)


def resolve(turn: Turn) -> None:
    assert resolve_turn(turn_id=turn.pk, now=NOW)


def test_the_same_orders_are_accepted_until_the_turn_is_resolved(
    api: ApiOf, table: Table, dealt: Game, alice: User, bob: User
) -> None:
    turn, mine = open_turn(dealt), orders_for(dealt, alice, seed=1)
    assert order(api, dealt, alice, mine).status == 200
    kept = Program.objects.get(hand=hand_of(dealt, alice))
    table.move(dealt, bob)
    again = order(api, dealt, alice, {"power_down": False, **mine}, turn.number)
    assert again.status == 200
    assert again.body["me"]["orders"] == mine
    same = Program.objects.get(hand=hand_of(dealt, alice))
    assert (same.orders, same.submitted_at) == (kept.orders, kept.submitted_at)
    other = orders_for(dealt, alice, seed=2)
    assert order(api, dealt, alice, other, turn.number).refusal == (409, "all-in")
    resolve(turn)
    assert order(api, dealt, alice, mine, turn.number).refusal == (409, "stale-turn")


def test_orders_with_place_and_heading_can_be_resent(api: ApiOf, alice: User, bob: User) -> None:
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="amigo-1999")
    mine = {**orders_for(game, alice), "place": [6, 0], "heading": "W"}
    assert order(api, game, alice, mine).status == 200
    table.move(game, bob)
    assert order(api, game, alice, mine).status == 200
    assert order(api, game, alice, {**mine, "place": [6, 2]}).refusal == (409, "all-in")
    assert order(api, game, alice, {**mine, "heading": "E"}).refusal == (409, "all-in")


def test_an_order_to_stay_off_can_be_resent(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, ruleset="amigo-1999", options={"power_down": True})
    order(api, game, alice, {**orders_for(game, alice), "power_down": True})
    for _ in range(2):
        turn = open_turn(game)
        table.move(game, bob)
        resolve(turn)
    assert order(api, game, alice, {"stay_down": True}).status == 200
    table.move(game, bob)
    assert order(api, game, alice, {"stay_down": True}).status == 200
    assert order(api, game, alice, {"heading": "N"}).refusal == (409, "all-in")


def test_the_same_orders_are_accepted_after_the_deadline(api: ApiOf, dealt: Game, alice: User) -> None:
    mine = orders_for(dealt, alice, seed=1)
    assert order(api, dealt, alice, mine).status == 200
    Turn.objects.filter(pk=open_turn(dealt).pk).update(deadline=later(minutes=-1))
    assert order(api, dealt, alice, mine).status == 200
    assert order(api, dealt, alice, orders_for(dealt, alice, seed=2)).refusal == (409, "too-late")


def test_substitute_orders_cannot_be_repeated_by_the_player(api: ApiOf, dealt: Game, alice: User) -> None:
    mine = orders_for(dealt, alice, seed=1)
    assert order(api, dealt, alice, mine).status == 200
    Program.objects.filter(hand=hand_of(dealt, alice)).update(by=Program.Author.DEADLINE)
    assert order(api, dealt, alice, mine).refusal == (409, "too-late")


def test_resending_the_same_orders_deletes_a_draft(api: ApiOf, dealt: Game, alice: User) -> None:
    mine, path = orders_for(dealt, alice, seed=1), f"games/{dealt.pk}/turns/1/draft"
    order(api, dealt, alice, mine)
    assert api(alice).put(path, {"power_down": True}).body["me"]["draft"]
    assert order(api, dealt, alice, mine).body["me"]["draft"] is None
    assert not Draft.objects.exists()
