"""Games for members of a club, and the club's table of results."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.clubs import services
from games.clubs.models import Club, ClubGame
from games.clubs.news import ANNOUNCED_AFTER
from games.clubs.services import close_club, create_club, join_club, leave_club, remove_from_club, set_role
from games.competitions.services.matching import match_tickets, seek_game
from games.competitions.services.tournaments import (
    cancel_tournament,
    create_tournament,
    join_tournament,
    open_tournament,
)
from games.errors import Forbidden, NotFound
from games.lobby.invitations import invite
from games.lobby.lists import games_of_club, games_to_join
from games.lobby.seats import join_game
from games.lobby.services import change_game, rematch
from games.news.channels.mail import compose
from games.news.feeds import make_feed, news_feed
from games.news.models import Notice
from games.news.services import OUTDATED, SEND, UNWANTED, Judgement, judge
from games.people.contacts import block
from games.standings.selectors.ratings import club_table
from tests import cast
from tests.games.competitions.hosting import terms
from tests.games.reader import reader
from tests.games.standings.rated import ended, rate
from tests.games.support import DUCTS, NOW, Table

SLUG = "tin-can-club"


@pytest.fixture
def club(alice: User, bob: User) -> Club:
    made = create_club(user=alice, name="Tin Can Club", now=NOW)
    join_club(user=bob, slug=SLUG, now=NOW)
    return made


def test_only_members_find_and_join_a_club_game(
    table: Table, club: Club, alice: User, bob: User, carol: User
) -> None:
    game = table.game(alice, seats=3, club=SLUG)
    assert [len(games_to_join(viewer=each)) for each in (bob, carol)] == [1, 0]
    with pytest.raises(Forbidden, match="for members of Tin Can Club"):
        join_game(user=carol, game_id=game.pk, now=NOW)
    join_game(user=bob, game_id=game.pk, now=NOW)
    invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
    join_game(user=carol, game_id=game.pk, now=NOW)
    assert [each.pk for each in games_of_club(viewer=cast.dave(), club=club)] == [game.pk]


def test_matching_uses_only_the_player_s_own_clubs(
    table: Table, club: Club, alice: User, bob: User, carol: User
) -> None:
    table.game(alice, seats=2, club=SLUG)
    for each in (carol, bob):
        seek_game(user=each, wish={"pace": "day"}, now=NOW)
    assert match_tickets(now=NOW) == 2, "those two meet in a game of their own, or Bob joins that of his club"
    assert not ClubGame.objects.filter(game__players__user=carol).exists()


def test_only_members_create_a_club_game(table: Table, club: Club, carol: User) -> None:
    with pytest.raises(Forbidden, match="not a member of Tin Can Club"):
        table.game(carol, seats=2, club=SLUG)
    with pytest.raises(NotFound):
        table.game(carol, seats=2, club="rust-club")


def test_closing_a_club_opens_its_games_to_all(table: Table, club: Club, alice: User, carol: User) -> None:
    game = table.game(alice, seats=3, club=SLUG)
    close_club(user=alice, slug=SLUG, now=NOW)
    join_game(user=carol, game_id=game.pk, now=NOW)


def test_its_table_counts_shares_of_opponents_beaten(
    table: Table, club: Club, alice: User, bob: User, carol: User
) -> None:
    join_club(user=carol, slug=SLUG, now=NOW)
    ended(table, bob, alice, club=SLUG)
    ended(table, bob, alice, carol, club=SLUG, at=NOW + timedelta(days=1))
    ended(table, alice, bob, at=NOW + timedelta(days=2))  # not a club game
    rate()
    lines = club_table(club=club, now=NOW + timedelta(days=3))
    told = [(each["place"], each["robo_name"], each["games"], each["won"], each["points"]) for each in lines]
    assert told == [(1, "Bob", 2, 2, 2.0), (2, "Alice", 2, 0, 0.25), (2, "Carol", 1, 0, 0.25)]
    leave_club(user=carol, slug=SLUG, now=NOW)
    assert len(club_table(club=club, now=NOW + timedelta(days=3))) == 2
    assert club_table(club=club, now=NOW + timedelta(days=370)) == []


def test_a_winning_squad_has_beaten_all_its_opponents(
    club: Club, alice: User, bob: User, carol: User, dave: User
) -> None:
    for user in (carol, dave):
        join_club(user=user, slug=SLUG, now=NOW)
    ended(Table(DUCTS.saved()), alice, bob, carol, dave, ruleset="robo-recon", club=SLUG)
    rate()
    lines = club_table(club=club, now=NOW + timedelta(days=1))
    assert sorted((line["place"], line["won"], line["points"]) for line in lines) == [
        (1, 1, 1.0), (1, 1, 1.0), (3, 0, 0.0), (3, 0, 0.0),
    ]  # fmt: skip


def test_a_rematch_is_for_members_too(table: Table, club: Club, alice: User, bob: User) -> None:
    game = ended(table, alice, bob, club=SLUG)
    assert rematch(user=bob, game_id=game.pk, now=NOW).club_game.club == club


def told(kind: str) -> list[str]:
    notices = Notice.objects.filter(kind=kind, channel="mail").select_related("user")
    return sorted(each.user.robo_name for each in notices if each.user)


def test_members_hear_about_a_new_game(table: Table, club: Club, alice: User, bob: User, carol: User) -> None:
    for each in (carol, cast.dave()):
        join_club(user=each, slug=SLUG, now=NOW)
    block(user=carol, robo_name="Alice", now=NOW)
    table.game(alice, seats=2, club=SLUG, private=True)
    assert told("club-game") == []
    game = table.game(alice, seats=3, club=SLUG, name="Thursday")
    assert told("club-game") == ["Bob", "Dave"]
    to_bob = Notice.objects.get(kind="club-game", channel="mail", user=bob)
    assert judge(to_bob, NOW) == Judgement(Notice.Status.HELD, NOW + ANNOUNCED_AFTER)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == SEND
    assert compose(to_bob).subject == "New game in your club: Thursday"
    assert "Alice created “Thursday” for members of Tin Can Club" in compose(to_bob).body
    invite(user=alice, game_id=game.pk, robo_name="Bob", now=NOW)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == OUTDATED


def test_members_hear_nothing_of_a_host_whom_they_have_blocked_meanwhile(
    table: Table, club: Club, alice: User, bob: User
) -> None:
    table.game(alice, seats=3, club=SLUG)
    to_bob = Notice.objects.get(kind="club-game", channel="mail", user=bob)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == SEND
    block(user=bob, robo_name="Alice", now=NOW)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == OUTDATED


def test_members_hear_nothing_of_a_full_game_or_of_the_sixth_in_a_day(
    table: Table, club: Club, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_ANNOUNCED", 1)
    game = table.game(alice, seats=2, club=SLUG)
    to_bob = Notice.objects.get(kind="club-game", channel="mail", user=bob)
    invite(user=alice, game_id=game.pk, robo_name="Carol", now=NOW)
    join_game(user=carol, game_id=game.pk, now=NOW)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == OUTDATED
    table.game(alice, seats=3, club=SLUG)
    assert told("club-game") == ["Bob"]


def test_members_hear_about_a_new_tournament(table: Table, club: Club, alice: User, bob: User) -> None:
    cup = create_tournament(user=alice, terms=terms(table, club=SLUG), now=NOW)
    assert told("cup-new") == []
    open_tournament(user=alice, tournament_id=cup.pk, now=NOW)
    assert told("cup-new") == ["Bob"]
    to_bob = Notice.objects.get(kind="cup-new", channel="mail")
    assert judge(to_bob, NOW) == SEND
    assert compose(to_bob).subject == "New tournament in your club: Autumn Cup"
    join_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    assert judge(to_bob, NOW) == OUTDATED


def test_members_hear_nothing_of_the_second_tournament_in_a_day(
    table: Table, club: Club, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_ANNOUNCED", 1)
    for _number in range(2):
        cup = create_tournament(user=alice, terms=terms(table, club=SLUG), now=NOW)
        open_tournament(user=alice, tournament_id=cup.pk, now=NOW)
        cancel_tournament(user=alice, tournament_id=cup.pk, now=NOW)
    assert told("cup-new") == ["Bob"]


def test_a_host_who_no_longer_leads_the_club_does_not_open_its_tournament(
    table: Table, club: Club, alice: User, bob: User
) -> None:
    set_role(user=alice, slug=SLUG, robo_name="Bob", role="officer")
    cup = create_tournament(user=bob, terms=terms(table, club=SLUG), now=NOW)
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    with pytest.raises(Forbidden, match="Only officers and the captain"):
        open_tournament(user=bob, tournament_id=cup.pk, now=NOW)
    assert told("cup-new") == []


def test_feeds_do_not_name_a_game_that_became_private(
    table: Table, club: Club, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=3, club=SLUG, name="Thursday")
    feed = make_feed(user=bob, now=NOW)
    assert "Thursday" in news_feed(feed=feed, url="https://example.org/")
    change_game(user=alice, game_id=game.pk, changes={"private": True}, now=NOW)
    written = news_feed(feed=feed, url="https://example.org/")
    assert "A new game in your club" in written and "Thursday" not in written


def test_members_switch_off_each_kind(table: Table, club: Club, alice: User, bob: User) -> None:
    page = reader(bob).get("/settings/news/")
    assert "A new game in your club" in page and "A new tournament in your club" in page
    User.objects.filter(pk=bob.pk).update(silenced=["club-game"])
    table.game(alice, seats=3, club=SLUG)
    to_bob = Notice.objects.get(kind="club-game", channel="mail", user=bob)
    assert judge(to_bob, NOW + ANNOUNCED_AFTER) == UNWANTED
