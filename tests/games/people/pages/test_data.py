"""My data: the page, the password-protected file, and account deletion."""

import html
import json

from django.test import Client

from accounts.models import User
from games.chat.services import post_line
from games.people.models import Deletion
from games.play.models import Game
from tests.cast import password_of
from tests.games.deletions import played_out
from tests.games.people.test_token_pages import signed_in
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table

PAGE = "/settings/data/"
FILE = "/settings/data/file/"
DELETE = "/settings/data/delete/"


def test_the_page_links_to_the_file(alice: User, read: ReaderOf) -> None:
    page = read(alice).get(PAGE)
    assert page.status == 200
    assert FILE in page.links
    assert PAGE in read(alice).get("/settings/profile/").links


def test_the_file_requires_the_password_and_is_complete(duel: Game, alice: User, client: Client) -> None:
    post_line(user=alice, game_id=duel.pk, text="Hello!", now=NOW)
    alice.set_password("robots-in-orbit")
    alice.save()
    client.force_login(alice)
    asked = client.get(FILE)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    answer = client.post(asked.headers["Location"], {"password": "robots-in-orbit"}, follow=True)
    assert answer.headers["Content-Disposition"] == 'attachment; filename="robo-runner-my-data.json"'
    assert "no-store" in answer.headers["Cache-Control"]
    held = json.loads(answer.content)
    assert held["person"]["robo_name"] == "Alice"
    assert [row["text"] for row in held["chat"]] == ["Hello!"]


def test_the_page_explains_the_consequences_before_it_asks(
    table: Table, lane: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    assert "under way" not in read(alice).get(DELETE).text
    table.game(alice, bob)
    table.game(bob, alice)
    table.game(alice, seats=1)
    table.game(bob, alice, seats=3)
    table.game(alice, seats=1, private=True)
    played_out(lane, alice, bob)
    page = read(alice).get(DELETE)
    for words in (
        f"Within minutes, games will show Deleted-{alice.pk} instead",
        "2 running games",
        "1 game against computers",
        "1 lobby",
        "1 finished game Everyone who can see it now can still replay and verify it",
        "1 private game that only you were in",
    ):
        assert words in page.text, page.text
    assert DELETE in read(alice).get(PAGE).links
    assert User.objects.get(pk=alice.pk).deleted_at is None


def test_the_account_is_deleted_after_the_password(alice: User, client: Client) -> None:
    client.force_login(alice)
    asked = client.post(DELETE, {"robo_name": "alice", "takes_chat": "on"})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/?next=")
    assert User.objects.get(pk=alice.pk).deleted_at is None
    wrong = client.post(asked.headers["Location"], {"password": "guess"})
    assert wrong.status_code == 200
    assert User.objects.get(pk=alice.pk).deleted_at is None
    done = client.post(asked.headers["Location"], {"password": password_of("Alice")}, follow=True)
    assert "Your account was deleted" in done.content.decode()
    assert "Log in" in done.content.decode()
    assert Deletion.objects.get().takes_chat
    assert User.objects.get(pk=alice.pk).robo_name == f"Deleted-{alice.pk}"
    assert client.get("/my-room/").status_code == 302
    again = client.post("/accounts/login/", {"login": "Alice", "password": password_of("Alice")})
    assert again.status_code == 200


def test_a_wrong_name_deletes_nothing(alice: User, client: Client) -> None:
    signed_in(client, alice)
    for typed, said in (("", "Enter your Robo Name"), ("Bob", "This is not your Robo Name. Enter “Alice”.")):
        answer = client.post(DELETE, {"robo_name": typed})
        assert answer.status_code == 422
        assert said in html.unescape(answer.content.decode())
    assert User.objects.get(pk=alice.pk).deleted_at is None


def test_without_a_choice_chat_lines_remain(alice: User, client: Client) -> None:
    signed_in(client, alice)
    answer = client.post(DELETE, {"robo_name": "Alice"})
    assert answer.status_code == 302
    assert not Deletion.objects.get().takes_chat
