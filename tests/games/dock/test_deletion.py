"""Reviews after their author's account is deleted, and reviews in the data export."""

from django.utils import timezone

from accounts.models import User
from games.dock.models import Review, ShipRating
from games.dock.reviews import answer_review
from games.fleet.models import Starship
from games.moderation.models import Moderation
from games.moderation.services.takedown import hide_review
from games.people.selectors.personal_data import personal_data
from tests.games.deletions import erased, rows_with
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.support import NOW


def reviewed(alice: User, bob: User) -> Review:
    """Bob's review of a ship by Alice, with her answer."""
    ship = lane_ship()
    Starship.objects.filter(pk=ship.pk).update(owner=alice)
    ship.refresh_from_db()
    finished(ship, bob)
    found = review(bob, ship, 2, text="Bob was here, @Alice!", tags=["too-short"])
    return answer_review(user=alice, review_id=found.pk, text="Hello Bob, says Alice.", now=NOW)


def test_stars_and_words_remain_without_the_author_s_name(alice: User, bob: User) -> None:
    found = reviewed(alice, bob)
    erased(bob)
    found.refresh_from_db()
    assert (found.stars, found.tags, ShipRating.objects.get().total) == (2, ["too-short"], 2)
    name = f"Deleted-{bob.pk}"
    assert (found.text, found.answer) == (f"{name} was here, @Alice!", "Hello Bob, says Alice.")
    assert [row.partition(":")[0] for row in rows_with("bob")] == ["games_review"], "what Alice wrote"


def test_the_words_are_deleted_if_the_author_wants_it(alice: User, bob: User) -> None:
    found = reviewed(alice, bob)
    erased(bob, takes_chat=True)
    found.refresh_from_db()
    assert (found.text, found.stars) == ("", 2)
    assert "says Alice." in found.answer


def test_a_builder_s_answers_remain_without_their_name(alice: User, bob: User) -> None:
    found = reviewed(alice, bob)
    erased(alice)
    found.refresh_from_db()
    name = f"Deleted-{alice.pk}"
    assert (found.text, found.answer) == ("Bob was here, @Alice!", f"Hello Bob, says {name}.")


def test_a_builder_may_delete_their_answers(alice: User, bob: User) -> None:
    found = reviewed(alice, bob)
    erased(alice, takes_chat=True)
    found.refresh_from_db()
    assert (found.answer, found.answered_at) == ("", None)
    assert found.text.startswith("Bob was here")


def test_a_reason_given_by_staff_is_unchanged(alice: User, bob: User, erin: User) -> None:
    found = reviewed(alice, bob)
    hide_review(user=erin, review_id=found.pk, reason="Bob insults bob@example.org.", now=NOW)
    erased(bob)
    assert Moderation.objects.get().reason == "Bob insults (an address)."


def test_each_export_contains_the_person_s_own_texts(alice: User, bob: User) -> None:
    found = reviewed(alice, bob)
    (written,) = personal_data(user=bob, now=timezone.now())["reviews"]
    assert (written["text"], written["stars"], "answer" in written) == (found.text, 2, False)
    (answered,) = personal_data(user=alice, now=timezone.now())["answers_to_reviews"]
    assert answered["answer"] == found.answer and "text" not in answered
