"""The chat filter: rude lines are hidden on request, and never changed."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core import mail

from accounts.models import User
from accounts.settings import change_settings
from games.chat import selectors, services
from games.chat.models import ChatLine
from games.chat.selectors import chat_after, latest_lines
from games.lobby.seats import leave_game
from games.news.delivery import send_notification
from games.news.kinds import summary_of
from games.people.contacts import block
from games.play.models import Game
from games.play.selectors import prefetch_page
from games.play.viewers import Viewer
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table, later

RUDE = "@Alice you asshole, that was my flag!"
FOLDED = "Hidden by your chat filter"


def say(game: Game, person: User, text: str) -> ChatLine:
    return services.post_line(user=person, game_id=game.pk, text=text, now=NOW)


def switch_off(user: User) -> None:
    change_settings(user=user, chosen={"chat_filter": False})


def filtered(viewer: Viewer, game: Game) -> list[bool]:
    game = Game.objects.get(pk=game.pk)
    return [line.filtered for line in latest_lines(viewer=viewer, game=game, limit=10).lines]


def test_a_rude_line_is_hidden_from_readers_with_the_filter(
    duel: Game, alice: User, bob: User, dave: User
) -> None:
    say(duel, bob, RUDE)
    say(duel, bob, "Sorry.")
    guest = User.objects.create_user("Guest-1", "", is_guest=True)
    for reader in (alice, dave, guest, AnonymousUser()):
        assert filtered(reader, duel) == [True, False]
    switch_off(alice)
    assert filtered(alice, duel) == [False, False]


def test_a_reader_s_own_lines_are_never_hidden(table: Table, alice: User, bob: User) -> None:
    lobby = table.game(alice, bob, seats=3)
    say(lobby, bob, RUDE)
    assert (filtered(bob, lobby), filtered(alice, lobby)) == ([False], [True])
    leave_game(user=bob, game_id=lobby.pk, now=NOW)
    assert filtered(bob, lobby) == [False], "nor from those who have left"


def test_a_filtered_line_keeps_its_text_and_counts_as_new(duel: Game, alice: User, bob: User) -> None:
    line = say(duel, bob, RUDE)
    [seen] = chat_after(viewer=alice, game=duel)["results"]
    assert (seen["text"], seen["filtered"], seen["hidden"]) == (RUDE, True, False)
    assert latest_lines(viewer=alice, game=duel, limit=10).unread == 1
    line.refresh_from_db()
    assert line.text == RUDE


def test_a_line_of_a_blocked_player_is_hidden_as_usual(duel: Game, alice: User, bob: User) -> None:
    say(duel, bob, RUDE)
    block(user=alice, robo_name="Bob", now=NOW)
    [line] = chat_after(viewer=alice, game=duel)["results"]
    assert (line["text"], line["filtered"], line["hidden"]) == ("", False, True)


def test_pages_fold_a_rude_line_with_its_text(duel: Game, alice: User, bob: User, read: ReaderOf) -> None:
    say(duel, bob, RUDE)
    for address in (duel.get_absolute_url(), f"{duel.get_absolute_url()}chat/"):
        for reader, count in ((alice, 1), (None, 1), (bob, 0)):
            html = read(reader).get(address).html
            assert html.count('<details class="chat-filtered" data-chat-filtered>') == count
            assert html.count(FOLDED) == count
            assert re.search(r"data-chat-text>@Alice you asshole", html)
    switch_off(alice)
    assert FOLDED not in read(alice).get(duel.get_absolute_url()).html


def test_a_mail_does_not_quote_hidden_lines(duel: Game, alice: User, bob: User) -> None:
    say(duel, bob, "@Alice your move")
    say(duel, bob, RUDE)
    notice = duel.notices.get(kind="mention")
    told = summary_of(notice)
    assert "asshole" not in f"{told.subject} {told.lines}"
    assert send_notification(notice_id=notice.pk, now=later())
    [sent] = mail.outbox
    [html, _] = sent.alternatives[0]  # type: ignore[attr-defined]
    for text in (str(sent.body), str(html)):
        assert "asshole" not in text
        assert "@Alice your move" in text
        assert f"{FOLDED}. You can read it in the chat." in text


def test_a_mail_quotes_all_lines_without_the_filter(duel: Game, alice: User, bob: User) -> None:
    switch_off(alice)
    say(duel, bob, RUDE)
    assert send_notification(notice_id=duel.notices.get(kind="mention").pk, now=later())
    assert f"Bob: {RUDE}" in str(mail.outbox[0].body)


def test_a_line_is_judged_once_when_it_is_written(
    duel: Game, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(duel, bob, RUDE)
    say(duel, bob, "Sorry.")
    judged: list[str] = []
    monkeypatch.setattr(selectors, "is_rude", lambda text: judged.append(text) or True)
    assert filtered(alice, duel) == [True, False]
    assert not judged


def test_the_filter_takes_no_query(
    duel: Game, alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    say(duel, bob, RUDE)
    game = Game.objects.get(pk=duel.pk)
    prefetch_page(game=game, played=None)
    with django_assert_num_queries(2):
        latest_lines(viewer=alice, game=game, limit=60)
