"""Random games of every ruleset: their logs lead to the next state, and prove the game."""

import json
import random
from operator import itemgetter

import pytest

import rules
from games.films.game_file import game_file
from games.play import stored
from games.play.models import Game, Turn
from games.play.stored import each_played, played_hands, turn_record
from rules.view import update_view
from tests.games.at_random import play_game
from tests.games.support import resolved_again

TURNS = 40
"""The number of the last turn in a random game."""


@pytest.mark.django_db
@pytest.mark.parametrize("key", rules.RULESETS)
def test_the_log_of_a_random_game_leads_from_state_to_state(key: str) -> None:
    game = play_game(key, random.Random(f"{key} 0"), turns=TURNS)
    check_log(game)
    if game.status == Game.Status.OVER:
        check_file(game)


def check_file(game: Game) -> None:
    """Verify the downloaded file of a finished game."""
    document = json.dumps(game_file(game=game))
    assert rules.verify(rules.read_game_file(rules.parse(document)), promised=game.commitment) == []


def check_log(game: Game) -> None:
    """Replay each turn from its start, and by applying its recorded events.

    Both must give the same state, for the service and for spectators. The next turn must start in this state.
    """
    setup = stored.setup_of(game)
    ship = setup.starship
    turns = list(each_played(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number")))
    first = 0 if setup.ruleset.opening else 1
    assert [turn.number for turn, _ in turns] == list(range(first, first + len(turns)))
    seqs: list[int] = []
    for (turn, played), (following, _) in zip(turns, [*turns[1:], (open_turn_of(game), None)], strict=True):
        start, end = stored.start_in(played, ship), stored.end_in(played, ship)
        outcome = resolved_again(game, turn.number)
        events = stored.events_in(played, ship, start)
        seqs += range(played.first_seq, played.last_seq + 1)
        assert (end, events) == (outcome.state, list(outcome.events))
        seen = rules.view(start)
        for event in events:
            update_view(seen, event)
        assert seen == rules.view(end)
        if following:
            hands = turn_record(following).hands if following.record else played_hands(following.hands.all())
            numbered = [(item.number, hand.robot) for hand in hands for item in stored.aside_of(hand)]
            drew = [robot - 1 for number, robot in sorted(filter(itemgetter(0), numbered))]
            deal = rules.drawn_in_order(setup, rules.deal(setup, end, game.seed), drew, game.seed)
            assert stored.start_of(following, ship) == deal.state
    assert seqs == list(range(1, game.last_seq + 1))
    places = {seat.number: (seat.out, seat.place) for seat in game.players.all()}
    assert places == {robot.index + 1: (robot.out, robot.place) for robot in end.players}


def open_turn_of(game: Game) -> Turn | None:
    return game.turns.filter(status=Turn.Status.OPEN).first()
