"""Set up a site in English and German."""

from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from roborunner.translations import LOCALE

BOTH = [("en", "English"), ("de", "Deutsch")]
GERMAN_FILE = LOCALE / "de" / "LC_MESSAGES" / "django.po"

GERMAN_BROWSER = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


def speak_german(settings: Any, folder: Path, translation: Catalog) -> None:
    """Turn German on, and compile the given translation into ``folder``."""
    compiled = folder / "de" / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, translation)
    settings.LOCALE_PATHS = [folder]
    settings.LANGUAGES = BOTH


def translation(sentences: dict[str, str]) -> Catalog:
    """Return a German translation of only the given sentences."""
    catalog = Catalog(locale="de")
    for english, german in sentences.items():
        catalog.add(english, german)
    return catalog
