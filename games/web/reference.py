"""Show the OpenAPI document as JSON, and as pages for people."""

import json
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.http import Http404
from django.urls import reverse
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
    "branches": "Branches",
    "chat": "Chat",
    "missions": "Missions",
    "daily": "Daily run",
    "puzzles": "Puzzles",
    "records": "Records",
    "library": "Library",
    "reviews": "Reviews of starships",
    "reports": "Reports to staff",
    "shipyard": "Shipyard",
    "sharing": "Shared starships",
    "suggestions": "Suggested starships",
    "dock": "Space Dock",
    "promotions": "Promotion",
    "groups": "Group channels",
}
"""The titles of groups of calls, in the order of the overview. Other groups use their key as title."""

SHARED = "shapes"
"""The key of the part with the components that several groups use."""


@dataclass(frozen=True, slots=True)
class DocumentedField:
    """A parameter of a call, or a field of a component. ``kind`` is its type, with links to components."""

    name: str
    kind: SafeString
    required: bool
    said: SafeString


@dataclass(frozen=True, slots=True)
class Answer:
    """A possible response of a call: its status, its meaning, and the type of its body."""

    status: int
    said: SafeString
    kind: SafeString

    @property
    def good(self) -> bool:
        """Whether this is a response of a successful call."""
        return self.status < 400


@dataclass(frozen=True, slots=True)
class DocumentedCall:
    """A call in the API reference. ``example`` is a shell command for the call."""

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

    def get_absolute_url(self) -> str:
        return part_address(self.key)


@dataclass(frozen=True, slots=True)
class Component:
    """A named component of the OpenAPI document: an object with fields, or another type."""

    name: str
    said: SafeString
    fields: Sequence[DocumentedField]
    kind: SafeString | None


def groups_of(document: Document, *, site: str) -> list[Group]:
    """Return the calls of an OpenAPI document in groups. The examples use the address ``site``.

    >>> document = {"paths": {"/api/v1/me": {"get": {
    ...     "summary": "Get my account", "operationId": "get_me", "tags": ["people"],
    ...     "security": [{"token": []}], "responses": {"200": {"description": ""}}}}}}
    >>> [(group.title, group.calls[0].path, group.calls[0].public) for group in groups_of(document, site="")]
    [('People', 'me', False)]
    """
    found: dict[str, list[DocumentedCall]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            found.setdefault(_group_of(operation), []).append(_call(path, method, operation, site))
    order = [*(tag for tag in TITLES if tag in found), *(tag for tag in found if tag not in TITLES)]
    return [Group(tag, TITLES.get(tag, tag.capitalize()), found[tag]) for tag in order]


def shapes_of(document: Document, names: Container[str]) -> list[Component]:
    """Return components of an OpenAPI document by their names, sorted by name."""
    schemas = sorted(document["components"]["schemas"].items())
    return [_shape(name, schema) for name, schema in schemas if name in names]


REFERENCE = re.compile(r'"#/components/schemas/([^"]+)"')


def homes_of(document: Document) -> dict[str, str]:
    """Return the part of the reference for each component: the only group that uses it, or `SHARED`.

    >>> tag = {"$ref": "#/components/schemas/Tag"}
    >>> call = lambda group: {"get": {"tags": [group], "parameters": [tag]}}
    >>> document = {"components": {"schemas": {"Tag": {}}}, "paths": {"tags": call("lists")}}
    >>> homes_of(document), homes_of(document | {"paths": {"tags": call("lists"), "ships": call("library")}})
    ({'Tag': 'lists'}, {'Tag': 'shapes'})
    """
    schemas = document["components"]["schemas"]
    direct = {name: set(REFERENCE.findall(json.dumps(schema))) for name, schema in schemas.items()}
    users: dict[str, set[str]] = {name: set() for name in schemas}
    for operation in (each for methods in document["paths"].values() for each in methods.values()):
        waiting, found = set(REFERENCE.findall(json.dumps(operation))), set[str]()
        while waiting:
            found.add(name := waiting.pop())
            waiting |= direct[name] - found
        for name in found:
            users[name].add(_group_of(operation))
    return {name: next(iter(groups)) if len(groups) == 1 else SHARED for name, groups in users.items()}


def part_address(key: str) -> str:
    return reverse("api:part", args=[key])


def _group_of(operation: Document) -> str:
    return str((operation.get("tags") or ["other"])[0])


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
    """Describe the type of a value as HTML, with links to named components."""
    if not isinstance(schema, Mapping) or not schema:
        return SafeString("anything" if schema == {} or schema is True else "")
    if reference := schema.get("$ref"):
        name = reference.rsplit("/", 1)[-1]
        return format_html('<a href="{}#shape-{}">{}</a>', part_address(homes()[name]), name, name)
    if "const" in schema:
        return format_html("<code>{}</code>", json.dumps(schema["const"]))
    if "enum" in schema:
        return _alternatives([format_html("<code>{}</code>", json.dumps(value)) for value in schema["enum"]])
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return _alternatives([_kind(each) for each in schema[key]])
    return _alternatives([_plain(kind, schema) for kind in _types(schema)])


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
    """Yield each limit of a value in words, such as its largest length."""
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


def _alternatives(kinds: Sequence[SafeString]) -> SafeString:
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
    """``GET schema``: the OpenAPI document."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI document of this API, as JSON."""
        return Response(openapi(), headers={"Cache-Control": "max-age=300"})


class Reference(TemplateView):
    """``GET docs``: the overview of the API reference, with a link to each call and component."""

    template_name = "api/reference.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        site = self.request.build_absolute_uri("/").rstrip("/")
        shapes = [(name, part_address(home)) for name, home in sorted(homes().items())]
        return super().get_context_data(**more) | {"site": site, "groups": groups(site), "shapes": shapes}


class ReferencePart(TemplateView):
    """``GET docs/{part}``: one group of calls with the components that only it uses, or shared components."""

    template_name = "api/part.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        part = self.kwargs["part"]
        every = groups(self.request.build_absolute_uri("/").rstrip("/"))
        group = next((each for each in every if each.key == part), None)
        if not group and part != SHARED:
            raise Http404
        names = {name for name, home in homes().items() if home == part}
        shapes = shapes_of(openapi(), names)
        return super().get_context_data(**more) | {"groups": every, "group": group, "shapes": shapes}


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document, in English. Each process makes it only once."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    with translation.override("en"):
        document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document


@lru_cache(maxsize=1)
def homes() -> dict[str, str]:
    """Return the part of the reference for each component of this API."""
    return homes_of(openapi())


@lru_cache(maxsize=4)
def groups(site: str) -> list[Group]:
    """Return the calls of this API in groups. The examples use the address ``site``."""
    return groups_of(openapi(), site=site)
