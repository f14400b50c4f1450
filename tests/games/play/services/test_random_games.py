"""Games at random, of every ruleset, by services: each log leads to the stored states, and proves it all."""

import json
import random

import pytest
from django.contrib.auth.models import AnonymousUser

import rules
from games.play import stored
from games.play.models import Game, Turn
from games.play.selectors.files import game_file
from rules.view import watch
from tests.games.at_random import new_game, play_turn

GAMES = 3
"""How many of each ruleset."""

TURNS = 60
"""After this many a game has been seen enough of."""


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(GAMES))
@pytest.mark.parametrize("key", rules.RULESETS)
def test_the_log_of_a_random_game_leads_to_the_stored_states(key: str, number: int) -> None:
    chance = random.Random(f"{key} {number}")
    game = new_game(rules.ruleset(key), chance)
    while game.status == Game.Status.RUNNING and (game.turn or 0) < TURNS:
        play_turn(game, chance)
    check_log(game)
    if game.status == Game.Status.OVER:
        check_file(game)


def check_file(game: Game) -> None:
    """Download a game that is over, and prove it as anybody can."""
    document = json.dumps(game_file(viewer=AnonymousUser(), game=game))
    assert rules.verify(rules.read_game_file(rules.parse(document)), promised=game.commitment) == []


def check_log(game: Game) -> None:
    """Fold each turn's stored events over its stored start, for the service and for those who watch."""
    setup = stored.setup_of(game)
    ship = setup.starship
    turns = list(game.turns.filter(status=Turn.Status.RESOLVED).order_by("number"))
    first = 0 if setup.ruleset.opening else 1
    assert [turn.number for turn in turns] == list(range(first, first + len(turns)))
    seqs: list[int] = []
    for turn, following in zip(turns, [*turns[1:], None], strict=True):
        start, end = stored.start_of(turn, ship), stored.end_of(turn, ship)
        entries = list(turn.log.order_by("seq"))
        seqs += [entry.seq for entry in entries]
        events = stored.events_of(ship, start, entries)
        assert rules.fold(start, events) == end
        seen = rules.view(start)
        for event in events:
            watch(seen, event)
        assert seen == rules.view(end)
        if following:
            assert stored.start_of(following, ship) == rules.deal(setup, end, game.seed).state
    assert seqs == list(range(1, game.last_seq + 1))
    places = {seat.number: (seat.out, seat.place) for seat in game.players.all()}
    assert places == {robot.index + 1: (robot.out, robot.place) for robot in end.players}
    assert game.last_seq == game.log.count()
