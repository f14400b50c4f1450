"""The links that stop mail about lobbies stop no other mail."""

from email.message import EmailMessage

import pytest
from django.template.loader import get_template
from django.test import Client

from accounts import mail as account_mail
from accounts.models import ClosedAddress, User
from games.lobby.invitations import invite
from games.news.delivery import send_notification
from games.news.kinds import KINDS
from games.news.models import Notice, kind_choices
from games.news.services import stop_lobby_mail
from games.play.models import Game
from tests.games.support import NOW, Table
from tests.support.mailbox import Mailbox


def link_in(mail: EmailMessage) -> str:
    return str(mail["List-Unsubscribe"]).strip().strip("<>").partition("localhost:8000")[2]


@pytest.mark.parametrize("whom", ["Bob", "nobody@example.org"])
def test_one_click_stops_mail_about_lobbies(
    table: Table, mailbox: Mailbox, alice: User, bob: User, whom: str
) -> None:
    """Mail programs post without a cookie. Viewing the page stops no mail."""
    asked = {"email": whom} if "@" in whom else {"robo_name": whom}
    first = table.game(alice, seats=3, name="First", private=True)
    second = table.game(alice, seats=3, name="Second", private=True)
    invite(user=alice, game_id=first.pk, **asked, now=NOW)
    notice = Notice.objects.get(game=first, kind="invited")
    assert send_notification(notice_id=notice.pk, now=NOW)
    (mail,) = mailbox.mails
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    path = link_in(mail)
    assert path in str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    browser = Client(enforce_csrf_checks=True)
    what = "invitations to this address" if "@" in whom else "mail about games that have not started"
    assert f"No more {what}?" in browser.get(path).content.decode()
    sort = "application/x-www-form-urlencoded"
    page = browser.post(path, "List-Unsubscribe=One-Click", content_type=sort)
    assert b"These emails have stopped" in page.content
    invite(user=alice, game_id=second.pk, **asked, now=NOW)
    notice = Notice.objects.get(game=second, kind="invited")
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.UNWANTED
    assert "nobody" not in str(ClosedAddress.objects.values_list())


def test_mail_about_running_games_continues(duel: Game, alice: User, mailbox: Mailbox) -> None:
    stop_lobby_mail(whom=alice, now=NOW)
    assert send_notification(notice_id=Notice.objects.get(user=alice).pk, now=NOW)


def test_mail_about_losing_a_seat_counts_as_mail_about_games(duel: Game, bob: User, mailbox: Mailbox) -> None:
    """Its link stops mail about all games, since this game is over for the player."""
    stop_lobby_mail(whom=bob, now=NOW)
    kind = "cancelled"
    first = Notice.objects.create(kind=kind, user=bob, game=duel, turn=0, created_at=NOW)
    assert send_notification(notice_id=first.pk, now=NOW)
    (mail,) = mailbox.mails
    path = link_in(mail)
    assert path in str(mail.get_body(("plain",)).get_content())  # type: ignore[union-attr]
    Client().post(path)
    second = Notice.objects.create(kind=kind, user=bob, game=duel, turn=1, created_at=NOW)
    assert not send_notification(notice_id=second.pk, now=NOW)
    second.refresh_from_db()
    assert second.status == Notice.Status.UNWANTED


def test_an_old_link_to_an_address_stops_no_game_mail_of_its_later_account(
    duel: Game, table: Table, alice: User, bob: User, client: Client
) -> None:
    """The link said that it stops mail about lobbies, so it must not stop other mail."""
    stop_lobby_mail(whom=account_mail.digest_of(bob.email), now=NOW)
    assert send_notification(notice_id=Notice.objects.get(game=duel, user=bob).pk, now=NOW)
    lobby = table.game(alice, seats=3, name="Second", private=True)
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=NOW)
    invited = Notice.objects.get(game=lobby, user=bob)
    assert not send_notification(notice_id=invited.pk, now=NOW)
    client.force_login(bob)
    answer = client.get("/settings/news/")
    assert "bounc" not in answer.content.decode()
    assert not answer.context["form"].initial["lobby_mail"]
    client.post("/settings/news/", {"manner": "at once", "daily_hour": "8", "lobby_mail": "on"})
    Notice.objects.filter(pk=invited.pk).update(status=Notice.Status.PENDING)
    assert send_notification(notice_id=invited.pk, now=NOW)


def test_every_kind_has_a_description() -> None:
    for kind, _ in kind_choices():
        words = get_template(KINDS[kind].template).template
        blocks = words.nodelist[0].blocks  # type: ignore[attr-defined]
        assert {"subject", "text", "content"} <= set(blocks), kind
        assert (KINDS[kind].daily is None) == ("daily" not in blocks) == ("daily_text" not in blocks), kind


def test_no_other_link_stops_anything(db: None, client: Client, alice: User) -> None:
    for mark in ("1", "1-", "x-y", "99999999999999999999-a"):
        assert client.post(f"/unsubscribe/lobbies/{mark}/").status_code == 404
    alice.refresh_from_db()
    assert alice.lobby_mail and not ClosedAddress.objects.exists()
