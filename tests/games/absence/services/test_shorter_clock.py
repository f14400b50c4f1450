"""A player who misses turns in a row gets half the time, in games whose host wants it."""

from datetime import timedelta
from typing import Any

import pytest
from django.core import mail

from accounts.models import User
from games.absence.models import Replacement, Sitting
from games.absence.seats import replace_by_person
from games.clocks.services import plan_vacation
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, game_seen, hand_of, history_of, leave_to_computer, open_turn

SHORTENED = "Bob missed 2 turns in a row and gets half the time now."
RESTORED = "Bob submitted 2 turns in a row on time and gets the full time again."
DAILY = {"hours": 24, "at": "20:00", "zone": "Europe/Berlin"}


def made(table: Table, *players: User, **more: Any) -> Game:
    """Return a game in turn 1 with the shorter clock."""
    game = table.game(*players, **{"shorter_clock": True, **more})
    table.play(game, *players)
    return game


def miss(game: Game, table: Table, *others: User, times: int = 1) -> None:
    """Play turns at the deadline of the players without orders. The others submit theirs in time."""
    for _ in range(times):
        turn = open_turn(game)
        table.move(game, *others, now=turn.opened_at)
        turn.refresh_from_db()
        assert turn.deadline
        assert resolve_turn(turn_id=turn.pk, now=turn.deadline)
        game.refresh_from_db()


def play(game: Game, table: Table, *players: User) -> None:
    table.play(game, *players, now=open_turn(game).opened_at)


def time_of(game: Game, player: User) -> timedelta:
    """Return how long a player may submit orders for the open turn."""
    hand = hand_of(game, player)
    assert hand.deadline
    return hand.deadline - open_turn(game).opened_at


def record_of(game: Game, player: User) -> tuple[int, int]:
    seat = game.players.get(user=player)
    return seat.missed_in_row, seat.short_clock


def test_two_missed_turns_in_a_row_halve_the_time_until_two_are_submitted(
    table: Table, alice: User, bob: User
) -> None:
    game = made(table, alice, bob)
    miss(game, table, alice)
    assert time_of(game, bob) == timedelta(hours=24), "one missed turn is no habit"
    miss(game, table, alice)
    assert (time_of(game, bob), time_of(game, alice)) == (timedelta(hours=12), timedelta(hours=24))
    play(game, table, alice, bob)
    assert time_of(game, bob) == timedelta(hours=12)
    miss(game, table, alice)
    assert record_of(game, bob) == (1, 2), "they start again"
    play(game, table, alice, bob)
    play(game, table, alice, bob)
    assert time_of(game, bob) == timedelta(hours=24)
    assert [line for line in history_of(game) if line in (SHORTENED, RESTORED)] == [SHORTENED, RESTORED]


def test_turns_in_time_between_missed_ones_keep_the_full_time(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob)
    for _ in range(2):
        miss(game, table, alice)
        play(game, table, alice, bob)
    assert record_of(game, bob) == (0, 0)


def test_it_is_the_host_s_choice(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, shorter_clock=False)
    miss(game, table, alice, times=2)
    assert time_of(game, bob) == timedelta(hours=24)
    assert record_of(game, bob) == (0, 0)


@pytest.mark.parametrize(
    ("pace", "usual", "short"),
    [
        ({"minutes": 5}, timedelta(minutes=5), timedelta(minutes=2.5)),
        ({"minutes": 1}, timedelta(minutes=1), timedelta(minutes=1)),
        (DAILY, timedelta(hours=24), timedelta(hours=12)),
        ({"bank": 10, "increment": 4}, timedelta(hours=4), timedelta(hours=2)),
    ],
)
def test_every_pace_can_be_shortened(
    table: Table, alice: User, bob: User, pace: dict[str, Any], usual: timedelta, short: timedelta
) -> None:
    """In a bank, the increment is halved. The missed turns have emptied the bank itself."""
    game = made(table, alice, bob, pace=pace)
    miss(game, table, alice)
    assert time_of(game, bob) == usual
    miss(game, table, alice)
    assert time_of(game, bob) == short


