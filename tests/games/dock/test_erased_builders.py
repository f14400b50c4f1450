"""Ships of deleted accounts remain under a placeholder name."""

from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry as StaffEntry
from django.utils import timezone

from accounts.models import User
from games.dock.models import Prototype
from games.dock.services import vote_about
from games.fleet.models import Starship, StarshipRevision
from games.moderation.models import Report
from games.moderation.services.reports import report_starship
from games.moderation.services.takedown import dismiss_reports, take_down_starship
from games.people.selectors.personal_data import personal_data
from games.people.services.scrubbing import rename_ships
from games.play.models import Game
from games.shipyard.models import StarshipDraft
from games.shipyard.services import fly_draft, make_link, save_draft
from tests.games.deletions import erased, faults, rows_with
from tests.games.dock.promotions import member, played_by, request_promotion
from tests.games.dock.prototypes import called, published
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, Table


def named(user: User, name: str, story: str = "") -> Prototype:
    draft = called(user, name, *LANE)
    document = {**draft.document, "description": story}
    save_draft(user=user, draft_id=draft.pk, expected_version=None, document=document, now=NOW)
    return published(user, StarshipDraft.objects.get(pk=draft.pk))


def test_prototypes_remain_under_a_placeholder_and_drafts_are_deleted(alice: User) -> None:
    prototype = published(alice, called(alice, "Canoe", *LANE))
    make_link(user=alice, draft_id=called(alice, "Raft", *LANE).pk, now=NOW)
    erased(alice)
    prototype.refresh_from_db()
    ship = prototype.starship
    assert (ship.owner_id, ship.builder, ship.name) == (alice.pk, f"Deleted-{alice.pk}", "Canoe")
    assert (ship.slug, prototype.draft) == ("canoe", None)
    assert not StarshipDraft.objects.exists()
    assert rows_with("alice") == []


def test_a_ship_in_the_fleet_remains_under_a_placeholder(alice: User) -> None:
    promotion = request_promotion(alice)
    for name in ("Mia", "Max"):
        vote_about(user=member(name), promotion_id=promotion.pk, vote="promote", now=NOW)
    erased(alice)
    ship = Starship.objects.get(pk=promotion.prototype.starship_id)
    assert (ship.section, ship.builder) == ("fleet", f"Deleted-{alice.pk}")
    assert rows_with("alice") == []


def test_a_ship_named_after_its_builder_gets_a_neutral_name(alice: User, erin: User) -> None:
    prototype = named(alice, "Alice’s Canoe", "Alice built it for her cat.")
    number = prototype.starship_id
    StaffEntry.objects.log_actions(erin.pk, Starship.objects.filter(pk=number), CHANGE, "Retired.")
    erased(alice)
    ship = Starship.objects.get(pk=number)
    assert (ship.name, ship.slug) == (f"Starship {number}", f"starship-{number}")
    assert ship.current is not None
    assert ship.current.document["name"] == ship.name
    assert ship.current.document["description"] == f"Deleted-{alice.pk} built it for her cat."
    assert rows_with("alice") == []


def test_a_longer_word_that_contains_the_name_is_unchanged(alice: User) -> None:
    prototype = named(alice, "Alicentown")
    erased(alice)
    prototype.starship.refresh_from_db()
    assert (prototype.starship.name, prototype.starship.slug) == ("Alicentown", "alicentown")
    assert prototype.starship.revisions.count() == 1


def test_games_keep_their_board_and_still_verify(alice: User, bob: User, carol: User) -> None:
    prototype = named(alice, "Alice’s Canoe")
    over = played_by(prototype, bob, carol)
    running = Table(prototype.starship).game(bob, carol)
    erased(alice)
    over.refresh_from_db()
    assert faults(over) == []
    assert over.board_name == f"Starship {prototype.starship_id}"
    ship = Starship.objects.get(pk=prototype.starship_id)
    assert ship.current is not None and ship.current_id != over.revision_id
    assert ship.current.document["rows"] == StarshipRevision.objects.get(pk=over.revision_id).document["rows"]
    running = Game.objects.get(pk=running.pk)
    Table(ship).play(running, bob, carol)
    assert running.revision_id == over.revision_id


def test_erasing_again_gives_the_same_result(alice: User) -> None:
    prototype = named(alice, "Alice’s Canoe")
    erased(alice)
    before = list(StarshipRevision.objects.values_list("pk", "document"))
    slug = Starship.objects.get(pk=prototype.starship_id).slug
    rename_ships(builder=User.objects.get(pk=alice.pk), scrub=lambda text: text, now=NOW)
    assert list(StarshipRevision.objects.values_list("pk", "document")) == before
    assert Starship.objects.get(pk=prototype.starship_id).slug == slug


def test_test_flights_go_with_their_drafts_owner(alice: User) -> None:
    draft = called(alice, "Alice’s Raft", *LANE)
    fly_draft(user=alice, draft_id=draft.pk, now=NOW)
    erased(alice)
    assert not Game.objects.exists() and rows_with("alice") == []


def test_a_person_s_reports_are_deleted_and_those_of_others_remain(
    alice: User, bob: User, carol: User, erin: User
) -> None:
    ship = published(alice, called(alice, "Canoe", *LANE)).starship_id
    given: dict[str, Any] = {"starship_id": ship, "reason": "copied", "now": NOW}
    report = report_starship(user=bob, text="By me.", **given)
    report_starship(user=carol, text="Alice has copied from Bob.", **given)
    dismiss_reports(user=erin, case_id=report.case_id, reason="Alice did not.", now=NOW)
    erased(bob)
    (left,) = Report.objects.all()
    assert (left.reporter, left.text) == (carol, "Alice has copied from Bob.")
    erased(alice)
    left.refresh_from_db()
    assert left.text == "Alice has copied from Bob."


def test_a_taken_down_ship_remains_taken_down(alice: User, erin: User) -> None:
    prototype = named(alice, "Alice’s Canoe")
    take_down_starship(user=erin, starship_id=prototype.starship_id, reason="It is a copy.", now=NOW)
    erased(alice)
    ship = Starship.objects.get(pk=prototype.starship_id)
    assert (ship.taken_down_at, ship.name) == (NOW, f"Starship {ship.pk}")
    assert rows_with("alice") == []


def test_each_export_contains_the_person_s_own_reports(alice: User, bob: User) -> None:
    ship = published(alice, called(alice, "Canoe", *LANE)).starship_id
    report_starship(user=bob, starship_id=ship, reason="copied", text="By me.", now=NOW)
    (sent,) = personal_data(user=bob, now=timezone.now())["reports"]
    assert (sent["starship_id"], sent["reason"], sent["text"]) == (ship, "copied", "By me.")
    assert personal_data(user=alice, now=timezone.now())["reports"] == []
