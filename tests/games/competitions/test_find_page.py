"""The page and the API for finding games."""

import re
from typing import Any

from pytest_django.fixtures import Settings

from accounts.guests import make_guest
from accounts.models import User
from games.clocks.models import Vacation
from games.competitions.models import Ticket, Wait
from games.competitions.selectors.matching import chances_of
from games.competitions.services.matching import match_tickets, seek_game
from games.lobby.seats import join_game
from games.people.contacts import block
from games.play.models import Game
from games.play.viewers import MAX_NEWCOMER_GAMES
from tests.games.api_client import Api
from tests.games.reader import Answer, ReaderOf, reader
from tests.games.support import NOW, Table, later

FIND = "/games/find/"
LIVE = {"pace": "live", "least": 2, "most": 2}
DAY = {"pace": "day", "least": 2, "most": 2}


def facts(page: Answer) -> dict[str, str]:
    return dict(re.findall(r"<dt>([^<]+)</dt><dd>([^<]+)</dd>", page.html))


def press(user: User, **more: str) -> Any:
    return reader(user).client.post(FIND, {"usual": "1", **more}, follow=True)


def test_one_press_in_the_game_room_looks_for_a_usual_game(alice: User, read: ReaderOf) -> None:
    room = read(alice).get("/games/")
    assert FIND in room.actions
    buttons = room.html.partition('<div class="cluster">')[2]
    assert buttons.index("Find me a game") < buttons.index("New game")
    assert "We’re looking for a game for you." in press(alice).content.decode()
    ticket = Ticket.waiting.get()
    assert (ticket.ruleset, ticket.pace, ticket.least, ticket.most) == ("", "day", 2, 4)
    assert ticket.computers_after == 24
    page = read(alice).get(FIND)
    assert page.text.count("looking for a game for you") == 1
    assert re.search(r"If we find no one by .* computers take the open seats", page.text)


def test_one_press_repeats_the_last_wish(alice: User) -> None:
    client = reader(alice).client
    client.post(FIND, {"pace": "slow", "least": "3", "most": "5", "computers_after": ""})
    client.post("/games/find/stop/")
    client.post(FIND, {"usual": "1"})
    ticket = Ticket.waiting.get()
    assert (ticket.pace, ticket.least, ticket.most, ticket.computers_after) == ("slow", 3, 5, None)
    client.post("/games/find/stop/")
    assert facts(reader(alice).get(FIND))["Players"] == "3–5", "in another browser too"
    Ticket.objects.update(ruleset="gone")
    client.post(FIND, {"usual": "1"})
    assert Ticket.waiting.get().pace == "day", "a wish that no longer exists is ignored"


def test_a_press_opens_an_open_game_that_fits(table: Table, alice: User, bob: User) -> None:
    lobby = table.game(bob, seats=3)
    answer = reader(alice).client.post(FIND, DAY | {"most": 4, "computers_after": ""}, follow=True)
    assert answer.redirect_chain == [(lobby.get_absolute_url(), 302)]
    assert "We found a game for you." in answer.content.decode()
    assert not Ticket.waiting.exists()


def test_a_press_starts_a_game_with_a_waiting_player(table: Table, alice: User, bob: User) -> None:
    seek_game(user=bob, wish=DAY, now=NOW)
    answer = press(alice)
    game = Game.objects.get()
    assert game.status == "running" and not Ticket.waiting.exists()
    assert answer.redirect_chain == [(game.get_absolute_url(), 302)]


def test_a_changed_wish_finds_a_game_at_once(table: Table, alice: User, bob: User) -> None:
    seek_game(user=bob, wish=DAY, now=NOW)
    seek_game(user=alice, wish=LIVE, now=NOW)
    answer = reader(alice).client.post(FIND, {"change": "1", **DAY}, follow=True)
    assert answer.redirect_chain == [(Game.objects.get().get_absolute_url(), 302)]


def test_a_second_press_opens_the_same_game(table: Table, alice: User, bob: User, carol: User) -> None:
    for other in (bob, carol):
        seek_game(user=other, wish=LIVE, now=NOW)
    live = {**LIVE, "computers_after": ""}
    first, second = [reader(alice).client.post(FIND, live)["Location"] for _ in range(2)]
    assert first == second == Game.objects.get().get_absolute_url()
    assert [ticket.user for ticket in Ticket.waiting.all()] == [carol]


