"""Messages show no more than spectators see, and names in them stay plain text."""

import json

import pytest
from django.core import signing
from django.test import Client

from accounts.models import User
from games.clubs.models import Club, ClubGame
from games.clubs.services import create_club
from games.competitions.services.tournaments import cancel_tournament
from games.groups.announcements import announce_deadlines
from games.groups.messages import picture_url, turn_of_picture
from games.groups.models import GroupChannel
from games.groups.posts import POSTERS
from games.play.models import Game
from tests.games.admin_pages import permit
from tests.games.competitions.hosting import START, opened, step
from tests.games.groups.conftest import ChannelOf, bodies, post
from tests.games.support import NOW, Table, later
from tests.support.receiver import Receiver

Messages = list[tuple[str, int]]

SHOUT = "@everyone <!channel> *x* </a>"


@pytest.mark.parametrize("service", POSTERS)
def test_names_are_plain_text_and_notify_no_one(
    messages: Messages,
    channel_of: ChannelOf,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    service: str,
) -> None:
    Game.objects.update(name=SHOUT)
    channel = channel_of(service, game=duel, room="!r:a", token="t", secret="whsec_c2VjcmV0", news=["turn"])
    table.play(duel, alice, bob)
    assert post(channel) == 1
    body = bodies(receiver)[-1]
    match service:
        case "discord":
            assert body["allowed_mentions"] == {"parse": []}
            assert body["embeds"][0]["title"] == r"\@everyone \<!channel\> \*x\* \</a\>"
        case "slack":
            assert (body["parse"], body["link_names"]) == ("none", False)
            assert body["attachments"][0]["title"] == "@\u200beveryone &lt;!channel&gt; *x* &lt;/a&gt;"
        case "matrix":
            assert body["m.mentions"] == {}
            assert "&lt;/a&gt;</a></strong>" in body["formatted_body"]
            assert receiver.posted[-1].path.endswith(f"/announcement-{channel.announcements.get().pk}")
        case _:
            assert body["game"] == {"id": duel.pk, "name": SHOUT}
            assert (body["format"], body["kind"], body["turn"]) == ("announcement/1", "turn", 1)
            assert body["players"] == ["Alice", "Bob"]


def test_matrix_gets_the_picture_as_an_upload(
    messages: Messages,
    channel_of: ChannelOf,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    receiver.answers = {"/upload": b'{"content_uri": "mxc://a/b"}'}
    channel = channel_of("matrix", game=duel, room="!r:a", token="secret")
    table.play(duel, alice, bob)
    post(channel)
    upload, sent = receiver.posted
    assert upload.headers["authorization"] == "Bearer secret"
    assert upload.body.startswith(b"\x89PNG")
    content = json.loads(sent.body)
    assert (content["msgtype"], content["url"]) == ("m.image", "mxc://a/b")
    assert "All headings are set." in content["body"]


def test_a_message_never_depends_on_secrets(
    messages: Messages,
    channel_of: ChannelOf,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    """Two games differ only in hands, orders and drafts that spectators cannot see."""
    texts = []
    for seed in ("a seed", "another seed"):
        game = table.game(alice, bob, seed=seed)
        channel = channel_of(game=game, news=["turn", "deadline"])
        table.play(game, alice, bob)
        table.move(game, alice)
        Game.objects.filter(pk=game.pk).update(pace={"format": "pace/2", "hours": 24})
        post(channel)
        text = json.dumps(bodies(receiver)[-1])
        texts.append(text.replace(f"/games/{game.pk}/", "/games/N/"))
    assert texts[0] == texts[1]
    assert "Waiting for Bob." in texts[0]


def test_a_near_deadline_is_announced_once_to_the_players_who_are_missing(
    messages: Messages,
    discord: GroupChannel,
    duel: Game,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
) -> None:
    table.play(duel, alice, bob)
    table.move(duel, alice)
    post(discord)
    assert announce_deadlines(now=later(hours=17)) == 0
    assert announce_deadlines(now=later(hours=18)) == 1
    assert announce_deadlines(now=later(hours=19)) == 0
    post(discord, now=later(hours=19))
    lines = bodies(receiver)[-1]["embeds"][0]["description"].splitlines()
    assert lines[0] == "Turn 1 ends soon. Still missing: Bob."
    assert lines[1].startswith(f"⏳ <t:{int(later(hours=24).timestamp())}:f>")


def test_a_private_game_is_only_for_its_own_channels_and_has_signed_pictures(
    messages: Messages,
    channel_of: ChannelOf,
    table: Table,
    alice: User,
    bob: User,
    receiver: Receiver,
    client: Client,
) -> None:
    club = create_club(user=alice, name="Tin Can Club", now=NOW)
    game = table.game(alice, bob, private=True)
    ClubGame.objects.create(game=game, club=club)
    own, of_club = channel_of(game=game), channel_of(club=club)
    table.play(game, alice, bob)
    assert not of_club.announcements.exists()
    post(own)
    [embed] = bodies(receiver)[0]["embeds"]
    assert embed["url"].endswith(f"/accounts/login/?next=%2Fgames%2F{game.pk}%2F")
    path = embed["image"]["url"].partition("://")[2].partition("/")[2]
    assert "turns/0" not in path
    fetched = client.get(f"/{path}")
    assert (fetched.status_code, fetched["Content-Type"]) == (200, "image/png")
    assert client.get(f"/{path}".replace(".png", "x.png")).status_code == 404
    own.delete()
    assert client.get(f"/{path}").status_code == 404


def test_a_public_game_of_a_club_is_announced_in_the_channel_of_the_club(
    messages: Messages, channel_of: ChannelOf, table: Table, alice: User, bob: User
) -> None:
    club = create_club(user=alice, name="Tin Can Club", now=NOW)
    game = table.game(alice, bob)
    ClubGame.objects.create(game=game, club=club)
    channel = channel_of(club=club)
    table.play(game, alice, bob)
    assert channel.announcements.count() == 2
    Club.objects.get().delete()
    table.play(game, alice, bob)
    assert not GroupChannel.objects.exists()


def test_a_round_and_the_end_of_a_tournament_are_one_message_each(
    messages: Messages,
    channel_of: ChannelOf,
    table: Table,
    alice: User,
    bob: User,
    erin: User,
    receiver: Receiver,
) -> None:
    permit(erin)
    cup = opened(table, erin, alice, bob)
    channel = channel_of(tournament=cup)
    step(START)
    post(channel, now=START)
    [embed] = bodies(receiver)[0]["embeds"]
    assert embed["title"] == "Autumn Cup"
    assert embed["description"].splitlines() == ["Round 1 was drawn.", "Table 1: Alice, Bob"]
    assert embed["url"].endswith(f"/tournaments/{cup.pk}/rounds/1/")
    cancel_tournament(user=erin, tournament_id=cup.pk, now=START)
    post(channel, now=START)
    assert bodies(receiver)[-1]["embeds"][0]["description"] == "Cancelled by its host"


def test_a_key_of_another_signature_opens_no_picture(duel: Game) -> None:
    Game.objects.update(private=True)
    duel.refresh_from_db()
    key = picture_url(duel, 3).rpartition("/")[2].removesuffix(".png")
    assert turn_of_picture(key) == (duel.pk, 3)
    assert turn_of_picture(signing.Signer(salt="other").sign(f"{duel.pk}-3")) is None
    assert turn_of_picture("") is None
