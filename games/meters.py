"""What the service measures of its own work; `roborunner.operations.metrics` shows it to those who may see.

Nothing here names a person, a game or an address: each meter is a number for the whole service.
"""

from prometheus_client import Counter, Histogram

TURN_WAIT = Histogram(
    "robo_runner_turn_wait_seconds",
    "Time from when the orders of a turn were in, or its time was up, until a worker took it up.",
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900),
)

TURN_RESOLUTION = Histogram(
    "robo_runner_turn_resolution_seconds",
    "Time that a worker took to play a turn and to store what came of it.",
    buckets=(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10),
)

NOTICES_SENT = Counter("robo_runner_notices_sent", "Notices that went out.")

ACCOUNT_MAIL_SENT = Counter("robo_runner_account_mail_sent", "Mails about accounts that went out.")

MAIL_FAILURES = Counter("robo_runner_mail_failures", "Attempts to send a mail of any kind that failed.")

MAIL_GIVEN_UP = Counter("robo_runner_mail_given_up", "Mails of any kind that were given up.")

CALL_FAILURES = Counter(
    "robo_runner_call_failures", "Attempts to reach somebody's webhook or device that failed."
)

JOB_FAILURES = Counter("robo_runner_job_failures", "Jobs of the sweeper that failed as a whole.", ["job"])

ROWS_SET_ASIDE = Counter(
    "robo_runner_row_failures", "Rows that a job of the sweeper set aside, each time it did.", ["job"]
)
