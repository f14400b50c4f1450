"""Requests for promotion, and the decisions of the design committee."""

from datetime import datetime
from typing import Any

import pytest

from accounts.guests import make_guest
from accounts.models import User
from games.dock.inputs import CommitteeVote
from games.dock.models import Promotion
from games.dock.selectors import decisions, is_member, open_promotions, prototypes_of, votes_in
from games.dock.services import COMMITTEE_JOB, ask_for_promotion, take_back_promotion
from games.errors import Conflict, Forbidden, Invalid, NotFound, ServiceError
from games.fleet.models import Starship
from games.fleet.search import search
from games.fleet.services import save_starship
from games.moderation.services.takedown import restore_starship, take_down_starship
from games.people.services.deletion import delete_account
from games.work.jobs import run
from games.work.models import Alarm
from games.work.sweeper import JOBS
from tests import cast
from tests.games.deletions import erased
from tests.games.dock.promotions import (
    asks_for_the_fleet,
    deciding,
    joined,
    member,
    ready,
    request_promotion,
    street,
    voted,
)
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.support import HALL, NOW, later
from tests.games.together import together


def now_of(promotion: Promotion) -> tuple[str, str]:
    """Return the statuses of a request for promotion and of its prototype."""
    promotion = Promotion.objects.select_related("prototype").get(pk=promotion.pk)
    return promotion.status, promotion.prototype.status


def test_a_ready_ship_goes_to_the_committee_unchanged(alice: User) -> None:
    prototype = ready(alice)
    promotion = request_promotion(alice, prototype)
    assert now_of(promotion) == ("open", "ready")
    assert promotion.revision == prototype.starship.current and promotion.run
    assert list(open_promotions()) == [promotion]
    assert prototype.draft
    with pytest.raises(Conflict, match="Withdraw your request"):
        published(alice, redrawn(prototype.draft, "a . . .+i1+wE"))


def test_it_refuses_an_unready_ship_and_lists_missing_requirements(alice: User) -> None:
    prototype = published(alice, street(alice))
    with pytest.raises(Conflict) as refusal:
        request_promotion(alice, prototype)
    assert [problem["code"] for problem in refusal.value.problems] == ["tunnel", "testers", "strangers"]
    assert "0 of 5 people" in refusal.value.detail


def test_it_refuses_a_second_request(alice: User) -> None:
    prototype = ready(alice)
    request_promotion(alice, prototype)
    with pytest.raises(Conflict) as refusal:
        request_promotion(alice, prototype)
    assert refusal.value.code == "deciding" and Promotion.objects.count() == 1


def test_only_the_builder_asks_and_withdraws(alice: User, bob: User) -> None:
    prototype = ready(alice)
    with pytest.raises(Forbidden):
        ask_for_promotion(user=bob, starship_id=prototype.starship_id, now=NOW)
    request_promotion(alice, prototype)
    for other in (bob, make_guest()):
        with pytest.raises(Forbidden):
            take_back_promotion(user=other, starship_id=prototype.starship_id, now=NOW)
    with pytest.raises(NotFound):
        ask_for_promotion(user=alice, starship_id=HALL.saved().pk, now=NOW)


def test_a_withdrawn_ship_can_be_changed_and_submitted_again(alice: User) -> None:
    prototype = ready(alice)
    first = request_promotion(alice, prototype)
    take_back_promotion(user=alice, starship_id=prototype.starship_id, now=NOW)
    assert now_of(first) == ("taken-back", "testing")
    with pytest.raises(Conflict):
        take_back_promotion(user=alice, starship_id=prototype.starship_id, now=NOW)
    second = request_promotion(alice, prototype)
    assert second.pk != first.pk and list(open_promotions()) == [second]


def test_a_restored_ship_can_be_promoted_after_a_takedown(alice: User, erin: User) -> None:
    prototype = ready(alice)
    promotion = request_promotion(alice, prototype)
    given: dict[str, Any] = {"user": erin, "starship_id": prototype.starship_id, "reason": "So.", "now": NOW}
    take_down_starship(**given)
    assert not open_promotions()
    with pytest.raises(Conflict, match="No decision is needed"):
        voted(member("Mia"), promotion)
    restore_starship(**given)
    assert request_promotion(alice, prototype).pk != promotion.pk


def test_two_votes_launch_a_ship_into_the_fleet(alice: User) -> None:
    promotion = deciding(alice)
    before = HALL.saved()
    voted(member("Mia"), promotion)
    assert now_of(promotion) == ("open", "ready")
    voted(member("Max"), promotion, words="Great fun.", now=later(days=1))
    assert now_of(promotion) == ("promoted", "launched")
    ship = Starship.objects.select_related("current").get(pk=promotion.prototype.starship_id)
    assert ship.current and (ship.current.number, ship.current.prototype) == (2, False)
    assert (ship.section, ship.builder, ship.launched_at) == ("fleet", "Alice", later(days=1))
    assert ship.in_service_since == later(days=1) and before.in_service_since == before.created_at
    assert list(search(section="fleet"))[-1] == ship
    assert prototypes_of(builder=alice) == []
    assert promotion.prototype.draft and promotion.prototype.draft.user == alice


