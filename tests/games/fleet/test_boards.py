"""Limits on the density of boards. All parts of the service give the same refusal."""

from collections.abc import Callable
from typing import Any, Final

import pytest

import rules
from accounts.models import User
from games.errors import Invalid
from games.fleet.admin import proof_of
from games.fleet.boards import MOST_FEATURES, MOST_LASERS, crowding, crowding_in, lay_out
from games.fleet.services import check_document, save_starship
from games.shipyard.models import StarshipDraft
from games.shipyard.selectors import drawing_of, faults_in
from games.shipyard.services import create_draft, save_draft, ship_of
from tests.games.shipyard.drawing import drafted
from tests.games.support import NOW

CROWD: Final = {"format": "starship/1", "name": "Crowd", "rows": [" ".join([".+wN+cN+x1"] * 100)] * 25}


def codes_of(problems: Any) -> list[str]:
    return [problem["code"] for problem in problems]


def test_a_crowded_board_is_refused_with_both_numbers() -> None:
    problems = crowding_in(CROWD)
    assert [problem.code for problem in problems] == ["crowded"]
    said = f"the starship has 5,000 features besides rails, and the limit is {MOST_FEATURES:,}"
    assert str(problems[0].message) == said


def test_a_board_with_too_many_lasers_is_refused() -> None:
    problems = crowding([".+wN+l1N"] * 540)
    assert [str(each.message) for each in problems] == [
        f"the starship has 540 lasers, and the limit is {MOST_LASERS}"
    ]


def test_rails_and_a_twister_do_not_crowd_a_board() -> None:
    assert crowding(["g++wNESW"] * 10_000) == []


def test_a_document_without_rows_is_not_crowded() -> None:
    for document in (None, {}, {"rows": 3}, {"rows": [3, None, {}]}):
        assert crowding_in(document) == []


def joined() -> None:
    """Join two boards into a board that is too crowded."""
    rows = ["a .+i1" + " ." * 48, *[" ".join([".+wNE+cN+cE"] * 50)] * 25]
    half = save_starship(document={**CROWD, "rows": rows}, section="fleet", now=NOW)
    boards = [{"starship": half.pk, "at": [0, 0]}, {"starship": half.pk, "at": [0, 1]}]
    lay_out(ruleset="amigo-1999", boards=boards)


DOORS: Final[dict[str, Callable[[User], object]]] = {
    "library": lambda user: save_starship(document=CROWD, section="fleet", by=user, now=NOW),
    "new draft": lambda user: create_draft(user=user, document=CROWD, now=NOW),
    "draft": lambda user: save_draft(
        user=user, draft_id=drafted(user).pk, document=CROWD, expected_version=1, now=NOW
    ),
    "joined boards": lambda _: joined(),
    "check": lambda _: drawing_of(document=CROWD, name=None, ruleset="", players=4),
}


@pytest.mark.parametrize("door", DOORS)
def test_every_entry_point_refuses_a_crowded_board(alice: User, door: str) -> None:
    with pytest.raises(Invalid) as refused:
        DOORS[door](alice)
    (problem,) = refused.value.problems
    assert problem["code"] == "crowded"
    assert f"features besides rails, and the limit is {MOST_FEATURES:,}" in problem["detail"]


def test_the_admin_refuses_a_crowded_board(db: None) -> None:
    assert codes_of(check_document(CROWD)) == ["crowded"]
    assert codes_of(proof_of(rules.canonical(CROWD)).errors) == ["crowded"]


def test_an_old_crowded_draft_is_shown_but_not_flown(alice: User) -> None:
    draft = drafted(alice)
    StarshipDraft.objects.filter(pk=draft.pk).update(document={**draft.document, **CROWD})
    draft.refresh_from_db()
    assert "crowded" in [fault.problem.code for fault in faults_in(draft) if fault.is_blocking]
    with pytest.raises(Invalid):
        ship_of(draft, "robo-runner")
