"""Show the OpenAPI document as JSON, and as a page for people."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils import translation
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.generic import TemplateView
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.web.api import PublicResource

Document = Mapping[str, Any]

PREFIX = "/api/v1/"
TITLES = {
    "people": "People",
    "games": "Games",
    "lobby": "Lobby",
    "turns": "Turns",
    "votes": "Votes",
    "chat": "Chat",
    "missions": "Missions",
    "records": "Records",
    "library": "Library",
    "reviews": "Reviews of starships",
    "reports": "Reports to staff",
    "shipyard": "Shipyard",
    "sharing": "Shared starships",
    "suggestions": "Suggested starships",
    "dock": "Space Dock",
    "promotions": "Promotion",
}
"""Titles of the groups, in the order of the page. Other groups use their own name."""


@dataclass(frozen=True, slots=True)
class DocumentedField:
    """A parameter or field. ``kind`` is its type, with links to components."""

    name: str
    kind: SafeString
    required: bool
    said: SafeString


@dataclass(frozen=True, slots=True)
class Answer:
    """A response of a call: its status, meaning and body."""

    status: int
    said: SafeString
    kind: SafeString

    @property
    def good(self) -> bool:
        """Whether the call succeeded."""
        return self.status < 400


@dataclass(frozen=True, slots=True)
class DocumentedCall:
    """A call. ``example`` is its shell command."""

    anchor: str
    method: str
    path: str
    summary: str
    said: SafeString
    public: bool
    parameters: Sequence[DocumentedField]
    takes: SafeString | None
    example: str
    answers: Sequence[Answer]
    refusals: Sequence[Answer]


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    title: str
    calls: Sequence[DocumentedCall]


@dataclass(frozen=True, slots=True)
class Component:
    """A named JSON value: an object with fields, or another type."""

    name: str
    said: SafeString
    fields: Sequence[DocumentedField]
    kind: SafeString | None


def groups_of(document: Document, *, site: str) -> list[Group]:
    """Return the calls of an OpenAPI document in groups. Examples use this ``site``.

    >>> document = {"paths": {"/api/v1/me": {"get": {
    ...     "summary": "Get my account", "operationId": "get_me", "tags": ["people"],
    ...     "security": [{"token": []}], "responses": {"200": {"description": ""}}}}}}
    >>> [(group.title, group.calls[0].path, group.calls[0].public) for group in groups_of(document, site="")]
    [('People', 'me', False)]
    """
    found: dict[str, list[DocumentedCall]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or ["other"])[0]
            found.setdefault(tag, []).append(_call(path, method, operation, site))
    order = [*(tag for tag in TITLES if tag in found), *(tag for tag in found if tag not in TITLES)]
    return [Group(tag, TITLES.get(tag, tag.capitalize()), found[tag]) for tag in order]


def shapes_of(document: Document) -> list[Component]:
    """Return the components of an OpenAPI document by name."""
    return [_shape(name, schema) for name, schema in sorted(document["components"]["schemas"].items())]


def _call(path: str, method: str, operation: Document, site: str) -> DocumentedCall:
    body = _content(operation.get("requestBody", {}))
    answers = [
        Answer(int(status), prose(answer.get("description", "")), _kind(_content(answer).get("schema")))
        for status, answer in operation["responses"].items()
    ]
    public = {} in operation.get("security", [{}])
    return DocumentedCall(
        anchor=operation["operationId"],
        method=method.upper(),
        path=path.removeprefix(PREFIX),
        summary=operation["summary"],
        said=prose(operation.get("description", "")),
        public=public,
        parameters=[_parameter(each) for each in operation.get("parameters", ())],
        takes=_kind(body["schema"]) if body else None,
        example=_example(path, method, body, site, public=public),
        answers=[answer for answer in answers if answer.good],
        refusals=[answer for answer in answers if not answer.good],
    )


def _content(part: Document) -> Document:
    content: Document = part.get("content", {})
    return next(iter(content.values()), {})


def _parameter(parameter: Document) -> DocumentedField:
    schema = parameter.get("schema", {})
    return DocumentedField(
        parameter["name"],
        _kind(schema),
        parameter.get("required", False),
        prose(parameter.get("description", "")),
    )


def _example(path: str, method: str, body: Document, site: str, *, public: bool) -> str:
    lines = [f"curl {site}{path}" if method == "get" else f"curl -X {method.upper()} {site}{path}"]
    if not public:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if body:
        examples: Document = body.get("examples", {})
        example: Any = next((each["value"] for each in examples.values()), {})
        lines += ['-H "Content-Type: application/json"', f"-d '{json.dumps(example, ensure_ascii=False)}'"]
    return " \\\n  ".join(lines)


def _shape(name: str, schema: Document) -> Component:
    required = schema.get("required", ())
    fields = [
        DocumentedField(
            key, _kind(each), key in required, prose(each.get("description") or each.get("title", ""))
        )
        for key, each in schema.get("properties", {}).items()
    ]
    kind = None if fields else _kind({key: value for key, value in schema.items() if key != "description"})
    return Component(name, prose(schema.get("description", "")), fields, kind)


def _kind(schema: Document | bool | None) -> SafeString:
    """Describe the type of a value, with links to named components."""
    if not isinstance(schema, Mapping) or not schema:
        return SafeString("anything" if schema == {} or schema is True else "")
    if reference := schema.get("$ref"):
        name = reference.rsplit("/", 1)[-1]
        return format_html('<a href="#shape-{}">{}</a>', name, name)
    if "const" in schema:
        return format_html("<code>{}</code>", json.dumps(schema["const"]))
    if "enum" in schema:
        return _either([format_html("<code>{}</code>", json.dumps(value)) for value in schema["enum"]])
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return _either([_kind(each) for each in schema[key]])
    return _either([_plain(kind, schema) for kind in _types(schema)])


def _types(schema: Document) -> list[str]:
    kinds = schema.get("type", "object" if "properties" in schema else "")
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _plain(kind: str, schema: Document) -> SafeString:
    if kind == "array":
        return format_html("list of {}", _kind(schema.get("items") or {}))
    if kind == "object":
        of = schema.get("additionalProperties")
        return (
            format_html("object of {}", _kind(of)) if isinstance(of, Mapping) and of else SafeString("object")
        )
    words = {
        "integer": "whole number",
        "string": "text",
        "boolean": "true or false",
        "null": "null",
        "": "anything",
    }
    return format_html("{}{}", words.get(kind, kind), "".join(_limits(kind, schema)))


def _limits(kind: str, schema: Document) -> Iterator[str]:
    """Yield the limits of a value, in a few words."""
    if kind in ("integer", "number"):
        least, most = schema.get("minimum"), schema.get("maximum")
        if least is not None and most is not None:
            yield f" from {least} to {most}"
        elif least is not None:
            yield f" from {least}"
        elif most is not None:
            yield f" up to {most}"
    if kind == "string":
        if form := schema.get("format"):
            yield f" ({form})"
        if most := schema.get("maxLength"):
            yield f" of at most {most} characters"


def _either(kinds: Sequence[SafeString]) -> SafeString:
    unlike = list(dict.fromkeys(kind for kind in kinds if kind))
    return format_html_join(" or ", "{}", ((kind,) for kind in unlike))


CODE = re.compile(r"`([^`]+)`")


def prose(text: str) -> SafeString:
    """Return a description as HTML paragraphs with marked-up code.

    >>> prose("Give `me`.")
    '<p>Give <code>me</code>.</p>'
    """
    blocks = [" ".join(block.splitlines()) for block in text.strip().split("\n\n")]
    parts = [SafeString(CODE.sub(r"<code>\1</code>", escape(block))) for block in blocks if block]
    return format_html_join("", "<p>{}</p>", ((part,) for part in parts))


class DocumentCall(PublicResource):
    """``GET schema``."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI document of this API, as JSON."""
        return Response(openapi(), headers={"Cache-Control": "max-age=300"})


class Reference(TemplateView):
    """``GET docs``: the API reference for people."""

    template_name = "api/reference.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        site = self.request.build_absolute_uri("/").rstrip("/")
        groups, shapes = groups_of(openapi(), site=site), shapes_of(openapi())
        return super().get_context_data(**more) | {"site": site, "groups": groups, "shapes": shapes}


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document, in English. It is made only once."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    with translation.override("en"):
        document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document
