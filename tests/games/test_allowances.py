"""Daily limits count actions, not rows, since people can delete rows."""

import ast
from pathlib import Path

import pytest

from accounts.limits import Limit
from accounts.models import User
from games.errors import TooMany
from games.work.models import LimitedUse, consume_limit
from tests.games.support import NOW, later


def test_each_daily_limit_is_counted_by_uses() -> None:
    """If you add a daily limit, let its service call `consume_limit`."""
    limits, limited, spending = set(), set(), set()
    for file in Path("games").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                if node.id.endswith("_A_DAY"):
                    limits.add(node.id)
                    limited.add(file)
                if node.id == "consume_limit":
                    spending.add(file)
    assert len(limits) > 5
    assert limited - spending == set()


def test_a_use_counts_for_its_time_and_person(alice: User, bob: User) -> None:
    limit, detail = Limit("tests", 2, 60), "Twice a minute."
    consume_limit(limit, user=alice, detail=detail, now=NOW)
    consume_limit(limit, user=alice, detail=detail, now=later(seconds=10))
    with pytest.raises(TooMany, match=detail) as refusal:
        consume_limit(limit, user=alice, detail=detail, now=later(seconds=20))
    assert refusal.value.wait == 40
    consume_limit(limit, user=bob, detail=detail, now=later(seconds=20))
    consume_limit(Limit("others", 1, 60), user=alice, detail=detail, now=later(seconds=20))
    consume_limit(limit, user=alice, detail=detail, now=later(seconds=60))
    assert LimitedUse.objects.filter(user=alice, limit="tests").count() == 2, "older ones are forgotten"
