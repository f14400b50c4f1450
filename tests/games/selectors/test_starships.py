"""The library."""

import pytest

from games import selectors, services
from games.errors import NotFound
from games.models import Starship
from tests.games.support import HALL, LANE


@pytest.fixture
def library(db: None) -> list[Starship]:
    """Two starships in the fleet, and a mission."""
    return [HALL.saved(), LANE.saved(section="missions")]


def test_missions_come_first(library: list[Starship]) -> None:
    assert [ship.name for ship in selectors.starships()] == ["Lane", "Hall"]


def test_the_library_is_read_by_section_and_ruleset(library: list[Starship]) -> None:
    assert [ship.name for ship in selectors.starships(section="fleet")] == ["Hall"]
    assert len(selectors.starships(ruleset="robo-runner")) == 2


def test_what_does_not_suit_a_ruleset_is_left_out(
    library: list[Starship], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "rules.unsuitable", lambda ruleset, ship: ["too short"] if ship.name == "Lane" else []
    )
    assert [ship.name for ship in selectors.starships(ruleset="robo-runner")] == ["Hall"]
    assert selectors.rulesets_of(starship=library[1]) == []


def test_there_are_no_unknown_sections_and_rulesets(db: None) -> None:
    with pytest.raises(NotFound) as refused:
        selectors.starships(section="attic")
    assert refused.value.code == "no-section"
    with pytest.raises(NotFound) as refused:
        selectors.starships(ruleset="chess")
    assert str(refused.value) == "there is no ruleset “chess”; there are: robo-runner."


def test_a_retired_starship_can_still_be_looked_at(library: list[Starship]) -> None:
    services.retire_starship(starship_id=library[0].pk)
    assert [ship.name for ship in selectors.starships()] == ["Lane"]
    assert selectors.starship_for(starship_id=library[0].pk) == library[0]
    with pytest.raises(NotFound):
        selectors.starship_for(starship_id=999)


def test_a_starship_knows_its_rulesets(library: list[Starship]) -> None:
    assert "robo-runner" in selectors.rulesets_of(starship=library[0])
