"""The host or the captain adds a channel with a test message, and no one else sees its secrets."""

import json
from typing import Any

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from games.clubs.models import Membership
from games.clubs.services import create_club
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.groups import selectors, services
from games.groups.models import GroupChannel, Service
from games.groups.posts import service_of
from games.groups.services import add_channel, change_channel, remove_channel
from games.play.models import Game
from tests.games.api_client import ApiOf
from tests.games.groups.conftest import ChannelOf, bodies
from tests.games.reader import ReaderOf
from tests.games.site.test_stale_pages import fields
from tests.games.support import NOW, code_of
from tests.support.receiver import Receiver


@pytest.fixture(autouse=True)
def _here(private_webhooks: None) -> None:
    """Allow receivers on this machine."""


def test_a_channel_is_added_once_its_test_message_arrives(
    alice: User, duel: Game, receiver: Receiver
) -> None:
    channel = add_channel(user=alice, owner=duel, address=receiver.url, service="discord", now=NOW)
    [embed] = bodies(receiver)[0]["embeds"]
    assert embed["description"] == "This is a test. The news of First flight will appear here."
    assert channel.news == ["turn", "played", "deadline", "end"]
    receiver.status = 404
    refused = {"user": alice, "owner": duel, "now": NOW}
    assert code_of(Invalid, add_channel, **refused, address=f"{receiver.url}&2") == "test-failed"
    assert code_of(Invalid, add_channel, **refused, address=receiver.url) == "added"
    assert GroupChannel.objects.count() == 1


def test_matrix_joins_the_room_first(alice: User, duel: Game, receiver: Receiver) -> None:
    receiver.answers = {"/join/": b'{"room_id": "!abc:example.org"}'}
    given = {
        "address": receiver.url.partition("/news")[0],
        "service": "matrix",
        "room": "#robots:example.org",
    }
    channel = add_channel(user=alice, owner=duel, **given, token="t", now=NOW)
    assert channel.room == "!abc:example.org"
    assert [each.path.split("/")[4] for each in receiver.posted] == ["join", "rooms"]
    assert code_of(Invalid, add_channel, user=alice, owner=duel, **given, now=NOW) == "no-room"


@pytest.mark.parametrize(
    "answer",
    [
        b'{"room_id": "!\\u0000"}',
        b'{"room_id": "!\\ud800"}',
        b'{"room_id": ""}',
        b"[" * 9000,
        b'{"retry_after_ms": 1%s}' % (b"0" * 400),
    ],
)
def test_absurd_answers_of_services_are_failed_tests(
    alice: User, duel: Game, receiver: Receiver, answer: bytes
) -> None:
    receiver.answer, receiver.status = answer, 429 if b"retry" in answer else 200
    given = {"address": receiver.url, "service": "matrix", "room": "#robots:a", "token": "t"}
    assert code_of(Invalid, add_channel, user=alice, owner=duel, **given, now=NOW) == "test-failed"


def test_a_token_that_no_header_can_have_is_refused_without_naming_it(
    alice: User, duel: Game, receiver: Receiver
) -> None:
    given = {"address": receiver.url, "service": "matrix", "room": "#robots:a", "now": NOW}
    for token in ("a\nb: c", "tökén"):
        with pytest.raises(Invalid) as refusal:
            add_channel(user=alice, owner=duel, **given, token=token)
        assert (refusal.value.code, token in str(refusal.value)) == ("token", False)


def test_the_hint_shows_no_secret_of_the_address(channel_of: ChannelOf, duel: Game) -> None:
    assert channel_of(game=duel, address="https://a.example?key=secret").hint == "a.example/…cret"


def test_services_are_recognised_by_their_hosts() -> None:
    assert service_of("https://discord.com/api/webhooks/1/a") == Service.DISCORD
    assert service_of("https://hooks.slack.com/services/T/B/x") == Service.SLACK
    assert service_of("https://discord.com.example.org/") == Service.WEBHOOK


@pytest.mark.parametrize("address", ["http://127.0.0.1/", "https://10.0.0.1/", "https://u:p@a.example/", "x"])
def test_addresses_that_cannot_be_called_are_refused(
    alice: User, duel: Game, settings: Any, address: str
) -> None:
    settings.PRIVATE_WEBHOOKS = False
    assert code_of(Invalid, add_channel, user=alice, owner=duel, address=address, now=NOW) == "address"


def test_there_are_limits(alice: User, duel: Game, receiver: Receiver, channel_of: ChannelOf) -> None:
    given = {"user": alice, "owner": duel, "now": NOW}
    for number in range(services.MOST_CHANNELS):
        channel = add_channel(**given, address=f"{receiver.url}{number}")  # type: ignore[arg-type]
    assert code_of(Conflict, add_channel, **given, address=receiver.url) == "too-many-channels"
    test = {"user": alice, "channel_id": channel.pk, "now": NOW}
    for _ in range(services.TESTS.most - services.MOST_CHANNELS):
        services.try_channel(**test)  # type: ignore[arg-type]
    assert code_of(TooMany, services.try_channel, **test) == "too-many"


def test_a_test_message_switches_a_channel_on(alice: User, discord: GroupChannel) -> None:
    off = {"failing_since": NOW, "failure": "gone: 404", "switched_off_at": NOW}
    GroupChannel.objects.update(**off)
    channel = services.try_channel(user=alice, channel_id=discord.pk, now=NOW)
    assert (channel.failing_since, channel.failure, channel.switched_off_at) == (None, "", None)


