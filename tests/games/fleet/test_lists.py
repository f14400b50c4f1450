"""Lists of starships: visibility, changes and limits."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction

from accounts.guests import make_guest
from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet import lists
from games.fleet.lists import (
    counted_lists,
    first_ships,
    linked_list,
    list_for,
    lists_of,
    public_lists,
    ships_in,
)
from games.fleet.models import Starship, StarshipList, StarshipListEntry
from games.fleet.services import retire_starship
from games.people.selectors.personal_data import personal_data
from games.people.services.deletion import delete_account
from tests.games.support import DUCTS, LANE, NOW, WORKSHOP

STRANGER = AnonymousUser()


@pytest.fixture
def ships(starship: Starship) -> list[int]:
    return [starship.pk, *(board.saved().pk for board in (LANE, DUCTS, WORKSHOP))]


@pytest.fixture
def fast(alice: User, ships: list[int]) -> StarshipList:
    return lists.create_list(user=alice, name="Fast ships", seen_by="everyone", starships=ships, now=NOW)


def order_of(made: StarshipList) -> list[int]:
    return [ship.pk for ship in ships_in(made)]


def places_of(made: StarshipList) -> list[int]:
    return list(made.entries.order_by("place").values_list("place", flat=True))


def names_of(**asked: str) -> list[str]:
    return [each.name for each in public_lists(**asked)]


def test_a_new_ship_comes_last_and_appears_once(alice: User, ships: list[int]) -> None:
    made = lists.create_list(user=alice, name="Mine", now=NOW)
    for ship in (ships[1], ships[0], ships[1]):
        lists.add_to_list(user=alice, list_id=made.pk, starship_id=ship, now=NOW)
    assert order_of(made) == [ships[1], ships[0]]
    with pytest.raises(IntegrityError), transaction.atomic():
        StarshipListEntry.objects.create(list=made, starship_id=ships[0], place=7)


def test_ships_move_back_and_forward_within_the_list(
    alice: User, fast: StarshipList, ships: list[int]
) -> None:
    one, two, three, four = ships
    for ship, by, expected in (
        (one, 1, [two, one, three, four]),
        (four, -1, [two, one, four, three]),
        (two, -1, [two, one, four, three]),
        (three, 1, [two, one, four, three]),
    ):
        lists.move_in_list(user=alice, list_id=fast.pk, starship_id=ship, by=by, now=NOW)
        assert order_of(fast) == expected
    assert places_of(fast) == [0, 1, 2, 3]


def test_a_removed_ship_leaves_no_gap(alice: User, fast: StarshipList, ships: list[int]) -> None:
    lists.remove_from_list(user=alice, list_id=fast.pk, starship_id=ships[1], now=NOW)
    assert (order_of(fast), places_of(fast)) == ([ships[0], *ships[2:]], [0, 1, 2])


def test_a_hidden_ship_is_left_out_and_does_not_disturb_others(
    alice: User, fast: StarshipList, ships: list[int]
) -> None:
    Starship.objects.filter(pk=ships[1]).update(taken_down_at=NOW, retired=True)
    assert order_of(fast) == [ships[0], *ships[2:]]
    assert [each.ships for each in counted_lists(public_lists())] == [3]
    assert [ship.pk for ship in first_ships([fast])[fast.pk]] == [ships[0], *ships[2:]]
    lists.move_in_list(user=alice, list_id=fast.pk, starship_id=ships[2], by=-1, now=NOW)
    assert order_of(fast) == [ships[2], ships[0], ships[3]]


def test_a_retired_ship_keeps_its_place(fast: StarshipList, ships: list[int]) -> None:
    retire_starship(starship_id=ships[0])
    assert order_of(fast) == ships


def test_a_full_list_is_refused_by_service_and_database(
    alice: User, ships: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "SHIPS_IN_LIST", 2)
    made = lists.create_list(user=alice, name="Mine", starships=ships[:2], now=NOW)
    with pytest.raises(Conflict, match="which is the limit"):
        lists.add_to_list(user=alice, list_id=made.pk, starship_id=ships[2], now=NOW)
    assert order_of(made) == ships[:2]
    with pytest.raises(IntegrityError), transaction.atomic():
        StarshipListEntry.objects.create(list=made, starship_id=ships[2], place=50)


def test_a_person_has_a_limited_number_of_lists(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_LISTS", 1)
    lists.create_list(user=alice, name="One", now=NOW)
    with pytest.raises(Conflict, match="You have 1 lists"):
        lists.create_list(user=alice, name="Two", now=NOW)


def test_a_list_s_name_is_unique_per_person(alice: User, bob: User, fast: StarshipList) -> None:
    with pytest.raises(Invalid, match="save the list") as refused:
        lists.create_list(user=alice, name="fast SHIPS", now=NOW)
    assert [problem["code"] for problem in refused.value.problems] == ["name"]
    lists.create_list(user=bob, name="Fast ships", now=NOW)
    lists.change_list(user=alice, list_id=fast.pk, name="FAST ships", now=NOW)
    assert [each.name for each in lists_of(user=alice)] == ["FAST ships"]


def test_a_taken_name_and_an_unknown_starship_are_both_reported(alice: User, fast: StarshipList) -> None:
    with pytest.raises(Invalid) as refused:
        lists.create_list(user=alice, name="Fast ships", starships=[4711], now=NOW)
    assert [problem["code"] for problem in refused.value.problems] == ["name", "starships"]


def test_only_the_owner_sees_a_private_list(alice: User, bob: User, erin: User) -> None:
    made = lists.create_list(user=alice, name="Mine", now=NOW)
    assert list_for(viewer=alice, list_id=made.pk) == made
    for other in (bob, erin, STRANGER):
        with pytest.raises(NotFound):
            list_for(viewer=other, list_id=made.pk)
    assert names_of() == []


def test_a_link_opens_a_list_until_it_is_replaced_or_removed(alice: User, bob: User) -> None:
    made = lists.create_list(user=alice, name="Mine", seen_by="link", now=NOW)
    assert len(made.link_token) == 32 and linked_list(link=made.link_token) == made
    with pytest.raises(NotFound):
        list_for(viewer=bob, list_id=made.pk)
    again = lists.renew_link(user=alice, list_id=made.pk)
    for link in (made.link_token, "", "x" * 65, "\x00"):
        with pytest.raises(NotFound):
            linked_list(link=link)
    lists.change_list(user=alice, list_id=made.pk, seen_by="everyone", now=NOW)
    with pytest.raises(NotFound):
        linked_list(link=again.link_token)
    with pytest.raises(Conflict):
        lists.renew_link(user=alice, list_id=made.pk)


def test_other_changes_keep_the_link(alice: User) -> None:
    made = lists.create_list(user=alice, name="Mine", seen_by="link", now=NOW)
    lists.change_list(user=alice, list_id=made.pk, name="Ours", seen_by="link", now=NOW)
    assert linked_list(link=made.link_token).name == "Ours"


def test_only_the_owner_changes_a_list(
    alice: User, bob: User, erin: User, fast: StarshipList, ships: list[int]
) -> None:
    for other in (bob, erin):
        at = {"user": other, "list_id": fast.pk}
        for attempt in (
            lambda at=at: lists.change_list(**at, name="Slow ships", now=NOW),
            lambda at=at: lists.add_to_list(**at, starship_id=ships[0], now=NOW),
            lambda at=at: lists.remove_from_list(**at, starship_id=ships[0], now=NOW),
            lambda at=at: lists.move_in_list(**at, starship_id=ships[0], by=1, now=NOW),
            lambda at=at: lists.renew_link(**at),
            lambda at=at: lists.delete_list(**at),
        ):
            with pytest.raises(NotFound):
                attempt()
    assert order_of(StarshipList.objects.get(name="Fast ships")) == ships


def test_guests_have_no_lists(db: None) -> None:
    with pytest.raises(Forbidden):
        lists.create_list(user=make_guest(), name="Mine", now=NOW)


def test_public_lists_are_found_by_name_and_owner(alice: User, bob: User, ships: list[int]) -> None:
    for user, name in ((alice, "For beginners"), (bob, "For an evening"), (bob, "Large ships")):
        lists.create_list(user=user, name=name, seen_by="everyone", starships=ships[:1], now=NOW)
    assert names_of(text="for") == ["For an evening", "For beginners"]
    assert names_of(text="bob FOR") == ["For an evening"]
    assert names_of(text="carol") == []


def test_lists_are_sorted_by_last_change_or_by_number_of_ships(
    alice: User, fast: StarshipList, ships: list[int]
) -> None:
    later = NOW + timedelta(hours=1)
    lists.create_list(user=alice, name="New", seen_by="everyone", starships=ships[:1], now=later)
    assert names_of() == ["New", "Fast ships"]
    assert names_of(sort="ships") == ["Fast ships", "New"]
    lists.move_in_list(
        user=alice, list_id=fast.pk, starship_id=ships[0], by=1, now=later + timedelta(hours=1)
    )
    assert names_of() == ["Fast ships", "New"]


def test_empty_lists_and_lists_of_closed_accounts_are_left_out(
    alice: User, bob: User, fast: StarshipList
) -> None:
    lists.create_list(user=bob, name="Nothing", seen_by="everyone", now=NOW)
    assert names_of() == ["Fast ships"]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert names_of() == []
    with pytest.raises(NotFound):
        list_for(viewer=bob, list_id=fast.pk)


def test_a_person_s_data_includes_lists_without_the_link(alice: User, fast: StarshipList) -> None:
    made = lists.change_list(user=alice, list_id=fast.pk, seen_by="link", now=NOW)
    held = personal_data(user=alice, now=NOW)
    assert [row["name"] for row in held["starship_lists"]] == ["Fast ships"]
    assert [row["place"] for row in held["starships_in_lists"]] == [0, 1, 2, 3]
    assert made.link_token not in str(held["starship_lists"])


def test_lists_are_deleted_with_the_account_and_none_is_added_later(alice: User, fast: StarshipList) -> None:
    delete_account(user=alice, now=NOW)
    assert not StarshipList.objects.exists() and not StarshipListEntry.objects.exists()
    with pytest.raises(Forbidden):
        lists.create_list(user=alice, name="Again", now=NOW)
