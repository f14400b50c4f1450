"""Publishing a draft ship: bays, versions and refusals."""

from typing import Any

import pytest

from accounts.guests import make_guest
from accounts.models import User
from games.dock import services
from games.dock.inputs import NewPrototype
from games.dock.models import Prototype
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet import search as fleet_search
from games.fleet.models import Starship
from games.fleet.search import search
from games.fleet.services import save_starship
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.shipyard.drawing import WRECK, drafted
from tests.games.shipyard.tunnels import lane
from tests.games.support import NOW


def test_a_prototype_is_a_starship_of_its_builder(alice: User) -> None:
    draft = lane(alice)
    prototype = published(alice, draft)
    ship = prototype.starship
    assert (ship.section, ship.owner, ship.builder) == ("prototypes", alice, "Alice")
    assert (prototype.draft, prototype.ruleset, prototype.players) == (draft, "robo-runner", 2)
    assert ship.current and ship.current.prototype and ship.current.number == 1
    assert "Alice" not in str(ship.current.document)


def test_prototypes_are_listed_only_on_request(alice: User) -> None:
    ship = published(alice).starship
    assert ship not in search()
    assert list(search(section="prototypes")) == [ship]


def test_publishing_under_the_same_name_makes_the_next_version(alice: User) -> None:
    draft = called(alice, "Canoe")
    first = published(alice, draft)
    second = published(alice, redrawn(draft, "a . . .+i1"))
    assert second.pk == first.pk and second.starship.current and second.starship.current.number == 2
    other = published(alice, called(alice, "CANOE ", "a . . . .+i1"))
    assert other.pk == first.pk and other.starship.name == "CANOE"


def test_publishing_an_unchanged_draft_makes_no_new_version(alice: User) -> None:
    draft = lane(alice)
    published(alice, draft)
    current = published(alice, draft).starship.current
    assert current and current.number == 1


def test_the_length_of_games_is_calculated_in_the_background(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    calculate, hold = fleet_search.expected_turns, services.lock_names

    def expected_turns(*args: Any) -> int | None:
        done.append("turns")
        return calculate(*args)

    def hold_names() -> None:
        done.append("names")
        hold()

    draft = lane(alice)
    fleet_search.ESTIMATED_TURNS.clear()
    monkeypatch.setattr(fleet_search, "expected_turns", expected_turns)
    monkeypatch.setattr(services, "lock_names", hold_names)
    prototype = published(alice, draft)

    assert done == ["turns", "names"]
    assert fleet_search.facts_of(starship=prototype.starship).turns


def test_there_are_two_bays(alice: User, bob: User) -> None:
    for name in ("One", "Two"):
        published(alice, called(alice, name))
    with pytest.raises(Conflict) as refusal:
        published(alice, called(alice, "Three"))
    assert refusal.value.code == "no-bay"
    published(bob, called(bob, "Three"))


def test_it_refuses_an_unplayable_ship(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        published(alice, drafted(alice, *WRECK))
    assert refusal.value.code == "unfinished"
    assert not Starship.objects.filter(owner=alice).exists()


def test_it_refuses_a_ship_without_a_name(alice: User) -> None:
    with pytest.raises(Invalid) as refusal:
        published(alice, called(alice, " "))
    assert refusal.value.problems[0]["code"] == "name"


def test_it_requires_consent_to_the_licence() -> None:
    with pytest.raises(Invalid) as refusal:
        NewPrototype(data={"draft": 1}).allowed()
    assert "Creative Commons" in refusal.value.problems[0]["detail"]


def test_it_refuses_guests_and_drafts_of_others(alice: User, bob: User) -> None:
    draft = lane(alice)
    with pytest.raises(NotFound):
        published(bob, draft)
    with pytest.raises(Forbidden):
        published(make_guest(), draft)


def test_a_ship_before_the_committee_cannot_change(alice: User) -> None:
    draft = lane(alice)
    prototype = published(alice, draft)
    Prototype.objects.filter(pk=prototype.pk).update(status="ready")
    with pytest.raises(Conflict) as refusal:
        published(alice, redrawn(draft, "a a . .+i1"))
    assert refusal.value.code == "deciding"


def test_a_prototype_that_joins_the_fleet_gets_a_new_revision(alice: User) -> None:
    ship = published(alice).starship
    before = ship.current
    assert before
    joined = save_starship(starship_id=ship.pk, document=before.document, section="fleet", now=NOW)
    assert joined.current and joined.current.number == 2 and not joined.current.prototype
    assert joined.builder == "Alice"
    before.refresh_from_db()
    assert before.prototype
