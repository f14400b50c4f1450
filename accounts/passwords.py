"""Check new passwords: length, words of this site, and lists of stolen passwords.

A password may consist of anything: figures, letters, spaces and signs of any script.

The most common passwords of public breaches that are long enough to be chosen here are in a Bloom filter
beside this module. It knows each of them, and takes one in ten thousand other passwords for one of them.
`docs/access.md` says where the lists are from; `python -m accounts.passwords LIST...` makes it.
"""

import gzip
import hashlib
import math
import mmap
import re
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext as _

LONGEST: Final = 128
"""Characters of the longest password, all of which count."""

OWN_WORDS: Final = ("roborunner", "robots", "robot", "robo", "runner", "starships", "starship", "checkpoint")
"""What comes to everybody's mind here, longer ones before those that they begin with."""

LEAST_OF_ONE_S_OWN: Final = 4
"""Letters that a password has beside words of this site, where it has any of them."""


class LongestPasswordValidator:
    """Refuses what no one types, and takes long to calculate with."""

    def validate(self, password: str, user: object = None) -> None:
        if len(password) > LONGEST:
            raise ValidationError(
                gettext("This password has {count} characters, and at most {most} are allowed.").format(
                    count=len(password), most=LONGEST
                ),
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t have more than {most} characters.").format(most=LONGEST)


class OwnWordsValidator:
    """Refuses passwords that are words of this site, with figures and signs round them."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError for a password that has nothing else in it."""
        letters = re.sub(r"[\W\d_]", "", password.casefold())
        rest = re.sub("|".join(OWN_WORDS), "", letters)
        if rest != letters and len(rest) < LEAST_OF_ONE_S_OWN:
            raise ValidationError(
                gettext("This password is too close to the words of this site: choose another."),
                code="password_own_words",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t be a word of this site.")


FILE: Final = Path(__file__).with_name("breached.bloom")

SHORTEST_IN_FILE: Final = 8
"""Characters of the shortest password in the file: shorter ones are refused anyway."""

ODDS: Final = 1e-4
"""How often a password is taken for a breached one that is none."""

HASHES: Final = math.ceil(-math.log2(ODDS))


def write(passwords: Iterable[str], file: Path = FILE) -> int:
    """Make the file from a list; return how many passwords it knows."""
    known = {folded for each in passwords if len(folded := _folded(each)) >= SHORTEST_IN_FILE}
    bits = bytearray(math.ceil(len(known) * HASHES / math.log(2) / 8))
    for each in known:
        for place in _places(each, len(bits)):
            bits[place >> 3] |= 1 << (place & 7)
    file.write_bytes(bits)
    return len(known)


def is_breached(password: str) -> bool:
    """Return whether a password is one of the list, in whatever case its letters are."""
    bits = _bits(FILE)
    return all(bits[place >> 3] & 1 << (place & 7) for place in _places(_folded(password), len(bits)))


class BreachedPasswordValidator:
    """Refuses the passwords that everybody who guesses passwords tries first."""

    def validate(self, password: str, user: object = None) -> None:
        if is_breached(password):
            raise ValidationError(
                _("This password is on lists of stolen passwords: choose another."), code="password_breached"
            )

    def get_help_text(self) -> str:
        return _("Your password can’t be on a list of stolen passwords.")


def _folded(password: str) -> str:
    return password.strip().casefold()


def _places(folded: str, size: int) -> Iterator[int]:
    """Yield the bits that stand for a password in a file of that many bytes."""
    digest = hashlib.blake2b(folded.encode(errors="surrogatepass"), digest_size=16).digest()
    first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:]) | 1
    for number in range(HASHES):
        yield (first + number * step) % (size * 8)


@lru_cache(maxsize=1)
def _bits(file: Path) -> mmap.mmap:
    """Return the file, of which each process reads the pages that it asks for."""
    with file.open("rb") as opened:
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


def _read(files: Iterable[str]) -> Iterator[str]:
    """Yield the lines of lists, packed or not."""
    for name in files:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(name, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                yield str(line)


if __name__ == "__main__":
    sys.stdout.write(f"{write(_read(sys.argv[1:]))} passwords are known.\n")
