"""Robo Names: players' names, written the same way in an email, a log and a web address.

A player chooses a name once, for every game. The site refuses a name that looks like a reserved word, like
another player's name (`skeleton`), or like the name of a deleted account. A name with digits in place of
letters, or with a number at the end, can also look like a reserved word.

For a deleted account, the site stores only a hash of the name's skeleton. The hash takes time and memory to
compute, so someone who steals the database learns little by trying names.

>>> problems("Tin-Lizzy_7")
[]
>>> problems("5parky")
['A Robo Name must start with a letter.']
>>> problems("Adm1n")
['“Adm1n” looks like the reserved word “admin”. Choose another name.']
>>> skeleton("A1ice") == skeleton("Alice") == skeleton("ALICE__")
True
"""

import re
from hashlib import scrypt
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import F, Func, QuerySet, Value
from django.db.models.functions import Lower, Replace
from django.utils.translation import gettext, gettext_lazy as _

from rules.names import describe_character

MIN_LENGTH = 3
"""The minimum length of a Robo Name, in characters."""
MAX_LENGTH = 20
"""The maximum length of a Robo Name, in characters."""

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
"""Names reserved for the site, its staff and things in a game."""

LOOKS_LIKE_ANOTHER: Final = _("This looks too much like another player’s Robo Name. Choose another.")

MARKS: Final = "-_"
"""Separators in names. Look-alike checks ignore them, because readers overlook them easily."""

LOOK_ALIKE: Final = {"i": "l", "1": "l", "0": "o"}
"""A mapping from lower-case characters to their look-alikes in a skeleton.

In Unicode's table of confusable characters (UTS 39, confusables.txt), four rows have only characters of
names on both sides: 0 is like O, 1 and I are like l, and m is like rn. Case does not matter in names, so
the lower-case i counts as I.
"""

SKELETON: Final = Replace(
    Func(
        Lower(F("robo_name")),
        Value("".join(LOOK_ALIKE) + MARKS),
        Value("".join(LOOK_ALIKE.values())),
        function="TRANSLATE",
    ),
    Value("m"),
    Value("rn"),
)
"""The skeleton of a Robo Name as a database expression. It equals the result of `skeleton`."""

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_LETTERS_FOR_FIGURES = str.maketrans("3457", "east")


def problems(name: str) -> list[str]:
    """Return the reasons why a name cannot be a Robo Name, each as a sentence for people."""
    found = []
    if len(name) < MIN_LENGTH:
        found.append(
            gettext("This Robo Name is too short. Use {least} or more characters.").format(least=MIN_LENGTH)
        )
    if len(name) > MAX_LENGTH:
        found.append(
            gettext("This Robo Name is too long: {count} characters. Use up to {most}.").format(
                most=MAX_LENGTH, count=len(name)
            )
        )
    if foreign := _FOREIGN.search(name):
        sentence = gettext(
            "A Robo Name can’t contain {character}. Use the letters A to Z, digits, hyphens and underscores."
        )
        character = gettext("spaces") if foreign[0] == " " else describe_character(foreign[0])
        found.append(sentence.format(character=character))
    elif name and not name[0].isalpha():
        found.append(gettext("A Robo Name must start with a letter."))
    if not found and (word := _reserved(name)):
        found.append(
            gettext("“{name}” looks like the reserved word “{word}”. Choose another name.").format(
                name=name, word=word
            )
            if name.lower() != word
            else gettext("“{name}” is a reserved word. Choose another name.").format(name=name)
        )
    return found


def validate(name: str) -> None:
    """Raise Django's ValidationError with all reasons why a name cannot be a Robo Name, if there are any."""
    if found := problems(name):
        raise ValidationError([ValidationError(sentence, code="robo_name") for sentence in found])


def skeleton(name: str) -> str:
    """Return a form of a name that is equal for all names that look alike. `SKELETON` does the same in SQL.

    >>> skeleton("Tin-Lizzy_7"), skeleton("Adrnin") == skeleton("Admin")
    ('tlnllzzy7', True)
    """
    small = "".join(LOOK_ALIKE.get(character, character) for character in name.lower())
    return re.sub(f"[{MARKS}]", "", small).replace("m", "rn")


def _reserved(name: str) -> str | None:
    """Return the reserved word that a name looks like, or None if there is none."""
    shapes = {_shape(name), _shape(name.rstrip("0123456789-_"))}
    return next((word for word in RESERVED if _shape(word) in shapes), None)


def _shape(name: str) -> str:
    """Return a name's skeleton with letters in place of the digits 3, 4, 5 and 7, to find reserved words."""
    return skeleton(name).translate(_LETTERS_FOR_FIGURES)


def refuse_lookalike(name: str, *, among: QuerySet[Any]) -> None:
    """Raise Django's ValidationError if a name looks like the name of a player in ``among``.

    A name that equals a player's name, ignoring case, is not refused here.
    """
    alike = among.filter(skeleton=skeleton(name), is_guest=False, deleted_at=None)
    if alike.exclude(robo_name__iexact=name).exists():
        raise ValidationError(LOOKS_LIKE_ANOTHER, code="robo_name")


class RetiredName(models.Model):
    """The hash of a deleted account's Robo Name. No one can use the name again."""

    digest = models.CharField(max_length=64, primary_key=True)

    def __str__(self) -> str:
        return self.digest


_SALT: Final = b"Robo Runner, names of deleted accounts, 1"


def digest_of(name: str) -> str:
    """Return the hash of a Robo Name or of a skeleton, ignoring case."""
    return scrypt(name.lower().encode(), salt=_SALT, n=2**14, r=8, p=1, dklen=32).hex()


def retire(name: str) -> None:
    RetiredName.objects.get_or_create(digest=digest_of(skeleton(name)))


def refuse_retired(name: str) -> None:
    """Raise Django's ValidationError for a name that looks like the name of a deleted account."""
    if RetiredName.objects.filter(digest__in=[digest_of(skeleton(name)), digest_of(name)]).exists():
        sentence = gettext(
            "This Robo Name belonged to another player and can’t be used again. Choose another."
        )
        raise ValidationError(sentence, code="robo_name")
