"""Missed turns: the orders that are played instead, and replacing absent players."""

from typing import Any

import pytest

import rules
from accounts.models import Standing, User
from games.absence.missed_turns import change_standing, change_standing_of_game, play_overdue
from games.absence.models import Replacement
from games.errors import Conflict
from games.films.game_file import game_file
from games.news.models import Notice
from games.play.models import Draft, Game, Program, Seat
from games.play.orders import save_draft
from games.play.resolution import resolve_turn
from games.play.stored import PlayedProgram
from tests.games.support import (
    NOW,
    WORKSHOP,
    Table,
    authors_in,
    code_of,
    game_seen,
    hand_of,
    history_of,
    later,
    open_turn,
    orders_for,
    programs_of,
)

Author = Program.Author

LATE = later(hours=25)


def made(
    table: Table, *players: User, policy: str = "random", excused: int | None = None, **more: Any
) -> Game:
    """Return a game in turn 1 with the given policy on missed turns."""
    game = table.game(*players, absence={"policy": policy, "excused": excused}, **more)
    table.play(game, *players)
    return game


def miss(game: Game, number: int = 2, *, hours: float = 25) -> PlayedProgram:
    """Resolve the open turn at its deadline.

    Return the program that was played for the robot with this number.
    """
    turn = open_turn(game)
    deadline = turn.deadline
    assert deadline
    assert resolve_turn(turn_id=turn.pk, now=deadline)
    game.refresh_from_db()
    return programs_of(game, turn.number)[number]


def seat_of(game: Game, number: int = 2) -> Seat:
    return game.players.get(number=number)


def registers(program: PlayedProgram) -> list[int | None]:
    found: list[int | None] = program.orders["registers"]
    return found


def test_chance_plays_by_default(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    for _ in range(2):
        assert miss(game).by == Author.DEADLINE
    assert not Replacement.objects.exists()
    assert seat_of(game).user == bob


def test_standing_orders_play_the_draft(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="standing")
    orders = orders_for(game, bob)
    laid = {**orders, "registers": [*orders["registers"][:3], None, None]}
    save_draft(user=bob, game_id=game.pk, turn_number=1, document=laid, now=NOW)
    program = miss(game)
    assert program.by == Author.STANDING
    assert registers(program)[:3] == laid["registers"][:3]
    assert None not in registers(program)
    assert not Draft.objects.exists()


def test_standing_orders_drive_straight_ahead(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="standing")
    change_standing(user=bob, standing="ahead")
    chips = [rules.CHIPS[number] for number in hand_of(game, bob).chips["chips"]]
    ahead = [chip.kind for kind in "123" for chip in chips if chip.kind == kind][:5]
    assert ahead
    program = miss(game)
    kinds = [rules.CHIPS[number].kind for number in registers(program) if number]
    assert kinds[: len(ahead)] == ahead


def test_standing_orders_power_down(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="standing")
    change_standing_of_game(user=bob, game_id=game.pk, standing="down")
    assert miss(game).orders["power_down"] is True
    assert game_seen(viewer=bob, game=game)["robots"][1]["down"]


@pytest.mark.django_db
def test_standing_orders_power_down_again_after_a_switch_on(alice: User, bob: User) -> None:
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="factory-1999", absence={"policy": "standing"})
    change_standing(user=bob, standing="down")
    for _ in range(2):
        program = miss(game)
        assert program.orders["power_down"] is True
        assert any(registers(program))
        assert game_seen(viewer=bob, game=game)["robots"][1]["down"]
        table.play(game, alice)  # no one waits for Bob
    change_standing(user=bob, standing="laid")
    assert "power_down" not in miss(game).orders


@pytest.mark.django_db
def test_in_games_of_version_1_a_robot_stays_off_until_its_player_is_back(alice: User, bob: User) -> None:
    game = Table(WORKSHOP.saved()).game(alice, bob, ruleset="factory-1999", absence={"policy": "standing"})
    options = {key: value for key, value in game.options.items() if key != "random_checkpoints"}
    Game.objects.filter(pk=game.pk).update(version=1, options=options)
    change_standing(user=bob, standing="down")
    assert miss(game).orders["power_down"] is True
    for _ in range(2):
        assert game_seen(viewer=bob, game=game)["robots"][1]["down"]
        assert miss(game).orders["stay_down"] is True
    change_standing(user=bob, standing="laid")
    miss(game)
    assert not game_seen(viewer=bob, game=game)["robots"][1]["down"]


