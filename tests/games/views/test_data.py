"""My data: a page for people, and a file for whoever gives the password again."""

import json

from django.test import Client

from accounts.models import User
from games import services
from games.models import Game
from tests.games.support import NOW
from tests.games.views.reader import ReaderOf

PAGE = "/preferences/data/"
FILE = "/preferences/data/file/"


def test_strangers_sign_in_first(db: None, client: Client) -> None:
    for address in (PAGE, FILE):
        assert client.get(address).headers["Location"].startswith("/accounts/login/")


def test_the_page_leads_to_the_file(alice: User, read: ReaderOf) -> None:
    page = read(alice).get(PAGE)
    assert page.status == 200
    assert FILE in page.links
    assert PAGE in read(alice).get("/preferences/").links


def test_the_file_asks_for_the_password_and_has_everything(duel: Game, alice: User, client: Client) -> None:
    services.say(user=alice, game_id=duel.pk, text="Hello!", now=NOW)
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


def test_a_wrong_password_opens_nothing(alice: User, client: Client) -> None:
    client.force_login(alice)
    answer = client.post(client.get(FILE).headers["Location"], {"password": "guess"})
    assert answer.headers["Content-Type"].startswith("text/html")
    assert client.get(FILE).status_code == 302
