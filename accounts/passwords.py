"""Check new passwords: length, words of this site, and lists of stolen passwords.

A password may contain digits, letters, spaces and signs of any script.

A Bloom filter beside this module holds the most common passwords of public breaches, except those that are
too short to be accepted. It recognises each of them. It also rejects one in ten thousand other passwords.
`docs/access.md` names the sources of the lists; `python -m accounts.passwords LIST...` writes the filter.
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

MAX_LENGTH: Final = 128
"""The maximum length of a password, in characters. All of them count."""

OWN_WORDS: Final = ("roborunner", "robots", "robot", "robo", "runner", "starships", "starship", "checkpoint")
"""Words that many people here try first. Longer ones precede their prefixes."""

MIN_OTHER_LETTERS: Final = 4
"""The minimum number of other letters in a password with words of this site."""


class MaxLengthValidator:
    """Rejects passwords longer than `MAX_LENGTH`, since hashing them takes long."""

    def validate(self, password: str, user: object = None) -> None:
        if len(password) > MAX_LENGTH:
            raise ValidationError(
                gettext("This password is too long: {count} characters. The limit is {most}.").format(
                    count=len(password), most=MAX_LENGTH
                ),
                code="password_too_long",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t have more than {most} characters.").format(most=MAX_LENGTH)


class OwnWordsValidator:
    """Rejects passwords made of words of this site with digits and signs around them."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError if the password has too few other letters."""
        letters = re.sub(r"[\W\d_]", "", password.casefold())
        rest = re.sub("|".join(OWN_WORDS), "", letters)
        if rest != letters and len(rest) < MIN_OTHER_LETTERS:
            raise ValidationError(
                gettext("This password is too similar to words of this site. Choose another."),
                code="password_own_words",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t be based on a word of this site.")


FILE: Final = Path(__file__).with_name("breached.bloom")

MIN_LENGTH_IN_FILE: Final = 8
"""The minimum length of a password in the file. Shorter ones are refused anyway."""

FALSE_POSITIVE_RATE: Final = 1e-4
"""The rate of false positives."""

HASHES: Final = math.ceil(-math.log2(FALSE_POSITIVE_RATE))


def write(passwords: Iterable[str], file: Path = FILE) -> int:
    """Write the file from a list of passwords. Return the number of passwords in it."""
    known = {folded for each in passwords if len(folded := _folded(each)) >= MIN_LENGTH_IN_FILE}
    bits = bytearray(math.ceil(len(known) * HASHES / math.log(2) / 8))
    for each in known:
        for place in _places(each, len(bits)):
            bits[place >> 3] |= 1 << (place & 7)
    file.write_bytes(bits)
    return len(known)


def is_breached(password: str) -> bool:
    """Return whether a password is on the list, ignoring case."""
    bits = _bits(FILE)
    return all(bits[place >> 3] & 1 << (place & 7) for place in _places(_folded(password), len(bits)))


class BreachedPasswordValidator:
    """Rejects the passwords on lists of stolen passwords."""

    def validate(self, password: str, user: object = None) -> None:
        if is_breached(password):
            raise ValidationError(
                _("This password is on a list of stolen passwords. Choose another."), code="password_breached"
            )

    def get_help_text(self) -> str:
        return _("Your password can’t be on a list of stolen passwords.")


def _folded(password: str) -> str:
    return password.strip().casefold()


def _places(folded: str, size: int) -> Iterator[int]:
    """Yield the positions of a password's bits in a file of ``size`` bytes."""
    digest = hashlib.blake2b(folded.encode(errors="surrogatepass"), digest_size=16).digest()
    first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:]) | 1
    for number in range(HASHES):
        yield (first + number * step) % (size * 8)


@lru_cache(maxsize=1)
def _bits(file: Path) -> mmap.mmap:
    """Map the file into memory. Each process reads only the pages it needs."""
    with file.open("rb") as opened:
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


def _read(files: Iterable[str]) -> Iterator[str]:
    """Yield the lines of text files, gzipped or not."""
    for name in files:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(name, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                yield str(line)


if __name__ == "__main__":
    sys.stdout.write(f"{write(_read(sys.argv[1:]))} passwords are known.\n")