def test_standing_orders_for_one_game_override_the_general_ones(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="standing")
    change_standing(user=bob, standing="down")
    assert game_seen(viewer=bob, game=game)["me"]["standing"] == "down"
    change_standing_of_game(user=bob, game_id=game.pk, standing="laid")
    assert not miss(game).orders.get("power_down")


@pytest.mark.parametrize("standing", Standing.values)
def test_standing_orders_apply_from_the_first_turn_to_the_last(
    lane: Table, alice: User, bob: User, standing: str
) -> None:
    change_standing(user=bob, standing=standing)
    game = lane.game(alice, bob, options={"lives": 2}, absence={"policy": "standing"}, seed="5eed")
    while game.status == Game.Status.RUNNING:
        turn = open_turn(game)
        assert resolve_turn(turn_id=turn.pk, now=turn.deadline or turn.opened_at)
        game.refresh_from_db()
    assert authors_in(game) == {Author.STANDING}
    file = rules.read_game_file(game_file(game=game))
    assert rules.verify(file) == []


def test_a_computer_plays_one_missed_turn(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="computer")
    assert miss(game).by == Author.STAND_IN
    seat = seat_of(game)
    assert (seat.user, seat.computer, seat.robot) == (bob, "", "")
    table.move(game, bob, now=later(hours=26))


def test_chance_plays_if_the_computer_finds_no_orders(
    table: Table, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = made(table, alice, bob, policy="computer")

    def broken(*given: object) -> rules.Orders:
        raise ArithmeticError("confused")

    monkeypatch.setattr("games.play.computers.computers.choose", broken)
    assert miss(game).by == Author.DEADLINE


def test_a_player_who_misses_too_many_turns_is_replaced(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = made(table, alice, bob, carol, policy="random", excused=1)
    table.move(game, alice, carol)
    assert miss(game).by == Author.DEADLINE
    assert seat_of(game).excused == 0
    table.move(game, alice, carol, now=LATE)
    assert miss(game).by == Author.COMPUTER
    seat = seat_of(game)
    assert (seat.user, seat.computer, seat.robo_name) == (None, "rookie", "Bob")
    assert seat.offered_at is not None
    replaced = Replacement.objects.get()
    assert (replaced.was, replaced.turn, replaced.reason) == (bob, 2, Replacement.Reason.MISSED)
    assert Notice.objects.get(kind="replaced").user == bob
    assert not Notice.objects.filter(kind="turn", user=bob, turn=3).exists()
    assert history_of(game)[-1] == ("A Rookie plays Bob now, because its player missed too many turns.")


def test_turns_in_time_restore_an_excused_turn(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="random", excused=1)  # the headings were in time
    miss(game)
    now = game.moved_at
    for excused in (0, 0, 1):
        table.play(game, alice, bob, now=now)
        assert seat_of(game).excused == excused
    assert game_seen(viewer=bob, game=game)["me"]["excused"] == 1
    miss(game)
    assert seat_of(game).user == bob


def test_the_last_person_is_never_replaced(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, policy="give-up")
    for _ in range(3):
        miss(game)
    people = [seat.user for seat in game.players.all() if seat.user]
    assert len(people) == 1
    assert Replacement.objects.count() == 1


def test_late_computers_play_by_chance(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, computers=["rookie"], absence={"policy": "give-up"})
    table.move(game, alice)
    assert miss(game).by == Author.DEADLINE
    assert seat_of(game).computer == "rookie"


def test_a_player_is_notified_when_their_own_time_is_up(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"bank": 10, "increment": 1}, absence={"policy": "standing"})
    table.play(game, alice, bob, now=later(hours=8))
    turn = open_turn(game)
    Seat.objects.filter(user=alice).update(bank=later(hours=9) - NOW)
    turn.hands.filter(seat__user=alice).update(deadline=later(hours=18))
    turn.deadline = later(hours=18)
    turn.save()
    hand = hand_of(game, bob)
    assert hand.deadline and hand.deadline < later(hours=18)
    assert play_overdue(now=later(hours=17)) == 1
    assert hand_of(game, bob).program.by == Author.STANDING
    notice = Notice.objects.get(kind="missed")
    assert (notice.user, notice.turn) == (bob, 1)
    seen = game_seen(viewer=bob, game=game)
    assert (seen["me"]["missed"], seen["me"]["submitted"], seen["me"]["given_by"]) == (
        True,
        False,
        "standing",
    )
    assert code_of(Conflict, table.move, game, bob, now=later(hours=17)) == "too-late"
