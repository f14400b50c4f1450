"""Feeds at secret addresses: content, access, limits and revocation."""

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree

import time_machine
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from games.news.channels.webhook import set_webhook
from games.news.delivery import release_held, send_notification
from games.news.feeds import FEED_LIMIT, feed_urls, make_feed
from games.news.models import Feed, Notice
from games.play.models import Game, Hand
from games.play.reminders import request_reminder
from games.staff.services import extend_turn
from tests.games.support import NOW, Table, later
from tests.support.languages import BOTH

ATOM = {"atom": "http://www.w3.org/2005/Atom"}


def paths(user: User) -> dict[str, str]:
    urls = feed_urls(make_feed(user=user, now=NOW))
    return {name: urlsplit(url).path for name, url in urls.items()}


def unfolded(calendar: bytes) -> list[str]:
    """Return the lines of a calendar, with long lines joined again."""
    return calendar.decode().replace("\r\n ", "").removesuffix("\r\n").split("\r\n")


def events_in(calendar: bytes) -> list[dict[str, str]]:
    """Return the properties of each event in a calendar."""
    lines = unfolded(calendar)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    text = "\n".join(lines)
    return [
        dict(line.split(":", 1) for line in event.strip().split("\n"))
        for event in re.findall(r"BEGIN:VEVENT\n(.*?)END:VEVENT", text, re.DOTALL)
    ]


def titles(feed: bytes) -> list[str]:
    root = ElementTree.fromstring(feed)
    return [entry.findtext("atom:title", "", ATOM) for entry in root.findall("atom:entry", ATOM)]


