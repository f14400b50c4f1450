"""Check new passwords: length, words of this site, and lists of stolen passwords.

A password may contain digits, letters, spaces and signs of any script.

A Bloom filter beside this module contains the most common passwords of public breaches, without any that are
too short to be accepted. It rejects each of these passwords, and also about one in 10,000 other passwords.
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
"""The maximum length of a password, in characters. No character is ignored."""

OWN_WORDS: Final = ("roborunner", "robots", "robot", "robo", "runner", "starships", "starship", "checkpoint")
"""Words of this site, which people often use in passwords. A word comes before its own prefixes."""

MIN_OTHER_LETTERS: Final = 4
"""The minimum number of letters in a password in addition to words of this site."""


class MaxLengthValidator:
    """Rejects passwords longer than `MAX_LENGTH`, because they take too long to hash."""

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
    """Rejects passwords with little more than words of this site, digits and signs."""

    def validate(self, password: str, user: object = None) -> None:
        """Raise ValidationError if the password has too few letters in addition to words of this site.

        A password without a word of this site is always accepted.
        """
        letters = re.sub(r"[\W\d_]", "", password.casefold())
        rest = re.sub("|".join(OWN_WORDS), "", letters)
        if rest != letters and len(rest) < MIN_OTHER_LETTERS:
            raise ValidationError(
                gettext("This password is too similar to a word used on this site. Choose another."),
                code="password_own_words",
            )

    def get_help_text(self) -> str:
        return gettext("Your password can’t be based on a word used on this site.")


FILE: Final = Path(__file__).with_name("breached.bloom")

MIN_LENGTH_IN_FILE: Final = 8
"""The minimum length of a password in the Bloom filter. Shorter passwords are refused anyway."""

FALSE_POSITIVE_RATE: Final = 1e-4
"""The share of passwords outside the lists that the Bloom filter rejects by mistake."""

HASHES: Final = math.ceil(-math.log2(FALSE_POSITIVE_RATE))


def write(passwords: Iterable[str], file: Path = FILE) -> int:
    """Write the Bloom filter for these passwords. Return the number of passwords in the filter."""
    known = {folded for each in passwords if len(folded := _folded(each)) >= MIN_LENGTH_IN_FILE}
    bits = bytearray(math.ceil(len(known) * HASHES / math.log(2) / 8))
    for each in known:
        for place in _places(each, len(bits)):
            bits[place >> 3] |= 1 << (place & 7)
    file.write_bytes(bits)
    return len(known)


def is_breached(password: str) -> bool:
    """Return whether the Bloom filter contains a password, ignoring case.

    About one in 10,000 other passwords also match.
    """
    bits = _bloom_filter(FILE)
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
    """Yield the bit positions of a password in a Bloom filter of ``size`` bytes."""
    digest = hashlib.blake2b(folded.encode(errors="surrogatepass"), digest_size=16).digest()
    first, step = int.from_bytes(digest[:8]), int.from_bytes(digest[8:]) | 1
    for number in range(HASHES):
        yield (first + number * step) % (size * 8)


@lru_cache(maxsize=1)
def _bloom_filter(file: Path) -> mmap.mmap:
    """Map the Bloom filter into memory. Each process then reads only the parts that it needs."""
    with file.open("rb") as opened:
        return mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)


def _read(files: Iterable[str]) -> Iterator[str]:
    """Yield the lines of text files. Files whose names end with ``.gz`` are unzipped."""
    for name in files:
        opened = gzip.open if name.endswith(".gz") else open
        with opened(name, "rt", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                yield str(line)


if __name__ == "__main__":
    sys.stdout.write(f"{write(_read(sys.argv[1:]))} passwords are known.\n")
