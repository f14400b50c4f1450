"""The list of open seats, and the buttons to take one over on a game's page."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.absence.models import Replacement
from games.play.models import Game, Turn
from games.staff.services import replace_as_staff
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, leave_to_computer


@pytest.fixture
def game(table: Table, alice: User, bob: User) -> Game:
    """A running game of Alice. A computer replaced Bob after too many missed turns."""
    game = table.game(alice, bob, absence={"policy": "computer", "excused": 2})
    table.play(game, alice, bob)
    return leave_to_computer(game, bob)


def test_the_list_shows_all_terms_and_one_click_takes_the_seat(
    read: ReaderOf, game: Game, alice: User, dave: User
) -> None:
    daves, address = read(dave), f"/games/{game.pk}/"
    assert "A seat to take over" in daves.get(address)
    page = read(alice).get(address)
    assert "played by a Rookie" in page and "Take over" not in page
    page = daves.get("/seats/")
    for said in (
        "1 day a turn",
        "If they miss more than 2 turns, a computer replaces them.",
        "Bob played by a Rookie",
        "Take over Bob",
    ):
        assert said in page
    page = daves.post(f"{address}seats/2/take/")
    assert "You took over the seat. Its robot is yours now." in page
    assert "played by Dave" in page and "Your hand" in page
    assert "No open seats right now." in daves.get("/seats/")


def test_the_list_shows_rank_checkpoint_lives_and_health(read: ReaderOf, game: Game) -> None:
    turn = game.turns.get(status=Turn.Status.OPEN)
    robot = turn.snapshot["robots"][1]
    robot.update(damage=3, lives=2, next=2)
    turn.save(update_fields=["snapshot"])
    page = read(None).get("/seats/")
    assert "2 of 2 in the move order · next checkpoint 2 of 4 · 2 lives · health 7 of 10" in page
    assert page.text.count("next checkpoint") == 1, "Alice's is not to be taken over"


def test_the_number_of_queries_does_not_grow_with_the_list(
    game: Game, table: Table, alice: User, bob: User, erin: User, django_assert_max_num_queries: Any
) -> None:
    client = Client()
    with django_assert_max_num_queries(12) as few:
        client.get("/seats/")
    for _ in range(3):
        seat = table.game(alice, bob).players.get(user=bob)
        replace_as_staff(user=erin, seat_id=seat.pk, reason="So.", now=NOW)
    with django_assert_max_num_queries(len(few)):
        assert client.get("/seats/").content.decode().count("next checkpoint") == 4


def test_a_game_by_an_unknown_edition_does_not_break_the_list(read: ReaderOf, game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(version=99)
    page = read(None).get("/seats/")
    assert page.status == 200 and "Take over Bob" in page and "next checkpoint" not in page


def test_the_list_can_be_filtered(read: ReaderOf, game: Game) -> None:
    assert "Take over Bob" in read(None).get("/seats/?pace=day")
    assert "No games with open seats match these filters." in read(None).get("/seats/?pace=bank")


def test_a_replaced_player_comes_back_from_the_game_or_my_room(
    read: ReaderOf, game: Game, bob: User, alice: User, dave: User
) -> None:
    bobs, take = read(bob), f"/games/{game.pk}/seats/2/take/"
    page = bobs.get("/my-room/")
    assert "A computer plays for you" in page
    assert "A Rookie plays your robot until you come back" in page
    assert f'action="{take}"' in page.html
    for other in (alice, dave):
        assert "A computer plays for you" not in read(other).get("/my-room/")
    page = bobs.get(f"/games/{game.pk}/")
    assert "A computer plays for you You missed too many turns." in page and "Come back" in page
    bobs.post(take)
    assert game.players.get(number=2).user == bob
    assert "played by" not in bobs.get(f"/games/{game.pk}/")
    assert "A computer plays for you" not in bobs.get("/my-room/")


def test_a_player_voted_out_is_notified_and_offered_no_seat(
    read: ReaderOf, game: Game, bob: User, dave: User
) -> None:
    Replacement.objects.update(reason=Replacement.Reason.VOTED)
    page = read(bob).get(f"/games/{game.pk}/")
    assert "A computer plays for you" not in read(bob).get("/my-room/")
    assert "You were replaced by a vote or by staff, so you cannot come back to this game." in page
    assert "/take/" not in page.html
    assert game.name not in read(bob).get("/seats/")
    assert "/take/" in read(dave).get(f"/games/{game.pk}/").html
    assert game.name in read(dave).get("/seats/")


def test_the_game_s_page_shows_the_refusal(read: ReaderOf, game: Game, dave: User) -> None:
    page = read(dave).post(f"/games/{game.pk}/seats/1/take/")
    assert page.status == 409 and "Another player has it" in page
