"""The rulebooks on the site, and how a game's rules differ from its rulebook."""

import re
from typing import Any

import pytest

import rules
from accounts.models import User
from games.play.models import Game
from games.site.rulebooks import RULEBOOK, WEIGHT_EVENTS, chapters, chapters_of
from rules.steps.lasers import EQUIPMENT_TEXTS
from rules.steps.turn_end import WEIGHTS
from tests.games.reader import ReaderOf
from tests.games.support import WORKSHOP, Table


def workshop_game(*players: User, **more: Any) -> Game:
    return Table(WORKSHOP.saved()).game(*players, ruleset="amigo-1999", **more)


def test_the_rules_link_to_every_rulebook(db: None, read: ReaderOf) -> None:
    links = read(None).get("/rules/").links
    assert all(f"/rulebook/{key}/" in links for key in rules.RULESETS)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_rulebook_has_steps_options_and_clauses_in_order(key: str, db: None, read: ReaderOf) -> None:
    page = read(None).get(f"/rulebook/{key}/")
    text = page.text.replace("’", "'")
    edition = rules.ruleset(key)
    place = 0
    for step in edition.phase:
        place = text.index(step.text.replace("’", "'"), place)
    for option in (*edition.options, *edition.house_rules):
        assert option.text.replace("’", "'") in text
    numbers = [p.number for c in chapters_of(edition) for s in c.sections for p in s.paragraphs if p.number]
    places = [page.html.index(f'id="{number}"') for number in numbers]
    assert places == sorted(places)
    assert f"{edition.prefix}-1" in " ".join(numbers)
    assert "**" not in text
    assert "`" not in text


@pytest.mark.parametrize("key", rules.RULESETS)
def test_a_rulebook_starts_with_links_to_its_parts(key: str, db: None, read: ReaderOf) -> None:
    html = read(None).get(f"/rulebook/{key}/").html
    contents = html.partition('aria-label="On this page"')[2].partition("</nav>")[0]
    parts = [part for part in re.findall(r'<h2 id="([^"]+)">', html) if part != "others"]
    assert re.findall(r'href="#([^"]+)"', contents) == parts


def test_no_clause_of_the_rulebook_is_missing(db: None) -> None:
    there = [p.number for c in chapters() for s in c.sections for p in s.paragraphs if p.number]
    written = [line.split("**")[1] for line in rulebook_lines() if line.startswith("- **")]
    assert there == written
    assert len(there) > 150


def rulebook_lines() -> list[str]:
    return RULEBOOK.read_text(encoding="utf-8").splitlines()


def test_an_unknown_rulebook_is_not_found(db: None, read: ReaderOf) -> None:
    assert read(None).get("/rulebook/ludo/").status == 404


def test_a_game_shows_its_differences_from_the_rulebook(alice: User, bob: User, read: ReaderOf) -> None:
    game = workshop_game(
        alice,
        bob,
        options={"damaged_copies": True},
        house_rules={"crushers": False, "damage_limit": 6},
    )
    page = read(None).get(f"{game.get_absolute_url()}rulebook/")
    text = page.text
    assert "Damaged copies: yes." in text
    assert "Crushers: no." in text
    assert "Damage that destroys a robot: 6." in text
    assert "Left out: crushers" in text
    assert "Elements beyond the common ones Docking arm" in text
    assert "Damage on coming back 2 differs from the rulebook" in text
    assert "Left out: robot lasers" not in text  # repairs are by the book, since the variant was not chosen
    address = f"{game.get_absolute_url()}rulebook/"
    assert address in read(None).get(game.get_absolute_url()).links
    assert "House rules Crushers: no; Damage that destroys a robot: 6" in read(None).get(
        game.get_absolute_url()
    )


def test_the_rulebook_of_a_game_of_an_earlier_version_says_so(alice: User, bob: User, read: ReaderOf) -> None:
    game = workshop_game(alice, bob)
    address = f"{game.get_absolute_url()}rulebook/"
    assert "what has changed" not in read(None).get(address)
    Game.objects.filter(pk=game.pk).update(version=1)
    page = read(None).get(address)
    assert "This game uses version 1 of Robo Rally 1999" in page
    assert "the clauses are from version 3." in page
    assert "what has changed" in page
    assert "what has changed" not in read(None).get("/rulebook/amigo-1999/")


def test_the_rulebook_of_a_private_game_is_private(alice: User, bob: User, read: ReaderOf) -> None:
    game = workshop_game(alice, bob, private=True)
    address = f"{game.get_absolute_url()}rulebook/"
    assert read(None).get(address).status == 404
    assert read(None).get(f"{address}?link={game.link_token}").status == 200
    assert read(bob).get(address).status == 200


def test_the_quick_reference_has_elements_equipment_models_and_weights(db: None, read: ReaderOf) -> None:
    page = read(None).get("/rules/quick-reference/")
    texts = [*EQUIPMENT_TEXTS.values(), *rules.MODELS.values(), *map(str, WEIGHT_EVENTS.values())]
    texts += [ruleset.name for ruleset in rules.RULESETS.values()]
    assert [text for text in texts if text not in page] == []
    assert set(WEIGHT_EVENTS) == set(WEIGHTS)
    folded = re.findall(
        r'<details class="more brief">\s*<summary>.*?</summary>\s*<div[^>]* id="([^"]+)"', page.html
    )
    assert folded == list(rules.RULESETS), "links to a ruleset open its part"
    for address in ("/rules/", "/rulebook/amigo-1999/"):
        assert 'href="/rules/quick-reference/"' in read(None).get(address).html


def test_steps_of_an_option_name_the_option(db: None, read: ReaderOf) -> None:
    assert "Only with the option “Power-down”." in read(None).get("/rulebook/amigo-1999/")
    assert "Only with the option" not in read(None).get("/rulebook/robo-runner/")
