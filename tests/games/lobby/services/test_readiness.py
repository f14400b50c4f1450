"""Readiness: players accept a game's settings, and then the game can start."""

from functools import partial

import pytest

from accounts.models import User
from games.errors import Conflict, Forbidden, NotFound
from games.lobby.seats import add_computer, join_game, leave_game, set_ready, start_game
from games.lobby.services import cancel_game, change_game
from games.news.models import Notice
from games.play.models import Game
from tests.games.support import DUCTS, NOW, Table, later, open_turn
from tests.games.together import together


def waiting(table: Table, host: User, *others: User, **more: object) -> Game:
    """Create a game whose host is ready. The other players are not ready."""
    game = table.game(host, seats=1 + len(others), **more)
    for other in others:
        join_game(user=other, game_id=game.pk, ready=False, now=NOW)
    game.refresh_from_db()
    return game


def test_a_full_game_waits_until_everyone_is_ready(table: Table, alice: User, bob: User, carol: User) -> None:
    game = waiting(table, alice, bob, carol)
    set_ready(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.turn) == (Game.Status.OPEN, None)
    set_ready(user=carol, game_id=game.pk, now=later(minutes=1))
    game.refresh_from_db()
    assert (game.status, game.started_at) == (Game.Status.RUNNING, later(minutes=1))
    assert Notice.objects.filter(game=game, kind="turn").count() == 3