def test_a_ship_is_launched_as_the_committee_saw_it(alice: User) -> None:
    promotion = deciding(alice)
    ship = promotion.prototype.starship
    other = {**promotion.revision.document, "rows": ["a . . .+i1+wE"]}
    save_starship(starship_id=ship.pk, document=other, section="prototypes", now=NOW)
    voted(member("Mia"), promotion)
    voted(member("Max"), promotion)
    ship.refresh_from_db()
    assert ship.current and ship.current.document["rows"] == promotion.revision.document["rows"]


def test_two_votes_send_a_ship_back_to_its_bay_with_words(alice: User) -> None:
    promotion = request_promotion(alice)
    voted(member("Mia"), promotion, "send-back", "Too long.", now=later(days=3))
    voted(member("Max"), promotion, "send-back", "Start 2 is far.", now=later(days=4))
    assert now_of(promotion) == ("sent-back", "testing")
    (decision,) = decisions()
    assert [vote["words"] for vote in votes_in(decision)] == ["Too long.", "Start 2 is far."]
    prototype = prototypes_of(builder=alice)[0]
    assert (prototype.ended_at, prototype.used_at, prototype.warned_at) == (None, later(days=4), None)
    request_promotion(alice, prototype)


def test_two_votes_close_a_prototype_and_nothing_is_deleted(alice: User) -> None:
    promotion = request_promotion(alice)
    ship = promotion.prototype.starship
    games = ship.current.games.count() if ship.current else 0
    for name in ("Mia", "Max"):
        voted(member(name), promotion, "close", "A copy of Tin Canoe.")
    assert now_of(promotion) == ("closed", "closed")
    ship.refresh_from_db()
    assert ship.retired and ship.section == "prototypes" and prototypes_of(builder=alice) == []
    assert ship.current and ship.current.games.count() == games > 0


def test_different_votes_decide_nothing_until_one_changes(alice: User) -> None:
    promotion = deciding(alice)
    mia, max_ = member("Mia"), member("Max")
    voted(mia, promotion)
    voted(max_, promotion, "close", "No.")
    voted(member("Mo"), promotion, "send-back", "Shorter, please.")
    assert now_of(promotion)[0] == "open"
    voted(max_, promotion)
    assert now_of(promotion)[0] == "promoted"
    votes = Promotion.objects.get(pk=promotion.pk).votes
    assert votes.count() == 3 and votes.get(user=max_).words == ""


def test_a_member_has_one_vote(alice: User) -> None:
    promotion, mia = deciding(alice), member("Mia")
    for _ in range(2):
        voted(mia, promotion)
    assert now_of(promotion)[0] == "open" and promotion.votes.count() == 1


def test_builders_do_not_vote_on_their_own_ships(alice: User, bob: User, carol: User) -> None:
    for builder, name in ((alice, "Canoe"), (carol, "Raft")):  # the committee's ids and the ships' ids differ
        promotion = asks_for_the_fleet(published(builder, called(builder, name)))
        with pytest.raises(Forbidden) as refusal:
            voted(joined(builder), promotion)
        assert refusal.value.code == "own-ship" and not promotion.votes.exists()


def test_only_members_of_the_committee_vote(alice: User, bob: User, erin: User) -> None:
    promotion = deciding(alice)
    head = User.objects.create_superuser("Head", "head@example.org", "head-likes-robots")
    for other in (bob, erin, head, make_guest()):
        assert not is_member(other)
        with pytest.raises(Forbidden):
            voted(other, promotion)
    with pytest.raises(NotFound):
        voted(member("Mia"), Promotion(pk=999_999))


def test_it_refuses_votes_without_reasons() -> None:
    for choice, words in (("send-back", ""), ("close", " \n\t ")):
        with pytest.raises(Invalid):
            CommitteeVote(data={"vote": choice, "words": words}).allowed()


def test_nothing_is_decided_twice(alice: User) -> None:
    promotion = deciding(alice)
    for name in ("Mia", "Max"):
        voted(member(name), promotion)
    with pytest.raises(Conflict) as refusal:
        voted(member("Mo"), promotion, "close", "No.")
    assert refusal.value.code == "decided"
    with pytest.raises(Conflict):
        take_back_promotion(user=alice, starship_id=promotion.prototype.starship_id, now=NOW)


def test_a_withdrawn_request_cannot_be_voted_on(alice: User) -> None:
    promotion = deciding(alice)
    take_back_promotion(user=alice, starship_id=promotion.prototype.starship_id, now=NOW)
    with pytest.raises(Conflict) as refusal:
        voted(member("Mia"), promotion)
    assert refusal.value.code == "taken-back"


def test_a_ship_that_can_no_longer_join_the_fleet_stays_with_the_committee(alice: User) -> None:
    promotion = deciding(alice)
    voted(member("Mia"), promotion)
    bad = {**promotion.revision.document, "rows": ["qq"]}
    type(promotion.revision).objects.filter(pk=promotion.revision.pk).update(document=bad)
    with pytest.raises(Invalid):
        voted(member("Max"), promotion)
    assert now_of(promotion) == ("open", "ready") and promotion.votes.count() == 1


