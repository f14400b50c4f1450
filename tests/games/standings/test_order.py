"""The order of finish: leavers come last. Short arranged games do not count."""

from collections.abc import Callable
from typing import Final

import pytest
from django.db import transaction

from accounts.models import User
from games.absence.models import Replacement
from games.absence.seats import give_up_seat, replace_by_computer, resign_game
from games.play.lifecycle import concede, end_without_winner
from games.play.models import Game
from games.play.resolution import resolve_turn
from games.standings.models import PlayerRating
from games.standings.selectors.results import Contest, contest_of, outcome_of, result_order
from tests.games.deletions import erased
from tests.games.standings.rated import concede_to, play_on, rate, under_way
from tests.games.support import NOW, Table, later, open_turn

Reason = Replacement.Reason
Ending = Game.Ending

ARRIVALS: Final = {Reason.TAKEN_OVER, Reason.CAME_BACK}


def depart(game: Game, user: User, reason: Reason, *, hours: int) -> None:
    """Make a player leave their seat for the given reason."""
    now = later(hours=hours)
    if reason == Reason.RESIGNED:
        resign_game(user=user, game_id=game.pk, now=now)
    elif reason == Reason.LEFT:
        give_up_seat(user=user, game_id=game.pk, now=now)
    else:
        replace_by_computer(game=game, seat=game.players.get(user=user), reason=reason, now=now)
    game.refresh_from_db()


def _by_the_rules(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(status="over", winner="Bob", ended_at=later(hours=9))


def _by_resignation(game: Game) -> None:
    """Make Alice and Carol resign one after another, until the game ends."""
    for hours, name in ((8, "Alice"), (9, "Carol")):
        if Game.objects.filter(pk=game.pk, ended_at=None).exists():
            resign_game(user=User.objects.get(robo_name=name), game_id=game.pk, now=later(hours=hours))


def _off(by: Ending) -> Callable[[Game], None]:
    return lambda game: end_without_winner(game=game, by=by, now=later(hours=9))


ENDINGS: Final[dict[str, Callable[[Game], None]]] = {
    "": _by_the_rules,
    Ending.CONCEDED: lambda game: concede(game=game, winner="Bob", now=later(hours=9)),
    Ending.RESIGNED: _by_resignation,
    Ending.VOTED: _off(Ending.VOTED),
    Ending.STAFF: _off(Ending.STAFF),
    Ending.DESERTED: _off(Ending.DESERTED),
}
"""A function that ends a game, by kind of ending.

The leaver's robot wins, unless the game ends early or by resignation.
"""


@pytest.mark.parametrize("turns", [0, 5])
def test_leavers_come_last_for_every_ending(
    turns: int, table: Table, alice: User, bob: User, carol: User
) -> None:
    assert set(ENDINGS) == {"", *Ending}, "each ending has its line"
    game = under_way(table, alice, bob, carol, turns=turns)
    for reason in set(Reason) - ARRIVALS:
        for ending, end in ENDINGS.items():
            with transaction.atomic():
                depart(game, bob, reason, hours=1)
                end(game)
                game.refresh_from_db()
                assert game.ended_at and game.ending == ending
                ranks = result_order(game).ranks
                assert (ranks[2], list(ranks.values()).count(3)) == (3, 1), (reason, ending)
                if game.status == Game.Status.OVER:
                    outcome = outcome_of(game)
                    assert outcome, "it counts, since a player left"
                    assert outcome.finishes[-1].members[0].person == bob.pk
                transaction.set_rollback(True)
            game.refresh_from_db()


@pytest.mark.parametrize("turns", [0, 4])
def test_later_leavers_rank_above_earlier_ones_and_the_last_ends_the_game(
    turns: int, table: Table, alice: User, bob: User, carol: User
) -> None:
    game = under_way(table, alice, bob, carol, turns=turns)
    depart(game, carol, Reason.LEFT, hours=1)
    depart(game, alice, Reason.RESIGNED, hours=2)
    depart(game, bob, Reason.LEFT, hours=3)
    assert game.status == Game.Status.OVER
    assert result_order(game).ranks == {2: 1, 1: 2, 3: 3}


@pytest.mark.parametrize("turns", [0, 1, 4])
def test_resigning_loses_a_duel_immediately(turns: int, table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob, turns=turns)
    resign_game(user=alice, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    assert (game.status, game.winner, result_order(game).ranks) == ("over", "Bob", {2: 1, 1: 2})
    rate()
    lost, won = (PlayerRating.objects.get(pool="all", user=user).mu for user in (alice, bob))
    assert lost < 25 < won


@pytest.mark.parametrize("turns", [0, 2])
def test_a_deleted_account_ends_a_game_like_leaving(turns: int, table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob, turns=turns)
    depart(game, bob, Reason.LEFT, hours=0)
    erased(alice)
    game.refresh_from_db()
    assert (game.status, game.ending) == ("over", "resigned")
    assert result_order(game).ranks == {1: 1, 2: 2}
    assert outcome_of(game) is not None


@pytest.mark.parametrize("turns", [3, 4])
def test_a_game_counts_once_both_players_have_ordered_three_turns(
    turns: int, table: Table, alice: User, bob: User
) -> None:
    """The number of turns includes turn 0, the choice of headings."""
    game = under_way(table, alice, bob, turns=turns)
    concede_to(game, alice)
    counts = turns > 3
    assert contest_of(game, result_order(game)) is (Contest.PLAYED if counts else Contest.SHORT)
    assert (outcome_of(game) is not None) == counts


def test_a_game_counts_once_a_player_misses_a_turn(table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob, turns=1)
    table.move(game, alice)
    late = later(days=2)
    assert resolve_turn(turn_id=open_turn(game).pk, now=late)
    game.refresh_from_db()
    concede_to(game, alice, at=late)
    assert contest_of(game, result_order(game)) is Contest.FORFEIT
    assert outcome_of(game) is not None


def test_a_robot_that_is_out_needs_no_more_turns(table: Table, alice: User, bob: User, carol: User) -> None:
    game = under_way(table, alice, bob, carol, turns=2)
    game.players.filter(user=carol).update(out=True)
    concede_to(game, alice)
    assert contest_of(game, result_order(game)) is Contest.SHORT, "the others have ordered one turn"
    game = play_on(under_way(table, alice, bob, turns=2), turns=2)
    game.players.filter(user=bob).update(out=True)
    concede_to(game, alice)
    assert contest_of(game, result_order(game)) is Contest.PLAYED
