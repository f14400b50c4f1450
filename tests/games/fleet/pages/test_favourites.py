"""Favourite starships: the button, the list of favourites, and the API."""

import pytest
from django.db import IntegrityError, transaction

from accounts.guests import make_guest
from accounts.models import User
from games.errors import Conflict, Forbidden
from games.fleet import selectors, services
from games.fleet.models import Favourite, Starship
from games.fleet.services import retire_starship
from games.people.services.deletion import delete_account
from tests.games.api_client import ApiOf
from tests.games.reader import ReaderOf
from tests.games.support import LANE, NOW


def names_of(user: User) -> list[str]:
    return [ship.name for ship in selectors.favourites_of(user=user)]


def test_a_button_adds_a_ship_and_removes_it_again(starship: Starship, dave: User, read: ReaderOf) -> None:
    there = f"/starships/{starship.pk}/"
    page = read(dave).post(f"{there}favourite/")
    assert page.address == there
    assert "Added to your favourites" in page and "Remove from favourites" in page
    assert "Hall" in read(dave).get("/starships/favourites/")
    assert "Removed from your favourites" in read(dave).post(f"{there}favourite/", do="remove")
    assert "You have no favourites yet" in read(dave).get("/starships/favourites/")
    assert "Add to favourites" not in read(None).get(there)


def test_the_newest_comes_first_and_each_ship_appears_once(starship: Starship, dave: User) -> None:
    lane = LANE.saved()
    for ship in (starship, lane, starship):
        services.add_favourite(user=dave, starship_id=ship.pk, now=NOW)
    assert names_of(dave) == ["Lane", "Hall"]
    with pytest.raises(IntegrityError), transaction.atomic():
        Favourite.objects.create(user=dave, starship=lane, added_at=NOW)


def test_favourites_are_limited_and_guests_have_none(
    starship: Starship, dave: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_FAVOURITES", 1)
    services.add_favourite(user=dave, starship_id=starship.pk, now=NOW)
    with pytest.raises(Conflict, match="You have 1 favourites, which is the limit"):
        services.add_favourite(user=dave, starship_id=LANE.saved().pk, now=NOW)
    assert names_of(dave) == ["Hall"]
    with pytest.raises(Forbidden):
        services.add_favourite(user=make_guest(), starship_id=starship.pk, now=NOW)


def test_a_retired_favourite_stays_and_is_marked(
    starship: Starship, dave: User, bob: User, read: ReaderOf
) -> None:
    services.add_favourite(user=dave, starship_id=starship.pk, now=NOW)
    retire_starship(starship_id=starship.pk)
    assert "retired" in read(dave).get("/starships/favourites/")
    with pytest.raises(Conflict):
        services.add_favourite(user=bob, starship_id=starship.pk, now=NOW)


def test_the_api_changes_favourites_too(starship: Starship, dave: User, api: ApiOf) -> None:
    program = api(dave)
    put = program.put(f"starships/{starship.pk}/favourite").body
    assert ([ship["name"] for ship in put["results"]], put["most"]) == (["Hall"], 20)
    assert program.get("me/favourites").body == put
    assert program.delete(f"starships/{starship.pk}/favourite").body["results"] == []


def test_favourites_are_deleted_with_the_account(starship: Starship, dave: User) -> None:
    services.add_favourite(user=dave, starship_id=starship.pk, now=NOW)
    delete_account(user=dave, now=NOW)
    assert not Favourite.objects.exists()