def test_votes_of_former_members_do_not_count(alice: User) -> None:
    promotion = deciding(alice)
    mia = member("Mia")
    voted(mia, promotion)
    mia.groups.clear()
    voted(member("Max"), promotion)
    assert now_of(promotion)[0] == "open"
    assert [vote["counts"] for vote in votes_in(open_promotions()[0])] == [False, True]
    voted(member("Mo"), promotion)
    assert now_of(promotion)[0] == "promoted"
    assert [vote["member"] for vote in votes_in(decisions()[0])] == ["Max", "Mo"]


def test_a_decision_stays_after_its_members_leave(alice: User) -> None:
    promotion = deciding(alice)
    mia = member("Mia")
    for user in (mia, member("Max")):
        voted(user, promotion)
    mia.groups.clear()
    assert [vote["counts"] for vote in votes_in(decisions()[0])] == [True, True]


def test_a_deleted_member_remains_in_a_decision_under_a_placeholder(alice: User) -> None:
    promotion = deciding(alice)
    mia = member("Mia")
    voted(mia, promotion, "close", "Mia says: it is like @Alice does it.")
    voted(member("Max"), promotion, "close", "As Mia says, and alice@example.org knows it.")
    erased(mia)
    told = votes_in(decisions()[0])
    gone = f"Deleted-{mia.pk}"
    assert [vote["member"] for vote in told] == [gone, "Max"]
    assert told[0]["words"] == f"{gone} says: it is like @Alice does it."
    erased(alice)
    told = votes_in(decisions()[0])
    assert told[0]["words"] == f"{gone} says: it is like @Alice does it.", "words of others stay"
    assert "alice" not in told[1]["words"].lower()


def test_a_deleted_member_may_remove_their_words(alice: User) -> None:
    promotion = deciding(alice)
    mia = member("Mia")
    voted(mia, promotion, "close", "No.")
    voted(member("Max"), promotion, "close", "No.")
    erased(mia, takes_chat=True)
    assert [vote["words"] for vote in votes_in(decisions()[0])] == ["(deleted)", "No."]


def test_the_open_vote_of_a_deleted_member_does_not_count(alice: User) -> None:
    promotion = deciding(alice)
    mia = member("Mia")
    voted(mia, promotion)
    delete_account(user=mia, now=NOW)
    voted(member("Max"), promotion)
    assert now_of(promotion)[0] == "open"


def watch(now: datetime = NOW) -> None:
    """Run the sweeper's job that checks the committee's requests."""
    run([job for job in JOBS if job.name == COMMITTEE_JOB], now=now)


def test_too_few_members_raise_an_alarm_until_there_are_enough(alice: User) -> None:
    promotion = deciding(alice)
    joined(alice)  # who may not vote on her own ship
    member("Mia")
    watch()
    alarm = Alarm.objects.get(job="committee")
    assert (alarm.kind, alarm.row, alarm.closed_at) == ("promotion", promotion.pk, None)
    assert "1 members of the design committee may vote" in alarm.error
    member("Max")
    watch(later(minutes=20))
    alarm.refresh_from_db()
    assert alarm.closed_at == later(minutes=20)


def test_an_alarm_closes_when_nothing_is_left_to_decide(alice: User) -> None:
    promotion = deciding(alice)
    watch()
    take_back_promotion(user=alice, starship_id=promotion.prototype.starship_id, now=NOW)
    watch(later(minutes=1))
    assert Alarm.objects.get(job="committee").closed_at == later(minutes=1)


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_votes_decide_once(transactional_db: None) -> None:
    promotion = deciding(cast.alice())
    mia, max_, mo = (member(name) for name in ("Mia", "Max", "Mo"))
    done = together(*(lambda user=user: voted(user, promotion) for user in (mia, max_, mo)))
    refused = [each for each in done if isinstance(each, ServiceError)]
    assert [each.code for each in refused] == ["decided"]
    assert now_of(promotion) == ("promoted", "launched")
    assert promotion.prototype.starship.revisions.count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_requests_make_one(transactional_db: None) -> None:
    alice = cast.alice()
    prototype = ready(alice)
    done = together(*[lambda: request_promotion(alice, prototype)] * 2)
    assert sorted(type(each).__name__ for each in done) == ["Conflict", "Promotion"]


@pytest.mark.django_db(transaction=True)
def test_a_simultaneous_vote_and_withdrawal_leave_one_of_them(transactional_db: None) -> None:
    alice = cast.alice()
    promotion = deciding(alice)
    voted(member("Mia"), promotion)
    max_ = member("Max")
    done: list[Any] = together(
        lambda: voted(max_, promotion),
        lambda: take_back_promotion(user=alice, starship_id=promotion.prototype.starship_id, now=NOW),
    )
    assert sum(isinstance(each, Conflict) for each in done) == 1
    assert now_of(promotion) in [("promoted", "launched"), ("taken-back", "testing")]
