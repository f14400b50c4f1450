"""docs/retention.md names every table of the database and the limits of the code."""

import re
from collections import Counter
from datetime import timedelta
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/retention.md").read_text()
SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60}


def test_every_table_is_named_once(db: None) -> None:
    named = Counter(
        table
        for row in re.findall(r"^\| (`[^|]+`) \|", PAGE, re.MULTILINE)
        for table in re.findall(r"`(\w+)`", row)
    )
    assert set(named) == set(connection.introspection.table_names())
    assert set(named.values()) == {1}


def test_the_numbers_match_the_code() -> None:
    numbers = re.findall(r"(\d+)\s(\w+)\s\(`((?:\w+\.)+[A-Z_]+)`\)", PAGE)
    assert len(numbers) == PAGE.count("(`") - len(PLACES)
    for number, unit, name in numbers:
        module, _, constant = name.rpartition(".")
        place = settings if module.endswith("settings") else import_module(module)
        assert int(number) == in_units(getattr(place, constant), unit), name


def in_units(value: timedelta | int, unit: str) -> float:
    """Convert a constant to the unit on the page. Numbers of 3,600 or more are seconds."""
    if isinstance(value, timedelta):
        return value.total_seconds() / SECONDS[unit]
    return value / SECONDS[unit] if unit in SECONDS and value >= 3_600 else value


PLACES = {
    "deploy/debian/units/robo-runner-backup.service": r"-mtime \+{} ",
    "deploy/debian/journald.conf": r"^MaxRetentionSec={}day$",
}


def test_the_recipe_keeps_backups_and_logs_for_the_documented_days() -> None:
    told = re.findall(r"(\d+) days \(`([\w./-]+/[\w./-]+)`\)", PAGE)
    assert {file for _, file in told} == set(PLACES)
    for number, file in told:
        assert re.search(PLACES[file].format(number), (ROOT / file).read_text(), re.MULTILINE), file
