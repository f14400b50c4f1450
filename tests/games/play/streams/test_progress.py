"""The progress of games, and the events that happened between two snapshots of it."""

import pytest

from accounts.models import User
from games.chat.services import post_line
from games.errors import Malformed
from games.films.selectors import log_after
from games.lobby.invitations import invite
from games.lobby.seats import add_computer, join_game, set_ready
from games.play.history import add_entry
from games.play.models import Game
from games.play.progress import (
    Cursor,
    GameProgress,
    StreamEvent,
    chat_position,
    events_between,
    first_events,
    log_position,
    progress_of,
    read_cursor,
)
from games.staff.services import cancel_as_staff
from tests.games.support import NOW, Table, later


def kinds(found: list[StreamEvent]) -> list[str]:
    return [item.kind for item in found]


def progress(game: Game) -> GameProgress:
    return progress_of([game.pk])[game.pk]


def events_since(before: GameProgress, game: Game) -> list[StreamEvent]:
    """Return the events since the given snapshot of the game's progress."""
    return list(events_between(before, progress(game)))


def test_a_running_game_waits_for_robots_in_seat_order(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    assert progress(duel).waiting_for == ("Alice", "Bob")
    table.move(duel, alice)
    assert progress(duel).waiting_for == ("Bob",)
    table.move(duel, bob)
    assert progress(duel).waiting_for == ()


def test_many_games_are_read_with_one_query(
    table: Table, duel: Game, alice: User, django_assert_num_queries: object
) -> None:
    lobby = table.game(alice, seats=3)
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = progress_of([duel.pk, lobby.pk, 10**12])
    assert set(found) == {duel.pk, lobby.pk}


def test_orders_send_a_ready_event(table: Table, duel: Game, alice: User) -> None:
    before = progress(duel)
    table.move(duel, alice)
    assert events_since(before, duel) == [
        StreamEvent("ready", {"turn": 0, "waiting_for": ["Bob"], "noted": 1}, Cursor(0, 0))
    ]


def test_a_history_entry_of_a_running_game_sends_a_ready_event(duel: Game, erin: User) -> None:
    before = progress(duel)
    add_entry(game=duel, by=erin, kind="outage", now=later(hours=1))
    [ready] = events_since(before, duel)
    assert ready.kind == "ready"
    assert ready.data == {"turn": 0, "waiting_for": ["Alice", "Bob"], "noted": 2}
    assert events_since(progress(duel), duel) == []


def test_a_resolved_turn_sends_a_single_event(table: Table, duel: Game, alice: User, bob: User) -> None:
    before = progress(duel)
    table.play(duel, alice, bob)
    [turn] = events_since(before, duel)
    assert turn == StreamEvent("turn", {"turn": 0, "seq": duel.last_seq}, Cursor(duel.last_seq, 0))
    assert duel.last_seq > 0


def test_the_end_comes_after_the_last_turn(alice: User, lane: Table) -> None:
    game = lane.game(alice, seats=1, options={"lives": 1})
    before = progress(game)
    while game.status == Game.Status.RUNNING:
        lane.play(game, alice)
    found = events_since(before, game)
    assert kinds(found) == ["turn", "over"]
    assert found[1].data == {"winner": game.winner or None}
    assert events_since(progress(game), game) == []
    assert kinds(list(first_events(None, progress(game)))) == ["over"]


def test_a_cancelled_game_is_over_and_waits_for_no_one(duel: Game, erin: User) -> None:
    before = progress(duel)
    cancel_as_staff(user=erin, game_id=duel.pk, reason="So.", now=NOW)
    assert events_since(before, duel) == [StreamEvent("over", {"winner": None}, Cursor(0, 0))]


def test_every_action_in_a_lobby_sends_an_event(table: Table, alice: User, bob: User, carol: User) -> None:
    game = table.game(alice, seats=3)
    before = progress(game)
    assert events_since(before, game) == []
    assert kinds(list(first_events(None, before))) == ["lobby"]
    join_game(user=bob, game_id=game.pk, now=later(minutes=1))
    assert kinds(events_since(before, game)) == ["lobby"]
    before = progress(game)
    set_ready(user=bob, game_id=game.pk, ready=False, now=later(minutes=2))
    assert kinds(events_since(before, game)) == ["lobby"]
    before = progress(game)
    invite(user=alice, game_id=game.pk, robo_name="Carol", now=later(minutes=2))
    assert kinds(events_since(before, game)) == ["lobby"]
    set_ready(user=bob, game_id=game.pk, ready=True, now=later(minutes=3))
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    [ready] = events_since(before, game)
    waiting = ["Alice", "Bob", game.players.get(number=3).name]
    assert (ready.kind, ready.data["waiting_for"]) == ("ready", waiting), "it has started"


def test_each_event_has_its_own_cursor(table: Table, duel: Game, alice: User, bob: User) -> None:
    before = progress(duel)
    line = post_line(user=alice, game_id=duel.pk, text="Here we go", now=NOW)
    table.play(duel, alice, bob)
    found = events_since(before, duel)
    assert kinds(found) == ["turn", "chat"]
    assert found[0].cursor == (
        duel.last_seq,
        0,
    )  # a client with only this event gets the line on its next request
    assert found[1] == StreamEvent("chat", {"id": line.pk}, Cursor(duel.last_seq, line.pk))


def test_a_returning_client_gets_missed_events_and_then_the_present(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    line = post_line(user=bob, game_id=duel.pk, text="Well", now=NOW)
    now = progress(duel)
    assert kinds(list(first_events(None, now))) == ["ready"]
    assert kinds(list(first_events(Cursor(0, 0), now))) == ["turn", "chat", "ready"]
    assert kinds(list(first_events(Cursor(duel.last_seq, 0), now))) == ["chat", "ready"]
    assert kinds(list(first_events(Cursor(duel.last_seq, line.pk), now))) == ["ready"]
    assert kinds(list(first_events(Cursor(duel.last_seq + 9, line.pk + 9), now))) == ["ready"]


def test_an_invalid_cursor_is_refused_with_a_sentence() -> None:
    for text in ("", "x", "-1", "1-", "-", "1-2-3", "1.5", " 1", "1\n", "٣", "9" * 19):
        for read in (read_cursor, log_position, chat_position):
            with pytest.raises(Malformed, match=r"is not a cursor. Give a number, such as 418"):
                read(text)


def test_the_log_accepts_both_kinds_of_cursor(table: Table, duel: Game, alice: User, bob: User) -> None:
    table.play(duel, alice, bob)
    cursor = progress(duel).cursor
    assert read_cursor(str(cursor)) == cursor
    assert log_after(game=duel, seq=log_position(str(cursor)))["events"] == []
