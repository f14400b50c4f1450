"""Start and stop child processes without orphans, and run Django's commands."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

from embedded.paths import Failure

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """Raised when this process is asked to stop."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise `Interrupted` on the first signal of `SIGNALS` in the block. Ignore later signals."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Interrupted

    before = {each: signal.signal(each, interrupt) for each in SIGNALS}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


# Postgres refuses to run as root. The account "nobody" with the one capability to bypass file permissions can
# work in a directory of root's, without any change to accounts or permissions.
_AS_NOBODY = (
    "--reuid=nobody",
    "--securebits=+no_setuid_fixup",
    "--inh-caps=-all,+dac_override",
    "--ambient-caps=-all,+dac_override",
    "--bounding-set=-all,+dac_override",
)


def command_line(command: Sequence[str | Path], *, never_root: bool = False) -> list[str]:
    """Return a command line for a child that ends with this process.

    With `never_root`, the child does not run as root. Only Linux can end a child together with its parent. On
    other systems, the next start stops orphans (`clear_orphan`).
    """
    options: list[str] = []
    if never_root and os.geteuid() == 0:
        options += _AS_NOBODY
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv:
        return [setpriv, *options, "--pdeathsig=INT", *map(str, command)]
    if options:
        raise Failure("Postgres does not run as root: be another user, or install setpriv (util-linux).")
    return [*map(str, command)]


def server_environment() -> dict[str, str]:
    """Return an environment for servers, in the C locale. Other locales may keep Postgres from starting."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PG"))}
    return {**kept, "LC_ALL": "C"}


def start(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    log: Path,
    directory: Path | None = None,
    never_root: bool = False,
) -> subprocess.Popen[bytes]:
    """Start `command` in a new session, out of reach of Ctrl-C, with output to `log`."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command_line(command, never_root=never_root),
            cwd=directory,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def finish(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str],
    directory: Path | None = None,
    never_root: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run `command` to its end, out of reach of Ctrl-C. Return its exit status and output."""
    return subprocess.run(
        command_line(command, never_root=never_root),
        cwd=directory,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        start_new_session=True,
    )


def stop(child: subprocess.Popen[bytes], how: signal.Signals, *, timeout: float) -> None:
    """Send a signal to `child` and wait for its end. After `timeout` seconds, kill its process group."""
    if child.poll() is not None:
        return
    child.send_signal(how)
    try:
        child.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()


def kill(child: subprocess.Popen[bytes]) -> None:
    """Kill `child` and its descendants at once, like a power cut, and wait for them to end.

    Descendants in other process groups or sessions are found only on Linux.
    """
    if child.poll() is not None:
        return
    pids = [child.pid, *descendants(child.pid)]
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    end = time.monotonic() + 10
    while any(_runs(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.01)


def descendants(pid: int) -> list[int]:
    """Return the process IDs of all descendants of a process. Except on Linux, the list is empty."""
    try:
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    children = [int(child) for child in text.split()]
    return children + [each for child in children for each in descendants(child)]


def _runs(pid: int) -> bool:
    """Return whether a process is running. Zombies do not count. Except on Linux, always return False."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z"


_ORPHAN_SECONDS = 30.0  # the time limit for an orphaned server to stop


def clear_orphan(pid_file: Path, mark: Path, how: signal.Signals) -> None:
    """Stop the server with the process ID in `pid_file`, and remove the file.

    A process is stopped only if its command line contains `mark`, a path used only by this server,
    because the ID may belong to another process by now. The caller must hold the lock of the directory, so
    that no supervisor of the server is still running. Raises `Failure` if the server does not stop.
    """
    try:
        pid = int(pid_file.read_text().split()[0])
    except (FileNotFoundError, ValueError, IndexError):
        pid = 0
    if pid > 1 and _shows(pid, mark):
        os.kill(pid, how)
        end = time.monotonic() + _ORPHAN_SECONDS
        while _shows(pid, mark):
            if time.monotonic() > end:
                raise Failure(
                    f"The server with process number {pid} still works on {mark} and does not stop."
                )
            time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _shows(pid: int, mark: Path) -> bool:
    proc = Path(f"/proc/{pid}/cmdline")
    if Path("/proc/self/cmdline").exists():
        try:
            shown = proc.read_bytes().decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            return False
    else:
        shown = subprocess.run(
            ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True
        ).stdout
    return str(mark) in shown


@contextmanager
def directory_lock(directory: Path) -> Iterator[None]:
    """Hold the lock of `directory` during the block. Raises `Failure` if another process has it."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    # The kernel releases the lock when its holder dies in any way.
    descriptor = os.open(directory / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure(f"The servers of {directory} are already running.") from None
        yield
    finally:
        os.close(descriptor)


PROJECT = Path(__file__).resolve().parent.parent


def manage(environment: Mapping[str, str], *command: str) -> str:
    """Run one of Django's commands and return its output. Raises `Failure` with its errors."""
    done = finish([sys.executable, "manage.py", *command], env=environment, directory=PROJECT)
    if done.returncode:
        said = done.stderr.strip() or done.stdout.strip()
        raise Failure(said or f"manage.py {command[0]} failed with status {done.returncode}.")
    return done.stdout