def test_the_news_feed_lists_notifications_and_events(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    for hours in range(3):
        table.play(game, alice, bob, now=later(hours=1 + hours))
    answer = client.get(paths(alice)["news"])
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    assert titles(answer.content) == [
        f"First flight{turn}: It’s your turn" for turn in (", turn 3", ", turn 2", ", turn 1", "")
    ]
    root = ElementTree.fromstring(answer.content)
    entries = root.findall("atom:entry", ATOM)
    links = [link.attrib["href"] for entry in entries for link in entry.findall("atom:link", ATOM)]
    assert {urlsplit(link).path for link in links} == {game.get_absolute_url()}
    assert len({entry.findtext("atom:id", "", ATOM) for entry in entries}) == 4
    assert any("<li>" in entry.findtext("atom:summary", "", ATOM) for entry in entries)


def test_a_feed_shows_a_requested_reminder_when_it_is_sent_and_never_a_hand(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    request_reminder(user=alice, game_id=game.pk, turn=1, now=NOW)
    address, reminder = paths(alice)["news"], Notice.objects.get(kind="later", channel="mail")
    assert len(titles(client.get(address).content)) == 2
    release_held(now=later(hours=3))
    assert send_notification(notice_id=reminder.pk, now=later(hours=3))
    feed = client.get(address).content
    assert titles(feed)[0] == "First flight, turn 1: The reminder that you asked for"
    assert "hand" not in feed.decode()


def test_a_feed_names_its_language(client: Client, settings: Settings, alice: User) -> None:
    settings.LANGUAGES = BOTH
    address = paths(alice)["news"]
    for language in ("de", "en"):
        User.objects.update(language=language)
        assert f'xml:lang="{language}"' in client.get(address).content.decode()


def test_a_notification_on_several_channels_is_listed_once(client: Client, table: Table, alice: User) -> None:
    set_webhook(user=alice, url="https://robots.example/hook", now=NOW)
    game = table.game(alice, seats=1)
    assert game.notices.filter(user=alice).count() == 2
    assert len(titles(client.get(paths(alice)["news"]).content)) == 1


def test_any_name_of_a_game_works_in_feeds(client: Client, table: Table, alice: User) -> None:
    name = "Fire & <fury>, a \\ duel; again"
    table.game(alice, seats=1, name=name)
    path = paths(alice)
    assert titles(client.get(path["news"]).content) == [f"{name}: It’s your turn"]
    (event,) = events_in(client.get(path["deadlines"]).content)
    assert event["SUMMARY"] == "Fire & <fury>\\, a \\\\ duel\\; again: choose your heading"


def test_the_calendar_has_the_deadlines_of_open_tasks(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob)
    without_limit = table.game(bob, alice, pace=None)
    path = paths(alice)["deadlines"]
    (event,) = events_in(client.get(path).content)
    assert event["SUMMARY"] == "First flight: turn 1"
    assert event["DTSTART"] == later(hours=24).strftime("%Y%m%dT%H%M%SZ")
    assert urlsplit(event["URL"]).path == game.get_absolute_url() != without_limit.get_absolute_url()
    table.move(game, alice)
    assert events_in(client.get(path).content) == []


def test_feeds_contain_only_the_player_s_own_games(client: Client, duel: Game, dave: User) -> None:
    path = paths(dave)
    assert titles(client.get(path["news"]).content) == []
    assert events_in(client.get(path["deadlines"]).content) == []


def test_an_unchanged_feed_is_not_sent_again(client: Client, table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    for path in paths(alice).values():
        first = client.get(path)
        again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    table.play(game, alice, bob)
    assert client.get(path, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_requests_are_rate_limited(client: Client, alice: User) -> None:
    path = paths(alice)["news"]
    with time_machine.travel(NOW.replace(minute=20), tick=False):
        assert {client.get(path).status_code for _ in range(FEED_LIMIT.most)} == {200}
        refused = client.get(path)
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "2400")
        assert client.get(paths(alice)["deadlines"]).status_code == 200
    with time_machine.travel(later(hours=1), tick=False):
        assert client.get(paths(alice)["news"]).status_code == 200


def test_addresses_work_until_they_are_renewed_or_removed(client: Client, alice: User) -> None:
    client.force_login(alice)
    page = client.post("/settings/news/feeds/", {"do": "make"}, follow=True).content.decode()
    first = feed_urls(Feed.objects.get(user=alice))
    assert all(url in page for url in first.values())
    reader = Client()
    assert reader.get(urlsplit(first["news"]).path).status_code == 200
    client.post("/settings/news/feeds/", {"do": "make"})
    second = feed_urls(Feed.objects.get(user=alice))
    assert reader.get(urlsplit(first["news"]).path).status_code == 404
    assert reader.get(urlsplit(second["news"]).path).status_code == 200
    page = client.post("/settings/news/feeds/", {"do": "drop"}, follow=True).content.decode()
    assert "Your feed addresses are revoked" in page and "news.atom" not in page
    assert reader.get(urlsplit(second["news"]).path).status_code == 404


def test_no_other_key_opens_a_feed(client: Client, alice: User) -> None:
    path = paths(alice)["news"]
    right = path.split("/")[2]
    assert client.get(path).status_code == 200
    nonsense = ("-", "1", "1-", "x-y", "99999999999999999999-a", "١-a", "-1-a")
    for wrong in (*nonsense, f"{right[:-1]}{'A' if right[-1] != 'A' else 'B'}", right + "A"):
        assert client.get(f"/feeds/{wrong}/news.atom").status_code == 404


def test_a_closed_account_has_no_feeds(client: Client, alice: User) -> None:
    path = paths(alice)["news"]
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert client.get(path).status_code == 404


def calendar_of(client: Client, user: User) -> str:
    feed = Feed.objects.filter(user=user).first() or make_feed(user=user, now=NOW)
    return urlsplit(feed_urls(feed)["deadlines"]).path


def test_a_moved_deadline_gets_a_higher_sequence_number_and_a_new_timestamp(
    client: Client, table: Table, alice: User, bob: User, erin: User
) -> None:
    game = table.game(alice, bob)
    path = calendar_of(client, alice)
    with time_machine.travel(later(hours=1), tick=False):
        (first,) = events_in(client.get(path).content)
    with time_machine.travel(later(hours=2), tick=False):
        assert events_in(client.get(path).content) == [first], "nothing has moved"
        extend_turn(user=erin, game_id=game.pk, hours=5, reason="A storm.", now=later(hours=2))
        (moved,) = events_in(client.get(path).content)
    assert first["SEQUENCE"] == "0" and moved["SEQUENCE"] == "1"
    assert first["LAST-MODIFIED"] == first["DTSTAMP"] == NOW.strftime("%Y%m%dT%H%M%SZ")
    assert moved["LAST-MODIFIED"] == moved["DTSTAMP"] == later(hours=2).strftime("%Y%m%dT%H%M%SZ")
    assert moved["UID"] == first["UID"] and moved["DTSTART"] != first["DTSTART"]


def test_a_deadline_restored_after_a_pause_continues_its_sequence(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    path = calendar_of(client, alice)
    (first,) = events_in(client.get(path).content)
    turn = game.turns.get()
    running = list(turn.hands.values("pk", "deadline"))
    turn.hands.update(deadline=None)
    game.turns.update(deadline=None)
    assert events_in(client.get(path).content) == []
    for hand in running:
        Hand.objects.filter(pk=hand["pk"]).update(deadline=later(hours=99))
    (again,) = events_in(client.get(path).content)
    assert (first["SEQUENCE"], again["SEQUENCE"]) == ("0", "1")


def test_an_empty_calendar_is_valid(client: Client, dave: User) -> None:
    lines = unfolded(client.get(calendar_of(client, dave)).content)
    assert "BEGIN:VEVENT" not in lines
    assert lines.count("BEGIN:VTIMEZONE") == lines.count("END:VTIMEZONE") == 1


def test_an_empty_feed_keeps_its_timestamp(client: Client, dave: User) -> None:
    path = paths(dave)["news"]
    first = client.get(path)
    with time_machine.travel(later(hours=3), tick=False):
        assert client.get(path).content == first.content
    updated = ElementTree.fromstring(first.content).findtext("atom:updated", "", ATOM)
    assert updated == NOW.isoformat()


def test_a_change_of_host_or_address_changes_no_id(
    client: Client, table: Table, alice: User, bob: User, settings: Settings
) -> None:
    table.game(alice, bob)

    def ids() -> list[str]:
        path = paths(alice)
        root = ElementTree.fromstring(client.get(path["news"]).content)
        news = [found.text or "" for found in root.iter(f"{{{ATOM['atom']}}}id")]
        return news + [event["UID"] for event in events_in(client.get(path["deadlines"]).content)]

    before = ids()
    host = urlsplit(settings.BASE_URL).hostname or ""
    settings.BASE_URL = "https://elsewhere.example"
    assert ids() == before and len(set(before)) == len(before) == 3
    assert not any(host in each for each in before)


def test_feed_addresses_survive_a_new_secret_key(client: Client, alice: User, settings: Settings) -> None:
    path = paths(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the key that came after, and just as long as the old one"
    assert {client.get(each).status_code for each in path.values()} == {200}
