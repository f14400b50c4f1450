"""What browsers are told to do with answers, beside what Django's own middleware tells them.

The content security policy is in the settings; transport security, the referrer and sniffing are Django's.
"""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase

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
    "X-Permitted-Cross-Domain-Policies": "none",
}


class HeadersMiddleware:
    """Adds those headers to each answer, static files included; pages are nobody's to keep."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer a request."""
        response = self._get_response(request)
        for name, value in EVERYWHERE.items():
            response.headers.setdefault(name, value)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response
