"""Making a game."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games import services
from games.models import Game, Starship
from tests.games.support import LANE
from tests.games.views.reader import Answer, ReaderOf

ADDRESS = "/games/new/"


def fields(ship: Starship, /, **changed: Any) -> dict[str, Any]:
    """What the form sends for a game of two, with changes; None leaves a field out."""
    given = {
        "starship": ship.pk,
        "name": "Maiden voyage",
        "seats": 2,
        "hours": "24",
        "lives": 3,
        "scanners": 0,
    }
    return {key: value for key, value in {**given, **changed}.items() if value is not None}


def beside(page: Answer, field: str) -> str:
    """The errors beside a field."""
    return Answer(0, page.html.partition(f'id="id_{field}_error"')[2].partition("</ul>")[0], "").text.strip(
        " >"
    )


def test_making_a_game_takes_an_account(starship: Starship, read: ReaderOf) -> None:
    assert read(None).get(ADDRESS).address == f"/accounts/login/?next={ADDRESS}"


def test_the_form_has_a_sentence_on_each_option(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).get(ADDRESS)
    for option in rules.ruleset("robo-runner").options:
        assert option.text in page, option.key


def test_a_game_is_made_as_it_was_asked_for(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(
        ADDRESS, **fields(starship, seats=3, lives=5, scanners=2, equipment="on", hours="72", private="on")
    )
    game = Game.objects.get()
    assert page.address == game.get_absolute_url()
    assert game.options == {"lives": 5, "hull_damage": False, "scanners": 2, "equipment": True}
    assert (game.name, game.seats, game.hours_per_turn, game.private) == ("Maiden voyage", 3, 72, True)
    assert "Give its link to those who shall join" in page


def test_a_game_may_have_no_time_limit(starship: Starship, alice: User, read: ReaderOf) -> None:
    read(alice).post(ADDRESS, **fields(starship, hours="0"))
    assert Game.objects.get().hours_per_turn is None


def test_a_game_for_one_starts_at_once(starship: Starship, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, seats=1))
    assert Game.objects.get().status == Game.Status.RUNNING
    assert "Your robot is in the airlock" in page


def test_the_starship_one_came_from_is_chosen_already(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).get(f"{ADDRESS}?starship={starship.pk}")
    assert page.chosen("starship") == str(starship.pk)
    assert read(alice).get(f"{ADDRESS}?starship=nonsense").chosen("starship") == ""


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("starship", None, "Choose a starship."),
        ("starship", "999", "There is no such starship to play on."),
        ("starship", "x", "There is no such starship to play on."),
        ("name", " ", "The game needs a name."),
        ("name", "x" * 81, "at most 80 characters"),
        ("name", "tab\there", "cannot be printed"),
        ("seats", "0", "greater than or equal to 1"),
        ("seats", "9", "less than or equal to 8"),
        ("seats", "many", "whole number"),
        ("lives", "0", "greater than or equal to 1"),
        ("lives", None, "required"),
        ("scanners", "5", "less than or equal to 4"),
        ("hours", "7", "valid choice"),
        ("hours", "soon", "valid choice"),
    ],
)
def test_what_does_not_fit_is_told_beside_its_field(
    field: str, value: str | None, reason: str, starship: Starship, alice: User, read: ReaderOf
) -> None:
    page = read(alice).post(ADDRESS, **fields(starship, private="on", **{field: value}))
    assert page.status == 422
    assert reason in beside(page, field)
    assert page.chosen("private") == "on"  # what was entered is still there
    assert not Game.objects.exists()


def test_a_starship_that_is_retired_meanwhile_is_refused(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    LANE.saved()
    services.retire_starship(starship_id=starship.pk)
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert beside(page, "starship") == "There is no such starship to play on."
    assert not Game.objects.exists()


def test_a_starship_that_is_retired_in_the_same_instant_is_refused(
    starship: Starship, alice: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = services.create_game

    def too_late(**given: Any) -> Game:
        services.retire_starship(starship_id=starship.pk)
        return create(**given)

    monkeypatch.setattr("games.views.creating.services.create_game", too_late)
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert beside(page, "starship") == "There is no such starship to play on."


def test_a_starship_that_does_not_suit_is_refused_with_the_reason(
    starship: Starship, alice: User, read: ReaderOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Such a board cannot be saved while there is one ruleset: it loses its airlock behind the library's back.
    revision = starship.current
    assert revision
    revision.document = {
        **revision.document,
        "rows": [row.replace("a", ".") for row in revision.document["rows"]],
    }
    revision.save()
    monkeypatch.setattr("games.views.creating.selectors.starships", lambda **_: [starship])
    page = read(alice).post(ADDRESS, **fields(starship))
    assert page.status == 422
    assert "airlock" in beside(page, "starship")
    assert not Game.objects.exists()


def test_a_dock_without_starships_says_so(alice: User, read: ReaderOf) -> None:
    assert "The dock is empty" in read(alice).get(ADDRESS)
