"""docs/retention.md names every table, and the storage times of backups and logs."""

import re
from collections import Counter
from pathlib import Path

from django.conf import settings
from django.db import connection

from embedded.copies import Keep

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/retention.md").read_text()


def test_every_table_is_named_once(db: None) -> None:
    named = Counter(
        table
        for row in re.findall(r"^\| (`[^|]+`) \|", PAGE, re.MULTILINE)
        for table in re.findall(r"`(\w+)`", row)
    )
    assert set(named) == set(connection.introspection.table_names())
    assert set(named.values()) == {1}


PLACES = {
    "deploy/debian/journald.conf": r"^MaxRetentionSec={}day$",
}


def test_the_recipe_keeps_logs_for_the_documented_days() -> None:
    told = re.findall(r"(\d+) days \(`([\w./-]+/[\w./-]+)`\)", PAGE)
    assert {file for _, file in told} == set(PLACES)
    for number, file in told:
        assert re.search(PLACES[file].format(number), (ROOT / file).read_text(), re.MULTILINE), file


def test_backups_are_kept_for_the_documented_time() -> None:
    told = re.search(r"the last (\d+) days, (\d+) weeks and (\d+) months", PAGE)
    assert told and [int(number) for number in told.groups()] == list(Keep()) == [*settings.BACKUP_KEEP]
