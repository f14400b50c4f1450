"""What is answered where a page could not be made, through no fault of the person who asked for it."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.defaults import server_error

from games.errors import Unavailable


def answer(request: HttpRequest) -> HttpResponse:
    """Answer 503 while the database is away or has too much to do, and else 500; Django asks for it.

    The page is drawn without a look at the request: who asks is not known where there is no database.
    """
    if not isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return server_error(request)
    busy = Unavailable()
    response: HttpResponse
    if request.headers.get("Accept") == "application/json":
        response = JsonResponse(busy.document, status=busy.status)
    else:
        response = server_error(request, "503.html")
        response.status_code = busy.status
    response.headers["Retry-After"] = str(busy.wait)
    return response
