"""Extracts sentences from templates for the catalogue, as a method for Babel.

Babel, which only development needs, reads Python and JavaScript itself. Django converts a template into
pseudo-Python, with each sentence in a call of gettext, and keeps its lines.
"""

from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from babel.messages.extract import extract_python
from django.utils.translation.template import templatize


def sentences_of_template(
    template: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Yield line, function, arguments and comments of each sentence of a template."""
    calls = "\n".join(line.strip() for line in templatize(template.read().decode()).splitlines())
    yield from extract_python(BytesIO(calls.encode()), keywords, comment_tags, options)
