"""Lists name an unreadable game, and still show all other games."""

from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.lobby.models import Invitation
from games.lobby.seats import add_computer
from games.news.delivery import send_notification
from games.news.feeds import feed_urls, make_feed
from games.news.models import Notice
from games.news.services import change_notification_settings
from games.people.selectors.personal_data import personal_data
from games.play.computers import play_computers
from games.play.models import Game, Hand, Turn
from games.work.models import Alarm
from tests.games.support import NOW, Table, later, record_of, rekeep, sweep

CANNOT = "This game cannot be shown right now."


@pytest.fixture
def bad(table: Table, duel: Game, alice: User, bob: User) -> Game:
    """A game whose ruleset and pace cannot be read. The duel exists too."""
    game = table.game(alice, bob, name="Bad game")
    Game.objects.filter(pk=game.pk).update(ruleset="gone", pace={"format": "pace/2", "hours": "many"})
    return game


def shown(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_my_room_names_an_unreadable_game_and_shows_the_others(
    client: Client, bad: Game, alice: User
) -> None:
    client.force_login(alice)
    page = shown(client, "/my-room/")
    assert "Bad game" in page
    assert page.count(CANNOT) == 1
    assert "Robo Runner on Hall" in page


def test_the_game_room_names_an_unreadable_game_and_shows_the_others(
    client: Client, bad: Game, carol: User
) -> None:
    client.force_login(carol)
    page = shown(client, "/games/")
    assert "Bad game" in page
    assert page.count(CANNOT) == 1
    assert "First flight" in page


def test_invitations_name_an_unreadable_game(client: Client, table: Table, alice: User, dave: User) -> None:
    game = table.game(alice, seats=2, name="Bad game")
    Invitation.objects.create(game=game, user=dave, invited_by=alice, created_at=NOW)
    Game.objects.filter(pk=game.pk).update(ruleset="gone")
    client.force_login(dave)
    assert CANNOT in shown(client, "/my-room/")


def test_the_home_names_an_unreadable_game_and_leads_to_it(client: Client, bad: Game, alice: User) -> None:
    client.force_login(alice)
    page = shown(client, "/")
    assert page.count(CANNOT) == 1
    assert "2 games are waiting for your move." in page


def test_the_page_of_a_player_names_an_unreadable_game(
    client: Client, bad: Game, alice: User, carol: User
) -> None:
    client.force_login(carol)
    assert CANNOT in shown(client, f"/players/{alice.robo_name}/")


def test_lists_of_the_api_name_an_unreadable_game_separately(
    client: Client, bad: Game, duel: Game, alice: User
) -> None:
    client.force_login(alice)
    for address in ("/api/v1/games", "/api/v1/games?mine=true", "/api/v1/me/waiting"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert [game["id"] for game in answer.json()["results"]] == [duel.pk]
        assert answer.json()["unreadable"] == [{"id": bad.pk, "name": "Bad game"}]


def test_feeds_contain_all_other_games(
    client: Client, table: Table, duel: Game, alice: User, bob: User
) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob)
    for number in (0, 1):
        rekeep(duel, number, events=tuple({"type": "inspect"} for _ in record_of(duel, number).events))
    urls = feed_urls(make_feed(user=alice, now=NOW))
    news = shown(client, urlsplit(urls["news"]).path)
    assert news.count("<entry>") == 3
    said = "We can’t show the events of this turn right now."
    assert news.count(said) == 2
    rekeep(duel, 0, events=("nothing",))
    duel.turns.filter(number=1).update(record=b"torn")
    assert shown(client, urlsplit(urls["news"]).path).count(said) == 2
    assert "BEGIN:VEVENT" in shown(client, urlsplit(urls["deadlines"]).path)


def test_the_daily_mail_names_an_unreadable_game_and_contains_the_others(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    bad = table.game(alice, bob, name="Bad game")
    change_notification_settings(user=alice, manner="daily", daily_hour=8, now=NOW)
    Turn.objects.filter(game=bad).update(snapshot={"format": "state/1"})
    due = Notice.objects.filter(user=alice).order_by("pk").first()
    assert due
    assert send_notification(notice_id=due.pk, now=NOW + timedelta(hours=23))
    [message] = mail.outbox
    text = str(message.body)
    assert "== Bad game\nWe can’t show this right now." in text
    assert "== First flight\nThe game has started" in text


def test_a_notification_about_it_is_delayed_with_the_reason(duel: Game, alice: User, bob: User) -> None:
    Notice.objects.all().delete()
    hand = Hand.objects.get(turn__game=duel, seat__user=alice)
    Hand.objects.filter(pk=hand.pk).update(calendar={"format": "calendar/1"})
    notice = Notice.objects.create(kind="reminder", user=alice, game=duel, turn=0, created_at=NOW)
    assert not send_notification(notice_id=notice.pk, now=later(hours=22))
    notice.refresh_from_db()
    assert (notice.status, notice.attempts) == (Notice.Status.PENDING, 1)
    assert notice.last_error == "KeyError: 'night'"


def test_the_data_export_contains_all_other_games(bad: Game, duel: Game, alice: User) -> None:
    held = personal_data(user=alice, now=NOW)
    assert [game["id"] for game in held["games"]] == [duel.pk, bad.pk]


def test_an_unreadable_turn_of_a_computer_is_reported_to_staff_and_retried(table: Table, alice: User) -> None:
    game = table.game(alice, seats=2, pace={"hours": None})
    add_computer(user=alice, game_id=game.pk, strength="rookie", now=NOW)
    turn = game.turns.get()
    before = turn.snapshot
    Turn.objects.filter(pk=turn.pk).update(snapshot={"format": "state/1"})
    assert play_computers(turn_id=turn.pk, now=NOW) == 0
    alarm = Alarm.objects.get(closed_at=None)
    assert (alarm.job, alarm.kind, alarm.row, alarm.game) == ("computers", "turn", turn.pk, game)
    assert "the state cannot be read: a key is missing" in alarm.error
    assert sweep(later(seconds=45)).thoughts == 0, "it rests for a minute"
    assert sweep(later(seconds=90)).thoughts == 1
    Turn.objects.filter(pk=turn.pk).update(snapshot=before)
    assert play_computers(turn_id=turn.pk, now=later(seconds=91)) == 1
    assert not Alarm.objects.filter(closed_at=None).exists()
