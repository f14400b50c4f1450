"""After an outage, running clocks get the lost time back once."""

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.clocks.models import Heartbeat, Outage
from games.clocks.services import change_rest
from games.errors import Conflict
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play import deadlines
from games.play.models import Game, Program, Seat, Turn
from games.play.orders import submit_orders
from games.play.resolution import resolve_turn
from games.work import sweeper
from tests.games.support import Table, game_seen, hand_of, later, open_turn, orders_for, sweep


@pytest.fixture
def away(duel: Game) -> Game:
    """The duel, two hours before its deadline. No sweep has run since."""
    sweep(later(hours=22))
    Notice.objects.update(status=Notice.Status.SENT, sent_at=later(hours=22))
    return duel


def outage_mails() -> list[str]:
    """Send all waiting mail. Return the addresses that got mail about an outage."""
    for notice in Notice.objects.filter(status=Notice.Status.PENDING):
        send_notification(notice_id=notice.pk, now=notice.created_at)
    return [
        message.to[0]
        for message in mail.outbox
        if "your clock was adjusted after an outage" in message.subject
    ]


def test_a_service_that_sweeps_is_not_down(duel: Game) -> None:
    """Neither the time before the first sweep nor a short delay is an outage."""
    for minute in (55, 60, 59.5):
        sweeper.sweep(now=later(minutes=minute))
    assert not Outage.objects.exists()
    assert Heartbeat.objects.get().at == later(hours=1)
    assert open_turn(duel).deadline == later(hours=24)


def test_deadlines_move_by_the_length_of_the_outage(away: Game, alice: User, bob: User) -> None:
    assert sweeper.sweep(now=later(hours=25)).turns == 0
    assert hand_of(away, alice).deadline == hand_of(away, bob).deadline == later(hours=27)
    assert open_turn(away).deadline == later(hours=27)
    outage = Outage.objects.get()
    assert (outage.began_at, outage.ended_at) == (later(hours=22), later(hours=25))


def test_an_outage_is_returned_once(away: Game, alice: User) -> None:
    for second in range(0, 120, 30):
        sweeper.sweep(now=later(hours=25, seconds=second))
    assert hand_of(away, alice).deadline == later(hours=27)
    assert Outage.objects.get().settled_at == later(hours=25, seconds=30)


def test_two_outages_in_a_turn_are_both_returned(away: Game, alice: User) -> None:
    sweeper.sweep(now=later(hours=23))
    sweeper.sweep(now=later(hours=24))
    assert hand_of(away, alice).deadline == later(hours=26)
    assert len(game_seen(viewer=alice, game=away)["outages"]) == 1, "they meet, and are told as one"


def test_stopped_clocks_get_nothing(away: Game, table: Table, alice: User, bob: User, carol: User) -> None:
    table.move(away, alice, now=later(hours=21))
    sweeper.sweep(now=later(hours=25))
    fresh = table.game(alice, carol)
    table.play(fresh, alice, carol, now=later(hours=25))
    sweep(later(hours=26))
    assert hand_of(away, alice).deadline is None
    assert hand_of(away, bob).deadline == later(hours=27)
    assert hand_of(fresh, carol).calendar is None


def test_no_player_is_late_during_an_outage(away: Game, alice: User) -> None:
    """The web server may run again before the workers do."""
    document = orders_for(away, alice)
    submit_orders(
        user=alice, game_id=away.pk, turn_number=0, document=document, now=later(hours=24, minutes=30)
    )
    assert Program.objects.get().by == Program.Author.PLAYER
    sweeper.sweep(now=later(hours=25))
    assert open_turn(away).deadline == later(hours=27)
    assert Program.objects.count() == 1


def test_a_player_who_was_late_before_is_still_late(duel: Game, alice: User) -> None:
    sweep(later(hours=24))
    with pytest.raises(Conflict, match="has run out"):
        submit_orders(
            user=alice,
            game_id=duel.pk,
            turn_number=0,
            document=orders_for(duel, alice),
            now=later(hours=26),
        )


