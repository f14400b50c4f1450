"""Favourite starships come first in forms for new games."""

import re

import pytest

from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import add_favourite
from tests.games.reader import Answer, ReaderOf
from tests.games.support import HALL, LANE, NOW, Board

NEW = "/games/new/?ruleset=robo-runner"
QUICK = "/games/quick/"


@pytest.fixture
def ships(db: None) -> list[Starship]:
    """Save three ships and a mission's ship. The third ship is a prototype."""
    names = ("Hall", "Hangar", "Hut")
    halls = [Board(name, HALL.rows).saved() for name in names]
    Starship.objects.filter(name="Hut").update(section="prototypes")
    return [*halls, LANE.saved(section="missions")]


def in_order(page: Answer, *words: str) -> bool:
    """Return whether the given words follow in this order after the heading "Your favourites"."""
    text = page.html[page.html.index("Your favourites") :]
    places = [text.index(word) for word in words]
    return places == sorted(places)


@pytest.mark.parametrize("address", [NEW, QUICK])
def test_favourites_including_prototypes_are_a_separate_group(
    address: str, ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    before = read(alice).get(address)
    assert "Your favourites" not in before and "Hut" not in before
    for ship in ships[1:3]:
        add_favourite(user=alice, starship_id=ship.pk, now=NOW)
    page = read(alice).get(address)
    assert in_order(page, "Hangar", "Hut", "Other starships", ">Hall<")
    radio = re.compile(rf'<input type="radio" name="starship"[^>]* value="{ships[1].pk}"')
    assert len(radio.findall(page.html)) == 1
    assert page.chosen("starship") == before.chosen("starship"), "the best is still what is offered"


def test_favourites_of_others_are_not_in_the_group(
    ships: list[Starship], alice: User, bob: User, read: ReaderOf
) -> None:
    add_favourite(user=bob, starship_id=ships[1].pk, now=NOW)
    for page in (read(alice).get(NEW), read(alice).get(QUICK), read(None).get(QUICK)):
        assert "Your favourites" not in page


def test_a_favourite_prototype_can_be_played_from_the_form(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    add_favourite(user=alice, starship_id=ships[2].pk, now=NOW)
    page = read(alice).post(QUICK, starship=str(ships[2].pk), computers="1", ruleset="robo-runner")
    assert page.address.startswith("/games/") and "Hut" in page


def test_each_list_of_boards_to_join_has_the_group(
    ships: list[Starship], alice: User, read: ReaderOf
) -> None:
    for ship in ships[1:3]:
        add_favourite(user=alice, starship_id=ship.pk, now=NOW)
    page = read(alice).get("/games/new/?ruleset=amigo-1999")
    group = page.html.partition('<optgroup label="Your favourites">')[2].partition("</optgroup>")[0]
    assert "Hangar" in group and "Hall" not in group
    assert "Hut" not in page, "prototypes are not joined"


def test_a_ship_s_builder_is_linked_while_their_page_exists(
    ships: list[Starship], bob: User, read: ReaderOf
) -> None:
    there = f"/starships/{ships[0].pk}/"
    assert "/players/Bob/" not in read(None).get(there).links
    Starship.objects.filter(pk=ships[0].pk).update(owner=bob, builder="Bob")
    assert "/players/Bob/" in read(None).get(there).links
