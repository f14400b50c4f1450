"""Which texts have rude words in them, by the lists of glin-profanity, for English and German.

Its lists have much that is ordinary where robots shoot and suck: ``ordinary.txt`` leaves it out, and
``rude.txt`` has what they lack. All are loaded with the first text that is asked about, since that takes a
tenth of a second.
"""

import re
import unicodedata
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from glin_profanity import Filter

LANGUAGES: Final = ("english", "german")

MASKS: Final = "*#"
"""What stands for a letter within a word. At its ends it does not: there it is emphasis, or a footnote."""

MOST_LETTERS: Final = 3
"""Letters that the filter reads in one character, such as “ﬃ”: no rude word has a character of more."""

_AROUND: Final = re.compile(rf"(?<!\w)[{MASKS}]+|[{MASKS}]+(?!\w)")


def words(name: str) -> set[str]:
    """Return the words of one of the lists that stand beside this module."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


@lru_cache(maxsize=4096)
def is_rude(text: str) -> bool:
    """Return whether a text has rude words in it, also with letters masked or spaced out.

    >>> is_rude("What a bullshit move"), is_rude("f*ck, my robot"), is_rude("So ein Arschloch")
    (True, True, True)
    >>> is_rude("Shoot, push, destroy: one hell of a turn in the cockpit, Mr Dickens!")
    False
    """
    return bool(_filter().is_profane(_AROUND.sub(" ", _bounded(text))))


def _bounded(text: str) -> str:
    """Replace the characters that stand for more than `MOST_LETTERS` with spaces.

    >>> _bounded("ﬃ\ufdfa!")
    'ﬃ !'
    """
    if text.isascii():
        return text
    return "".join(each if len(unicodedata.normalize("NFKD", each)) <= MOST_LETTERS else " " for each in text)


@cache
def _filter() -> "Filter":
    from glin_profanity import Filter
    from glin_profanity.data.dictionary import dictionary

    # What has more than one word is rare, and four fifths of the time went into looking for it.
    phrases = {word for language in LANGUAGES for word in dictionary.get_words(language) if " " in word}
    return Filter(
        {
            "languages": list(LANGUAGES),
            "custom_words": sorted(words("rude")),
            "ignore_words": sorted(words("ordinary") | phrases),
            "obfuscation": {"masking": {"chars": f"{MASKS}$"}},
        }
    )
