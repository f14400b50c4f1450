"""Check the characters of names and texts, in all forms and documents.

A name needs at least one visible character. Invisible characters and changes of text direction are forbidden.
A letter must not have too many accents, which would cover other lines. Every script is allowed, with the
joiners that it needs, and so are emoji and no-break spaces. A text may also have line breaks and layout
characters.

>>> [fault_of_name(name) for name in ("Клуб 7", "می‌خواهم", "Crew 👩‍🚀🏴‍☠️", "Zoë’s Barge")]
[None, None, None, None]
>>> fault_of_name("Ca\\u200bnoe")
'U+200B (ZERO WIDTH SPACE) is invisible. Remove it.'
"""

import re
import unicodedata
from typing import Final

from rules.language import N_, Sentence

MAX_MARKS: Final = 2
"""The maximum number of marks on one letter, such as accents.

If the marks are all different and belong to a script, the maximum is twice this number.
"""

BIDI_CONTROLS: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Control characters that change the direction of the text around them."""

BLANKS: Final = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffc\U0001d159\u034f")
"""Letters, marks and symbols that are not visible."""

JOINERS: Final = frozenset("\u200c\u200d")
"""Invisible characters that connect the characters around them, or keep them from connecting."""

SELECTORS: Final = frozenset((*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))))
"""Variation selectors, which choose a shape of the character before them."""

MONGOLIAN: Final = frozenset("\u180b\u180c\u180d\u180e\u180f")
"""Variation selectors and a vowel separator that only Mongolian letters may have."""

NUMBER_SIGNS: Final = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Format characters that are visible, because they enclose digits."""

JOINING_SCRIPTS: Final = frozenset(
    (
        *("ADLAM", "ARABIC", "BALINESE", "BENGALI", "CHAKMA", "DEVANAGARI", "GUJARATI", "GURMUKHI"),
        *("JAVANESE", "KANNADA", "KHMER", "MALAYALAM", "MANDAIC", "MONGOLIAN", "MYANMAR", "NKO", "ORIYA"),
        *("PHAGS-PA", "SINHALA", "SYRIAC", "TAMIL", "TELUGU", "TIBETAN"),
    )
)
"""Scripts with connected letters. They may need joiners between letters."""

IS_INVISIBLE: Final = N_("{character} is invisible. Remove it.")
CHANGES_DIRECTION: Final = N_("{character} changes the direction of the text around it. Remove it.")
TOO_MANY_MARKS: Final = N_("{character} is one mark too many. A letter can have at most {most}.")
LACKS_LETTER: Final = N_("{character} is a mark without a letter. Put a letter before it.")
NOTHING_VISIBLE: Final = N_("This name has no visible characters. Use a letter, a digit or a symbol.")

_VIRAMA: Final = 9
"""The Unicode combining class of viramas: signs that remove a letter's vowel."""

_FLAG: Final = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
"""The flag of a region: a black flag, followed by tag characters with the region's code."""

_LINE: Final = frozenset("\n\r\t")
_SKIN: Final = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def fault_of_name(name: str) -> Sentence | None:
    """Return the first fault of a name: a forbidden character, or nothing visible.

    Returns None if the name is allowed.
    """
    found = _fault(name, text=False)
    return found if found or is_visible(name) else Sentence(NOTHING_VISIBLE)


def fault_of_text(text: str) -> Sentence | None:
    """Return the first forbidden character of a text, or None. A text may be empty."""
    return _fault(text, text=True)


def is_visible(text: str) -> bool:
    """Return whether a text has at least one visible character.

    >>> is_visible("🚀"), is_visible(" \\u3164")
    (True, False)
    """
    return any(
        unicodedata.category(each)[0] in "LNPSC" and each not in BLANKS for each in text if _has_shape(each)
    )


