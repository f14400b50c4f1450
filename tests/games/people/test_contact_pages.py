"""The page of contacts, the buttons on a player's page, and the API of contacts."""

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts.models import User
from games.chat.services import post_line
from games.people.contacts import block, follow, write_note
from games.people.models import Block, Follow
from games.play.models import Game
from tests.games.api_client import Api
from tests.games.reader import ReaderOf
from tests.games.support import NOW

BOB = "/players/Bob/"


@pytest.fixture
def browser(alice: User) -> Client:
    client = Client()
    client.force_login(alice)
    return client


def test_a_player_is_followed_blocked_and_noted_on_their_page(
    browser: Client, alice: User, bob: User, read: ReaderOf
) -> None:
    page = read(alice).get(BOB)
    assert "Follow" in page
    asked = page.html.partition('value="block"')[0].rpartition("<details")[2]
    assert asked.count("<form") == 1 and "Block Bob?" in asked, "a question comes before the button"
    for do, said in (
        ("follow", "You follow Bob."),
        ("unfollow", "You no longer follow Bob."),
        ("block", "You blocked Bob."),
        ("unblock", "You unblocked Bob."),
    ):
        answer = browser.post(f"{BOB}contact/", {"do": do}, follow=True)
        assert said in answer.content.decode()
    assert not (Follow.objects.exists() or Block.objects.exists())
    saved = browser.post(f"{BOB}note/", {"text": "Shoots first."}, follow=True).content.decode()
    assert "Your note about Bob is saved." in saved and ">Shoots first.</textarea>" in saved
    assert "Shoots first." not in read(bob).get(BOB).html


def test_refusals_are_shown_on_the_page(browser: Client, alice: User, bob: User) -> None:
    block(user=bob, robo_name="Alice", now=NOW)
    refused = browser.post(f"{BOB}contact/", {"do": "follow"}, follow=True).content.decode()
    assert "You can’t follow Bob." in refused


def test_a_blocked_player_can_be_reported(alice: User, bob: User, read: ReaderOf) -> None:
    block(user=alice, robo_name="Bob", now=NOW)
    form = read(alice).get(BOB).html.partition('class="stack contact"')[2].partition("</form>")[0]
    assert "Unblock" in form
    assert 'href="/players/Bob/report/"' in form


def test_strangers_and_the_player_see_no_buttons(alice: User, bob: User, read: ReaderOf) -> None:
    assert "contact-title" not in read(None).get(BOB).html
    assert "contact-title" not in read(bob).get(BOB).html


def test_the_page_of_contacts_lists_them(
    alice: User, bob: User, carol: User, dave: User, read: ReaderOf
) -> None:
    assert "You follow no one yet." in read(alice).get("/my-people/")
    follow(user=alice, robo_name="Bob", now=NOW)
    follow(user=carol, robo_name="Alice", now=NOW)
    write_note(user=alice, robo_name="Bob", text="Shoots first.", now=NOW)
    block(user=alice, robo_name="Dave", now=NOW)
    page = read(alice).get("/my-people/")
    assert "You follow Bob Shoots first." in page
    assert "They follow you Carol" in page and "Blocked Dave" in page


def test_my_room_shows_present_contacts(alice: User, bob: User, read: ReaderOf) -> None:
    assert "within the hour" not in read(alice).get("/my-room/")
    follow(user=alice, robo_name="Bob", now=NOW)
    follow(user=bob, robo_name="Alice", now=NOW)
    session = {"ip": "127.0.0.1", "session_key": "key", "user_agent": "", "data": {}}
    seen = UserSession.objects.create(user=bob, **session)
    UserSession.objects.filter(pk=seen.pk).update(last_seen_at=NOW)
    assert "Online in the last hour: Bob" in read(alice).get("/my-room/")


def test_a_line_of_a_blocked_player_is_marked_as_hidden(
    duel: Game, alice: User, bob: User, read: ReaderOf
) -> None:
    post_line(user=bob, game_id=duel.pk, text="You tin can!", now=NOW)
    block(user=alice, robo_name="Bob", now=NOW)
    for path in (f"/games/{duel.pk}/", f"/games/{duel.pk}/chat/"):
        page = read(alice).get(path)
        assert "Hidden: you blocked this player." in page and "tin can" not in page.html


def test_the_api_does_the_same(alice: User, bob: User) -> None:
    api = Api(alice)
    assert api.put("players/bob/follow").body["follows"]
    assert api.put("players/Bob/note", {"text": "Fast."}).body["note"] == "Fast."
    told = api.get("me/people").body
    assert [each["robo_name"] for each in told["follows"]] == ["Bob"]
    assert not api.delete("players/Bob/follow").body["follows"]
    assert api.put("players/Bob/block").body["blocked"]
    assert api.put("players/Bob/follow").status == 409
    assert Api(bob).put("players/Alice/follow").status == 403
    assert not api.delete("players/Bob/block").body["blocked"]
