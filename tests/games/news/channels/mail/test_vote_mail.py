"""Mail about open votes, sent to a real mail server."""

import pytest

from accounts.models import User
from games.news.delivery import release_held, send_notification
from games.news.models import Notice
from games.news.services import change_notification_settings
from games.play.models import Game
from games.votes.models import Vote
from games.votes.news import ballot_url
from games.votes.services import call_vote, cast_ballot
from tests.games.support import NOW, later
from tests.support.mailbox import Mailbox

pytestmark = pytest.mark.usefixtures("base_url")


def ask(user: User, game: Game, kind: str, **more: object) -> Vote:
    return call_vote(user=user, game_id=game.pk, kind=kind, now=NOW, **more)  # type: ignore[arg-type]


def notice_to(user: User) -> Notice:
    return Notice.objects.get(user=user, kind="vote")


def test_it_shows_the_question_the_caller_the_deadline_and_the_majority(
    trio: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    User.objects.filter(pk=bob.pk).update(time_zone="Asia/Tokyo")
    ask(alice, trio, "call-off")
    assert send_notification(notice_id=notice_to(bob).pk, now=NOW)
    [mail] = mailbox.to(bob.email)
    assert mail["Subject"].strip() == "First flight: Should the game be cancelled, without a winner?"
    for kind in ("plain", "html"):
        body = mail.get_body((kind,))
        assert body
        text = " ".join(body.get_content().split()).replace("<strong>", "").replace("</strong>", "")
        assert "Started by Alice. Vote by Tue 24 Nov, 21:00 (Asia/Tokyo)." in text
        assert "Two thirds of the voters must vote yes. After 3 days," in text
        assert f"https://robo.example/games/{trio.pk}/votes/" in text
        ballot = ballot_url(user_id=bob.pk, vote_id=Vote.objects.get().pk)
        assert f"{ballot}?say=yes" in text and f"{ballot}?say=no" in text


def test_several_votes_make_one_mail(trio: Game, alice: User, bob: User, mailbox: Mailbox) -> None:
    ask(alice, trio, "call-off")
    ask(alice, trio, "pause", days=7)
    assert send_notification(notice_id=notice_to(bob).pk, now=NOW)
    [mail] = mailbox.to(bob.email)
    assert mail["Subject"].strip() == "First flight: you can vote"
    plain = mail.get_body(("plain",))
    assert plain
    assert plain.get_content().index("be cancelled") < plain.get_content().index("pause for 7 days")


def test_players_who_have_voted_or_are_too_late_get_no_email(
    trio: Game, alice: User, bob: User, carol: User, mailbox: Mailbox
) -> None:
    vote = ask(alice, trio, "concede", seat=2)
    assert not Notice.objects.filter(user=bob, kind="vote").exists()  # a player without a vote
    cast_ballot(user=carol, game_id=trio.pk, vote_id=vote.pk, yes=False, now=NOW)
    assert not send_notification(notice_id=notice_to(carol).pk, now=NOW)
    assert notice_to(carol).status == Notice.Status.OUTDATED
    assert mailbox.to(carol.email) == []


def test_the_daily_mail_includes_open_votes(trio: Game, alice: User, bob: User, mailbox: Mailbox) -> None:
    change_notification_settings(user=bob, manner="daily", daily_hour=8, now=NOW)
    ask(alice, trio, "call-off")
    for notice in Notice.objects.filter(user=bob):
        send_notification(notice_id=notice.pk, now=NOW)
    release_held(now=later(hours=20))
    due = Notice.objects.filter(user=bob, status=Notice.Status.PENDING).first()
    assert due
    assert send_notification(notice_id=due.pk, now=later(hours=20))
    [mail] = mailbox.to(bob.email)
    for kind in ("plain", "html"):
        body = mail.get_body((kind,))
        assert body
        assert "You can vote:" in body.get_content()
        assert "Should the game be cancelled, without a winner?" in body.get_content()
        assert f"{ballot_url(user_id=bob.pk, vote_id=Vote.objects.get().pk)}?say=no" in body.get_content()