def describe_character(character: str) -> Sentence:
    """Describe a character by its code point and name, so that people can find it.

    >>> describe_character("\\u202e"), describe_character("\\0")
    ('U+202E (RIGHT-TO-LEFT OVERRIDE)', 'U+0000 (control character)')
    """
    name = unicodedata.name(character, "")
    point = f"{ord(character):04X}"
    if name:
        return Sentence("U+{point} ({name})", point=point, name=name)
    if unicodedata.category(character) == "Cc":
        return Sentence("U+{point} (control character)", point=point)
    return Sentence("U+{point}", point=point)


def _fault(whole: str, *, text: bool) -> Sentence | None:
    """Return a message about the first forbidden character of a name or, with ``text``, of a text."""
    if whole.isascii() and whole.isprintable():
        return None
    whole = _FLAG.sub("\U0001f3f4", whole)
    before = ""
    marks: list[str] = []
    for place, here in enumerate(whole):
        after = whole[place + 1 : place + 2]
        if here in BIDI_CONTROLS:
            return Sentence(CHANGES_DIRECTION, character=describe_character(here))
        if text and here in _LINE:
            marks = []
        elif not _is_seen(before, here, after, text=text):
            return Sentence(IS_INVISIBLE, character=describe_character(here))
        elif here in JOINERS or here in SELECTORS or here in MONGOLIAN:
            pass
        elif unicodedata.category(here)[0] == "M":
            if not before:
                return Sentence(LACKS_LETTER, character=describe_character(here))
            marks = [*(marks or _marks_in(before)), here]
            if _has_too_many_marks(marks):
                return Sentence(TOO_MANY_MARKS, character=describe_character(here), most=MAX_MARKS)
        else:
            marks = []
        before = here
    return None


def _is_seen(before: str, here: str, after: str, *, text: bool) -> bool:
    """Return whether a character is visible, or allowed because its neighbours need it."""
    if here in MONGOLIAN:
        return text or _script(before) == "MONGOLIAN"
    if text:
        return _has_shape(here) or unicodedata.category(here) in ("Cf", "Zs")
    if here in JOINERS:
        return _joins(before, here, after)
    if here in SELECTORS:
        return before not in SELECTORS and unicodedata.category(before or " ")[0] in "LNPSC"
    return here not in BLANKS and (_has_shape(here) or unicodedata.category(here) == "Zs")


def _has_shape(character: str) -> bool:
    """Return whether a character is visible. Unassigned characters may become visible, so they count too."""
    kind = unicodedata.category(character)
    if kind == "Cn":
        return not (0xFDD0 <= ord(character) <= 0xFDEF or ord(character) & 0xFFFE == 0xFFFE)
    return kind[0] not in "CZ" or character in NUMBER_SIGNS


def _joins(before: str, here: str, after: str) -> bool:
    """Return whether the characters before and after a joiner need it."""
    if not before:
        return False
    if here == "\u200d" and (
        before == "\ufe0f" or before in _SKIN or unicodedata.category(before) in ("So", "Cn")
    ):
        return after == "↔" or unicodedata.category(after or " ") in ("So", "Cn")
    if unicodedata.combining(before) == _VIRAMA:
        return True
    return _script(before) in JOINING_SCRIPTS and _script(after) in JOINING_SCRIPTS


def _script(character: str) -> str:
    """Return a letter's or mark's script: the first word of its Unicode name. Empty for other characters."""
    if not character or unicodedata.category(character)[0] not in "LM":
        return ""
    return unicodedata.name(character, "").partition(" ")[0]


def _marks_in(character: str) -> list[str]:
    """Return the marks that are part of a letter, such as the acute accent of “é”."""
    return [each for each in unicodedata.normalize("NFD", character) if unicodedata.category(each)[0] == "M"]


def _has_too_many_marks(marks: list[str]) -> bool:
    """Return whether these marks are too many for one letter.

    Hindi, Burmese and Hebrew write vowels, tones and signs as different marks on one letter, so a script's
    own marks have a higher limit. Such marks never cover other lines, unlike repeated or foreign accents.
    """
    if len(marks) <= MAX_MARKS:
        return False
    foreign = any(unicodedata.name(mark, "COMBINING").startswith("COMBINING") for mark in marks)
    return foreign or len(marks) > 2 * MAX_MARKS or len(set(marks)) < len(marks)
