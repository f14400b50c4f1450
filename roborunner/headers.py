"""What browsers are told to do with answers, also with those that are given before Django gets to tell them.

The content security policy and transport security are in the settings.
"""

from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

Handler = Callable[[HttpRequest], Any]

_NOTHING_OF = (
    *(
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "encrypted-media",
        "geolocation",
        "gyroscope",
    ),
    *("magnetometer", "microphone", "midi", "payment", "picture-in-picture", "usb", "xr-spatial-tracking"),
)
_FOR_ITSELF = ("clipboard-write", "fullscreen", "publickey-credentials-create", "publickey-credentials-get")

EVERYWHERE: Final = {
    "Permissions-Policy": ", ".join(
        [*(f"{each}=()" for each in _NOTHING_OF), *(f"{each}=(self)" for each in _FOR_ITSELF)]
    ),
    # Another site may link to what is here, and show none of it within itself.
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "X-Permitted-Cross-Domain-Policies": "none",
}


def in_front() -> dict[str, str]:
    """Return what is told with answers that Django's middleware never sees, by names in small letters."""
    told = EVERYWHERE | {"Content-Security-Policy": build_policy()}
    if settings.SECURE_HSTS_SECONDS:
        told["Strict-Transport-Security"] = f"max-age={settings.SECURE_HSTS_SECONDS}"
    return {name.lower(): value for name, value in told.items()}


@sync_and_async_middleware
def headers(get_response: Handler) -> Handler:
    """Add those headers to each answer, static files included; pages are no one's to keep."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(get_response(request))

    async def answer_async(request: HttpRequest) -> HttpResponseBase:
        return _with_headers(await get_response(request))

    return answer_async if iscoroutinefunction(get_response) else answer


def _with_headers(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in EVERYWHERE.items():
        response.headers.setdefault(name, value)
    if response.headers.get("Content-Type", "").startswith("text/html"):
        response.headers.setdefault("Cache-Control", "private, no-cache")
    return response
