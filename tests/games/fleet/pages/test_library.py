"""The library of starships, the page of a ship, and practice flights."""

import re

from accounts.models import User
from games.fleet.models import Starship
from games.fleet.services import retire_starship
from games.play.models import Game
from tests.games.reader import ReaderOf
from tests.games.support import LANE, Board


def test_the_library_has_sections_and_is_searched_by_url(starship: Starship, read: ReaderOf) -> None:
    LANE.saved(section="missions")
    page = read(None).get("/starships/")
    text = page.text.partition("Must have all of these on board")[2]
    assert text.index("Training missions") < text.index("Lane") < text.index("Fleet") < text.index("Hall")
    assert "8 × 8, for 1 to 8 players , built by Tests" in page
    page = read(None).get("/starships/?q=hall&section=&elements=beams")
    assert page.address == "/starships/?q=hall&elements=beams"
    assert "Starships that match 1" in page and "Hall" in page and "Lane" not in page
    assert "No starship matches" in read(None).get("/starships/?class=carrier")


def test_invalid_filters_are_ignored_with_a_note(starship: Starship, read: ReaderOf) -> None:
    page = read(None).get(f"/starships/?class=dinghy&elements=beams&elements=%3Cb%3E&q={'x' * 81}")
    assert page.status == 200 and "Hall" in page
    assert "“dinghy” is not a choice for “Class”" in page
    assert "“<b>” is not a choice for “On board”" in page
    assert "Your search is longer than 80 characters" in page


def test_pagination_keeps_the_filters(db: None, read: ReaderOf) -> None:
    for number in range(26):
        Board(f"Lane {number}", LANE.rows).saved()
    page = read(None).get("/starships/?sort=name")
    assert "Page 1 of 2" in page
    assert "?sort=name&page=2" in page.links
    assert "Page 2 of 2" in read(None).get("/starships/?sort=name&page=99999999999999")
    assert "?section=fleet" in read(None).get("/starships/").links


def test_the_page_of_a_ship_shows_it_large_with_class_and_elements(
    starship: Starship, read: ReaderOf
) -> None:
    assert "Shuttle, 8 × 8" in read(None).get("/starships/")
    assert "Class Shuttle" in read(None).get(f"/starships/{starship.pk}/")
    page = read(None).get(f"/starships/{starship.pk}/")
    assert 'class="starship starship-page"' in page.html
    assert "Checkpoints 4" in page
    assert "Repairs damage at the end of the turn" in page
    assert "Cooling shaft" not in page
    assert f"/games/new/?starship={starship.pk}" in page.links


def test_an_empty_library_says_so(db: None, read: ReaderOf) -> None:
    assert "There are no starships yet" in read(None).get("/starships/")


def test_a_legend_names_only_elements_on_the_board(db: None, read: ReaderOf) -> None:
    ship = Board("Zoo", ("a d24 g- b1:SE .+i1*2", "~ . f t:red .+r13N")).saved()
    page = read(None).get(f"/starships/{ship.pk}/")
    there = "Launch bay", "Twister, left", "Beam, curve", "hull damage", "Thruster", "Transporter, red"
    for name in (*there, "Slide rail"):
        assert name in page, name
    for name in ("Twister, right", "Beam, intersection", "Beam of speed 2", "Transporter, blue"):
        assert name not in page, name


def test_a_mission_is_flown_with_one_click(starship: Starship, dave: User, read: ReaderOf) -> None:
    page = read(dave).post(f"/starships/{starship.pk}/fly/")
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert (game.status, game.seats, game.name) == ("running", 1, "Hall")
    assert "Which way does your robot face?" in page


def test_a_retired_starship_is_shown_but_not_offered(starship: Starship, dave: User, read: ReaderOf) -> None:
    retire_starship(starship_id=starship.pk)
    page = read(dave).get(f"/starships/{starship.pk}/")
    assert "This starship is retired" in page
    assert page.actions == []
    refused = read(dave).post(f"/starships/{starship.pk}/fly/")
    assert refused.status == 404
    assert "This starship is not available." in refused
    assert "Hall" in refused
    assert not Game.objects.exists()


def test_drawings_are_pictures_cached_for_an_hour(starship: Starship, read: ReaderOf) -> None:
    for theme in ("light", "dark"):
        answer = read(None).client.get(f"/starships/drawings/{starship.current_id}-{theme}.svg")
        assert answer["Content-Type"] == "image/svg+xml"
        assert answer["Cache-Control"] == "public, max-age=3600"
        assert answer.content.startswith(b"<svg")
    assert read(None).get(f"/starships/drawings/{starship.current_id}-page.svg").status == 404
    assert read(None).get("/starships/drawings/0-light.svg").status == 404


def test_lists_reserve_space_for_lazy_drawings(starship: Starship, read: ReaderOf) -> None:
    address = f"/starships/drawings/{starship.current_id}-light.svg"
    drawn = read(None).client.get(address).content.decode()
    sizes = re.search(r'width="(\d+)" height="(\d+)"', drawn)
    assert sizes
    listed = read(None).client.get("/starships/").content.decode()
    assert f'<img class="by-day" src="{address}" alt="" {sizes[0]} loading="lazy">' in listed
