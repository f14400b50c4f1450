"""The page that explains the notation of starships."""

import rules
from games.fleet.pages.drawings import CLAUSES, NOTATION, notation_lines
from games.site.rulebooks import chapters_of
from rules.drawing.fragments import LEGEND
from rules.elements import read_cell
from tests.games.reader import ReaderOf


def test_every_element_is_explained_with_its_token(db: None, read: ReaderOf) -> None:
    page = read(None).get("/shipyard/notation/")
    for name, (token, _) in NOTATION.items():
        assert name in page and token in page
    assert set(NOTATION) == set(CLAUSES) == set(LEGEND)


def test_each_token_draws_its_picture() -> None:
    for name, (token, _) in NOTATION.items():
        written = f".{token}" if token.startswith("+") else token
        assert read_cell(written) == read_cell(LEGEND[name]), name


def test_each_clause_exists_on_the_linked_page() -> None:
    for name, (key, clause) in CLAUSES.items():
        numbers = frozenset().union(*(each.numbers for each in chapters_of(rules.ruleset(key))))
        assert clause in numbers, name


def test_floors_and_features_are_distinguished(db: None) -> None:
    floors, features = notation_lines("en")
    assert len(floors) + len(features) == len(LEGEND)
    assert features[0].token == "+i1"
