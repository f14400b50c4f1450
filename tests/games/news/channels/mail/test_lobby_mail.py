"""Mail about lobbies, sent to a real mail server."""

from email.message import EmailMessage

import pytest

from accounts.models import User
from games.lobby.invitations import invite, withdraw_invitation
from games.lobby.seats import join_game, remove_player
from games.lobby.services import expire_lobbies
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game
from tests.games.support import NOW, Table, later
from tests.support.mailbox import Mailbox

pytestmark = pytest.mark.usefixtures("base_url")


@pytest.fixture
def secret(table: Table, alice: User) -> Game:
    """A private game of Alice with two open seats."""
    return table.game(alice, seats=3, private=True)


def sent(game: Game, kind: str, to: str, mailbox: Mailbox) -> EmailMessage:
    """Send the only notification of the given kind. Return the email as received."""
    notice = Notice.objects.get(game=game, kind=kind)
    assert send_notification(notice_id=notice.pk, now=NOW)
    return mailbox.to(to)[-1]


def texts_of(mail: EmailMessage) -> list[str]:
    bodies = [mail.get_body((kind,)) for kind in ("plain", "html")]
    return [str(body.get_content()) for body in bodies if body]


@pytest.mark.parametrize("email", ["bob@example.org", "nobody@example.org"])
def test_an_invitation_links_to_the_game(
    secret: Game, alice: User, bob: User, mailbox: Mailbox, email: str
) -> None:
    invite(user=alice, game_id=secret.pk, email=email, now=NOW)
    mail = sent(secret, "invited", email, mailbox)
    assert mail["Subject"] == "Alice invites you to First flight"
    texts = texts_of(mail)
    assert len(texts) == 2
    for text in texts:
        assert f"https://robo.example/games/{secret.pk}/?link={secret.link_token}" in text
        assert "Hall" in text
        assert ("you need an account" in text) == (email == "nobody@example.org")
        signup = f"/accounts/signup/?next=%2Fgames%2F{secret.pk}%2F%3Flink%3D{secret.link_token}"
        assert (signup in text) == (email == "nobody@example.org")
    assert secret.seed not in mail.as_string()


def test_a_withdrawn_invitation_is_not_sent(secret: Game, alice: User, mailbox: Mailbox) -> None:
    invite(user=alice, game_id=secret.pk, email="nobody@example.org", now=NOW)
    invitation = secret.invitations.get()
    withdraw_invitation(user=alice, game_id=secret.pk, invitation_id=invitation.pk, now=NOW)
    notice = Notice.objects.get()
    assert not send_notification(notice_id=notice.pk, now=NOW)
    notice.refresh_from_db()
    assert notice.status == Notice.Status.OUTDATED
    assert mailbox.to("nobody@example.org") == []


def test_a_removed_player_is_notified_without_a_link_back(
    secret: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    join_game(user=bob, game_id=secret.pk, link=secret.link_token, now=NOW)
    remove_player(user=alice, game_id=secret.pk, seat=2, now=NOW)
    mail = sent(secret, "removed", bob.email, mailbox)
    assert mail["Subject"] == "You were removed from First flight"
    assert "removed you before the game started" in texts_of(mail)[0]
    assert secret.link_token not in mail.as_string()


def test_players_of_an_expired_lobby_are_notified(secret: Game, alice: User, mailbox: Mailbox) -> None:
    expire_lobbies(now=later(days=14))
    mail = sent(secret, "cancelled", alice.email, mailbox)
    assert mail["Subject"] == "First flight was cancelled"
    assert "were not filled within 14 days" in texts_of(mail)[0]
    assert secret.link_token not in mail.as_string()
