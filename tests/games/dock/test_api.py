"""The API of prototypes."""

from accounts.models import User
from games.dock.models import IDLE_AFTER
from games.dock.services import check_idle_prototypes
from tests.games.api_client import Api
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.support import NOW


def test_a_draft_is_published_and_closed(alice: User) -> None:
    draft = called(alice, "Canoe")
    made = Api(alice).post("shipyard/prototypes", {"draft": draft.pk, "agrees": True})
    assert made.status == 200
    assert (made.body["name"], made.body["version"], made.body["status"]) == ("Canoe", 1, "testing")
    assert made.body["draft"] == draft.pk
    listed = Api(alice).get("shipyard/prototypes").body
    assert (listed["results"], listed["bays"]) == ([made.body], 2)
    address = f"shipyard/prototypes/{made.body['id']}"
    assert Api(alice).get(address).body == made.body
    closed = Api(alice).delete(address)
    assert (closed.status, closed.body["status"]) == (200, "closed")
    assert Api(alice).get("starships", section="prototypes").body["results"] == []


def test_it_gives_the_time_when_a_prototype_leaves_its_bay(alice: User) -> None:
    made = published(alice)
    address = f"shipyard/prototypes/{made.starship_id}"
    assert Api(alice).get(address).body["leaves_at"] is None
    check_idle_prototypes(now=NOW + IDLE_AFTER)
    assert Api(alice).get(address).body["leaves_at"] == "2027-03-05T12:00:00Z"
    told = Api(None).get(f"starships/{made.starship_id}").body["prototype"]
    assert told["leaves_at"] == "2027-03-05T12:00:00Z"


def test_a_starship_is_marked_as_a_prototype(alice: User, bob: User) -> None:
    draft = called(alice, "Canoe")
    made = published(alice, draft)
    published(alice, redrawn(draft, "a a . .+i1"))
    assert Api(None).get("starships").body["results"] == []
    (listed,) = Api(None).get("starships", section="prototypes").body["results"]
    assert (listed["section"], listed["revision"], listed["builder"]) == ("prototypes", 2, "Alice")
    ship = Api(None).get(f"starships/{made.starship_id}").body
    assert ship["prototype"]["licence"].startswith("Creative Commons")
    assert (ship["prototype"]["parent"], ship["prototype"]["players"]) == (None, 2)
    forked = Api(bob).post("shipyard/drafts", {"starship": made.starship_id, "name": "Kayak"}).body
    kayak = Api(bob).post("shipyard/prototypes", {"draft": forked["id"], "agrees": True}).body
    parent = Api(None).get(f"starships/{kayak['id']}").body["prototype"]["parent"]
    assert parent == {"id": made.starship_id, "name": "Canoe", "revision": 2}


def test_a_game_is_created_on_a_prototype(alice: User, bob: User) -> None:
    made = published(alice)
    game = Api(bob).post("games", {"name": "Trial", "starship": made.starship_id, "seats": 2})
    assert game.status == 201
    assert (game.body["prototype"], game.body["counts_as"]) == (1, "prototype")
