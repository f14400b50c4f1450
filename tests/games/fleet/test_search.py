"""Finding starships in the library by criteria."""

import pytest

import rules
from games.dock.models import ShipRating
from games.fleet.models import Starship, StarshipFacts, StarshipFigures
from games.fleet.search import GAMES_FOR_LENGTH, RECOMMENDED, search
from games.fleet.selectors import fitting_starships
from games.fleet.services import retire_starship, save_starship, update_facts
from tests.games.support import DUCTS, HALL, LANE, NOW, WORKSHOP, Board


@pytest.fixture
def fleet(db: None) -> dict[str, Starship]:
    """Ships by name. They differ in every search criterion."""
    boards = (HALL, DUCTS, WORKSHOP, Board("Long Walk", (" ".join(["a", *["."] * 98, ".+i1"]),)))
    ships = {board.name: board.saved() for board in boards}
    ships["Lane"] = LANE.saved(section="missions")
    return ships


def names(**asked: object) -> list[str]:
    return [ship.name for ship in search(**asked)]  # type: ignore[arg-type]


def test_it_finds_ships_for_a_ruleset_in_the_order_of_the_forms(fleet: dict[str, Starship]) -> None:
    for edition in rules.RULESETS.values():
        found = [ship.name for ship in fitting_starships(ruleset=edition)]
        assert names(ruleset=edition.key, sort=RECOMMENDED) == found
    assert names(ruleset="robo-recon") == ["Ducts"]


def test_it_finds_by_class_by_elements_and_by_each_word_of_name_or_builder(
    fleet: dict[str, Starship],
) -> None:
    assert names(starship_class="cutter") == ["Long Walk"]
    assert "Long Walk" not in names(starship_class="shuttle")
    assert names(starship_class="carrier") == []
    assert names(elements=["starts"]) == ["Workshop"]
    assert names(elements=["beams", "depots"]) == ["Hall"]
    assert names(elements=["beams", "starts"]) == []
    assert names(text="%") == names(text="_") == []
    Starship.objects.filter(name="Long Walk").update(builder="Ada")
    assert names(text="lane") == ["Lane"]
    assert names(text="walk ADA") == ["Long Walk"]
    assert names(text="ada lane") == []


def test_it_finds_ships_built_for_a_number_of_players(fleet: dict[str, Starship]) -> None:
    Starship.objects.update(seats_least=2, seats_most=4)
    Starship.objects.filter(name="Hall").update(seats_least=5, seats_most=8)
    assert names(players=5) == ["Hall"]
    assert "Hall" not in names(players=4)


def test_a_ship_without_a_length_is_sorted_last(fleet: dict[str, Starship]) -> None:
    for sort, *ends in (
        ("name", "Ducts", "Workshop"),
        ("smallest", "Lane", "Long Walk"),
        ("largest", "Long Walk", "Lane"),
    ):
        found = names(sort=sort)
        assert [found[0], found[-1]] == ends
    for sort in ("shortest", "longest"):
        assert names(sort=sort)[-1] == "Ducts"
    assert not any("Ducts" in names(length=key) for key in ("short", "medium", "long"))


def test_prototypes_and_retired_ships_are_excluded(fleet: dict[str, Starship]) -> None:
    Starship.objects.filter(name="Ducts").update(section="prototypes")
    retire_starship(starship_id=fleet["Hall"].pk)
    assert names(sort="name") == ["Lane", "Long Walk", "Workshop"]
    assert names(section="prototypes") == ["Ducts"]


def test_a_saved_change_is_found_immediately(fleet: dict[str, Starship]) -> None:
    hall = fleet["Hall"]
    save_starship(
        starship_id=hall.pk, document={**HALL.document, "rows": list(LANE.rows)}, section="fleet", now=NOW
    )
    assert "Hall" not in names(elements=["beams"])


def test_the_sweeper_updates_missing_and_outdated_facts(fleet: dict[str, Starship]) -> None:
    before = {facts.pk: (facts.cells, facts.elements) for facts in StarshipFacts.objects.all()}
    assert update_facts(now=NOW) == 0
    StarshipFacts.objects.filter(starship__name="Hall").delete()
    StarshipFacts.objects.filter(starship__name="Ducts").update(edition="before", elements=[])
    assert update_facts(now=NOW) == 2
    assert {facts.pk: (facts.cells, facts.elements) for facts in StarshipFacts.objects.all()} == before


def test_it_filters_and_sorts_by_played_or_expected_length(fleet: dict[str, Starship]) -> None:
    assert StarshipFacts.objects.get(starship__name="Long Walk").turns == 12
    assert names(length="long") == ["Long Walk"]
    assert set(names(length="short")) == {"Workshop", "Lane"}
    assert names(length="medium") == ["Hall"]
    StarshipFigures.objects.create(starship=fleet["Workshop"], among_people=GAMES_FOR_LENGTH, median=8)
    StarshipFigures.objects.create(starship=fleet["Lane"], among_people=GAMES_FOR_LENGTH - 1, median=30)
    StarshipFigures.objects.create(starship=fleet["Ducts"], among_people=1, median=10)
    assert set(names(length="medium")) == {"Hall", "Workshop", "Ducts"}
    assert names(sort="longest") == ["Long Walk", "Ducts", "Hall", "Workshop", "Lane"]
    assert names(sort="shortest")[0] == "Lane"


def test_it_filters_and_sorts_by_stars(fleet: dict[str, Starship]) -> None:
    for name, total in (("Ducts", 21), ("Lane", 15)):
        stars = total / 5
        ShipRating.objects.create(starship=fleet[name], reviews=5, total=total, stars=stars, shrunk=stars)
    assert names(stars=4) == ["Ducts"]
    assert names(sort="rated")[:2] == ["Ducts", "Lane"]
    assert len(names(sort="rated")) == len(fleet)
