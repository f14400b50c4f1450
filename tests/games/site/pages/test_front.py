"""The front page, the page of rules, and the elements that all pages share."""

import re

from accounts.guests import make_guest
from accounts.models import User
from games.fleet.models import Starship
from games.lobby.practice import quick_game
from games.play.models import Game
from games.play.orders import submit_orders
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table


def test_strangers_see_one_way_in_and_the_film(duel: Game, table: Table, carol: User, read: ReaderOf) -> None:
    table.game(carol, seats=2, name="Another")
    page = read(None).get("/")
    assert page.status == 200
    assert "You program five moves" in page
    assert "Everyone plays in their own time: an email says when it’s your move." in page
    main = page.html.partition("<main")[2].partition("</main>")[0]
    assert main.index("data-showcase") < main.index("<h1>"), "on a phone, the film comes before the text"
    assert re.findall(r'class="button(?! button-quiet)[^"]*"', main) == ['class="button hero-start"']
    assert "1 game is waiting for players" in page
    assert "Watch 1 running game" in page


def test_the_film_is_no_running_game(
    duel: Game, alice: User, bob: User, table: Table, read: ReaderOf
) -> None:
    table.play(duel, alice, bob)
    page = read(None).get("/")
    assert re.findall(r'data-robot="([^"]*)"', page.html) == ["A", "B"]
    assert duel.get_absolute_url() not in page.links


def test_the_front_page_works_without_starships(read: ReaderOf) -> None:
    page = read(None).get("/")
    assert page.status == 200
    assert "waiting for players" not in page and "running game" not in page
    assert page.actions == ["/games/quick/"]


def test_a_guest_continues_the_running_game(starship: Starship, read: ReaderOf) -> None:
    guest = make_guest()
    game = quick_game(user=guest, admits_guests=True, now=NOW)
    page = read(guest).get("/")
    assert f"Continue: {game.name}" in page
    assert game.get_absolute_url() in page.links


def test_the_front_page_hides_private_games(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = table.game(alice, bob, private=True, name="Just us")
    page = read(None).get("/")
    assert game.get_absolute_url() not in page.links
    assert "running game" not in page


def test_the_rules_describe_the_ruleset(read: ReaderOf) -> None:
    page = read(None).get("/rules/")
    assert page.status == 200
    assert "Pushes a robot away from its edge in each phase" in page
    assert "Tractor" not in page.html.partition("<h1>")[0]
    assert "Crusher" not in page
    assert "Launch bay" in page


def test_every_page_shows_the_number_of_waiting_games(duel: Game, alice: User, read: ReaderOf) -> None:
    assert "1 waiting for your move" in read(alice).get("/starships/")
    submit_orders(user=alice, game_id=duel.pk, turn_number=0, document={"heading": "N"}, now=duel.created_at)
    assert "waiting for your move" not in read(alice).get("/starships/")
    assert "waiting for your move" not in read(None).get("/starships/")
