"""Pages that change something, each declared once: what they take, do, say, and where they lead."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.views.decorators.http import require_http_methods

from accounts.navigation import only_by_form, page_above
from games.errors import Invalid, NotFound, ServiceError
from games.web.inputs import Refusable
from games.web.pages import for_people, hides_what_is_not_there

Page = Callable[..., HttpResponse]


def action(
    form: type[Refusable] | None = None,
    *,
    template: str = "",
    context: Callable[..., Mapping[str, Any]] | None = None,
    page: Page | None = None,
    says: str | Promise = "",
    then: str = "",
    guests: bool = False,
) -> Callable[[Callable[..., Any]], Page]:
    """Declare a page that changes something by the function that does it.

    The function takes the request, the values of the ``form`` if there is one, and the parts of the address.
    It may return the thing to show next, or the message of success in place of ``says``, or a whole response.
    Otherwise the browser goes to the page named ``then``, or to the page above this address.

    With a ``template``, GET shows the form, and a refused POST shows it again with each fault beside its
    field. ``context`` returns what else the template shows, and ``initial`` values. Without a template the
    address only takes forms. Refusals appear on ``page``, which takes them as ``refusal``.

    A login is required, and an account unless ``guests`` may come too. A missing thing answers 404.
    """

    def declare(function: Callable[..., Any]) -> Page:
        def do(request: HttpRequest, *values: Any, **place: Any) -> HttpResponse:
            made = function(request, *values, **place)
            if isinstance(made, HttpResponse):
                return made
            if said := made if isinstance(made, str) else says:
                messages.success(request, str(said))
            return redirect(then or page_above(request) if made is None or isinstance(made, str) else made)

        @wraps(function)
        def press(request: HttpRequest, **place: Any) -> HttpResponse:
            try:
                return do(request, *([_values(form(request.POST))] if form else []), **place)
            except ServiceError as refusal:
                return _refused(page, request, place, refusal)

        @wraps(function)
        def fill_in(request: HttpRequest, **place: Any) -> HttpResponse:
            assert form
            try:
                shown = dict(context(request, **place)) if context else {}
            except ServiceError as refusal:
                return _refused(page, request, place, refusal)
            filled = form(
                request.POST if request.method == "POST" else None, initial=shown.pop("initial", {})
            )
            status = Invalid.status if filled.is_bound else 200
            try:
                if filled.is_valid():
                    return do(request, filled.cleaned_data, **place)
            except NotFound:
                raise
            except ServiceError as refusal:
                filled.add_refusal(refusal)
                status = refusal.status
            return render(request, template, {**shown, "form": filled}, status=status)

        shown: Page = hides_what_is_not_there(fill_in if template else press)
        shown = login_required(shown if guests else for_people(shown))
        return require_http_methods(["GET", "HEAD", "POST"])(shown) if template else only_by_form(shown)

    return declare


def _refused(
    page: Page | None, request: HttpRequest, place: Mapping[str, Any], refusal: ServiceError
) -> HttpResponse:
    """Show a refusal on its page. Raises it if there is no page, and if the thing is missing."""
    if page is None or isinstance(refusal, NotFound):
        raise refusal
    return page(request, **place, refusal=refusal)


def _values(filled: Refusable) -> dict[str, Any]:
    """Return the values of a form that a page has as buttons. Raises Invalid with the first fault."""
    if filled.is_valid():
        return filled.cleaned_data
    faults = [str(fault) for found in filled.errors.values() for fault in found]
    raise Invalid("malformed", faults[0])
