"""The benchmark of the engine plays real games by the rules."""

import rules
from bench.engine import COMPARED, Engine, Workload, casualties, sizes
from rules import events as ev


def test_its_programs_come_from_one_deck() -> None:
    programs = Workload().programs
    assert len(programs) == 4096
    for turn in programs:
        chips = [chip for program in turn.values() for chip in program]
        assert len(chips) == len(set(chips)) == 20
        assert set(chips) <= set(rules.DECK)


def test_the_log_of_each_turn_folds_to_the_state_after_it() -> None:
    work = Workload()
    before = work.state.copy()
    for log in work.logs(50):
        after = rules.fold(before, ev.read_log(log))
        assert after == work.state
        for robot, start in zip(after.robots, work.starts, strict=True):
            robot.next, robot.archive = 1, start
        before = after


def test_robots_shoot_fall_and_return_about_as_often_as_in_the_reference() -> None:
    deaths, damage = casualties(Workload())
    assert 1.0 < deaths < 1.3
    assert 2.2 < damage < 2.9
    assert COMPARED == 500


def test_it_reports_the_stored_size_of_a_turn() -> None:
    found = sizes(Workload())
    assert 0 < found["log, compressed"] < found["log"]
    assert 0 < found["state, compressed"] < found["state"]


def test_a_turn_without_a_log_has_the_same_result() -> None:
    told, untold = Workload(), Workload()
    for log, nothing in zip(told.logs(200), untold.logs(200, logs=False), strict=True):
        assert log
        assert not nothing
        assert told.state == untold.state


def test_an_engine_in_another_process_reports_its_speed() -> None:
    engine = Engine("interpreted", logs=False)
    try:
        assert engine.speed(0) > 0
    finally:
        engine.process.kill()
