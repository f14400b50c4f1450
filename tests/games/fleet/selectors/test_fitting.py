"""Which starships fit a game."""

from pathlib import Path

import pytest

import rules
from games.fleet.models import Starship
from games.fleet.selectors.fitting import fits, fitting_starships
from games.fleet.services import library
from games.fleet.services.starships import save_starship
from tests.games.support import HALL, LANE, NOW, WORKSHOP, YARD, Board

RUNNER = rules.ruleset("robo-runner")
WEB = rules.ruleset("websocket")


def built_for(board: Board, least: int, most: int, **more: str) -> Starship:
    """Save a board that is recommended for so few and so many players."""
    return save_starship(
        document=board.document, seats_least=least, seats_most=most, now=NOW, **{"section": "fleet", **more}
    )


def names(key: str, robots: int) -> list[str]:
    """The starships that fit, by name."""
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


def test_a_starship_with_too_few_start_cells_does_not_fit_and_says_why(db: None) -> None:
    built_for(WORKSHOP, 1, 6)
    [fit] = fits(ruleset=WEB, robots=4)
    assert fit.possible
    [fit] = fits(ruleset=WEB, robots=5)
    assert (fit.possible, [str(problem) for problem in fit.problems]) == (
        False,
        ["the starship has start cells for 4 robots, not for 5"],
    )


def test_what_does_not_fit_comes_last_with_its_reasons(db: None) -> None:
    built_for(YARD, 2, 2)
    built_for(HALL, 5, 8)
    hall, yard = fits(ruleset=RUNNER, robots=2)
    assert (hall.starship.name, hall.possible, hall.recommended) == ("Hall", True, False)
    assert (yard.starship.name, yard.possible) == ("Yard", False)
    assert [problem.message for problem in yard.problems] == ["Robo Runner knows no crusher"]


@pytest.mark.parametrize(
    ("key", "robots", "best"),
    [
        ("robo-runner", 2, "Tin Canoe"),
        ("robo-runner", 4, "Ferry Crossing"),
        ("robo-runner", 6, "Afterburner"),
        ("robo-recon", 4, "Tug of War"),
        ("robo-arena", 3, "Whirlpool"),
        ("amigo-1999", 4, "Carousel"),
        ("factory-1999", 4, "Bottling Line"),
        ("group-11", 8, "Oil Change"),
        ("websocket", 2, "Gangway Dash"),
    ],
)
def test_of_the_starships_that_come_with_the_service_the_best_is_one_for_the_game(
    key: str, robots: int, best: str, db: None
) -> None:
    library.load_starships(directory=Path("fixtures"), now=NOW)
    assert names(key, robots)[0] == best
