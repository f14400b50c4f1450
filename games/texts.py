"""What people write for others to read: names, and plain text of a few lines. `rules.names` says what both
may contain.
"""

import re
import unicodedata
from collections.abc import Collection
from itertools import count
from typing import Final

from django.db import connection, models
from django.utils.text import slugify
from django.utils.translation import gettext as _

from games.errors import Invalid, ProblemDocument
from games.language import told
from rules.names import fault_of_name, fault_of_text, is_visible

ROOM_FOR_A_NUMBER: Final = 8
"""Characters that the start of a slug leaves for a number."""


def tidied(text: str) -> str:
    r"""Return a text without space around it, and with at most one empty line in a row.

    >>> tidied("  On my way. \r\n\r\n\r\nWait! ")
    'On my way.\n\nWait!'
    """
    lines = (line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).replace("\t", " ").strip()


def says_something(text: str) -> bool:
    """Return whether there is anything to see in a text."""
    return is_visible(text)


def problems_of(text: str, *, longest: int, code: str = "text", needed: str = "") -> list[ProblemDocument]:
    """Return why a tidied text cannot be kept; ``needed`` is what to say if it may not be empty."""
    found: list[ProblemDocument] = []
    if len(text) > longest:
        detail = _("Your text has {count} characters, and at most {most} are allowed.")
        found.append({"code": code, "detail": detail.format(count=len(text), most=longest)})
    if fault := fault_of_text(text):
        found.append({"code": code, "detail": told(fault)})
    if needed and not says_something(text):
        found.append({"code": code, "detail": needed})
    return found


def tidied_name(name: str) -> str:
    """Return a name without space around it, and with single spaces in it. No-break spaces stay.

    >>> tidied_name("  Tin   Canoe ")
    'Tin Canoe'
    """
    return re.sub(" {2,}", " ", name.strip())


def problems_of_name(
    name: str, *, longest: int, shortest: int = 1, code: str = "name", needed: str = ""
) -> list[ProblemDocument]:
    """Return why a tidied name cannot be given; ``needed`` is what to say of an empty one."""
    detail = ""
    if needed and not name:
        detail = needed
    elif len(name) > longest:
        detail = _("The name has {count} characters, and at most {most} are allowed.")
        detail = detail.format(count=len(name), most=longest)
    elif fault := fault_of_name(name):
        detail = told(fault)
    elif len(name) < shortest:
        detail = _("The name has {least} to {most} characters.").format(least=shortest, most=longest)
    return [{"code": code, "detail": detail}] if detail else []


def check_text(text: str, *, error: str) -> None:
    """Raise Invalid with the code ``error`` for a text with a character that it cannot have."""
    if fault := fault_of_text(text):
        raise Invalid(error, told(fault))


def letters_of(text: str) -> str:
    """Return the letters and digits of a text, in small letters; if it has none, its signs.

    >>> letters_of("Tin-Canoe!"), letters_of("🚀 🚀")
    ('tincanoe', '🚀🚀')
    """
    small = unicodedata.normalize("NFC", text).casefold()
    return "".join(filter(str.isalnum, small)) or "".join(filter(is_visible, small))


def hold_slugs(of: type[models.Model]) -> None:
    """Hold the slugs of a table until the transaction ends."""
    with connection.cursor() as cursor:
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
        cursor.execute(lock, [f"slugs of {of._meta.db_table}"])


def free_slug(name: str, *, of: type[models.Model], usual: str, reserved: Collection[str] = ()) -> str:
    """Return a part of an address that follows from a name and that no row has: with a number if needed.

    ``usual`` stands in for a name without Latin letters and digits. The slugs of the table are held until the
    transaction ends, so two rows never get the same one.
    """
    hold_slugs(of)
    field = of._meta.get_field("slug")
    assert isinstance(field, models.SlugField) and field.max_length
    longest = field.max_length
    start = slugify(name)[: longest - ROOM_FOR_A_NUMBER].strip("-_") or usual
    taken = {*of._default_manager.filter(slug__startswith=start).values_list("slug", flat=True), *reserved}
    slugs = (start if number == 1 else f"{start}-{number}" for number in count(1))
    return next(slug for slug in slugs if slug not in taken)
