"""Missions: flights by guests and people with accounts, and later changes to them."""

from typing import Any

import pytest

import rules
from accounts import guests
from accounts.models import User
from games.errors import Conflict, NotFound
from games.films import selectors
from games.fleet.missions import save_mission
from games.fleet.models import Mission
from games.fleet.services import retire_starship
from games.lobby.invitations import invite
from games.lobby.lists import games_to_watch
from games.lobby.practice import mission_result, mission_results, start_mission
from games.lobby.services import rematch
from games.news.models import Notice
from games.people.models import Achievement, Tally
from games.people.selectors.profiles import person_page
from games.people.selectors.records import new_achievements
from games.people.services.deletion import adopt_guest, forget_guests
from games.people.services.records import recount, recount_person
from games.play import stored
from games.play.models import Draft, Game, Seat, Turn
from games.play.orders import drop_draft, submit_orders
from games.play.resolution import resolve_turn
from games.play.viewers import game_for
from games.work.sweeper import sweep
from tests.games.fleet.test_missions import LESSON
from tests.games.support import HALL, LANE, NOW, Table, all_kept, game_seen, later, open_turn


@pytest.fixture
def mission(db: None) -> Mission:
    """A mission on a short lane. Players win if they face east and go straight on."""
    lesson = {**LESSON, "notes": [{"cells": [[4, 0]], "text": "There."}]}
    return save_mission(
        slug="lane", number=1, title="A lane", starship=LANE.saved(), options={"lives": 2}, lesson=lesson
    )


@pytest.fixture
def guest(db: None) -> User:
    return guests.make_guest()


def play_on(game: Game, player: User) -> Game:
    """Play a mission to its end with orders of the level Ace."""
    while game.status == Game.Status.RUNNING:
        turn = open_turn(game)
        submit_orders(
            user=player, game_id=game.pk, turn_number=turn.number, document=best_orders(game), now=NOW
        )
        assert resolve_turn(turn_id=turn.pk, now=NOW)
        game.refresh_from_db()
    assert game.winner == player.robo_name
    return game


def best_orders(game: Game) -> dict[str, Any]:
    """Return orders for the open turn, as a computer of the level Ace chooses."""
    turn, setup = open_turn(game), stored.setup_of(game)
    hand = stored.chips_of(turn.hands.get(robot=1))
    seen = rules.view(stored.start_of(turn, setup.starship))
    return rules.write_orders(rules.computers.choose(setup, seen, 0, hand, "ace", 1))


def test_a_mission_is_a_private_solo_game_that_runs_to_its_end(
    mission: Mission, alice: User, guest: User
) -> None:
    game = start_mission(user=alice, slug="lane", now=NOW)
    assert (game.mission, game.name, game.seats, game.private) == (mission, "A lane", 1, True)
    assert game.status == Game.Status.RUNNING
    assert game.options["lives"] == 2
    assert open_turn(game).deadline is None
    first = start_mission(user=guest, slug="lane", now=NOW)
    assert start_mission(user=guest, slug="lane", now=NOW) == first
    play_on(first, guest)
    assert start_mission(user=guest, slug="lane", now=NOW) != first


def test_missions_not_on_offer_cannot_be_flown(mission: Mission, guest: User) -> None:
    with pytest.raises(NotFound):
        start_mission(user=guest, slug="nowhere", now=NOW)
    retire_starship(starship_id=mission.starship_id)
    with pytest.raises(NotFound):
        start_mission(user=guest, slug="lane", now=NOW)
    assert mission_results(viewer=guest) == []


def test_missions_send_no_mail(mission: Mission, alice: User, guest: User) -> None:
    for player in (alice, guest):
        play_on(start_mission(user=player, slug="lane", now=NOW), player)
    assert not Notice.objects.exists()


def test_only_the_player_sees_their_progress(mission: Mission, guest: User, alice: User, dave: User) -> None:
    def flight(viewer: User) -> tuple[bool, bool, bool]:
        found = mission_result(viewer=viewer, slug="lane")
        return found.under_way is not None, found.done, found.lost

    assert flight(guest) == (False, False, False)
    game = start_mission(user=guest, slug="lane", now=NOW)
    assert flight(guest) == (True, False, False)
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER, ended_at=NOW)
    assert flight(guest) == (False, False, True)
    play_on(start_mission(user=guest, slug="lane", now=NOW), guest)
    assert flight(guest) == (False, True, False)
    assert flight(alice) == (False, False, False)
    with pytest.raises(NotFound):
        game_for(viewer=dave, game_id=game.pk)
    assert not games_to_watch(viewer=dave).exists()


def test_guests_can_be_neither_found_nor_invited(guest: User, alice: User) -> None:
    lobby = Table(HALL.saved()).game(alice, seats=3)
    with pytest.raises(NotFound):
        invite(user=alice, game_id=lobby.pk, robo_name=guest.robo_name, now=NOW)
    with pytest.raises(NotFound):
        person_page(viewer=alice, robo_name=guest.robo_name)


