"""What a process says when it cannot reach its database."""

from django.db import OperationalError


def unreachable(error: OperationalError) -> str:
    """One sentence on why the database does not answer; the server's words name no password."""
    reason = " ".join(str(error).split())
    return f"The database cannot be used ({reason}): check DATABASE_URL, and that the server runs."
