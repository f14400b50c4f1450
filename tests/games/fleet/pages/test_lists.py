"""Lists of starships: their pages without scripts, and their API."""

import pytest
from django.test import Client

from accounts.models import User
from games.fleet import lists
from games.fleet.lists import ships_in
from games.fleet.models import Starship, StarshipList
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import LANE, NOW


@pytest.fixture
def lane_ship(db: None) -> Starship:
    return LANE.saved()


@pytest.fixture
def alices_list(alice: User, starship: Starship, lane_ship: Starship) -> StarshipList:
    """A public list of Alice with two ships."""
    ships = [starship.pk, lane_ship.pk]
    return lists.create_list(user=alice, name="Fast ships", seen_by="everyone", starships=ships, now=NOW)


def names_in(made: StarshipList) -> list[str]:
    return [ship.name for ship in ships_in(made)]


def test_the_page_of_a_ship_offers_to_start_a_first_list(
    starship: Starship, dave: User, read: ReaderOf
) -> None:
    there = f"/starships/{starship.pk}/lists/"
    assert there in read(dave).get(f"/starships/{starship.pk}/").links
    assert there not in read(None).get(f"/starships/{starship.pk}/").links
    page = read(dave).post(there, name="Ships for Sunday", seen_by="owner")
    assert "Your list is ready, and this ship is in it." in page
    assert names_in(StarshipList.objects.get(user=dave)) == ["Hall"]


def test_a_button_adds_a_ship_to_a_list_and_another_removes_it(
    alices_list: StarshipList, alice: User, read: ReaderOf
) -> None:
    empty = lists.create_list(user=alice, name="Empty", now=NOW)
    there = f"/starships/{alices_list.entries.all()[0].starship_id}/lists/"
    assert "Added to “Empty”." in read(alice).post(there, add=str(empty.pk))
    assert names_in(empty) == ["Hall"]
    assert "Removed from “Empty”." in read(alice).post(there, remove=str(empty.pk))
    assert names_in(empty) == []
    assert read(alice).post(there, add="x").status == 404


def test_a_refused_form_keeps_its_input(alices_list: StarshipList, alice: User, read: ReaderOf) -> None:
    page = read(alice).post("/starships/lists/mine/", name="fast ships", text="Two of them", seen_by="link")
    assert page.status == 422
    assert "You have another list with this name." in page and "Two of them" in page


def test_the_owner_moves_ships_with_buttons(alices_list: StarshipList, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(f"/starships/lists/{alices_list.pk}/")
    assert "Move Lane earlier" in page.html and "Remove Hall" in page.html
    first = alices_list.entries.order_by("place")[0].starship_id
    moved = read(alice).post(f"/starships/lists/{alices_list.pk}/ships/", starship=str(first), do="down")
    assert moved.address.startswith(f"/starships/lists/{alices_list.pk}/")
    assert names_in(alices_list) == ["Lane", "Hall"]
    read(alice).post(f"/starships/lists/{alices_list.pk}/ships/", starship=str(first), do="remove")
    assert names_in(alices_list) == ["Lane"]


def test_others_see_a_public_list_and_its_owner_without_buttons(
    alices_list: StarshipList, read: ReaderOf
) -> None:
    page = read(None).get(f"/starships/lists/{alices_list.pk}/")
    assert "Fast ships" in page and "/players/Alice/" in page.links and "Lane" in page
    assert "Move Lane" not in page.html
    assert "Fast ships" in read(None).get("/starships/lists/?q=alice")
    assert "No list matches" in read(None).get("/starships/lists/?q=bob")


def test_html_in_a_list_s_texts_is_escaped(alices_list: StarshipList, alice: User, read: ReaderOf) -> None:
    lists.change_list(
        user=alice, list_id=alices_list.pk, name="<b>Fast</b>", text="<script>x</script>", now=NOW
    )
    for page in (read(None).get(f"/starships/lists/{alices_list.pk}/"), read(None).get("/starships/lists/")):
        assert "<b>Fast</b>" in page and "<script>x</script>" in page
        assert "<b>Fast" not in page.html and "<script>x" not in page.html


def test_a_link_shows_the_list_to_everyone_except_search_engines(
    alices_list: StarshipList, alice: User, read: ReaderOf, client: Client
) -> None:
    read(alice).post(f"/starships/lists/{alices_list.pk}/edit/", name="Fast ships", seen_by="link")
    alices_list.refresh_from_db()
    there = f"/starships/lists/shared/{alices_list.link_token}/"
    assert f"http://testserver{there}" in read(alice).get(f"/starships/lists/{alices_list.pk}/edit/").links
    answer = client.get(there)
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow" and "Lane" in answer.content.decode()
    assert read(None).get(f"/starships/lists/{alices_list.pk}/").status == 404
    read(alice).post(f"/starships/lists/{alices_list.pk}/edit/", renew="1")
    assert read(None).get(there).status == 404


def test_a_list_without_a_link_cannot_renew_it(
    alices_list: StarshipList, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(f"/starships/lists/{alices_list.pk}/edit/", renew="1")
    assert page.status == 409 and "This list has no link." in page and "Fast ships" in page.html


def test_a_list_is_deleted_after_confirmation(alices_list: StarshipList, alice: User, read: ReaderOf) -> None:
    assert "Delete this list?" in read(alice).get(f"/starships/lists/{alices_list.pk}/delete/")
    assert StarshipList.objects.exists()
    assert "List deleted." in read(alice).post(f"/starships/lists/{alices_list.pk}/delete/")
    assert not StarshipList.objects.exists()


def test_the_api_creates_changes_and_deletes_lists(
    starship: Starship, lane_ship: Starship, dave: User, api: ApiOf
) -> None:
    program = api(dave)
    ships = [starship.pk, lane_ship.pk]
    made = program.post("starships/lists", {"name": "By hand", "seen_by": "link", "starships": ships})
    assert (made.status, made.body["maker"]) == (201, "Dave")
    assert [ship["name"] for ship in made.body["starships"]] == ["Hall", "Lane"]
    there = f"starships/lists/{made.body['id']}"
    shared = api(None).get(f"starships/lists/shared/{made.body['link']}").body
    assert (shared["name"], shared["link"], shared["ships"]) == ("By hand", None, 2)
    assert api(None).get(there).refusal == (404, "no-list")
    again = program.post(f"{there}/link").body
    assert again["link"] != made.body["link"]
    dead = Client().get(f"/starships/lists/shared/{made.body['link']}/")
    assert "Ask the person who sent it" in dead.content.decode()
    changed = program.patch(there, {"seen_by": "everyone", "starships": ships[::-1]}).body
    assert ([ship["id"] for ship in changed["starships"]], changed["link"]) == (ships[::-1], None)
    found = api(None).get("starships/lists?q=dave").body
    assert ([each["name"] for each in found["results"]], found["count"]) == (["By hand"], 1)
    assert program.delete(f"{there}/ships/{ships[0]}").body["ships"] == 1
    assert program.put(f"{there}/ships/{ships[0]}").body["ships"] == 2
    assert [each["name"] for each in program.get("me/lists").body["results"]] == ["By hand"]
    assert program.delete(there).body == {"results": [], "most": 20}
