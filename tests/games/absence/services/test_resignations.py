"""Resigning from running games, and leaving them."""

import json
from collections.abc import Callable
from datetime import timedelta

import pytest

import rules
from accounts.models import User
from games.absence.models import Reliability, Replacement
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.absence.selectors import seats_to_return_to
from games.errors import Conflict, Forbidden, NotFound
from games.films.game_file import game_file
from games.news.channels.mail import compose
from games.news.models import Notice
from games.people.selectors.profiles import person_page
from games.people.selectors.records import game_numbers
from games.play.computers import play_computers
from games.play.models import Draft, Game, Program, Seat
from games.play.orders import save_draft
from games.staff.selectors import faults_of
from games.standings.selectors.results import result_order
from games.votes.services import call_vote, cast_ballot
from tests.games.support import DUCTS, NOW, Table, hand_of, open_turn

Reason = Replacement.Reason
Status = Game.Status
Way = Callable[..., Game]
WAYS = [resign_game, give_up_seat]


@pytest.fixture
def begun(table: Table, duel: Game, alice: User, bob: User) -> Game:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    return duel


@pytest.fixture
def against_aces(table: Table, alice: User) -> Game:
    """A game of Alice against two computers of the level Ace, after its first turn."""
    game = table.game(alice, seats=3, computers=["ace", "ace"])
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice)
    return game


def resign(game: Game, user: User, **more: bool) -> Game:
    return resign_game(user=user, game_id=game.pk, now=NOW, **more)


def leave(game: Game, user: User, **more: bool) -> Game:
    return give_up_seat(user=user, game_id=game.pk, now=NOW, **more)


def faults(game: Game) -> list[str]:
    document = game_file(game=game)
    file = rules.read_game_file(json.loads(rules.canonical(document)))
    return [str(fault) for fault in rules.verify(file)] + list(map(str, faults_of(game)))


def record_of(user: User, kind: str = "people") -> tuple[int, int]:
    """Return how many games a player has finished, and how many of these they have won."""
    statistics = person_page(viewer=user, robo_name=user.robo_name)["statistics"][kind]
    return statistics["over"], statistics["won"]


def test_a_rookie_plays_for_a_resigned_player_and_the_seat_is_not_open(trio: Game, bob: User) -> None:
    before = list(Reliability.objects.values_list("user", "turns", "missed"))
    game = resign(trio, bob)
    assert list(Reliability.objects.values_list("user", "turns", "missed")) == before
    seat = game.players.get(number=2)
    assert game.status == Status.RUNNING
    assert (seat.user, seat.computer, seat.robo_name, seat.offered_at) == (None, "rookie", "Bob", None)
    assert Replacement.objects.get().reason == Reason.RESIGNED
    with pytest.raises(Forbidden, match="You resigned"):
        take_seat(user=bob, game_id=game.pk, seat=2, now=NOW)


def test_a_player_who_left_may_come_back_until_another_takes_over(trio: Game, bob: User, dave: User) -> None:
    game = leave(trio, bob)
    assert game.players.get(number=2).offered_at == NOW
    assert seats_to_return_to(user=bob) == [game.players.get(number=2)]
    take_seat(user=bob, game_id=game.pk, seat=2, now=NOW)
    leave(trio, bob)
    take_seat(user=dave, game_id=game.pk, seat=2, now=NOW)
    with pytest.raises(Conflict):
        take_seat(user=bob, game_id=game.pk, seat=2, now=NOW)


@pytest.mark.parametrize("way", WAYS)
def test_orders_for_the_open_turn_still_count_and_a_draft_is_deleted(
    trio: Game, table: Table, alice: User, bob: User, way: Way
) -> None:
    save_draft(user=bob, game_id=trio.pk, turn_number=1, document={"registers": [None] * 5}, now=NOW)
    table.move(trio, alice)
    way(user=alice, game_id=trio.pk, now=NOW)
    way(user=bob, game_id=trio.pk, now=NOW) if way is give_up_seat else None
    assert Program.objects.filter(hand__turn=open_turn(trio), by=Program.Author.PLAYER).count() == 1
    assert Draft.objects.filter(hand__seat__number=1).count() == 0


