"""Bays for prototypes in the Space Dock, and the daily limit on publishing."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.dock import services
from games.dock.models import Prototype
from games.dock.selectors import prototypes_of
from games.dock.services import close_prototype
from games.errors import Conflict, Invalid, NotFound, TooMany
from games.lobby.services import create_game
from games.play.terms import Terms
from games.shipyard.models import StarshipDraft
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.support import NOW


def test_a_closed_prototype_leaves_its_bay_and_keeps_its_draft(alice: User) -> None:
    made = published(alice)
    closed = close_prototype(user=alice, starship_id=made.starship_id, now=NOW)
    assert (closed.status, closed.ended_at) == (Prototype.Status.CLOSED, NOW)
    assert prototypes_of(builder=alice) == []
    assert StarshipDraft.objects.filter(pk=made.draft_id).exists()


def test_no_game_starts_on_a_closed_prototype(alice: User, bob: User) -> None:
    ship = published(alice).starship
    close_prototype(user=alice, starship_id=ship.pk, now=NOW)
    with pytest.raises(NotFound):
        create_game(host=bob, terms=Terms(name="Late", starship=ship.pk), now=NOW)


def test_closing_twice_changes_nothing(alice: User) -> None:
    ship = published(alice).starship
    close_prototype(user=alice, starship_id=ship.pk, now=NOW)
    again = close_prototype(user=alice, starship_id=ship.pk, now=NOW + timedelta(days=1))
    assert again.ended_at == NOW


def test_only_the_builder_closes_a_prototype(alice: User, bob: User) -> None:
    ship = published(alice).starship
    with pytest.raises(NotFound):
        close_prototype(user=bob, starship_id=ship.pk, now=NOW)


def test_a_ship_in_the_fleet_cannot_be_closed(alice: User) -> None:
    made = published(alice)
    Prototype.objects.filter(pk=made.pk).update(status="launched", ended_at=NOW)
    with pytest.raises(Conflict):
        close_prototype(user=alice, starship_id=made.starship_id, now=NOW)


def test_a_builder_publishes_at_most_20_versions_a_day(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    assert services.VERSIONS_A_DAY == 20
    monkeypatch.setattr(services, "VERSIONS_A_DAY", 3)
    draft = called(alice, "Canoe")
    for number in range(3):
        published(alice, redrawn(draft, "a . ." + " ." * number + " .+i1"))
    late = redrawn(draft, "a a . .+i1")
    with pytest.raises(TooMany):
        published(alice, late)
    assert published(alice, late, now=NOW + timedelta(days=1, seconds=1)).draft_version == late.version


def test_two_ships_of_one_builder_do_not_look_alike(alice: User) -> None:
    published(alice, called(alice, "Canoe"))
    with pytest.raises(Invalid) as refusal:
        published(alice, called(alice, "Can0e"))
    assert "your ship" in refusal.value.detail
