"""Selectors of the starship library: search, suitable rulesets, retired ships."""

import pytest

import rules
from games.errors import NotFound
from games.fleet.models import Starship
from games.fleet.search import search
from games.fleet.selectors import rulesets_of, starship_for, unsuitable_of
from games.fleet.services import retire_starship
from tests.games.support import HALL, LANE, Board


@pytest.fixture
def library(db: None) -> list[Starship]:
    return [HALL.saved(), LANE.saved(section="missions")]


def test_unsuitable_ships_are_left_out_with_their_reasons(library: list[Starship], db: None) -> None:
    press = Board("Press", ("a .+x1 .+i1",)).saved()
    assert [ship.name for ship in search(ruleset="robo-runner")] == ["Lane", "Hall"]
    assert "Press" in [ship.name for ship in search(ruleset="factory-1999")]
    assert rulesets_of(starship=press) == ["amigo-1999", "factory-1999"]
    reasons = unsuitable_of(starship=press)
    assert reasons["robo-runner"] == ["row 1, column 2: Robo Runner does not have this element: crusher"]
    assert len(reasons["robo-recon"]) == 2
    assert set(reasons) == set(rules.RULESETS) - {"amigo-1999", "factory-1999"}


def test_a_board_needs_no_checkpoints_if_the_host_can_set_them(db: None) -> None:
    bare = Board("Bare", ("a . .",)).saved()
    assert "amigo-1999" in rulesets_of(starship=bare)
    [reason] = unsuitable_of(starship=bare)["robo-runner"]
    assert "Robo Runner needs at least 1 checkpoint" in reason


def test_a_retired_starship_can_still_be_viewed(library: list[Starship]) -> None:
    retire_starship(starship_id=library[0].pk)
    assert [ship.name for ship in search()] == ["Lane"]
    assert starship_for(starship_id=library[0].pk) == library[0]
    with pytest.raises(NotFound):
        starship_for(starship_id=999)
