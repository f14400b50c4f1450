"""“Remind me in 3 hours”: from a link in a notification, a browser's button or the API."""

import json
from contextlib import nullcontext
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.errors import Conflict, Forbidden
from games.news.delivery import release_held, send_notification
from games.news.kinds import summary_of
from games.news.models import Notice
from games.play.deadlines import send_reminders
from games.play.models import Game, Hand
from games.play.reminders import reminder_request, reminder_url, request_reminder
from games.play.services import change_game_mail
from tests.games.support import NOW, Table, later


def requested(game: Game, user: User) -> Notice:
    return Notice.objects.get(game=game, user=user, kind="later")


def at_its_time(game: Game, user: User, **time: float) -> str:
    """Send the reminder when it is due. Return its status."""
    notice = requested(game, user)
    release_held(now=later(**time))
    send_notification(notice_id=notice.pk, now=later(**time))
    notice.refresh_from_db()
    return notice.status


def link_of(game: Game, user: User) -> str:
    notice = Notice.objects.get(game=game, user=user, kind="turn", turn=game.turn, channel="mail")
    return urlsplit(reminder_url(notice)).path


def test_a_reminder_comes_once_three_hours_later(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob, pace={"hours": 24})
    table.play(game, alice, bob)
    assert request_reminder(user=alice, game_id=game.pk, turn=1, now=NOW) == later(hours=3)
    game.players.filter(user=alice).update(visited_at=later(minutes=5))
    sent = len(mail.outbox)
    assert at_its_time(game, alice, hours=2, minutes=59) == "held"
    assert at_its_time(game, alice, hours=3) == "sent"
    assert at_its_time(game, alice, hours=4) == "sent"
    (reminder,) = mail.outbox[sent:]
    assert "Your hand: " in reminder.body
    assert "You asked for this reminder." in reminder.body
    assert f"/games/{game.pk}/move/" in reminder.body


def test_a_new_request_replaces_the_earlier_one(duel: Game, alice: User) -> None:
    request_reminder(user=alice, game_id=duel.pk, turn=0, now=NOW)
    request_reminder(user=alice, game_id=duel.pk, turn=0, now=later(hours=1))
    assert requested(duel, alice).due_at == later(hours=4)


def test_a_reminder_waits_for_the_end_of_the_night(duel: Game, alice: User) -> None:
    at = request_reminder(user=alice, game_id=duel.pk, turn=0, now=later(hours=8))
    assert at == later(hours=20), "it is 8 o'clock"


def test_orders_end_a_reminder(table: Table, duel: Game, alice: User) -> None:
    request_reminder(user=alice, game_id=duel.pk, turn=0, now=NOW)
    table.move(duel, alice)
    assert at_its_time(duel, alice, hours=3) == "seen"


