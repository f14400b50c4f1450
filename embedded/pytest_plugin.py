"""Give a test run its own Postgres and Redis, in a temporary directory.

Load this plugin with ``-p``, since Django's settings are read before any conftest.py. Parallel workers
inherit the addresses of the servers. Each worker gets its own Redis database from this plugin, and its own
Postgres database from pytest-django. If this plugin has started Postgres, the variable
``ROBO_RUNNER_TEST_POSTGRES`` is 1. If it has started Redis, ``ROBO_RUNNER_TEST_REDIS`` is 1.
"""

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest

from embedded.paths import Failure
from embedded.servers import Servers

_stack = ExitStack()


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> Generator[None]:
    """Start missing servers before Django reads its settings."""
    os.environ.setdefault("SECRET_KEY", "only for tests, so anybody may know it")
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker and os.environ.get("ROBO_RUNNER_TEST_REDIS"):
        number = int(worker.removeprefix("gw"))
        os.environ["REDIS_URL"] = os.environ["REDIS_URL"].replace("?db=0", f"?db={number}")
    elif not worker:
        _start(early_config)
    yield


def _start(config: pytest.Config) -> None:
    directory = Path(tempfile.mkdtemp(prefix="robo-runner-tests-"))
    _stack.callback(shutil.rmtree, directory, ignore_errors=True)
    try:
        servers = _stack.enter_context(Servers(directory, os.environ, disposable=True))
    except Failure as problem:
        _stack.close()
        raise pytest.UsageError(str(problem)) from problem
    os.environ.update(servers.environment)
    if "DATABASE_URL" in servers.environment:
        os.environ["ROBO_RUNNER_TEST_POSTGRES"] = "1"
    if "REDIS_URL" in servers.environment:
        os.environ["ROBO_RUNNER_TEST_REDIS"] = "1"
    config.add_cleanup(_stack.close)
