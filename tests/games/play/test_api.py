"""The API of turns: orders, previews and events."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.play.models import Game, Program
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.stored import mark_of
from games.staff.services import cancel_as_staff
from tests.games.api_client import Answer, Api, ApiOf
from tests.games.support import LANE, NOW, Table, chips, open_turn, orders_for

OPEN_TURN_KEYS = frozenset({"ready", "look", "deadline", "away", "short_clock", "aside"})
"""Keys that a robot has only in the open turn."""


def order(client: Api, game: Game, document: Any, turn: int | None = None) -> Answer:
    """Submit orders, by default for the open turn."""
    number = open_turn(game).number if turn is None else turn
    return client.post(f"games/{game.pk}/turns/{number}/orders", document)


def preview(client: Api, game: Game, document: Any, turn: int | None = None) -> Answer:
    """Preview orders, by default for the open turn."""
    number = open_turn(game).number if turn is None else turn
    return client.post(f"games/{game.pk}/turns/{number}/preview", document)


def test_turn_0_takes_a_heading(api: ApiOf, duel: Game, alice: User) -> None:
    answer = order(api(alice), duel, {"heading": "E"})
    assert answer.status == 200
    assert answer.body["me"] == {
        "seat": 1,
        "hand": [],
        "may_stay_down": False,
        "submitted": True,
        "missed": False,
        "given_by": "player",
        "orders": {"heading": "E"},
        "mark": mark_of({"heading": "E"}),
        "draft": None,
        "bank": None,
        "sits": False,
        "standing": "laid",
        "excused": None,
    }
    assert answer.body["waiting_for"] == ["Bob"]
    assert [robot["ready"] for robot in answer.body["robots"]] == [True, False]


def test_orders_are_stored(api: ApiOf, dealt: Game, alice: User) -> None:
    registers = chips(dealt, alice)[:5]
    me = order(api(alice), dealt, {"registers": registers, "power_down": True}).body["me"]
    assert (me["submitted"], me["orders"]) == (True, {"registers": registers, "power_down": True})
    assert len(me["hand"]) == 9


def test_storing_orders_takes_few_queries(
    api: ApiOf, dealt: Game, alice: User, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    """They are for the token, game, seats, turn, hands, program, clock, and the turns seen."""
    client, document = api(alice), {"registers": chips(dealt, alice)[:5]}
    url = f"games/{dealt.pk}/turns/1/orders"
    with django_assert_max_num_queries(12):
        answer = client.post(url, document)
    assert answer.body == client.get(f"games/{dealt.pk}").body


def test_all_keys_can_be_sent(api: ApiOf, dealt: Game, alice: User) -> None:
    document = {
        "registers": chips(dealt, alice)[:5],
        "power_down": False,
        "equipment": [],
        "heading": None,
        "place": None,
        "unlock": [],
        "stay_down": False,
    }
    assert order(api(alice), dealt, document).status == 200


def test_new_orders_replace_the_old(api: ApiOf, dealt: Game, alice: User) -> None:
    client, hand = api(alice), chips(dealt, alice)
    order(client, dealt, {"registers": hand[:5]})
    assert order(client, dealt, {"registers": hand[4:]}).body["me"]["orders"] == {"registers": hand[4:]}


def test_of_two_windows_the_first_wins_until_the_other_has_seen_its_orders(
    api: ApiOf, dealt: Game, alice: User
) -> None:
    client, hand = api(alice), chips(dealt, alice)
    assert client.get(f"games/{dealt.pk}").body["me"]["mark"] == ""
    first = order(client, dealt, {"registers": hand[:5], "instead_of": ""})
    refused = order(client, dealt, {"registers": hand[4:], "instead_of": ""})
    assert (refused.status, refused.body["error"]) == (409, "given-elsewhere")
    assert refused.body["mark"] == first.body["me"]["mark"]
    assert client.get(f"games/{dealt.pk}").body == first.body
    again = order(client, dealt, {"registers": hand[4:], "instead_of": refused.body["mark"]})
    assert again.body["me"]["orders"] == {"registers": hand[4:]}


@pytest.mark.parametrize("mark", [None, 7, ["x"]])
def test_instead_of_must_be_a_text(api: ApiOf, dealt: Game, alice: User, mark: object) -> None:
    answer = order(api(alice), dealt, {"registers": chips(dealt, alice)[:5], "instead_of": mark})
    assert answer.refusal == (400, "malformed")
    assert answer.body["problems"][0]["key"] == "instead_of"
    assert not Program.objects.filter(hand__turn__game=dealt, hand__turn__number=1).exists()


def test_orders_against_the_rules_list_every_problem(api: ApiOf, dealt: Game, alice: User) -> None:
    hand = chips(dealt, alice)
    foreign = next(number for number in range(10, 850, 10) if number not in hand)
    document = {"registers": [hand[0], hand[0], foreign, None, 99999], "heading": "N", "unlock": [1]}
    answer = order(api(alice), dealt, document)
    assert answer.refusal == (422, "orders")
    assert [(problem["code"], problem.get("register")) for problem in answer.body["problems"]] == [
        ("twice", 1),
        ("twice", 2),
        ("not-in-hand", 3),
        ("empty", 4),
        ("not-in-hand", 5),
        ("heading", None),
        ("unlock", None),
    ]
    assert all(problem["detail"] for problem in answer.body["problems"])
    assert not Program.objects.filter(hand__turn__game=dealt, hand__turn__number=1).exists()


@pytest.mark.parametrize(
    "document",
    [{"register": [1, 2, 3, 4, 5]}, {"registers": [True, 1, 2, 3, 4]}, {"heading": "north"}, {"unlock": 3}],
)
def test_malformed_orders_are_refused(api: ApiOf, dealt: Game, alice: User, document: Any) -> None:
    answer = order(api(alice), dealt, document)
    assert answer.refusal == (400, "no-orders")
    key = next(iter(document))
    assert f"“{key}”" in answer.body["detail"]
    code = "unknown-key" if key == "register" else "invalid"
    assert {(problem["key"], problem["code"]) for problem in answer.body["problems"]} == {(key, code)}


def test_late_orders_and_those_of_others_are_refused_with_codes(
    api: ApiOf, table: Table, dealt: Game, won: Game, alice: User, bob: User, dave: User, erin: User
) -> None:
    cancelled = table.game(alice, bob)
    cancel_as_staff(user=erin, game_id=cancelled.pk, reason="So.", now=NOW)
    lobby, heading = table.game(alice, seats=2), {"heading": "E"}
    for game, number, refusal in (
        (dealt, 0, (409, "stale-turn")),
        (dealt, 10**30, (409, "stale-turn")),
        (lobby, 0, (409, "not-started")),
        (cancelled, 0, (409, "cancelled")),
        (won, won.turn, (409, "finished")),
    ):
        for send in (order, preview):
            assert send(api(alice), game, heading, number).refusal == refusal
    for send in (order, preview):
        assert send(api(dave), dealt, heading).refusal == (403, "no-seat")
    table.move(dealt, alice, bob)
    assert order(api(alice), dealt, orders_for(dealt, alice, seed=2)).refusal == (409, "all-in")


def test_a_preview_shows_orders_without_other_robots(api: ApiOf, dealt: Game, alice: User) -> None:
    answer = preview(api(alice), dealt, orders_for(dealt, alice))
    assert answer.status == 200
    assert set(answer.body) == {"events", "robot", "drawing", "summary", "warning"}
    assert answer.body["drawing"].startswith('<g class="outlook"')
    assert "after phase 5" in answer.body["summary"] or answer.body["warning"].startswith("Destroyed in")
    assert answer.body["robot"]["name"] == "Alice"
    assert [event["phase"] for event in answer.body["events"] if event["type"] == "phase"] == [1, 2, 3, 4, 5]
    assert {name for event in answer.body["events"] for name in event.get("chips", {})} == {"Alice"}


def test_a_preview_refuses_orders_against_the_rules(api: ApiOf, dealt: Game, alice: User) -> None:
    answer = preview(api(alice), dealt, {"registers": [99999, None, None, None, None]})
    assert answer.refusal == (422, "orders")
    assert answer.body["problems"][0]["register"] == 1


def test_a_preview_of_turn_0_shows_the_heading(api: ApiOf, duel: Game, alice: User) -> None:
    body = preview(api(alice), duel, {"heading": "S"}).body
    assert (body["robot"]["heading"], body["summary"], body["warning"]) == ("S", "", "")


def test_the_log_is_read_from_a_cursor(api: ApiOf, dealt: Game, alice: User, dave: User) -> None:
    whole = api(alice).get(f"games/{dealt.pk}/log").body
    assert [event["seq"] for event in whole["events"]] == list(range(1, whole["next"] + 1))
    assert {event["turn"] for event in whole["events"]} == {0}
    assert whole["next"] == api(alice).get(f"games/{dealt.pk}").body["seq"]
    rest = api(dave).get(f"games/{dealt.pk}/log", after=1).body
    assert rest == {"events": whole["events"][1:], "next": whole["next"]}
    assert api(dave).get(f"games/{dealt.pk}/log", after=whole["next"]).body == {
        "events": [],
        "next": whole["next"],
    }


def test_a_past_turn_shows_programs_and_events(
    api: ApiOf, table: Table, dealt: Game, alice: User, bob: User, dave: User
) -> None:
    ordered = {player.robo_name: orders_for(dealt, player) for player in (alice, bob)}
    start = api(dave).get(f"games/{dealt.pk}").body
    table.play(dealt, alice, bob)
    turn = api(dave).get(f"games/{dealt.pk}/turns/1").body
    assert turn["turn"] == 1
    assert {program["robot"]: program["orders"] for program in turn["programs"]} == ordered
    for robot, before in zip(turn["view"]["robots"], start["robots"], strict=True):
        assert robot == {key: value for key, value in before.items() if key not in OPEN_TURN_KEYS}
    log = api(dave).get(f"games/{dealt.pk}/log", after=start["seq"]).body
    assert turn["events"] == log["events"]


def test_an_unplayed_turn_is_not_found(api: ApiOf, dealt: Game, alice: User) -> None:
    for number in (1, 2, 10**30):
        assert api(alice).get(f"games/{dealt.pk}/turns/{number}").refusal == (404, "no-turn")


@pytest.fixture
def won(alice: User) -> Game:
    table = Table(LANE.saved())
    game = table.game(alice)
    submit_orders(user=alice, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    assert resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    _deal(game, [790, 490, 10, 20, 30, 40, 50, 60, 70])
    registers = [790, 490, 10, 20, 30]
    document = {"registers": registers}
    submit_orders(user=alice, game_id=game.pk, turn_number=1, document=document, now=NOW)
    assert resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OVER
    return game


def _deal(game: Game, numbers: list[int]) -> None:
    hand = open_turn(game).hands.get(robot=1)
    hand.chips["chips"] = numbers
    hand.save()


def test_a_finished_game_names_the_winner(api: ApiOf, won: Game, alice: User, dave: User) -> None:
    for viewer in (alice, dave):
        body = api(viewer).get(f"games/{won.pk}").body
        assert (body["status"], body["winner"], body["waiting_for"]) == ("over", "Alice", [])
        assert (body["deadline"], body["robots"][0]["place"]) == (None, 1)
        assert body["seed"] == won.seed
    games = api(alice).get("me").body["games"]
    assert (games["missions"], games["won"]) == (1, 0), "nobody else played"
    assert api(alice).get("me/waiting").body["results"] == []
    last = api(dave).get(f"games/{won.pk}/log").body["events"][-1]
    assert (last["type"], last["winner"], last["reason"]) == ("over", "Alice", "finished")
