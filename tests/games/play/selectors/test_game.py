"""The data of a game for each viewer, without other players' secrets."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from games.films.selectors import log_after, past_turn
from games.play.models import Game, Hand
from games.play.orders import submit_orders
from games.play.viewers import game_for
from games.staff.services import cancel_as_staff
from tests.games.support import NOW, Board, Table, game_seen, hand_of, later, open_turn, orders_for

CountQueries = Callable[[int], Any]


def view(game: Game, viewer: Any) -> dict[str, Any]:
    found = game_for(viewer=viewer, game_id=game.pk)
    return game_seen(viewer=viewer, game=found)


def test_an_open_game_has_seats_and_no_robots(table: Table, alice: User, bob: User, dave: User) -> None:
    shown = view(table.game(alice, bob, seats=3), dave)
    assert (shown["status"], shown["turn"], shown["robots"], shown["me"]) == ("open", None, [], None)
    nothing = dict.fromkeys(("place", "squad", "model", "computer", "steered_by"))
    agreed = {**nothing, "companion": False, "ready": True, "offered": False, "reliability": 100}
    assert shown["seats"] == [
        {"seat": 1, "name": "Alice", **agreed, "look": 1},
        {"seat": 2, "name": "Bob", **agreed, "look": 2},
    ]
    assert (shown["seats_total"], shown["host"]) == (3, "Alice")


def test_a_player_sees_the_documented_view(dealt: Game, alice: User) -> None:
    shown = view(dealt, alice)
    assert {key: shown[key] for key in ("id", "name", "status", "ruleset", "version", "turn", "winner")} == {
        "id": dealt.pk,
        "name": "First flight",
        "status": "running",
        "ruleset": "robo-runner",
        "version": 2,
        "turn": 1,
        "winner": None,
    }
    assert shown["options"] == {"lives": 3, "hull_damage": True, "scanners": 0, "equipment": False}
    assert shown["starship"]["format"] == "starship/1"
    assert (shown["deadline"], shown["waiting_for"]) == (later(hours=24), ["Alice", "Bob"])
    assert shown["seq"] == dealt.last_seq > 0
    robot = shown["robots"][0]
    documented = (
        "name seat at heading damage lives alive virtual down next archive locked rank equipment ammo"
    )
    assert {*documented.split(), "name", "ready", "place"} <= set(robot)
    assert (robot["name"], robot["seat"], robot["at"], robot["ready"]) == ("Alice", 1, [2, 5], False)


def test_a_player_sees_their_hand_and_orders(dealt: Game, alice: User) -> None:
    me = view(dealt, alice)["me"]
    assert [chip["number"] for chip in me["hand"]] == hand_of(dealt, alice).chips["chips"]
    assert set(me["hand"][0]) == {"number", "kind"}
    assert (me["seat"], me["submitted"], me["orders"]) == (1, False, None)
    orders = orders_for(dealt, alice)
    submit_orders(user=alice, game_id=dealt.pk, turn_number=1, document=orders, now=NOW)
    me = view(dealt, alice)["me"]
    assert (me["submitted"], me["orders"]) == (True, orders)


def test_everyone_sees_who_is_ready_but_spectators_have_no_seat(
    table: Table, dealt: Game, alice: User, dave: User, erin: User
) -> None:
    table.move(dealt, alice)
    for viewer in (dave, erin, AnonymousUser()):
        shown = view(dealt, viewer)
        assert (shown["me"], shown["waiting_for"]) == (None, ["Bob"])
        assert [robot["ready"] for robot in shown["robots"]] == [True, False]


def texts_in(value: object) -> Iterator[str]:
    """Yield all keys and values of a document as text."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    else:
        yield str(value)


@pytest.mark.parametrize("chance", range(2))
def test_hands_and_orders_of_others_do_not_affect_a_view(
    table: Table, dealt: Game, alice: User, bob: User, dave: User, chance: int
) -> None:
    """Bob has another hand and other orders, and the game has another seed.

    All views are equal, byte for byte.
    """

    def seen() -> list[str]:
        return [
            json.dumps(
                [
                    view(dealt, viewer),
                    log_after(game=dealt),
                    past_turn(game=dealt, number=0),
                ],
                cls=DjangoJSONEncoder,
            )
            for viewer in (alice, dave, AnonymousUser())
        ]

    table.move(dealt, bob)
    before = seen()
    hand: Hand = hand_of(dealt, bob)
    hand.chips["chips"] = [number + 10 for number in hand.chips["chips"] if number < 840]
    hand.save()
    hand.program.delete()
    orders = orders_for(dealt, bob, seed=chance)
    submit_orders(
        user=bob,
        game_id=dealt.pk,
        turn_number=1,
        document={**orders, "power_down": bool(chance % 2)},
        now=NOW,
    )
    Game.objects.filter(pk=dealt.pk).update(seed=f"seed {chance}")
    assert seen() == before


def test_the_seed_is_revealed_when_the_game_is_over(solo_loss: Game, duel: Game, alice: User) -> None:
    assert view(duel, alice)["seed"] is None
    assert duel.seed not in texts_in(json.loads(json.dumps(view(duel, alice), cls=DjangoJSONEncoder)))
    assert view(solo_loss, alice)["seed"] == solo_loss.seed


def test_a_transporter_s_destination_is_hidden_until_it_is_used(alice: User) -> None:
    rings = Board("Rings", (". . t:red . t:red", "a . . . .", "t:red . . . .+i1")).saved()
    game = Table(rings).game(alice)
    stored = open_turn(game).snapshot["links"]
    assert len(stored) == 3
    assert view(game, alice)["links"] == []
    turn = open_turn(game)
    turn.snapshot["known"] = [stored[0][0]]
    turn.save()
    assert view(game, alice)["links"] == [stored[0]]


def test_a_game_that_has_ended_waits_for_no_one(solo_loss: Game, duel: Game, alice: User, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    for game, status in ((duel, "cancelled"), (solo_loss, "over")):
        shown = view(game, alice)
        assert (shown["status"], shown["winner"]) == (status, None)
        assert (shown["deadline"], shown["waiting_for"]) == (None, [])
    assert (shown["robots"][0]["lives"], shown["robots"][0]["alive"]) == (0, False)


def test_a_view_takes_few_queries(
    table: Table, alice: User, bob: User, carol: User, django_assert_num_queries: CountQueries
) -> None:
    game = table.game(alice, bob, carol)
    table.move(game, alice)
    with django_assert_num_queries(4):
        view(game, alice)