def test_a_seat_taken_between_page_and_press_leaves_the_player_waiting(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    lobby = table.game(bob, seats=2)
    page = reader(alice).get(FIND)
    assert lobby.get_absolute_url() in page.links
    join_game(user=carol, game_id=lobby.pk, now=NOW)
    answer = press(alice)
    assert answer.redirect_chain == [(FIND, 302)]
    assert "We’re looking for a game for you." in answer.content.decode()


def test_the_wait_looks_the_same_on_every_page_until_it_ends(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    seek_game(user=alice, wish=DAY | {"computers_after": 24}, now=NOW)
    seek_game(user=bob, wish=LIVE, now=NOW)
    pages = ("/", "/games/", "/my-room/", FIND)
    said = {waiting_text(read(alice).get(path)).replace(" See your chances", "") for path in pages}
    assert len(said) == 1
    assert "1 other player is waiting" in min(said) and "computers take the open seats" in min(said)
    reader(alice).client.post("/games/find/stop/")
    assert {waiting_text(read(alice).get(path)) for path in pages} == {""}


def waiting_text(page: Answer) -> str:
    found = re.search(r"We’re looking for a game for you\..*?Stop looking", page.text)
    return found.group() if found else ""


def test_the_page_says_how_long_players_usually_wait(alice: User, read: ReaderOf) -> None:
    assert facts(read(alice).get(FIND))["Usual wait"] == "At most 1 day, then computers join"
    seek_game(user=alice, wish=DAY, now=NOW)
    assert facts(read(alice).get(FIND))["Usual wait"] == "Not known yet"
    for seconds in (60, 300, 300, 600, 86_400):
        Wait.objects.create(at=NOW, seconds=seconds, pace="day", computers=False)
    assert facts(read(alice).get(FIND))["Usual wait"] == "About 5 min"
    assert "It usually takes about 5 min." in read(alice).get("/")


def test_the_page_says_that_no_one_gets_a_game_on_vacation(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    Vacation.objects.create(user=alice, first=NOW.date(), last=NOW.date(), planned_at=NOW)
    seek_game(user=bob, wish=DAY, now=NOW)
    assert "We look for a game when you are back." in press(alice).content.decode()
    assert not Game.objects.exists()


def test_a_press_in_a_second_tab_keeps_the_wish(alice: User) -> None:
    seek_game(user=alice, wish=LIVE, now=NOW)
    press(alice)
    ticket = Ticket.waiting.get()
    assert (ticket.pace, ticket.created_at) == ("live", NOW)


def test_a_change_or_stop_after_the_match_does_not_look_for_a_second_game(
    table: Table, alice: User, bob: User
) -> None:
    for user in (alice, bob):
        seek_game(user=user, wish=DAY, now=later(minutes=-2))
    assert match_tickets(now=later(minutes=-1)) == 2
    client = reader(alice).client
    for path, sent in ((FIND, {"change": "1", "pace": "slow"}), ("/games/find/stop/", {})):
        answer = client.post(path, sent, follow=True)
        assert "You are no longer waiting. If we found a game, it is in My Room." in answer.content.decode()
        assert not Ticket.waiting.exists()
    assert Game.objects.count() == 1


def test_a_change_keeps_the_place_in_the_queue(alice: User) -> None:
    seek_game(user=alice, wish=DAY, now=NOW)
    reader(alice).client.post(FIND, {"change": "1", "pace": "slow"})
    ticket = Ticket.waiting.get()
    assert (ticket.pace, ticket.created_at) == ("slow", NOW)


def test_the_page_counts_waiting_players_and_matches(
    table: Table, alice: User, bob: User, carol: User, dave: User, read: ReaderOf
) -> None:
    assert facts(read(alice).get(FIND))["Other players waiting"] == "0"
    for user, wish in ((bob, DAY), (carol, LIVE), (dave, DAY)):
        seek_game(user=user, wish=wish, now=NOW)
    block(user=dave, robo_name="Alice", now=NOW)
    shown = facts(read(alice).get(FIND))
    assert (shown["Other players waiting"], shown["Matches for you"]) == ("3", "1")
    seek_game(user=alice, wish=LIVE | {"least": 3, "most": 4}, now=NOW)
    shown = facts(read(alice).get(FIND))
    assert (shown["Other players waiting"], shown["Matches for you"]) == ("3", "0")


def test_the_page_shows_open_games_that_fit(
    table: Table, alice: User, bob: User, carol: User, dave: User, read: ReaderOf
) -> None:
    fits = table.game(bob, seats=3, name="Fits")
    table.game(carol, seats=8, name="Too large")
    table.game(dave, seats=3, name="Of a stranger")
    block(user=dave, robo_name="Alice", now=NOW)
    page = read(alice).get(FIND)
    assert re.findall(r'<h3 class="row-title"><a [^>]*>([^<]*)</a>', page.html) == ["Fits"]
    assert fits.get_absolute_url() in page.links
    ticket = seek_game(user=alice, wish=DAY | {"most": 4, "computers_after": 24}, now=NOW)
    assert match_tickets(now=NOW) == 0, "it would wait for a third player"
    assert [game.name for game in chances_of(ticket, now=NOW).games] == ["Fits"]


def test_the_page_offers_other_open_games_if_none_fits(
    table: Table, alice: User, bob: User, carol: User, dave: User, read: ReaderOf
) -> None:
    table.game(bob, seats=3, name="Timeless", pace=None)
    table.game(carol, seats=3, name="Of a blocked player", pace=None)
    table.game(dave, seats=3, name="Of a stranger", pace=None)
    block(user=alice, robo_name="Carol", now=NOW)
    block(user=dave, robo_name="Alice", now=NOW)
    page = read(alice).get(FIND)
    assert facts(page)["Open games that fit"] == "0"
    assert "Other open games" in page and "The search goes on" not in page
    assert re.findall(r'<h3 class="row-title"><a [^>]*>([^<]*)</a>', page.html) == ["Timeless"]
    press(alice)
    page = read(alice).get(FIND)
    assert "The search goes on" in page
    assert "While you wait, play against computers or fly a mission" in page.text
    table.game(bob, seats=3, name="Fits")
    assert "Other open games" not in read(alice).get(FIND)


def test_the_page_does_not_claim_fewer_open_games_than_fit(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    for number in range(3):
        table.game(bob, seats=3, name=f"Fits {number}")
    assert facts(read(alice).get(FIND))["Open games that fit"] == "3"
    table.game(bob, seats=3, name="Fits too")
    assert facts(read(alice).get(FIND))["Open games that fit"] == "more than 3"


def test_the_page_shows_wishes_about_other_players(alice: User, read: ReaderOf) -> None:
    assert "Ratings of other players" not in facts(read(alice).get(FIND))
    seek_game(user=alice, wish=DAY | {"spread": 100, "least_reliability": 90}, now=NOW)
    shown = facts(read(alice).get(FIND))
    assert shown["Ratings of other players"] == "Within 100 points"
    assert shown["Minimum reliability of other players"] == "At least 90 %"


def test_guests_and_strangers_are_led_to_an_account(read: ReaderOf, db: None) -> None:
    guest = make_guest()
    for viewer in (guest, None):
        room = read(viewer).get("/games/")
        assert FIND in room.links and FIND not in room.actions
    refused = reader(guest).client.post(FIND, {"usual": "1"})
    assert refused.status_code == 403 and not Ticket.waiting.exists()
    assert read(None).client.get(FIND)["Location"].startswith("/accounts/login/")


def test_a_newcomer_at_the_limit_reads_why(table: Table, alice: User, settings: Settings) -> None:
    settings.NEWCOMER_DAYS = 36_500
    for _ in range(MAX_NEWCOMER_GAMES):
        table.game(alice, seats=2)
    answer = press(alice)
    assert answer.status_code == 403
    assert 'role="alert"' in answer.content.decode()
    assert not Ticket.waiting.exists()


def test_the_form_joins_the_queue_and_one_click_leaves_it(alice: User, read: ReaderOf) -> None:
    client = reader(alice).client
    sent = {"ruleset": "group-11", "pace": "day", "size": "", "least": "2", "most": "4"}
    sent["computers_after"] = "24"
    answer = client.post("/games/find/", sent, follow=True).content.decode()
    assert "We’re looking for a game for you." in answer and "Stop looking" in answer
    ticket = Ticket.waiting.get()
    assert (ticket.ruleset, ticket.most, ticket.computers_after, ticket.spread) == ("group-11", 4, 24, None)
    page = read(alice).get("/games/find/")
    assert "Look for this instead" in page
    assert '<details class="more">' in page.html
    assert '<option value="group-11" selected>' in page.html
    assert "stopped looking for a game" in client.post("/games/find/stop/", follow=True).content.decode()
    assert not Ticket.waiting.exists()


def test_errors_are_shown_beside_their_fields(alice: User) -> None:
    client = reader(alice).client
    answer = client.post("/games/find/", {"least": "4", "most": "2"})
    assert answer.status_code == 422
    assert "The maximum can’t be below the minimum" in answer.content.decode()
    assert '<details class="more" open>' in answer.content.decode()
    assert not Ticket.waiting.exists()


def test_the_api_does_the_same(table: Table, alice: User, bob: User) -> None:
    api = Api(alice)
    assert api.get("me/ticket").body == {"ticket": None}
    answer = api.put("me/ticket", {"pace": "day", "most": 4}).body
    made = answer["ticket"]
    assert answer["game"] is None
    assert (made["pace"], made["least"], made["most"], made["spread"]) == ("day", 2, 4, None)
    assert api.get("me/ticket").body["ticket"]["pace"] == "day"
    assert api.delete("me/ticket").body == {"ticket": None}
    seek_game(user=alice, wish={}, now=NOW)
    assert api.get("me/ticket").body["ticket"]["ruleset"] == ""
    found = Api(bob).put("me/ticket", {"pace": "day", "most": 4}).body
    assert found == {"ticket": None, "game": Game.objects.get().pk}
    assert api.get("me/ticket").body == {"ticket": None}
