"""Reports in the admin: grouped by subject, and closed by decisions of staff."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry as StaffEntry
from django.test import Client

from accounts.models import User
from games.dock.models import Prototype, Review
from games.fleet.models import Starship
from games.moderation.admin.questions import (
    Answer,
    DecisionForDays,
    GroundsForAuthor,
    GroundsForBuilder,
    GroundsForStaff,
)
from games.moderation.models import Case, Moderation, Report, Rule, ShipCase
from games.moderation.services.reports import report_review, report_shared, report_starship
from games.shipyard.services import make_link
from tests.games.admin_pages import address, do, listing, messages_in, permit
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, later

SURE = {"sure": "1", "reason": "Copied from the Tin Canoe."}


@pytest.fixture
def prototype(alice: User) -> Prototype:
    return published(alice, called(alice, "Canoe", *LANE))


def reported(user: User, prototype: Prototype, **more: Any) -> Report:
    given: dict[str, Any] = {"reason": "copied", "text": "<b>Mine</b>", "now": NOW, **more}
    return report_starship(user=user, starship_id=prototype.starship_id, **given)


def case_of(report: Report) -> ShipCase:
    return ShipCase.objects.get(pk=report.case_id)


def test_the_first_page_counts_open_reports(
    staff: Client, prototype: Prototype, bob: User, carol: User
) -> None:
    assert "reported" not in staff.get("/admin/").content.decode()
    reported(bob, prototype)
    reported(carol, prototype)
    finished(prototype.starship, bob)
    review(bob, prototype.starship)
    Review.objects.update(held_until=later(hours=48))
    page = staff.get("/admin/").content.decode()
    assert "1 reported ship or review to decide on." in page
    assert "1 review is held, because its ship got many reviews within a day." in page


def test_reports_of_a_subject_are_grouped(
    staff: Client, prototype: Prototype, alice: User, bob: User, carol: User
) -> None:
    case = case_of(reported(bob, prototype))
    reported(carol, prototype, reason="other", text="It is Bob’s.")
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship, text="Words.")
    given: dict[str, Any] = {"reason": "offensive", "now": NOW}
    report_review(user=carol, starship_id=prototype.starship_id, review_id=said.pk, **given)
    draft = called(alice, "Raft", *LANE)
    link = make_link(user=alice, draft_id=draft.pk, now=NOW).link_token
    shared = case_of(report_shared(user=bob, link=link, **given))
    rows = staff.get(listing(ShipCase), {"state": "open"})
    assert rows.context["cl"].result_count == 3
    page = staff.get(address(case)).content.decode()
    assert "&lt;b&gt;Mine&lt;/b&gt;" in page and "It is Bob’s." in page
    assert f"/starships/{prototype.starship_id}/" in page and "None yet." in page
    assert f"/shipyard/shared/{link}/" in staff.get(address(shared)).content.decode()


def test_staff_take_down_a_reported_ship_and_restore_it(
    staff: Client, prototype: Prototype, bob: User, carol: User
) -> None:
    case = case_of(reported(bob, prototype))
    reported(carol, prototype)
    assert "Take this down?" in do(staff, "take_down", case).content.decode()
    assert not Starship.objects.filter(taken_down_at__isnull=False).exists()
    assert messages_in(do(staff, "take_down", case, **SURE)) == ["Taken down: Canoe."]
    assert Starship.objects.get(pk=prototype.starship_id).taken_down_at is not None
    assert not Case.objects.filter(decided_at=None).exists()
    page = staff.get(address(case)).content.decode()
    assert "Copied from the Tin Canoe." in page and 'value="dismiss"' not in page
    assert "already decided" in messages_in(do(staff, "dismiss", case, **SURE))[0]
    decision = Moderation.objects.get()
    assert "Restore" in staff.get(address(decision)).content.decode()
    do(staff, "restore", decision, sure="1", reason="It is her own.")
    assert Starship.objects.get(pk=prototype.starship_id).taken_down_at is None
    assert 'value="restore"' not in staff.get(address(decision)).content.decode()
    assert set(StaffEntry.objects.values_list("change_message", flat=True)) == {"Taken down.", "Restored."}


def test_staff_dismiss_reports(staff: Client, prototype: Prototype, bob: User) -> None:
    case = case_of(reported(bob, prototype))
    do(staff, "dismiss", case, sure="1", reason=" ")
    case.refresh_from_db()
    assert case.decided_at is None
    assert messages_in(do(staff, "dismiss", case, **SURE)) == ["Dismissed: Canoe."]
    case.refresh_from_db()
    assert case.dismissed
    assert staff.get(listing(ShipCase), {"state": "open"}).context["cl"].result_count == 0
    assert "Reports dismissed" in staff.get(listing(Moderation)).content.decode()


@pytest.mark.parametrize("text", ["", " \n", "x" * 1001, "a\x07", "\u202eelur"])
def test_forms_of_decisions_refuse_unreadable_text(text: str) -> None:
    asked = {"rule": Rule.POLITE, "days": "7", "reason": text, "facts": text, "answer": text}
    for form in (GroundsForAuthor, GroundsForBuilder, GroundsForStaff):
        assert form(asked).errors.keys() == {"reason"}
    assert DecisionForDays(asked).errors.keys() == {"facts"}
    assert Answer(asked).errors.keys() == {"answer"}


def test_forms_of_decisions_refuse_unknown_rules_and_invalid_lengths() -> None:
    for wrong in ({"rule": "hats"}, {"days": "0"}, {"days": "366"}):
        asked = {"rule": Rule.POLITE, "days": "7", "facts": "Rude."} | wrong
        assert DecisionForDays(asked).errors.keys() == wrong.keys()


def test_staff_take_down_an_unreported_ship(staff: Client, prototype: Prototype) -> None:
    ship = prototype.starship
    page = staff.get(address(ship)).content.decode()
    assert "Take down" in page and 'value="restore"' not in page
    assert messages_in(do(staff, "take_down", ship, **SURE)) == ["Taken down: Canoe."]
    page = staff.get(address(ship)).content.decode()
    assert "This starship is taken down" in page and 'value="take_down"' not in page
    do(staff, "restore", ship, **SURE)
    ship.refresh_from_db()
    assert ship.is_offered
    site = lane_ship()
    assert 'value="take_down"' not in staff.get(address(site)).content.decode()
    assert "came with the site" in messages_in(do(staff, "take_down", site, **SURE))[0]


def test_unretiring_a_ship_does_not_undo_its_takedown(staff: Client, prototype: Prototype) -> None:
    do(staff, "take_down", prototype.starship, **SURE)
    do(staff, "retire", prototype.starship)
    do(staff, "bring_back", prototype.starship)
    assert not Starship.objects.get(pk=prototype.starship_id).is_offered


def test_it_requires_the_permission(client: Client, grace: User, prototype: Prototype, bob: User) -> None:
    case = case_of(reported(bob, prototype))
    permit(grace, "view_shipcase", "view_starship")
    client.force_login(grace)
    assert client.get(address(case)).status_code == 200
    do(client, "take_down", case, **SURE)
    do(client, "take_down", prototype.starship, **SURE)
    assert Starship.objects.get(pk=prototype.starship_id).is_offered
    client.logout()
    client.force_login(bob)
    assert client.get(address(case)).status_code == 302
