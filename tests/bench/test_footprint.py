"""The benchmark of memory starts the parts that docker-compose.yml names."""

import os
import sys

from bench import footprint
from tests.docs.test_commands import PROCESSES


def test_it_starts_every_long_running_service_with_its_own_command() -> None:
    commands = footprint.commands(8123)
    assert commands.keys() == PROCESSES - {"backups"}  # which waits for the night
    assert commands["web"][0] == sys.executable and "8123" in " ".join(commands["web"])
    assert commands["lab"][:2] == ["nice", "--adjustment=19"] and "--hostname=lab@%h" in commands["lab"]
    assert "$" not in str(commands)


def test_it_measures_the_memory_of_a_process() -> None:
    parts = {"tests": os.getpid(), "gone": 2**22 + 1}
    assert footprint.memory(parts)["tests"] > 20
    assert footprint.memory(parts)["gone"] == 0
    assert footprint.processor_seconds(parts)["tests"] > 0