def test_a_worker_back_before_the_sweeper_resolves_no_turn_early(away: Game) -> None:
    turn = open_turn(away)
    assert not resolve_turn(turn_id=turn.pk, now=later(hours=25))
    turn.refresh_from_db()
    assert (turn.status, turn.deadline) == (Turn.Status.OPEN, later(hours=27))
    assert (turn.attempts, turn.error) == (0, ""), "that was no attempt"
    sweeper.sweep(now=later(hours=25, minutes=1))
    assert open_turn(away).deadline == later(hours=27, minutes=1), "and the outage counts as long as it was"
    sweep(later(hours=27, minutes=1))
    assert resolve_turn(turn_id=turn.pk, now=later(hours=27, minutes=1))


def test_chance_plays_for_no_player_early_while_others_have_time(
    away: Game, table: Table, alice: User, bob: User
) -> None:
    change_rest(user=bob, days_off=[6], night=None)
    other = table.game(alice, bob)
    assert open_turn(other).deadline == later(days=2)
    Outage.objects.create(began_at=later(hours=22), ended_at=later(hours=25), settled_at=later(hours=25))
    sweep(later(hours=25))
    assert not Program.objects.exists()
    assert hand_of(other, alice).deadline == later(hours=27)


def test_a_pass_handles_a_limited_number_of_games(
    away: Game, table: Table, alice: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = [away, *(table.game(alice, carol) for _ in range(3))]
    monkeypatch.setattr(deadlines, "GAMES_PER_PASS", 2)
    sweeper.sweep(now=later(hours=25))
    assert sorted(open_turn(game).deadline == later(hours=27) for game in games) == [False] * 2 + [True] * 2
    for second in (30, 60, 90, 120):
        sweeper.sweep(now=later(hours=25, seconds=second))
    assert {open_turn(game).deadline for game in games} == {later(hours=27)}
    assert Outage.objects.get().settled_at


def test_players_are_notified_on_the_page_and_by_one_email(
    away: Game, table: Table, client: Client, alice: User, bob: User, carol: User
) -> None:
    second = table.game(alice, carol, pace={"hours": 48})
    Notice.objects.update(status=Notice.Status.SENT, sent_at=later(hours=22))
    Seat.objects.update(visited_at=None)
    sweeper.sweep(now=later(hours=25))
    told = Notice.objects.filter(kind="outage")
    assert {(notice.user, notice.game) for notice in told} == {(alice, away), (bob, away), (carol, second)}
    assert sorted(outage_mails()) == ["alice@example.org", "bob@example.org", "carol@example.org"]
    body = str(mail.outbox[-1].body)
    assert "was down from Sun 22 Nov, 10:00 to Sun 22 Nov, 13:00 (UTC)" in body
    client.force_login(alice)
    page = client.get(away.get_absolute_url()).content.decode()
    assert "The service was down from Sun 22 Nov, 10:00 to Sun 22 Nov, 13:00 (UTC)." in page
    answer = client.get(f"/api/v1/games/{away.pk}").json()
    assert answer["outages"] == [{"from": "2026-11-22T10:00:00Z", "until": "2026-11-22T13:00:00Z"}]


def test_a_short_outage_is_announced_only_on_pages(away: Game, alice: User) -> None:
    sweeper.sweep(now=later(hours=22, minutes=30))
    assert not Notice.objects.filter(kind="outage").exists()
    assert len(game_seen(viewer=alice, game=away)["outages"]) == 1


def test_a_second_long_outage_is_mailed_again_in_another_turn(
    away: Game, table: Table, alice: User, bob: User
) -> None:
    sweeper.sweep(now=later(hours=25))
    sweeper.sweep(now=later(hours=28))
    assert Notice.objects.filter(kind="outage", user=alice).count() == 1, "once a turn"
    table.play(away, alice, bob, now=later(hours=28))
    sweeper.sweep(now=later(hours=32))
    assert Notice.objects.filter(kind="outage", user=alice).count() == 2


def test_a_sweep_with_a_wrong_clock_is_corrected_by_the_next(db: None) -> None:
    sweep(later(days=400))
    sweeper.sweep(now=later(hours=1))
    assert Heartbeat.objects.get().at == later(hours=1)
    assert not Outage.objects.exists()
