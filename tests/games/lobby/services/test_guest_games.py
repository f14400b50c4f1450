"""Guests' games against computers: limits, access, and moving games to an account."""

import pytest

from accounts import guests
from accounts.models import User
from games.absence.missed_turns import change_standing_of_game
from games.absence.models import Reliability, Replacement
from games.absence.seats import take_seat
from games.chat.services import post_line
from games.errors import Forbidden, NotFound
from games.fleet.models import Starship
from games.lobby.invitations import invite, renew_link
from games.lobby.lists import games_to_watch, my_games
from games.lobby.practice import quick_game
from games.lobby.seats import join_game
from games.lobby.services import create_game, rematch
from games.news.models import Notice
from games.people.models import Achievement, Share, Tally
from games.people.selectors.profiles import person_page
from games.people.selectors.records import game_statistics
from games.people.services.deletion import adopt_guest, forget_guests
from games.people.services.records import recount, recount_person
from games.play.computers import play_computers
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from games.play.selectors import COMPUTERS, class_of
from games.play.terms import Terms
from games.play.viewers import game_for, link_of
from games.staff.services import replace_as_staff
from games.votes.services import call_vote
from tests.games.support import HALL, NOW, Table, all_kept, later, open_turn


@pytest.fixture
def hall(db: None) -> Starship:
    return HALL.saved()


@pytest.fixture
def guest(db: None) -> User:
    return guests.make_guest()


@pytest.fixture
def race(hall: Starship, guest: User) -> Game:
    return quick_game(user=guest, strength="rookie", computers=2, admits_guests=True, now=NOW)


def turn_of(game: Game, player: User) -> None:
    """Play a turn with orders of the player and of all computers."""
    turn = open_turn(game)
    if turn.hands.filter(seat__user=player, program=None).exists():
        Table(game.revision.starship).move(game, player)
    play_computers(turn_id=turn.pk, now=NOW)
    assert resolve_turn(turn_id=turn.pk, now=NOW)
    game.refresh_from_db()


def test_a_guest_plays_against_two_rookies(race: Game, guest: User) -> None:
    assert (race.status, race.host, race.mission) == (Game.Status.RUNNING, guest, None)
    assert list(race.players.order_by("number").values_list("computer", flat=True)) == [
        "",
        "rookie",
        "rookie",
    ]
    assert open_turn(race).deadline is None
    turn_of(race, guest)
    turn_of(race, guest)
    assert race.turn == 2
    assert not Notice.objects.exists()


def test_guests_start_no_game_without_admission_or_after_signing_up(
    hall: Starship, guest: User, alice: User
) -> None:
    for start in (
        lambda: quick_game(user=guest, now=NOW),
        lambda: create_game(host=guest, terms=Terms(name="Mine", starship=hall.pk, seats=2), now=NOW),
    ):
        with pytest.raises(Forbidden) as refused:
            start()
        assert refused.value.code == "guest"
    assert not Game.objects.exists()
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    with pytest.raises(NotFound):
        quick_game(user=guest, admits_guests=True, now=NOW)
    assert not Game.objects.exists()


def test_a_guest_s_game_is_private_and_a_player_s_is_not(
    race: Game, guest: User, alice: User, dave: User
) -> None:
    assert race.private
    assert not quick_game(user=alice, admits_guests=True, now=NOW).private
    with pytest.raises(NotFound):
        game_for(viewer=dave, game_id=race.pk)
    assert race not in games_to_watch(viewer=dave)
    assert link_of(viewer=guest, game=race) is None


def test_a_guest_in_a_game_against_computers_may_only_play(race: Game, guest: User, alice: User) -> None:
    lobby = Table(race.revision.starship).game(alice, seats=3)
    attempts = [
        lambda: post_line(user=guest, game_id=race.pk, text="Hello", now=NOW),
        lambda: post_line(user=guest, game_id=lobby.pk, text="Hello", now=NOW),
        lambda: call_vote(user=guest, game_id=race.pk, kind="call-off", now=NOW),
        lambda: invite(user=guest, game_id=race.pk, robo_name="Alice", now=NOW),
        lambda: renew_link(user=guest, game_id=race.pk, now=NOW),
        lambda: rematch(user=guest, game_id=race.pk, now=NOW),
        lambda: join_game(user=guest, game_id=lobby.pk, now=NOW),
        lambda: take_seat(user=guest, game_id=race.pk, seat=2, now=NOW),
        lambda: change_standing_of_game(user=guest, game_id=race.pk, standing="ahead"),
    ]
    for attempt in attempts:
        with pytest.raises(Forbidden) as refused:
            attempt()
        assert refused.value.code == "guest"


