"""The page of the Space Dock, and the pages to publish and close a prototype."""

from datetime import datetime

from django.test import Client

from accounts.models import User
from games.dock.models import IDLE_AFTER, WARNING_PERIOD, Prototype
from games.dock.services import check_idle_prototypes
from games.fleet.models import Starship
from tests.games.dock.promotions import asks_for_the_fleet
from tests.games.dock.prototypes import called, published, redrawn
from tests.games.shipyard.drawing import WRECK, drafted
from tests.games.support import NOW


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_dock_shows_bays_and_drafts(alice: User) -> None:
    draft = called(alice, "Canoe")
    published(alice, draft)
    page = logged_in(alice).get("/shipyard/").content.decode()
    assert "Version 1, published" in page and "Creative Commons" in page
    assert page.count("This bay is free.") == 1
    assert "1 of 20. Only you can see a draft, unless you share it by link." in page
    assert "Publish the next version" not in page
    redrawn(draft, "a a . .+i1")
    assert "Publish the next version" in logged_in(alice).get("/shipyard/").content.decode()


def test_the_page_explains_publishing(alice: User) -> None:
    draft = called(alice, "Canoe")
    address = f"/shipyard/{draft.pk}/publish/"
    browser = logged_in(alice)
    assert "bay 1 of 2, as version 1" in browser.get(address).content.decode()
    answer = browser.post(address, {"agrees": "on"}, follow=True)
    ship = Starship.objects.get(owner=alice)
    assert answer.redirect_chain == [(f"/starships/{ship.pk}/", 302)]
    assert "Version 1 of Canoe is published." in answer.content.decode()
    assert "Nothing has changed since version 1" in browser.get(address).content.decode()
    redrawn(draft, "a a . .+i1")
    assert "This will be its version 2" in browser.get(address).content.decode()


def test_the_page_lists_obstacles_to_publishing(alice: User) -> None:
    wreck = drafted(alice, *WRECK)
    browser = logged_in(alice)
    page = browser.get(f"/shipyard/{wreck.pk}/publish/").content.decode()
    assert "Fix its errors first" in page and "row" in page.lower()
    assert browser.post(f"/shipyard/{wreck.pk}/publish/", {"agrees": "on"}).status_code == 422


def test_with_full_bays_the_page_offers_to_close_one(alice: User) -> None:
    first = published(alice, called(alice, "One"))
    published(alice, called(alice, "Two"))
    browser = logged_in(alice)
    page = browser.get(f"/shipyard/{called(alice, 'Three').pk}/publish/").content.decode()
    address = f"/shipyard/prototypes/{first.starship_id}/close/"
    assert "Both of your bays are full" in page and address in page
    assert "you keep the draft" in browser.get(address).content.decode()
    assert "has left its bay" in browser.post(address, follow=True).content.decode()
    first.refresh_from_db()
    assert first.status == "closed"
    page = browser.get(f"/starships/{first.starship_id}/").content.decode()
    assert "closed this prototype" in page and "is retired" in page


def test_the_page_of_a_prototype_describes_it(alice: User, bob: User, client: Client) -> None:
    made = published(alice)
    page = client.get(f"/starships/{made.starship_id}/").content.decode()
    assert "Players are testing version 1" in page and "/players/Alice/" in page
    assert "/close/" not in page
    assert "/close/" in logged_in(alice).get(f"/starships/{made.starship_id}/").content.decode()


WARNED_AT = datetime.fromisoformat("2026-11-10T23:30:00+00:00")


def test_a_warned_builder_sees_the_day_on_which_the_bay_becomes_free(
    alice: User, bob: User, client: Client
) -> None:
    made = published(alice)
    Prototype.objects.update(warned_at=WARNED_AT)
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Berlin")
    for path in ("/shipyard/", f"/starships/{made.starship_id}/"):
        page = " ".join(logged_in(alice).get(path).content.decode().split())
        exact = "Wednesday, 25 November 2026, 00:30 (Europe/Berlin)"
        assert f'<time datetime="2026-11-25T00:30:00+01:00" title="{exact}">' in page
        assert "25 November 2026</time> unless at least two people play a game on it or you publish" in page
        assert "You keep the draft." in page
    page = " ".join(client.get(f"/starships/{made.starship_id}/").content.decode().split())
    assert "24 November 2026</time> unless at least two people play a game on it." in page
    assert "You keep the draft." not in page


def test_a_page_does_not_say_that_nothing_is_deleted_to_a_builder_without_the_draft(alice: User) -> None:
    made = published(alice)
    Prototype.objects.update(warned_at=WARNED_AT, draft=None)
    page = logged_in(alice).get(f"/starships/{made.starship_id}/").content.decode()
    assert "It leaves its bay on" in page and "You keep the draft." not in page


def test_no_page_warns_while_the_committee_decides(alice: User) -> None:
    made = published(alice)
    asks_for_the_fleet(made)
    Prototype.objects.update(warned_at=WARNED_AT)
    for path in ("/shipyard/", f"/starships/{made.starship_id}/"):
        assert "It leaves its bay on" not in logged_in(alice).get(path).content.decode()


def test_the_page_of_a_ship_that_left_its_bay_gives_the_reason(alice: User, client: Client) -> None:
    made = published(alice)
    check_idle_prototypes(now=NOW + IDLE_AFTER)
    check_idle_prototypes(now=NOW + IDLE_AFTER + WARNING_PERIOD)
    address = f"/starships/{made.starship_id}/"
    page = client.get(address).content.decode()
    assert '<p class="message"><span>This prototype left its bay <time' in page, "one text beside the sign"
    assert "no two people had played together on it for 90 days" in page and "is retired" in page
    assert "publish it again" not in page
    own = logged_in(alice).get(address).content.decode()
    assert "You can publish it again from its draft." in own
    assert f'href="/shipyard/{made.draft_id}/">Edit</a>' in own and "/close/" not in own
    assert logged_in(alice).get("/shipyard/").content.decode().count("This bay is free.") == 2


def test_html_in_names_and_stories_is_shown_as_text(alice: User, client: Client) -> None:
    draft = called(alice, "<b>Canoe</b>")
    draft.document["description"] = "<script>alert(1)</script>"
    draft.save()
    ship = published(alice, draft).starship
    page = client.get(f"/starships/{ship.pk}/").content.decode()
    assert "<b>Canoe" not in page and "<script>alert" not in page
    assert "&lt;b&gt;Canoe" in page and "&lt;script&gt;alert" in page
