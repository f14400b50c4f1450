"""What becomes of notifications: by what people want, by what they look at, by what they have seen."""

import pytest
from django.core import mail

from accounts.models import Frequency, User
from games import live
from games.errors import Forbidden
from games.lobby.services import cancel_game
from games.news.delivery import release_held, send_notification
from games.news.models import Notice
from games.news.services import HOLD, change_news
from games.play.deadlines import remind
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from games.play.services import change_news_of_game, note_visit
from tests.games.support import NOW, Table, later, open_turn

Status = Notice.Status


@pytest.fixture(autouse=True)
def nobody_looks(monkeypatch: pytest.MonkeyPatch) -> set[tuple[int, int]]:
    """Who looks at which game, by Redis: nobody, until a test says so."""
    looking: set[tuple[int, int]] = set()
    monkeypatch.setattr(live, "is_looking", lambda game_id, user_id: (game_id, user_id) in looking)
    return looking


def wants(person: User, manner: Frequency, *, hour: int = 8) -> None:
    change_news(user=person, manner=manner, daily_hour=hour, now=NOW)


def told(game: Game, person: User, *, turn: int, kind: str = "turn") -> Notice:
    return Notice.objects.get(game=game, user=person, turn=turn, kind=kind)


def time_is_up(table: Table, game: Game, mover: User) -> None:
    """Have a turn resolved in which somebody has not moved."""
    turn = open_turn(game)
    assert turn.deadline
    table.move(game, mover, now=turn.opened_at)
    assert resolve_turn(turn_id=turn.pk, now=turn.deadline)


def send(notice: Notice, **time: float) -> Notice:
    """Try to send a notification; return what has become of it."""
    send_notification(notice_id=notice.pk, now=later(**time))
    notice.refresh_from_db()
    return notice


def test_who_wants_no_mail_gets_none_whatever_they_chose_for_a_game(duel: Game, alice: User) -> None:
    change_news_of_game(user=alice, game_id=duel.pk, manner=Frequency.AT_ONCE, now=NOW)
    wants(alice, Frequency.NONE)
    assert send(told(duel, alice, turn=0)).status == Status.UNWANTED
    assert mail.outbox == []


def test_the_mail_about_one_game_is_stopped_alone(table: Table, duel: Game, alice: User, bob: User) -> None:
    other = table.game(alice, bob, name="Another")
    change_news_of_game(user=alice, game_id=duel.pk, manner=Frequency.NONE, now=NOW)
    assert send(told(duel, alice, turn=0)).status == Status.UNWANTED
    assert send(told(other, alice, turn=0)).status == Status.SENT
    assert send(told(duel, bob, turn=0)).status == Status.SENT


def test_one_until_i_visit_is_one_until_i_visit(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.ONE)
    assert send(told(duel, alice, turn=0), minutes=1).status == Status.SENT
    time_is_up(table, duel, bob)
    assert send(told(duel, alice, turn=1), hours=25).status == Status.UNWANTED
    time_is_up(table, duel, bob)
    assert note_visit(user_id=alice.pk, game_id=duel.pk, now=later(hours=49))
    assert send(told(duel, alice, turn=2), hours=50).status == Status.SENT
    assert len(mail.outbox) == 2


def test_who_has_moved_has_visited(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.ONE)
    assert send(told(duel, alice, turn=0), minutes=1).status == Status.SENT
    table.play(duel, alice, bob, now=later(minutes=2))
    assert send(told(duel, alice, turn=1), minutes=3).status == Status.SENT


def test_of_two_at_the_same_time_one_is_sent_until_i_visit(duel: Game, alice: User) -> None:
    """A worker is at the first one still when another comes to the second."""
    wants(alice, Frequency.ONE)
    first = told(duel, alice, turn=0)
    second = Notice.objects.create(user=alice, game=duel, turn=0, kind="missed", created_at=NOW)
    Notice.objects.filter(pk=first.pk).update(lease_until=later(minutes=1), attempts=1)
    assert send(second).status == Status.UNWANTED
    assert send(first, minutes=2).status == Status.SENT


