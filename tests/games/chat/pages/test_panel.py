"""The chat on the pages: who reads, who writes, and what is new."""

import re

from django.test import Client

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import say
from games.play.models import Game, Seat
from tests.games.reader import Answer, ReaderOf
from tests.games.support import NOW, Table


def said(page: Answer) -> list[str]:
    """What was said, as its markup has it."""
    return re.findall(r'(?s)<p class="chat-text" data-chat-text>(.*?)</p>', page.html)


def chat_of(game: Game) -> str:
    return f"{game.get_absolute_url()}chat/"


def script(user: User | None) -> Client:
    """A browser with a script, which asks for JSON."""
    client = Client(headers={"Accept": "application/json"})
    if user:
        client.force_login(user)
    return client


def test_players_write_and_all_who_see_the_game_read(
    duel: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    page = read(alice).post(chat_of(duel), text="Good luck, <b>Bob</b>!\nYou will need it.")
    assert page.address == f"{duel.get_absolute_url()}#chat"
    for viewer in (alice, dave, None):
        page = read(viewer).get(duel.get_absolute_url())
        assert said(page) == ["Good luck, &lt;b&gt;Bob&lt;/b&gt;!\nYou will need it."]
        assert (chat_of(duel) in page.actions) == (viewer == alice)
    assert "Only players of this game can write here." in page


def test_nothing_of_a_private_game_is_shown_to_strangers(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    say(user=bob, game_id=game.pk, text="Between us.", now=NOW)
    for place in ("", "chat/", "chat/?after=0"):
        address = f"{game.get_absolute_url()}{place}"
        assert read(dave).get(address).status == 404
        assert script(dave).get(address).status_code == 404
        link = f"{address}{'&' if '?' in place else '?'}link={game.link_token}"
        assert "Between us." in read(dave).get(link)
    assert read(dave).post(chat_of(game), text="Hello.").status == 404
    assert read(dave).post(f"{chat_of(game)}read/", line="1").status == 404
    page = read(dave).get(f"{game.get_absolute_url()}?link={game.link_token}")
    assert f"{chat_of(game)}?link={game.link_token}" in re.findall('data-address="([^"]*)"', page.html)


def test_what_could_not_be_sent_stays_in_the_form(duel: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(chat_of(duel), text="x" * 501)
    assert page.status == 422
    assert (
        "Your message has 501 characters, and at most 500 are allowed. Split it into several messages."
        in page
    )
    assert f">{'x' * 501}</textarea>" in page.html


def test_addresses_become_links_that_lend_no_name(duel: Game, alice: User, read: ReaderOf) -> None:
    say(user=alice, game_id=duel.pk, text="https://example.org/?a=1&b=2 <i> javascript:alert(1)", now=NOW)
    [line] = said(read(None).get(duel.get_absolute_url()))
    assert re.findall("<a [^>]*>", line) == ['<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">']


def test_what_is_new_is_marked_until_it_was_read(duel: Game, alice: User, bob: User, read: ReaderOf) -> None:
    for text in ("One.", "Two."):
        say(user=alice, game_id=duel.pk, text=text, now=NOW)
    last = ChatLine.objects.latest("pk").pk
    page = read(bob).get(duel.get_absolute_url())
    assert page.html.count("data-chat-new") == 1
    assert "Chat 2 new" in page
    assert "2 new in the chat" in read(bob).get("/my-room/")
    assert "new in the chat" not in read(alice).get("/my-room/")
    read(bob).post(f"{chat_of(duel)}read/", line=str(last))
    assert Seat.objects.get(game=duel, user=bob).read_chat == last
    assert "data-chat-new" not in read(bob).get(duel.get_absolute_url()).html
    assert "new in the chat" not in read(bob).get("/my-room/")


def test_a_script_sends_and_gets_all_lines_since_the_last_it_has(duel: Game, alice: User, bob: User) -> None:
    first = say(user=bob, game_id=duel.pk, text="Hello.", now=NOW)
    answer = script(alice).post(chat_of(duel), {"text": "Hello, Bob!", "after": "0"})
    body = answer.json()
    assert re.findall('data-line="([0-9]+)"', body["lines"]) == [str(first.pk), str(body["last"])]
    assert body["more"] is False
    after = script(bob).get(f"{chat_of(duel)}?after=0-{first.pk}").json()
    assert "Hello, Bob!" in after["lines"]
    assert "data-chat-new" in after["lines"]
    nothing = script(bob).get(f"{chat_of(duel)}?after={body['last']}").json()
    assert (nothing["lines"].strip(), nothing["more"]) == ("", False)


def test_a_script_is_refused_in_json(duel: Game, alice: User, dave: User) -> None:
    for user, fields, refusal in (
        (dave, {"text": "Hello."}, (403, "no-seat")),
        (alice, {}, (422, "empty")),
        (alice, {"text": "Hello.", "after": "x"}, (400, "cursor")),
    ):
        answer = script(user).post(chat_of(duel), fields)
        assert (answer.status_code, answer.json()["error"]) == refusal
    assert script(alice).get(f"{chat_of(duel)}?after=x").status_code == 400
    assert not ChatLine.objects.exists()


def test_a_long_chat_has_a_page_of_its_own(duel: Game, alice: User, bob: User, read: ReaderOf) -> None:
    ChatLine.objects.bulk_create(
        ChatLine(game=duel, user=bob, name="Bob", text=f"Line {number}.", at=NOW) for number in range(150)
    )
    page = read(alice).get(duel.get_absolute_url())
    assert said(page) == [f"Line {number}." for number in range(90, 150)]
    assert chat_of(duel) in page.links
    whole = read(alice).get(chat_of(duel))
    assert said(whole) == [f"Line {number}." for number in range(50, 150)]
    assert chat_of(duel) in whole.actions
    assert said(read(alice).get(f"{chat_of(duel)}?page=2")) == [f"Line {number}." for number in range(50)]
    assert read(alice).get(f"{chat_of(duel)}?page=x").status == 200


def test_who_plays_alone_has_nobody_to_talk_to(table: Table, alice: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=1)
    assert "data-chat" not in read(alice).get(game.get_absolute_url()).html
