"""The log of a game, and its past turns."""

import pytest

import rules
from accounts.models import User
from games.errors import NotFound
from games.films.selectors import log_after, past_turn
from games.fleet.boards import starship_of
from games.play import stored
from games.play.models import Game
from tests.games.support import Table, later, open_turn, orders_for, resolved_again


def test_the_log_is_paginated_by_a_cursor(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    whole = log_after(game=duel)
    assert [event["seq"] for event in whole["events"]] == list(range(1, duel.last_seq + 1))
    assert {event["turn"] for event in whole["events"]} == {0, 1}
    assert whole["next"] == duel.last_seq
    pages, cursor = [], 0
    while page := log_after(game=duel, seq=cursor, limit=7)["events"]:
        pages += page
        cursor = page[-1]["seq"]
    assert pages == whole["events"]
    assert log_after(game=duel, seq=duel.last_seq) == {"events": [], "next": duel.last_seq}


def test_a_past_turn_reveals_programs_views_and_events(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    earlier = table.play(duel, alice, bob)
    orders = orders_for(duel, alice)
    ship = starship_of(duel.revision)
    start = stored.start_of(open_turn(duel), ship)
    table.play(duel, alice, bob, now=later(hours=2))
    past = past_turn(game=duel, number=1)
    assert past["turn"] == 1
    assert past["resolved_at"] == later(hours=2)
    program = {"robot": "Alice", "seat": 1, "by": "player", "redealt": None, "aside": []}
    program["orders"] = orders
    assert past["programs"][0] == program
    log = [event for event in log_after(game=duel)["events"] if event["turn"] == 1]
    assert past["events"] == log
    assert [event["seq"] for event in log] == list(range(earlier.last_seq + 1, duel.last_seq + 1))
    assert past["view"] == rules.view_to_json(ship, rules.view(start))
    assert past["after"] == rules.view_to_json(ship, rules.view(resolved_again(duel).state))


def test_the_open_turn_is_not_past(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    table.move(duel, alice)
    for number in (open_turn(duel).number, 2, 99):
        with pytest.raises(NotFound):
            past_turn(game=duel, number=number)
