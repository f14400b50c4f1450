"""Extraction methods for Babel, to write the catalogue of texts (`make messages`).

Babel's own method for Python misses calls inside calls, and extracts strings that are not messages. Only
development needs this module: `roborunner.translations` compiles translations.
"""

import ast
import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from io import BytesIO
from typing import IO, Any

from babel.messages import catalog, frontend
from babel.messages.extract import extract_python
from babel.messages.jslexer import Token, tokenize, unquote_string
from django.utils.translation.template import templatize
from markdown_it import MarkdownIt

Found = tuple[int, str, str | tuple[str | None, ...], list[str]]
"""A text to translate: its line number, the name of the gettext function, the text, and comments.

If the function has several arguments, such as a singular and a plural, a tuple of them takes the place of the
text.
"""


def extract_from_code(
    module: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """Yield the messages in a Python module, from gettext calls and from the steps of the rules."""
    tree = ast.parse(module.read())
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.FunctionDef))
    for node in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in keywords:
                for arguments in _arguments(node):
                    yield node.lineno, name, arguments, []
            case ast.Call(func=ast.Name(id="step"), args=[name, *_], keywords=more):
                for value in (name, *(each.value for each in more if each.arg == "text")):
                    for text in _texts(value):
                        yield node.lineno, "gettext", _on_one_line(text), []
            case ast.FunctionDef(decorator_list=decorators) if any(map(_makes_step, decorators)):
                if stated := ast.get_docstring(node):
                    yield node.lineno, "gettext", _on_one_line(stated), []


def _makes_step(decorator: ast.expr) -> bool:
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "step"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def _arguments(call: ast.Call) -> Iterator[tuple[str | None, ...]]:
    """Yield the string arguments of a call, with None for all other arguments.

    If a conditional expression chooses between two strings, yields the arguments once for each string.
    """
    found = [tuple(_texts(each)) or (None,) for each in call.args]
    yield tuple(texts[0] for texts in found)
    if any(len(texts) > 1 for texts in found):
        yield tuple(texts[-1] for texts in found)


def _texts(value: ast.expr) -> Iterator[str]:
    match value:
        case ast.Constant(value=str(text)) if text:
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _texts(one)
            yield from _texts(other)


def extract_from_script(
    script: IO[bytes], keywords: Collection[str], comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """Yield the messages in a script."""
    yield from _messages_in_script(script.read().decode(), keywords, 1)


def _messages_in_script(source: str, keywords: Collection[str], line: int) -> Iterator[Found]:
    tokens = [each for each in tokenize(source, lineno=line) if "comment" not in each.type]
    for index, token in enumerate(tokens):
        if token.type == "template_string":
            yield from _messages_in_script(token.value[1:-1], keywords, token.lineno)
        if token.value not in keywords or len(tokens) < index + 5 or tokens[index + 1].value != "(":
            continue
        one, comma, other = tokens[index + 2 : index + 5]
        if one.type == other.type == "string" and comma.value == ",":
            yield token.lineno, token.value, (_unquoted(one), _unquoted(other)), []
        elif one.type == "string":
            yield token.lineno, token.value, _unquoted(one), []


def _unquoted(token: Token) -> str:
    return unquote_string(token.value)


def extract_from_template(
    template: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Any
) -> Iterator[Any]:
    """Yield the messages in a template.

    Django's `templatize` converts the template to Python-like code, with each message in a gettext call on
    the message's line.
    """
    calls = "\n".join(line.strip() for line in templatize(template.read().decode()).splitlines())
    yield from extract_python(BytesIO(calls.encode()), keywords, comment_tags, options)


def extract_from_data(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Mapping[str, str]
) -> Iterator[Found]:
    """Yield the texts in some fields of a JSON or TOML file. The option ``fields`` has their names."""
    source = file.read().decode()
    document = json.loads(source) if source.startswith("{") else tomllib.loads(source)
    for text in _texts_in(document, options["fields"].split()):
        yield 1, "gettext", text, []


def _texts_in(document: Any, fields: Collection[str]) -> Iterator[str]:
    if isinstance(document, list):
        for each in document:
            yield from _texts_in(each, fields)
    elif isinstance(document, dict):
        for key, value in document.items():
            if key in fields and isinstance(value, str):
                yield value
            else:
                yield from _texts_in(value, fields)


def extract_from_document(
    file: IO[bytes], keywords: Mapping[str, Any], comment_tags: Collection[str], options: Any
) -> Iterator[Found]:
    """Yield the paragraphs, headings, list items and cells of a Markdown document."""
    for token in MarkdownIt("commonmark").enable("table").parse(file.read().decode()):
        if token.type == "inline" and token.content:
            yield (token.map or [0])[0] + 1, "gettext", token.content, []


def main() -> None:
    """Run pybabel without mistaking the “% o” in “80 % of games” for a placeholder."""
    catalog.PYTHON_FORMAT = re.compile(r"%\(\w+\)s")
    frontend.main()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
