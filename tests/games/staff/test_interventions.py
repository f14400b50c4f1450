"""Staff intervene in stuck games. Players see the reason."""

from datetime import datetime, time, timedelta
from functools import partial
from typing import Any

import pytest

from accounts.models import User
from games.clocks.clock import HOUR
from games.clocks.services import change_rest
from games.errors import Conflict, Forbidden, NotFound, ServiceError
from games.play.computers import play_computers
from games.play.models import Game, Hand, Program, Seat, Turn
from games.play.progress import progress_of
from games.play.resolution import MAX_ATTEMPTS, resolve_turn
from games.staff.models import Intervention
from games.staff.services import cancel_as_staff, extend_turn, replace_as_staff, resolve_again, watch_turns
from games.work.models import Alarm
from tests import cast
from tests.games.deletions import erased, rows_with
from tests.games.support import NOW, Table, game_seen, hand_of, later, open_turn
from tests.games.together import hold, meanwhile, wait_for_waiter

WHY = "The mail server was down."


def extend(game: Game, staff: User, hours: int = 24, reason: str = WHY, now: datetime = NOW) -> Game:
    return extend_turn(user=staff, game_id=game.pk, hours=hours, reason=reason, now=now)


def interventions_seen(game: Game) -> list[tuple[str, str]]:
    """Return the text and reason of each intervention, as viewers of the game see them."""
    game.refresh_from_db()
    seen = game_seen(viewer=game.host, game=game)
    return [(each["text"], each["reason"]) for each in seen["interventions"]]


def test_all_players_without_orders_get_more_time(
    duel: Game, table: Table, alice: User, bob: User, erin: User
) -> None:
    table.move(duel, alice)
    extend(duel, erin, hours=36, now=later(hours=1))
    assert hand_of(duel, bob).deadline == open_turn(duel).deadline == later(hours=24 + 36)
    assert hand_of(duel, alice).deadline is None
    assert interventions_seen(duel) == [("Staff extended the deadline of turn 0 by 36 hours.", WHY)]


def test_a_passed_deadline_is_extended_from_now(duel: Game, erin: User) -> None:
    turn = open_turn(duel)
    Turn.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS, error="It never works.")
    watch_turns(now=later(hours=30))
    assert Alarm.objects.filter(closed_at=None).exists()
    extend(duel, erin, hours=2, now=later(hours=30))
    turn.refresh_from_db()
    assert (turn.deadline, turn.attempts, turn.error, turn.offered_at) == (later(hours=32), 0, "", None)
    assert not resolve_turn(turn_id=turn.pk, now=later(hours=31))
    watch_turns(now=later(hours=31))
    assert not Alarm.objects.filter(closed_at=None).exists()
    assert not Program.objects.exists()
    assert resolve_turn(turn_id=turn.pk, now=later(hours=32))


def test_players_are_reminded_of_the_new_deadline(duel: Game, alice: User, erin: User) -> None:
    before = hand_of(duel, alice).remind_at
    assert before
    extend(duel, erin, hours=48)
    after = hand_of(duel, alice).remind_at
    assert after and after > before


def test_added_time_fills_banks(table: Table, alice: User, bob: User, erin: User) -> None:
    game = table.game(alice, bob, pace={"bank": 10, "increment": 2})
    table.move(game, alice, now=later(hours=1))
    extend(game, erin, hours=5, now=later(hours=8))
    assert hand_of(game, bob).deadline == later(hours=17)
    table.move(game, bob, now=later(hours=16))
    banks = {seat.robo_name: seat.bank / HOUR for seat in game.players.all() if seat.bank is not None}
    assert banks == {"Alice": 10, "Bob": 10 + 5 + 2 - 16}


def test_a_bank_gets_no_more_than_the_clock_can_use(table: Table, alice: User, bob: User, erin: User) -> None:
    change_rest(user=bob, days_off=(), night=(time(23), time(7)))
    game = table.game(alice, bob, pace={"bank": 10, "increment": 2})
    assert hand_of(game, bob).deadline == later(hours=20)  # eight of them at night
    extend(game, erin, hours=24)
    table.move(game, bob, now=later(hours=44) - timedelta(seconds=1))
    assert Seat.objects.get(game=game, user=bob).bank == timedelta(seconds=1)


def test_a_computer_without_orders_gets_the_same_time(table: Table, alice: User, erin: User) -> None:
    game = table.game(alice, seats=2, computers=["rookie"])
    extend(game, erin, hours=1)
    assert set(Hand.objects.values_list("deadline", flat=True)) == {later(hours=25)}


def test_a_turn_without_deadline_is_refused(table: Table, alice: User, bob: User, erin: User) -> None:
    game = table.game(alice, bob, pace=None)
    with pytest.raises(Conflict, match="no time limit"):
        extend(game, erin)
    assert interventions_seen(game) == []


def test_a_complete_turn_needs_no_time(duel: Game, table: Table, alice: User, bob: User, erin: User) -> None:
    table.move(duel, alice, bob)
    with pytest.raises(Conflict, match="all orders for turn 0 are in"):
        extend(duel, erin)


def test_a_lobby_and_a_finished_game_have_no_turn_to_extend(
    table: Table, alice: User, erin: User, solo_loss: Game
) -> None:
    for game in (table.game(alice, seats=3), solo_loss):
        with pytest.raises(Conflict, match="This game is not running"):
            extend(game, erin)


