"""Calling Django's commands, which know of the project what nothing here does."""

import sys
from collections.abc import Mapping
from pathlib import Path

from embedded import children
from embedded.problem import Failure

PROJECT = Path(__file__).resolve().parent.parent


def manage(environment: Mapping[str, str], *command: str) -> str:
    """Run one of Django's commands and return what it printed; raises `Failure` with its complaint."""
    done = children.finish([sys.executable, "manage.py", *command], env=environment, directory=PROJECT)
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        raise Failure(said or f"manage.py {command[0]} failed with status {done.returncode}.")
    return done.stdout