def test_guests_see_their_achievements_only_after_signing_up(mission: Mission, guest: User) -> None:
    play_on(start_mission(user=guest, slug="lane", now=NOW), guest)
    assert Achievement.objects.filter(user=guest).exists()
    assert new_achievements(user=guest) == []


def test_an_account_takes_over_a_guest_s_missions(mission: Mission, guest: User, alice: User) -> None:
    done = play_on(start_mission(user=guest, slug="lane", now=NOW), guest)
    going_on = start_mission(user=guest, slug="lane", now=NOW)
    name = guest.robo_name
    assert adopt_guest(guest_id=guest.pk, user=alice, now=NOW) == 2
    assert not User.objects.filter(pk=guest.pk).exists()
    for game in Game.objects.all():
        assert (game.host, game.players.get().user) == (alice, alice)
    done.refresh_from_db()
    assert done.winner == "Alice"
    assert mission_result(viewer=alice, slug="lane").done
    for game in Game.objects.all():
        assert "Alice" in all_kept(game) and name not in all_kept(game)
    replay = selectors.replay(game=done, number=1)
    assert replay.end.robots[0].name == "Alice"
    play_on(going_on, alice)


def test_records_are_as_if_the_account_had_flown(
    mission: Mission, guest: User, alice: User, messages: list[tuple[str, int]]
) -> None:
    play_on(start_mission(user=guest, slug="lane", now=NOW), guest)
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    assert ("recount_person", alice.pk) in messages
    recount_person(person=alice.pk)
    assert Tally.objects.filter(seat__user=alice).exists()
    assert Achievement.objects.filter(user=alice).exists()
    done = recount()
    assert (done.tallies, done.achievements) == (0, 0)


def test_a_guest_is_taken_over_once_and_only_by_accounts(mission: Mission, guest: User, alice: User) -> None:
    start_mission(user=guest, slug="lane", now=NOW)
    other = guests.make_guest()
    assert adopt_guest(guest_id=guest.pk, user=other, now=NOW) == 0
    assert adopt_guest(guest_id=alice.pk, user=other, now=NOW) == 0
    assert adopt_guest(guest_id=guest.pk, user=alice, now=NOW) == 1
    assert adopt_guest(guest_id=guest.pk, user=alice, now=NOW) == 0
    assert Seat.objects.get().user == alice


def test_active_guests_and_accounts_are_not_deleted(mission: Mission, guest: User, alice: User) -> None:
    User.objects.update(date_joined=NOW)
    start_mission(user=guest, slug="lane", now=later(days=20))
    start_mission(user=alice, slug="lane", now=NOW)
    assert forget_guests(now=later(days=49)) == 0
    sweep(now=later(days=50))
    assert list(User.objects.all()) == [alice]
    assert Game.objects.count() == 1


def test_a_recent_guest_is_not_deleted(guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=NOW, last_login=later(days=31))
    assert forget_guests(now=later(days=40)) == 0


def test_a_rematch_of_a_mission_is_a_new_flight(mission: Mission, alice: User) -> None:
    game = start_mission(user=alice, slug="lane", now=NOW)
    with pytest.raises(Conflict):
        rematch(user=alice, game_id=game.pk, now=NOW)


@pytest.fixture
def begun(db: None) -> Mission:
    """A mission whose instructor fills three registers in advance."""
    lesson = {**LESSON, "notes": [{"cells": [[4, 0]], "text": "There."}], "filled": 3}
    return save_mission(
        slug="begun", number=1, title="A lane", starship=HALL.saved(), options={}, lesson=lesson
    )


def face(game: Game, player: User) -> Turn:
    """Choose the first heading. Return turn 1."""
    turn = open_turn(game)
    submit_orders(user=player, game_id=game.pk, turn_number=0, document={"heading": "E"}, now=NOW)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    return open_turn(game)


def test_the_instructor_fills_the_first_registers_as_a_draft(begun: Mission, guest: User) -> None:
    game = start_mission(user=guest, slug="begun", now=NOW)
    assert not Draft.objects.exists()
    turn = face(game, guest)
    game.refresh_from_db()
    draft = Draft.objects.get()
    laid = draft.orders["registers"]
    assert laid[3:] == [None, None]
    assert set(laid[:3]) < set(turn.hands.get().chips["chips"])
    assert game_seen(viewer=guest, game=game)["me"]["draft"]["orders"]["registers"] == laid
    drop_draft(user=guest, game_id=game.pk, turn_number=1)
    assert not Draft.objects.exists()


def test_later_turns_and_other_games_start_with_empty_registers(
    begun: Mission, guest: User, alice: User, bob: User
) -> None:
    game = start_mission(user=guest, slug="begun", now=NOW)
    turn = face(game, guest)
    submit_orders(user=guest, game_id=game.pk, turn_number=1, document=best_orders(game), now=NOW)
    resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.turn) == (Game.Status.RUNNING, 2)
    assert not Draft.objects.exists()
    table = Table(begun.starship)
    other = table.game(alice, bob)
    table.play(other, alice, bob)
    assert open_turn(other).number == 1
    assert not Draft.objects.exists()
