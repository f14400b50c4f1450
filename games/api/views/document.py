"""The API's own description."""

from functools import lru_cache
from typing import Any

from django.utils.decorators import method_decorator
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.generic import TemplateView
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.views.base import Call


class Document(Call):
    """``GET schema``."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """The OpenAPI document of this API, as JSON."""
        return Response(openapi(), headers={"Cache-Control": "max-age=300"})


@method_decorator(ensure_csrf_cookie, "dispatch")
class Reference(TemplateView):
    """``GET docs``: the OpenAPI document for people, to read and to try."""

    template_name = "api/reference.html"


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document; it is made once."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document
