"""Public pages about the service. Tests prove their claims."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

import rules
from games import wording
from rules.drawing.robots import SILHOUETTES

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[4]
PAGES = ("help", "story", "about", "conduct", "privacy", "terms", "contact")

CLAIMS = {
    "help": {
        "you play them as a guest": "tests/accounts/test_guests.py::"
        "test_a_stranger_who_starts_a_mission_is_a_guest",
        "you keep your games": "tests/accounts/test_guests.py::"
        "test_a_guest_who_signs_up_confirms_first_and_then_has_the_missions",
        "other players and staff see only whether you have submitted": "tests/access/test_two_worlds.py::"
        "test_answers_are_the_same_in_both_worlds",
        "They see only what a player in their seat would see": "tests/access/test_two_worlds.py::"
        "test_a_computer_thinks_the_same_in_both_worlds",
        "Newcomers start with 100 %": "tests/games/absence/test_figures.py::"
        "test_newcomers_have_missed_nothing",
        "correct your address or have the email sent again": "tests/accounts/signup/test_unconfirmed.py::"
        "test_correcting_a_wrong_address_disables_the_first_link",
        "your name will be free": "tests/accounts/signup/test_unconfirmed.py::"
        "test_a_sign_up_frees_its_name_and_address_after_a_day",
        "you can come back until another player takes over your seat": "tests/games/absence/services/"
        "test_resignations.py::"
        "test_a_player_who_left_may_come_back_until_another_takes_over",
        "It stays the same": "tests/accounts/settings/test_profile.py::test_the_robo_name_never_changes",
        "The API can do everything that a player can do": "tests/docs/test_play_a_game.py::",
        "To play with other people, you need an account": "tests/access/test_walk.py::"
        "test_a_guest_can_only_play_in_their_race",
        "from 1 minute to 14 days for each turn": "tests/games/clocks/test_paces.py::"
        "test_an_invalid_pace_is_refused_with_a_sentence",
        "a computer takes over your seat": "tests/games/absence/services/test_missed_turns.py::"
        "test_a_player_who_misses_too_many_turns_is_replaced",
        "Your clocks stop during these times": "tests/games/clocks/test_clock.py::"
        "test_nights_stop_a_clock_until_the_morning",
        "you can choose one email a day": "tests/games/news/services/test_judgement.py::"
        "test_the_daily_mail_is_sent_at_its_hour_with_all_waiting_games",
        "its page shows a hash of the seed": "tests/games/play/services/test_heads.py::"
        "test_every_shown_head_is_in_the_file",
        "Public games without computers, unless the host chose otherwise": "tests/games/standings/"
        "test_outcomes.py::test_the_terms_decide_whether_a_game_is_rated",
        "Block or report them on their page": "tests/games/people/test_contact_pages.py::"
        "test_a_blocked_player_can_be_reported",
    },
    "about": {
        "even from staff": "tests/access/test_two_worlds.py::test_answers_are_the_same_in_both_worlds",
        "Pages load nothing from other sites": "tests/roborunner/test_headers.py::"
        "test_every_answer_has_restricting_headers",
        "Pages work with a keyboard": "tests/browser/test_accessibility.py::",
    },
    "privacy": {
        "a placeholder replaces your name": "tests/games/people/services/test_deletion.py::"
        "test_no_table_contains_name_or_address",
        "Use the link in each email to stop emails about games and starships. You don’t have to log in": (
            "tests/accounts/addresses/test_unsubscription.py::"
        ),
        "how long we keep it": "tests/docs/test_retention.py::",
        "We delete them 30 days after your last visit": "tests/accounts/traces/test_traces.py::"
        "test_traces_are_deleted_after_thirty_days",
        "you choose who sees your history, statistics and achievements, and who can find you": (
            "tests/games/people/selectors/test_players.py::test_players_choose_who_finds_them"
        ),
        "Download your data": "tests/games/people/selectors/test_holdings.py::"
        "test_the_export_has_all_data_of_a_person",
    },
    "terms": {
        "is cancelled": "tests/games/lobby/services/test_expiry.py::",
        "Everyone can watch public games": "tests/games/play/pages/test_watching.py::"
        "test_anyone_can_watch_a_public_game",
        "deadlines are extended": "tests/games/play/services/test_outages.py::"
        "test_deadlines_move_by_the_length_of_the_outage",
    },
}
"""Claims on the service pages, each with the test that checks it."""


def text(path: str) -> str:
    answer = Client().get(path)
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", answer.content.decode())))


def test_every_page_links_to_the_service_pages() -> None:
    for path in ("/", "/games/", *(f"/{name}/" for name in PAGES), "/accounts/login/", "/nowhere/"):
        footer = Client().get(path).content.decode().partition("<footer")[2]
        assert [name for name in PAGES if f'href="/{name}/"' not in footer] == [], path


@pytest.mark.parametrize("page", CLAIMS)
def test_each_claim_has_a_test(page: str) -> None:
    said = text(f"/{page}/")
    for claim, test in CLAIMS[page].items():
        assert claim in said
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name or 'test_'}", (ROOT / file).read_text(), re.MULTILINE), claim


def test_the_operator_is_named_if_the_settings_name_one(settings: Settings) -> None:
    settings.OPERATOR = "Robots & Friends"
    settings.CONTACT = ["mailto:hello@robo.example", "https://robo.example/hello"]
    settings.SECURITY_CONTACT = ["mailto:security@robo.example"]
    for name in ("about", "privacy", "terms", "contact"):
        assert "Robots & Friends" in text(f"/{name}/")
    html = Client().get("/contact/").content.decode()
    for contact in (*settings.CONTACT, *settings.SECURITY_CONTACT):
        assert f'href="{contact}"' in html
    assert "robo.example/hello</a>" in html


def test_a_site_without_these_settings_explains_what_to_do(settings: Settings) -> None:
    settings.OPERATOR, settings.CONTACT, settings.SECURITY_CONTACT = "", [], []
    assert "Ask the person who gave you the link to it." in text("/contact/")
    assert "report it in the same way before you tell others" in text("/contact/")
    for name in PAGES:
        assert "None" not in text(f"/{name}/")


def test_numbers_match_the_settings(settings: Settings) -> None:
    settings.GUEST_DAYS, settings.LOBBY_DAYS = 17, 23
    assert "17 days after their last visit" in text("/privacy/")
    assert "within 23 days" in text("/terms/")


def test_sign_up_links_to_terms_conduct_and_privacy() -> None:
    form = Client().get("/accounts/signup/").content.decode().partition("<main")[2].partition("</main>")[0]
    assert {"/terms/", "/conduct/", "/privacy/"} <= set(re.findall(r'href="([^"]+)"', form))


def test_each_model_and_each_look_has_its_own_slogan() -> None:
    assert set(wording.SLOGANS_OF_MODELS) == set(rules.MODELS)
    assert set(wording.SLOGANS_OF_LOOKS) == {each.name for each in SILHOUETTES}
    said = [*wording.SLOGANS_OF_MODELS.values(), *wording.SLOGANS_OF_LOOKS.values()]
    assert len(set(said)) == len(said)
    story = text("/story/")
    assert all(str(slogan) in story for slogan in said)


def test_the_about_page_names_the_first_robo_runner() -> None:
    assert "In April 2001, EyePlay Games put the first Robo Runner online" in text("/about/")
