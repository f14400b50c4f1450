"""The chat on a game's pages: its readers, its writers, and marks for new lines."""

import re

from django.test import Client

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.services import post_line
from games.play.models import Game, Seat
from tests.games.reader import Answer, ReaderOf
from tests.games.support import NOW, Table


def chat_lines(page: Answer) -> list[str]:
    return re.findall(r'(?s)<p class="chat-text" data-chat-text>(.*?)</p>', page.html)


def chat_of(game: Game) -> str:
    return f"{game.get_absolute_url()}chat/"


def script(user: User | None) -> Client:
    """Return a client that asks for JSON, as the page's script does."""
    client = Client(headers={"Accept": "application/json"})
    if user:
        client.force_login(user)
    return client


def test_players_write_and_everyone_who_sees_the_game_reads(
    duel: Game, alice: User, dave: User, read: ReaderOf
) -> None:
    page = read(alice).post(chat_of(duel), text="Good luck, <b>Bob</b>!\nYou will need it.")
    assert page.address == f"{duel.get_absolute_url()}#chat"
    for viewer in (alice, dave, None):
        page = read(viewer).get(duel.get_absolute_url())
        assert chat_lines(page) == ["Good luck, &lt;b&gt;Bob&lt;/b&gt;!\nYou will need it."]
        assert (chat_of(duel) in page.actions) == (viewer == alice)
    assert "Only players of this game can write here." in page


def test_strangers_see_nothing_of_a_private_game(
    table: Table, alice: User, bob: User, dave: User, read: ReaderOf
) -> None:
    game = table.game(alice, bob, private=True)
    post_line(user=bob, game_id=game.pk, text="Between us.", now=NOW)
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


def test_an_unsent_text_stays_in_the_form(duel: Game, alice: User, read: ReaderOf) -> None:
    page = read(alice).post(chat_of(duel), text="x" * 501)
    assert page.status == 422
    assert "Your message has 501 characters. The limit is 500, so split it into several messages." in page
    assert f">{'x' * 501}</textarea>" in page.html


def test_addresses_become_nofollow_links(duel: Game, alice: User, read: ReaderOf) -> None:
    post_line(
        user=alice, game_id=duel.pk, text="https://example.org/?a=1&b=2 <i> javascript:alert(1)", now=NOW
    )
    [line] = chat_lines(read(None).get(duel.get_absolute_url()))
    assert re.findall("<a [^>]*>", line) == ['<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">']


def test_new_lines_are_marked_until_they_are_read(duel: Game, alice: User, bob: User, read: ReaderOf) -> None:
    for text in ("One.", "Two."):
        post_line(user=alice, game_id=duel.pk, text=text, now=NOW)
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


def test_a_script_sends_a_line_and_gets_all_lines_after_its_last(duel: Game, alice: User, bob: User) -> None:
    first = post_line(user=bob, game_id=duel.pk, text="Hello.", now=NOW)
    answer = script(alice).post(chat_of(duel), {"text": "Hello, Bob!", "after": "0"})
    body = answer.json()
    assert re.findall('data-line="([0-9]+)"', body["lines"]) == [str(first.pk), str(body["last"])]
    assert body["more"] is False
    after = script(bob).get(f"{chat_of(duel)}?after=0-{first.pk}").json()
    assert "Hello, Bob!" in after["lines"]
    assert "data-chat-new" in after["lines"]
    nothing = script(bob).get(f"{chat_of(duel)}?after={body['last']}").json()
    assert (nothing["lines"].strip(), nothing["more"]) == ("", False)


def test_a_script_gets_refusals_as_json(duel: Game, alice: User, dave: User) -> None:
    for user, fields, refusal in (
        (dave, {"text": "Hello."}, (403, "no-seat")),
        (alice, {}, (422, "empty")),
        (alice, {"text": "Hello.", "after": "x"}, (400, "cursor")),
    ):
        answer = script(user).post(chat_of(duel), fields)
        assert (answer.status_code, answer.json()["error"]) == refusal
    assert script(alice).get(f"{chat_of(duel)}?after=x").status_code == 400
    assert not ChatLine.objects.exists()


def test_a_long_chat_has_its_own_page(duel: Game, alice: User, bob: User, read: ReaderOf) -> None:
    ChatLine.objects.bulk_create(
        ChatLine(game=duel, user=bob, name="Bob", text=f"Line {number}.", at=NOW) for number in range(150)
    )
    page = read(alice).get(duel.get_absolute_url())
    assert chat_lines(page) == [f"Line {number}." for number in range(90, 150)]
    assert chat_of(duel) in page.links
    whole = read(alice).get(chat_of(duel))
    assert chat_lines(whole) == [f"Line {number}." for number in range(50, 150)]
    assert chat_of(duel) in whole.actions
    assert chat_lines(read(alice).get(f"{chat_of(duel)}?page=2")) == [
        f"Line {number}." for number in range(50)
    ]
    assert read(alice).get(f"{chat_of(duel)}?page=x").status == 200


def test_a_solo_game_has_no_chat(table: Table, alice: User, read: ReaderOf) -> None:
    game = table.game(alice, seats=1)
    assert "data-chat" not in read(alice).get(game.get_absolute_url()).html
