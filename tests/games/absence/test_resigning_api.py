"""Resigning from a game and giving a seat up, by the API."""

from accounts.models import User
from games.play.models import Game
from tests.games.api_client import ApiOf


def test_who_resigns_has_no_seat_any_more(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).post(f"games/{trio.pk}/resign").body
    assert (body["status"], body["me"]) == ("running", None)
    assert body["seats"][1]["computer"] == "rookie"
    assert not body["seats"][1]["offered"]
    assert api(bob).post(f"games/{trio.pk}/resign").refusal == (409, "resigned")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").refusal == (403, "sent-away")


def test_a_seat_that_was_given_up_is_offered_and_may_be_had_back(api: ApiOf, trio: Game, bob: User) -> None:
    body = api(bob).delete(f"games/{trio.pk}/seat").body
    assert (body["status"], body["me"], body["seats"][1]["offered"]) == ("running", None, True)
    assert api(bob).delete(f"games/{trio.pk}/seat").refusal == (409, "left")
    assert api(bob).post(f"games/{trio.pk}/seats/2/take").body["me"] is not None