def test_the_end_of_the_turn_or_the_game_ends_a_reminder(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    request_reminder(user=alice, game_id=duel.pk, turn=0, now=NOW)
    table.play(duel, alice, bob)
    assert requested(duel, alice).status == "outdated"
    request_reminder(user=bob, game_id=duel.pk, turn=1, now=NOW)
    Game.objects.filter(pk=duel.pk).update(status="cancelled", ended_at=NOW)
    assert at_its_time(duel, bob, hours=3) == "outdated"


def test_a_player_who_left_or_was_locked_gets_no_reminder(
    duel: Game, alice: User, bob: User, dave: User
) -> None:
    for user in (alice, bob):
        request_reminder(user=user, game_id=duel.pk, turn=0, now=NOW)
    duel.players.filter(user=alice).update(user=dave)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    assert at_its_time(duel, alice, hours=3) == "outdated"
    assert at_its_time(duel, bob, hours=3) == "unwanted"


def test_a_turn_that_does_not_wait_has_no_reminder(table: Table, duel: Game, alice: User, dave: User) -> None:
    table.move(duel, alice)
    with pytest.raises(Conflict, match="no longer needs your orders"):
        request_reminder(user=alice, game_id=duel.pk, turn=0, now=NOW)
    with pytest.raises(Conflict, match="in turn 0"):
        request_reminder(user=alice, game_id=duel.pk, turn=1, now=NOW)
    with pytest.raises(Forbidden):
        request_reminder(user=dave, game_id=duel.pk, turn=0, now=NOW)


@pytest.mark.parametrize(("hours", "possible"), [(3, False), (4, True)])
def test_a_reminder_right_before_the_deadline_is_neither_offered_nor_set(
    table: Table, alice: User, bob: User, hours: int, possible: bool
) -> None:
    game = table.game(alice, bob, pace={"hours": hours})
    notice = Notice.objects.get(game=game, user=alice, kind="turn", channel="mail")
    assert bool(summary_of(notice).reminder_url) == possible
    with nullcontext() if possible else pytest.raises(Conflict, match="too soon"):
        request_reminder(user=alice, game_id=game.pk, turn=0, now=NOW)


def usual(game: Game, user: User, **time: float) -> str:
    """Send the usual reminder of this turn, if it is due. Return its status. It comes after 6 of 8 hours."""
    send_reminders(now=later(**time))
    release_held(now=later(**time))
    notice = Notice.objects.get(game=game, user=user, kind="reminder", channel="mail")
    send_notification(notice_id=notice.pk, now=later(**time))
    notice.refresh_from_db()
    return notice.status


@pytest.mark.parametrize(("asked", "status"), [(1, "sent"), (2.5, "outdated"), (4, "held")])
def test_no_other_reminder_comes_until_an_hour_after(
    table: Table, alice: User, bob: User, asked: float, status: str
) -> None:
    game = table.game(alice, bob, pace={"hours": 8})
    turn = Notice.objects.get(game=game, user=alice, kind="turn", channel="mail")
    send_notification(notice_id=turn.pk, now=later(hours=0))
    request_reminder(user=alice, game_id=game.pk, turn=0, channel="mail", now=later(hours=asked))
    if asked < 3:
        assert at_its_time(game, alice, hours=asked + 3) == "sent"
    assert usual(game, alice, hours=6) == status
    if status == "held":
        assert at_its_time(game, alice, hours=7) == "sent"
        assert usual(game, alice, hours=7, minutes=1) == "outdated"


@pytest.mark.parametrize("held_before", [False, True])
def test_the_usual_reminder_comes_if_the_deadline_moves_before_the_requested_one(
    table: Table, alice: User, bob: User, held_before: bool
) -> None:
    """Alice’s reminder would come after 7 hours. Her deadline, after 8 hours, moves to 7 hours."""
    game = table.game(alice, bob, pace={"hours": 8})
    turn = Notice.objects.get(game=game, user=alice, kind="turn", channel="mail")
    send_notification(notice_id=turn.pk, now=later(hours=0))
    request_reminder(user=alice, game_id=game.pk, turn=0, channel="mail", now=later(hours=4))
    if held_before:
        assert usual(game, alice, hours=6) == "held"
    Hand.objects.filter(turn__game=game, seat__user=alice).update(deadline=later(hours=7))
    assert usual(game, alice, hours=6.5, minutes=10) == "sent"
    assert at_its_time(game, alice, hours=7) == "outdated"


def test_a_reminder_that_settings_stop_is_refused(duel: Game, alice: User, bob: User) -> None:
    """Bob removed the browser that showed the notification, and then mutes the game. Alice wants no mail."""
    with pytest.raises(Conflict, match="settings stop this reminder"):
        request_reminder(user=bob, game_id=duel.pk, turn=0, channel="push", now=NOW)
    User.objects.filter(pk=alice.pk).update(manner="none")
    with pytest.raises(Conflict, match="settings stop this reminder"):
        request_reminder(user=User.objects.get(pk=alice.pk), game_id=duel.pk, turn=0, now=NOW)
    assert not Notice.objects.filter(kind="later").exists()
    request_reminder(user=bob, game_id=duel.pk, turn=0, now=NOW)
    change_game_mail(user=bob, game_id=duel.pk, manner="none", now=NOW)
    assert requested(duel, bob).status == "held"
    assert at_its_time(duel, bob, hours=3) == "unwanted"


def test_the_link_works_without_a_login_and_asks_first(duel: Game, alice: User) -> None:
    address, browser = link_of(duel, alice), Client(enforce_csrf_checks=True)
    assert "Remind you of turn 0" in browser.get(address).content.decode()
    assert not Notice.objects.filter(kind="later").exists()
    said = browser.post(address, headers={"Accept": "application/json"})
    assert "We’ll remind you at " in json.loads(said.content)["says"]
    assert requested(duel, alice).channel == "mail"
    assert "Your reminder is set" in browser.post(address).content.decode()


def test_a_changed_link_is_refused(duel: Game, alice: User, bob: User) -> None:
    mark = link_of(duel, alice).split("/")[-2]
    assert reminder_request(mark.replace(f"{alice.pk}-", f"{bob.pk}-", 1)) is None
    assert reminder_request("nonsense") is None
    answer = Client().get("/remind/nonsense/")
    assert answer.status_code == 404


def test_a_link_of_a_past_turn_says_why_it_does_nothing(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    address = link_of(duel, alice)
    table.play(duel, alice, bob)
    page, answer = Client().get(address), Client().post(address)
    assert (page.status_code, answer.status_code) == (409, 409)
    assert "Turn 0 no longer needs your orders" in page.content.decode()
    assert "Remind me in 3 hours" not in page.content.decode()
    assert "you cannot give orders for turn 0" in answer.content.decode()


def test_the_api_sets_a_reminder(duel: Game, alice: User, client: Client) -> None:
    client.force_login(alice)
    answer = client.post(f"/api/v1/games/{duel.pk}/turns/0/reminder")
    assert answer.status_code == 200
    assert answer.json()["at"]
    assert requested(duel, alice).status == "held"
