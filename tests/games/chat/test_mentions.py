"""A player who is mentioned in a game's chat is notified once a turn."""

import pytest
from django.core import mail

from accounts.models import User
from games.chat import services
from games.chat.selectors import mentions_player
from games.chat.services import read_chat
from games.lobby.seats import join_game, leave_game
from games.news.delivery import send_notification
from games.play.models import Game
from tests.games.support import NOW, Table, later


def mentions(game: Game) -> list[tuple[int, str, str]]:
    rows = game.notices.filter(kind="mention").order_by("pk").select_related("user")
    return [(row.turn, row.user.robo_name, row.status) for row in rows if row.user]


def say(game: Game, person: User, text: str, **time: float) -> int:
    return services.post_line(user=person, game_id=game.pk, text=text, now=later(**time)).pk


def send(game: Game, **time: float) -> bool:
    notice = game.notices.filter(kind="mention").latest("pk")
    return send_notification(notice_id=notice.pk, now=later(**time))


@pytest.mark.parametrize(
    ("text", "spoken_to"),
    [
        ("@Bob your move", True),
        ("well, @bob: move!", True),
        ("(@BOB)", True),
        ("@Bob's robot", True),
        ("@Bob-", True),
        ("Bob, move", False),
        ("@Bobby", False),
        ("write to alice@bob.example", False),
        ("@@bob", False),
    ],
)
def test_an_at_sign_and_a_name_mention_a_player(text: str, spoken_to: bool) -> None:
    assert mentions_player(text, "Bob") is spoken_to


def test_a_mentioned_player_gets_a_mail_with_the_line(duel: Game, alice: User, bob: User) -> None:
    say(duel, alice, "@Bob <b>Your</b> move!")
    assert mentions(duel) == [(0, "Bob", "pending")]
    assert send(duel)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (["bob@example.org"], "First flight: Alice mentioned you")
    assert "Alice: @Bob <b>Your</b> move!" in str(sent.body)
    [html, _] = sent.alternatives[0]  # type: ignore[attr-defined]
    assert "@Bob &lt;b&gt;Your&lt;/b&gt; move!" in str(html)
    assert f"/games/{duel.pk}/#chat" in str(sent.body)


def test_strangers_writers_and_others_are_not_notified(duel: Game, alice: User, dave: User) -> None:
    say(duel, alice, "@Alice talks to herself, and @Dave does not play here. Bob does.")
    assert mentions(duel) == []


def test_there_is_one_mail_a_turn(table: Table, duel: Game, alice: User, bob: User) -> None:
    say(duel, alice, "@Bob?")
    assert send(duel)
    say(duel, alice, "@Bob!", minutes=5)
    assert mentions(duel) == [(0, "Bob", "sent")]
    table.play(duel, alice, bob)
    say(duel, alice, "@Bob", minutes=9)
    assert mentions(duel) == [(0, "Bob", "sent"), (1, "Bob", "pending")]


def test_read_lines_are_not_mailed_and_do_not_count(duel: Game, alice: User, bob: User) -> None:
    line = say(duel, alice, "@Bob?")
    read_chat(user=bob, game_id=duel.pk, line_id=line)
    assert not send(duel)
    assert mentions(duel) == [(0, "Bob", "seen")]
    say(duel, alice, "@Bob!", minutes=5)
    assert mentions(duel) == [(0, "Bob", "pending")]
    assert send(duel, minutes=5)
    assert "@Bob?" not in str(mail.outbox[0].body)


def test_players_are_notified_in_a_lobby_until_they_leave(table: Table, alice: User, bob: User) -> None:
    lobby = table.game(alice, seats=3)
    join_game(user=bob, game_id=lobby.pk, link=lobby.link_token, now=NOW)
    say(lobby, bob, "@alice Shall we begin?")
    assert send(lobby)
    assert mail.outbox[0].subject == "First flight: Bob mentioned you"
    say(lobby, alice, "@Bob?")
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    assert not send(lobby)
    assert mentions(lobby)[-1] == (0, "Bob", "outdated")