def test_nobody_who_looks_is_mailed_and_who_leaves_without_moving_is(
    duel: Game, alice: User, nobody_looks: set[tuple[int, int]]
) -> None:
    nobody_looks.add((duel.pk, alice.pk))
    notice = send(told(duel, alice, turn=0))
    assert (notice.status, notice.due_at, notice.attempts) == (Status.HELD, NOW + HOLD, 0)
    release_held(now=NOW + HOLD / 2)
    notice.refresh_from_db()
    assert notice.status == Status.HELD
    release_held(now=NOW + HOLD)
    assert send(notice, minutes=3).status == Status.HELD, "still looking"
    nobody_looks.clear()
    release_held(now=NOW + 2 * HOLD)
    assert send(notice, minutes=6).status == Status.SENT
    assert len(mail.outbox) == 1


def test_who_looks_when_there_is_something_to_tell_is_not_even_thought_of(
    table: Table, duel: Game, alice: User, bob: User, messages: list[tuple[str, int]]
) -> None:
    live.note_looking([(duel.pk, alice.pk)])
    messages.clear()
    table.play(duel, alice, bob)
    mine, others = told(duel, alice, turn=1), told(duel, bob, turn=1)
    assert (mine.status, mine.due_at, mine.attempts) == (Status.HELD, NOW + HOLD, 0)
    assert [message for message in messages if message[0] == "send_mail"] == [("send_mail", others.pk)]
    release_held(now=NOW + HOLD)
    assert send(mine, minutes=3).status == Status.SENT, "left the page meanwhile"


def test_who_watches_a_game_be_cancelled_is_not_mailed_about_it(
    table: Table, alice: User, bob: User, carol: User, nobody_looks: set[tuple[int, int]]
) -> None:
    game = table.game(alice, bob, carol, seats=4)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    nobody_looks.add((game.pk, bob.pk))
    notices = {person: told(game, person, turn=0, kind="cancelled") for person in (bob, carol)}
    assert send(notices[bob]).status == Status.HELD
    assert send(notices[carol]).status == Status.SENT
    note_visit(user_id=bob.pk, game_id=game.pk, now=later(seconds=1))
    nobody_looks.clear()
    release_held(now=later(minutes=6))
    assert send(notices[bob], minutes=6).status == Status.SEEN


def test_a_page_that_was_asked_for_is_looked_at_for_a_while(duel: Game, alice: User) -> None:
    note_visit(user_id=alice.pk, game_id=duel.pk, now=NOW)
    assert send(told(duel, alice, turn=0), seconds=100).status == Status.HELD


def test_who_has_moved_is_not_told_to(table: Table, duel: Game, alice: User) -> None:
    table.move(duel, alice)
    assert send(told(duel, alice, turn=0)).status == Status.SEEN
    assert mail.outbox == []


