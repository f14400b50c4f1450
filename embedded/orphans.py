"""Servers that a killed supervisor left behind, and the pid files that outlived their servers."""

import os
import signal
import subprocess
import time
from pathlib import Path

from embedded.problem import Failure

_PATIENCE = 30.0  # seconds for the end of a server that was left behind


def clear(pid_file: Path, mark: Path, how: signal.Signals) -> None:
    """Stop the server that `pid_file` names if `mark` is in its command line, and remove the file.

    The caller holds the lock of the directory, so no supervisor looks after that server any more. The number
    in the file may belong to someone else's process by now; `mark` is a path that only the server
    in question is called with.
    """
    try:
        pid = int(pid_file.read_text().split()[0])
    except (FileNotFoundError, ValueError, IndexError):
        pid = 0
    if pid > 1 and _shows(pid, mark):
        os.kill(pid, how)
        end = time.monotonic() + _PATIENCE
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
