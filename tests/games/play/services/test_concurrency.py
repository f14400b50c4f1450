"""People and workers act at the same moment: turns resolve once, and nothing is lost.

All tests use the real database. Workers are real processes if the way they die matters.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError

from accounts.models import User
from games.errors import Conflict, Invalid
from games.films.selectors import log_after
from games.lobby.seats import join_game
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game, Hand, Program, Turn
from games.play.orders import redeal_hand, submit_orders
from games.play.resolution import resolve_turn
from games.work.sweeper import sweep
from tests.games.support import (
    DUCTS,
    NOW,
    WORKSHOP,
    Table,
    later,
    open_turn,
    orders_for,
    program_of,
    programs_of,
)
from tests.games.together import (
    Hold,
    hold,
    hold_up_resolution,
    meanwhile,
    together,
    wait_for_waiter,
    wait_until,
)
from tests.support.loaded import ForkedWorker
from tests.support.mailbox import Mailbox

pytestmark = pytest.mark.django_db(transaction=True)

ForkWorker = Callable[..., ForkedWorker]


def submission(game: Game, player: User, *, seed: int = 1, turn: int | None = None) -> Callable[[], Any]:
    """Return a function that submits a player's orders, by default for the open turn."""
    return partial(
        submit_orders,
        user=player,
        game_id=game.pk,
        turn_number=open_turn(game).number if turn is None else turn,
        document=orders_for(game, player, seed),
        now=NOW,
    )


def resolution(turn: Turn, **time: float) -> Callable[[], Any]:
    """Return a function that runs the worker's task for the given turn."""
    return partial(resolve_turn, turn_id=turn.pk, now=later(**time))


def check_whole(game: Game, *, turns: int) -> None:
    """Check that this many turns were resolved once, with no row missing or repeated."""
    numbers = list(game.turns.order_by("number").values_list("number", "status"))
    assert numbers == [*((number, "resolved") for number in range(turns)), (turns, "open")]
    log = [event["seq"] for event in log_after(game=game, limit=10_000)["events"]]
    game.refresh_from_db()
    assert game.turn == turns
    assert log == list(range(1, game.last_seq + 1))
    seats = game.players.count()
    for number in range(turns):
        assert len(programs_of(game, number)) == seats
    for number in range(turns + 1):
        assert game.notices.filter(turn=number).count() == seats


def hold_up_submission(hold: Hold, hand: Hand) -> None:
    """Block a submission for the given hand halfway, when it writes the program."""
    columns = "(hand_id, orders, by, remark, submitted_at)"
    values = """'{"format": "orders/1"}', 'player', '', now()"""
    hold.execute(f"INSERT INTO games_program {columns} VALUES (%s, {values})", hand.pk)


@pytest.mark.parametrize("attempt", range(3))
def test_the_last_two_players_can_submit_simultaneously(
    table: Table, alice: User, bob: User, carol: User, attempt: int
) -> None:
    game = table.game(alice, bob, carol)
    table.move(game, carol)
    turn = open_turn(game)
    results = together(submission(game, alice), submission(game, bob))
    assert [type(result) for result in results] == [Turn, Turn]
    turn.refresh_from_db()
    assert turn.ready_at == NOW
    assert sorted(together(resolution(turn), resolution(turn))) == [False, True]
    check_whole(game, turns=1)