def test_what_is_held_back_about_a_turn_goes_when_it_is_played(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    note_visit(user_id=alice.pk, game_id=duel.pk, now=NOW)
    notice = send(told(duel, alice, turn=0))
    table.play(duel, alice, bob)
    notice.refresh_from_db()
    assert (notice.status, notice.due_at) == (Status.OUTDATED, None)


def test_the_end_that_was_watched_is_not_mailed(solo_loss: Game, alice: User) -> None:
    Seat.objects.filter(game=solo_loss).update(seen_turn=solo_loss.turn)
    assert send(told(solo_loss, alice, turn=solo_loss.turn or 0, kind="over")).status == Status.SEEN


def test_a_turn_and_its_result_are_one_mail_and_the_end_takes_its_place(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    for _ in range(2):
        table.play(duel, alice, bob)
    kinds = duel.notices.filter(user=alice).order_by("turn").values_list("turn", "kind")
    assert list(kinds) == [(0, "turn"), (1, "turn"), (2, "turn")]


def test_a_visit_is_noted_once_a_minute(duel: Game, alice: User, dave: User) -> None:
    visits = [
        note_visit(user_id=alice.pk, game_id=duel.pk, now=later(seconds=seconds))
        for seconds in (0, 20, 40, 60, 80)
    ]
    assert visits == [True, False, False, True, False]
    assert not note_visit(user_id=dave.pk, game_id=duel.pk, now=NOW)


def test_another_manner_holds_for_what_is_held_back(duel: Game, alice: User) -> None:
    wants(alice, Frequency.DAILY)
    notice = send(told(duel, alice, turn=0))
    assert notice.status == Status.HELD
    wants(alice, Frequency.AT_ONCE)
    release_held(now=NOW)
    assert send(notice).status == Status.SENT


def test_who_does_not_play_chooses_nothing_for_a_game(duel: Game, dave: User) -> None:
    with pytest.raises(Forbidden):
        change_news_of_game(user=dave, game_id=duel.pk, manner="none", now=NOW)


# --- The mail of a day --------------------------------------------------------------------------------------


def test_the_mail_of_a_day_comes_at_its_hour_with_all_that_waits(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")  # where it is 21:00
    alice.refresh_from_db()
    wants(alice, Frequency.DAILY, hour=7)
    other = table.game(alice, bob, name="Another", pace=None)
    notice = send(told(duel, alice, turn=0))
    assert (notice.status, notice.due_at) == (Status.HELD, later(hours=10))
    release_held(now=later(hours=9))
    assert mail.outbox == []
    release_held(now=later(hours=10))
    assert send(notice, hours=10).status == Status.SENT
    assert told(other, alice, turn=0).status == Status.SENT
    assert not send_notification(notice_id=told(other, alice, turn=0).pk, now=later(hours=10))
    [daily] = mail.outbox
    assert daily.subject == "2 games wait for you"
    assert "First flight" in str(daily.body)
    assert "Another" in str(daily.body)


def test_it_waits_while_its_reader_looks_at_one_of_its_games(
    table: Table, duel: Game, alice: User, bob: User, nobody_looks: set[tuple[int, int]]
) -> None:
    wants(alice, Frequency.DAILY)
    other = table.game(alice, bob, name="Another")
    nobody_looks.add((other.pk, alice.pk))
    notice = send(told(duel, alice, turn=0), hours=20)
    assert (notice.status, notice.due_at) == (Status.HELD, later(hours=20) + HOLD)
    assert mail.outbox == []
    table.move(other, alice, now=later(hours=20))
    nobody_looks.clear()
    release_held(now=later(hours=20) + HOLD)
    assert send(notice, hours=20, minutes=3).status == Status.SENT
    assert told(other, alice, turn=0).status == Status.SEEN
    assert [message.subject for message in mail.outbox] == ["1 game waits for you"]


def test_its_most_urgent_game_is_the_first(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.DAILY)
    table.game(alice, bob, name="In no hurry", pace=None)
    table.game(alice, bob, name="In a hurry", pace={"hours": 21})
    assert send(told(duel, alice, turn=0), hours=20).status == Status.SENT
    body = str(mail.outbox[0].body)
    assert body.index("In a hurry") < body.index("First flight") < body.index("In no hurry")


def test_a_turn_that_was_played_before_the_hour_is_not_in_it(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    wants(alice, Frequency.DAILY)
    send(told(duel, alice, turn=0))
    table.play(duel, alice, bob)
    send(told(duel, alice, turn=1))
    release_held(now=later(hours=20))
    assert send(told(duel, alice, turn=1), hours=20).status == Status.SENT
    assert told(duel, alice, turn=0).status == Status.OUTDATED
    assert [message.subject for message in mail.outbox] == ["1 game waits for you"]


def test_games_told_at_once_are_not_in_it(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.DAILY)
    change_news_of_game(user=alice, game_id=duel.pk, manner=Frequency.AT_ONCE, now=NOW)
    other = table.game(alice, bob, name="Another")
    assert send(told(duel, alice, turn=0)).status == Status.SENT
    assert send(told(other, alice, turn=0)).status == Status.HELD


def test_a_mail_of_a_day_that_fails_is_tried_again(
    duel: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    wants(alice, Frequency.DAILY)
    notice = send(told(duel, alice, turn=0))
    release_held(now=later(hours=20))
    with monkeypatch.context() as patch:
        patch.setattr("games.news.channels.mail.compose_daily", lambda *_: 1 / 0)
        assert send(notice, hours=20).status == Status.PENDING
    assert "ZeroDivisionError" in notice.last_error
    assert send(notice, hours=20, minutes=2).status == Status.SENT


def test_nobody_is_reminded_whose_mail_is_daily(duel: Game, alice: User) -> None:
    wants(alice, Frequency.DAILY)
    assert send(told(duel, alice, turn=0), hours=20).status == Status.SENT
    assert remind(now=later(hours=21)) == 2
    assert send(told(duel, alice, turn=0, kind="reminder"), hours=21).status == Status.UNWANTED
    assert open_turn(duel).deadline == later(hours=24)
