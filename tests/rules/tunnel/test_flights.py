"""Flights of the wind tunnel: the figures of a game, and reproducible results."""

import json
from collections import Counter
from typing import Any

import pytest

import rules
from rules import events as ev
from rules.tunnel import flying
from rules.tunnel.figures import Flight, counts_to_json, flight_from_json, flight_to_json
from rules.tunnel.flying import Counter as Counting, best_way, deficits_of
from tests.rules.table import Table
from tests.rules.tunnel.flown import FAIR, run_of, ship_of

SQUADS = (". . . . . .", "a:red . . k . a:blue", ". . . . . .")
STARTS = ("a1 . . .+i1", ". . . .", "a2 . . .+i2", "a3 . . .")
BOARDS = {"robo-recon": SQUADS, "group-11": STARTS, "websocket": STARTS}
"""Starships for rulesets that cannot use `FAIR`."""


def flown(key: str, number: int, players: int = 2) -> Flight:
    run = run_of(*BOARDS.get(key, FAIR), key=key, players=players)
    return flying.fly(run.setup, run.players, 5, number)


@pytest.mark.parametrize("key", rules.RULESETS)
def test_every_ruleset_flies_repeatable_flights(key: str) -> None:
    flight = flown(key, 1)
    assert flight.failure is None
    assert flight == flown(key, 1) != flown(key, 0)
    assert flight_from_json(json.loads(json.dumps(flight_to_json(flight)))) == flight
    assert sum(flight.places) == 3
    assert 0 < flight.turns <= flying.max_turns(rules.ruleset(key))
    assert 0 <= flight.virtual_turns <= flight.robot_turns <= 2 * flight.turns


@pytest.mark.parametrize("number", range(6))
def test_counts_match_the_log(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test counts the events of a whole flight in a second way."""
    log: list[ev.Event] = []

    def resolve(*given: Any) -> Any:
        outcome = rules.resolve_turn(*given)
        log.extend(outcome.events)
        return outcome

    monkeypatch.setattr(flying, "resolve_turn", resolve)
    flight = flown("robo-runner", number, players=3)
    of = Counter(type(event).__name__ for event in log)
    assert sum(flight.deaths.values()) == of["Destroyed"]
    causes: Counter[str] = Counter()
    for (_, cause), times in flight.deaths.items():
        causes[cause] += times
    assert causes == Counter(event.by for event in log if isinstance(event, ev.Destroyed))
    assert sum(leg.robots for leg in flight.legs.values()) == of["Inspect"]
    over = sum(of[name] for name in ("Move", "Enter"))
    assert over - of["Destroyed"] <= sum(flight.entered.values()) <= over
    assert flight.over == bool(of["Over"])


def test_the_winner_is_first_and_robots_that_went_out_later_have_better_places() -> None:
    table = Table(*FAIR, players="A B C")
    flight = Flight(0, "pilot", "x")
    counting = Counting(table.setup, table.state, flight)
    table.start()
    for lost in (2, 1):
        table.state.robots[lost].lives, table.state.robots[lost].alive = 0, False
        counting.record_deficits(deficits_of(table.setup, table.state))
    table.state.over, table.state.winner = True, 0
    counting.record_deficits(deficits_of(table.setup, table.state))
    counting.finish(table.state)
    assert flight.places == (1.0, 2.0, 3.0)


def test_robots_of_a_squad_share_their_place() -> None:
    flight = flown("robo-recon", 1, players=4)
    assert flight.over
    assert sorted(flight.places) == [1.5, 1.5, 3.5, 3.5]
    assert flight.starts == ((0, 1), (5, 1)) * 2


def counted(lacks: list[list[float]], winner: int = 0) -> Flight:
    """Return a flight with these distances of the robots from the goal in each turn."""
    table = Table(*FAIR, players=" ".join("ABC"[: len(lacks[0])]))
    flight = Flight(0, "pilot", "x")
    counting = Counting(table.setup, table.state, flight)
    for each in lacks:
        counting.record_deficits(each)
    table.state.over, table.state.winner = True, winner
    counting.finish(table.state)
    return flight


def test_the_lead_changes_only_by_a_phase_or_more() -> None:
    assert counted([[5, 6], [4, 3.5], [3, 2.5], [-1, 2]]).lead_changes == 0
    assert counted([[5, 6], [4, 3], [2, 3], [-1, 2]]).lead_changes == 2


def test_a_game_always_led_by_its_winner_has_no_drama() -> None:
    flight = counted([[5, 6, 7]] * 4 + [[-1, 6, 7]])
    assert (flight.drama, flight.half_time, flight.last_turn) == (0.0, True, True)


def test_a_winner_from_behind_in_the_last_turn_is_a_surprise() -> None:
    flight = counted([[7, 5, 6]] * 4 + [[-1, 6, 7]])
    assert (flight.drama, flight.half_time, flight.last_turn) == (1.0, False, False)


def test_deaths_in_traps_within_two_steps_of_the_start_count_as_near() -> None:
    table = Table(*FAIR, players="A B")
    ship = table.ship
    flight = Flight(0, "rookie", "x")
    counting = Counting(table.setup, table.state, flight)
    deaths = [
        ((4, 6), "shaft"),
        ((3, 5), "crusher"),
        ((5, 5), "shaft"),
        ((4, 6), "damage"),
        ((3, 7), "space"),
    ]
    counting.count_turn(1, [ev.Destroyed(1, "x", 0, ship.cell(*at), by) for at, by in deaths], table.state)
    assert flight.near == 2
    assert flight.deaths[(3, 6), "space"] == 1  # a death beyond the edge counts in the last cell on the board


def test_a_failing_computer_is_noted_and_spoils_no_other_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(setup: rules.Setup, seen: rules.View, *rest: Any) -> rules.Orders:
        if seen.turn == 2:
            raise rules.computers.ComputerError("there is no way")
        return rules.computers.choose(setup, seen, *rest)

    monkeypatch.setattr(flying, "choose", fail)
    flight = flown("robo-runner", 0)
    assert (flight.turns, flight.failure) == (2, "ComputerError: there is no way")
    assert not flight.over


def test_models_rotate_over_the_starts() -> None:
    ruleset = rules.ruleset("group-11")
    models = {flying._crew(ruleset, 3, number)[1][0] for number in range(5)}
    assert models == set(ruleset.models)


def test_the_length_of_the_best_way_counts_chips_and_turns() -> None:
    run = run_of("a . . .+i1 . .+i2")
    ship = run.setup.starship
    start, goal = ship.cell(0, 0), ship.checkpoints[1]
    assert best_way(run.setup, start, goal) == (2 + 1 + 2 + 2) / 4  # facing north, east, south, west
    walled = ship_of("a .+wE . .+i1")
    setup = rules.make_setup(rules.ruleset("robo-runner"), {}, walled, 2)
    assert best_way(setup, walled.cell(0, 0), walled.checkpoints[1]) is None


def test_cells_are_written_row_by_row() -> None:
    assert counts_to_json({(1, 1): 3, (2, 0): 4, (0, 1): 1}) == [[2, 0, 4], [0, 1, 1], [1, 1, 3]]
