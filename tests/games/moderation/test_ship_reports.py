"""Reports of ships, shared drafts and reviews.

One decision closes all reports of a subject.
"""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from accounts.guests import make_guest
from accounts.models import User
from games.dock.models import Prototype
from games.errors import Conflict, Forbidden, Gone, Invalid, NotFound, ServiceError, TooMany
from games.fleet.models import Starship
from games.moderation.inputs import NewReport
from games.moderation.models import Case, Moderation, Report
from games.moderation.sanctions import REPORTS_KEPT
from games.moderation.services.reports import (
    SHIP_REPORTS,
    forget_reports,
    report_player,
    report_review,
    report_shared,
    report_starship,
)
from games.moderation.services.takedown import (
    dismiss_reports,
    hide_review,
    take_down_reported,
    take_down_starship,
)
from games.people.selectors.personal_data import personal_data
from games.shipyard.services import make_link
from tests import cast
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, later, sweep

WHY: dict[str, Any] = {"reason": "Copied from the Tin Canoe.", "now": NOW}


@pytest.fixture
def prototype(alice: User) -> Prototype:
    return published(alice, called(alice, "Canoe", *LANE))


def reported(user: User, prototype: Prototype, **more: Any) -> Report:
    given = {"reason": "copied", "text": "It is mine.", "now": NOW, **more}
    return report_starship(user=user, starship_id=prototype.starship_id, **given)


def refused(call: Any, error: type[ServiceError], code: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert caught.value.code == code


def test_a_ship_is_reported_once_until_staff_decide(
    prototype: Prototype, bob: User, carol: User, erin: User
) -> None:
    report = reported(bob, prototype, text="It is mine.")
    assert (report.case.about, report.text, report.case.decided_at) == (
        prototype.starship,
        "It is mine.",
        None,
    )
    refused(partial(reported, bob, prototype), Conflict, "reported")
    reported(carol, prototype)
    dismiss_reports(user=erin, case_id=report.case_id, **WHY)
    assert reported(bob, prototype).pk != report.pk


def test_a_review_is_reported(prototype: Prototype, bob: User, carol: User) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship, 1, text="Bad words.")
    given: dict[str, Any] = {"review_id": said.pk, "reason": "offensive", "now": NOW}
    report = report_review(user=carol, starship_id=prototype.starship_id, **given)
    assert (report.case.about, report.case.starship) == (said, None)
    elsewhere = lane_ship().pk
    refused(partial(report_review, user=carol, starship_id=elsewhere, **given), NotFound, "no-review")
    own = partial(report_review, user=bob, starship_id=prototype.starship_id, **given)
    refused(own, Forbidden, "own")


def test_a_draft_is_reported_by_its_link(alice: User, bob: User) -> None:
    draft = called(alice, "Canoe", *LANE)
    link = make_link(user=alice, draft_id=draft.pk, now=NOW).link_token
    report = report_shared(user=bob, link=link, reason="offensive", now=NOW)
    assert report.case.about == draft
    refused(partial(report_shared, user=bob, link=link, reason="copied", now=NOW), Conflict, "reported")
    refused(partial(report_shared, user=bob, link="x", reason="copied", now=NOW), NotFound, "no-shared-draft")
    refused(partial(report_shared, user=alice, link=link, reason="copied", now=NOW), Forbidden, "own")


def test_own_and_built_in_things_cannot_be_reported(prototype: Prototype, alice: User, bob: User) -> None:
    refused(partial(reported, alice, prototype), Forbidden, "own")
    refused(partial(reported, make_guest(), prototype), Forbidden, "guest")
    site = partial(report_starship, user=bob, starship_id=lane_ship().pk, reason="copied", now=NOW)
    refused(site, Forbidden, "not-of-people")
    nowhere = partial(report_starship, user=bob, starship_id=999_999, reason="copied", now=NOW)
    refused(nowhere, NotFound, "no-starship")


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"reason": "boring"}, "reason"),
        ({"text": "x" * 1001}, "text"),
        ({"text": "a\x07b"}, "text"),
        ({"reason": "other", "text": " \n"}, "text"),
    ],
)
def test_an_invalid_report_is_refused_with_a_reason(sent: dict[str, Any], code: str) -> None:
    with pytest.raises(Invalid) as caught:
        NewReport(data={"reason": "copied", **sent}).allowed()
    assert [problem["code"] for problem in caught.value.problems] == [code]


def test_a_person_sends_a_limited_number_of_reports_a_day(bob: User) -> None:
    builders = [cast.person(f"Builder-{number}") for number in range(SHIP_REPORTS.most + 1)]
    *ships, last = [published(each, called(each, f"{each.robo_name}’s boat", *LANE)) for each in builders]
    for ship in ships:
        reported(bob, ship)
    with pytest.raises(TooMany):
        reported(bob, last, now=later(hours=23))
    reported(bob, last, now=later(hours=25))


