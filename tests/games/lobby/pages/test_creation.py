"""The form for a new game."""

import re
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

import pytest

import rules
from accounts.models import User
from games.clocks.clock import Bank, Daily, Live, PerTurn
from games.clocks.inputs import value_of
from games.fleet.models import Starship
from games.fleet.services import retire_starship, save_starship
from games.lobby.forms import PRESETS
from games.lobby.services import create_game
from games.play import stored
from games.play.models import Game
from tests.games.making import ADDRESS, beside, fields, of
from tests.games.reader import Answer, ReaderOf
from tests.games.support import HALL, LANE, NOW, YARD
from tests.support.fleet import launch
from tests.support.worlds import once


def test_a_game_is_created_as_requested(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        ADDRESS, **fields(starship, seats=3, lives=5, scanners=2, equipment="on", pace="72", private="on")
    )
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert game.options == {"lives": 5, "hull_damage": False, "scanners": 2, "equipment": True}
    assert (game.name, game.seats, stored.pace_of(game), game.private) == (
        "Maiden voyage",
        3,
        PerTurn(72),
        True,
    )
    assert "Send its link to the players you want to play with." in page


def test_terms_without_a_tick_are_turned_off(starship: Starship, alice: User, read: ReaderOf) -> None:
    read(alice).post(ADDRESS, **fields(starship, sitters=None, shorter_clock="on"))
    read(alice).post(ADDRESS, **fields(starship))
    terms = Game.objects.order_by("pk").values_list("sitters", "shorter_clock")
    assert list(terms) == [(False, True), (True, False)]


def test_a_pace_is_chosen_from_a_list(starship: Starship, alice: User, read: ReaderOf) -> None:
    for chosen, pace, said in (
        ("1m", Live(1), "1 minute a turn (live)"),
        ("72+12", Bank(72, 12), "time bank of 3 days, plus 12 hours each turn"),
        ("0", None, "no time limit"),
    ):
        page = read(alice).post(ADDRESS, **fields(starship, pace=chosen))
        assert stored.pace_of(Game.objects.latest("pk")) == pace
        assert said in page
    assert "1 minute a turn (live)" in read(None).get("/games/?pace=live")


def test_turns_may_end_at_a_time_of_day(starship: Starship, alice: User, read: ReaderOf) -> None:
    alice.time_zone = "Europe/Berlin"
    alice.save()
    assert read(alice).get(ADDRESS).chosen("zone") == "Europe/Berlin"
    page = read(alice).post(ADDRESS, **fields(starship, at="20:00", zone="Europe/Berlin"))
    game = Game.objects.get()
    assert stored.pace_of(game) == PerTurn(24, Daily(time(20), ZoneInfo("Europe/Berlin")))
    assert "daily at 20:00 (Europe/Berlin)" in page
    assert "daily at 20:00 (Europe/Berlin)" in read(None).get("/games/")


def test_the_starship_of_the_referring_page_is_preselected(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(f"{ADDRESS}?starship={starship.pk}")
    assert page.chosen("starship") == str(starship.pk)
    other = LANE.saved()
    assert read(alice).get(f"{ADDRESS}?starship={other.pk}").chosen("starship") == str(other.pk)
    assert read(alice).get(f"{ADDRESS}?starship=nonsense").chosen("starship") == str(starship.pk)


def test_errors_are_shown_beside_their_fields(starship: Starship, alice: User, read: ReaderOf) -> None:
    for field, value, reason in (
        ("starship", None, "Choose a starship."),
        ("starship", "999", "This starship is not available. Choose another one."),
        ("name", " ", "Give the game a name."),
        ("seats", "9", "less than or equal to 8"),
        ("scanners", "5", "less than or equal to 4"),
        ("pace", "7", "valid choice"),
        ("at", "soon", "Enter a time of day, such as 20:00"),
        ("zone", "Europe/Atlantis", "Choose a time zone."),
    ):
        page = read(alice).post(ADDRESS, **fields(starship, private="on", **{field: value}))
        assert page.status == 422
        assert reason in beside(page, field)
        assert page.chosen("private") == "on", "what was entered is still there"
    assert not Game.objects.exists()


def test_a_time_of_day_that_contradicts_the_pace_is_refused_beside_it(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, pace="72+12", at="20:00", zone="UTC"))
    assert page.status == 422
    assert "Turns can end at a set time of day only if" in beside(page, "at")
    assert 'value="20:00"' in page.html


