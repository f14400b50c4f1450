"""Notifications about ships, and their recipients."""

import json
from datetime import datetime, time
from functools import partial
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from pytest_django.fixtures import Settings

from accounts.models import User
from games.clocks.models import Rest
from games.dock.models import Prototype, Review
from games.dock.reviews import BURST_DELAY, BURST_SIZE, answer_review, release_reviews, take_back_review
from games.dock.services import notify_committee, remind_committee, take_back_promotion, warn_of_idleness
from games.fleet.models import Starship
from games.moderation.services.takedown import (
    hide_review,
    release_review,
    restore_starship,
    show_review,
    take_down_starship,
)
from games.news.channels.bounces import MailEvent
from games.news.channels.browser import add_device
from games.news.channels.mail import record_mail_event
from games.news.channels.webhook import set_webhook
from games.news.delivery import send_notification
from games.news.feeds import feed_urls, make_feed, news_feed
from games.news.kinds import summary_of
from games.news.models import Notice
from games.news.services import change_notification_settings
from games.people.services.deletion import delete_account
from games.work.sweeper import sweep
from tests.games.dock.promotions import asks_for_the_fleet, joined, member, ready, request_promotion, voted
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import crowd, finished, lane_ship, review
from tests.games.news.channels.browser.test_services import Browser
from tests.games.shipyard.tunnels import LANE
from tests.games.support import NOW, later
from tests.games.together import together
from tests.support.mailbox import Mailbox
from tests.support.receiver import Receiver


@pytest.fixture(autouse=True)
def base_url(settings: Settings) -> None:
    settings.BASE_URL = "https://robo.example"


@pytest.fixture
def ship(alice: User) -> Starship:
    return published(alice, called(alice, "Canoe", *LANE)).starship


def notices(kind: str, *people: User) -> list[Notice]:
    found = Notice.objects.filter(kind=kind, channel="mail").order_by("pk")
    return list(found.filter(user__in=people) if people else found)


def deliver(notice: Notice, now: datetime = NOW) -> str:
    """Try to deliver a notification. Return its status afterwards."""
    send_notification(notice_id=notice.pk, now=now)
    notice.refresh_from_db()
    return notice.status


def sent(kind: str, user: User, mailbox: Mailbox, now: datetime = NOW) -> tuple[str, str, str]:
    """Deliver the only notification of the given kind to a person.

    Return the subject, text and HTML of the email.
    """
    (notice,) = notices(kind, user)
    assert deliver(notice, now) == "sent"
    mail = mailbox.to(user.email)[-1]
    plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
    assert plain and html
    assert [part["Content-ID"] for part in mail.walk() if part.get_content_type() == "image/png"] == [
        "<board>"
    ]
    return mail["Subject"].strip(), plain.get_content().replace("\r\n", "\n"), html.get_content()


def reviewed(bob: User, ship: Starship, **more: Any) -> Review:
    finished(ship, bob)
    return review(bob, ship, **more)


def test_a_review_is_mailed_to_the_builder_with_its_words(
    ship: Starship, alice: User, bob: User, mailbox: Mailbox
) -> None:
    said = "Two\nlines & <b>no tags</b>."
    written = reviewed(bob, ship, stars=4, tags=["fair-starts", "too-long"], text=said)
    subject, text, html = sent("review", alice, mailbox)
    assert subject == "Canoe: review by Bob"
    url = f"https://robo.example/starships/{ship.pk}/reviews/#review-{written.pk}"
    for body in (text, html):
        assert "Bob reviewed version 1 of your ship “Canoe”. You can answer once." in body
        assert "4 of 5 stars" in body and "Fair starts and Too long" in body and url in body
        assert "You got this email because you built the ship." in body
    assert said in text and "Two<br>lines &amp; &lt;b&gt;no tags&lt;/b&gt;." in html


def test_the_answer_is_mailed_to_the_author_of_the_review(
    ship: Starship, alice: User, bob: User, mailbox: Mailbox
) -> None:
    written = reviewed(bob, ship)
    answer_review(user=alice, review_id=written.pk, text="Thanks, Bob.", now=NOW)
    subject, text, html = sent("answer", bob, mailbox)
    assert subject == "Canoe: answer to your review"
    for body in (text, html):
        assert "Alice, the builder of “Canoe”, answered your review." in body
        assert "Thanks, Bob." in body and "because you wrote the review" in body
    assert deliver(notices("review", alice)[0]) == "seen"


