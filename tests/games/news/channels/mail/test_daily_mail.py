"""The daily email and reminders by email, sent to a real mail server."""

import pytest

from accounts.mail import unsubscribe_url
from accounts.models import User
from games.chat.services import post_line
from games.news.channels import mail
from games.news.channels.mail import stop_url
from games.news.delivery import release_held, send_notification
from games.news.models import Notice
from games.news.services import change_notification_settings
from games.play.models import Game
from games.votes.services import call_vote
from tests.games.support import NOW, Table, later
from tests.support.mailbox import Mailbox

pytestmark = pytest.mark.usefixtures("base_url")


def test_a_day_becomes_one_mail_with_a_board_for_each_game(
    table: Table, duel: Game, solo_loss: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    change_notification_settings(user=alice, manner="daily", daily_hour=8, now=NOW)
    post_line(user=bob, game_id=duel.pk, text="@Alice <hurry>", now=NOW)
    table.game(alice, bob, name="Third")
    for notice in Notice.objects.filter(user=alice).order_by("pk"):
        send_notification(notice_id=notice.pk, now=NOW)
    assert mailbox.to(alice.email) == []
    release_held(now=later(hours=20))
    due = Notice.objects.filter(user=alice, status=Notice.Status.PENDING).first()
    assert due
    assert send_notification(notice_id=due.pk, now=later(hours=20))
    [got] = mailbox.to(alice.email)
    assert got["Subject"].strip() == "2 games are waiting for you"
    assert "".join(got["List-Unsubscribe"].split()) == f"<{unsubscribe_url(alice)}>"
    plain, html = got.get_body(("plain",)), got.get_body(("html",))
    assert plain and html
    for text in (plain.get_content(), html.get_content()):
        assert text.index("First flight") < text.index("Third") < text.index("The game is over after 1 turn")
        assert text.index("The game is over") < text.index("You were mentioned in the chat")
        assert "https://robo.example/settings/news/" in text
        assert text.count("The game has started: Alice and Bob on Hall.") == 2
    assert "@Alice &lt;hurry&gt;" in html.get_content()
    pictures = [part["Content-ID"] for part in got.walk() if part.get_content_type() == "image/png"]
    assert len(pictures) == 3
    for picture in pictures:
        assert f'src="cid:{picture.strip("<>")}"' in html.get_content()


def test_its_subject_counts_games_not_events(duel: Game, alice: User, bob: User) -> None:
    post_line(user=bob, game_id=duel.pk, text="@Alice, can we pause?", now=NOW)
    call_vote(user=bob, game_id=duel.pk, kind="pause", days=3, now=NOW)
    news = list(Notice.objects.filter(user=alice, kind__in=("mention", "vote")))
    assert mail.compose_daily(alice, news).subject == "News from 1 game"
    assert len(news) == 2


def test_a_reminder_shows_the_deadline_in_the_reader_s_time_zone(
    duel: Game, alice: User, mailbox: Mailbox
) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    assert send_notification(notice_id=Notice.objects.get(user=alice, game=duel).pk, now=NOW)
    notice = Notice.objects.create(user=alice, game=duel, turn=0, kind="reminder", created_at=later(hours=18))
    assert send_notification(notice_id=notice.pk, now=later(hours=18))
    _, got = mailbox.to(alice.email)
    assert got["Subject"].strip() == "First flight, turn 0: deadline on Sun 22 Nov, 21:00"
    for kind in ("plain", "html"):
        body = got.get_body((kind,))
        assert body
        assert "Sun 22 Nov, 21:00" in body.get_content()


def test_each_mail_about_a_game_has_a_link_that_stops_it(duel: Game, alice: User) -> None:
    notice = Notice.objects.get(game=duel, user=alice)
    stop = stop_url(user_id=alice.pk, game_id=duel.pk)
    composed = mail.compose(notice)
    assert stop in str(composed.body)
    assert stop in str(composed.alternatives[0][0])


def test_a_mail_sent_twice_is_recognisable_as_the_same(duel: Game, alice: User) -> None:
    notice = Notice.objects.get(game=duel, user=alice)
    names = {mail.compose(notice).message()["Message-ID"] for _ in range(2)}
    assert names == {f"<notice-{notice.pk}@robo.example>"}


def test_a_mail_until_the_next_visit_explains_itself(duel: Game, alice: User) -> None:
    change_notification_settings(user=alice, manner="one", daily_hour=8, now=NOW)
    notice = Notice.objects.select_related("user", "game").get(game=duel, user=alice)
    assert "You get no more emails about this game until you open it again." in str(mail.compose(notice).body)


def test_each_game_in_a_daily_mail_shows_its_head(table: Table, alice: User, bob: User) -> None:
    games = [table.game(alice, bob, seed=seed) for seed in ("a seed", "another")]
    heads = [table.play(game, alice, bob).head for game in games]
    composed = mail.compose_daily(alice, list(Notice.objects.filter(user=alice, turn=1)))
    html, _ = composed.alternatives[0]
    for text in (str(composed.body), str(html)):
        assert all(text.count(head) == 1 for head in heads)
