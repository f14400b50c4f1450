"""Players test prototypes, and five tested prototypes earn the achievement Test Pilot."""

from typing import Any

import pytest
from django.test import Client

from accounts.guests import make_guest
from accounts.models import User
from games.dock.services import close_prototype
from games.fleet.models import Starship
from games.people.models import Achievement
from games.people.selectors.profiles import person_page
from games.people.selectors.records import ACHIEVEMENTS, TEST_PILOT, new_achievements
from games.people.services.records import grant_test_pilot, recount, recount_person
from games.play import selectors
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from rules.drawing import MOTIFS
from tests import cast
from tests.games.dock.prototypes import called, played_out, published, redrawn
from tests.games.support import LANE, NOW, Table, later, open_turn
from tests.games.together import together

PILOT = "test-pilot"


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice).starship


def another(builder: User, name: str) -> Starship:
    return published(builder, called(builder, name, "a . . . .+i1")).starship


def ships(number: int) -> list[Starship]:
    """Return this many prototypes, each by another builder."""
    return [another(cast.person(f"Builder-{each}"), f"Canoe {'ABCDEFGH'[each]}") for each in range(number)]


def about_to_end(ship: Starship, turns: int, *players: User) -> Game:
    """Return a game like `played_out`, just before its last turn is resolved.

    All orders for that turn, number ``turns``, are submitted.
    """
    table = Table(ship)
    game = table.game(*players)
    for _ in range(turns):
        table.play(game, *players)
    table.move(game, *players)
    return game


def won(ship: Starship, winner: User, other: User) -> Game:
    game = played_out(ship, other, winner)
    assert game.winner == winner.robo_name
    return game


def proven_by(user: User) -> list[int]:
    return [each.starship for each in selectors.tested_prototypes(person=user.pk)]


def pilots() -> list[tuple[Any, ...]]:
    return list(Achievement.objects.filter(key=PILOT).values_list("user", "game", "turn", "earned_at"))


def test_winning_on_a_prototype_tests_it_once_for_all_versions(
    ship: Starship, alice: User, bob: User, carol: User
) -> None:
    won(ship, bob, carol)
    assert proven_by(bob) == [ship.pk]
    assert proven_by(carol) == [], "as in the original, it takes a win"
    published(alice, redrawn(alice.starship_drafts.get(), "a . . . . .+i1"))
    won(ship, bob, carol)
    assert proven_by(bob) == [ship.pk]
    close_prototype(user=alice, starship_id=ship.pk, now=NOW)
    assert proven_by(bob) == [ship.pk], "it stays tested"


def test_builders_do_not_test_their_own_but_count_as_opponents(
    ship: Starship, alice: User, bob: User
) -> None:
    won(ship, alice, bob)
    assert proven_by(alice) == []
    won(ship, bob, alice)
    assert proven_by(bob) == [ship.pk]


def test_games_against_only_computers_test_nothing(ship: Starship, bob: User) -> None:
    game = Table(ship).game(bob, seats=2, computers=["rookie"])
    Game.objects.filter(pk=game.pk).update(status="over", winner="Bob", ended_at=NOW)
    assert proven_by(bob) == []


def test_only_games_ended_by_their_rules_with_a_winner_count(ship: Starship, bob: User, carol: User) -> None:
    game = won(ship, bob, carol)
    kept = {name: getattr(game, name) for name in ("status", "ended_at", "winner", "ending")}
    changes: list[dict[str, Any]] = [
        {"status": "running", "ended_at": None, "winner": ""},
        {"status": "cancelled", "winner": ""},
        {"ending": "conceded"},
        {"ending": "resigned"},
        {"winner": ""},
    ]
    for each in changes:
        Game.objects.filter(pk=game.pk).update(**kept | each)
        assert proven_by(bob) == [], each


def test_a_ship_in_the_fleet_cannot_be_tested(bob: User, carol: User) -> None:
    won(LANE.saved(), bob, carol)
    assert proven_by(bob) == []


