"""The rules of Prometheus and the dashboard of Grafana use only metrics that a site shows."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

PROJECT = Path(__file__).resolve().parents[2]
RULES = PROJECT / "deploy/prometheus/rules.yml"
DASHBOARD = PROJECT / "deploy/grafana/dashboard.json"
NAME = re.compile(r"robo_runner_\w+")


def rule_expressions() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


def dashboard_expressions() -> Iterator[str]:
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])


@pytest.fixture
def shown(client: Client, db: None, settings: Any) -> dict[str, str]:
    """Return the type of each series that web processes and workers show, by the name in expressions."""
    settings.METRICS_TOKEN = "a-token-for-prometheus"
    text = client.get(
        "/metrics", headers={"authorization": f"Bearer {settings.METRICS_TOKEN}"}
    ).content.decode()
    found: dict[str, str] = {}
    for family in text_string_to_metric_families(text):
        ends = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}.get(family.type, [""])
        found |= {family.name + end: family.type for end in ends}
    return found


@pytest.mark.parametrize("expressions", [rule_expressions, dashboard_expressions])
def test_every_expression_uses_metrics_that_exist(expressions: Any, shown: dict[str, str]) -> None:
    used = {name for expression in expressions() for name in NAME.findall(expression)}
    assert len(used) > 10
    assert used - shown.keys() == set()


@pytest.mark.parametrize("expressions", [rule_expressions, dashboard_expressions])
def test_counters_are_read_as_rates_and_values_as_they_are(expressions: Any, shown: dict[str, str]) -> None:
    for expression in expressions():
        for name in NAME.findall(expression):
            grows = shown[name] in ("counter", "histogram")
            assert bool(re.search(rf"(rate|increase)\({name}\b", expression)) == grows, expression


def test_the_dashboard_shows_every_metric(shown: dict[str, str]) -> None:
    used = {name for expression in dashboard_expressions() for name in NAME.findall(expression)}
    left_out = {
        name
        for name in shown
        if name.startswith("robo_runner_")
        and shown[name] != "unknown"
        and not name.endswith(("_created", "_sum", "_count"))
    }
    assert left_out - used == {
        f"robo_runner_{name}" for name in ("database_answers", "drill_failed", "watch_age_seconds")
    }


def test_each_rule_says_what_to_do() -> None:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert rule["labels"]["severity"] in ("page", "ticket")
            assert rule["annotations"].keys() == {"summary", "action"}


def test_the_rules_fire_when_workers_have_stopped_and_when_mail_is_refused() -> None:
    promtool = shutil.which("promtool")
    if promtool is None and os.environ.get("CI") != "true":
        pytest.skip("promtool is not installed: Debian has it in the package prometheus")
    assert promtool, ".ci/run has to install prometheus"
    done = subprocess.run(
        [promtool, "test", "rules", RULES.with_name("rules_test.yml")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
