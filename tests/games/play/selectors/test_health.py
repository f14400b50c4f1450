"""The health of workers, and the games that wait for them."""

from accounts.models import User
from games.play.models import Game
from games.play.resolution import resolve_turn
from games.play.selectors import resolution_is_delayed, workers_are_silent
from games.staff.services import cancel_as_staff
from games.work.sweeper import sweep
from tests.games.support import NOW, Table, later


def delayed(game: Game, **time: float) -> bool:
    return resolution_is_delayed(game=game, now=later(**time))


def test_a_game_that_waits_for_a_player_is_not_delayed(table: Table, duel: Game, alice: User) -> None:
    table.move(duel, alice)
    assert not delayed(duel, hours=23)


def test_a_complete_turn_counts_as_delayed_after_a_while(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.move(duel, alice, bob)
    assert not delayed(duel, seconds=20)
    assert delayed(duel, seconds=21)
    assert resolve_turn(turn_id=duel.turns.get().pk, now=later(seconds=22))
    assert not delayed(duel, seconds=60)


def test_a_turn_past_its_deadline_is_delayed_if_no_sweeper_ran(duel: Game) -> None:
    assert not delayed(duel, hours=24, seconds=60)
    assert delayed(duel, hours=24, seconds=90)


def test_a_delay_is_reported_immediately_if_workers_are_known_to_be_down(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    sweep(now=NOW)
    table.move(duel, alice, bob, now=later(minutes=10))
    assert delayed(duel, minutes=10)


def test_workers_are_down_if_no_sweeper_ran_for_a_while(db: None) -> None:
    assert not workers_are_silent(now=NOW)
    sweep(now=NOW)
    assert not workers_are_silent(now=later(minutes=3))
    assert workers_are_silent(now=later(minutes=4))
    assert workers_are_silent(now=later(minutes=-2)), "a sweep of the future tells nothing"


def test_a_game_that_has_ended_is_never_delayed(solo_loss: Game, duel: Game, erin: User) -> None:
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    duel.refresh_from_db()
    assert not delayed(duel, days=2)
    assert not delayed(solo_loss, days=2)
