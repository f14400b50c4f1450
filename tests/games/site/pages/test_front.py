"""The front page, the rules, and the elements of every page."""

from accounts.models import User
from games.play.models import Game
from games.play.orders import submit_orders
from tests.games.reader import ReaderOf
from tests.games.support import Table


def test_the_front_page_shows_a_running_game(duel: Game, table: Table, carol: User, read: ReaderOf) -> None:
    table.game(carol, seats=2, name="Another")
    page = read(None).get("/")
    assert page.status == 200
    assert 'data-robot="Alice"' in page.html
    assert duel.get_absolute_url() in page.links
    assert "1 game waits for players. 1 game is running." in page


def test_the_front_page_shows_a_starship_without_running_games(table: Table, read: ReaderOf) -> None:
    page = read(None).get("/")
    assert "Hall, built by Tests" in page
    assert page.html.count('class="robot"') > 1
    assert "for players." not in page and "running" not in page


def test_the_front_page_works_without_starships(read: ReaderOf) -> None:
    assert read(None).get("/").status == 200


def test_the_front_page_introduces_the_game_to_strangers_and_shows_members_their_games(
    duel: Game, alice: User, carol: User, read: ReaderOf
) -> None:
    pitch, theirs = "You program five moves", "Your games"
    page = read(None).get("/")
    assert pitch in page and "An email says when it is your turn." in page and theirs not in page
    assert pitch in read(carol).get("/"), "a member without games is introduced as well"
    mine = read(alice).get("/")
    assert theirs in mine and pitch not in mine
    assert duel.name in mine and "Your move" in mine


def test_the_front_page_hides_private_games(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = table.game(alice, bob, private=True, name="Just us")
    page = read(None).get("/")
    assert game.get_absolute_url() not in page.links
    assert "running" not in page


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
