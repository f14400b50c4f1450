"""Reviews: permissions, refusals, sudden bursts, and the builder's answer."""

from typing import Any

import pytest

from accounts.guests import make_guest
from accounts.models import User
from games.dock.inputs import Answer, NewReview
from games.dock.models import Review
from games.dock.pages import AnswerForm
from games.dock.reviews import answer_review, release_reviews, take_back_review
from games.errors import Conflict, Forbidden, Invalid, NotFound
from games.fleet.models import Course, Starship
from games.play.models import Game
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.dock.reviewed import crowd, finished, lane_ship, over, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import LANE as LANE_BOARD, NOW, Table, later


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice, called(alice, "Canoe", *LANE)).starship


def test_players_review_the_version_they_played(ship: Starship, bob: User, carol: User) -> None:
    finished(ship, bob, carol)
    found = review(bob, ship, 5, tags=["fair-starts", "clever-routes"], text="  Fun!\r\n")
    assert found.revision == ship.current and found.is_shown
    assert (found.stars, found.tags, found.text) == (5, ["clever-routes", "fair-starts"], "Fun!")


def test_ships_in_the_fleet_can_be_reviewed(bob: User) -> None:
    ship = lane_ship()
    finished(ship, bob)
    assert review(bob, ship).starship == ship


def test_it_refuses_players_without_a_finished_game(
    ship: Starship, bob: User, carol: User, dave: User
) -> None:
    finished(ship, bob, carol)
    with pytest.raises(Forbidden) as refusal:
        review(dave, ship)
    assert refusal.value.code == "not-played"


def test_a_game_that_did_not_end_by_its_rules_is_not_enough(ship: Starship, bob: User, carol: User) -> None:
    endings: list[dict[str, Any]] = [
        {"status": "running", "ended_at": None},
        {"ending": "resigned"},
        {"ending": "staff", "status": "cancelled"},
    ]
    game = Table(ship).game(bob, carol)
    for ending in endings:
        over(game, **ending)
        with pytest.raises(Forbidden):
            review(bob, ship)


def test_a_replaced_player_cannot_review(ship: Starship, bob: User, carol: User) -> None:
    game = finished(ship, bob, carol)
    game.players.filter(user=bob).update(user=None, computer="rookie", name="Rook")
    with pytest.raises(Forbidden):
        review(bob, ship)
    review(carol, ship)


def test_a_solo_game_is_not_enough(ship: Starship, bob: User) -> None:
    over(Table(ship).game(bob))
    with pytest.raises(Forbidden):
        review(bob, ship)


def test_builders_do_not_review_their_own_ship(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, alice, bob)
    with pytest.raises(Forbidden) as refusal:
        review(alice, ship)
    assert refusal.value.code == "own-ship"


def test_guests_do_not_review(ship: Starship) -> None:
    with pytest.raises(Forbidden) as refusal:
        review(make_guest(), ship)
    assert refusal.value.code == "guest"


def test_a_training_mission_cannot_be_reviewed(bob: User) -> None:
    ship = lane_ship()
    finished(ship, bob)
    Starship.objects.update(section="missions")
    with pytest.raises(Forbidden):
        review(bob, ship)


def test_a_later_version_is_reviewed_after_a_game_on_it(alice: User, bob: User) -> None:
    draft = called(alice, "Canoe", *LANE)
    ship = published(alice, draft).starship
    finished(ship, bob)
    first = review(bob, ship, 2)
    published(alice, redrawn(draft, "a a . . .+i1"))
    assert review(bob, ship, 3).pk == first.pk
    with pytest.raises(Forbidden) as refusal:
        review(bob, ship, 5, version=2)
    assert refusal.value.code == "not-played"
    ship.refresh_from_db()
    finished(ship, bob)
    second = review(bob, ship, 5)
    assert second.pk != first.pk and second.revision.number == 2
    assert review(bob, ship, 1, version=1).pk == first.pk
    with pytest.raises(NotFound):
        review(bob, ship, version=3)


