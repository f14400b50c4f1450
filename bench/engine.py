"""Compare the engine's speed with a reference: a C program that plays the same turns without a log.

    python -m bench.engine              40 rounds, with medians of speeds and of their ratios to the reference
    python -m bench.engine --rounds 100
    python -m bench.engine --profile    the engine's time, by function
    python -m bench.engine --verify     play every turn from random cells, and compare the final positions

The work is 4,096 turns of four robots on the ship `two_loops/two-loops.json`, under the rules of factory-1999
without virtual robots. The programs are given in `two_loops/programs.txt`: one line for each turn, with five
``kind:number`` chips for each of the four robots. Robots start on the cells a1 to a4 and face north. Each
turn resets their next checkpoint and their archive. They have unlimited lives, and a destroyed robot returns
with 2 damage. The event log is on. The times exclude dealing and parsing the chips.

In each round, first the reference (`two_loops/floor.c`, compiled by ``cc -O2``) and then each engine runs for
about the same time, so that all meet the same conditions. After `make compiled`, there are three engines:
interpreted, compiled, and compiled without a log. Times are processor times. The command needs Python and a C
compiler.
"""

import argparse
import cProfile
import json
import os
import pstats
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median

import rules
from rules import events as ev
from rules.chance import Chance
from rules.compiled import directory
from rules.engine import play
from rules.grid import N
from rules.orders import Chip
from rules.resolution import Resolution
from rules.setup import Setup
from rules.state import Robot, State

WORK = Path(__file__).parent / "two_loops"
TURNS = 400
"""The number of turns in a round of the interpreted engine. Compiled engines play three times as many."""
REFERENCE_TURNS = 10_000
"""The number of turns in each of the C program's five runs. The median speed counts."""
COMPARED = 500
"""The number of turns to average deaths, damage, and sizes of states and logs over."""

Programs = dict[int, list[Chip | None]]


def read_programs() -> list[Programs]:
    """Return the programs of each turn, by robot."""
    turns = []
    for line in (WORK / "programs.txt").read_text().splitlines():
        chips: list[Chip | None] = []
        for word in line.split():
            chips.append(rules.CHIPS[int(word.partition(":")[2])])
        turns.append({robot: chips[5 * robot : 5 * robot + 5] for robot in range(4)})
    return turns


class Workload:
    """The turns to play, and the state of their game."""

    def __init__(self) -> None:
        ship = rules.read_starship(rules.parse((WORK / "two-loops.json").read_bytes()))
        ruleset = replace(rules.ruleset("factory-1999"), virtual_start=False, return_damage=2)
        # No robot finishes: there are fewer checkpoints than the game needs.
        self.setup = Setup(ruleset, {"lives": 3, "checkpoints": 9}, ship)
        self.starts = [ship.starts[seat] for seat in (1, 2, 3, 4)]
        self.programs = read_programs()
        self.chance = Chance("two loops", 1)
        self.begin()

    def begin(self) -> None:
        robots = [
            Robot(index, f"robot {index + 1}", cell, N, cell, lives=10**9, start=cell)
            for index, cell in enumerate(self.starts)
        ]
        self.state = State(1, robots, {}, return_damage=2)

    def logs(self, count: int, first: int = 0, *, logs: bool = True) -> Iterator[list[ev.Entry]]:
        """Play turns, and yield the log of each turn. Logs are empty if ``logs`` is False."""
        robots = list(zip(self.state.robots, self.starts, strict=True))
        for number in range(first, first + count):
            turn = Resolution(
                self.setup, self.state, {}, self.programs[number & 4095], self.chance, logs=logs
            )
            play(turn)
            yield turn.log
            for robot, start in robots:
                robot.next, robot.archive = 1, start

    def speed(self, count: int, first: int, *, logs: bool = True) -> float:
        """Play ``count`` turns, and return the number of turns per second of processor time."""
        self.begin()
        begun = time.process_time()
        for _ in self.logs(count, first, logs=logs):
            pass
        return count / (time.process_time() - begun)


class Engine:
    """The engine in a separate process. ``mode`` makes its rules ``interpreted`` or ``compiled``."""

    def __init__(self, mode: str, *, logs: bool = True) -> None:
        self.name = mode if logs else f"{mode}, no log"
        self.turns = TURNS if mode == "interpreted" else 3 * TURNS
        self.logs = logs
        command = [sys.executable, "-m", "bench.engine", "--answer"]
        environment = {**os.environ, "RULES": mode}
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def speed(self, first: int) -> float:
        asked, answers = self.process.stdin, self.process.stdout
        assert asked and answers
        asked.write(f"{self.turns} {first} {int(self.logs)}\n")
        asked.flush()
        return float(answers.readline())


def answer(work: Workload) -> None:
    """Measure the speed for each request that an `Engine` writes to this process."""
    for line in sys.stdin:
        count, first, logs = map(int, line.split())
        print(work.speed(count, first, logs=bool(logs)), flush=True)


def engines() -> list[Engine]:
    """Start and return the engines to measure: interpreted, and also compiled if the rules are compiled."""
    found = [Engine("interpreted")]
    if directory().is_dir():
        found += [Engine("compiled"), Engine("compiled", logs=False)]
    return found


