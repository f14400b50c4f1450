"""The API's own description."""

from functools import lru_cache
from typing import Any

from django.views.generic import TemplateView
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.reference import groups_of, shapes_of
from games.api.views.base import PublicResource


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
    """``GET docs``: the OpenAPI document for people."""

    template_name = "api/reference.html"

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        """Give the page calls and shapes, and where this site is."""
        site = self.request.build_absolute_uri("/").rstrip("/")
        groups, shapes = groups_of(openapi(), site=site), shapes_of(openapi())
        return super().get_context_data(**more) | {"site": site, "groups": groups, "shapes": shapes}


@lru_cache(maxsize=1)
def openapi() -> dict[str, Any]:
    """Return the OpenAPI document; it is made once."""
    generator: Any = SchemaGenerator()  # type: ignore[no-untyped-call]
    document: dict[str, Any] = generator.get_schema(request=None, public=True)
    return document
