"""Whether a notification is sent: settings, presence, and turns already seen."""

import pytest
from django.core import mail

from accounts.models import Frequency, User
from games import live
from games.errors import Forbidden
from games.lobby.services import cancel_game
from games.news.delivery import release_held, send_notification
from games.news.models import Notice
from games.news.services import RECHECK_AFTER, change_notification_settings
from games.play.deadlines import send_reminders
from games.play.models import Game, Seat
from games.play.resolution import resolve_turn
from games.play.services import change_game_mail, record_visit
from tests.games.support import NOW, Table, later, open_turn

Status = Notice.Status


@pytest.fixture(autouse=True)
def present_players(monkeypatch: pytest.MonkeyPatch) -> set[tuple[int, int]]:
    """The present players, as pairs of a game's ID and a user's ID. Tests add pairs."""
    looking: set[tuple[int, int]] = set()
    monkeypatch.setattr(live, "is_active_viewer", lambda game_id, user_id: (game_id, user_id) in looking)
    return looking


def wants(person: User, manner: Frequency, *, hour: int = 8) -> None:
    change_notification_settings(user=person, manner=manner, daily_hour=hour, now=NOW)


def notice_for(game: Game, person: User, *, turn: int, kind: str = "turn") -> Notice:
    return Notice.objects.get(game=game, user=person, turn=turn, kind=kind)


def time_is_up(table: Table, game: Game, mover: User) -> None:
    """Resolve the open turn at its deadline, with the orders of only one player."""
    turn = open_turn(game)
    assert turn.deadline
    table.move(game, mover, now=turn.opened_at)
    assert resolve_turn(turn_id=turn.pk, now=turn.deadline)


def send(notice: Notice, **time: float) -> Notice:
    """Try to send a notification. Return it with its new status."""
    send_notification(notice_id=notice.pk, now=later(**time))
    notice.refresh_from_db()
    return notice


def test_without_mail_the_setting_of_a_game_has_no_effect(duel: Game, alice: User) -> None:
    change_game_mail(user=alice, game_id=duel.pk, manner=Frequency.AT_ONCE, now=NOW)
    wants(alice, Frequency.NONE)
    assert send(notice_for(duel, alice, turn=0)).status == Status.UNWANTED
    assert mail.outbox == []


def test_mail_about_a_single_game_can_be_stopped(table: Table, duel: Game, alice: User, bob: User) -> None:
    other = table.game(alice, bob, name="Another")
    change_game_mail(user=alice, game_id=duel.pk, manner=Frequency.NONE, now=NOW)
    assert send(notice_for(duel, alice, turn=0)).status == Status.UNWANTED
    assert send(notice_for(other, alice, turn=0)).status == Status.SENT
    assert send(notice_for(duel, bob, turn=0)).status == Status.SENT


def test_one_mail_until_the_next_visit(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.ONE)
    assert send(notice_for(duel, alice, turn=0), minutes=1).status == Status.SENT
    time_is_up(table, duel, bob)
    assert send(notice_for(duel, alice, turn=1), hours=25).status == Status.UNWANTED
    time_is_up(table, duel, bob)
    assert record_visit(user_id=alice.pk, game_id=duel.pk, now=later(hours=49))
    assert send(notice_for(duel, alice, turn=2), hours=50).status == Status.SENT
    assert len(mail.outbox) == 2


def test_moving_counts_as_a_visit(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.ONE)
    assert send(notice_for(duel, alice, turn=0), minutes=1).status == Status.SENT
    table.play(duel, alice, bob, now=later(minutes=2))
    assert send(notice_for(duel, alice, turn=1), minutes=3).status == Status.SENT


def test_of_two_simultaneous_notifications_one_is_sent_until_the_next_visit(duel: Game, alice: User) -> None:
    """A worker is still sending the first notification when another starts with the second."""
    wants(alice, Frequency.ONE)
    first = notice_for(duel, alice, turn=0)
    second = Notice.objects.create(user=alice, game=duel, turn=0, kind="missed", created_at=NOW)
    Notice.objects.filter(pk=first.pk).update(lease_until=later(minutes=1), attempts=1)
    assert send(second).status == Status.UNWANTED
    assert send(first, minutes=2).status == Status.SENT