def test_a_double_click_makes_one_game_and_another_choice_makes_another(race: Game, guest: User) -> None:
    again = {"user": guest, "strength": "rookie", "computers": 2, "admits_guests": True}
    assert quick_game(**again, now=later(seconds=9)) == race
    assert quick_game(**again | {"strength": "pilot"}, now=later(seconds=9)) != race
    assert quick_game(**again, now=later(seconds=11)) != race


def test_an_account_takes_over_a_guest_s_game_and_plays_on(race: Game, guest: User, alice: User) -> None:
    turn_of(race, guest)
    turn_of(race, guest)
    assert adopt_guest(guest_id=guest.pk, user=alice, now=NOW) == 1
    race.refresh_from_db()
    assert (race.host, race.private, guest.robo_name in race.name) == (alice, True, False)
    assert race in my_games(user=alice)
    assert "Alice" in all_kept(race) and guest.robo_name not in all_kept(race)
    turn_of(race, alice)


def test_a_guest_s_games_count_in_statistics_once_they_have_an_account(
    race: Game, guest: User, alice: User
) -> None:
    turn_of(race, guest)
    turn_of(race, guest)
    assert class_of(race, race.players.all()) == COMPUTERS
    assert Tally.objects.filter(seat__user=guest).exists()
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    recount_person(person=alice.pk)
    assert Tally.objects.filter(seat__user=alice).count() == 1
    [mine] = [each for each in game_statistics(viewer=alice, game=race) if each["name"] == "Alice"]
    page = person_page(viewer=alice, robo_name="Alice")
    counted = page["statistics"]["computers"]
    assert counted["games"] == 1
    assert {name: each["sum"] for name, each in counted["counters"].items()} == mine["counters"]
    assert any(mine["counters"].values())
    done = recount()
    assert (done.tallies, done.achievements) == (0, 0)
    assert not Reliability.objects.exists(), "against computers it says nothing about that"


def test_a_guest_replaced_by_staff_can_still_sign_up(
    race: Game, guest: User, alice: User, erin: User
) -> None:
    turn_of(race, guest)
    seat = race.players.get(user=guest)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="It hangs.", now=NOW)
    assert adopt_guest(guest_id=guest.pk, user=alice, now=NOW) == 1
    seat.refresh_from_db()
    assert (seat.user, seat.robot) == (None, "Alice")
    assert Replacement.objects.get().was == alice
    assert Share.objects.get().user == alice
    assert not User.objects.filter(pk=guest.pk).exists()


def test_achievements_of_both_remain_those_of_the_account(race: Game, guest: User, alice: User) -> None:
    for user in (guest, alice):
        Achievement.objects.create(user=user, key="winner", game=race, turn=1, earned_at=NOW)
    Achievement.objects.create(user=guest, key="loser", game=race, turn=1, earned_at=NOW)
    adopt_guest(guest_id=guest.pk, user=alice, now=NOW)
    assert sorted(Achievement.objects.filter(user=alice).values_list("key", flat=True)) == ["loser", "winner"]


def test_a_guest_s_games_are_deleted_with_the_guest(race: Game, guest: User) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=NOW)
    turn_of(race, guest)
    assert forget_guests(now=later(days=29)) == 0
    assert forget_guests(now=later(days=30)) == 1
    assert not Game.objects.exists()
    assert not Seat.objects.exists()
    assert not User.objects.filter(is_guest=True).exists()


def test_a_guest_replaced_by_a_computer_is_deleted_too(race: Game, guest: User, erin: User) -> None:
    User.objects.filter(pk=guest.pk).update(date_joined=NOW)
    seat = race.players.get(user=guest)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="It hangs.", now=NOW)
    assert forget_guests(now=later(days=30)) == 1
    assert not User.objects.filter(pk=guest.pk).exists()
