"""Names of prototypes that are reserved, taken, similar, invisible, or free again."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.dock.names import NAME_RESERVED_FOR
from games.dock.services import close_prototype
from games.errors import Invalid
from games.fleet.models import Starship
from tests.games.dock.prototypes import called, published
from tests.games.support import LANE, NOW


def refused(user: User, name: str, **more: object) -> str:
    with pytest.raises(Invalid) as refusal:
        published(user, called(user, name), **more)
    (problem,) = refusal.value.problems
    assert problem["code"] == "name"
    return str(problem["detail"])


def test_it_refuses_reserved_words(alice: User) -> None:
    for name in ("Admin", "R0bo-Runner", "Ѕtaff"):
        assert "is reserved for the site" in refused(alice, name)


def test_it_refuses_names_that_look_like_another_builder_s_prototype(alice: User, bob: User) -> None:
    published(bob, called(bob, "Tin Canoe"))
    for name in ("Tin Canoe", "tin-canoe", "Тіn Саnое", "T1n Can0e", "TIN CANOE!"):
        assert "Tin Canoe" in refused(alice, name)


def test_it_refuses_names_that_look_like_a_ship_in_the_fleet(alice: User) -> None:
    LANE.saved()
    assert "Lane" in refused(alice, "Ⅼane")


def test_the_names_of_retired_ships_are_free(alice: User) -> None:
    Starship.objects.filter(pk=LANE.saved().pk).update(retired=True)
    assert published(alice, called(alice, "Lane")).starship.name == "Lane"


def test_drafts_reserve_no_name(alice: User, bob: User) -> None:
    called(bob, "Tin Canoe")
    assert published(alice, called(alice, "Tin Canoe")).is_in_bay


def test_names_in_other_scripts_are_allowed(alice: User) -> None:
    assert published(alice, called(alice, "Фрегат Зоя")).starship.slug


def test_older_drafts_with_such_a_name_are_not_published(alice: User) -> None:
    draft = called(alice, "Canoe")
    type(draft).objects.filter(pk=draft.pk).update(name="Ca\u3164noe")
    with pytest.raises(Invalid) as refusal:
        published(alice, draft)
    assert "U+3164" in refusal.value.problems[0]["detail"]


def test_names_without_letters_are_allowed(alice: User, bob: User) -> None:
    assert published(alice, called(alice, "🚀🚀")).starship.slug == "starship"
    assert "🚀" in refused(bob, "🚀 🚀")
    assert published(bob, called(bob, "🛸")).starship.slug == "starship-2"


def test_a_name_is_reserved_for_its_builder_for_90_days(alice: User, bob: User) -> None:
    ship = published(bob, called(bob, "Tin Canoe")).starship
    close_prototype(user=bob, starship_id=ship.pk, now=NOW)
    assert "another builder" in refused(alice, "Tin Canoe", now=NOW + NAME_RESERVED_FOR - timedelta(days=1))
    assert published(alice, called(alice, "Tin Canoe"), now=NOW + NAME_RESERVED_FOR).is_in_bay


def test_its_builder_reuses_a_name_at_once(bob: User) -> None:
    ship = published(bob, called(bob, "Tin Canoe")).starship
    close_prototype(user=bob, starship_id=ship.pk, now=NOW)
    again = published(bob, called(bob, "Tin Canoe")).starship
    assert again.pk != ship.pk and again.current and again.current.number == 1