@pytest.mark.django_db(transaction=True)
def test_a_new_deadline_stops_a_worker_about_to_resolve_the_turn(table: Table) -> None:
    game = table.game(cast.alice(), cast.bob())
    turn = open_turn(game)
    with hold() as holding:
        holding.execute("SELECT 1 FROM games_game WHERE id = %s FOR UPDATE", game.pk)
        playing = meanwhile(partial(resolve_turn, turn_id=turn.pk, now=later(hours=25)))
        wait_for_waiter(holding.backend)  # already started
        Turn.objects.filter(pk=turn.pk).update(deadline=later(hours=30))
        holding.release()
    assert playing.result(20) is False
    turn.refresh_from_db()
    assert turn.status == Turn.Status.OPEN
    assert not Program.objects.exists()


def test_a_turn_that_failed_too_often_is_retried(
    table: Table, duel: Game, alice: User, bob: User, erin: User, messages: list[tuple[str, int]]
) -> None:
    table.move(duel, alice, bob)
    turn = open_turn(duel)
    Turn.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS)
    messages.clear()
    resolve_again(user=erin, turn_id=turn.pk, reason=WHY, now=later(hours=1))
    assert messages == [("resolve_turn", turn.pk)]
    assert resolve_turn(turn_id=turn.pk, now=later(hours=1))
    assert interventions_seen(duel) == [("Staff retried turn 0.", WHY)]


def test_a_computer_replaces_an_absent_player(
    duel: Game, table: Table, alice: User, bob: User, erin: User, messages: list[tuple[str, int]]
) -> None:
    seat = duel.players.get(user=bob)
    messages.clear()
    replace_as_staff(user=erin, seat_id=seat.pk, reason=WHY, now=later(hours=1))
    seat.refresh_from_db()
    assert (seat.user, seat.computer, seat.robo_name) == (None, "rookie", "Bob")
    turn = open_turn(duel)
    assert ("play_computers", turn.pk) in messages
    assert interventions_seen(duel) == [("Staff replaced the player of Bob with a computer.", WHY)]
    assert play_computers(turn_id=turn.pk, now=later(hours=1)) == 1
    with pytest.raises(Conflict, match="A computer already plays"):
        replace_as_staff(user=erin, seat_id=seat.pk, reason=WHY, now=later(hours=2))


def test_no_one_is_replaced_before_the_start(table: Table, alice: User, erin: User) -> None:
    seat = table.game(alice, seats=2).players.get()
    with pytest.raises(Conflict, match="only while a game is running"):
        replace_as_staff(user=erin, seat_id=seat.pk, reason=WHY, now=NOW)


def test_a_cancelled_game_shows_the_reason(duel: Game, erin: User) -> None:
    game = cancel_as_staff(user=erin, game_id=duel.pk, reason=WHY, now=later(hours=1))
    assert game.status == Game.Status.CANCELLED
    assert interventions_seen(duel) == [("Staff cancelled the game.", WHY)]
    with pytest.raises(Conflict, match="already over"):
        cancel_as_staff(user=erin, game_id=duel.pk, reason=WHY, now=later(hours=2))
    assert Intervention.objects.count() == 1


def staff_actions(game: Game) -> list[Any]:
    """Return all actions that staff can take on a game, as functions."""
    turn_id = open_turn(game).pk
    return [
        partial(extend_turn, game_id=game.pk, hours=1, now=NOW),
        partial(resolve_again, turn_id=turn_id, now=NOW),
        partial(replace_as_staff, seat_id=game.players.get(number=2).pk, now=NOW),
        partial(cancel_as_staff, game_id=game.pk, now=NOW),
    ]


def state(game: Game) -> list[Any]:
    return [list(model.objects.order_by("pk").values()) for model in (Game, Turn, Hand, Seat, Intervention)]


def test_players_and_hosts_may_not_intervene(duel: Game, alice: User) -> None:
    before = state(duel)
    for deed in staff_actions(duel):
        with pytest.raises(Forbidden, match="Only staff"):
            deed(user=alice, reason=WHY)
    assert state(duel) == before


def test_unknown_targets_are_not_found(db: None, erin: User) -> None:
    missing: list[Any] = [
        partial(extend_turn, game_id=999, hours=1),
        partial(resolve_again, turn_id=999),
        partial(replace_as_staff, seat_id=999),
        partial(cancel_as_staff, game_id=999),
    ]
    for deed in missing:
        with pytest.raises(NotFound):
            deed(user=erin, reason=WHY, now=NOW)


def test_only_staff_see_who_acted(duel: Game, erin: User, dave: User) -> None:
    extend(duel, erin)
    assert Intervention.objects.get().by == erin
    duel.refresh_from_db()
    assert "Erin" not in str(game_seen(viewer=dave, game=duel))


def test_a_deleted_address_is_removed_from_every_copy_of_a_reason(duel: Game, bob: User, erin: User) -> None:
    extend(duel, erin, reason="I wrote to bob@example.org.")
    erased(bob)
    assert interventions_seen(duel) == [
        ("Staff extended the deadline of turn 0 by 1 day.", "I wrote to (an address).")
    ]
    assert rows_with("bob@example.org") == []


def test_the_newest_intervention_is_first_and_failed_ones_are_left_out(duel: Game, erin: User) -> None:
    extend(duel, erin, hours=1, reason="First.")
    with pytest.raises(ServiceError):
        resolve_again(user=erin, turn_id=999, reason="Second.", now=NOW)
    extend(duel, erin, hours=48, reason="Third.", now=later(hours=1))
    assert interventions_seen(duel) == [
        ("Staff extended the deadline of turn 0 by 2 days.", "Third."),
        ("Staff extended the deadline of turn 0 by 1 hour.", "First."),
    ]


def test_open_pages_are_notified(duel: Game, erin: User) -> None:
    before = progress_of([duel.pk])[duel.pk]
    extend(duel, erin)
    assert progress_of([duel.pk])[duel.pk].noted == before.noted + 1
