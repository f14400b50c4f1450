"""Mail about running games, sent to a real mail server."""

from email.message import EmailMessage
from functools import partial

import pytest
from PIL import Image

from accounts.mail import unsubscribe_url
from accounts.models import User
from games.clocks.models import Outage
from games.fleet import raster
from games.lobby.invitations import invite
from games.news.channels.mail import compose
from games.news.delivery import send_notification
from games.news.models import Notice
from games.play.models import Game
from games.play.news import about_turn, tracks_of
from games.play.orders import submit_orders
from games.staff.services import cancel_as_staff, replace_as_staff
from tests.games.support import DUCTS, NOW, WORKSHOP, Table, later, open_turn, orders_for, record_of, rekeep
from tests.support.mailbox import Mailbox

pytestmark = pytest.mark.usefixtures("base_url")


def mail_to(user: User, game: Game, mailbox: Mailbox, *, turn: int, kind: str = "turn") -> EmailMessage:
    """Send a user's notification of the given kind and turn. Return the email as received."""
    notice = Notice.objects.get(user=user, game=game, turn=turn, kind=kind)
    assert send_notification(notice_id=notice.pk, now=NOW)
    mail = mailbox.to(user.email)[-1]
    for name, value in mail.items():
        mail.replace_header(name, value.strip())  # folded in transit
    return mail


def text_of(mail: EmailMessage, kind: str = "plain") -> str:
    body = mail.get_body((kind,))
    assert body
    return str(body.get_content())


def test_a_mail_announces_the_start(duel: Game, alice: User, mailbox: Mailbox) -> None:
    User.objects.filter(pk=alice.pk).update(time_zone="Asia/Tokyo")
    mail = mail_to(alice, duel, mailbox, turn=0)
    assert mail["Subject"] == "First flight, turn 0: choose your heading"
    assert mail["To"] == "alice@example.org"
    assert mail["References"] == f"<game-{duel.pk}@robo.example>", "the emails of a game are one conversation"
    assert mail["List-Unsubscribe"] == f"<{unsubscribe_url(alice)}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for kind in ("plain", "html"):
        text = text_of(mail, kind)
        assert "Alice and Bob on Hall" in text
        assert "hoose your robot’s starting heading" in text
        assert f"https://robo.example/games/{duel.pk}/" in text
        assert unsubscribe_url(alice) in text
    assert "Your deadline: Sun 22 Nov, 21:00 (Asia/Tokyo)." in text_of(mail)
    assert duel.seed not in mail.as_string() and duel.link_token not in mail.as_string()


def have_inspected(game: Game, number: int, *, checkpoint: int) -> None:
    """Make the turn's events start with Bob's robot reaching the given checkpoint."""
    first, *others = record_of(game, number).events
    first = {**first, "type": "inspect", "robot": "Bob", "checkpoint": checkpoint}
    rekeep(game, number, events=(first, *others))