def test_the_turn_is_resolved_immediately_if_others_were_waiting(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    table.move(trio, alice, carol)
    resign(trio, bob)
    play_computers(turn_id=open_turn(trio).pk, now=NOW)
    assert open_turn(trio).ready_at == NOW


def test_the_last_player_who_has_not_resigned_wins(begun: Game, alice: User, bob: User) -> None:
    game = resign(begun, alice)
    assert (game.status, game.ending, game.winner) == (Status.OVER, Game.Ending.RESIGNED, "Bob")
    assert game.players.get(user=alice).number == 1, "the game stays hers"
    assert (record_of(alice), record_of(bob)) == ((1, 0), (1, 1))
    assert Notice.objects.filter(game=game, user=bob, kind="over").exists()
    assert faults(game) == []


def test_of_three_players_the_last_wins_and_the_others_lose(
    trio: Game, table: Table, alice: User, bob: User, carol: User
) -> None:
    assert resign(trio, alice).host == bob, "the next person"
    assert record_of(alice) == (0, 0), "it is not over yet"
    game = resign(trio, bob)
    assert (game.status, game.winner) == (Status.OVER, "Carol")
    assert (record_of(alice), record_of(bob), record_of(carol)) == ((1, 0), (1, 0), (1, 1))
    history = person_page(viewer=bob, robo_name="Bob")["history"]
    assert [(each["id"], each["won"], each["place"]) for each in history] == [(game.pk, False, None)]
    assert game_numbers(user=bob)["over"] == 1
    assert faults(game) == []


def test_a_game_won_by_their_robot_without_them_is_a_loss(trio: Game, bob: User) -> None:
    resign(trio, bob)
    Game.objects.filter(pk=trio.pk).update(status=Status.OVER, ended_at=NOW, winner="Bob")
    history = person_page(viewer=bob, robo_name="Bob")["history"]
    assert [(each["winner"], each["won"]) for each in history] == [("Bob", False)]
    assert (game_numbers(user=bob)["won"], record_of(bob)) == (0, (1, 0))


def test_a_player_who_left_and_came_back_gets_the_usual_result(
    begun: Game, table: Table, alice: User, bob: User
) -> None:
    leave(begun, bob)
    assert Game.objects.get(pk=begun.pk).status == Status.RUNNING
    take_seat(user=bob, game_id=begun.pk, seat=2, now=NOW)
    resign(begun, alice)
    assert record_of(bob) == (1, 1)


@pytest.mark.parametrize("way", WAYS)
def test_the_last_person_among_computers_ends_the_game_as_a_loss(
    against_aces: Game, alice: User, way: Way
) -> None:
    game = way(user=alice, game_id=against_aces.pk, now=NOW)
    assert (game.status, game.ending, game.winner) == (Status.OVER, Game.Ending.RESIGNED, "")
    assert record_of(alice, "computers") == (1, 0)
    assert faults(game) == []


def test_a_single_computer_wins_against_a_resigned_player(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, computers=["ace"])
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice)
    game = resign(game, alice)
    assert game.winner == game.players.get(number=2).robo_name
    assert faults(game) == []


@pytest.mark.parametrize("way", WAYS)
def test_the_last_person_ends_a_game_that_all_others_have_left(
    begun: Game, alice: User, bob: User, way: Way
) -> None:
    leave(begun, bob)
    game = way(user=alice, game_id=begun.pk, now=NOW + timedelta(minutes=1))
    assert (game.status, game.winner) == (Status.OVER, "")
    assert result_order(game).ranks == {1: 1, 2: 2}, "who left earlier comes last, and has not won"
    assert (record_of(alice), record_of(bob)) == ((1, 0), (1, 0))
    assert not game.players.filter(offered_at__isnull=False).exists()


def test_resigning_before_the_first_turn_counts_too(duel: Game, alice: User, bob: User) -> None:
    game = resign(duel, alice)
    assert (game.status, game.ending, game.winner) == (Status.OVER, Game.Ending.RESIGNED, "Bob")
    assert (record_of(alice), record_of(bob)) == ((1, 0), (1, 1))
    notice = Notice.objects.get(game=game, user=bob, kind="over", channel="mail")
    assert "is over after 0 turns: you won by resignation" in compose(notice).body
    assert list(faults_of(game)) == []


def test_a_mission_can_be_resigned(lane: Table, alice: User) -> None:
    game = lane.game(alice)
    assert resign(game, alice).status == Status.CANCELLED


def test_an_open_vote_is_counted_again_without_a_player_who_resigned(
    trio: Game, alice: User, bob: User, carol: User
) -> None:
    vote = call_vote(user=alice, game_id=trio.pk, kind="pause", days=2, now=NOW)
    resign(trio, carol)
    cast_ballot(user=bob, game_id=trio.pk, vote_id=vote.pk, yes=True, now=NOW)
    vote.refresh_from_db()
    assert vote.status == vote.Status.PASSED


def test_refusals_give_their_reason(
    trio: Game, table: Table, duel: Game, alice: User, bob: User, carol: User, dave: User
) -> None:
    private = table.game(alice, bob, private=True)
    resign(trio, bob)
    resign(duel, alice)
    Seat.objects.filter(game=trio, user=carol).update(out=True)
    for way in WAYS:
        for user, game, error, why in (
            (bob, trio, Conflict, "already"),
            (carol, trio, Conflict, "out of the game"),
            (dave, trio, Forbidden, "no seat"),
            (bob, duel, Conflict, "over"),
            (alice, table.game(alice, seats=2), Conflict, "has not started"),
            (dave, private, NotFound, "no such game"),
        ):
            with pytest.raises(error, match=why):
                way(user=user, game_id=game.pk, now=NOW)


def test_a_resignation_with_other_consequences_than_shown_is_refused(
    begun: Game, alice: User, bob: User
) -> None:
    leave(begun, bob)
    with pytest.raises(Conflict, match="has changed"):
        leave(begun, alice, ends=False)
    assert hand_of(begun, alice), "nothing is changed"


def test_the_last_person_of_a_squad_hands_the_win_to_the_other_squad(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    table = Table(DUCTS.saved())
    game = table.game(alice, bob, carol, dave, ruleset="robo-recon")
    table.play(game, alice, bob, carol, dave)
    first, other = game.players.get(user=alice).squad, game.players.get(user=bob).squad
    mate = next(user for user in (carol, dave) if game.players.get(user=user).squad == first)
    assert first != other
    assert resign(game, mate).status == Status.RUNNING
    game = resign(game, alice)
    assert (game.status, game.winner) == (Status.OVER, other)
    assert faults(game) == []
