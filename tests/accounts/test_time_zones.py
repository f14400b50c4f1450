"""Time zones by their IANA names."""

import pytest
from django.core.exceptions import ValidationError

from accounts import time_zones


def test_it_takes_a_place_that_exists() -> None:
    time_zones.validate("America/Argentina/Buenos_Aires")


@pytest.mark.parametrize("name", ["", "Berlin", "Mars/Olympus_Mons", "../../etc/passwd", "europe/berlin "])
def test_it_refuses_a_place_that_does_not(name: str) -> None:
    with pytest.raises(ValidationError, match="time zone"):
        time_zones.validate(name)


def test_it_offers_places_by_continent_with_utc_first() -> None:
    offered = time_zones.choices(current="UTC")
    assert offered[0] == ("UTC", "UTC")
    europe = next(places for continent, places in offered if continent == "Europe")
    assert ("Europe/Isle_of_Man", "Isle of Man") in europe


def test_it_always_offers_the_present_choice() -> None:
    assert time_zones.choices(current="Etc/GMT+5")[0] == ("Etc/GMT+5", "Etc/GMT+5")
