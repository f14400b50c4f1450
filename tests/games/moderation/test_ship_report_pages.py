"""The form to report a ship, and pages after a takedown."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.dock.models import Prototype
from games.fleet.figures import choose_ship_of_the_week
from games.fleet.services import add_favourite
from games.moderation.models import Report
from games.moderation.services.reports import report_starship
from games.moderation.services.takedown import restore_starship, take_down_draft, take_down_starship
from games.shipyard.services import make_link
from tests.games.api_client import Api
from tests.games.dock.promotions import request_promotion
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, lane_ship, review
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, Table

WHY: dict[str, Any] = {"reason": "Copied from <b>Bob</b>.", "now": NOW}


@pytest.fixture
def prototype(alice: User) -> Prototype:
    return published(alice, called(alice, "Canoe", *LANE))


def as_person(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def page(user: User | None, path: str, status: int = 200) -> str:
    answer = as_person(user).get(path)
    assert answer.status_code == status
    return answer.content.decode()


def test_a_ship_is_reported_with_a_plain_form_and_its_page_says_so(prototype: Prototype, bob: User) -> None:
    path = f"/starships/{prototype.starship_id}/"
    assert f'href="{path}report/"' in page(bob, path)
    assert "Only staff see who reported it." in page(bob, f"{path}report/")
    answer = as_person(bob).post(f"{path}report/", {"reason": "copied", "text": "It is mine."}, follow=True)
    assert answer.redirect_chain == [(path, 302)]
    told = answer.content.decode()
    assert "Report sent. Staff will look at it." in told
    assert "You reported this ship." in told and f'href="{path}report/"' not in told
    assert Report.objects.get().text == "It is mine."


def test_others_do_not_learn_of_a_report(
    prototype: Prototype, alice: User, bob: User, carol: User, erin: User
) -> None:
    report_starship(user=bob, starship_id=prototype.starship_id, reason="copied", text="Mine!", now=NOW)
    path = f"/starships/{prototype.starship_id}/"
    for user in (alice, carol, None):
        told = page(user, path)
        assert "reported" not in told and "Mine!" not in told
    take_down_starship(user=erin, starship_id=prototype.starship_id, reason="Too alike.", now=NOW)
    for told in (page(alice, path, 410), page(alice, "/shipyard/")):
        assert "Too alike." in told
        assert not any(secret in told for secret in ("Bob", "Erin", "Mine!"))


def test_an_invalid_report_stays_in_the_form(prototype: Prototype, bob: User) -> None:
    path = f"/starships/{prototype.starship_id}/report/"
    for sent, words in (
        ({}, "Choose what is wrong."),
        ({"reason": "nonsense", "text": "Kept"}, "Kept"),
        ({"reason": "other", "text": " "}, "Describe what is wrong, so that staff can find it."),
        ({"reason": "copied", "text": "x" * 1001}, "and the limit is 1000"),
    ):
        answer = as_person(bob).post(path, sent)
        assert answer.status_code == 422 and words in answer.content.decode()
    as_person(bob).post(path, {"reason": "copied"})
    again = as_person(bob).post(path, {"reason": "copied"})
    assert again.status_code == 409 and "You have already reported this." in again.content.decode()


def test_a_review_is_reported_from_the_list_of_reviews(prototype: Prototype, bob: User, carol: User) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship, 1, text="<i>Bad</i> words.")
    reviews = f"/starships/{prototype.starship_id}/reviews/"
    path = f"{reviews}{said.pk}/report/"
    assert path in page(carol, reviews) and path not in page(bob, reviews) and path not in page(None, reviews)
    assert "&lt;i&gt;Bad&lt;/i&gt; words." in page(carol, path)
    as_person(carol).post(path, {"reason": "offensive"})
    assert "You reported this review." in page(carol, reviews)
    assert "You reported this review." not in page(bob, reviews)
    assert as_person(carol).get(f"/starships/{lane_ship().pk}/reviews/{said.pk}/report/").status_code == 404


def test_a_shared_ship_is_reported(alice: User, bob: User) -> None:
    draft = called(alice, "Canoe", *LANE)
    link = make_link(user=alice, draft_id=draft.pk, now=NOW).link_token
    path = f"/shipyard/shared/{link}/"
    assert f"{path}report/" in page(bob, path)
    assert f"{path}report/" not in page(alice, path) and f"{path}report/" not in page(None, path)
    answer = as_person(bob).post(f"{path}report/", {"reason": "offensive"})
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "You reported this ship." in page(bob, path)


def test_built_in_ships_cannot_be_reported_on_their_page(bob: User) -> None:
    ship = lane_ship()
    assert "Report this ship" not in page(bob, f"/starships/{ship.pk}/")
    assert as_person(bob).post(f"/starships/{ship.pk}/report/", {"reason": "copied"}).status_code == 403


def test_its_page_is_gone_and_only_builder_and_staff_read_the_reason(
    prototype: Prototype, alice: User, bob: User, erin: User
) -> None:
    ship = prototype.starship_id
    take_down_starship(user=erin, starship_id=ship, **WHY)
    for user in (bob, None):
        told = page(user, f"/starships/{ship}/", 410)
        assert "Staff took it down. Running games on it continue, but no new ones can start." in told
        assert "Canoe" not in told and "Copied from" not in told
    for user in (alice, erin):
        told = page(user, f"/starships/{ship}/", 410)
        assert "Canoe was taken down" in told and "Copied from &lt;b&gt;Bob&lt;/b&gt;." in told
    restore_starship(user=erin, starship_id=ship, reason="A mistake.", now=NOW)
    assert "Canoe" in page(bob, f"/starships/{ship}/")


def test_all_pages_below_it_are_gone(prototype: Prototype, bob: User, erin: User) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship)
    ship = prototype.starship_id
    take_down_starship(user=erin, starship_id=ship, **WHY)
    client = as_person(bob)
    for path in ("reviews/", "review/", "report/", f"reviews/{said.pk}/report/"):
        assert client.get(f"/starships/{ship}/{path}").status_code == 410
    for path in ("review/", "favourite/", "fly/", "report/"):
        assert client.post(f"/starships/{ship}/{path}", {"stars": "5", "reason": "copied"}).status_code == 410
    assert client.get("/games/new/", {"starship": ship}).status_code == 200
    assert "Canoe" not in client.get("/games/new/", {"starship": ship}).content.decode()


def test_its_drawings_are_gone_within_the_hour_of_caching(
    prototype: Prototype, alice: User, erin: User
) -> None:
    ship = prototype.starship
    drawings = [
        f"/starships/drawings/{version.pk}-{theme}.{kind}"
        for version in ship.revisions.all()
        for theme in ("light", "dark")
        for kind in ("svg", "png")
    ]
    for path in (*drawings, f"{drawings[0]}?checkpoints=1"):
        assert as_person(None).get(path)["Cache-Control"] == "public, max-age=3600"
    take_down_starship(user=erin, starship_id=ship.pk, **WHY)
    for user in (None, alice, erin):
        for path in (*drawings, f"{drawings[0]}?checkpoints=1"):
            answer = as_person(user).get(path)
            assert answer.status_code == 410
            assert "max-age=3600" not in answer.headers.get("Cache-Control", "")
    restore_starship(user=erin, starship_id=ship.pk, **WHY)
    assert as_person(None).get(drawings[0]).status_code == 200


def test_a_game_on_it_draws_its_own_board_in_lists(
    prototype: Prototype, alice: User, bob: User, erin: User
) -> None:
    game = Table(prototype.starship).game(bob, alice)
    drawing = f"/starships/drawings/{game.revision_id}-light"
    assert drawing in page(bob, "/my-room/") and drawing in page(None, f"/games/{game.pk}/")
    take_down_starship(user=erin, starship_id=prototype.starship_id, **WHY)
    for path in ("/my-room/", "/games/", f"/games/{game.pk}/"):
        assert drawing not in page(bob, path), path
    own = f"/games/{game.pk}/board-light.svg"
    assert own in page(bob, "/my-room/")
    assert as_person(None).get(own).status_code == 200


def test_the_builder_reads_the_reason_in_the_space_dock(
    prototype: Prototype, alice: User, erin: User
) -> None:
    raft = called(alice, "Raft", *LANE)
    make_link(user=alice, draft_id=raft.pk, now=NOW)
    assert "taken down" not in page(alice, "/shipyard/")
    take_down_starship(user=erin, starship_id=prototype.starship_id, **WHY)
    take_down_draft(user=erin, draft_id=raft.pk, reason="A bad word in it.", now=NOW)
    told = page(alice, "/shipyard/")
    assert "Copied from &lt;b&gt;Bob&lt;/b&gt;." in told and "A bad word in it." in told
    assert told.count("This bay is free.") == 2
    assert "you can’t share it" in page(alice, f"/shipyard/{raft.pk}/share/")
    assert "you can’t publish it" in page(alice, f"/shipyard/{raft.pk}/publish/")
    again = as_person(alice).post(f"/shipyard/{raft.pk}/share/", {"do": "make"}, follow=True)
    assert "you can’t share it" in again.content.decode()


def test_no_public_list_contains_its_name(prototype: Prototype, alice: User, bob: User, erin: User) -> None:
    promotion = request_promotion(alice)
    name = promotion.prototype.starship.name
    ship = promotion.prototype.starship_id
    add_favourite(user=bob, starship_id=ship, now=NOW)
    choose_ship_of_the_week(now=NOW)
    take_down_starship(user=erin, starship_id=ship, **WHY)
    for path in (
        "/starships/",
        "/starships/?section=prototypes",
        "/starships/weeks/",
        "/starships/favourites/",
    ):
        assert f"/starships/{ship}/" not in page(bob, path)
    told = page(bob, "/dock/decisions/")
    assert "Taken down by staff" in told and "Ship taken down by staff" in told and name not in told


def test_the_api_reports_ships_and_does_not_find_those_taken_down(
    prototype: Prototype, alice: User, bob: User, carol: User, erin: User
) -> None:
    finished(prototype.starship, bob)
    said = review(bob, prototype.starship)
    ship = prototype.starship_id
    sent = Api(bob).post(f"starships/{ship}/reports", {"reason": "copied", "text": "Mine."})
    assert (sent.status, sent.body["reason"], sent.body["text"]) == (200, "copied", "Mine.")
    assert Api(bob).post(f"starships/{ship}/reports", {"reason": "copied"}).refusal == (409, "reported")
    assert Api(alice).post(f"starships/{ship}/reports", {"reason": "copied"}).refusal == (403, "own")
    about = {"reason": "offensive", "review": said.pk}
    assert Api(carol).post(f"starships/{ship}/reports", about).status == 200
    wrong = Api(carol).post(f"starships/{ship}/reports", {"reason": "dull"})
    assert (wrong.status, wrong.body["problems"][0]["code"]) == (422, "reason")
    take_down_starship(user=erin, starship_id=ship, **WHY)
    for path in (f"starships/{ship}", f"starships/{ship}/reviews"):
        assert Api(None).get(path).refusal == (410, "taken-down")
    assert Api(bob).post(f"starships/{ship}/reports", {"reason": "copied"}).refusal == (410, "taken-down")
    assert Api(bob).put(f"starships/{ship}/review", {"stars": 5}).refusal == (410, "taken-down")
    assert Api(None).get("starships", section="prototypes").body["results"] == []
    assert Api(bob).get(f"dock/promotions/{ship}").status in (403, 404)
    assert Api(alice).get("shipyard/prototypes").body["results"][0]["status"] == "taken-down"
    assert Api(bob).post("games", {"name": "Trial", "starship": ship, "seats": 2}).status == 404
    assert Api(bob).delete(f"starships/{ship}/review").status == 200


def test_the_api_reports_shared_drafts(alice: User, bob: User) -> None:
    link = make_link(user=alice, draft_id=called(alice, "Canoe", *LANE).pk, now=NOW).link_token
    assert Api(bob).post(f"shipyard/shared/{link}/reports", {"reason": "copied"}).status == 200
    assert Api(bob).post("shipyard/shared/nowhere/reports", {"reason": "copied"}).status == 404
    assert Report.objects.count() == 1
