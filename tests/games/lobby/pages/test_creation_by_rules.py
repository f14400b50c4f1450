"""The form for a new game of each ruleset, with options and house rules."""

import re

import pytest

import rules
from accounts.models import User
from games.fleet.models import Starship
from games.play.models import Game
from tests.games.making import ADDRESS, beside, fields, of
from tests.games.reader import ReaderOf
from tests.games.support import DUCTS, WORKSHOP, YARD


@pytest.mark.parametrize("key", rules.RULESETS)
def test_each_ruleset_has_a_description_options_and_house_rules(
    key: str, starship: Starship, alice: User, read: ReaderOf
) -> None:
    for board in (DUCTS, WORKSHOP, YARD):
        board.saved()
    page = read(alice).get(f"{ADDRESS}?ruleset={key}")
    edition = rules.ruleset(key)
    for each in rules.RULESETS.values():
        assert each.summary.replace("'", "’") in page.text.replace("'", "’")
        assert f'name="edition" value="{each.key}"' in page.html
    for option in (*edition.options, *edition.house_rules):
        assert option.text.replace("'", "’") in page.text.replace("'", "’"), option.key
    for model in edition.models:
        assert rules.MODELS[model] in page
    assert ("Red squad" in page) is bool(edition.squads)
    assert f"/rulebook/{key}/" in page.links


def test_an_unknown_ruleset_is_refused(starship: Starship, alice: User, read: ReaderOf) -> None:
    for page in (
        read(alice).get(f"{ADDRESS}?ruleset=ludo"),
        read(alice).post(ADDRESS, **{**fields(starship), "ruleset": "ludo"}),
    ):
        assert page.status == 422
        assert "There is no ruleset “ludo”." in page
    assert not Game.objects.exists()


def test_a_starship_preselects_a_suitable_ruleset(alice: User, read: ReaderOf) -> None:
    workshop, yard = WORKSHOP.saved(), YARD.saved()
    page = read(alice).get(f"{ADDRESS}?starship={workshop.pk}")
    assert 'name="ruleset" value="websocket"' in page.html  # it has start cells for this one
    assert page.chosen("starship") == str(workshop.pk)
    page = read(alice).get(f"{ADDRESS}?ruleset=amigo-1999&starship={yard.pk}")
    assert page.chosen("board-1") == str(yard.pk)


def test_house_rules_are_saved_and_invalid_ones_refused(
    starship: Starship, alice: User, read: ReaderOf
) -> None:
    given = of("robo-runner", starship=starship.pk, house_robot_lasers=None, house_damage_limit=6)
    read(alice).post(ADDRESS, **given)
    assert Game.objects.get().house_rules == {
        "robot_lasers": False,
        "piercing_lasers": False,
        "shared_deck": False,
        "damage_limit": 6,
    }
    page = read(alice).post(ADDRESS, **{**given, "house_damage_limit": 40})
    assert page.status == 422
    assert "less than or equal to 15" in beside(page, "house_damage_limit")
    assert re.search(r"<details[^>]* open>\s*<summary><span[^>]*>House rules", page.html)


def test_squads_must_have_equal_sizes(alice: User, read: ReaderOf) -> None:
    ducts = DUCTS.saved()
    page = read(alice).post(ADDRESS, **of("robo-recon", starship=ducts.pk, seats=3, squad="blue"))
    assert page.status == 422
    assert "3 players cannot form 2 squads of the same size" in beside(page, "seats")
    assert page.chosen("squad") == "blue"
    read(alice).post(ADDRESS, **of("robo-recon", starship=ducts.pk, seats=4, squad="blue"))
    assert Game.objects.get().players.get().squad == "blue"


def test_a_model_can_be_chosen(alice: User, read: ReaderOf) -> None:
    workshop = WORKSHOP.saved()
    read(alice).post(ADDRESS, **of("group-11", starship=workshop.pk, model="peach", programming_aid=None))
    game = Game.objects.get()
    assert game.players.get().model == "peach"
    assert game.options["programming_aid"] is False
