"""Builders publish ships at the same moment, on separate database connections."""

from functools import partial
from typing import Any

import pytest

from games.dock.models import Prototype
from games.errors import Conflict, Invalid
from games.fleet.models import Starship
from tests import cast
from tests.games.dock.prototypes import called, published
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def refusals(answers: list[Any]) -> list[type]:
    return [type(answer) for answer in answers if not isinstance(answer, Prototype)]


def test_of_two_builders_with_one_name_the_first_gets_it() -> None:
    people = (cast.alice(), cast.bob())
    drafts = [called(person, name) for person, name in zip(people, ("Canoe", "C\u0430noe"), strict=True)]
    answers = together(*(partial(published, draft.user, draft) for draft in drafts))
    assert refusals(answers) == [Invalid]
    assert Starship.objects.count() == 1


def test_a_double_click_takes_one_bay_and_makes_one_version() -> None:
    alice = cast.alice()
    draft = called(alice, "Canoe")
    assert refusals(together(*[partial(published, alice, draft)] * 3)) == []
    current = Prototype.objects.get().starship.current
    assert current and current.number == 1


def test_of_two_ships_for_the_last_bay_one_gets_it() -> None:
    alice = cast.alice()
    published(alice, called(alice, "One"))
    drafts = [called(alice, name) for name in ("Two", "Three")]
    assert refusals(together(*(partial(published, alice, draft) for draft in drafts))) == [Conflict]
    assert Prototype.objects.count() == Starship.objects.count() == 2