def test_a_review_is_mailed_once_however_often_it_changes(ship: Starship, alice: User, bob: User) -> None:
    reviewed(bob, ship, stars=2)
    review(bob, ship, 5, now=later(hours=1))
    assert len(notices("review", alice)) == 1


def test_a_ship_of_the_site_has_no_builder_to_notify(bob: User) -> None:
    reviewed(bob, lane_ship())
    assert not notices("review")


def test_a_review_held_back_in_a_burst_is_mailed_once_it_is_shown(
    ship: Starship, alice: User, erin: User
) -> None:
    written = crowd(ship, *[4] * (BURST_SIZE + 2))
    assert len(notices("review", alice)) == BURST_SIZE
    release_review(user=erin, review_id=written[-1].pk, reason="It is fine.", now=NOW)
    assert len(notices("review", alice)) == BURST_SIZE + 1
    release_reviews(now=NOW + BURST_DELAY)
    release_reviews(now=NOW + BURST_DELAY)
    assert len(notices("review", alice)) == BURST_SIZE + 2


def test_a_review_hidden_or_deleted_meanwhile_is_not_mailed(
    ship: Starship, alice: User, bob: User, carol: User, erin: User
) -> None:
    first, _ = reviewed(bob, ship), reviewed(carol, ship)
    hide_review(user=erin, review_id=first.pk, reason="It is rude.", now=NOW)
    take_back_review(user=carol, starship_id=ship.pk)
    assert [deliver(each) for each in notices("review", alice)] == ["outdated", "outdated"]
    show_review(user=erin, review_id=first.pk, reason="It is not.", now=NOW)
    again, gone = sorted(notices("review", alice), key=lambda each: each.about != first.pk)
    assert (deliver(again), gone.status) == ("sent", "outdated")
    for deed in (hide_review, show_review):
        deed(user=erin, review_id=first.pk, reason="Hm.", now=NOW)
    assert len(notices("review", alice)) == 2, "it was told"


def test_repeated_reviewing_and_withdrawing_sends_a_limited_number_of_emails(
    ship: Starship, alice: User, bob: User
) -> None:
    finished(ship, bob)
    for _ in range(5):
        review(bob, ship)
        take_back_review(user=bob, starship_id=ship.pk)
    assert len(notices("review", alice)) == 3


@pytest.mark.parametrize(
    ("choice", "subject", "sentence"),
    [
        ("promote", "Canoe joins the fleet", "promoted “Canoe” to the fleet"),
        (
            "send-back",
            "The design committee sent Canoe back",
            "You can change it and request promotion again.",
        ),
        (
            "close",
            "The design committee closed Canoe",
            "Running games continue, and you keep the draft.",
        ),
    ],
)
def test_the_decision_is_mailed_to_the_builder_with_reasons(
    alice: User, mailbox: Mailbox, choice: str, subject: str, sentence: str
) -> None:
    promotion = asks_for_the_fleet(published(alice))
    voted(member("Mia"), promotion, choice, "Long & <dull>.")
    assert not notices("decision")
    voted(member("Max"), promotion, choice, "I agree.")
    told, text, html = sent("decision", alice, mailbox)
    assert told == subject
    for body in (text, html):
        assert sentence in body and "): I agree." in body and "Votes and comments" in body
    assert "Long & <dull>." in text and "Long &amp; &lt;dull&gt;." in html


def test_members_of_the_committee_get_a_mail_about_a_ready_ship(
    alice: User, bob: User, mailbox: Mailbox
) -> None:
    mia, gone = member("Mia"), member("Max")
    joined(alice)
    promotion = request_promotion(alice)
    ship = promotion.prototype.starship
    assert {notice.user for notice in notices("ready")} == {mia, gone}, "neither the builder nor others"
    gone.groups.clear()
    assert deliver(notices("ready", gone)[0]) == "outdated"
    subject, text, html = sent("ready", mia, mailbox)
    assert subject == f"{ship.name} needs your vote"
    for body in (text, html):
        assert f"Alice requests promotion for “{ship.name}”: version 1, Robo Runner, 2 players." in body
        assert f"https://robo.example/dock/promotions/{promotion.pk}/" in body
        assert "You got this email because you are on the design committee." in body


