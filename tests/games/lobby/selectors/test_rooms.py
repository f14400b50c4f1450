"""The lists of games in My Room and the Game Room."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.lobby.lists import (
    ListedGames,
    games_for,
    games_to_join,
    games_to_watch,
    my_games,
    next_waiting,
    waiting_count,
    waiting_games,
)
from games.lobby.services import cancel_game
from games.people.selectors.records import game_numbers
from games.play.models import Game
from games.staff.services import cancel_as_staff
from tests.games.support import DUCTS, NOW, Table, later

CountQueries = Callable[[int], Any]


def names(games: ListedGames) -> list[str]:
    return [game.name for game in games]


def test_the_game_room_offers_open_public_games_of_others(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    table.game(alice, seats=2, name="Older", now=NOW)
    table.game(alice, seats=2, name="Newer", now=later(hours=1))
    table.game(alice, seats=2, name="Secret", private=True)
    table.game(alice, bob, name="Running")
    table.game(dave, seats=2, name="Dave's own")
    gone = table.game(alice, seats=2, name="Cancelled")
    cancel_game(user=alice, game_id=gone.pk, now=NOW)
    assert names(games_to_join(viewer=dave)) == ["Newer", "Older"]
    assert names(games_to_join(viewer=AnonymousUser())) == ["Newer", "Dave's own", "Older"]


def test_public_games_of_others_can_be_watched(table: Table, alice: User, bob: User, dave: User) -> None:
    table.game(alice, bob, name="Public")
    table.game(alice, bob, name="Secret", private=True)
    table.game(dave, bob, name="Dave's own")
    assert names(games_to_watch(viewer=dave)) == ["Public"]
    assert len(games_to_watch(viewer=AnonymousUser())) == 2


def test_staff_do_not_see_private_games_of_others_in_lists(
    table: Table, alice: User, bob: User, erin: User
) -> None:
    table.game(alice, bob, name="Secret", private=True)
    table.game(alice, seats=2, name="Secret lobby", private=True)
    assert names(games_to_watch(viewer=erin)) == []
    assert names(games_to_join(viewer=erin)) == []


def test_my_room_starts_with_games_waiting_for_the_player_most_urgent_first(
    table: Table, alice: User, bob: User
) -> None:
    table.game(alice, bob, name="Over tomorrow", pace={"hours": 24})
    table.game(bob, alice, name="Over soon", pace={"hours": 2})
    table.game(alice, bob, name="No hurry", pace=None)
    played = table.game(alice, bob, name="Waits for Bob", pace={"hours": 1})
    table.move(played, alice)
    table.game(alice, seats=3, name="Open")
    over = table.game(alice, seats=2, name="Cancelled")
    cancel_game(user=alice, game_id=over.pk, now=NOW)
    table.game(bob, seats=2, name="Bob's own")
    games = my_games(user=alice)
    assert names(games) == ["Over soon", "Over tomorrow", "No hurry", "Waits for Bob", "Open", "Cancelled"]
    assert [game.waits_for_me for game in games] == [True, True, True, False, False, False]


def test_waiting_games_are_those_awaiting_the_player_s_orders(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    game = table.game(alice, bob)
    table.game(alice, seats=2, name="Open")
    assert [waiting_count(user=user) for user in (alice, bob, dave)] == [1, 1, 0]
    table.move(game, alice)
    assert [waiting_count(user=user) for user in (alice, bob, dave)] == [0, 1, 0]
    assert names(waiting_games(user=alice)) == []
    assert names(waiting_games(user=bob)) == ["First flight"]
    table.play(game, bob)
    assert waiting_count(user=alice) == 1


def test_a_list_marks_the_players_with_missing_orders(
    table: Table, duel: Game, alice: User, dave: User
) -> None:
    table.move(duel, alice)
    (game,) = games_to_watch(viewer=dave)
    assert {seat.user.robo_name: seat.waited_for for seat in game.players.all()} == {
        "Alice": False,
        "Bob": True,
    }
    assert game.deadline == later(hours=24)


def test_all_games_are_found_by_status_and_by_owner(
    table: Table, alice: User, bob: User, dave: User, erin: User
) -> None:
    table.game(alice, seats=2, name="Open", now=later(hours=2))
    table.game(alice, bob, name="Running", now=later(hours=1))
    table.game(alice, bob, name="Secret", private=True)
    assert names(games_for(viewer=alice)) == ["Open", "Running", "Secret"]
    assert names(games_for(viewer=bob, mine=True)) == ["Running", "Secret"]
    assert names(games_for(viewer=dave, status="running")) == ["Running"]
    assert names(games_for(viewer=erin)) == ["Open", "Running"]
    assert names(games_for(viewer=AnonymousUser())) == ["Open", "Running"]
    assert names(games_for(viewer=AnonymousUser(), mine=True)) == []


def test_a_player_s_games_are_counted(table: Table, solo_loss: Game, alice: User, bob: User) -> None:
    table.game(alice, bob)
    table.game(alice, seats=2)
    numbers = {"open": 1, "running": 1, "over": 0, "won": 0, "missions": 1, "waiting": 1}
    assert game_numbers(user=alice) == numbers


def test_a_game_is_won_by_a_player_or_a_squad(table: Table, alice: User, bob: User) -> None:
    recon = Table(DUCTS.saved())
    ended = {"status": Game.Status.OVER, "ended_at": later(hours=3)}
    for game, winner in (
        (table.game(alice, bob), "Alice"),
        (recon.game(alice, bob, ruleset="robo-recon"), "red"),
        (recon.game(alice, bob, ruleset="robo-recon"), "blue"),
        (recon.game(bob, alice, ruleset="robo-recon"), "blue"),
        (table.game(alice, bob), ""),
    ):
        Game.objects.filter(pk=game.pk).update(winner=winner, **ended)
    won = {user: game_numbers(user=user)["won"] for user in (alice, bob)}
    assert won == {alice: 3, bob: 1}


def test_a_list_of_any_length_takes_two_queries(
    table: Table, alice: User, bob: User, dave: User, django_assert_num_queries: CountQueries
) -> None:
    for number in range(4):
        table.game(alice, bob, name=f"Game {number}")
        table.game(alice, bob, seats=3, name=f"Open {number}")
    lists = (
        games_to_join(viewer=dave),
        games_to_watch(viewer=dave),
        my_games(user=alice),
        waiting_games(user=alice),
        games_for(viewer=dave),
    )
    for games in lists:
        with django_assert_num_queries(2):
            shown = [
                (
                    game.name,
                    game.host.robo_name,
                    game.revision.starship.name,
                    game.revision.width,
                    [(seat.user.robo_name, seat.waited_for) for seat in game.players.all()],
                    game.deadline,
                    game.waits_for_me,
                )
                for game in games
            ]
        assert len(shown) >= 4


def test_the_next_game_is_the_most_urgent_and_all_games_follow_in_turn(
    table: Table, alice: User, bob: User, dave: User
) -> None:
    later_on = table.game(alice, bob, name="Over tomorrow", pace={"hours": 24})
    soon = table.game(bob, alice, name="Over soon", pace={"hours": 2})
    whenever = table.game(alice, bob, name="No hurry", pace=None)

    def following(after: Game | int | None = None) -> Game | None:
        return next_waiting(user=alice, after=after)

    assert following() == soon
    assert [following(soon), following(later_on), following(whenever)] == [later_on, whenever, soon]
    table.move(soon, alice)
    assert following(soon) == later_on
    assert following(after=-1) == later_on
    assert next_waiting(user=dave) is None
    for game in (later_on, whenever):
        table.move(game, alice)
    assert following(soon) is None


def test_a_single_waiting_game_has_no_next_and_a_cancelled_one_waits_for_no_one(
    duel: Game, alice: User, erin: User
) -> None:
    assert next_waiting(user=alice) == duel
    assert next_waiting(user=alice, after=duel) is None
    assert next_waiting(user=alice, after=duel.pk) is None
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert waiting_count(user=alice) == 0