def test_a_bank_is_charged_with_half_the_increment(table: Table, alice: User, bob: User) -> None:
    game = made(table, alice, bob, pace={"bank": 10, "increment": 4})
    Seat.objects.filter(user=bob).update(bank=timedelta(hours=3), missed_in_row=2, short_clock=2)
    game.refresh_from_db()
    play(game, table, alice, bob)
    assert game.players.get(user=bob).bank == timedelta(hours=5), "this turn gave 2 hours"
    assert time_of(game, bob) == timedelta(hours=7)


def test_missed_turns_during_a_vacation_do_not_count(table: Table, alice: User, bob: User) -> None:
    """Live games have no vacation days, but their players may be away too."""
    live = made(table, alice, bob, pace={"minutes": 5})
    plan_vacation(user=bob, first=NOW.date(), last=NOW.date(), now=NOW)
    miss(live, table, alice, times=2)
    assert record_of(live, bob) == (0, 0)


def test_turns_with_a_vacation_day_or_a_sitter_do_not_count(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    today = NOW.date()
    game = made(table, alice, bob)
    first = today + timedelta(days=1)
    plan_vacation(user=bob, first=first, last=first, now=NOW)
    turn = open_turn(game)
    assert not resolve_turn(turn_id=turn.pk, now=NOW + timedelta(hours=24)), "a vacation day is spent"
    assert resolve_turn(turn_id=turn.pk, now=NOW + timedelta(hours=48))
    assert record_of(game, bob) == (0, 0)
    Sitting.objects.create(
        owner=bob,
        sitter=carol,
        first=today,
        last=today + timedelta(days=9),
        begins_at=NOW,
        ends_at=NOW + timedelta(days=10),
        asked_at=NOW,
        accepted_at=NOW,
    )
    miss(game, table, alice)
    assert record_of(game, bob) == (0, 0)
    Game.objects.update(sitters=False)
    miss(game, table, alice)
    assert record_of(game, bob) == (1, 0), "no sitter can order here"


def test_leaving_and_coming_back_does_not_end_it(table: Table, alice: User, bob: User, carol: User) -> None:
    game = made(table, alice, bob, carol)
    miss(game, table, alice, carol, times=2)
    leave_to_computer(game, bob, reason=Replacement.Reason.LEFT, now=open_turn(game).opened_at)
    seat = game.players.get(number=2)
    assert (seat.missed_in_row, seat.short_clock) == (0, 0), "computers are never late"
    game.refresh_from_db()
    replace_by_person(game=game, seat=seat, user=bob, reason=Replacement.Reason.CAME_BACK, now=NOW)
    assert record_of(game, bob) == (2, 2)


def test_the_player_and_the_others_see_it(table: Table, alice: User, bob: User, read: ReaderOf) -> None:
    game = made(table, alice, bob)
    miss(game, table, alice, times=2)
    assert [robot["short_clock"] for robot in game_seen(viewer=alice, game=game)["robots"]] == [0, 2]
    notice = Notice.objects.get(user=bob, kind="turn", turn=open_turn(game).number)
    mail.outbox.clear()
    send_notification(notice_id=notice.pk, now=notice.created_at)
    body = " ".join(str(mail.outbox[0].body).split())
    assert "You get half the time, because you missed 2 turns in a row." in body
    address = f"/games/{game.pk}/"
    assert "half the time" in read(alice).get(address).html
    assert "because you missed 2 turns in a row" in read(bob).get(address).text
    assert "because you missed 2 turns in a row" not in read(alice).get(address).text


def test_a_stranger_reads_on_the_game_s_page_when_it_began_and_ended(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = made(table, alice, bob)
    miss(game, table, alice, times=2)
    page = f"/games/{game.pk}/"
    assert SHORTENED in read(dave).get(page).text
    for _ in range(2):
        play(game, table, alice, bob)
    text = read(dave).get(page).text
    assert text.index(RESTORED) < text.index(SHORTENED), "the newest first"