def test_a_withdrawn_or_voted_request_is_not_mailed(alice: User) -> None:
    mia, max_ = member("Mia"), member("Max")
    promotion = asks_for_the_fleet(published(alice))
    notify_committee(promotion=promotion, now=NOW)
    voted(mia, promotion)
    assert deliver(notices("ready", mia)[0]) == "seen"
    take_back_promotion(user=alice, starship_id=promotion.prototype.starship_id, now=NOW)
    assert deliver(notices("ready", max_)[0]) == "outdated"


def test_repeated_asking_and_withdrawing_sends_a_limited_number_of_emails(alice: User) -> None:
    mia, prototype = member("Mia"), ready(alice)
    for _ in range(5):
        request_promotion(alice, prototype)
        take_back_promotion(user=alice, starship_id=prototype.starship_id, now=NOW)
    assert len(notices("ready", mia)) == 3


def test_members_who_have_not_voted_after_14_days_get_one_reminder(alice: User, mailbox: Mailbox) -> None:
    mia, max_, gone = member("Mia"), member("Max"), member("Moe")
    promotion = asks_for_the_fleet(published(alice))
    voted(mia, promotion)
    gone.groups.clear()
    assert remind_committee(now=later(days=13)) == 0
    sweep(now=later(days=14))
    assert remind_committee(now=later(days=30)) == 0
    assert [notice.user for notice in notices("undecided")] == [max_]
    promotion.refresh_from_db()
    assert promotion.reminded_at == later(days=14)
    subject, text, html = sent("undecided", max_, mailbox, later(days=14))
    assert subject == "Canoe still needs your vote"
    for body in (text, html):
        assert "“Canoe” has been waiting for a decision since 21 November 2026" in body
        assert "This is the only reminder." in body


def test_the_committee_is_not_reminded_of_closed_requests(alice: User, bob: User, erin: User) -> None:
    mia, max_ = member("Mia"), member("Max")
    decided, down = (
        asks_for_the_fleet(published(alice)),
        asks_for_the_fleet(published(bob, called(bob, "Raft", *LANE))),
    )
    for user in (mia, max_):
        voted(user, decided, "close", "No.")
    take_down_starship(user=erin, starship_id=down.prototype.starship_id, reason="Hm.", now=NOW)
    assert remind_committee(now=later(days=20)) == 0
    assert not notices("undecided")


def test_a_builder_is_warned_once_for_each_idle_period(ship: Starship, alice: User, mailbox: Mailbox) -> None:
    prototype = ship.prototype
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    for _ in range(2):
        warn_of_idleness(prototype=prototype, now=NOW)
    subject, text, html = sent("idle", alice, mailbox)
    assert subject == "Canoe will leave its bay"
    for body in (text, html):
        assert "it leaves its bay on 5 December 2026 and becomes a draft." in body
    prototype.used_at = later(hours=1)
    prototype.save()
    warn_of_idleness(prototype=prototype, now=later(days=90))
    assert [summary_of(each).deadline for each in notices("idle")] == [later(days=14), later(days=104)]


def test_a_prototype_used_or_closed_meanwhile_sends_no_mail(ship: Starship, alice: User) -> None:
    what: list[dict[str, Any]] = [{"used_at": later(hours=1)}, {"status": "closed", "ended_at": NOW}]
    for each in what:
        warn_of_idleness(prototype=ship.prototype, now=NOW)
        Prototype.objects.update(**each)
        (notice,) = notices("idle")
        assert deliver(notice, later(hours=2)) == "outdated"
        notice.delete()
        Prototype.objects.update(used_at=NOW)


def test_a_takedown_is_mailed_to_the_builder_with_its_reason(
    ship: Starship, alice: User, erin: User, mailbox: Mailbox
) -> None:
    take_down_starship(user=erin, starship_id=ship.pk, reason="A name of <somebody>.", now=NOW)
    subject, text, html = sent("taken-down", alice, mailbox)
    assert subject == "Canoe was taken down"
    for body in (text, html):
        assert "Staff took down your ship “Canoe”. New games can’t use it." in body
        assert "https://robo.example/shipyard/" in body and "Reason given by staff" in body
    assert "A name of <somebody>." in text and "A name of &lt;somebody&gt;." in html


