"""Saving, duplicating and retiring starships."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Conflict, Invalid, NotFound
from games.fleet.models import Starship, StarshipRevision
from games.fleet.search import search
from games.fleet.selectors import starship_for
from games.fleet.services import (
    LAST_POSITION,
    check_document,
    duplicate_starship,
    retire_starship,
    save_starship,
)
from games.play.viewers import game_for
from tests.games.support import HALL, LANE, NOW, Table, game_seen


def save(**given: Any) -> Starship:
    return save_starship(**{"document": LANE.document, "section": "fleet", "now": NOW, **given})


def test_a_new_starship_gets_its_first_revision_in_canonical_form(erin: User) -> None:
    ship = save(document={**LANE.document, "rows": ["  a   . . . .+wE+i1  "]}, by=erin)
    assert (ship.slug, ship.name, ship.builder) == ("lane", "Lane", "Tests")
    assert ship.current
    assert ship.current.document == {
        "format": "starship/1",
        "name": "Lane",
        "builder": "Tests",
        "description": "",
        "rows": ["a . . . .+i1+wE"],
    }
    assert (ship.current.number, ship.current.width, ship.current.height) == (1, 5, 1)
    assert ship.current.saved_by == erin


def test_saving_again_makes_a_revision_only_if_the_board_changed(db: None) -> None:
    ship = save()
    save(starship_id=ship.pk, seats_most=4)
    assert ship.revisions.count() == 1
    changed = save(starship_id=ship.pk, document={**LANE.document, "description": "Long."})
    assert changed.current and changed.current.number == 2
    assert [revision.number for revision in ship.revisions.all()] == [2, 1]


def test_a_running_game_keeps_its_board(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    before = game_seen(viewer=alice, game=game)["starship"]
    save(starship_id=table.starship.pk)
    after = game_for(viewer=alice, game_id=game.pk)
    assert game_seen(viewer=alice, game=after)["starship"] == before
    table.play(game, alice, bob)


def test_every_error_is_listed_with_row_and_column(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        save(document={"format": "starship/1", "name": "Wreck", "rows": ["a q .", ". ."]})
    assert [(p.get("row"), p.get("column"), p["detail"]) for p in refused.value.problems] == [
        (1, 2, "row 1, column 2: the floor “q” is unknown"),
        (2, None, "row 2: the row has 2 cells, but the first row has 3"),
    ]
    assert not Starship.objects.exists()


@pytest.mark.parametrize(
    ("document", "sentence"),
    [
        (
            {"format": "starship/1", "name": "Adrift", "rows": [". f .+x1"]},
            "Robo Runner does not have this element: crusher",
        ),
        ({"format": "starship/9", "name": "New", "rows": ["a .+i1"]}, "“starship/1” is expected"),
        ({"format": "starship/1", "name": " ", "rows": ["a .+i1"]}, "needs a name"),
        ("a .+i1", "a JSON object with the format “starship/1” is expected"),
    ],
)
def test_it_refuses_a_board_that_suits_no_ruleset(db: None, document: object, sentence: str) -> None:
    assert sentence in check_document(document)[0]["detail"]
    with pytest.raises(Invalid):
        save(document=document)


def test_it_gives_the_reasons_for_each_unsuitable_ruleset(db: None) -> None:
    document = {"format": "starship/1", "name": "Adrift", "rows": [". f .+x1"]}
    details = [problem["detail"] for problem in check_document(document)]
    assert "Robo Runner: the starship has no airlock for robots to start on" in details
    for ruleset in rules.RULESETS.values():
        assert any(ruleset.name in detail for detail in details), ruleset.name


@pytest.mark.parametrize(
    "rows",
    [
        ["a:red k a:blue"],
        [". .+x1 ."],
        ["a1 s .+i1"],
    ],
)
def test_a_board_for_one_ruleset_is_saved(db: None, rows: list[str]) -> None:
    assert save(document={"format": "starship/1", "name": "Special", "rows": rows}).current


def test_it_refuses_unknown_sections_and_numbers_of_players(db: None) -> None:
    with pytest.raises(Invalid) as refused:
        save(section="attic", seats_least=5, seats_most=2)
    assert [problem["code"] for problem in refused.value.problems] == ["section", "seats"]


def test_two_starships_never_share_a_position(db: None) -> None:
    save()
    with pytest.raises(Conflict) as refused:
        save()
    assert refused.value.code == "slug"


def test_new_starships_come_last_in_their_section(db: None) -> None:
    assert [save(slug=slug).position for slug in ("one", "two", "three")] == [1, 2, 3]
    assert save(slug="four", section="missions").position == 1


def test_a_ship_at_the_last_position_does_not_block_new_ones(db: None) -> None:
    save(slug="one", position=LAST_POSITION)
    assert save(slug="two").position == LAST_POSITION


def test_a_copy_is_independent_and_its_name_fits(erin: User) -> None:
    original = save()
    copies = [duplicate_starship(starship_id=original.pk, by=erin, now=NOW) for _ in range(2)]
    assert [(copy.slug, copy.name) for copy in copies] == [
        ("lane-copy", "Lane (copy)"),
        ("lane-copy-2", "Lane (copy)"),
    ]
    save(starship_id=copies[0].pk, document=HALL.document)
    assert starship_for(starship_id=original.pk).name == "Lane"
    with pytest.raises(NotFound):
        duplicate_starship(starship_id=999, by=erin, now=NOW)
    original = save(document={**LANE.document, "name": "x" * 80})
    copy = duplicate_starship(starship_id=original.pk, by=erin, now=NOW)
    assert copy.name == "x" * 73 + " (copy)"


def test_a_retired_starship_is_not_offered_until_it_is_restored(db: None) -> None:
    ship = save()
    retire_starship(starship_id=ship.pk)
    assert list(search()) == []
    retire_starship(starship_id=ship.pk, retired=False)
    assert list(search()) == [ship]
    with pytest.raises(NotFound):
        retire_starship(starship_id=999)


def test_a_failed_revision_leaves_nothing_behind(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    ship = save()

    def fail(**_: object) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(StarshipRevision.objects, "create", fail)
    with pytest.raises(OSError):
        save(starship_id=ship.pk, document={**LANE.document, "name": "Alley"})
    ship.refresh_from_db()
    assert ship.name == "Lane"
