"""Reading a game's chat: lines are grouped, and new lines are marked for each reader."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.selectors import latest_lines, lines_after
from games.chat.services import post_line, read_chat
from games.lobby.lists import games_to_watch, my_games
from games.lobby.seats import join_game, leave_game
from games.play.models import Game
from games.play.selectors import prefetch_page
from tests.games.support import NOW, Table, later


@pytest.fixture
def talk(duel: Game, alice: User, bob: User) -> list[int]:
    """Return the IDs of four chat lines, after 0, 2, 3 and 60 minutes.

    Alice writes the first two, and Bob the others.
    """
    said = ((alice, 0), (alice, 2), (bob, 3), (bob, 60))
    return [
        post_line(user=user, game_id=duel.pk, text=f"After {minutes}.", now=later(minutes=minutes)).pk
        for user, minutes in said
    ]


def test_a_player_sees_which_lines_are_new(duel: Game, talk: list[int], alice: User, bob: User) -> None:
    seen = latest_lines(viewer=alice, game=duel, limit=10)
    assert [line.new for line in seen.lines] == [False, False, True, True]
    assert (seen.unread, seen.first_new, seen.last) == (2, talk[2], talk[3])
    read_chat(user=alice, game_id=duel.pk, line_id=talk[2])
    seen = latest_lines(viewer=alice, game=Game.objects.get(pk=duel.pk), limit=10)
    assert (seen.unread, seen.first_new) == (1, talk[3])
    assert latest_lines(viewer=bob, game=duel, limit=10).unread == 0


def test_spectators_have_no_new_lines(duel: Game, talk: list[int], dave: User) -> None:
    for viewer in (dave, AnonymousUser()):
        seen = latest_lines(viewer=viewer, game=duel, limit=10)
        assert len(seen.lines) == 4
        assert not any(line.new or line.mine for line in seen.lines)


def test_consecutive_lines_of_a_writer_are_grouped(duel: Game, talk: list[int], alice: User) -> None:
    seen = latest_lines(viewer=alice, game=duel, limit=10)
    assert [line.goes_on for line in seen.lines] == [False, True, False, False]
    for place, line in enumerate(seen.lines):
        after = seen.lines[place - 1].id if place else 0
        assert lines_after(viewer=alice, game=duel, after=after, limit=1).lines == (line,)


def test_a_page_starts_with_the_latest_lines(duel: Game, talk: list[int], alice: User) -> None:
    seen = latest_lines(viewer=alice, game=duel, limit=2)
    assert ([line.id for line in seen.lines], seen.earlier) == (talk[2:], True)
    assert not latest_lines(viewer=alice, game=duel, limit=4).earlier


def test_lists_count_the_reader_s_new_lines(
    table: Table, duel: Game, talk: list[int], alice: User, bob: User, dave: User
) -> None:
    other = table.game(bob, alice)
    post_line(user=bob, game_id=other.pk, text="Here, too.", now=later(hours=2))

    def unread(user: User) -> dict[int, int]:
        return {game.pk: game.unread for game in my_games(user=user)}

    assert unread(alice) == {duel.pk: 2, other.pk: 1}
    assert unread(bob) == {duel.pk: 0, other.pk: 0}
    read_chat(user=alice, game_id=duel.pk, line_id=talk[3])
    assert unread(alice) == {duel.pk: 0, other.pk: 1}
    assert [game.unread for game in games_to_watch(viewer=dave)] == [0, 0]


def test_own_lines_are_not_new_after_leaving_and_coming_back(table: Table, alice: User, bob: User) -> None:
    game = table.game(alice, seats=3)
    join_game(user=bob, game_id=game.pk, now=NOW)
    post_line(user=bob, game_id=game.pk, text="Back in a minute.", now=NOW)
    leave_game(user=bob, game_id=game.pk, now=later(minutes=1))
    join_game(user=bob, game_id=game.pk, now=later(minutes=2))
    [found] = my_games(user=bob)
    assert found.unread == 0


def test_reading_takes_two_queries_for_any_number_of_lines(
    duel: Game, alice: User, bob: User, django_assert_num_queries: Any
) -> None:
    ChatLine.objects.bulk_create(
        ChatLine(game=duel, user=bob, name="Bob", text=str(number), at=NOW) for number in range(40)
    )
    game = Game.objects.get(pk=duel.pk)
    prefetch_page(game=game, played=None)
    with django_assert_num_queries(2):
        seen = latest_lines(viewer=alice, game=game, limit=60)
    assert (len(seen.lines), seen.unread) == (40, 40)
