"""Guests become accounts while their missions continue, on the real database."""

from functools import partial

import pytest

from accounts import guests
from accounts.models import User
from games.errors import NotFound
from games.fleet.missions import save_mission
from games.lobby.practice import quick_game, start_mission
from games.people.services.deletion import adopt_guest
from games.play.computers import play_computers
from games.play.models import Game
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.play.stored import state_at_start
from tests.games.fleet.test_missions import LESSON
from tests.games.support import HALL, NOW, all_kept, later, open_turn
from tests.games.together import together

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def guest() -> User:
    """A guest. A mission exists that guests can fly."""
    save_mission(slug="hall", number=1, title="A hall", starship=HALL.saved(), options={}, lesson=LESSON)
    return guests.make_guest()


def test_a_turn_resolved_meanwhile_has_the_new_name(guest: User, alice: User) -> None:
    game = start_mission(user=guest, slug="hall", now=NOW)
    turn = open_turn(game)
    submit_orders(user=guest, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    played, adopted = together(
        partial(resolve_turn, turn_id=turn.pk, now=later(minutes=1)),
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
    )
    assert (played, adopted) == (True, 1)
    game.refresh_from_db()
    assert (game.host, game.turn, game.players.get().user) == (alice, 1, alice)
    assert guest.robo_name not in all_kept(game)
    for each in game.turns.all():
        assert state_at_start(each)["robots"][0]["name"] == "Alice"


def test_a_mission_started_meanwhile_is_adopted_or_not_created(guest: User, alice: User) -> None:
    adopted, started = together(
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
        partial(start_mission, user=guest, slug="hall", now=NOW),
    )
    assert not User.objects.filter(pk=guest.pk).exists()
    if isinstance(started, Game):
        assert adopted == 1
        assert Game.objects.get().host == alice
    else:
        assert (type(started), adopted) == (NotFound, 0)
        assert not Game.objects.exists()


def test_a_deleted_guest_flies_nothing(guest: User, alice: User) -> None:
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    with pytest.raises(NotFound):
        start_mission(user=guest, slug="hall", now=NOW)
    assert not Game.objects.exists()


def test_a_race_started_meanwhile_is_adopted_or_not_created(guest: User, alice: User) -> None:
    adopted, started = together(
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
        partial(quick_game, user=guest, admits_guests=True, now=NOW),
    )
    assert not User.objects.filter(pk=guest.pk).exists()
    if isinstance(started, Game):
        assert adopted == 1
        assert Game.objects.get().host == alice
    else:
        assert (type(started), adopted) == (NotFound, 0)
        assert not Game.objects.exists()


def test_two_simultaneous_logins_move_the_games_once(guest: User, alice: User, bob: User) -> None:
    game = quick_game(user=guest, computers=2, admits_guests=True, now=NOW)
    numbers = together(
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
        partial(adopt_guest, guest_id=guest.pk, user=bob, now=NOW),
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
    )
    assert sorted(numbers) == [0, 0, 1]
    game.refresh_from_db()
    owner = alice if numbers[1] == 0 else bob
    assert (game.host, game.players.get(number=1).user) == (owner, owner)
    assert game.turns.get().snapshot["robots"][0]["name"] == owner.robo_name


def test_a_computer_that_thinks_meanwhile_submits_to_the_same_game(guest: User, alice: User) -> None:
    game = quick_game(user=guest, computers=2, admits_guests=True, now=NOW)
    turn = open_turn(game)
    submit_orders(user=guest, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    _, adopted = together(
        partial(play_computers, turn_id=turn.pk, now=NOW),
        partial(adopt_guest, guest_id=guest.pk, user=alice, now=NOW),
    )
    play_computers(turn_id=turn.pk, now=NOW)
    resolve_turn(turn_id=turn.pk, now=later(minutes=1))
    game.refresh_from_db()
    assert (adopted, game.turn, game.host) == (1, 1, alice)
    assert guest.robo_name not in all_kept(game)


def test_a_double_click_starts_one_race(guest: User) -> None:
    start = partial(quick_game, user=guest, admits_guests=True, now=NOW)
    first, second = together(start, start)
    assert first == second
    assert Game.objects.count() == 1
