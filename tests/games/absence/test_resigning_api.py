"""Resigning from a game and giving a seat up, by the API."""

import pytest

from accounts.models import User
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.support import Table


@pytest.fixture
def trio(table: Table, alice: User, bob: User, carol: User) -> Game:
    """A game of Alice, Bob and Carol, of which a turn was played."""
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    return game


def test_who_resigns_has_no_seat_any_more(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).post(f"games/{trio.pk}/resign").body
    assert (body["status"], body["me"]) == ("running", None)
    assert body["seats"][1]["computer"] == "rookie"
    assert not body["seats"][1]["offered"]
    assert api(bob).post(f"games/{trio.pk}/resign").refusal == (409, "resigned")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").refusal == (403, "sent-away")


def test_the_one_who_is_left_wins(api: ApiOf, table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    body = api(alice).post(f"games/{duel.pk}/resign").body
    assert (body["status"], body["ending"], body["winner"]) == ("over", "resigned", "Bob")
    assert api(bob).post(f"games/{duel.pk}/resign").refusal == (409, "nothing-to-resign")


def test_a_seat_that_was_given_up_is_offered_and_may_be_had_back(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).delete(f"games/{trio.pk}/seat").body
    assert (body["status"], body["me"], body["seats"][1]["offered"]) == ("running", None, True)
    assert api(bob).delete(f"games/{trio.pk}/seat").refusal == (409, "left")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").body["me"] is not None


def test_a_lobby_is_left_as_before(api: ApiOf, table: Table, alice: User) -> None:
    lobby = table.game(alice, seats=2)
    assert api(alice).post(f"games/{lobby.pk}/resign").refusal == (409, "nothing-to-resign")
    assert api(alice).delete(f"games/{lobby.pk}/seat").refusal == (409, "nothing-to-resign")


def test_others_have_nothing_to_resign(api: ApiOf, trio: Game, dave: User) -> None:
    assert api(dave).post(f"games/{trio.pk}/resign").refusal == (403, "no-seat")
    assert api(dave).delete(f"games/{trio.pk}/seat").refusal == (403, "no-seat")