def test_a_reversed_takedown_is_not_mailed(ship: Starship, alice: User, erin: User) -> None:
    for deed in (take_down_starship, restore_starship):
        deed(user=erin, starship_id=ship.pk, reason="Hm.", now=NOW)
    assert deliver(notices("taken-down")[0]) == "outdated"


def test_a_webhook_gets_a_document_with_the_ship(
    private_webhooks: None, ship: Starship, alice: User, bob: User, receiver: Receiver
) -> None:
    set_webhook(user=alice, url=receiver.url, now=NOW)
    written = reviewed(bob, ship, stars=1, text="Hm.")
    notice = Notice.objects.get(channel="webhook")
    assert deliver(notice) == "sent"
    (posted,) = receiver.posted
    assert json.loads(posted.body) == {
        "format": "notice/1",
        "kind": "review",
        "created_at": "2026-11-21T12:00:00Z",
        "to": "Alice",
        "game": None,
        "starship": {"id": ship.pk, "name": "Canoe"},
        "turn": None,
        "deadline": None,
        "text": "Canoe: review by Bob",
        "lines": ["1 of 5 stars", "Hm."],
        "hand": None,
        "url": f"https://robo.example/starships/{ship.pk}/reviews/#review-{written.pk}",
    }


@pytest.fixture
def service(receiver: Receiver) -> Receiver:
    receiver.status = 201
    return receiver


def test_a_browser_shows_each_of_two_reviews(
    private_webhooks: None, ship: Starship, alice: User, bob: User, carol: User, service: Receiver
) -> None:
    browser = Browser(ec.generate_private_key(ec.SECP256R1()), b"sixteen letters.")
    add_device(user=alice, endpoint=service.url, **browser.keys, agent="Firefox", now=NOW)
    reviewed(bob, ship, text="Hm."), reviewed(carol, ship)
    left = list(Notice.objects.filter(channel="push").order_by("pk"))
    assert [deliver(notice) for notice in left] == ["sent", "sent"]
    first, second = (json.loads(browser.read(posted.body)) for posted in service.posted)
    assert (first["title"], first["body"]) == ("Canoe: review by Bob", "4 of 5 stars\nHm.")
    assert first["tag"] != second["tag"], "the second does not take the place of the first"
    topics = [posted.headers["topic"] for posted in service.posted]
    assert topics == [f"notice-{notice.pk}" for notice in left]


def test_the_feed_names_the_ship_and_links_to_it(ship: Starship, alice: User, bob: User) -> None:
    reviewed(bob, ship)
    made = make_feed(user=alice, now=NOW)
    feed = news_feed(feed=made, url=feed_urls(made)["news"])
    assert "<title>Canoe: Your ship was reviewed</title>" in feed
    assert f"https://robo.example/starships/{ship.pk}/" in feed


def test_the_daily_mail_has_games_before_ships(
    ship: Starship, duel: Any, alice: User, bob: User, mailbox: Mailbox
) -> None:
    change_notification_settings(user=alice, manner="daily", daily_hour=8, now=NOW)
    reviewed(bob, ship)
    warn_of_idleness(prototype=ship.prototype, now=NOW)
    Prototype.objects.update(used_at=NOW)
    for notice in Notice.objects.filter(user=alice):
        assert deliver(notice) == "held"
    assert mailbox.to(alice.email) == []
    sweep(now=later(hours=20))
    due = Notice.objects.filter(user=alice, kind="review", status="pending").first()
    assert due and deliver(due, later(hours=20)) == "sent"
    [mail] = mailbox.to(alice.email)
    assert mail["Subject"].strip() == "1 game is waiting for you"
    assert "/unsubscribe/starships/" not in mail["List-Unsubscribe"], "it stops all of the mail"
    body = mail.get_body(("plain",))
    assert body
    text = body.get_content().replace("\r\n", "\n")
    assert (
        text.index("== First flight")
        < text.index("== Canoe\nNo two people have played")
        < text.index("Bob reviewed")
    )


