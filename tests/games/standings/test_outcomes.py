"""Results for ratings: the players who count, and their order, after changes of seats."""

import pytest

from accounts.models import User
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.play.computers import play_computers
from games.play.lifecycle import end_without_winner
from games.play.models import Game
from games.standings.ratings import Finish, Member, Outcome
from games.standings.selectors import results
from games.standings.selectors.results import outcome_of
from tests.games.standings.rated import concede_to, ended, under_way
from tests.games.support import DUCTS, NOW, Table, later, open_turn, record_of


def order(game: Game) -> list[tuple[int, object]]:
    """Return the order of finish: each rank with a person's ID or a computer's level."""
    outcome = outcome_of(game)
    assert outcome
    return [(side.rank, side.members[0].person or side.members[0].computer) for side in outcome.finishes]


def test_the_winner_comes_first_and_equal_players_are_tied(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = ended(table, bob, alice, carol)
    finishes = ((1, bob), (2, alice), (2, carol))
    assert outcome_of(game) == Outcome(NOW, tuple(Finish(rank, (Member(who.pk),)) for rank, who in finishes))


def test_robots_out_later_rank_above_those_out_earlier(
    lane: Table, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the lane, robots soon drive off the ends, and the last robot wins."""
    monkeypatch.setattr(results, "ORDERED_TURNS", 1)
    game = lane.game(alice, bob, carol, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        hands = game.turns.get(status="open").hands.exclude(seat=None).select_related("seat__user")
        lane.play(game, *[hand.seat.user for hand in hands if hand.seat and hand.seat.user])
    died = {
        event["robot"]: (turn.number, event["phase"])
        for turn in game.turns.filter(status="resolved").order_by("number")
        for event in record_of(game, turn.number).events
        if event["type"] == "destroyed"
    }
    found = [game.players.get(user=who).robo_name for _, who in order(game)]
    assert found[0] == game.winner
    assert len(died) == 2 and found[1:] == sorted(died, key=lambda name: died[name], reverse=True)


def test_a_player_who_leaves_comes_last_even_if_the_robot_wins(
    table: Table, alice: User, bob: User, carol: User
) -> None:
    game = under_way(table, alice, bob, carol)
    resign_game(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    with_computer = game.players.get(user=None)
    Game.objects.filter(pk=game.pk).update(
        winner=with_computer.robo_name, status="over", ended_at=NOW, ending="conceded"
    )
    game.refresh_from_db()
    assert order(game) == [(1, alice.pk), (1, carol.pk), (3, bob.pk)]


def test_later_leavers_rank_above_earlier_ones(table: Table, alice: User, bob: User, carol: User) -> None:
    game = under_way(table, alice, bob, carol)
    give_up_seat(user=bob, game_id=game.pk, now=NOW)
    game.refresh_from_db()
    play_computers(turn_id=open_turn(game).pk, now=NOW)
    table.play(game, alice, carol)
    give_up_seat(user=carol, game_id=game.pk, now=later(hours=1))
    concede_to(game, alice)
    assert order(game) == [(1, alice.pk), (2, carol.pk), (3, bob.pk)]


def test_a_player_who_takes_over_is_not_rated_but_one_who_comes_back_is(
    table: Table, alice: User, bob: User, carol: User, dave: User
) -> None:
    game = under_way(table, alice, bob, carol)
    for leaver in (bob, carol):
        give_up_seat(user=leaver, game_id=game.pk, now=NOW)
    take_seat(user=dave, game_id=game.pk, seat=2, now=NOW)
    take_seat(user=carol, game_id=game.pk, seat=3, now=NOW)
    concede_to(game, dave)
    assert order(game) == [(1, alice.pk), (1, carol.pk), (3, bob.pk)]


def test_a_player_who_ends_a_game_by_resigning_comes_last(table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob, seats=3, computers=["pilot"], rated="yes")
    resign_game(user=alice, game_id=game.pk, now=NOW)
    ended_game = resign_game(user=bob, game_id=game.pk, now=later(hours=1))
    assert ended_game.status == Game.Status.OVER
    assert [who for _, who in order(ended_game)] == ["pilot", bob.pk, alice.pk]


@pytest.mark.parametrize(
    ("terms", "rated"),
    [
        ({}, True),
        ({"private": True}, False),
        ({"private": True, "rated": "yes"}, True),
        ({"rated": "no"}, False),
        ({"seats": 3, "computers": ["pilot"]}, False),
        ({"seats": 3, "computers": ["ace"], "rated": "yes"}, True),
        ({"turns": 3}, False),
    ],
)
def test_the_terms_decide_whether_a_game_is_rated(
    terms: dict[str, object], rated: bool, table: Table, alice: User, bob: User
) -> None:
    assert (outcome_of(ended(table, alice, bob, **terms)) is not None) == rated


def test_rookies_are_left_out_but_pilots_count(table: Table, alice: User) -> None:
    game = ended(table, alice, seats=3, computers=["rookie", "pilot"], rated="yes")
    assert order(game) == [(1, alice.pk), (2, "pilot")]
    alone = ended(table, alice, seats=2, computers=["rookie"], rated="yes")
    assert outcome_of(alone) is None


def test_a_cancelled_game_is_not_rated(table: Table, alice: User, bob: User) -> None:
    game = under_way(table, alice, bob)
    end_without_winner(game=game, by=Game.Ending.VOTED, now=NOW)
    assert outcome_of(game) is None


def test_squads_finish_together_and_a_member_who_leaves_is_marked(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    table = Table(DUCTS.saved())
    game = under_way(table, alice, bob, carol, dave, ruleset="robo-recon")
    give_up_seat(user=dave, game_id=game.pk, now=NOW)
    concede_to(game, alice)
    outcome = outcome_of(game)
    assert outcome
    red, blue = outcome.finishes
    assert (red.rank, blue.rank) == (1, 2)
    squads: dict[str, set[int | None]] = {}
    for seat, user in zip(game.players.order_by("number"), (alice, bob, carol, dave), strict=True):
        squads.setdefault(seat.squad, set()).add(user.pk)
    found = [{member.person for member in side.members} for side in (red, blue)]
    assert found in (list(squads.values()), list(squads.values())[::-1])
    assert alice.pk in found[0]
    assert outcome.left == {dave.pk}