def test_a_starship_retired_at_the_same_instant_is_refused(
    starship: Starship, alice: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = create_game

    def too_late(**given: Any) -> Game:
        retire_starship(starship_id=starship.pk)
        return create(**given)

    monkeypatch.setattr("games.lobby.pages.creation.create_game", too_late)
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert beside(page, "starship") == "This starship is not available. Choose another one."


def test_an_unsuitable_starship_is_refused_with_the_reason(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    yard = YARD.saved()
    page = read(alice).get(ADDRESS)
    assert f'name="starship" value="{yard.pk}"' not in page.html
    assert "1 starship does not suit Robo Runner" in page
    assert "Yard Robo Runner does not have this element: crusher (column 3, row 2)." in page
    page = read(alice).post(ADDRESS, **fields(yard))
    assert page.status == 422
    assert "Robo Runner does not have this element: crusher" in beside(page, "starship")
    assert not Game.objects.exists()


@pytest.fixture
def fleet(db: None) -> None:
    """Load the built-in starships."""
    once(launch)


def name_of(chosen: str) -> str:
    return Starship.objects.get(pk=chosen).name


@pytest.mark.parametrize("key", rules.RULESETS)
@pytest.mark.usefixtures("fleet")
def test_a_fitting_starship_is_preselected(key: str, alice: User, read: ReaderOf) -> None:
    presets = PRESETS if key == "robo-runner" else ()
    for query in ("", *(f"&preset={preset}" for preset in presets)):
        page = read(alice).get(f"{ADDRESS}?ruleset={key}{query}")
        seats = re.search(r'name="seats" value="(\d)"', page.html)
        assert seats
        given = of(key, seats=seats.group(1), starship=page.chosen("starship") or None)
        board = page.chosen("board-1")
        answer = read(alice).post(ADDRESS, **given, **({"board-1": board} if board else {}))
        assert answer.status == 200, answer.text


@pytest.mark.usefixtures("fleet")
def test_a_preset_fills_in_the_terms(alice: User, read: ReaderOf) -> None:
    reader = read(alice)
    for preset, starship, seats, pace in (
        ("quick-duel", "Tin Canoe", "2", Live(3)),
        ("weekend-race", "Ferry Crossing", "4", Bank(12, 1)),
        ("long-campaign", "Afterburner", "6", PerTurn(48)),
    ):
        page = reader.get(f"{ADDRESS}?preset={preset}")
        assert f'name="preset" value="{preset}" aria-current="page"' in page.html
        assert name_of(page.chosen("starship")) == starship
        assert f'name="seats" value="{seats}"' in page.html
        assert page.chosen("pace") == value_of(pace)
        assert page.chosen("absence") == "standing"
    assert reader.get(f"{ADDRESS}?preset=ludo").chosen("pace") == "48", "there is none"


def test_folded_sections_summarise_their_settings(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(ADDRESS)
    for said in (
        "Rules Robo Runner",
        "Time 2 days a turn. Missed turns: standing orders are played.",
        "Joining Open to everyone, starts when full and ready",
        "Options 3 lives, hull damage",
        "House rules As in the rulebook",
    ):
        assert said in page
    changed = fields(
        starship, pace="12+1", private="on", start="host", lives=5, house_damage_limit=6, show="1"
    )
    page = read(alice).post(ADDRESS, **changed)
    assert page.status == 200
    for said in (
        "time bank of 12 hours, plus 1 hour each turn.",
        "Joining Private, you start the game",
        "Options 5 lives",
        "House rules Damage that destroys a robot: 6",
    ):
        assert said in page
    assert not Game.objects.exists()


def test_invalid_input_causes_no_traceback(starship: Starship, alice: User, read: ReaderOf) -> None:
    wrong = fields(starship, pace="x+y", at="soon", lives="many", seats="-1", start="?")
    assert read(alice).post(ADDRESS, **wrong, show="1").status == 200
    assert read(alice).post(ADDRESS, **wrong).status == 422


def test_a_starship_for_another_number_of_players_is_offered_with_a_note(alice: User, read: ReaderOf) -> None:
    small = save_starship(document=HALL.document, seats_least=2, seats_most=3, section="fleet", now=NOW)
    page = read(alice).post(ADDRESS, **fields(small, seats=6, show="1"))
    assert "6 players are more than recommended, but possible." in page
    assert read(alice).post(ADDRESS, **fields(small, seats=6)).status == 200


def test_a_dock_without_starships_says_so(alice: User, read: ReaderOf) -> None:
    assert "Staff can add one in the admin" in read(alice).get(ADDRESS)


@pytest.mark.usefixtures("fleet")
def test_changing_ruleset_or_preset_keeps_compatible_input(alice: User, read: ReaderOf) -> None:
    """A private game stays private."""
    starship = Starship.objects.get(name="Afterburner")
    typed = fields(starship, ruleset="robo-runner", name="Ours", private="on", seats="8", pace="72")
    typed |= {"lives": "5", "hull_damage": "on", "scanners": "2"}

    def filled(**pick: str) -> tuple[Answer, dict[str, str]]:
        page = read(alice).post(ADDRESS, **typed, **pick)
        assert page.status == 200 and not Game.objects.exists()
        texts = dict(
            re.findall(r'<input type="(?:text|number|hidden)" name="(\w+)" value="([^"]*)"', page.html)
        )
        return page, texts | {name: page.chosen(name) for name in ("private", "pace")}

    page, values = filled(edition="websocket")
    assert (values["ruleset"], values["name"], values["lives"]) == ("websocket", "Ours", "5")
    assert (values["private"], values["pace"], values["seats"]) == ("on", "72", "2")
    reset = re.search(r"does not allow these settings, so they were reset: ([^.]*)\.", page.text)
    assert reset and reset[1] == "Players, Scanners"

    page, values = filled(preset="long-campaign")
    assert (values["ruleset"], values["name"], values["scanners"]) == ("robo-runner", "Ours", "2")
    assert (values["private"], values["pace"], values["seats"], values["lives"]) == ("on", "48", "6", "5")
    assert "so they were reset" not in page

    typed |= {"seats": "2", "scanners": "0", "lives": "3"}  # initial values, not chosen by the host
    page, values = filled(edition="websocket")
    assert (values["private"], values["lives"]) == ("on", "3")
    assert "so they were reset" not in page


def test_a_newcomer_sees_the_limit_before_creating_a_game(
    starship: Starship, alice: User, read: ReaderOf, settings: Any
) -> None:
    assert "New players can be in up to" not in read(alice).get(ADDRESS)
    settings.NEWCOMER_GAMES = 3
    for has in range(3):
        page = read(alice).get(ADDRESS)
        assert (
            "New players can be in up to 3 games with other players at the same time." in page
            and f"Your games with others now: {has}." in page
        )
        assert "Finish or leave one" not in page
        read(alice).post(ADDRESS, **fields(starship))
    assert "Your games with others now: 3. Finish or leave one before you create another." in read(alice).get(
        ADDRESS
    )
    assert "New players can be in up to 3 games" in read(alice).post(ADDRESS, **fields(starship))
