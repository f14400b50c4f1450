"""Times and numbers in words, in the reader's language."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation
from django.utils.formats import date_format

from games.fleet.models import Starship
from games.fleet.selectors import players
from games.wording import chat_time, day_and_time, day_of, exact_time, time_since, time_until, translate
from rules.language import Sentence, sentence_from_json, sentence_to_json
from rules.tunnel.findings import percentage
from tests.games.support import NOW


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=-5), "just now"),
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=59, seconds=59), "59 min ago"),
        (timedelta(hours=23), "23 h ago"),
        (timedelta(days=1, hours=23), "1 day ago"),
        (timedelta(days=40), "40 days ago"),
    ],
)
def test_past_times_are_worded(passed: timedelta, said: str) -> None:
    assert time_since(NOW - passed) == said


@pytest.mark.parametrize(
    ("remaining", "said"),
    [
        (timedelta(0), "time is up"),
        (timedelta(days=-1), "time is up"),
        (timedelta(seconds=20), "1 min left"),
        (timedelta(minutes=45), "45 min left"),
        (timedelta(hours=5, minutes=7), "5 h 7 min left"),
        (timedelta(days=1, hours=2, minutes=9), "1 day 2 h left"),
        (timedelta(days=3, hours=2), "3 days left"),
    ],
)
def test_remaining_times_are_worded(remaining: timedelta, said: str) -> None:
    assert time_until(NOW + remaining) == said


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (1, 1, "for one player"),
        (1, 8, "for 1 to 8 players"),
        (2, 2, "for 2 players"),
        (2, 4, "for 2 to 4 players"),
    ],
)
def test_recommended_numbers_of_players_are_worded(least: int, most: int, said: str) -> None:
    assert players(Starship(seats_least=least, seats_most=most)) == said


TIMES = {
    "en": [
        "Sat 21 Nov, 07:00",
        "Saturday, 21 November 2026, 07:00 (America/New York)",
        "21 November 2026",
        "07:00",
        "Fri 07:00",
        "14 Nov, 07:00",
    ],
    "fr": [
        "sam 21/11/2026 07:00",
        "samedi, 21 novembre 2026 07:00 (America/New York)",
        "21 novembre 2026",
        "07:00",
        "ven 07:00",
        "14/11/2026 07:00",
    ],
}
"""The same times in each language. French uses Django's formats, without a catalogue."""


@pytest.mark.parametrize("language", TIMES)
def test_times_follow_the_reader_s_language_and_zone(language: str) -> None:
    with timezone.override(ZoneInfo("America/New_York")), translation.override(language):
        assert [
            day_and_time(NOW),
            exact_time(NOW),
            day_of(NOW),
            *(chat_time(NOW - timedelta(days=days)) for days in (0, 1, 7)),
        ] == TIMES[language]


def test_german_dates_are_short_and_have_a_comma_before_the_time() -> None:
    with translation.override("de"):
        assert date_format(NOW, "SHORT_DATETIME_FORMAT") == "21. Nov., 12:00"
        assert date_format(NOW, "DATETIME_FORMAT") == "21. November 2026, 12:00"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "5,000 by 3.1 = 26 %"), ("fr", "5\xa0000 by 3,1 = 26 %")]
)
def test_numbers_follow_the_reader_s_language(language: str, said: str) -> None:
    sentence = Sentence("{cells} by {mean} = {share}", cells=5000, mean=3.1, share=percentage(0.256))
    with translation.override(language):
        assert translate(sentence) == said
        assert translate(sentence_from_json(sentence_to_json(sentence))) == said
