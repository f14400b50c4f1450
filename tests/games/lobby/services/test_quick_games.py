"""Games against computers that one click starts."""

from typing import Any

import pytest

import rules
from accounts.models import User
from games.errors import Invalid, NotFound
from games.fleet.boards import starship_of
from games.fleet.models import Starship
from games.fleet.selectors import fits
from games.fleet.services import retire_starship
from games.lobby.practice import computer_numbers, quick_game, starships_against
from games.news.models import Notice
from games.play.models import Game
from tests.games.support import HALL, NOW, Board, open_turn
from tests.support import fleet


@pytest.fixture
def canoe(db: None) -> Starship:
    return Board("Tin Canoe", HALL.rows).saved()


def test_one_click_starts_a_game_and_all_settings_can_be_chosen(canoe: Starship, alice: User) -> None:
    game = quick_game(user=alice, now=NOW)
    assert (game.status, game.host, game.name) == (Game.Status.RUNNING, alice, "Rookie on Tin Canoe")
    assert [seat.robo_name for seat in game.players.order_by("number")] == ["Alice", "Rookie Sprocket"]
    assert open_turn(game).deadline is None
    assert game.revision.starship == canoe
    assert not Notice.objects.exists(), "who is there anyway gets no mail"
    game = quick_game(user=alice, strength="ace", computers=3, now=NOW)
    assert game.name == "3 × Ace on Tin Canoe"
    assert list(game.players.order_by("number").values_list("computer", flat=True)) == ["", *["ace"] * 3]
    other = Board("Ferry", HALL.rows).saved()
    game = quick_game(user=alice, ruleset="robo-arena", starship_id=other.pk, now=NOW)
    assert (game.ruleset, game.revision.starship) == ("robo-arena", other)


def test_a_starship_built_for_this_number_of_robots_is_chosen(canoe: Starship, alice: User) -> None:
    Starship.objects.filter(pk=canoe.pk).update(seats_least=1, seats_most=2)
    larger = Board("Ferry", HALL.rows).saved()
    Starship.objects.filter(pk=larger.pk).update(seats_least=3, seats_most=6)
    assert quick_game(user=alice, computers=1, now=NOW).revision.starship == canoe
    assert quick_game(user=alice, computers=3, now=NOW).revision.starship == larger


def test_ships_without_checkpoints_are_not_offered(alice: User) -> None:
    arena = Board("Arena", ("a . . .", ". . . .", ". . . .")).saved()
    edition = rules.ruleset("factory-1999")
    assert [fit.possible for fit in fits(ruleset=edition, robots=2)] == [True]
    assert starships_against(ruleset=edition, computers=1) == []
    with pytest.raises(NotFound):
        quick_game(user=alice, ruleset="factory-1999", starship_id=arena.pk, now=NOW)


@pytest.mark.parametrize("key", list(rules.RULESETS))
def test_every_ruleset_can_be_played_against_computers_on_built_in_starships(key: str, alice: User) -> None:
    fleet.launch()
    edition = rules.ruleset(key)
    for computers in computer_numbers(edition):
        ships = starships_against(ruleset=edition, computers=computers)
        assert len(ships) > 1
        assert all(ship.seats_least <= 1 + computers <= ship.seats_most for ship in ships)
        for ship in ships:
            assert ship.current
            rules.make_setup(edition, {}, starship_of(ship.current), 1 + computers)
        game = quick_game(user=alice, computers=computers, ruleset=key, now=NOW)
        assert (game.status, game.revision.starship) == (Game.Status.RUNNING, ships[0])


@pytest.mark.parametrize(
    ("asked", "field", "detail"),
    [
        ({"ruleset": "chess"}, "ruleset", "There is no ruleset “chess”."),
        (
            {"ruleset": "robo-recon", "computers": 2},
            "computers",
            "squads must be the same size. Choose one of these numbers: 1, 3.",
        ),
        ({"computers": 3}, "starship", "Tin Canoe does not suit Robo Runner with 4 robots."),
    ],
)
def test_contradictory_settings_are_refused_beside_their_fields(
    asked: dict[str, Any], field: str, detail: str, canoe: Starship, alice: User
) -> None:
    Starship.objects.filter(pk=canoe.pk).update(seats_least=1, seats_most=2)
    HALL.saved()
    with pytest.raises(Invalid) as refused:
        quick_game(user=alice, starship_id=canoe.pk, now=NOW, **asked)
    [problem] = refused.value.problems
    assert (problem["code"], detail in problem["detail"]) == (field, True)


def test_a_retired_starship_is_refused(canoe: Starship, alice: User) -> None:
    HALL.saved()
    retire_starship(starship_id=canoe.pk)
    for number in (canoe.pk, 10**6, 10**30, -1):
        with pytest.raises(Invalid, match="no longer available"):
            quick_game(user=alice, starship_id=number, now=NOW)


def test_a_long_name_omits_the_starship_and_an_empty_library_refers_to_staff(alice: User) -> None:
    with pytest.raises(NotFound, match="Ask staff to add one"):
        quick_game(user=alice, now=NOW)
    Board("S" * 80, HALL.rows).saved()
    assert quick_game(user=alice, computers=2, now=NOW).name == "2 × Rookie"


def test_an_unknown_level_is_refused(canoe: Starship, alice: User) -> None:
    with pytest.raises(Invalid):
        quick_game(user=alice, now=NOW, strength="wizard")
    assert not Game.objects.exists()
