"""The benchmark of mail, in a short run with the real processes."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_emails_of_a_few_games_are_sent_and_measured(prepared: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench.mail", "--games", "4", "--backup", str(prepared)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    # Zero to three players of the four games have submitted: four to one of each game get mail.
    assert [part["mails"] for part in report.values()] == [4 + 3, 2 + 1]
    for part in report.values():
        weighed = part["ms of a processor"]
        assert weighed["mailer"] > 0
        assert weighed["all"] >= weighed["mailer"]
