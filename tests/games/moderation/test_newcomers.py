"""Newcomers: limits on new accounts, and the end of these limits."""

from datetime import timedelta

import pytest
from pytest_django.fixtures import Settings

from accounts.models import User
from games.chat.services import post_line
from games.competitions.services.matching import seek_game
from games.competitions.services.tournaments import join_tournament
from games.errors import Forbidden, Invalid
from games.lobby.seats import join_game
from games.play.models import Game
from games.play.viewers import MAX_NEWCOMER_GAMES, TURNS_TO_COUNT, is_newcomer
from tests.games.competitions.hosting import opened
from tests.games.support import NOW, Table
from tests.games.together import together


@pytest.fixture(autouse=True)
def limits(settings: Settings) -> None:
    """Set the limits on newcomers to their defaults."""
    settings.NEWCOMER_GAMES, settings.NEWCOMER_DAYS = 3, 7


def joined(user: User, days: int) -> None:
    User.objects.filter(pk=user.pk).update(date_joined=NOW - timedelta(days=days))
    user.refresh_from_db()


def played(table: Table, user: User, other: User, games: int) -> None:
    """Record rated games between two people, and exempt the other person from the limits."""
    for _ in range(games):
        game = table.game(user, other)
        Game.objects.filter(pk=game.pk).update(turn=TURNS_TO_COUNT + 1, ended_at=NOW, status=Game.Status.OVER)


def test_an_account_is_new_until_days_have_passed_and_games_were_played(
    table: Table, alice: User, bob: User, settings: Settings
) -> None:
    joined(alice, 6)
    played(table, alice, bob, 3)
    assert is_newcomer(user=alice, now=NOW)
    assert not is_newcomer(user=alice, now=NOW + timedelta(days=1))
    joined(bob, 8)
    assert not is_newcomer(user=bob, now=NOW)


def test_games_against_only_computers_never_count(table: Table, alice: User) -> None:
    joined(alice, 100)
    for _ in range(MAX_NEWCOMER_GAMES + 1):
        table.game(alice, seats=2, computers=["pilot"])
    assert is_newcomer(user=alice, now=NOW)
    table.game(alice, seats=2)


def test_a_newcomer_plays_a_limited_number_of_games_with_others(
    table: Table, alice: User, bob: User, settings: Settings
) -> None:
    for _ in range(MAX_NEWCOMER_GAMES):
        table.game(alice, seats=2)
    lobby = table.game(bob, seats=2)
    for begin in (
        lambda: table.game(alice, seats=2),
        lambda: join_game(user=alice, game_id=lobby.pk, now=NOW),
        lambda: seek_game(user=alice, wish={}, now=NOW),
    ):
        with pytest.raises(Forbidden) as refused:
            begin()
        assert refused.value.code == "newcomer"
    settings.NEWCOMER_GAMES = settings.NEWCOMER_DAYS = 0
    join_game(user=alice, game_id=lobby.pk, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_a_newcomer_s_double_click_makes_one_game(table: Table, alice: User) -> None:
    for _ in range(MAX_NEWCOMER_GAMES - 1):
        table.game(alice, seats=2)
    outcomes = together(*[lambda: table.game(alice, seats=2)] * 2)
    assert {type(outcome) for outcome in outcomes} == {Forbidden, Game}


def test_a_newcomer_enters_one_tournament_at_a_time(
    table: Table, alice: User, bob: User, carol: User, erin: User
) -> None:
    first, second = opened(table, erin), opened(table, erin, name="Winter Cup")
    join_tournament(user=alice, tournament_id=first.pk, now=NOW)
    with pytest.raises(Forbidden):
        join_tournament(user=alice, tournament_id=second.pk, now=NOW)


def test_a_newcomer_posts_no_links(duel: Game, alice: User, settings: Settings) -> None:
    for text in ("See HTTPS://spam.example", "www.spam.example"):
        with pytest.raises(Invalid):
            post_line(user=alice, game_id=duel.pk, text=text, now=NOW)
    post_line(user=alice, game_id=duel.pk, text="See you. http is a protocol", now=NOW)
    settings.NEWCOMER_GAMES = settings.NEWCOMER_DAYS = 0
    post_line(user=alice, game_id=duel.pk, text="https://robo.example", now=NOW)
