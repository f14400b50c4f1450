"""Paces as documents: valid ones, invalid ones, and their description in words."""

from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from games.clocks import paces
from games.clocks.clock import Bank, Daily, Live, Pace, PerTurn

EVENING = Daily(time(20), ZoneInfo("Europe/Berlin"))
LIVE = [Live(1), Live(59)]
PACES = [None, *LIVE, PerTurn(1), PerTurn(336), PerTurn(24, EVENING), PerTurn(72, EVENING), Bank(72, 12)]


@pytest.mark.parametrize("pace", PACES, ids=paces.pace_in_words)
def test_a_pace_survives_writing_and_reading(pace: Pace) -> None:
    assert paces.read_pace(paces.write_pace(pace)) == pace


@pytest.mark.parametrize("document", [None, {}, {"hours": None}, dict.fromkeys(paces.KEYS)])
def test_a_pace_without_keys_has_no_limit(document: Any) -> None:
    assert paces.read_pace(document) is None


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (24, "must be an object"),
        ({"seconds": 5}, "no key “seconds”"),
        ({"minutes": 0}, "“minutes” must be a whole number from 1 to 59. For longer turns, use “hours”"),
        ({"minutes": 60}, "“minutes” must be a whole number from 1 to 59"),
        ({"minutes": 1.5}, "“minutes” must be a whole number"),
        ({"minutes": True}, "“minutes” must be a whole number"),
        ({"minutes": 5, "hours": 1}, "only “minutes”"),
        ({"minutes": 5, "at": "20:00", "zone": "UTC"}, "only “minutes”"),
        ({"minutes": 5, "bank": 12, "increment": 1}, "only “minutes”"),
        ({"hours": 0}, "“hours” must be a whole number from 1 to 336"),
        ({"hours": 337}, "“hours” must be a whole number from 1 to 336"),
        ({"hours": True}, "“hours” must be a whole number"),
        ({"hours": "24"}, "“hours” must be a whole number"),
        ({"bank": 72}, "“increment” must be a whole number"),
        ({"increment": 72}, "“bank” must be a whole number"),
        ({"bank": 72, "increment": 12, "hours": 24}, "either “hours”"),
        ({"bank": 72, "increment": 12, "at": "20:00", "zone": "UTC"}, "either “hours”"),
        ({"hours": 12, "at": "20:00", "zone": "UTC"}, "must last at least 24 hours"),
        ({"at": "20:00", "zone": "UTC"}, "“hours” must be a whole number"),
        ({"hours": 24, "zone": "UTC"}, "Give one in “at”"),
        ({"hours": 24, "at": "8 p.m.", "zone": "UTC"}, "“at” must be a time of day"),
        ({"hours": 24, "at": "24:00", "zone": "UTC"}, "“at” must be a time of day"),
        ({"hours": 24, "at": 20, "zone": "UTC"}, "“at” must be a time of day"),
        ({"hours": 24, "at": "20:00"}, "“zone” must be a time zone"),
        ({"hours": 24, "at": "20:00", "zone": "Europe/Atlantis"}, "“zone” must be a time zone"),
        ({"hours": 24, "at": "20:00", "zone": ["UTC"]}, "“zone” must be a time zone"),
    ],
)
def test_an_invalid_pace_is_refused_with_a_sentence(document: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        paces.read_pace(document)
