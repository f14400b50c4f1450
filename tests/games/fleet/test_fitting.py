"""Starships that suit a game's ruleset and number of robots."""

from typing import Any

import pytest

import rules
from games.fleet import selectors
from games.fleet.models import Starship, StarshipFacts
from games.fleet.selectors import fits, fitting_starships
from games.fleet.services import save_starship
from tests.games.support import HALL, LANE, NOW, WORKSHOP, YARD, Board
from tests.support import fleet

RUNNER = rules.ruleset("robo-runner")
WEB = rules.ruleset("websocket")


def built_for(board: Board, least: int, most: int, **more: str) -> Starship:
    """Save a starship that is recommended for ``least`` to ``most`` robots."""
    return save_starship(
        document=board.document, seats_least=least, seats_most=most, now=NOW, **{"section": "fleet", **more}
    )


def names(key: str, robots: int) -> list[str]:
    ships = fitting_starships(ruleset=rules.ruleset(key), robots=robots)
    return [ship.name for ship in ships]


def test_starships_built_for_this_many_robots_come_first(db: None) -> None:
    built_for(LANE, 4, 8)
    built_for(HALL, 2, 3)
    assert names("robo-runner", 2) == ["Hall", "Lane"]
    assert names("robo-runner", 5) == ["Lane", "Hall"]


def test_missions_come_after_the_fleet(db: None) -> None:
    built_for(LANE, 1, 1, section="missions")
    built_for(HALL, 2, 3)
    assert names("robo-runner", 1) == ["Hall", "Lane"]


def test_starships_built_for_another_ruleset_come_later(db: None) -> None:
    built_for(HALL, 2, 8)
    built_for(Board("Press", (". .+x1 .+i1", "a . .+i2")), 2, 8)
    assert names("factory-1999", 2) == ["Press", "Hall"]


def test_a_starship_with_too_few_start_cells_does_not_fit_for_that_reason(db: None) -> None:
    built_for(WORKSHOP, 1, 6)
    [fit] = fits(ruleset=WEB, robots=4)
    assert fit.possible
    [fit] = fits(ruleset=WEB, robots=5)
    assert not fit.possible
    assert [str(each) for each in fit.problems] == ["the starship has start cells for 4 robots, not for 5"]


def test_ships_that_do_not_fit_come_last_with_reasons(db: None) -> None:
    built_for(YARD, 2, 2)
    built_for(HALL, 5, 8)
    hall, yard = fits(ruleset=RUNNER, robots=2)
    assert (hall.starship.name, hall.possible, hall.recommended) == ("Hall", True, False)
    assert (yard.starship.name, yard.possible) == ("Yard", False)
    assert [problem.message for problem in yard.problems] == [
        "Robo Runner does not have this element: crusher"
    ]


def test_the_best_of_the_built_in_starships_fits_the_game(db: None) -> None:
    fleet.launch()
    for key, robots, best in (
        ("robo-runner", 2, "Tin Canoe"),
        ("robo-runner", 4, "Ferry Crossing"),
        ("robo-runner", 6, "Afterburner"),
        ("robo-recon", 4, "Tug of War"),
        ("robo-arena", 3, "Whirlpool"),
        ("amigo-1999", 4, "Carousel"),
        ("factory-1999", 4, "Bottling Line"),
        ("group-11", 8, "Oil Change"),
        ("websocket", 2, "Gangway Dash"),
    ):
        assert names(key, robots)[0] == best


@pytest.fixture
def many(db: None, monkeypatch: pytest.MonkeyPatch) -> list[Starship]:
    """Save four ships that suit a game, two that do not, and a prototype.

    The form offers only two ships at a time.
    """
    monkeypatch.setattr(selectors, "SHIPS_LISTED", 2)
    halls = [built_for(Board(f"Hall {letter}", HALL.rows), 2, 8) for letter in "ABCD"]
    for letter in "AB":
        built_for(Board(f"Yard {letter}", YARD.rows), 2, 8)
    return [*halls, built_for(Board("Hall P", HALL.rows), 2, 8, section="prototypes")]


def found(**asked: Any) -> list[str]:
    return [fit.starship.name for fit in fits(ruleset=RUNNER, robots=2, **asked)]


def test_the_best_are_offered_and_a_search_finds_the_rest(many: list[Starship]) -> None:
    assert found() == ["Hall A", "Hall B", "Yard A", "Yard B"]
    assert found(text="hall d") == found(text=" d HALL") == ["Hall D"]
    assert found(text="yard") == ["Yard A", "Yard B"]
    assert found(text="zzz") == []
    Starship.objects.filter(name="Hall C").update(builder="Dave")
    assert found(text="dave c") == ["Hall C"]


def test_requested_ships_and_favourites_are_offered_and_prototypes_are_not_joined(
    many: list[Starship],
) -> None:
    asked = [many[3].pk, many[4].pk]
    assert found(also=asked) == ["Hall A", "Hall B", "Hall D", "Hall P", "Yard A", "Yard B"]
    assert found(also=asked, text="hall c") == ["Hall C", "Hall D", "Hall P"]
    favourites = [many[3].pk, many[4].pk]
    assert found(favourites=favourites)[:4] == ["Hall A", "Hall B", "Hall D", "Hall P"]
    assert found(favourites=favourites, text="p") == ["Hall P"]
    ships = fitting_starships(ruleset=rules.ruleset("amigo-1999"), favourites=[many[3].pk, many[4].pk])
    assert [ship.name for ship in ships if ship.is_prototype] == []


def test_ships_without_stored_facts_are_examined(many: list[Starship]) -> None:
    StarshipFacts.objects.filter(starship=many[3]).delete()
    assert found() == ["Hall A", "Hall B", "Hall D", "Yard A"]


def test_outdated_facts_promise_nothing(many: list[Starship]) -> None:
    StarshipFacts.objects.filter(starship__name="Yard A").update(rulesets=["robo-runner"])
    assert not next(fit for fit in fits(ruleset=RUNNER, text="yard a")).possible
