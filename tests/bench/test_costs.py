"""The benchmark of costs measures processor time of orders, turns and pages."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from bench.costs.meter import Meter
from bench.costs.rounds import COMPLETE, FETCHED, KINDS, ORDER, PAGE, PLAYED, SUBMITTED, TURN

ROOT = Path(__file__).parents[2]

SPIN = """
import sys, time
while time.process_time() < 0.2:
    pass
print(flush=True)
sys.stdin.read()
"""


def test_processor_time_includes_all_threads_of_a_process(db: None, tmp_path: Path) -> None:
    meter = Meter(tmp_path / "postgres.log")
    before = meter.read()
    busy = subprocess.Popen([sys.executable, "-c", SPIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert busy.stdout and busy.stdin
    try:
        busy.stdout.readline()
        taken = meter.since(before)
    finally:
        busy.stdin.close()
        busy.wait(30)
    assert taken["load"] >= 200


def test_each_kind_of_work_is_measured(prepared: Path) -> None:
    few = ["--games", "1", "--warm-up", "1", "--backup", str(prepared)]
    done = subprocess.run(
        [sys.executable, "-m", "bench.costs", "--json", *few],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(done.stdout)
    assert tuple(rows) == KINDS
    for kind in (ORDER, PAGE, SUBMITTED, FETCHED, PLAYED):
        assert rows[kind]["web"] > rows[kind]["worker"], kind
    assert rows[TURN]["worker"] > rows[TURN]["web"]
    assert rows.pop(COMPLETE)["statements"] == [], "pages wait for the turn, and ask for nothing"
    assert all(row["postgres"] > 0 and row["statements"] for row in rows.values())
    assert _programs_written(rows[ORDER]) == rows[ORDER]["for"]
    assert _programs_written(rows[PAGE]) == 0


def _programs_written(row: dict[str, Any]) -> int:
    return sum("INSERT" in text and "games_program" in text for text in row["statements"])
