"""A player's page: its contents, and the audience of each part."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.errors import NotFound
from games.people.models import Achievement, Tally
from games.people.selectors import profiles
from games.people.selectors.profiles import person_page
from games.people.selectors.records import ACHIEVEMENTS, game_numbers
from games.play.models import Game
from games.play.viewers import Viewer
from tests.games.support import DUCTS, Table, game_seen, later

NOBODY = AnonymousUser()
PARTS = ("games", "history", "statistics", "achievements")


def page(viewer: Viewer, name: str = "Alice", **more: Any) -> dict[str, Any]:
    return person_page(viewer=viewer, robo_name=name, **more)


def over(game: Game, winner: str = "", minutes: int = 0, **places: int) -> Game:
    """End a game. ``places`` gives the place of each player, by name."""
    Game.objects.filter(pk=game.pk).update(status="over", ended_at=later(minutes=minutes), winner=winner)
    for name, place in places.items():
        game.players.filter(user__robo_name=name).update(place=place)
    return game


def tally(game: Game, user: User, **counters: int) -> None:
    Tally.objects.update_or_create(seat=game.players.get(user=user), defaults={"game": game, **counters})


def with_a_computer(game: Game) -> Game:
    game.players.filter(number=2).update(user=None, computer="pilot", name="Pilot Rivet", ready=True)
    return game


def names(rows: list[dict[str, Any]]) -> list[int]:
    return [row["id"] for row in rows]


def medal(document: dict[str, Any], key: str) -> dict[str, Any]:
    return next(each for each in document["achievements"] if each["key"] == key)


def test_a_page_shows_name_and_date_of_joining(alice: User, dave: User) -> None:
    User.objects.filter(pk=alice.pk).update(look=5)
    document = page(dave, "aLICE")
    assert (document["robo_name"], document["look"], document["mine"]) == ("Alice", 5, False)
    assert document["since"] == alice.date_joined
    assert page(alice)["mine"]


def test_only_active_accounts_have_a_page(alice: User, dave: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    for name in ("Nobody", "", "Ali", "Alice"):
        with pytest.raises(NotFound):
            page(dave, name)


def test_a_player_without_games_has_an_empty_page(alice: User) -> None:
    document = page(alice)
    assert (document["games"], document["history"], document["history_next"]) == ([], [], None)
    assert document["statistics"]["people"]["games"] == 0
    assert document["statistics"]["computers"]["rulesets"] == []
    assert [each["key"] for each in document["achievements"]] == list(ACHIEVEMENTS)
    assert not any(each["earned_at"] or each["value"] for each in document["achievements"])


def test_running_games_and_history_are_listed(table: Table, alice: User, bob: User, dave: User) -> None:
    running, ended, earlier = (table.game(alice, bob) for _ in range(3))
    over(ended, winner="Alice", minutes=5, Alice=1, Bob=2)
    over(earlier, winner="Bob", minutes=4, Bob=1)
    table.game(alice, seats=2)
    document = page(dave)
    assert names(document["games"]) == [running.pk]
    assert names(document["history"]) == [ended.pk, earlier.pk]
    row = document["history"][0]
    assert (row["place"], row["won"], row["winner"], row["seat"]) == (1, True, "Alice", 1)
    assert (row["name"], row["ruleset"], row["board"]) == ("First flight", "robo-runner", "Hall")
    assert (row["counts_as"], row["private"], row["ended_at"]) == ("people", False, later(minutes=5))
    assert [(seat["name"], seat["place"]) for seat in row["seats"]] == [("Alice", 1), ("Bob", 2)]
    assert not document["history"][1]["won"]


def test_the_history_is_paginated(
    table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert profiles.GAMES_PER_PAGE == 20
    monkeypatch.setattr(profiles, "GAMES_PER_PAGE", 3)
    games = [over(table.game(alice, bob), minutes=number) for number in range(5)]
    first = page(alice)
    assert names(first["history"]) == [game.pk for game in games[:1:-1]]
    assert first["history_next"] == 3
    second = page(alice, start=3)
    assert names(second["history"]) == [game.pk for game in games[1::-1]]
    assert second["history_next"] is None
    assert page(alice, start=-5)["history"] == first["history"]
    assert page(alice, start=999)["history"] == []


def test_games_have_a_category(table: Table, alice: User, bob: User) -> None:
    games = table.game(alice), table.game(alice, bob), with_a_computer(table.game(alice, bob))
    rows = {row["id"]: row for row in page(alice)["games"]}
    assert [rows[game.pk]["counts_as"] for game in games] == ["solo", "people", "computers"]
    views = [game_seen(viewer=alice, game=game) for game in games]
    assert [view["counts_as"] for view in views] == ["solo", "people", "computers"]


def test_sums_and_best_games_are_separate_for_people_and_computers(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    tally(table.game(alice, bob), alice, forward=3, deaths=2)
    tally(table.game(bob, alice), alice, forward=5)
    tally(with_a_computer(table.game(alice, bob)), alice, forward=11)
    tally(table.game(alice), alice, forward=100)
    statistics = page(dave)["statistics"]
    assert set(statistics) == {"people", "computers"}
    among_people, computers = statistics["people"], statistics["computers"]
    assert (among_people["games"], computers["games"]) == (2, 1)
    assert among_people["counters"]["forward"] == {"sum": 8, "best": 5}
    assert among_people["counters"]["deaths"] == {"sum": 2, "best": 2}
    assert computers["counters"]["forward"] == {"sum": 11, "best": 11}


def test_wins_and_places_are_counted_by_ruleset(table: Table, alice: User, bob: User) -> None:
    over(table.game(alice, bob), winner="Alice", Alice=1, Bob=2)
    over(table.game(alice, bob), winner="Bob", Alice=2, Bob=1)
    over(table.game(alice, bob), winner="Alice", Alice=1, Bob=2)
    over(table.game(alice, bob), winner="")
    table.game(alice, bob)
    over(with_a_computer(table.game(alice, bob)), winner="Pilot Rivet", Alice=2)
    recon = Table(DUCTS.saved()).game(alice, bob, ruleset="robo-recon")
    over(recon, winner=recon.players.get(user=alice).squad)
    statistics = page(alice)["statistics"]
    assert statistics["people"]["rulesets"] == [
        {"ruleset": "robo-recon", "games": 1, "won": 1, "places": {}},
        {"ruleset": "robo-runner", "games": 4, "won": 2, "places": {1: 2, 2: 1}},
    ]
    assert (statistics["people"]["games"], statistics["people"]["over"]) == (6, 5)
    assert statistics["people"]["won"] == 3
    assert statistics["computers"]["rulesets"] == [
        {"ruleset": "robo-runner", "games": 1, "won": 0, "places": {2: 1}}
    ]


def test_achievements_show_progress(table: Table, alice: User, bob: User, dave: User) -> None:
    first = table.game(alice, bob)
    tally(first, alice, forward=30, backward=4, half_turns=7, left_turns=1)
    tally(table.game(alice), alice, forward=8)
    Achievement.objects.create(user=alice, key="walked-10", game=first, turn=2, earned_at=later(minutes=3))
    document = page(dave)
    assert medal(document, "walked-10") == {
        "key": "walked-10",
        "german": "Ein Schritt nach dem anderen",
        "english": "One Step at a Time",
        "condition": "Drive 10 cells.",
        "motif": "walked",
        "step": 1,
        "in_one_game": False,
        "goal": 10,
        "value": 10,
        "earned_at": later(minutes=3),
        "game": {"id": first.pk, "name": "First flight"},
        "turn": 2,
    }
    assert medal(document, "walked-50")["value"] == 42, "solo missions count here"
    assert medal(document, "backward-5")["value"] == 4
    assert medal(document, "turns-20")["value"] == 8
    assert medal(document, "half-turns-5")["value"] == 5, "no further than the goal"
    assert medal(document, "no-deaths")["value"] == 0


def test_each_part_is_shown_to_the_audience_chosen_by_its_owner(
    table: Table, alice: User, bob: User, dave: User, erin: User
) -> None:
    table.game(alice, bob)
    for part in PARTS:
        for audience, seeing, others in (
            ("players", (alice, bob), (dave, erin, NOBODY)),
            ("nobody", (alice,), (bob,)),
        ):
            User.objects.filter(pk=alice.pk).update(**{f"shows_{part}": audience})
            for viewer in seeing:
                assert None not in (page(viewer)[each] for each in PARTS)
            for viewer in others:
                document = page(viewer)
                assert [each for each in PARTS if document[each] is None] == [part]
        User.objects.filter(pk=alice.pk).update(**{f"shows_{part}": "everybody"})


def test_the_audience_includes_former_fellow_players_but_not_those_in_a_lobby(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    User.objects.filter(pk=alice.pk).update(shows_history="players")
    over(table.game(alice, bob))
    table.game(alice, carol, seats=3)
    assert page(bob)["history"] is not None
    assert page(carol)["history"] is None


def test_private_games_are_only_for_those_with_access(
    table: Table, alice: User, bob: User, dave: User, erin: User
) -> None:
    """The page for a stranger neither lists, counts nor names the private games."""
    without = page(dave)
    running, ended = (table.game(alice, bob, private=True) for _ in range(2))
    over(ended, winner="Alice", Alice=1)
    tally(ended, alice, forward=9)
    tally(running, alice, forward=9)
    for viewer in (dave, erin, NOBODY):
        assert page(viewer) == without
    for viewer in (alice, bob):
        document = page(viewer)
        assert names(document["games"]) == [running.pk]
        assert names(document["history"]) == [ended.pk]
        assert document["statistics"]["people"]["counters"]["forward"] == {"sum": 18, "best": 9}
        assert document["statistics"]["people"]["won"] == 1
        assert medal(document, "walked-50")["value"] == 18


def test_an_achievement_of_a_private_game_is_shown_without_the_game(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob, private=True)
    Achievement.objects.create(user=alice, key="deaths-5", game=game, turn=2, earned_at=later())
    for viewer, known in ((alice, True), (bob, True), (dave, False), (NOBODY, False)):
        shown = medal(page(viewer), "deaths-5")
        assert (shown["earned_at"], shown["value"]) == (later(), 5)
        assert (shown["game"] is not None, shown["turn"] is not None) == (known, known)


def test_a_page_takes_few_queries_for_any_amount_of_data(
    table: Table,
    alice: User,
    bob: User,
    carol: User,
    dave: User,
    django_assert_max_num_queries: Callable[[int], object],
) -> None:
    User.objects.filter(pk=alice.pk).update(shows_games="players", shows_statistics="players")
    for number in range(4):
        tally(table.game(alice, bob, dave), alice, forward=number)
        game = over(table.game(carol, dave, alice), minutes=number, Alice=2)
        key = list(ACHIEVEMENTS)[number]
        Achievement.objects.create(user=alice, key=key, game=game, turn=1, earned_at=later())
    with django_assert_max_num_queries(13):
        document = page(dave)
    assert len(document["games"]) == len(document["history"]) == 4


def test_a_page_and_my_room_count_the_same_games(
    table: Table, lane: Table, alice: User, bob: User, dave: User
) -> None:
    over(table.game(alice, bob), winner="Alice")
    over(table.game(alice, bob, private=True), winner="Alice")
    over(with_a_computer(table.game(alice, bob)), winner="Pilot Rivet")
    over(lane.game(alice), winner="Alice")
    lane.game(alice)
    table.game(alice, bob)
    with_a_computer(table.game(alice, bob, private=True))
    Game.objects.filter(pk=table.game(alice, bob).pk).update(status="cancelled", ended_at=later(hours=1))
    table.game(alice, seats=2)
    mine = game_numbers(user=alice)
    document = page(alice)
    expected = {"running": 2, "over": 3, "won": 2}
    assert document["numbers"] == {**expected, "tested": 0}
    assert {key: mine[key] for key in expected} == expected
    statistics = document["statistics"].values()
    assert sum(kind["over"] for kind in statistics) == 3
    assert sum(kind["won"] for kind in statistics) == 2
    assert (mine["missions"], mine["open"]) == (2, 1)
    assert page(dave)["numbers"] == {"running": 1, "over": 2, "won": 1, "tested": 0}, (
        "private games are nobody else's"
    )


def test_the_number_of_running_games_is_hidden_with_them(table: Table, alice: User, bob: User) -> None:
    table.game(alice, bob)
    User.objects.filter(pk=alice.pk).update(shows_games="nobody")
    assert page(NOBODY)["numbers"] == {"running": None, "over": 0, "won": 0, "tested": 0}
    User.objects.filter(pk=alice.pk).update(shows_statistics="nobody")
    assert page(NOBODY)["numbers"] is None
    assert page(alice)["numbers"] == {"running": 1, "over": 0, "won": 0, "tested": 0}
