"""Filters for lists of games."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.fleet.models import Starship
from games.lobby.lists import GameFilter, games_for
from games.play.models import Game
from tests.games.support import WORKSHOP, YARD, Board, Table, walled


def names(**query: Any) -> set[str]:
    games = games_for(viewer=AnonymousUser())
    return {game.name for game in GameFilter(query, games).qs}


@pytest.fixture
def yard(db: None) -> Starship:
    return YARD.saved()


def test_no_filter_finds_all(table: Table, alice: User) -> None:
    table.game(alice, seats=2, name="One")
    assert names() == names(ruleset="", pace="", seats="", free="", size="") == {"One"}


def test_games_are_found_by_ruleset(table: Table, alice: User) -> None:
    table.game(alice, seats=2, name="Runner")
    Table(WORKSHOP.saved()).game(alice, seats=2, name="Websocket", ruleset="websocket")
    assert names(ruleset="websocket") == {"Websocket"}


def test_games_are_found_by_pace(table: Table, alice: User) -> None:
    for hours in (1, 4, 5, 24, 25, 168):
        table.game(alice, seats=2, name=str(hours), pace={"hours": hours})
    table.game(alice, seats=2, name="no limit", pace=None)
    table.game(alice, seats=2, name="bank", pace={"bank": 24, "increment": 4})
    table.game(alice, seats=2, name="live", pace={"minutes": 5})
    assert names(pace="bank") == {"bank"}
    assert names(pace="live") == {"live"}
    assert names(pace="fast") == {"1", "4"}
    assert names(pace="day") == {"5", "24"}
    assert names(pace="slow") == {"25", "168"}
    assert names(pace="none") == {"no limit"}


def test_games_are_found_by_number_of_players_and_open_seats(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    table.game(alice, bob, name="full")
    table.game(alice, seats=2, name="two")
    table.game(alice, bob, seats=3, name="three")
    table.game(alice, bob, carol, seats=6, name="six")
    assert names(seats="2") == {"full", "two"}
    assert names(seats="3-4") == {"three"}
    assert names(seats="5-8") == {"six"}
    assert names(free="1") == {"two", "three", "six"}
    assert names(free="3") == {"six"}
    assert names(free="4") == set()


def test_games_are_found_by_the_longer_side_of_their_board(table: Table, yard: Starship, alice: User) -> None:
    wide = Table(Board("Wide", walled("a a", 14)).saved())
    medium = Table(Board("Medium", walled("a a", 11)).saved())
    table.game(alice, seats=2, name="hall")
    table.game(alice, seats=2, name="medium")
    boards = [{"starship": yard.pk, "at": [column, 0], "turned": 0} for column in range(3)]
    joined = {"name": "joined", "boards": boards, "checkpoints": [[3, 3], [7, 3]]}
    table.game(alice, seats=2, ruleset="factory-1999", **joined)
    Game.objects.filter(name="medium").update(revision=medium.starship.current)
    assert names(size="small") == {"hall"}
    assert names(size="medium") == {"medium", "joined"}
    Game.objects.filter(name="medium").update(revision=wide.starship.current)
    assert names(size="large") == {"medium"}


def test_filters_combine(table: Table, alice: User, bob: User) -> None:
    table.game(alice, seats=2, name="slow", pace={"hours": 48})
    table.game(alice, bob, seats=3, name="fast", pace={"hours": 1})
    table.game(alice, seats=4, name="fast, for four", pace={"hours": 1})
    assert names(pace="fast", seats="3-4", free="2") == {"fast, for four"}


@pytest.mark.parametrize("name", ["ruleset", "pace", "seats", "free", "size"])
@pytest.mark.parametrize("value", ["-1", "\x00" + "x" * 5000])
def test_invalid_values_disable_a_filter_with_a_note(
    name: str, value: str, table: Table, alice: User
) -> None:
    table.game(alice, seats=2, name="One")
    filtered = GameFilter({name: value, "unknown": "key"}, games_for(viewer=alice))
    assert [game.name for game in filtered.qs] == ["One"]
    [fault] = filtered.faults
    assert fault.endswith("so that filter was ignored.")
    assert len(fault) < 100
    assert filtered.query == ""
    other = GameFilter({name: value, "pace" if name != "pace" else "seats": "none"}, Game.objects.all())
    assert len(other.faults) == (2 if name == "pace" else 1)


def test_the_address_contains_the_active_filters(table: Table, alice: User) -> None:
    filtered = GameFilter({"pace": "fast", "size": "", "seats": "3-4", "free": "x"}, games_for(viewer=alice))
    assert filtered.query == "pace=fast&seats=3-4"
