"""Games on prototypes keep their version of the ship, and count for no records."""

import pytest
from django.test import Client

from accounts.guests import make_guest
from accounts.models import User
from games.absence.models import Reliability
from games.absence.reliability import reliability_view
from games.dock.services import close_prototype
from games.errors import Invalid
from games.fleet.models import Starship
from games.lobby.practice import quick_game
from games.lobby.services import create_game, rematch
from games.people.models import Achievement, Tally
from games.people.selectors.records import game_numbers
from games.people.services.records import recount
from games.play.game_view import game_view
from games.play.models import Game
from games.play.terms import Terms
from tests.games.dock.prototypes import called, played_out, published, redrawn
from tests.games.making import ADDRESS, fields
from tests.games.reader import ReaderOf
from tests.games.support import HALL, NOW, Table


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice).starship


def test_anyone_starts_a_game_on_a_prototype(ship: Starship, bob: User) -> None:
    game = create_game(host=bob, terms=Terms(name="Trial", starship=ship.pk), now=NOW)
    assert (game.prototype_version, game.leaves_records) == (1, False)
    view = game_view(viewer=bob, game=game)
    assert (view.prototype, view.counts_as) == (1, "prototype")


def test_a_lobby_and_a_game_keep_their_version(ship: Starship, alice: User, bob: User, carol: User) -> None:
    draft = alice.starship_drafts.get()
    lobby = create_game(host=bob, terms=Terms(name="Open", starship=ship.pk), now=NOW)
    running = Table(ship).game(bob, carol)
    published(alice, redrawn(draft, "a a . . . .+i1"))
    for game in (lobby, running):
        game = Game.objects.get(pk=game.pk)
        assert game.prototype_version == 1
        assert game.revision and game.revision.width == 5
    ship.refresh_from_db()
    later = create_game(host=bob, terms=Terms(name="New", starship=ship.pk), now=NOW)
    assert later.prototype_version == 2


def test_pages_show_which_version_a_game_has(ship: Starship, bob: User, carol: User, client: Client) -> None:
    game = create_game(host=bob, terms=Terms(name="Open", starship=ship.pk), now=NOW)
    for reader, path in ((bob, f"/games/{game.pk}/"), (bob, "/my-room/"), (carol, "/games/")):
        client.force_login(reader)
        assert "prototype, version 1" in client.get(path).content.decode(), path


def test_games_on_a_closed_prototype_continue(ship: Starship, alice: User, bob: User, carol: User) -> None:
    table = Table(ship)
    game = table.game(bob, carol)
    close_prototype(user=alice, starship_id=ship.pk, now=NOW)
    table.play(game, bob, carol)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_a_closed_prototype_has_no_rematch(ship: Starship, alice: User, bob: User, carol: User) -> None:
    game = played_out(ship, bob, carol)
    close_prototype(user=alice, starship_id=ship.pk, now=NOW)
    with pytest.raises(Invalid):
        rematch(user=bob, game_id=game.pk, now=NOW)


def test_games_leave_no_records(ship: Starship, bob: User, carol: User) -> None:
    played_out(ship, bob, carol)
    assert not Tally.objects.exists()
    assert not Achievement.objects.exists()
    assert game_numbers(user=bob)["over"] == game_numbers(user=bob)["won"] == 0
    counted = recount()
    assert (counted.tallies, counted.achievements) == (0, 0)
    assert not Tally.objects.exists()


def test_reliability_counts_as_in_any_other_game(ship: Starship, bob: User, carol: User) -> None:
    game = played_out(ship, bob, carol)
    turns = game.turns.filter(status="resolved", number__gt=0).count()
    for person in (bob, carol):
        person.refresh_from_db()
        assert reliability_view(person)["turns"] >= turns > 0


def test_a_recount_of_reliability_includes_games_on_prototypes(
    ship: Starship, bob: User, carol: User
) -> None:
    played_out(ship, bob, carol)
    before = list(Reliability.objects.order_by("user").values("user", "turns", "missed", "recent"))
    assert [row["turns"] > 0 for row in before] == [True, True]
    assert recount().reliabilities == 0
    assert list(Reliability.objects.order_by("user").values("user", "turns", "missed", "recent")) == before


def test_prototypes_are_not_used_in_joined_boards(alice: User, bob: User) -> None:
    tried = published(alice, called(alice, "Square", *["a . . . . ."], *[". . . . . ."] * 5)).starship
    hall = HALL.saved()
    boards = [{"starship": tried.pk}, {"starship": hall.pk, "at": [1, 0]}]
    terms = Terms(name="Joined", ruleset="factory-1999", boards=boards, checkpoints=[[0, 0]])
    with pytest.raises(Invalid) as refusal:
        create_game(host=bob, terms=terms, now=NOW)
    assert any("prototype" in problem["detail"] for problem in refusal.value.problems)


def test_the_form_of_a_new_game_offers_the_requested_prototype(
    ship: Starship, bob: User, read: ReaderOf
) -> None:
    HALL.saved()
    assert read(bob).get(f"{ADDRESS}?starship={ship.pk}").chosen("starship") == str(ship.pk)
    assert ship.name not in read(bob).get(ADDRESS)
    read(bob).post(ADDRESS, **fields(ship, seats=2))
    assert Game.objects.get().prototype_version == 1


def test_a_quick_game_takes_a_prototype_but_not_for_guests(ship: Starship, bob: User) -> None:
    HALL.saved()
    assert quick_game(user=bob, starship_id=ship.pk, now=NOW).prototype_version == 1
    with pytest.raises(Invalid) as refusal:
        quick_game(user=make_guest(), starship_id=ship.pk, admits_guests=True, now=NOW)
    assert "Sign up" in refusal.value.detail
