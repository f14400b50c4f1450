"""What the rules tell, in the reader's language: sentences of the log, and names in a row."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext, ngettext

import rules
from rules import language

WORDS: Final = rules.Words(gettext, ngettext)


def sentence_of(event: Mapping[str, Any]) -> str:
    return rules.sentence(event, WORDS)


def told(text: str) -> str:
    """Return what the rules say; a text of someone else stays as it is."""
    return language.told(text, WORDS)


def joined(names: list[str]) -> str:
    """Return names as a list in a sentence: “Bob and Carol”."""
    return language.joined(names, WORDS)


def way(letter: str) -> str:
    """Return a direction: “north” for N."""
    return WORDS(language.WAYS[letter])