def test_a_person_has_one_editable_review_of_a_version(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    first = review(bob, ship, 2, text="Hm.")
    again = review(bob, ship, 2, text="Hm.", now=later(hours=1))
    assert (again.pk, again.changed_at) == (first.pk, None)
    changed = review(bob, ship, 4, now=later(hours=2))
    assert (changed.pk, changed.stars, changed.text) == (first.pk, 4, "")
    assert (changed.written_at, changed.changed_at) == (NOW, later(hours=2))


def test_only_the_author_withdraws_a_review(ship: Starship, bob: User, carol: User) -> None:
    finished(ship, bob, carol)
    review(bob, ship)
    with pytest.raises(NotFound):
        take_back_review(user=carol, starship_id=ship.pk)
    take_back_review(user=bob, starship_id=ship.pk)
    assert not Review.objects.exists()
    with pytest.raises(NotFound):
        take_back_review(user=bob, starship_id=ship.pk)


def test_a_review_hidden_by_staff_cannot_be_changed(ship: Starship, bob: User) -> None:
    finished(ship, bob)
    hidden = review(bob, ship)
    Review.objects.update(hidden_at=NOW)
    with pytest.raises(Conflict):
        review(bob, ship, 1)
    with pytest.raises(Conflict):
        take_back_review(user=bob, starship_id=ship.pk)
    hidden.refresh_from_db()
    assert hidden.stars == 4


def test_every_error_of_a_review_is_reported() -> None:
    faults: list[tuple[dict[str, Any], list[str]]] = [
        ({"stars": 0}, ["stars"]),
        ({"tags": ["too-long", "too-short", "too-deadly", "fair-starts"]}, ["tags"]),
        ({"stars": 9, "tags": ["superb"], "text": "\x07"}, ["stars", "tags", "text"]),
    ]
    for given, codes in faults:
        with pytest.raises(Invalid) as refusal:
            NewReview(data={"stars": 4, **given}).allowed()
        assert [problem["code"] for problem in refusal.value.problems] == codes


def test_a_tag_chosen_twice_counts_once() -> None:
    assert NewReview(data={"stars": 4, "tags": ["too-long"] * 4}).allowed()["tags"] == ["too-long"]


def test_reviews_beyond_ten_a_day_wait_for_two_days(ship: Starship, bob: User, carol: User) -> None:
    shown = crowd(ship, *[5] * 10)
    assert all(each.is_shown for each in shown)
    finished(ship, bob, carol)
    held = review(bob, ship, 2, now=later(hours=23))
    assert held.held_until == later(hours=71)
    ship.refresh_from_db()
    assert ship.rating.reviews == 10
    assert review(carol, ship, 5, now=later(hours=24)).is_shown, "a day later"
    assert review(bob, ship, 1, now=later(hours=30)).held_until == later(hours=71), "also when it changes"
    assert release_reviews(now=later(hours=70)) == 0
    assert release_reviews(now=later(hours=71)) == 1
    ship.rating.refresh_from_db()
    assert (ship.rating.reviews, ship.rating.total) == (12, 56)


def test_the_builder_answers_once(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    found = review(bob, ship)
    answered = answer_review(user=alice, review_id=found.pk, text="Thanks!", now=later(hours=1))
    assert (answered.answer, answered.answered_at) == ("Thanks!", later(hours=1))
    with pytest.raises(Conflict) as refusal:
        answer_review(user=alice, review_id=found.pk, text="No thanks.", now=later(hours=2))
    assert refusal.value.code == "answered"
    assert review(bob, ship, 5, now=later(hours=3)).answer == "Thanks!"


def test_only_the_builder_answers(ship: Starship, bob: User, erin: User) -> None:
    finished(ship, bob)
    found = review(bob, ship)
    for person in (bob, erin):
        with pytest.raises(Forbidden):
            answer_review(user=person, review_id=found.pk, text="Thanks!", now=NOW)


def test_an_empty_answer_is_refused() -> None:
    for text in (" \n ", "\u200b"):
        with pytest.raises(Invalid):
            Answer(data={"text": text}).allowed()
        assert not AnswerForm({"text": text}).is_valid()


def test_a_review_hidden_from_the_builder_cannot_be_answered(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    found = review(bob, ship)
    for hidden_at, held_until in ((NOW, None), (None, NOW)):
        Review.objects.update(hidden_at=hidden_at, held_until=held_until)
        with pytest.raises(NotFound):
            answer_review(user=alice, review_id=found.pk, text="Thanks!", now=NOW)


def test_a_game_on_joined_boards_does_not_count_for_a_ship(ship: Starship, bob: User) -> None:
    game = finished(ship, bob)
    course = Course.objects.create(name="Two", document=LANE_BOARD.document, width=5, height=1)
    Game.objects.filter(pk=game.pk).update(course=course)
    with pytest.raises(Forbidden):
        review(bob, ship)
