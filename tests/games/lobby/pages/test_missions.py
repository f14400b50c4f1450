"""Training missions: the list of missions, a mission's page, and its lesson."""

import re
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from games.fleet.missions import save_mission
from games.fleet.models import Mission
from games.lobby.practice import start_mission
from games.lobby.services import create_game
from games.play import stored
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.terms import Terms
from games.site.menu import MenuCounts, menu_counts
from tests.games.fleet.test_missions import LESSON
from tests.games.lobby.services.test_missions import play_on
from tests.games.reader import Reader, ReaderOf
from tests.games.support import HALL, LANE, NOW, open_turn

NOTES = [{"cells": [[4, 0], [0, 0]], "text": "From here to there."}, {"cells": [[2, 0]], "text": "Half-way."}]
HINTS = [
    {"when": "heading", "text": "Look east."},
    {"when": "program", "text": "Drive on."},
    {"when": "later", "text": "Again."},
    {"when": "destroyed", "text": "That was a life."},
]


@pytest.fixture
def lane(db: None) -> Mission:
    return save_mission(
        slug="lane",
        number=1,
        title="A lane",
        starship=LANE.saved(),
        options={},
        lesson={**LESSON, "notes": NOTES, "hints": HINTS},
    )


@pytest.fixture
def hall(lane: Mission) -> Mission:
    return save_mission(
        slug="hall", number=2, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON
    )


def pins(page: Any) -> list[tuple[str, str, str]]:
    """Return the column, row and letter of each pin on a page's board."""
    groups = re.findall(r'<g class="pin"([^>]*)>', page.html)
    return [
        (x, y, letter)
        for group in groups
        for x, y, letter in re.findall(r'data-x="(\d+)" data-y="(\d+)" data-letter="(\w)"', group)
    ]


def guest_at(read: ReaderOf) -> tuple[Reader, User, Game]:
    """Start a mission without an account. Return the reader, the guest and the game."""
    stranger = read(None)
    stranger.post("/missions/lane/")
    game = Game.objects.latest("pk")
    return stranger, game.host, game


def drive_off(game: Game, guest: User) -> None:
    """Play a mission on the lane until the guest's only robot drives off the board."""
    document: dict[str, Any] = {"heading": "S"}
    while game.status == Game.Status.RUNNING:
        turn = open_turn(game)
        submit_orders(user=guest, game_id=game.pk, turn_number=turn.number, document=document, now=NOW)
        resolve_turn(turn_id=turn.pk, now=NOW)
        game.refresh_from_db()
        if game.status == Game.Status.RUNNING:
            hand = sorted(stored.chips_of(open_turn(game).hands.get()), key=lambda chip: chip.kind)
            document = {"registers": [chip.number for chip in hand[:5]]}


def test_strangers_find_the_missions_and_viewing_them_creates_no_guest(
    hall: Mission, read: ReaderOf, lane: Mission
) -> None:
    front = read(None).get("/")
    assert front.actions[0] == "/missions/lane/"
    assert "Fly mission 1" in front
    assert "/missions/" in front.links
    assert "/missions/" in read(None).get("/games/").links
    page = read(None).get("/missions/")
    assert "Start with mission 1" in page
    assert page.text.index("A lane") < page.text.index("A hall")
    assert {"/missions/lane/", "/missions/hall/"} <= set(page.links)
    for path in ("/missions/", "/missions/lane/"):
        read(None).get(path)
    assert not User.objects.exists()


def test_without_missions_the_list_says_so(db: None, read: ReaderOf) -> None:
    assert "There are no missions yet" in read(None).get("/missions/")
    assert "Fly mission 1" not in read(None).get("/")


def test_a_mission_shows_its_board_and_goal(lane: Mission, read: ReaderOf) -> None:
    page = read(None).get("/missions/lane/")
    assert "This is a hall." in page
    assert "Walk about." in page
    assert "<svg" in page.html
    assert page.actions == ["/missions/lane/"]
    assert read(None).get("/missions/nowhere/").status == 404


def test_one_click_lets_a_stranger_play(lane: Mission, read: ReaderOf) -> None:
    page = read(None).post("/missions/lane/")
    game = Game.objects.get()
    assert page.address == f"/games/{game.pk}/"
    assert "Which way does your robot face?" in page
    assert "Guest" in page
    assert "Sign up to keep your games" in page
    assert "/my-room/" not in page.links