def test_a_present_player_gets_mail_only_after_leaving_without_moving(
    duel: Game, alice: User, present_players: set[tuple[int, int]]
) -> None:
    present_players.add((duel.pk, alice.pk))
    notice = send(notice_for(duel, alice, turn=0))
    assert (notice.status, notice.due_at, notice.attempts) == (Status.HELD, NOW + RECHECK_AFTER, 0)
    release_held(now=NOW + RECHECK_AFTER / 2)
    notice.refresh_from_db()
    assert notice.status == Status.HELD
    release_held(now=NOW + RECHECK_AFTER)
    assert send(notice, minutes=3).status == Status.HELD, "still looking"
    present_players.clear()
    release_held(now=NOW + 2 * RECHECK_AFTER)
    assert send(notice, minutes=6).status == Status.SENT
    assert len(mail.outbox) == 1


def test_a_notification_to_a_present_player_is_held_without_a_message(
    table: Table, duel: Game, alice: User, bob: User, messages: list[tuple[str, int]]
) -> None:
    live.record_viewers([(duel.pk, alice.pk)])
    messages.clear()
    table.play(duel, alice, bob)
    mine, others = notice_for(duel, alice, turn=1), notice_for(duel, bob, turn=1)
    assert (mine.status, mine.due_at, mine.attempts) == (Status.HELD, NOW + RECHECK_AFTER, 0)
    assert [message for message in messages if message[0] == "send_mail"] == [("send_mail", others.pk)]
    release_held(now=NOW + RECHECK_AFTER)
    assert send(mine, minutes=3).status == Status.SENT, "left the page meanwhile"


def test_a_present_player_gets_no_mail_about_a_cancellation(
    table: Table, alice: User, bob: User, carol: User, present_players: set[tuple[int, int]]
) -> None:
    game = table.game(alice, bob, carol, seats=4)
    cancel_game(user=alice, game_id=game.pk, now=NOW)
    present_players.add((game.pk, bob.pk))
    notices = {person: notice_for(game, person, turn=0, kind="cancelled") for person in (bob, carol)}
    assert send(notices[bob]).status == Status.HELD
    assert send(notices[carol]).status == Status.SENT
    record_visit(user_id=bob.pk, game_id=game.pk, now=later(seconds=1))
    present_players.clear()
    release_held(now=later(minutes=6))
    assert send(notices[bob], minutes=6).status == Status.SEEN


def test_opening_a_page_counts_as_presence_for_a_while(duel: Game, alice: User) -> None:
    record_visit(user_id=alice.pk, game_id=duel.pk, now=NOW)
    assert send(notice_for(duel, alice, turn=0), seconds=100).status == Status.HELD


def test_a_player_who_has_moved_gets_no_mail_about_the_turn(table: Table, duel: Game, alice: User) -> None:
    table.move(duel, alice)
    assert send(notice_for(duel, alice, turn=0)).status == Status.SEEN
    assert mail.outbox == []


