"""Rows of the release before get the number of their game, while games go on."""

from collections.abc import Callable
from functools import partial

import pytest
from django.core.management import call_command

from accounts.models import User
from games import belonging
from games.play.models import Game, Hand, Program
from games.play.services import moving
from games.play.services.locks import locked_game
from games.play.services.moving import note_games
from games.play.services.orders import submit_orders
from games.staff.selectors.soundness import faults_of
from games.votes.models import Ballot
from games.votes.services.votes import call_vote
from tests.games.moves import all_shown, as_before
from tests.games.support import NOW, Table, open_turn, orders_for
from tests.games.together import hold, meanwhile, wait_for_waiter

Games = tuple[Game, Game]


@pytest.fixture
def games(table: Table, alice: User, bob: User, carol: User) -> Games:
    """Two games with rows in many tables, as the release before has written them."""
    first, second = table.game(alice, bob), table.game(bob, carol)
    for game in (first, second):
        table.play(game, *(seat.user for seat in game.players.all()))
        table.move(game, bob)
        call_vote(user=bob, game_id=game.pk, kind="call-off", now=NOW)
    as_before(first, second)
    return first, second


def left() -> dict[str, list[int]]:
    """Return of which games there are rows without its number, by table."""
    found = {}
    for model, way in belonging.tables():
        rows = belonging.strays(model, way)
        if games := sorted(set(rows.values_list(way, flat=True))):
            found[model.__name__] = games
    return found


def all_named(*games: Game) -> bool:
    """Return whether each row of the games has its number, and none another's."""
    return all(
        set(model._default_manager.filter(**{way: game.pk}).values_list("game", flat=True)) <= {game.pk}
        for model, way in belonging.tables()
        for game in games
    )


def test_each_row_gets_the_number_of_its_game_and_nothing_else_changes(
    games: Games, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [game.pk for game in games]
    assert left() == dict.fromkeys(("Hand", "Program", "Tally", "Ballot"), both)
    before = [all_shown(game) for game in games]
    call_command("move_turns")
    assert "Rows that got the number of their game: 12." in capsys.readouterr().out
    assert left() == {}
    assert all_named(*games)
    assert [all_shown(game) for game in games] == before
    call_command("move_turns")
    assert "Rows that got the number of their game: 0." in capsys.readouterr().out


def test_it_is_stopped_and_goes_on_and_games_are_played_in_between(
    games: Games, table: Table, alice: User, bob: User
) -> None:
    """By workers of this release, and of the release before, which name no game."""
    first, second = games
    before = left()
    noting = note_games()
    assert next(noting) > 0
    noting.close()
    assert left() == {**before, next(iter(before)): [second.pk]}
    table.play(first, alice, bob)
    table.move(first, alice)
    as_before(first)
    assert left()["Program"] == [first.pk, second.pk]
    assert sum(note_games()) > 0
    assert left() == {}
    assert all_named(first, second)
    table.play(first, alice, bob)
    assert left() == {}
    for game in games:
        game.refresh_from_db()
        assert list(faults_of(game)) == []


@pytest.mark.parametrize("broken", range(1, 8))
def test_it_may_be_interrupted_anywhere(games: Games, monkeypatch: pytest.MonkeyPatch, broken: int) -> None:
    """What was noted before stays, and the rest follows."""
    with monkeypatch.context() as patched:
        patched.setattr(moving, "locked_game", failing_after(broken))
        with pytest.raises(KeyboardInterrupt):
            list(note_games())
    assert sum(map(len, left().values())) == 8 - broken
    assert len(list(note_games())) == 8 - broken
    assert left() == {}
    assert all_named(*games)


def failing_after(times: int) -> Callable[[int], Game]:
    """Return what holds games so many times, and is interrupted then."""
    calls = iter(range(times))

    def held(game_id: int) -> Game:
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return locked_game(game_id)

    return held


def test_a_game_that_is_deleted_meanwhile_is_passed_over(
    games: Games, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = games

    def deleted(game_id: int) -> Game:
        Game.objects.filter(pk=first.pk).delete()
        return locked_game(game_id)

    monkeypatch.setattr(moving, "locked_game", deleted)
    call_command("move_turns", verbosity=0)
    assert left() == {}
    assert not Game.objects.filter(pk=first.pk).exists()
    assert all_named(second)


@pytest.mark.django_db(transaction=True)
def test_orders_wait_for_it_only_in_the_game_whose_rows_are_noted(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    first, second = table.game(alice, bob), table.game(bob, carol)
    as_before(first, second)
    with hold() as holding:
        hand = open_turn(first).hands.order_by("pk")[0]
        holding.execute("SELECT 1 FROM games_hand WHERE id = %s FOR UPDATE", hand.pk)
        noting = meanwhile(lambda: list(note_games()))
        noter = wait_for_waiter(holding.backend)
        table.move(second, bob)
        document = orders_for(first, bob)
        given = {"user": bob, "game_id": first.pk, "turn_number": 0, "document": document, "now": NOW}
        ordered = meanwhile(partial(submit_orders, **given))
        wait_for_waiter(noter)
    assert sum(noting.result(timeout=20)) > 0
    ordered.result(timeout=20)
    assert left() == {}
    assert all_named(first, second)
    assert Hand.objects.count() == 4
    assert Program.objects.count() == 2
    assert not Ballot.objects.exists()