def test_notes_are_pinned_to_the_board_and_hints_suit_the_turn(lane: Mission, read: ReaderOf) -> None:
    stranger, guest, game = guest_at(read)
    page = stranger.get(f"/games/{game.pk}/")
    assert pins(page) == [("4", "0", "a"), ("0", "0", "a"), ("2", "0", "b")]
    assert "From here to there." in page
    assert "Look east." in page
    assert "Drive on." not in page
    submit_orders(user=guest, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    resolve_turn(turn_id=open_turn(game).pk, now=NOW)
    page = stranger.get(f"/games/{game.pk}/")
    assert "Drive on." in page
    assert "Look east." not in page


def test_a_completed_mission_leads_to_the_next(hall: Mission, read: ReaderOf) -> None:
    stranger, guest, game = guest_at(read)
    play_on(game, guest)
    page = stranger.get(f"/games/{game.pk}/")
    assert "Mission done" in page
    assert "That was a hall." in page
    assert "Next: A hall" in page
    assert "/missions/hall/" in page.actions
    assert pins(page) == []
    assert "Rematch" not in page
    listed = stranger.get("/missions/")
    assert "1 of 2 done" in listed
    assert "Fly mission 2" in listed
    assert "Keep your progress" in listed


def test_the_last_mission_leads_to_games_with_others(lane: Mission, read: ReaderOf) -> None:
    stranger, guest, game = guest_at(read)
    play_on(game, guest)
    page = stranger.get(f"/games/{game.pk}/")
    assert "That was the last mission." in page
    onward = f"/accounts/signup/?next=%2Fgames%2F{game.pk}%2F"
    assert {onward, reverse("games:quick"), reverse("games:room")} <= set(page.links)
    assert "All 1 missions done." in stranger.get("/missions/")


def test_the_navigation_shows_the_number_of_completed_missions(
    hall: Mission, alice: User, read: ReaderOf, django_assert_num_queries: Any
) -> None:
    assert header(read(None).get("/rules/")) == "Missions"
    assert "Missions 0/2 0 of 2 done" in header(read(alice).get("/rules/"))
    for _ in range(2):  # a second completion counts once
        play_on(start_mission(user=alice, slug="lane", now=NOW), alice)
    start_mission(user=alice, slug="hall", now=NOW)
    assert "Missions 1/2 1 of 2 done" in header(read(alice).get("/my-room/"))
    with django_assert_num_queries(1):
        assert menu_counts(user=alice) == MenuCounts(waiting=1, invitations=0, done=1, missions=2)
    stranger, guest, game = guest_at(read)
    play_on(game, guest)
    assert "Missions 1/2 1 of 2 done" in header(stranger.get("/missions/"))


def header(page: Any) -> str:
    """Return the text of the link to missions in the site's menu."""
    found = re.search(r'(?s)<a href="/missions/"[^>]*>(.*?)</a>', page.html.partition('class="site-menu"')[2])
    return " ".join(re.sub(r"<[^>]+>", " ", found.group(1)).split()) if found else ""


def test_my_room_offers_the_next_mission(hall: Mission, alice: User, read: ReaderOf) -> None:
    page = read(alice).get("/my-room/")
    assert "Your next mission" in page
    assert "Fly mission 1" in page
    assert "/missions/lane/" in page.actions
    game = start_mission(user=alice, slug="lane", now=NOW)
    assert "Continue" in read(alice).get("/my-room/")
    play_on(game, alice)
    page = read(alice).get("/my-room/")
    assert "Fly mission 2" in page
    assert "1 of 2 done" in page
    assert "/missions/hall/" in page.actions
    play_on(start_mission(user=alice, slug="hall", now=NOW), alice)
    page = read(alice).get("/my-room/")
    assert "Your next mission" not in page
    assert "2 of 2 done" in page


def test_a_lost_mission_can_be_retried(lane: Mission, read: ReaderOf) -> None:
    Mission.objects.update(options={"lives": 1})
    stranger, guest, game = guest_at(read)
    drive_off(game, guest)
    page = stranger.get(f"/games/{game.pk}/")
    assert "Try again" in page
    assert "Skip to:" not in page
    assert "/missions/lane/" in page.actions
    assert "Lost: try again" in stranger.get("/missions/")
    stranger.post("/missions/lane/")
    assert Game.objects.filter(status=Game.Status.RUNNING).count() == 1


def test_a_player_stuck_in_a_mission_may_skip_it(hall: Mission, read: ReaderOf) -> None:
    Mission.objects.update(options={"lives": 1})
    stranger, guest, game = guest_at(read)
    drive_off(game, guest)
    page = stranger.get(f"/games/{game.pk}/")
    assert "Skip to: A hall" in page
    assert {"/missions/lane/", "/missions/hall/"} <= set(page.actions)


def test_players_with_accounts_fly_missions_under_their_name(
    lane: Mission, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post("/missions/lane/")
    assert "Which way does your robot face?" in page
    assert "to keep your games" not in page
    assert Game.objects.get().host == alice


def test_a_mission_s_starship_links_to_it(lane: Mission, read: ReaderOf) -> None:
    page = read(None).get(f"/starships/{lane.starship_id}/")
    assert "Fly mission 1" in page
    assert page.actions == ["/missions/lane/"]


def test_the_sign_up_page_promises_to_keep_played_games(lane: Mission, read: ReaderOf) -> None:
    stranger, _, _ = guest_at(read)
    for path in ("/accounts/signup/", "/accounts/login/"):
        assert "You keep the games that you played as a guest" in stranger.get(path)
        assert "as a guest" not in read(None).get(path)


def test_a_game_outside_missions_has_no_lesson(lane: Mission, alice: User, read: ReaderOf) -> None:
    game = create_game(host=alice, terms=Terms(name="Alone", starship=lane.starship_id, seats=1), now=NOW)
    page = read(alice).get(f"/games/{game.pk}/")
    assert "From here to there." not in page
    assert pins(page) == []


def test_a_lesson_that_no_longer_fits_the_board_is_left_out(lane: Mission, read: ReaderOf) -> None:
    stranger, _, game = guest_at(read)
    Mission.objects.update(lesson={**lane.lesson, "notes": [{"cells": [[9, 9]], "text": "Where?"}]})
    page = stranger.get(f"/games/{game.pk}/")
    assert page.status == 200
    assert "Where?" not in page