def test_a_guest_neither_tests_nor_counts_as_an_opponent(ship: Starship, bob: User, carol: User) -> None:
    won(ship, bob, carol)
    guest = make_guest()
    for person in (bob, carol):
        Seat.objects.filter(user=person).update(user=guest, robot=person.robo_name)
        assert not any(proven_by(user) for user in User.objects.all())
        Seat.objects.filter(user=guest).update(user=person)


def test_the_fifth_prototype_earns_test_pilot(bob: User, carol: User, client: Client) -> None:
    *first, fifth, sixth = ships(6)
    for ship in first:
        won(ship, bob, carol)
    assert pilots() == []
    game = won(fifth, bob, carol)
    last = game.turns.get(number=game.turn)
    assert pilots() == [(bob.pk, game.pk, last.number, last.resolved_at)]
    assert [each["key"] for each in new_achievements(user=bob)] == [PILOT]
    client.force_login(bob)
    assert "Test Pilot" in client.get("/my-room/").content.decode()
    grant_test_pilot(game=won(sixth, bob, carol))
    assert pilots() == [(bob.pk, game.pk, last.number, last.resolved_at)]
    assert Achievement.objects.count() == 1, "it is all that games on prototypes leave"


@pytest.mark.django_db(transaction=True)
def test_two_games_that_end_at_once_earn_test_pilot_once(bob: User, carol: User, dave: User) -> None:
    *first, one, other = ships(6)
    turns = [won(ship, bob, carol).turn or 0 for ship in first][-1]
    games = [about_to_end(one, turns, carol, bob), about_to_end(other, turns, dave, bob)]
    one_turn, other_turn = (open_turn(game).pk for game in games)
    results = together(
        lambda: resolve_turn(turn_id=one_turn, now=later(minutes=2)),
        lambda: resolve_turn(turn_id=other_turn, now=later(minutes=1)),
    )
    assert results == [True, True]
    found = pilots()
    assert len(found) == 1 and len(proven_by(bob)) == 6
    assert recount_person(person=bob.pk) == 0, "whichever was first, a recount finds the same"
    assert pilots() == found


def test_a_recount_grants_missing_and_removes_unearned_achievements(bob: User, carol: User) -> None:
    games = [won(ship, bob, carol) for ship in ships(5)]
    before = pilots()
    assert recount().achievements == 0
    Achievement.objects.filter(key=PILOT).update(game=games[0], turn=99)
    Achievement.objects.create(user=carol, key=PILOT, game=games[0], turn=1, earned_at=NOW)
    assert recount().achievements == 2
    assert pilots() == before
    Achievement.objects.all().delete()
    assert recount().achievements == 1
    assert pilots() == before
    Game.objects.filter(pk=games[2].pk).update(ending="conceded")
    assert recount().achievements == 1
    assert pilots() == []


def test_the_page_shows_the_number_of_tested_prototypes(
    ship: Starship, bob: User, carol: User, dave: User, client: Client
) -> None:
    assert "Prototypes tested" not in client.get("/players/Bob/").content.decode()
    won(ship, bob, carol)
    page = person_page(viewer=dave, robo_name="Bob")
    assert page["numbers"] and page["achievements"]
    assert page["numbers"]["tested"] == 1
    pilot = next(each for each in page["achievements"] if each["key"] == PILOT)
    assert (pilot["value"], pilot["goal"], pilot["earned_at"]) == (1, 5, None)
    html = client.get("/players/Bob/").content.decode()
    assert "<dt>Prototypes tested</dt><dd>1</dd>" in html
    assert "1 of 5" in html


def test_private_games_count_only_for_viewers_with_access(
    ship: Starship, bob: User, carol: User, dave: User
) -> None:
    Game.objects.filter(pk=won(ship, bob, carol).pk).update(private=True)
    for viewer, number in ((bob, 1), (carol, 1), (dave, 0)):
        numbers = person_page(viewer=viewer, robo_name="Bob")["numbers"]
        assert numbers and numbers["tested"] == number


def test_every_achievement_has_a_medal_and_every_medal_an_achievement() -> None:
    assert {each.motif for each in ACHIEVEMENTS.values()} == set(MOTIFS)
    assert list(ACHIEVEMENTS)[-1] == PILOT
    assert str(TEST_PILOT.goal) in TEST_PILOT.condition
