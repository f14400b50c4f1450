"""Starting and stopping child processes so that none is ever left behind."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from embedded.problem import Problem

# Postgres refuses to run as root. The account "nobody" with the one capability to pass over file permissions
# can work in a directory of root's, and no account and no permission needs to be changed for it.
_AS_NOBODY = (
    "--reuid=nobody",
    "--securebits=+no_setuid_fixup",
    "--inh-caps=-all,+dac_override",
    "--ambient-caps=-all,+dac_override",
    "--bounding-set=-all,+dac_override",
)


def command_line(command: Sequence[str | Path], *, never_root: bool = False) -> list[str]:
    """How `command` has to be called so that it ends when this process does, and is not root if `never_root`.

    Linux alone tells a child that its parent died; elsewhere the next start stops what was left behind.
    """
    options: list[str] = []
    if never_root and os.geteuid() == 0:
        options += _AS_NOBODY
    setpriv = shutil.which("setpriv") if sys.platform == "linux" else None
    if setpriv:
        return [setpriv, *options, "--pdeathsig=INT", *map(str, command)]
    if options:
        raise Problem("Postgres does not run as root: be another user, or install setpriv (util-linux).")
    return [*map(str, command)]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment for a server: in the C locale, because an unknown one stops Postgres."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "PG", "LANG"))}
    return {**kept, "LC_ALL": "C", **(extra or {})}


def start(
    command: Sequence[str | Path],
    *,
    log: Path | None = None,
    never_root: bool = False,
    env: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start `command` in a session of its own, out of reach of Ctrl-C; its output goes to `log` or ours."""
    output = log.open("ab") if log else None
    try:
        return subprocess.Popen(
            command_line(command, never_root=never_root),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            env=None if env is None else dict(env),
            start_new_session=True,
        )
    finally:
        if output:
            output.close()


def stop(child: subprocess.Popen[bytes], how: signal.Signals, *, patience: float) -> None:
    """Signal `child`, wait at most `patience` seconds for its end, then kill it and all that it started."""
    if child.poll() is not None:
        return
    child.send_signal(how)
    try:
        child.wait(patience)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
