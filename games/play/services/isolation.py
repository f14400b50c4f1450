"""Playing a suspect turn in a process of its own, to learn whether it is the turn that ends its workers.

A worker that was killed by an operator, or with its machine, leaves the same trace as one that was killed by
what it did. So after some interruptions a turn is played by a child of the worker. If that dies while the
worker lives, the turn ended it. If both die, nothing is said about the turn.
"""

import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from django.conf import settings

from games.work.jobs import encode_reason

SECONDS: Final = 120.0
"""How long such a process may take: starting it takes seconds, and a turn less than one."""


IDLE: Final = 3
"""The code with which such a process ends where it did not play the turn, since it was not due any more."""


def play(turn_id: int) -> tuple[bool, str]:
    """Play a turn in a process of its own.

    Returns whether that process played it, and how it was ended, empty where it ended itself.
    What fails without ending the process is noted by the process.
    """
    command = [sys.executable, "-m", "django", "play_turn", str(turn_id)]
    try:
        ended = subprocess.run(
            command,
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            preexec_fn=_first_to_go,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return False, encode_reason("too-slow", f"{SECONDS:g}")
    if ended.returncode < 0:
        name = signal.Signals(-ended.returncode).name
        return False, encode_reason("ended-by", name)
    return ended.returncode == 0, ""


def _first_to_go() -> None:
    """Have the kernel end this process rather than the worker where memory runs out."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