def test_the_last_two_seats_can_be_taken_simultaneously(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = table.game(alice, seats=3)
    sitting_down = [partial(join_game, user=user, game_id=game.pk, now=NOW) for user in (bob, carol, dave)]
    results = together(*sitting_down)
    refused = [result for result in results if isinstance(result, Conflict)]
    assert [error.code for error in refused] == ["full"]
    assert sorted(game.players.values_list("number", flat=True)) == [1, 2, 3]
    check_whole(game, turns=0)


def test_a_fast_double_click_takes_one_seat(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3)
    joining = partial(join_game, user=bob, game_id=game.pk, now=NOW)
    results = together(joining, joining)
    assert sorted(getattr(result, "code", "") for result in results) == ["", "already-joined"]
    assert game.players.count() == 2


def test_the_last_place_of_a_squad_is_taken_once(alice: User, bob: User, carol: User) -> None:
    game = Table(DUCTS.saved()).game(alice, ruleset="robo-recon", seats=4)
    joining = [partial(join_game, user=user, game_id=game.pk, squad="red", now=NOW) for user in (bob, carol)]
    results = together(*joining)
    assert sorted(getattr(result, "code", "") for result in results) == ["", "squad-full"]
    assert list(game.players.values_list("squad", flat=True)) == ["red", "red"]


def test_redrawn_hands_are_dealt_one_after_another(alice: User, bob: User) -> None:
    """Both players send two requests at once.

    Each player gets one new hand, and no chip is dealt twice.
    """
    game = Table(WORKSHOP.saved()).game(alice, ruleset="group-11", seats=2, model="albot")
    join_game(user=bob, game_id=game.pk, model="albot", now=NOW)
    redealing = [
        partial(redeal_hand, user=user, game_id=game.pk, turn_number=1, now=NOW)
        for user in (alice, bob, alice, bob)
    ]
    results = together(*redealing)
    assert sorted(getattr(result, "code", "") for result in results) == ["", "", "redealt", "redealt"]
    hands = list(open_turn(game).hands.all())
    assert sorted(hand.redealt or 0 for hand in hands) == [1, 2]
    assert len({number for hand in hands for number in hand.chips["chips"]}) == 18


def test_simultaneous_orders_and_redraws_do_not_mix(alice: User, bob: User) -> None:
    """Either the orders or the redraw may come first.

    If the redraw comes first, the orders contain chips that are no longer in the hand.
    """
    game = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11", model="albot")
    redealing = partial(redeal_hand, user=alice, game_id=game.pk, turn_number=1, now=NOW)
    results = together(redealing, submission(game, alice))
    assert [type(result) for result in results] in ([Game, Invalid], [Conflict, Turn])
    hand = Hand.objects.get(turn=open_turn(game), seat__user=alice)
    assert (hand.redealt is None) == Program.objects.filter(hand=hand).exists()


def test_a_task_delivered_twice_resolves_once(table: Table, duel: Game, alice: User, bob: User) -> None:
    for played in range(1, 3):
        turn = open_turn(duel)
        table.move(duel, alice, bob)
        assert sorted(together(*[resolution(turn)] * 4)) == [False, False, False, True]
        check_whole(duel, turns=played)


def test_two_simultaneous_submissions_of_a_player_make_one_program(duel: Game, alice: User) -> None:
    results = together(submission(duel, alice, seed=1), submission(duel, alice, seed=2))
    assert [type(result) for result in results] == [Turn, Turn]
    assert Program.objects.filter(hand__turn__game=duel).count() == 1


def test_a_submission_during_the_resolution_of_its_turn_is_late(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    """Bob submits after the deadline, while a worker fills in his missing orders."""
    turn = open_turn(duel)
    table.move(duel, alice)
    with hold() as holding:
        hold_up_resolution(holding, duel)
        resolving = meanwhile(resolution(turn, hours=24))
        resolver = wait_for_waiter(holding.backend)
        submitting = meanwhile(submission(duel, bob))
        wait_for_waiter(resolver)
        holding.release()
        assert resolving.result(20) is True
        with pytest.raises(Conflict) as refused:
            submitting.result(20)
    assert refused.value.code == "stale-turn"
    assert program_of(duel, bob, 0).by == Program.Author.DEADLINE
    check_whole(duel, turns=1)


def test_a_turn_waits_for_an_earlier_submission(table: Table, duel: Game, alice: User, bob: User) -> None:
    """Bob submits in the last second. The worker starts while his orders are being saved."""
    turn = open_turn(duel)
    table.move(duel, alice)
    with hold() as holding:
        hold_up_submission(holding, Hand.objects.get(turn=turn, seat__user=bob))
        submitting = meanwhile(submission(duel, bob))
        submitter = wait_for_waiter(holding.backend)
        resolving = meanwhile(resolution(turn, hours=24))
        wait_for_waiter(submitter)
        holding.release()
        assert submitting.result(20) == turn
        assert resolving.result(20) is True
    assert program_of(duel, bob, 0).by == Program.Author.PLAYER
    check_whole(duel, turns=1)


def test_a_worker_that_loses_its_database_halfway_leaves_the_turn_unchanged(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    turn = open_turn(duel)
    table.move(duel, alice, bob)
    with hold() as holding:
        hold_up_resolution(holding, duel)
        resolving = meanwhile(resolution(turn))
        victim = wait_for_waiter(holding.backend)
        holding.execute("SELECT pg_terminate_backend(%s)", victim)
        with pytest.raises(OperationalError):
            resolving.result(20)
    turn.refresh_from_db()
    assert (turn.status, turn.attempts, turn.interruptions) == (Turn.Status.OPEN, 0, 0)
    assert "terminating connection" in turn.error
    assert turn.record is None
    assert resolution(turn)() is True
    turn.refresh_from_db()
    assert turn.error == ""
    check_whole(duel, turns=1)


def test_a_worker_killed_halfway_loses_nothing(
    table: Table, duel: Game, alice: User, bob: User, fork_worker: ForkWorker, mailbox: Mailbox
) -> None:
    """A worker dies while it resolves a turn. The next worker resolves the turn, once."""
    first = fork_worker()
    turn = open_turn(duel)
    with hold() as holding:
        hold_up_resolution(holding, duel)
        table.move(duel, alice, bob)
        wait_for_waiter(holding.backend)
        first.kill()
    turn.refresh_from_db()
    assert (turn.status, turn.attempts, turn.interruptions) == (Turn.Status.OPEN, 0, 1)
    assert turn.error == "unfinished"
    assert turn.record is None
    fork_worker(beat=True)
    wait_until(lambda: Turn.objects.get(pk=turn.pk).status == Turn.Status.RESOLVED)
    check_whole(duel, turns=1)
    for player in (alice, bob):
        mailbox.wait_for(1, to=player.email)


def test_a_lost_message_is_replaced(
    table: Table, duel: Game, alice: User, bob: User, fork_worker: ForkWorker, mailbox: Mailbox
) -> None:
    """Redis is emptied before workers read its messages.

    The sweeper finds all work again.
    """
    from roborunner.celery import app

    table.move(duel, alice, bob)
    assert app.control.purge() > 0
    fork_worker(beat=True)
    wait_until(lambda: duel.turns.filter(number=1).exists())
    mailbox.wait_for(1, to=alice.email)
    check_whole(duel, turns=1)


def test_two_workers_send_a_notification_once(duel: Game, alice: User, bob: User, mailbox: Mailbox) -> None:
    notice = Notice.objects.get(game=duel, user=alice)
    sending = partial(send_notification, notice_id=notice.pk, now=NOW)
    assert sorted(together(sending, sending, sending)) == [False, False, True]
    assert len(mailbox.to(alice.email)) == 1


def test_two_sweepers_offer_everything_once(
    table: Table, duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.move(duel, alice, bob)
    sweeping = partial(sweep, now=later(minutes=10))
    offers = together(sweeping, sweeping)
    assert [sum(counts) for counts in zip(*offers, strict=True)] == [1, 2, 0]
