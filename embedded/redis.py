"""One embedded Redis, reached by a socket."""

import shutil
import signal
import subprocess
import time
from pathlib import Path

from redis import Redis as Client
from redis.exceptions import RedisError

from embedded import addresses, binaries, children, orphans
from embedded.problem import Failure

_PATIENCE = 15.0  # seconds for the start and for the stop
_DATABASES = 64  # one for each parallel worker of a test run


class Redis:
    """The Redis server of one directory.

    `forgetful` keeps nothing on the disk: for tests.
    """

    def __init__(self, directory: Path, *, forgetful: bool = False) -> None:
        self.url = addresses.redis_url(directory)
        self._socket = addresses.redis_socket(directory)
        self._data = directory.resolve() / "redis"
        self._log = directory.resolve() / "redis.log"
        self._forgetful = forgetful
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers; raise `Failure` if it does not."""
        self._data.mkdir(exist_ok=True)
        pid_file = self._data / "redis.pid"
        orphans.clear(pid_file, self._data, signal.SIGTERM)
        self._socket.unlink(missing_ok=True)
        options = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": self._data,
            "pidfile": pid_file,
            "databases": _DATABASES,
            "set-proc-title": "no",  # so that orphans can be told from others
            "save": "",
            "appendonly": "no" if self._forgetful else "yes",
        }
        flags = [str(part) for name, value in options.items() for part in (f"--{name}", value)]
        self._process = children.start(
            [binaries.redis(), *flags], log=self._log, env=children.server_environment()
        )
        self._wait()

    def stop(self) -> None:
        """Stop the server; what it was told is on the disk."""
        if self._process:
            children.stop(self._process, signal.SIGTERM, patience=_PATIENCE)

    def kill(self, *, forgetting: bool = False) -> None:
        """End the server in the middle of whatever it does; with `forgetting` all that it kept is lost."""
        if self._process:
            children.kill(self._process)
        if forgetting:
            shutil.rmtree(self._data, ignore_errors=True)

    def ended(self) -> bool:
        """Whether the server was started and is gone."""
        return self._process is not None and self._process.poll() is not None

    def _wait(self) -> None:
        assert self._process
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                with Client.from_url(self.url) as client:
                    client.ping()
                return
            except RedisError as error:
                if self._process.poll() is not None or time.monotonic() > end:
                    self.stop()
                    lines = self._log.read_text(errors="replace").strip().splitlines()
                    reason = lines[-1] if lines else str(error)
                    raise Failure(f"Redis does not start: {reason} (see {self._log})") from error
            time.sleep(0.02)
