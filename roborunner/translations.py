"""Compile the translations of the catalogue, for pages and for scripts.

Run ``python -m roborunner.translations`` wherever the site is installed, before ``collectstatic``.
"""

import json
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PROJECT: Final = Path(__file__).parents[1]
LOCALE: Final = PROJECT / "locale"
SCRIPTS: Final = PROJECT / "static" / "languages"
"""The directory for a script for each language. Other scripts find its sentences (`site/words.js`)."""

CONTEXT: Final = "\x04"
"""The character between a context and its message, as in gettext."""


def translation_files() -> list[Path]:
    """Return the files of all translations."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def read(file: Path) -> Catalog:
    """Return the translation in a file. Raises PoFileError if it is not valid."""
    with file.open("rb") as source:
        return read_po(source, locale=language_in(file), abort_invalid=True)


def language_in(file: Path) -> str:
    """Return the locale in the path of a translation.

    >>> language_in(Path("locale/pt_BR/LC_MESSAGES/django.po"))
    'pt_BR'
    """
    return file.parts[-3]


def compile_all(scripts: Path = SCRIPTS) -> None:
    """Write each translation for Django beside its source, and for scripts into a folder."""
    scripts.mkdir(exist_ok=True)
    for file in translation_files():
        translation = read(file)
        with file.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, translation)
        name = language_in(file).replace("_", "-").lower()  # as Django writes languages
        (scripts / f"{name}.js").write_text(script_of(translation))


def script_of(translation: Catalog) -> str:
    """Return the script with the sentences of scripts, as Django's JavaScriptCatalog names them."""
    said = {_key(each): each.string for each in translation if _is_for_scripts(each)}
    chosen = f"(n) => Number{translation.plural_expr}"
    return (
        "// @ts-nocheck\n"
        f"globalThis.django = {{ pluralidx: {chosen},\ncatalog: {json.dumps(said, ensure_ascii=False)} }};\n"
    )


def _is_for_scripts(message: Message) -> bool:
    forms = message.string if isinstance(message.string, tuple) else (message.string,)
    used = any(path.startswith("static/") for path, _line in message.locations)
    return used and all(forms) and not message.fuzzy


def _key(message: Message) -> str:
    sentence = message.id if isinstance(message.id, str) else message.id[0]
    return f"{message.context}{CONTEXT}{sentence}" if message.context else sentence


if __name__ == "__main__":
    compile_all()
