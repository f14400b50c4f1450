"""What a process says when it cannot reach its database."""

import psycopg
from django.db import OperationalError, connection


def require() -> None:
    """End this process with a sentence if the database does not answer: better now than at a request."""
    try:
        psycopg.connect(**connection.get_connection_params()).close()
    except psycopg.OperationalError as error:
        raise SystemExit(unreachable(error)) from None


def unreachable(error: OperationalError | psycopg.OperationalError) -> str:
    """One sentence on why the database does not answer; the server's words name no password."""
    reason = " ".join(str(error).split())
    return f"The database cannot be used ({reason}): check DATABASE_URL, and that the server runs."
