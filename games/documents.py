"""Documents in JSON fields carry their format, and the database sees to it."""

from django.db.models import Q


def has_format(field: str, expected: str) -> Q:
    """Return the condition that a field holds an object of that format.

    The key has to be there: a comparison with what is missing is unknown, and a constraint lets that pass.
    """
    return Q(**{f"{field}__has_key": "format", f"{field}__format": expected})
