"""One draft in two windows at the same moment, on separate connections."""

from functools import partial

import pytest

from games.errors import Conflict, NotFound
from games.shipyard.models import StarshipDraft
from games.shipyard.services import MOST_DRAFTS, Stale, create_draft, delete_draft, save_draft
from tests import cast
from tests.games.shipyard.drawing import document, drafted
from tests.games.support import NOW
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_simultaneous_saves_one_is_outdated() -> None:
    alice = cast.alice()
    draft = drafted(alice)
    save = partial(save_draft, user=alice, draft_id=draft.pk, expected_version=1, now=NOW)
    answers = together(*(partial(save, document=document(row)) for row in ("a .+i1", "a o .+i1")))
    assert sorted(type(answer).__name__ for answer in answers) == ["Stale", "StarshipDraft"]
    (stale,) = (answer for answer in answers if isinstance(answer, Stale))
    draft.refresh_from_db()
    assert stale.draft.document == draft.document
    assert draft.version == 2


def test_of_two_simultaneous_new_drafts_one_gets_the_last_place() -> None:
    alice = cast.alice()
    for _ in range(MOST_DRAFTS - 1):
        drafted(alice)
    begin = partial(create_draft, user=alice, size=(2, 2), now=NOW)
    answers = together(begin, begin)
    assert sorted(type(answer).__name__ for answer in answers) == ["Conflict", "StarshipDraft"]
    assert any(isinstance(answer, Conflict) for answer in answers)
    assert StarshipDraft.objects.count() == MOST_DRAFTS


def test_a_draft_can_be_deleted_while_it_is_saved() -> None:
    alice = cast.alice()
    draft = drafted(alice)
    save = partial(
        save_draft, user=alice, draft_id=draft.pk, expected_version=1, document=document("a"), now=NOW
    )
    _, saved = together(partial(delete_draft, user=alice, draft_id=draft.pk), save)
    assert isinstance(saved, StarshipDraft | NotFound)
    assert not StarshipDraft.objects.exists()
