"""Searching for a starship in the forms for new games."""

import re

import pytest

from accounts.models import User
from games.fleet import selectors
from games.fleet.models import Starship
from games.play.models import Game
from tests.games.making import fields
from tests.games.reader import ReaderOf
from tests.games.support import HALL, Board

NEW = "/games/new/"
QUICK = "/games/quick/"
NONE = "No other starship for Robo Runner matches"


@pytest.fixture
def ships(db: None, monkeypatch: pytest.MonkeyPatch) -> list[Starship]:
    """Save three ships. The form offers only one of them at a time."""
    monkeypatch.setattr(selectors, "SHIPS_LISTED", 1)
    return [Board(name, HALL.rows).saved() for name in ("Hall", "Hangar", "Hut")]


@pytest.mark.parametrize("address", [NEW, QUICK])
def test_a_search_finds_ships_that_are_not_offered_at_first(
    address: str, ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(address)
    assert "Hall" in page
    assert "Hut" not in page
    page = read(alice).get(f"{address}?find=hUt")
    assert "Hut" in page
    assert "Hangar" not in page
    assert 'value="hUt"' in page.html
    assert NONE not in page


@pytest.mark.parametrize("address", [NEW, QUICK])
def test_a_search_keeps_the_chosen_ship(
    address: str, ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    for words in ("hut", "zzz"):
        page = read(alice).get(f"{address}?ruleset=robo-runner&starship={ships[1].pk}&find={words}")
        assert page.chosen("starship") == str(ships[1].pk)
        assert ("Hut" in page, NONE in page) == (words == "hut", words == "zzz")


def test_a_search_without_a_script_keeps_the_form_s_input(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    filled = {"name": "Mine", "seats": "4", "lives": "5"}
    ticked = {"pace": "0", "strength": "ace", "computers": "3", "starship": str(ships[1].pk)}
    by_button, by_enter = {"show": "1"}, {"enter": "1", "searched": ""}
    for address, ways in ((NEW, (by_button, by_enter)), (QUICK, (by_button,))):
        form = read(alice).get(address).html.partition("<main")[2].partition("</form>")[0]
        first = re.search(r"<button[^>]*>", form)
        assert address == QUICK or (first and 'name="enter"' in first.group()), "the one that Enter presses"
        for way in ways:
            assert all(f'name="{name}"' in form for name in ("find", *way)), "the search is part of the form"
            page = read(alice).post(address, ruleset="robo-runner", **filled, **ticked, find="hut", **way)
            assert page.status == 200 and "Hut" in page and not Game.objects.exists()
            for name, value in ticked.items():
                assert page.chosen(name) == (value if f'name="{name}"' in form else ""), name
            for name, value in filled.items():
                field = re.search(rf'<input[^>]*name="{name}"[^>]*>', page.html)
                assert field is None if address == QUICK else field and f'value="{value}"' in field.group()


def test_enter_outside_the_search_field_creates_the_game(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    read(alice).post(NEW, **fields(ships[2]), find="hut", searched="hut", enter="1")
    assert Game.objects.get().name == "Maiden voyage"


@pytest.mark.parametrize("address", [NEW, QUICK])
def test_a_search_without_results_says_so_and_the_form_still_works(
    address: str, ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    for words in ("%00", "%27%22%3Cb%3E", "%25_"):
        page = read(alice).get(f"{address}?find={words}")
        assert "Hall" in page
        assert NONE in page
        assert "<b>" not in page.html


def test_boards_to_join_can_be_searched(ships: list[Starship], alice: User, read: ReaderOf) -> None:
    filled = {"ruleset": "amigo-1999", "board-1": str(ships[1].pk), "find": "hut"}
    page = read(alice).post("/games/new/board/", **filled)
    assert page.chosen("board-1") == str(ships[1].pk)
    assert "Hut" in page
    assert "Hall" not in page


def test_the_board_is_drawn_from_the_choice_before_the_search(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(f"{NEW}?ruleset=amigo-1999&starship={ships[1].pk}&find=hut")
    assert page.chosen("board-1") == str(ships[1].pk)


def test_the_full_library_is_linked_with_the_same_filters(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(NEW, show="1", ruleset="robo-runner", seats="5", starship=str(ships[0].pk))
    assert "/starships/?ruleset=robo-runner&players=5" in page.links
    page = read(None).get(f"{QUICK}?computers=2")
    assert "/starships/?ruleset=robo-runner&players=3" in page.links


def test_a_ship_s_page_found_by_the_search_leads_back_with_the_ship(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    found = read(alice).get("/starships/?ruleset=robo-runner&players=5&q=hut")
    assert f"/starships/{ships[2].pk}/?ruleset=robo-runner" in found.links
    back = f"{NEW}?ruleset=robo-runner&starship={ships[2].pk}"
    assert back in read(alice).get(f"/starships/{ships[2].pk}/?ruleset=robo-runner").links
    assert read(alice).get(back).chosen("starship") == str(ships[2].pk)