def test_only_the_host_and_the_captain_change_channels(
    alice: User, bob: User, dave: User, duel: Game, channel_of: ChannelOf
) -> None:
    club = create_club(user=alice, name="Tin Can Club", now=NOW)
    Membership.objects.create(club=club, user=bob, role="officer", since=NOW)
    assert selectors.game_to_manage(user=alice, game_id=duel.pk) == duel
    assert selectors.club_to_manage(user=alice, slug=club.slug) == club
    for person in (bob, dave):
        assert code_of(Forbidden, selectors.game_to_manage, user=person, game_id=duel.pk) == "not-host"
        assert code_of(Forbidden, selectors.club_to_manage, user=person, slug=club.slug) == "not-captain"
        for channel in (channel_of(game=duel), channel_of(club=club)):
            given = {"user": person, "channel_id": channel.pk}
            assert code_of(NotFound, change_channel, **given, news=[]) == "no-channel"
            assert code_of(NotFound, remove_channel, **given) == "no-channel"
    channel = channel_of(club=club)
    Membership.objects.filter(club=club, user=alice).update(role="member")
    Membership.objects.filter(club=club, user=bob).update(role="captain")
    assert change_channel(user=bob, channel_id=channel.pk, news=["end"]).news == ["end"]


def test_the_page_adds_changes_tests_and_removes_a_channel(
    read: ReaderOf, alice: User, duel: Game, receiver: Receiver
) -> None:
    reader = read(alice)
    path = f"/games/{duel.pk}/channels/"
    form = {"address": receiver.url, "service": "webhook", "language": "en", "news": ["turn", "end"]}
    page = reader.post(path, **form)
    channel = GroupChannel.objects.get()
    assert channel.secret in page.html
    again = reader.get(path)
    assert channel.secret not in again.html
    assert receiver.url not in again.html
    assert channel.hint in again.text
    change = f"/channels/{channel.pk}/"
    assert "saved" in reader.post(change, do="save", language="en", news=["end"]).text
    channel.refresh_from_db()
    assert channel.news == ["end"]
    assert "has arrived" in reader.post(change, do="test").text
    receiver.status = 500
    assert "The test failed. It answered 500." in reader.post(change, do="test").text
    assert "removed" in reader.post(change, do="remove").text
    assert not GroupChannel.objects.exists()


def test_an_outdated_page_does_not_overwrite_newer_changes(
    read: ReaderOf, alice: User, discord: GroupChannel, duel: Game
) -> None:
    reader = read(alice)
    path, change = f"/games/{duel.pk}/channels/", f"/channels/{discord.pk}/"
    seen = fields(reader.get(path).html)
    change_channel(user=alice, channel_id=discord.pk, news=["end"])
    sent = {"do": "save", "language": "en", "news": ["turn"]}
    page = reader.post(change, **sent, instead_of=seen["instead_of"])
    assert "have changed since you opened this page: News." in page.text
    discord.refresh_from_db()
    assert discord.news == ["end"]
    again = fields(page.html)
    assert again["news"] == "turn", "the page shows what Alice chose"
    reader.post(change, **sent, instead_of=again["instead_of"])
    discord.refresh_from_db()
    assert discord.news == ["turn"]


def test_a_site_with_one_language_asks_for_none(
    read: ReaderOf, alice: User, discord: GroupChannel, duel: Game, receiver: Receiver, settings: Settings
) -> None:
    settings.LANGUAGES = [("en", "English")]
    reader, path = read(alice), f"/games/{duel.pk}/channels/"
    assert "Language of the messages" not in reader.get(path).text
    assert "saved" in reader.post(f"/channels/{discord.pk}/", do="save", news=["end"]).text
    assert reader.post(path, address=f"{receiver.url}&2", service="discord", news=["turn"]).status == 200
    assert [each.language for each in GroupChannel.objects.all()] == ["en", "en"]


def test_a_failed_test_is_shown_beside_the_address(
    read: ReaderOf, alice: User, duel: Game, receiver: Receiver
) -> None:
    receiver.status = 403
    form = {"address": receiver.url, "language": "en", "news": ["turn"]}
    page = read(alice).post(f"/games/{duel.pk}/channels/", **form)
    assert page.status == 422
    assert "The test failed. It answered 403." in page.text


def test_programs_manage_channels_without_seeing_secrets(
    api: ApiOf, alice: User, bob: User, duel: Game, receiver: Receiver
) -> None:
    path = f"games/{duel.pk}/channels"
    made = api(alice).post(path, {"address": receiver.url, "news": ["turn"]})
    assert made.status == 201
    assert made.body["secret"].startswith("whsec_")
    listed = api(alice).get(path).body["results"]
    assert [each["id"] for each in listed] == [made.body["id"]]
    assert "secret" not in listed[0]
    assert receiver.url not in json.dumps(listed)
    assert api(bob).get(path).status == 403
    one = f"channels/{made.body['id']}"
    assert api(alice).patch(one, {"language": "en", "news": ["end"]}).body["news"] == ["end"]
    assert api(bob).delete(one).status == 404
    assert api(alice).post(f"{one}/test").status == 200
    assert api(alice).delete(one).body["results"] == []
