"""The page to search for players."""

from accounts import guests
from accounts.models import User
from tests import cast
from tests.games.reader import ReaderOf


def test_anyone_finds_a_player_and_the_link_to_their_page(read: ReaderOf, alice: User, bob: User) -> None:
    for viewer in (None, bob, guests.make_guest()):
        page = read(viewer).get("/players/?name=AL")
        assert "1 player found" in page
        assert "/players/Alice/" in page.links


def test_without_a_name_no_player_is_listed(read: ReaderOf, alice: User, bob: User) -> None:
    for query in ("", "?name=", "?name=%20"):
        page = read(None).get(f"/players/{query}")
        assert "/players/Alice/" not in page.links and "No players found" not in page


def test_a_long_list_is_paginated_and_keeps_the_search(read: ReaderOf, alice: User) -> None:
    for number in range(21):
        cast.person(f"Zed-{number:02}")
    page = read(None).get("/players/?name=zed-")
    assert "21 players found" in page and "Page 1 of 2" in page
    assert "?name=zed-&page=2" in page.links
    assert "/players/Zed-20/" in read(None).get("/players/?name=zed-&page=2").links


def test_a_search_without_results_suggests_what_to_do(read: ReaderOf, alice: User) -> None:
    for name in ("Grace", "%00", "%3Cscript%3E"):
        page = read(None).get(f"/players/?name={name}")
        assert page.status == 200
        assert "No players found" in page and "<script>" not in page.html.partition("<h1>")[2]


def test_the_page_of_an_unknown_player_links_to_the_search(read: ReaderOf, alice: User) -> None:
    page = read(None).get("/players/Grace/")
    assert page.status == 404 and "/players/" in page.links
    assert "There is no player “Grace”." in page.html


def test_players_choose_in_their_profile_whether_they_are_found(
    read: ReaderOf, alice: User, bob: User
) -> None:
    assert 'name="shows_name"' in read(alice).get("/settings/profile/").html
    read(alice).post(
        "/settings/profile/",
        time_zone="UTC",
        **{
            f"shows_{part}": "everybody"
            for part in ("games", "history", "accuracy", "statistics", "achievements")
        },
        shows_name="nobody",
    )
    assert "No players found" in read(bob).get("/players/?name=alice")
    assert read(bob).get("/players/Alice/").status == 200
