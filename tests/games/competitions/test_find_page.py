"""The page to find games, and its API."""

from accounts.models import User
from games.competitions.models import Ticket
from games.competitions.services.matching import seek_game
from tests.games.api_client import Api
from tests.games.reader import ReaderOf, reader
from tests.games.support import NOW


def test_the_form_joins_the_queue_and_one_click_leaves_it(alice: User, read: ReaderOf) -> None:
    client = reader(alice).client
    assert "Find me a game" in read(alice).get("/my-room/")
    sent = {"ruleset": "group-11", "pace": "day", "size": "", "least": "2", "most": "4"}
    sent["computers_after"] = "24"
    answer = client.post("/games/find/", sent, follow=True).content.decode()
    assert "We’re looking for a game for you." in answer and "Stop looking" in answer
    ticket = Ticket.objects.get()
    assert (ticket.ruleset, ticket.most, ticket.computers_after, ticket.spread) == ("group-11", 4, 24, None)
    page = read(alice).get("/games/find/")
    assert "Look for this instead" in page
    assert '<option value="group-11" selected>' in page.html
    assert "stopped looking for a game" in client.post("/games/find/stop/", follow=True).content.decode()
    assert not Ticket.objects.exists()


def test_errors_are_shown_beside_their_fields(alice: User) -> None:
    client = reader(alice).client
    answer = client.post("/games/find/", {"least": "4", "most": "2"})
    assert answer.status_code == 422
    assert "The maximum can’t be below the minimum" in answer.content.decode()
    assert not Ticket.objects.exists()


def test_the_api_does_the_same(alice: User) -> None:
    api = Api(alice)
    assert api.get("me/ticket").body == {"ticket": None}
    made = api.put("me/ticket", {"pace": "day", "most": 4}).body["ticket"]
    assert (made["pace"], made["least"], made["most"], made["spread"]) == ("day", 2, 4, None)
    assert api.get("me/ticket").body["ticket"]["pace"] == "day"
    assert api.delete("me/ticket").body == {"ticket": None}
    seek_game(user=alice, wish={}, now=NOW)
    assert api.get("me/ticket").body["ticket"]["ruleset"] == ""