def test_a_takedown_closes_all_reports_of_the_ship(
    prototype: Prototype, bob: User, carol: User, erin: User
) -> None:
    first, second = reported(bob, prototype), reported(carol, prototype)
    take_down_reported(user=erin, case_id=second.case_id, **WHY)
    assert [(case.decided_at, case.dismissed) for case in Case.objects.all()] == [(NOW, False)]
    assert Starship.objects.get(pk=prototype.starship_id).taken_down_at == NOW
    refused(partial(dismiss_reports, user=erin, case_id=first.case_id, **WHY), Conflict, "decided")
    refused(partial(take_down_reported, user=erin, case_id=first.case_id, **WHY), Conflict, "decided")
    refused(partial(reported, bob, prototype), Gone, "taken-down")


def test_a_takedown_without_a_report_closes_open_reports_too(
    prototype: Prototype, bob: User, erin: User
) -> None:
    report = reported(bob, prototype)
    take_down_starship(user=erin, starship_id=prototype.starship_id, **WHY)
    report.case.refresh_from_db()
    assert (report.case.decided_at, report.case.dismissed) == (NOW, False)


def test_a_reported_review_is_hidden(
    prototype: Prototype, bob: User, carol: User, dave: User, erin: User
) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship, 1)
    for user in (carol, dave):
        given: dict[str, Any] = {"review_id": said.pk, "reason": "offensive", "now": NOW}
        report = report_review(user=user, starship_id=prototype.starship_id, **given)
    take_down_reported(user=erin, case_id=report.case_id, **WHY)
    said.refresh_from_db()
    assert said.hidden_at == NOW and not Case.objects.filter(decided_at=None).exists()
    assert Moderation.objects.get().action == "hide"


def test_hiding_a_review_closes_its_reports(prototype: Prototype, bob: User, carol: User, erin: User) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship, 1)
    given: dict[str, Any] = {"review_id": said.pk, "reason": "offensive", "now": NOW}
    report = report_review(user=carol, starship_id=prototype.starship_id, **given)
    hide_review(user=erin, review_id=said.pk, **WHY)
    report.case.refresh_from_db()
    assert (report.case.decided_at, report.case.dismissed) == (NOW, False)


def test_a_reported_shared_draft_is_taken_down(alice: User, bob: User, erin: User) -> None:
    draft = called(alice, "Canoe", *LANE)
    link = make_link(user=alice, draft_id=draft.pk, now=NOW).link_token
    report = report_shared(user=bob, link=link, reason="offensive", now=NOW)
    take_down_reported(user=erin, case_id=report.case_id, **WHY)
    draft.refresh_from_db()
    assert (draft.taken_down_at, draft.link_token) == (NOW, "")


def test_a_dismissed_subject_is_unchanged(prototype: Prototype, bob: User, carol: User, erin: User) -> None:
    report = reported(bob, prototype)
    reported(carol, prototype)
    dismiss_reports(user=erin, case_id=report.case_id, reason="They do not look alike.", now=NOW)
    assert [(case.decided_at, case.dismissed) for case in Case.objects.all()] == [(NOW, True)]
    assert Starship.objects.get(pk=prototype.starship_id).is_offered
    kept = Moderation.objects.get()
    assert (kept.action, kept.starship, kept.by) == ("dismiss", prototype.starship, erin)


def test_only_staff_decide(prototype: Prototype, bob: User, erin: User) -> None:
    report = reported(bob, prototype)
    for deed in (dismiss_reports, take_down_reported):
        refused(partial(deed, user=bob, case_id=report.case_id, **WHY), Forbidden, "not-staff")
        refused(partial(deed, user=erin, case_id=999_999, **WHY), NotFound, "no-case")
    assert Case.objects.filter(decided_at=None).count() == 1


def test_a_person_s_data_includes_their_reports_and_the_results(
    prototype: Prototype, alice: User, bob: User, erin: User
) -> None:
    take_down_reported(user=erin, case_id=reported(bob, prototype).case_id, **WHY)
    report_player(user=bob, robo_name="Alice", about="name", rule="polite", text="Rude.", now=NOW)
    held = personal_data(user=bob, now=NOW)
    (of_ship,), (of_player,) = held["reports"], held["reports_of_players"]
    assert list(of_ship)[1:5] == ["starship_id", "draft_id", "review_id", "reporter_id"]
    assert (of_ship["starship_id"], of_ship["draft_id"]) == (prototype.starship_id, None)
    assert (of_ship["created_at"], of_ship["closed_at"], of_ship["outcome"]) == (NOW, NOW, "taken-down")
    assert (of_player["rule"], of_player["about"], of_player["text"]) == ("polite", "name", "Rude.")


def test_old_decisions_are_deleted(prototype: Prototype, bob: User, carol: User, erin: User) -> None:
    dismiss_reports(user=erin, case_id=reported(bob, prototype).case_id, **WHY)
    waiting = reported(carol, prototype)
    assert forget_reports(now=NOW + REPORTS_KEPT - timedelta(days=1)) == 0
    sweep(NOW + REPORTS_KEPT)
    assert list(Report.objects.all()) == [waiting]