def test_a_mail_about_the_next_turn_tells_what_happened(
    table: Table, duel: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    table.play(duel, alice, bob)
    table.play(duel, alice, bob, now=later(hours=1))
    have_inspected(duel, 1, checkpoint=3)
    mail = mail_to(alice, duel, mailbox, turn=2)
    assert mail["Subject"] == "First flight, turn 2: your move"
    for kind in ("plain", "html"):
        text = text_of(mail, kind)
        assert "What happened in turn 1" in text
        assert "Bob inspects checkpoint 3." in text
        assert "Next checkpoint: 1 of 4." in text


def test_a_turn_without_orders_is_reported_with_the_next(
    table: Table, duel: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    for hour in range(3):
        table.play(duel, alice, bob, now=later(hours=hour))
    have_inspected(duel, 1, checkpoint=1)
    have_inspected(duel, 2, checkpoint=2)
    hands = tuple(hand for hand in record_of(duel, 2).hands if hand.robot == 2)
    rekeep(duel, 2, hands=hands)  # as for a robot that is off
    text = text_of(mail_to(alice, duel, mailbox, turn=3))
    assert "What happened in turns 1 and 2:" in text
    assert "Bob inspects checkpoint 1." in text
    assert "Bob inspects checkpoint 2." in text
    assert "What happened in turn 2:" in text_of(mail_to(bob, duel, mailbox, turn=3))


def test_the_board_is_an_inline_picture(duel: Game, alice: User, mailbox: Mailbox) -> None:
    mail = mail_to(alice, duel, mailbox, turn=0)
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert picture["Content-ID"] == "<board>"
    assert picture.get_content_disposition() == "inline"
    assert 'src="cid:board"' in text_of(mail, "html")
    content = picture.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert content.startswith(b"\x89PNG")
    assert 2_000 < len(content) < 300_000
    assert mail.get_content_type() == "multipart/related"


def test_an_email_about_a_turn_without_a_deadline_names_no_deadline(
    table: Table, alice: User, bob: User, mailbox: Mailbox
) -> None:
    game = table.game(alice, bob, pace=None)
    assert "Your deadline" not in text_of(mail_to(alice, game, mailbox, turn=0))


def test_winner_and_losers_get_a_mail_about_the_end(
    table: Table, duel: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    turn = table.play(duel, alice, bob)
    Game.objects.update(winner="Alice", status=Game.Status.OVER, ended_at=NOW, turn=0)
    duel.turns.filter(number=1).delete()
    for user in (alice, bob):
        Notice.objects.create(user=user, game=duel, turn=turn.number, kind="over", created_at=NOW)
    assert mail_to(alice, duel, mailbox, turn=0, kind="over")["Subject"] == "First flight, turn 0: you won"
    mail = mail_to(bob, duel, mailbox, turn=0, kind="over")
    assert mail["Subject"] == "First flight, turn 0: Alice won"
    assert "Alice won." in text_of(mail)


def test_without_a_choice_of_headings_the_mail_about_the_start_has_the_first_turn(
    alice: User, bob: User, mailbox: Mailbox
) -> None:
    game = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11")
    mail = mail_to(alice, game, mailbox, turn=1)
    assert mail["Subject"] == "First flight, turn 1: your move"
    for kind in ("plain", "html"):
        text = text_of(mail, kind)
        assert "has started: Alice and Bob on Workshop." in text
        assert "urn 1 needs your program" in text
        assert "3 spare lives. Next checkpoint: 1 of 2." in text


def test_after_a_turn_off_the_player_is_asked_to_decide(alice: User, bob: User, mailbox: Mailbox) -> None:
    table = Table(WORKSHOP.saved())
    game = table.game(alice, bob, ruleset="factory-1999")
    orders = {**orders_for(game, alice), "power_down": True}
    submit_orders(user=alice, game_id=game.pk, turn_number=1, document=orders, now=NOW)
    table.play(game, bob)
    assert not Notice.objects.filter(user=alice, turn=2).exists(), "nobody waits for a robot that is off"
    assert "needs your program" in text_of(mail_to(bob, game, mailbox, turn=2))
    table.play(game, bob)
    text = text_of(mail_to(alice, game, mailbox, turn=3))
    assert "needs your decision: should your robot stay off?" in text


def test_the_power_crystal_is_drawn(
    alice: User, bob: User, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(DUCTS.saved())
    game = table.game(alice, bob, ruleset="robo-recon")
    table.play(game, alice, bob)
    drawn: list[str] = []

    def drawing(svg: str, width: int) -> Image.Image:
        drawn.append(svg.rpartition("</defs>")[2])
        return pixels(svg, width)

    pixels = raster.pixels
    monkeypatch.setattr(raster, "pixels", drawing)
    monkeypatch.setattr(raster, "find_pieces", lambda names: {})
    raster.PICTURES.clear()
    mail_to(alice, game, mailbox, turn=1)
    crystals = [svg for svg in drawn if "-crystal" in svg]
    robots = [svg for svg in drawn if "-robot" in svg or "-ghost" in svg]
    assert len(crystals) == 1
    assert robots
    assert not set(crystals) & set(robots), "and it is no robot"


def test_a_mail_names_the_winning_squad(alice: User, bob: User, mailbox: Mailbox) -> None:
    table = Table(DUCTS.saved())
    game = table.game(alice, bob, ruleset="robo-recon")
    assert "power crystal" not in text_of(mail_to(alice, game, mailbox, turn=0))
    table.play(game, alice, bob)
    assert "checkpoint" not in text_of(mail_to(alice, game, mailbox, turn=1))
    Game.objects.update(winner="blue", status=Game.Status.OVER, ended_at=NOW, turn=0)
    for user in (alice, bob):
        Notice.objects.create(user=user, game=game, turn=0, kind="over", created_at=NOW)
    subjects = [mail_to(user, game, mailbox, turn=0, kind="over")["Subject"] for user in (alice, bob)]
    assert subjects == [
        "First flight, turn 0: the other squad won",
        "First flight, turn 0: your squad won",
    ]


def test_a_lost_game_is_described_as_lost(solo_loss: Game, alice: User, mailbox: Mailbox) -> None:
    mail = mail_to(alice, solo_loss, mailbox, turn=solo_loss.turn or 0, kind="over")
    assert mail["Subject"] == "First flight, turn 1: the game is lost"
    assert "is over after 1 turn: the last life was lost" in text_of(mail)
    assert "Alice is lost in space." in text_of(mail)


def test_any_name_of_a_game_works_in_mail(table: Table, alice: User, bob: User, mailbox: Mailbox) -> None:
    game = table.game(alice, bob, name="<b>Zoë & 火星</b>")
    mail = mail_to(alice, game, mailbox, turn=0)
    assert mail["Subject"] == "<b>Zoë & 火星</b>, turn 0: choose your heading"
    assert "“<b>Zoë & 火星</b>” has started" in text_of(mail)
    assert "&lt;b&gt;Zoë &amp; 火星&lt;/b&gt;" in text_of(mail, "html")


def test_emails_about_a_turn_end_with_a_link_that_has_the_head_of_the_game(
    table: Table, duel: Game, alice: User, bob: User, mailbox: Mailbox
) -> None:
    first = duel.turns.get().head_before
    mail = mail_to(alice, duel, mailbox, turn=0)
    for kind in ("plain", "html"):
        assert "First head:" in text_of(mail, kind)
        assert (
            text_of(mail, kind).count(f"/docs/fairness/?head={first}")
            == text_of(mail, kind).count(first)
            == 1
        )
    assert text_of(mail).rstrip().endswith(first)
    head = table.play(duel, alice, bob).head
    Outage.objects.create(began_at=later(hours=-2), ended_at=later(hours=-1))
    told = {"turn", "reminder", "missed", "away", "outage"}
    for notice in Notice.objects.filter(user=bob, game=duel, turn=1):
        for notice.kind in told:
            composed = compose(notice)
            html, _ = composed.alternatives[0]
            for text in (str(composed.body), str(html)):
                assert "Head after turn 0:" in text, notice.kind
                assert head in text


def test_the_last_head_is_in_emails_about_the_end_and_about_departures(
    lane: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    over = lane.game(alice, bob, options={"lives": 1})
    while over.status == Game.Status.RUNNING:
        lane.play(over, *[hand.seat.user for hand in open_turn(over).hands.all() if hand.seat])
    cancelled = lane.game(alice, bob, carol)
    head = lane.play(cancelled, alice, bob, carol).head
    replace_as_staff(user=erin, seat_id=cancelled.players.get(user=bob).pk, reason="So.", now=NOW)
    cancel_as_staff(user=erin, game_id=cancelled.pk, reason="So.", now=NOW)
    last = over.turns.get(number=over.turn).head
    for game, kind, known in (
        (over, "over", last),
        (cancelled, "replaced", head),
        (cancelled, "cancelled", head),
    ):
        composed = compose(Notice.objects.filter(game=game, kind=kind).first())  # type: ignore[arg-type]
        assert known in str(composed.body)
        assert known in str(composed.alternatives[0][0])


def test_a_mail_about_a_lobby_shows_no_head(table: Table, alice: User, bob: User) -> None:
    lobby = table.game(alice, seats=2)
    invite(user=alice, game_id=lobby.pk, robo_name="Bob", now=NOW)
    composed = compose(Notice.objects.get(game=lobby, user=bob))
    assert "hash of the game" not in str(composed.body)


def test_the_picture_shows_the_ways_of_the_last_turn(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, bob)
    for _ in range(2):
        table.play(game, alice, bob)
    notice = Notice.objects.get(game=game, user=alice, kind="turn", turn=2)
    drawn = about_turn(notice).draw
    assert isinstance(drawn, partial)
    ship, events = drawn.keywords["ship"], record_of(game).events
    moves = [event for event in events if event["type"] == "move"]
    driven = [sum(event["robot"] == name for event in moves) for name in ("Alice", "Bob")]
    shown = drawn.keywords["tracks"]
    assert moves
    assert [sum(len(way) - 1 for way in shown.get(index, ())) for index in (0, 1)] == driven
    assert drawn() != partial(drawn, tracks={})()
    back: list[dict[str, object]] = [
        {"type": "move", "robot": "Alice", "from": [1, 1], "to": [2, 1]},
        {"type": "move", "robot": "Alice", "from": [2, 1], "to": [3, 1]},
        {"type": "move", "robot": "Alice", "from": [0, 0], "to": [-1, 0]},
        {"type": "move", "robot": "a robot that left", "from": [0, 0], "to": [0, 1]},
    ]
    ways = {0: [[(1, 1), (2, 1), (3, 1)], [(0, 0), (-1, 0)]]}
    found = tracks_of(back, drawn.keywords["seen"].robots, ship)
    assert {
        robot: [[ship.pos(cell) for cell in way] for way in each] for robot, each in found.items()
    } == ways
