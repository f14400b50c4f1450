"""Time zones by their IANA names."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.core.exceptions import ValidationError
from django.test import Client

from accounts import time_zones
from accounts.models import AUDIENCES, User


def test_it_refuses_an_unknown_place() -> None:
    for name in ("", "Berlin", "Mars/Olympus_Mons", "../../etc/passwd", "europe/berlin "):
        with pytest.raises(ValidationError, match="time zone"):
            time_zones.validate(name)


def test_it_offers_places_by_continent_with_utc_first() -> None:
    offered = time_zones.choices(current="UTC")
    assert offered[0] == ("UTC", "UTC")
    europe = next(places for continent, places in offered if continent == "Europe")
    assert ("Europe/Isle_of_Man", "Isle of Man") in europe


def test_it_always_offers_the_current_choice() -> None:
    assert time_zones.choices(current="Etc/GMT+5")[0] == ("Etc/GMT+5", "Etc/GMT+5")


RENAMED = [
    ("Asia/Calcutta", "Asia/Kolkata"),
    ("Europe/Kiev", "Europe/Kyiv"),
    ("America/Godthab", "America/Nuuk"),
]


def offered(current: str) -> list[str]:
    """Return the names of all time zones that the list offers, in order."""
    names: list[str] = []
    for name, places in time_zones.choices(current=current):
        names += [name] if isinstance(places, str) else [each for each, _ in places]
    return names


def test_a_place_with_two_names_is_offered_once_by_its_current_name() -> None:
    for old, new in RENAMED:
        names = offered(old)
        assert names.count(new) == 1
        assert old not in names
        assert time_zones.zone_of(old).key == new
        time_zones.validate(old)


def test_no_two_places_in_the_list_are_links_to_each_other() -> None:
    """Every outdated name has the same clocks as its current name in the list."""
    names, summer = set(offered("UTC")), datetime(2026, 7, 1, 12, tzinfo=UTC)
    old = {name for name in available_timezones() if time_zones.canonical(name) != name}
    assert len(old) > 100
    assert not names & old
    for name in old:
        new = time_zones.canonical(name)
        assert new in names, name
        for at in (summer, datetime(2026, 1, 1, 12, tzinfo=UTC)):
            assert at.astimezone(ZoneInfo(name)).utcoffset() == at.astimezone(ZoneInfo(new)).utcoffset(), name


def test_different_places_with_the_same_clocks_are_both_listed() -> None:
    assert {"Europe/Oslo", "Europe/Stockholm", "Europe/Berlin"} <= set(offered("UTC"))


def test_either_name_is_accepted_and_the_current_one_stored(db: None, alice: User, client: Client) -> None:
    client.force_login(alice)
    page = client.get("/settings/profile/").content.decode()
    fields = {name: getattr(alice, name) for name in AUDIENCES}
    assert "Asia/Calcutta" not in page
    for sent in RENAMED[0]:
        User.objects.update(time_zone="UTC")
        client.post("/settings/profile/", {**fields, "time_zone": sent})
        alice.refresh_from_db()
        assert alice.time_zone == "Asia/Kolkata"
    User.objects.update(time_zone="Asia/Calcutta")
    assert '<option value="Asia/Kolkata" selected>' in client.get("/settings/profile/").content.decode()
