"""The home of members: waiting games, recent events, clubs and competitions."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.sessions import PREVIOUS_VISIT_KEY
from games.chat.services import post_line
from games.clubs.models import Club
from games.clubs.services import create_club, invite_to_club, join_club, leave_club
from games.competitions.services.ladders import join_ladder
from games.lobby.invitations import invite
from games.lobby.seats import join_game
from games.news.models import Notice
from games.play.models import Game
from games.site.selectors import recent_news
from tests.games.competitions.hosting import opened
from tests.games.reader import ReaderOf
from tests.games.support import NOW, Table

MOST = 28
"""The maximum number of queries for the home of a member of clubs and competitions."""


@pytest.fixture
def club(alice: User, bob: User) -> Club:
    made = create_club(user=alice, name="Tin Can Club", now=NOW)
    join_club(user=bob, slug=made.slug, now=NOW)
    return made


def test_one_button_leads_to_the_most_urgent_game(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    slow, urgent = (table.game(alice, bob, name=f"In {hours} h", pace={"hours": hours}) for hours in (24, 2))
    reader = read(alice)
    page = reader.get("/")
    assert "Welcome back, Alice" in page
    assert "2 games are waiting for your move." in page
    assert "Make your move In 2 h, " in page
    assert reader.get("/next/").address == urgent.get_absolute_url()
    assert page.text.index("In 2 h") < page.text.index("In 24 h")
    table.move(urgent, alice)
    table.move(slow, alice)
    page = reader.get("/")
    assert "No games are waiting for you. 2 are waiting for other players." in page
    assert "/next/" not in page.links


def test_a_member_whose_lobby_waits_finds_a_game_with_one_press(
    table: Table, alice: User, read: ReaderOf
) -> None:
    table.game(alice, seats=3, name="Lobby")
    page = read(alice).get("/")
    assert "No games are waiting for you." in page and "Lobby" in page
    assert page.actions == ["/games/find/"]


def test_a_member_without_games_sees_what_to_do_first(carol: User, read: ReaderOf) -> None:
    page = read(carol).get("/")
    assert "Welcome, Carol" in page
    assert {"/games/quick/", "/games/find/", "/games/"} <= set(page.links)
    assert "You program five moves" not in page


def test_news_since_the_last_visit_is_marked(duel: Game, alice: User, bob: User) -> None:
    for hours, text in ((1, "@Alice, hello"), (30, "@Alice, again")):
        post_line(user=bob, game_id=duel.pk, text=text, now=NOW + timedelta(hours=hours))
        Notice.objects.filter(kind="mention", created_at__gt=NOW + timedelta(hours=hours - 1)).update(
            turn=hours
        )
    news = recent_news(user=alice, since=NOW + timedelta(hours=2), now=NOW + timedelta(hours=31))
    assert [(item.heading, item.path, item.is_new) for item in news] == [
        (duel.name, duel.get_absolute_url(), True),
        (duel.name, duel.get_absolute_url(), False),
    ]
    assert str(news[0].label) == "You were mentioned in the chat"
    assert not any(item.is_new for item in recent_news(user=alice, since=None, now=NOW + timedelta(hours=31)))


def test_an_item_of_news_looks_up_its_page_once(club: Club, carol: User, alice: User) -> None:
    invite_to_club(user=alice, slug=club.slug, robo_name="Carol", now=NOW)
    notice = Notice.objects.select_related("game", "starship", "user").get(user=carol, channel="mail")
    with CaptureQueriesContext(connection) as asked:
        assert (notice.heading, notice.path) == (club.name, club.get_absolute_url())
    assert len(asked) == 1


def test_a_player_who_looks_for_a_game_reads_it_once_at_home(alice: User, read: ReaderOf) -> None:
    assert "/games/find/" in read(alice).get("/").actions
    reader = read(alice)
    reader.client.post("/games/find/", {"usual": "1"})
    page = reader.get("/")
    assert page.text.count("looking for a game for you") == 1
    assert "Find me a game" not in page.html.partition("<main")[2]


def test_the_home_tells_no_news_of_games_that_wait(duel: Game, alice: User, read: ReaderOf) -> None:
    assert Notice.objects.filter(user=alice, kind="turn").exists()
    assert recent_news(user=alice, since=None, now=NOW + timedelta(hours=1)) == []


def test_the_home_tells_no_news_of_private_games_that_a_player_left(
    table: Table, alice: User, bob: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=3, private=True)
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    later = NOW + timedelta(hours=1)
    assert [item.path for item in recent_news(user=bob, since=None, now=later)] == [game.get_absolute_url()]
    game.invitations.all().delete()
    assert recent_news(user=bob, since=None, now=later) == []


def test_the_home_tells_no_news_that_is_outdated_or_of_a_muted_kind(
    table: Table, club: Club, alice: User, bob: User
) -> None:
    table.game(alice, seats=3, club=club.slug)
    later = NOW + timedelta(hours=1)
    assert len(recent_news(user=bob, since=None, now=later)) == 1
    Notice.objects.filter(user=bob).update(status="outdated")
    assert recent_news(user=bob, since=None, now=later) == []
    Notice.objects.filter(user=bob).update(status="held")
    bob.silenced = ["club-game"]
    assert recent_news(user=bob, since=None, now=later) == []


def test_a_long_visit_is_one_visit(alice: User) -> None:
    with time_machine.travel(datetime(2026, 11, 21, 12, tzinfo=UTC), tick=False) as clock:
        browser = Client()
        browser.force_login(alice)
        for _ in range(3):
            clock.shift(timedelta(minutes=61))
            browser.get("/")
        assert PREVIOUS_VISIT_KEY not in browser.session
        clock.shift(timedelta(hours=20))
        browser.get("/")
        assert browser.session[PREVIOUS_VISIT_KEY] == datetime(2026, 11, 21, 15, 3, tzinfo=UTC).timestamp()


def test_the_home_has_news_of_clubs_and_competitions(
    table: Table, club: Club, alice: User, bob: User, carol: User, erin: User, read: ReaderOf
) -> None:
    table.game(alice, seats=3, club=club.slug, name="Club night")
    opened(table, erin, bob)
    members = opened(table, alice, club=club.slug, name="Club Cup")
    join_ladder(user=bob, ruleset="robo-runner", now=NOW)
    page = read(bob).get("/")
    assert "Tin Can Club: join Club night" in page
    assert "Tin Can Club: enter Club Cup , which starts on" in page
    assert "Autumn Cup : starts on" in page
    assert "Robo Runner ladder : place 1" in page
    assert members.get_absolute_url() not in read(carol).get("/").links
    leave_club(user=bob, slug=club.slug, now=NOW)
    assert "Tin Can Club" not in read(bob).get("/")


def test_an_invitation_names_its_game_and_several_lead_to_my_room(
    table: Table, alice: User, carol: User, read: ReaderOf
) -> None:
    for name in ("Duel", "Race"):
        game = table.game(alice, seats=3, name=name)
        invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
        page = read(carol).get("/")
        assert ("Alice invites you to Duel ." in page) == (name == "Duel")
    assert "You are invited to 2 games" in page
    assert "/my-room/" in page.links


def test_an_invitation_that_ended_is_not_open_where_it_was_told(
    table: Table, club: Club, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    game = table.game(alice, seats=2, name="Duel")
    invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
    invite_to_club(user=alice, slug=club.slug, robo_name="Carol", now=NOW)
    later = NOW + timedelta(hours=1)
    told = [(item.heading, str(item.label)) for item in recent_news(user=carol, since=None, now=later)]
    assert told == [("Tin Can Club", "You are invited to a club"), ("Duel", "You are invited to a game")]
    join_game(user=bob, game_id=game.pk, now=NOW)
    leave_club(user=carol, slug=club.slug, now=NOW)
    ended = "You were invited. The invitation is no longer open."
    told = [(item.heading, str(item.label)) for item in recent_news(user=carol, since=None, now=later)]
    assert told == [("Tin Can Club", ended), ("Duel", ended)]
    assert "invites you" not in read(carol).get("/")
    missed = "You were invited, but the game started without you."
    assert missed in read(carol).get(game.get_absolute_url())
    assert missed not in read(bob).get(game.get_absolute_url())


def test_the_home_takes_few_queries(table: Table, club: Club, alice: User, bob: User, erin: User) -> None:
    for number in range(6):
        game = table.game(alice, bob, name=f"Game {number}")
        post_line(user=alice, game_id=game.pk, text="@Bob, hello", now=NOW)
        table.game(alice, seats=3, club=club.slug, name=f"Club {number}")
    for number in range(3):
        opened(table, erin, bob, name=f"Cup {number}")
    join_ladder(user=bob, ruleset="robo-runner", now=NOW)
    browser = Client()
    browser.force_login(bob)
    browser.get("/")
    with time_machine.travel(NOW + timedelta(minutes=30)), CaptureQueriesContext(connection) as asked:
        assert browser.get("/").status_code == 200
    assert len(asked) <= MOST, [query["sql"][:90] for query in asked.captured_queries]