def test_a_daily_mail_without_games_has_only_starships(
    ship: Starship, alice: User, bob: User, mailbox: Mailbox
) -> None:
    change_notification_settings(user=alice, manner="daily", daily_hour=8, now=NOW)
    reviewed(bob, ship)
    (notice,) = notices("review", alice)
    assert deliver(notice) == "held"
    Notice.objects.filter(pk=notice.pk).update(status="pending", due_at=None)
    assert deliver(notice, later(hours=20)) == "sent"
    [mail] = mailbox.to(alice.email)
    assert mail["Subject"].strip() == "News about 1 starship"
    assert "/unsubscribe/starships/" in mail["List-Unsubscribe"]


def test_it_waits_for_the_morning_and_for_the_end_of_quiet_hours(
    ship: Starship, alice: User, bob: User
) -> None:
    Rest.objects.create(user=alice, night_from=time(22), night_until=time(9, 30))
    reviewed(bob, ship)
    (notice,) = notices("review", alice)
    assert deliver(notice, later(hours=11)) == "held"
    assert notice.due_at == later(hours=21.5)
    sweep(now=later(hours=21.5))
    assert deliver(notice, later(hours=21.5)) == "sent"


def test_without_an_address_or_with_mail_about_starships_off_no_mail_is_sent(
    ship: Starship, alice: User, bob: User, carol: User, mailbox: Mailbox
) -> None:
    wants: list[tuple[User, dict[str, Any]]] = [
        (bob, {"starship_mail": False}),
        (carol, {"starship_mail": True, "email": ""}),
    ]
    for reviewer, chosen in wants:
        User.objects.filter(pk=alice.pk).update(**chosen)
        reviewed(reviewer, ship)
        assert deliver(notices("review", alice)[-1]) == "unwanted"
    assert mailbox.mails == []


def test_a_deleted_account_gets_no_notification(ship: Starship, alice: User, bob: User) -> None:
    finished(ship, bob)
    review(bob, ship)
    delete_account(user=alice, now=NOW)
    assert not notices("review")
    warn_of_idleness(prototype=Prototype.objects.select_related("starship__owner").get(), now=NOW)
    assert not Notice.objects.filter(starship=ship).exists()


def test_one_click_stops_only_mail_about_starships(
    ship: Starship, alice: User, bob: User, mailbox: Mailbox, client: Any
) -> None:
    reviewed(bob, ship)
    _, text, html = sent("review", alice, mailbox)
    link = str(mailbox.to(alice.email)[0]["List-Unsubscribe"]).strip().strip("<>")
    assert f"No more mail about starships: {link}" in text and link in html
    path = link.removeprefix("https://robo.example")
    assert "No more mail about starships?" in client.get(path).content.decode()
    alice.refresh_from_db()
    assert alice.starship_mail
    assert "These emails have stopped" in client.post(path).content.decode()
    alice.refresh_from_db()
    assert (alice.starship_mail, alice.lobby_mail, alice.manner) == (False, True, "at once")
    assert client.post("/unsubscribe/starships/1-x/").status_code == 404


def test_reporting_a_starship_mail_as_spam_stops_all_starship_mail(
    ship: Starship, alice: User, bob: User
) -> None:
    reviewed(bob, ship)
    record_mail_event(event=MailEvent(notices("review", alice)[0], "Spam.", spam=True), now=NOW)
    alice.refresh_from_db()
    assert (alice.starship_mail, alice.lobby_mail, alice.manner) == (False, True, "at once")


def test_a_notification_about_a_starship_has_no_game_and_is_sent_once(
    ship: Starship, duel: Any, alice: User, bob: User
) -> None:
    reviewed(bob, ship)
    (notice,) = notices("review", alice)
    for wrong in ({"game": duel}, {"about": None}, {"turn": 1}, {"user": None, "email": "a@example.org"}):
        with pytest.raises(Exception, match="notice_of_a_game_or_not"), transaction.atomic():
            Notice.objects.filter(pk=notice.pk).update(**wrong)
    notice.pk = None
    with pytest.raises(Exception, match="notice_of_a_starship_once"), transaction.atomic():
        notice.save()


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_reviews_are_both_mailed(alice: User, bob: User, carol: User) -> None:
    ship = published(alice, called(alice, "Canoe", *LANE)).starship
    finished(ship, bob, carol)
    together(*(partial(review, person, ship) for person in (bob, carol, bob)))
    assert len(notices("review", alice)) == 2
