"""`make compiled`: compiled rules play the same games. It needs no C compiler."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rules
from compile_rules import lacking
from rules.compiled import directory

PROJECT = Path(__file__).parents[1]
GAMES = 35


def run(*command: str, **environment: str) -> str:
    ran = subprocess.run(
        command, cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return ran.stdout


@pytest.mark.long
@pytest.mark.skipif(lacking() is not None, reason=str(lacking()))
def test_random_games_of_all_rulesets_have_the_same_logs_compiled_and_interpreted() -> None:
    assert "compiled" in run(sys.executable, "compile_rules.py")
    assert directory().is_dir()
    play = (sys.executable, "-m", "tests.support.logs", str(GAMES))
    interpreted, compiled = run(*play, RULES="interpreted"), run(*play, RULES="compiled")
    assert interpreted.splitlines() == compiled.splitlines()
    assert len(interpreted.splitlines()) == GAMES
    assert {line.split()[0] for line in interpreted.splitlines()} == set(rules.RULESETS)


def test_a_missing_c_compiler_is_reported_and_nothing_is_made(tmp_path: Path) -> None:
    shutil.copy(PROJECT / "compile_rules.py", tmp_path)
    shutil.copytree(PROJECT / "rules", tmp_path / "rules", ignore=shutil.ignore_patterns("__pycache__"))
    environment = {"PATH": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, tmp_path / "compile_rules.py"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == "There is no C compiler (cc): the rules stay interpreted.\n"
    assert not (tmp_path / ".local").exists()
