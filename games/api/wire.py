"""JSON in and out: what is read from a request, and how an answer is written."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotAcceptable
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

import rules
from games.errors import Malformed, ServiceError

BODY_LIMIT = 64 * 1024
"""Bytes of the largest body that is read, but where starships are drawn."""

SHIP_LIMIT = 1024 * 1024
"""Bytes of the largest body with a starship."""


class TooLarge(ServiceError):
    """A body that is too large to be read."""

    status = 413

    def __init__(self, limit: int = BODY_LIMIT) -> None:
        detail = _("The body is larger than {kilobytes} kB.").format(kilobytes=limit // 1024)
        super().__init__("too-large", detail)


class JsonParser(BaseParser):
    """Reads a JSON object strictly: UTF-8, each key once, numbers that are numbers."""

    media_type = "application/json"
    limit = BODY_LIMIT

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Mapping[str, Any]:
        """Return the object in a body; raises TooLarge, and Malformed where there is none."""
        body = stream.read(self.limit + 1)
        if len(body) > self.limit:
            raise TooLarge(self.limit)
        try:
            return rules.parse(body)
        except rules.NotationError as error:
            detail = _("The body cannot be read: {error}.").format(error=error)
            raise Malformed("not-json", detail) from None


class ShipParser(JsonParser):
    """Reads starships, which may be larger than anything else."""

    limit = SHIP_LIMIT


class _Encoder(JSONEncoder):
    """Writes dataclasses as objects, and times in UTC, to the second, as RFC 3339 has them."""

    def default(self, o: Any) -> Any:
        if is_dataclass(o):
            return {field.name: getattr(o, field.name) for field in fields(o)}
        if isinstance(o, datetime):
            return o.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return super().default(o)


class JsonRenderer(JSONRenderer):
    """Writes answers as JSON, in UTF-8."""

    encoder_class = _Encoder


class JsonAlways(DefaultContentNegotiation):
    """Answers what is there when a client accepts nothing of it: an error it can read beats a 406."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer asked for, else the first."""
        available = list(renderers)
        try:
            chosen: tuple[BaseRenderer, str] = super().select_renderer(request, available, format_suffix)
        except (NotAcceptable, Http404):
            return available[0], available[0].media_type
        return chosen
