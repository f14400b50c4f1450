"""What lists in the admin may be narrowed down by: what is shown there, and nothing that is not."""

from typing import Any, ClassVar

from django.http import HttpRequest


class GuardedLookups:
    """Allows what filters and links offer: any other lookup could guess a secret, letter by letter.

    Django itself allows each column of the model, shown or not, and by it the keys of sessions.
    """

    list_filter: ClassVar[Any]
    links: tuple[str, ...] = ()
    """Lookups that pages refer to each other by, beyond those of the filters."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        """Whether rows may be picked out by this."""
        if lookup in self.links:
            return True
        for each in self.list_filter:
            if isinstance(each, str) and (lookup == each or lookup.startswith(f"{each}__")):
                return True
            if lookup == getattr(each, "parameter_name", None):
                return True
        return False
