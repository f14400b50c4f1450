"""Games for members of a club, and the club's table."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.clubs.models import Club, ClubGame
from games.clubs.services import close_club, create_club, join_club, leave_club
from games.competitions.services.matching import match_tickets, seek_game
from games.errors import Forbidden, NotFound
from games.lobby.invitations import invite
from games.lobby.lists import games_of_club, games_to_join
from games.lobby.seats import join_game
from games.lobby.services import rematch
from games.standings.selectors.ratings import club_table
from tests import cast
from tests.games.standings.rated import ended, rate
from tests.games.support import DUCTS, NOW, Table

SLUG = "tin-can-club"


@pytest.fixture
def club(alice: User, bob: User) -> Club:
    made = create_club(user=alice, name="Tin Can Club", now=NOW)
    join_club(user=bob, slug=SLUG, now=NOW)
    return made


def test_only_members_find_and_join_it(table: Table, club: Club, alice: User, bob: User, carol: User) -> None:
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
