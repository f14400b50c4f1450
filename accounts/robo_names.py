"""What makes a Robo Name: a word that reads the same in a mail, a log and an address.

A name is chosen once and stands in every game for good, so whatever could be mistaken for the site itself
is refused: a reserved word, one written with figures for letters, or one with a number behind it.

>>> problems("Tin-Lizzy_7")
[]
>>> problems("5parky")
['A Robo Name starts with a letter.']
>>> problems("Adm1n")
['“Adm1n” looks like “admin”, which the site uses itself: choose another name.']
"""

import re

from django.core.exceptions import ValidationError

SHORTEST = 3
LONGEST = 20
"""Letters, digits, hyphens and underscores of a Robo Name, at least and at most."""

RESERVED = (
    *(
        "admin",
        "administrator",
        "moderator",
        "owner",
        "staff",
        "superuser",
        "root",
        "webmaster",
        "postmaster",
    ),
    *("system", "server", "support", "help", "mailer-daemon", "noreply", "no-reply"),
    *("robo-control", "robo-runner", "robo-recon", "robo-arena", "robot", "robo", "computer", "bot"),
    *("scanner", "crystal", "hull", "red", "blue", "red-squad", "blue-squad", "starship"),
    *("anonymous", "guest", "deleted", "everybody", "everyone", "nobody", "none", "null", "unknown", "you"),
)
"""Words by which the site, its staff and things in a game are known."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_LETTERS_FOR_FIGURES = str.maketrans("013457", "oleast")


def problems(name: str) -> list[str]:
    """Every reason why `name` cannot be a Robo Name, each a sentence; none when it can."""
    found = []
    if len(name) < SHORTEST:
        found.append(f"A Robo Name has at least {SHORTEST} characters.")
    if len(name) > LONGEST:
        found.append(f"A Robo Name has at most {LONGEST} characters, and this has {len(name)}.")
    if _FOREIGN.search(name):
        found.append("A Robo Name is made of the letters A to Z, digits, hyphens and underscores.")
    elif name and not name[0].isalpha():
        found.append("A Robo Name starts with a letter.")
    if not found and (word := _reserved(name)):
        found.append(
            f"“{name}” looks like “{word}”, which the site uses itself: choose another name."
            if name.lower() != word
            else f"“{name}” is a word that the site uses itself: choose another name."
        )
    return found


def validate(name: str) -> None:
    """Raise Django's ValidationError with all the problems of `name`, if it has any."""
    if found := problems(name):
        raise ValidationError([ValidationError(sentence, code="robo_name") for sentence in found])


def _reserved(name: str) -> str | None:
    """The reserved word that a reader could take `name` for."""
    shapes = {_shape(name), _shape(name.rstrip("0123456789-_"))}
    return next((word for word in RESERVED if _shape(word) in shapes), None)


def _shape(name: str) -> str:
    """What a fleeting glance sees: no case, no joints, figures as the letters that they resemble, i as l."""
    return re.sub("[-_]", "", name).lower().translate(_LETTERS_FOR_FIGURES).replace("i", "l")