class Reference:
    """The C program that plays the same turns. Its speed is the reference for the engine."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc") or shutil.which("gcc")
        if compiler is None:
            sys.exit("The reference is written in C, and there is no C compiler here (cc).")
        self.program = folder / "reference"
        subprocess.run([compiler, "-O2", "-o", self.program, WORK / "floor.c"], check=True)

    def run(self, turns: int) -> str:
        """Run the C program and return its output."""
        ran = subprocess.run([self.program, str(turns)], cwd=WORK, check=True, capture_output=True, text=True)
        return ran.stdout

    def speed(self) -> float:
        return float(re.findall(r"median (\d+)", self.run(REFERENCE_TURNS))[0])

    def ends(self, starts: Iterable[str]) -> list[str]:
        """Return the robots' positions at the end of turns that begin as given by ``starts``.

        A start is ``turn x y heading x y heading …``, with a position for each robot.
        """
        text = "".join(f"{line}\n" for line in starts)
        command = [self.program, "verify"]
        ran = subprocess.run(command, cwd=WORK, check=True, capture_output=True, text=True, input=text)
        return ran.stdout.splitlines()

    def casualties(self) -> tuple[float, float]:
        """Return the mean number of deaths and the mean damage in a turn of the C program."""
        deaths, damage = re.findall(r"deaths/turn ([\d.]+) dmg/turn ([\d.]+)", self.run(REFERENCE_TURNS))[0]
        return float(deaths), float(damage)


def disagreements(work: Workload, reference: Reference) -> int:
    """Return the number of turns that end differently in the engine and in the C program.

    Robots begin each turn in random cells. The rules for the end of a turn are not applied.
    """
    ship, chance = work.setup.starship, Random("two loops")
    setup = replace(work.setup, ruleset=replace(work.setup.ruleset, end=()))
    safe = [cell for cell, _ in ship.numbered() if ship.falls[0][cell] is None]
    begun, ended = [], []
    for number, programs in enumerate(work.programs):
        work.begin()
        robots = work.state.robots
        for robot, cell in zip(robots, chance.sample(safe, len(robots)), strict=True):
            robot.cell, robot.heading = cell, chance.randrange(4)
        places = [(*ship.pos(robot.cell), robot.heading) for robot in robots]
        begun.append(" ".join(map(str, (number, *(value for place in places for value in place)))))
        play(Resolution(setup, work.state, {}, programs, work.chance))
        ends = [
            "{},{},{},{}".format(*ship.pos(robot.cell), robot.heading, robot.damage)
            if robot.on_board
            else "-"
            for robot in robots
        ]
        ended.append(f"{number} {' '.join(ends)}")
    return sum(one != other for one, other in zip(reference.ends(begun), ended, strict=True))


def casualties(work: Workload) -> tuple[float, float]:
    """Return the mean number of deaths and the mean damage in the engine's first `COMPARED` turns."""
    work.begin()
    deaths = damage = 0
    for log in work.logs(COMPARED):
        for event in ev.read_log(log):
            deaths += isinstance(event, ev.Destroyed)
            damage += event.amount if isinstance(event, ev.Damage) else 0
    return deaths / COMPARED, damage / COMPARED


def sizes(work: Workload) -> dict[str, float]:
    """Return the mean number of events in a turn, and the mean bytes of the state and of the log."""
    work.begin()
    terms = rules.Vocabulary(work.setup.starship, [robot.name for robot in work.state.robots])
    total: Counter[str] = Counter()
    for log in work.logs(COMPARED):
        events = rules.events_to_json(terms, ev.read_log(log))
        state = rules.state_to_json(work.setup.starship, work.state)
        texts = [json.dumps(event) for event in events]
        total["events"] += len(events)
        total["log"] += sum(map(len, texts))
        total["log, compressed"] += len(zlib.compress("\n".join(texts).encode()))
        total["state"] += len(json.dumps(state))
        total["state, compressed"] += len(zlib.compress(json.dumps(state).encode()))
    return {name: amount / COMPARED for name, amount in total.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--profile", action="store_true", help="print where the engine's time goes")
    parser.add_argument("--verify", action="store_true", help="compare where robots end")
    parser.add_argument("--answer", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    work = Workload()
    if chosen.answer:
        answer(work)
        return
    if chosen.profile:
        with cProfile.Profile() as profile:
            work.speed(4096, 0)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    with tempfile.TemporaryDirectory() as folder:
        reference = Reference(Path(folder))
        if chosen.verify:
            different = disagreements(work, reference)
            print(f"{different} of {len(work.programs):,} turns end otherwise than in the reference")
            return
        measured = engines()
        rounds = [
            (reference.speed(), *[engine.speed(25 * number) for engine in measured])
            for number in range(chosen.rounds)
        ]
        references, *speeds = zip(*rounds, strict=True)
        print(f"{'reference':16} {median(references):9,.0f} turns/s (best {max(references):,.0f})")
        for engine, those in zip(measured, speeds, strict=True):
            ratio = median(one / other for one, other in zip(references, those, strict=True))
            best = max(references) / max(those)
            print(
                f"{engine.name:16} {median(those):9,.0f} turns/s (best {max(those):,.0f}), "
                f"1/{ratio:.1f} of the reference (best of both: 1/{best:.1f})"
            )
            engine.process.kill()
        for name, (deaths, damage) in (("reference", reference.casualties()), ("engine", casualties(work))):
            print(f"{name:9} {deaths:.2f} deaths and {damage:.2f} damage for each turn")
    for name, amount in sizes(work).items():
        print(f"{name}: {amount:,.0f}{'' if name == 'events' else ' bytes'} for each turn")


if __name__ == "__main__":
    main()