def test_a_held_notification_is_dropped_when_its_turn_is_resolved(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    record_visit(user_id=alice.pk, game_id=duel.pk, now=NOW)
    notice = send(notice_for(duel, alice, turn=0))
    table.play(duel, alice, bob)
    notice.refresh_from_db()
    assert (notice.status, notice.due_at) == (Status.OUTDATED, None)


def test_an_end_seen_on_the_page_is_not_mailed(solo_loss: Game, alice: User) -> None:
    Seat.objects.filter(game=solo_loss).update(seen_turn=solo_loss.turn)
    assert send(notice_for(solo_loss, alice, turn=solo_loss.turn or 0, kind="over")).status == Status.SEEN


def test_a_turn_and_the_result_before_it_share_one_mail(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    for _ in range(2):
        table.play(duel, alice, bob)
    kinds = duel.notices.filter(user=alice).order_by("turn").values_list("turn", "kind")
    assert list(kinds) == [(0, "turn"), (1, "turn"), (2, "turn")]


def test_a_visit_is_recorded_once_a_minute(duel: Game, alice: User, dave: User) -> None:
    visits = [
        record_visit(user_id=alice.pk, game_id=duel.pk, now=later(seconds=seconds))
        for seconds in (0, 20, 40, 60, 80)
    ]
    assert visits == [True, False, False, True, False]
    assert not record_visit(user_id=dave.pk, game_id=duel.pk, now=NOW)


def test_a_new_frequency_applies_to_held_notifications(duel: Game, alice: User) -> None:
    wants(alice, Frequency.DAILY)
    notice = send(notice_for(duel, alice, turn=0))
    assert notice.status == Status.HELD
    wants(alice, Frequency.AT_ONCE)
    release_held(now=NOW)
    assert send(notice).status == Status.SENT


def test_only_players_have_settings_for_a_game(duel: Game, dave: User) -> None:
    with pytest.raises(Forbidden):
        change_game_mail(user=dave, game_id=duel.pk, manner="none", now=NOW)


def test_the_daily_mail_is_sent_at_its_hour_with_all_waiting_games(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")  # it is 21:00 there
    alice.refresh_from_db()
    wants(alice, Frequency.DAILY, hour=7)
    other = table.game(alice, bob, name="Another", pace=None)
    notice = send(notice_for(duel, alice, turn=0))
    assert (notice.status, notice.due_at) == (Status.HELD, later(hours=10))
    release_held(now=later(hours=9))
    assert mail.outbox == []
    release_held(now=later(hours=10))
    assert send(notice, hours=10).status == Status.SENT
    assert notice_for(other, alice, turn=0).status == Status.SENT
    assert not send_notification(notice_id=notice_for(other, alice, turn=0).pk, now=later(hours=10))
    [daily] = mail.outbox
    assert daily.subject == "2 games are waiting for you"
    assert "First flight" in str(daily.body)
    assert "Another" in str(daily.body)


def test_the_daily_mail_waits_while_its_reader_is_present_in_one_of_its_games(
    table: Table, duel: Game, alice: User, bob: User, present_players: set[tuple[int, int]]
) -> None:
    wants(alice, Frequency.DAILY)
    other = table.game(alice, bob, name="Another")
    present_players.add((other.pk, alice.pk))
    notice = send(notice_for(duel, alice, turn=0), hours=20)
    assert (notice.status, notice.due_at) == (Status.HELD, later(hours=20) + RECHECK_AFTER)
    assert mail.outbox == []
    table.move(other, alice, now=later(hours=20))
    present_players.clear()
    release_held(now=later(hours=20) + RECHECK_AFTER)
    assert send(notice, hours=20, minutes=3).status == Status.SENT
    assert notice_for(other, alice, turn=0).status == Status.SEEN
    assert [message.subject for message in mail.outbox] == ["1 game is waiting for you"]


def test_its_most_urgent_game_comes_first(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.DAILY)
    table.game(alice, bob, name="In no hurry", pace=None)
    table.game(alice, bob, name="In a hurry", pace={"hours": 21})
    assert send(notice_for(duel, alice, turn=0), hours=20).status == Status.SENT
    body = str(mail.outbox[0].body)
    assert body.index("In a hurry") < body.index("First flight") < body.index("In no hurry")


def test_a_turn_resolved_before_the_hour_is_left_out(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    wants(alice, Frequency.DAILY)
    send(notice_for(duel, alice, turn=0))
    table.play(duel, alice, bob)
    send(notice_for(duel, alice, turn=1))
    release_held(now=later(hours=20))
    assert send(notice_for(duel, alice, turn=1), hours=20).status == Status.SENT
    assert notice_for(duel, alice, turn=0).status == Status.OUTDATED
    assert [message.subject for message in mail.outbox] == ["1 game is waiting for you"]


def test_games_with_immediate_mail_are_left_out(table: Table, duel: Game, alice: User, bob: User) -> None:
    wants(alice, Frequency.DAILY)
    change_game_mail(user=alice, game_id=duel.pk, manner=Frequency.AT_ONCE, now=NOW)
    other = table.game(alice, bob, name="Another")
    assert send(notice_for(duel, alice, turn=0)).status == Status.SENT
    assert send(notice_for(other, alice, turn=0)).status == Status.HELD


def test_a_failed_daily_mail_is_retried(duel: Game, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    wants(alice, Frequency.DAILY)
    notice = send(notice_for(duel, alice, turn=0))
    release_held(now=later(hours=20))
    with monkeypatch.context() as patch:
        patch.setattr("games.news.channels.mail.compose_daily", lambda *_: 1 / 0)
        assert send(notice, hours=20).status == Status.PENDING
    assert "ZeroDivisionError" in notice.last_error
    assert send(notice, hours=20, minutes=2).status == Status.SENT


def test_players_with_daily_mail_get_no_reminders(duel: Game, alice: User) -> None:
    wants(alice, Frequency.DAILY)
    assert send(notice_for(duel, alice, turn=0), hours=20).status == Status.SENT
    assert send_reminders(now=later(hours=21)) == 2
    assert send(notice_for(duel, alice, turn=0, kind="reminder"), hours=21).status == Status.UNWANTED
    assert open_turn(duel).deadline == later(hours=24)
