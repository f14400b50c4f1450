"""The terms of a game are declared once, for all forms and views."""

import json
from dataclasses import fields, replace

import pytest

from accounts.models import User
from games.clocks.clock import PerTurn
from games.lobby.inputs import GameChanges, NewGame
from games.lobby.services import create_game
from games.play.api import ListedGame
from games.play.game_view import GameView, game_view
from games.play.history import entry_sentence
from games.play.models import Game
from games.play.policy import COMPUTER, Absence
from games.play.terms import PLAIN_FIELDS, SETTINGS, Terms, terms_of
from games.web.schema import serializer_of
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table


@pytest.fixture
def terms(table: Table) -> Terms:
    """Terms with a value other than the default for each term."""
    return Terms(
        name="Night shift",
        starship=table.starship.pk,
        options={"lives": 5},
        house_rules={"robot_lasers": False},
        seats=4,
        pace=PerTurn(12),
        absence=Absence(COMPUTER, 2),
        starts_itself=False,
        private=True,
        least_reliability=90,
        rated="yes",
        sitters=False,
        shorter_clock=True,
    )


def test_a_game_has_the_terms_of_its_creation(alice: User, terms: Terms) -> None:
    kept = terms_of(create_game(host=alice, terms=terms, now=NOW))
    options, house_rules = dict(kept.options), dict(kept.house_rules)
    assert (options["lives"], house_rules["robot_lasers"]) == (5, False)
    assert len(options) > 1 < len(house_rules), "those that were not named have their defaults"
    assert kept == replace(terms, options=options, house_rules=house_rules)


def test_each_changed_term_has_a_sentence(alice: User, terms: Terms, table: Table) -> None:
    before = terms_of(table.game(alice, seats=2))
    changed = list(terms_of(create_game(host=alice, terms=terms, now=NOW)).differences(before))
    assert {each["term"] for each in changed} == set(SETTINGS) - {"ruleset"}
    told = [entry_sentence("term", {"player": "Alice", **json.loads(json.dumps(each))}) for each in changed]
    assert "Alice set the minimum reliability to 90 %." in told
    assert not list(before.differences(before))


def test_plain_terms_are_in_every_form_and_view(table: Table, read: ReaderOf, alice: User) -> None:
    page = read(alice).get("/games/new/")
    for name in PLAIN_FIELDS:
        for form in (NewGame, GameChanges):
            assert name in form().fields
        for answer in (GameView, ListedGame):
            assert name in serializer_of(answer)().fields
        assert str(NewGame().fields[name].label) in page
        assert f'name="{name}"' in page.html


def test_responses_have_the_declared_fields(duel: Game, alice: User, read: ReaderOf) -> None:
    answered = read(alice).client.get(f"/api/v1/games/{duel.pk}").json()
    seen = game_view(viewer=alice, game=duel)
    assert list(answered) == [field.name for field in fields(seen)]
    assert set(answered) == set(serializer_of(GameView)().fields)
    assert set(answered["me"]) == {field.name for field in fields(type(seen.me))}
    assert set(answered["robots"][0]) == set(seen.robots[0])
