"""Records of games: statistics, new achievements, and the cards of robots."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.errors import NotFound
from games.people.models import Achievement, Tally
from games.people.selectors.records import game_statistics, new_achievements, robot_card
from games.play.models import Game
from games.play.viewers import game_for
from rules.statistics import COUNTERS
from tests.games.support import NOW, WORKSHOP, Table, later

NOBODY = AnonymousUser()


def earn(user: User, game: Game, *keys: str, turn: int = 1) -> None:
    for minutes, key in enumerate(keys):
        at = later(minutes=minutes)
        Achievement.objects.create(user=user, key=key, game=game, turn=turn, earned_at=at)


def test_the_statistics_of_a_game_have_all_counters_of_all_seats(duel: Game, alice: User) -> None:
    Tally.objects.create(game=duel, seat=duel.players.get(user=alice), forward=7, deaths=1)
    duel.players.filter(number=2).update(user=None, computer="ace", name="Ace Bolt", ready=True)
    first, second = game_statistics(viewer=NOBODY, game=duel)
    assert (first["seat"], first["name"], first["computer"]) == (1, "Alice", None)
    assert first["counters"] == {**dict.fromkeys(COUNTERS, 0), "forward": 7, "deaths": 1}
    assert (second["seat"], second["name"], second["computer"]) == (2, "Ace Bolt", "ace")
    assert second["counters"] == dict.fromkeys(COUNTERS, 0), "before its first turn is over, too"
    assert (first["look"], second["look"]) == tuple(duel.players.values_list("look", flat=True))


def test_a_game_that_has_not_started_has_no_statistics(table: Table, alice: User) -> None:
    assert game_statistics(viewer=alice, game=table.game(alice, seats=2)) == []


def test_the_statistics_of_a_game_take_one_query(
    table: Table, alice: User, bob: User, carol: User, django_assert_num_queries: Callable[[int], object]
) -> None:
    game = table.game(alice, bob, carol)
    table.play(game, alice, bob, carol)
    with django_assert_num_queries(1):
        assert len(game_statistics(viewer=alice, game=game)) == 3


@pytest.fixture
def over(duel: Game) -> Game:
    Game.objects.filter(pk=duel.pk).update(status="over", ended_at=NOW)
    return duel


def test_an_achievement_is_new_once_its_game_has_ended(duel: Game, alice: User) -> None:
    earn(alice, duel, "no-damage")
    assert new_achievements(user=alice) == []
    for status in ("over", "cancelled"):
        Game.objects.update(status=status, ended_at=NOW)
        assert len(new_achievements(user=alice)) == 1


def test_an_achievement_is_new_until_it_is_seen(over: Game, alice: User, bob: User) -> None:
    duel = over
    earn(alice, duel, "repaired-1", "no-damage", turn=3)
    earn(bob, duel, "repaired-1")
    alice.achievements.filter(key="repaired-1").update(seen_at=NOW)
    (new,) = new_achievements(user=alice)
    assert new == {
        "key": "no-damage",
        "german": "Unantastbar",
        "english": "Untouchable",
        "condition": "Play a whole game without taking damage.",
        "motif": "no_damage",
        "step": 0,
        "in_one_game": True,
        "goal": 0,
        "earned_at": later(minutes=1),
        "game": {"id": duel.pk, "name": "First flight"},
        "turn": 3,
    }


def test_new_achievements_are_in_the_order_in_which_they_were_earned(over: Game, alice: User) -> None:
    earn(alice, over, "repaired-5", "deaths-1", "pushed-10")
    new = new_achievements(user=alice)
    assert [each["key"] for each in new] == ["repaired-5", "deaths-1", "pushed-10"]


def test_a_robot_s_card_shows_its_state(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    earn(bob, duel, "repaired-1", "deaths-1")
    card = robot_card(viewer=NOBODY, game=duel, seat=2)
    earned = card.pop("achievements")
    assert [(each["key"], each["english"]) for each in earned] == [
        ("deaths-1", "For the Greater Good"),
        ("repaired-1", "A Fresh Coat of Paint"),
    ]
    assert card == {
        "seat": 2,
        "name": "Bob",
        "user": "Bob",
        "computer": None,
        "scanner": False,
        "look": 2,
        "model": None,
        "squad": None,
        "place": None,
        "out": False,
        "checkpoints": 4,
        "limit": 10,
        "damage": 0,
        "lives": 3,
        "equipment": None,
        "ammo": None,
        "next": 1,
        "down": False,
    }


def test_a_card_names_only_what_the_ruleset_has(alice: User, bob: User, db: None) -> None:
    game = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11")
    card = robot_card(viewer=alice, game=game, seat=1)
    assert card["model"] == game.players.get(number=1).model != ""
    assert (card["limit"], card["squad"]) == (9, None)


def test_a_card_before_the_start_shows_only_the_player(table: Table, alice: User) -> None:
    card = robot_card(viewer=alice, game=table.game(alice, seats=2), seat=1)
    assert card["user"] == "Alice"
    assert {card[key] for key in ("damage", "lives", "next", "down", "ammo")} == {None}


def test_a_computer_s_card_has_no_person(duel: Game) -> None:
    duel.players.filter(number=2).update(user=None, computer="rookie", name="Rookie Cog", ready=True)
    card = robot_card(viewer=NOBODY, game=duel, seat=2)
    assert (card["name"], card["user"], card["computer"]) == ("Rookie Cog", None, "rookie")
    assert card["achievements"] is None


def test_scanners_have_cards_and_open_seats_have_none(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, options={"scanners": 1})
    card = robot_card(viewer=alice, game=game, seat=3)
    assert (card["scanner"], card["user"], card["next"]) == (True, None, None)
    assert card["name"]
    for seat in (0, -1, 4, 99):
        with pytest.raises(NotFound):
            robot_card(viewer=alice, game=game, seat=seat)


def test_a_card_hides_achievements_as_their_owner_chooses(
    duel: Game, alice: User, bob: User, dave: User
) -> None:
    earn(bob, duel, "repaired-1")
    User.objects.filter(pk=bob.pk).update(shows_achievements="players")
    seen = {
        viewer: robot_card(viewer=viewer, game=duel, seat=2)["achievements"]
        for viewer in (alice, bob, dave, NOBODY)
    }
    assert [seen[viewer] is not None for viewer in (alice, bob, dave, NOBODY)] == [True, True, False, False]
    User.objects.filter(pk=bob.pk).update(shows_achievements="nobody")
    assert robot_card(viewer=alice, game=duel, seat=2)["achievements"] is None


def test_a_card_takes_few_queries(
    duel: Game, alice: User, bob: User, django_assert_max_num_queries: Callable[[int], object]
) -> None:
    """The three queries read the seat, the turn, and the achievements."""
    earn(bob, duel, "repaired-1", "repaired-5", "deaths-1")
    game = game_for(viewer=alice, game_id=duel.pk)
    with django_assert_max_num_queries(3):
        robot_card(viewer=alice, game=game, seat=2)
