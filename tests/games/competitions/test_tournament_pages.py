"""The pages of tournaments, and their API."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.competitions.models import Tournament
from games.news.channels.mail import compose
from games.news.models import Notice
from tests.games.api_client import Api
from tests.games.competitions.hosting import START, games_of, last_round, opened, play_round, step
from tests.games.deletions import erased
from tests.games.reader import ReaderOf, reader
from tests.games.standings.rated import stand
from tests.games.support import Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser(erin: User) -> Client:
    return reader(erin).client


def test_a_tournament_is_created_opened_and_entered(
    browser: Client, table: Table, bob: User, read: ReaderOf
) -> None:
    assert "No open tournaments" in read(None).get("/tournaments/")
    starts = timezone.now() + timedelta(days=3)
    sent = {
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": f"{starts:%Y-%m-%dT%H:%M}",
        "least": "2",
        "most": "8",
        "ruleset": "robo-runner",
        "size": "2",
        "rounds": "3",
        "hours": "24",
        "starships": [str(table.starship.pk)],
        "ship_choice": "fixed",
    }
    made = browser.post("/tournaments/new/", sent, follow=True).content.decode()
    assert "Draft saved." in made
    cup = Tournament.objects.get()
    there = f"/tournaments/{cup.pk}/"
    assert Client().get(there).status_code == 404
    assert "Drafts" in browser.get("/tournaments/").content.decode()
    opened_page = browser.post(f"{there}act/", {"do": "open"}, follow=True).content.decode()
    assert "The tournament is open." in opened_page
    theirs = reader(bob).client

    def act(do: str) -> str:
        return theirs.post(f"{there}act/", {"do": do}, follow=True).content.decode()

    assert "You entered the tournament." in act("join")
    assert "Your tournaments:" in read(bob).get("/my-room/")
    assert "Autumn Cup" in read(None).get("/tournaments/")
    assert "You left the tournament." in act("leave")
    assert "was cancelled" in browser.post(f"{there}act/", {"do": "cancel"}, follow=True).content.decode()


def test_errors_are_shown_beside_their_fields(browser: Client, bob: User, read: ReaderOf) -> None:
    answer = browser.post("/tournaments/new/", {"name": "", "kind": "lottery", "starts_at": "soon"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The tournament needs a name." in page and "Enter a date and a time" in page
    assert not Tournament.objects.exists()
    assert "at least 5 rated games" in read(bob).get("/tournaments/new/")


def test_its_page_shows_standings_rounds_and_games(
    table: Table, erin: User, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob, carol, rounds=2, text="By mail.")
    there = f"/tournaments/{cup.pk}/"
    assert "Entrants" in read(None).get(there)
    step(START)
    page = read(alice).get(there)
    assert "My game" in page or "bye" in page
    assert "Table" in page and "R1" in page
    assert "No pair has met before" in read(None).get(f"{there}rounds/1/")
    play_round(cup, [bob, alice, carol], now=START)
    step(START + timedelta(hours=1))
    assert "Round 2" in read(None).get(there)
    play_round(cup, [bob, alice, carol], now=START + timedelta(days=1))
    step(START + timedelta(days=1))
    assert "Your place: 1 of 3." in read(bob).get(there)
    assert "Place 1 in" in read(None).get("/players/Bob/")
    assert "cancelled" not in read(None).get("/tournaments/")


def test_its_page_shows_boards_after_the_last_turn(
    table: Table, erin: User, alice: User, bob: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    there = f"/tournaments/{cup.pk}/"
    assert f"/drawings/{game.revision_id}-light.svg" in read(None).get(there).html
    turn = table.play(game, alice, bob, now=START)
    page = read(alice).get(there)
    for theme in ("light", "dark"):
        picture = f"/games/{game.pk}/turns/{turn.number}/board-{theme}.png"
        assert picture in page.html
        assert Client().get(picture).headers["Content-Type"] == "image/png"
    assert "Table 1" in page and "Your move" in page
    play_round(cup, [bob], now=START)
    assert "won by Bob" in read(None).get(there)


def test_a_game_links_to_its_tournament(
    table: Table, erin: User, alice: User, bob: User, read: ReaderOf
) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    (game,) = games_of(last_round(cup))
    page = read(alice).get(f"/games/{game.pk}/")
    assert "Autumn Cup" in page and f"/tournaments/{cup.pk}/rounds/1/" in page.html
    assert "What players can decide" not in page


def test_its_mails_describe_the_events(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob, rounds=2)
    step(START)
    (game,) = games_of(last_round(cup))
    game.players.filter(user=bob).update(excused=0)
    play_round(cup, [alice], now=START)
    step(START + timedelta(hours=1))
    told = {notice.kind: compose(notice) for notice in Notice.objects.filter(game=game, channel="mail")}
    assert "Round 1 of “Autumn Cup” has started" in told["round"].body
    assert "You missed turns, gave no orders or left your seat in round 1" in told["confirm"].body
    step(START + timedelta(days=8))
    cup.refresh_from_db()
    assert cup.status == "finished", "one is left, who has no one to play"
    over = Notice.objects.filter(kind="finished", user=alice, channel="mail").get()
    assert "You finished in place 1 of 2." in compose(over).body
    assert not mail.outbox


def test_one_click_confirms_the_next_round(table: Table, erin: User, alice: User, bob: User) -> None:
    cup = opened(table, erin, alice, bob)
    step(START)
    cup.entrants.filter(user=bob).update(confirmed=False)
    theirs = reader(bob).client
    page = theirs.get(f"/tournaments/{cup.pk}/").content.decode()
    assert "Confirm the next round, or you sit it out." in page
    answer = theirs.post(f"/tournaments/{cup.pk}/act/", {"do": "confirm"}, follow=True)
    assert "You confirmed the next round." in answer.content.decode()
    assert cup.entrants.get(user=bob).confirmed


def test_the_api_does_the_same(table: Table, alice: User, bob: User, erin: User) -> None:
    stand(alice)
    api, other = Api(alice), Api(bob)
    asked = {
        "name": "Autumn Cup",
        "kind": "swiss",
        "starts_at": START.isoformat(),
        "starships": [table.starship.pk],
        "size": 2,
    }
    made = api.post("tournaments", asked)
    assert (made.status, made.body["status"], made.body["hours"]) == (201, "draft", 24)
    there = f"tournaments/{made.body['id']}"
    assert other.get(there).status == 404
    assert other.get("tournaments").body["results"] == []
    assert api.post(f"{there}/open").body["status"] == "open"
    assert other.put(f"{there}/entry", {}).body["me"]["confirmed"]
    assert other.delete(f"{there}/entry").body["me"] is None
    other.put(f"{there}/entry", {})
    api.put(f"{there}/entry", {})
    step(START)
    running = other.get(there).body
    assert running["last_round"]["number"] == 1 and running["me"]["game"]
    assert len(running["table"]) == 2
    first = other.get(f"{there}/rounds/1").body
    assert (first["repeats"], len(first["tables"])) == (0, 1)
    assert [each["id"] for each in other.get("tournaments?status=running").body["results"]] == [running["id"]]
    assert other.post(f"{there}/confirm").status == 200
    assert api.post("tournaments", {**asked, "hours": 7}).status == 422
    assert Api(erin).delete(there).body["results"] == []


def test_leaving_a_cup_game_promises_no_way_back(
    read: ReaderOf, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, carol, size=3, rounds=1)
    step(START)
    (game,) = games_of(last_round(cup))
    page = read(alice).get(f"/games/{game.pk}/resign/")
    assert "No other player can take over the seat. You can come back" in page
    assert "Another player can take over" not in page and "pause the game" not in page


def test_deleting_an_account_explains_tournaments_and_removes_its_name_from_their_games(
    read: ReaderOf, table: Table, erin: User, alice: User, bob: User, carol: User
) -> None:
    cup = opened(table, erin, alice, bob, name="Carol Cup")
    Tournament.objects.filter(pk=cup.pk).update(host=carol)
    step(START)
    (game,) = games_of(last_round(cup))
    assert "1 tournament You leave them." in read(alice).get("/settings/data/delete/")
    assert "1 tournament that you host Staff take over." in read(carol).get("/settings/data/delete/")
    erased(carol)
    game.refresh_from_db()
    assert game.name == f"Deleted-{carol.pk} Cup · 1.1"
