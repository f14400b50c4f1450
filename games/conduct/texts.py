"""What people write in this room, as it is kept."""

from django.utils.translation import gettext as _

from games import texts
from games.errors import ProblemDocument


def problems_of(key: str, text: str, *, longest: int, needed: str = "") -> list[ProblemDocument]:
    """Return what is wrong with a tidied text; ``needed`` is what to say where it may not be empty."""
    found: list[ProblemDocument] = []
    if len(text) > longest:
        detail = _("Your text has {count} characters, and at most {most} are allowed.")
        found.append({"code": key, "detail": detail.format(count=len(text), most=longest)})
    if texts.has_controls(text):
        detail = _("Your text contains control characters. Remove them: only plain text is taken.")
        found.append({"code": key, "detail": detail})
    if needed and not texts.says_something(text):
        found.append({"code": key, "detail": needed})
    return found
