"""Compile the translations of the catalogue, for pages and for scripts.

Run ``python -m roborunner.translations`` wherever the site is installed, before ``collectstatic``.
"""

import json
import os
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.utils.translation import to_language
from django.utils.translation.trans_real import CONTEXT_SEPARATOR

PROJECT: Final = Path(__file__).parents[1]
LOCALE: Final = PROJECT / "locale"
SCRIPTS: Final = PROJECT / "static" / "languages"
"""The directory of the translations for JavaScript: one script for each language.

`site/words.js` looks up sentences in the script of the page's language.
"""


def translation_files() -> list[Path]:
    """Return the source files of all translations."""
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
    """Compile each translation: for Django beside its source, and for scripts into ``scripts``."""
    scripts.mkdir(exist_ok=True)
    for file in translation_files():
        translation = read(file)
        compiled = BytesIO()
        write_mo(compiled, translation)
        _replace(file.with_suffix(".mo"), compiled.getvalue())
        _replace(scripts / f"{to_language(language_in(file))}.js", script_of(translation).encode())


def _replace(file: Path, content: bytes) -> None:
    """Write a file in one step, because a running site or another test may be reading it."""
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(file)


def script_of(translation: Catalog) -> str:
    """Return a script that defines the translated sentences of other scripts.

    The script defines the same names as Django's JavaScriptCatalog.
    """
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
    return f"{message.context}{CONTEXT_SEPARATOR}{sentence}" if message.context else sentence


if __name__ == "__main__":
    compile_all()
