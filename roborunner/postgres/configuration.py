"""How the service's processes connect to Postgres, as Django has it described."""

from typing import Any, Final

from roborunner.postgres import limits

LASTING: Final = {
    "connect_timeout": 10,
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 35_000,  # milliseconds
    "options": "-c idle_in_transaction_session_timeout=60s"
    " -c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3",
}
"""Options of a connection to Postgres by which each side finds out within a minute that the other is gone.

By themselves they would take two hours: so long a worker would wait for a server that lost its power, and a
game for a worker that did while it held the game's row.
"""

POOL: Final = {
    "min_size": 1,
    "max_size": 10,
    "timeout": 5,
    "reconnect_timeout": 5,
}
"""For the web: under ASGI, connections do not outlive requests. Times are in seconds."""


PREPARES_AFTER: Final = 2
"""How often a connection is given a statement before Postgres keeps its plan, where it may."""


def configuration(
    parsed: dict[str, Any],
    *,
    pool: bool,
    prepares: bool = False,
    kind: type[limits.Connection] = limits.Connection,
) -> dict[str, Any]:
    """Return a database that was `parsed` from its address, as this service wants it of Django.

    Where Postgres ``prepares``, it keeps the plans of statements that are used again (`queries`).
    """
    options = LASTING | parsed.get("OPTIONS", {})
    if prepares:
        options["prepare_threshold"] = PREPARES_AFTER
    if pool:
        options["options"] += f" -c statement_timeout={limits.WEB_STATEMENT}s"
        options["pool"] = POOL | {"connection_class": kind}
    return parsed | {
        "ENGINE": "roborunner.postgres",  # Django's, which waits no longer than `limits` say
        "CONNECTION": kind,
        # A pooler has another connection for each transaction: what one has opened, the next does not find.
        "DISABLE_SERVER_SIDE_CURSORS": True,
        "CONN_HEALTH_CHECKS": not pool,  # what a pool gives out is checked then
        "OPTIONS": options,
        "TEST": {"NAME": "test_roborunner"},
    }