def test_readiness_can_be_withdrawn(table: Table, alice: User, bob: User) -> None:
    game = waiting(table, alice, bob)
    set_ready(user=alice, game_id=game.pk, ready=False, now=NOW)
    set_ready(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.OPEN
    set_ready(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING


def test_being_ready_twice_changes_nothing(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, seats=3)
    for _ in range(2):
        set_ready(user=bob, game_id=game.pk, now=NOW)
    assert game.players.filter(ready=True).count() == 2


def test_readiness_is_refused_from_strangers_and_after_the_start(
    duel: Game, bob: User, table: Table, alice: User, dave: User
) -> None:
    for ready in (True, False):
        with pytest.raises(Conflict, match="The game has started") as refused:
            set_ready(user=bob, game_id=duel.pk, ready=ready, now=NOW)
        assert refused.value.code == "started"
    assert duel.players.filter(ready=True).count() == 2
    game = waiting(table, alice, bob)
    with pytest.raises(Forbidden):
        set_ready(user=dave, game_id=game.pk, now=NOW)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        set_ready(user=bob, game_id=game.pk, now=NOW)
    assert refused.value.code == "cancelled"
    secret = table.game(alice, seats=2, private=True)
    with pytest.raises(NotFound):
        set_ready(user=dave, game_id=secret.pk, now=NOW)


def test_a_game_without_automatic_start_waits_for_its_host_who_becomes_ready_by_starting(
    table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob, starts_itself=False)
    assert game.status == Game.Status.OPEN
    start_game(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert game.status == Game.Status.RUNNING
    game = table.game(alice, bob, ready=False)
    start_game(user=alice, game_id=game.pk, now=NOW)
    assert not game.players.filter(ready=False).exists()


def test_players_who_are_not_ready_are_named(table: Table, alice: User, bob: User, carol: User) -> None:
    game = waiting(table, alice, bob, carol)
    with pytest.raises(Conflict, match="Bob and Carol are not ready yet") as refused:
        start_game(user=alice, game_id=game.pk, now=NOW)
    assert refused.value.code == "not-ready"
    set_ready(user=carol, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict, match="Bob is not ready yet"):
        start_game(user=alice, game_id=game.pk, now=NOW)


def test_open_seats_are_dropped_and_the_others_renumbered(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, bob, carol, seats=8)
    add_computer(user=alice, game_id=game.pk, strength="rookie", look=7, now=NOW)
    leave_game(user=bob, game_id=game.pk, now=NOW)
    start_game(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    seats = [(seat.number, seat.robo_name) for seat in game.players.order_by("number")]
    assert seats == [(1, "Alice"), (2, "Carol"), (3, "Rookie Cog")]
    assert game.seats == 3
    robots = [robot["name"] for robot in open_turn(game).snapshot["robots"]]
    assert robots[:3] == ["Alice", "Carol", "Rookie Cog"]
    hands = open_turn(game).hands.exclude(seat=None).order_by("robot")
    assert [hand.robot for hand in hands] == [1, 2, 3]


def test_a_host_on_a_later_seat_can_start(table: Table, alice: User, bob: User, carol: User) -> None:
    game = table.game(alice, bob, carol, seats=5)
    leave_game(user=alice, game_id=game.pk, now=NOW)
    start_game(user=bob, game_id=game.pk, now=NOW)
    assert list(game.players.order_by("number").values_list("user__robo_name", flat=True)) == ["Bob", "Carol"]


def test_only_the_host_starts_a_game_and_only_once(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, seats=3)
    with pytest.raises(Forbidden):
        start_game(user=bob, game_id=game.pk, now=NOW)
    start_game(user=alice, game_id=game.pk, now=NOW)
    with pytest.raises(Conflict) as refused:
        start_game(user=alice, game_id=game.pk, now=NOW)
    assert refused.value.code == "started"


def test_unequal_squads_do_not_start(alice: User, bob: User, carol: User) -> None:
    game = Table(DUCTS.saved()).game(alice, bob, carol, seats=4, ruleset="robo-recon")
    with pytest.raises(Conflict, match="Red squad: 2, Blue squad: 1") as refused:
        start_game(user=alice, game_id=game.pk, now=NOW)
    assert refused.value.code == "squads-differ"
    assert Game.objects.get(pk=game.pk).seats == 4


def test_too_few_players_do_not_start(alice: User) -> None:
    game = Table(DUCTS.saved()).game(alice, seats=4, ruleset="robo-recon")
    with pytest.raises(Conflict) as refused:
        start_game(user=alice, game_id=game.pk, now=NOW)
    assert refused.value.code == "too-few"


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    def test_two_last_players_become_ready_and_the_game_starts_once(
        self, table: Table, alice: User, bob: User, carol: User
    ) -> None:
        game = waiting(table, alice, bob, carol)
        results = together(
            *[partial(set_ready, user=user, game_id=game.pk, now=NOW) for user in (bob, carol)]
        )
        assert [type(result) for result in results] == [Game, Game]
        assert game.turns.count() == 1
        assert game.notices.count() == 3

    def test_the_host_starts_while_the_last_player_becomes_ready(
        self, table: Table, alice: User, bob: User
    ) -> None:
        game = waiting(table, alice, bob)
        results = together(
            partial(start_game, user=alice, game_id=game.pk, now=NOW),
            partial(set_ready, user=bob, game_id=game.pk, now=NOW),
        )
        codes = [getattr(result, "code", "") for result in results]
        assert codes in (["not-ready", ""], ["started", ""])
        assert game.turns.count() == 1

    def test_players_and_computers_compete_for_the_last_seat(
        self, table: Table, alice: User, bob: User, carol: User
    ) -> None:
        game = table.game(alice, seats=2)
        joining = [partial(join_game, user=user, game_id=game.pk, look=4, now=NOW) for user in (bob, carol)]
        adding = partial(add_computer, user=alice, game_id=game.pk, strength="rookie", now=NOW)
        results = together(*joining, adding)
        assert sum(isinstance(result, Game) for result in results) == 1
        assert {result.code for result in results if isinstance(result, Conflict)} <= {"full", "started"}
        assert game.players.count() == 2
        assert game.turns.count() == 1

    def test_a_change_comes_before_or_after_readiness(self, table: Table, alice: User, bob: User) -> None:
        """A game never starts with settings that a player did not accept."""
        game = waiting(table, alice, bob)
        results = together(
            partial(change_game, user=alice, game_id=game.pk, changes={"options": {"lives": 9}}, now=NOW),
            partial(set_ready, user=bob, game_id=game.pk, now=NOW),
        )
        game.refresh_from_db()
        changed, agreed = results
        assert isinstance(agreed, Game)
        assert game.status == Game.Status.RUNNING
        assert (game.options["lives"] == 9) == isinstance(changed, Game)
