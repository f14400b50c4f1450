"""The benchmark of computers plays whole games and compares levels."""

from bench import finishes
from bench.computers import BOARDS, play, report, results, winner_of
from bench.thinking import crowd, starships, whole_game
from tests.rules.table import Table


def test_three_games_of_a_pilot_and_a_rookie_are_played_to_their_end() -> None:
    played = results(3, ("pilot", "rookie"), processes=1)
    assert [game.board for game in played] == [BOARDS[0], BOARDS[0], BOARDS[1]]
    assert [game.winner for game in played] == ["pilot"] * 3
    assert all(game.turns < 30 and all(game.thinking.values()) for game in played)
    table = list(report(("pilot", "rookie"), played))
    assert table[0] == "| pilot v rookie | games | pilot | rookie | neither | turns |"
    assert table[-1].startswith("pilot wins 100.0% of the games.")


def test_a_repeated_game_is_the_same() -> None:
    first, second = (play(4, ("pilot", "rookie")) for _ in range(2))
    assert (first.winner, first.turns) == (second.winner, second.turns)


def test_an_unfinished_game_has_no_winner() -> None:
    table = Table("a . .+i1", players="Alice Bob")
    assert winner_of(table.state, ("ace", "pilot")) is None
    table.state.over, table.state.winner = True, 1
    assert winner_of(table.state, ("ace", "pilot")) == "pilot"


def test_thinking_is_measured_with_a_digest_of_the_orders() -> None:
    ship = starships()["04-tin-canoe"]
    first, second, other = (whole_game(ship, "pilot", seed) for seed in (0, 0, 1))
    assert first.digest == second.digest != other.digest
    assert first.turns == second.turns > 1
    assert len(first.seconds) >= first.turns
    aces = crowd(ship, turns=2)
    assert len(aces.seconds) == 2
    assert min(aces.seconds) > 0


def test_one_computer_among_others_is_scored_as_the_winner_and_behind_it() -> None:
    game = finishes.play(0, 4, ("pilot", "rookie"))
    assert sorted(seat for group in game.groups for seat in group) == [0, 1, 2, 3]
    assert game == finishes.play(0, 4, ("pilot", "rookie"))
    second = finishes.Finished(0, ((1,), (0, 2), (3,)), 5)
    assert (second.scores(winners=True), second.scores(winners=False)) == ([0.0], [0.5, 1.0])
    assert finishes.Finished(3, second.groups, 5).scores(winners=True) == [0.0]
