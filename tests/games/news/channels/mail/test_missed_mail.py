"""Emails about missed turns and replaced players."""

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import transaction

import rules
from accounts.models import User
from games.absence.missed_turns import notify_missed
from games.absence.models import Replacement
from games.absence.seats import replace_by_computer, take_seat
from games.news.channels.mail import compose, compose_daily
from games.news.models import Notice
from games.news.services import judge
from games.play import news
from games.play.models import Game, Program
from games.play.resolution import resolve_turn
from games.play.services import locked_game
from games.staff.services import replace_as_staff
from tests.games.support import NOW, Table, later, open_turn


@pytest.fixture
def game(table: Table, alice: User, bob: User) -> Game:
    """A game of Alice and Bob in turn 1. Each may miss one turn."""
    game = table.game(alice, bob, absence={"policy": "standing", "excused": 1})
    table.play(game, alice, bob)
    return game


def text_of(mail: EmailMultiAlternatives) -> str:
    html = str(mail.alternatives[0][0])  # type: ignore[index]
    assert mail.body.count("{{") == html.count("{{") == 0
    assert mail.body.count("ran out") == html.count("ran out")
    return " ".join(str(mail.body).split())


def test_mail_about_the_next_turn_says_which_orders_were_played(
    table: Table, game: Game, alice: User, bob: User
) -> None:
    table.move(game, alice)
    resolve_turn(turn_id=open_turn(game).pk, now=later(hours=25))
    notices = Notice.objects.filter(kind="turn", turn=2, channel="mail")
    said = "You missed turn 1: your standing orders were played. If you miss another turn, a"
    assert said in text_of(compose(notices.get(user=bob)))
    assert "ran out" not in text_of(compose(notices.get(user=alice)))
    assert not Notice.objects.filter(kind="missed").exists()  # one email a turn
    assert said in text_of(compose_daily(bob, [notices.get(user=bob)])), "the mail of a day as well"


def test_a_player_who_missed_a_turn_still_in_progress_is_notified_until_it_is_resolved(
    game: Game, bob: User
) -> None:
    turn = open_turn(game)
    hand = turn.hands.get(seat__user=bob)
    orders = {"format": "orders/1", "registers": []}
    given = {"orders": orders, "by": Program.Author.STAND_IN, "submitted_at": NOW}
    Program.objects.create(game=game, hand=hand, **given)
    seat = game.players.get(user=bob)
    notify_missed(game=game, turn=turn, seat=seat, now=NOW)
    notice = Notice.objects.get(kind="missed", channel="mail")
    mail = compose(notice)
    assert mail.subject == "First flight: you missed turn 1"
    assert "a computer played it for you. You can miss 1 more turn and keep your seat." in text_of(mail)
    assert judge(Notice.objects.get(pk=notice.pk), later(hours=1)).status == Notice.Status.PENDING
    game.players.filter(user=bob).update(visited_at=later(hours=1))
    assert judge(Notice.objects.get(pk=notice.pk), later(hours=2)).status == Notice.Status.SEEN
    turn.status = "resolved"
    played = {"record": b"all of it", "snapshot": None, "first_seq": 1, "last_seq": 0}
    type(turn).objects.filter(pk=turn.pk).update(status="resolved", resolved_at=NOW, **played)
    assert judge(Notice.objects.get(pk=notice.pk), later(hours=2)).status == Notice.Status.OUTDATED


@pytest.mark.parametrize(
    ("reason", "why", "returns"),
    [
        (Replacement.Reason.MISSED, "You missed too many turns.", True),
        (Replacement.Reason.VOTED, "The players voted to replace you.", False),
        (Replacement.Reason.STAFF, "Staff replaced you.", False),
    ],
)
def test_a_replaced_player_reads_the_reason_and_whether_they_may_come_back(
    game: Game, bob: User, reason: Replacement.Reason, why: str, returns: bool
) -> None:
    with transaction.atomic():
        seat = game.players.select_related("user").get(user=bob)
        replace_by_computer(game=locked_game(game.pk), seat=seat, reason=reason, now=NOW)
    notice = Notice.objects.get(kind="replaced", channel="mail")
    mail = compose(notice)
    assert mail.subject == "First flight: a computer plays for you"
    assert why in text_of(mail)
    assert ("You can come back" in text_of(mail)) == returns
    assert judge(Notice.objects.get(pk=notice.pk), NOW).status == Notice.Status.PENDING
    if returns:
        take_seat(user=bob, game_id=game.pk, seat=2, now=NOW)
        assert judge(Notice.objects.get(pk=notice.pk), NOW).status == Notice.Status.OUTDATED


def test_a_replaced_player_sees_the_current_board(
    game: Game, bob: User, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[set[str], int | None]] = []

    def draws(*, ship: object, seen: rules.View, looks: object, robot: int | None) -> bytes:
        drawn.append(({each.name for each in seen.robots}, robot))
        return b"the board"

    monkeypatch.setattr(news, "board_picture", draws)
    seat = game.players.get(user=bob)
    replace_as_staff(user=erin, seat_id=seat.pk, reason="He asked for it.", now=NOW)
    mail = compose(Notice.objects.get(kind="replaced", channel="mail"))
    assert drawn == [({"Alice", "Bob"}, 1)]
    assert [part.get_payload(decode=True) for part in mail.attachments] == [b"the board"]  # type: ignore[union-attr]
    assert "Staff replaced you. Reason from staff: “He asked for it.”" in text_of(mail)
    assert "Erin" not in text_of(mail)
