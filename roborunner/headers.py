"""What browsers are told to do with answers, beside what Django's own middleware tells them.

The content security policy is in the settings; transport security, the referrer and sniffing are Django's.
"""

from collections.abc import Callable
from typing import Any, Final

from asgiref.sync import iscoroutinefunction
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
    "X-Permitted-Cross-Domain-Policies": "none",
    "X-Content-Type-Options": "nosniff",  # of files as well, to which Django's middleware does not come
}


@sync_and_async_middleware
def headers(get_response: Handler) -> Handler:
    """Add those headers to each answer, static files included; pages are nobody's to keep."""

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
