"""Declare pages that change something: form, service, messages and next page."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, NamedTuple, Protocol

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.views.decorators.http import require_http_methods

from accounts.navigation import parent_url, post_only
from games.errors import Invalid, NotFound, ServiceError
from games.web.inputs import Refusable
from games.web.pages import handle_missing, require_account

Page = Callable[..., HttpResponse]


class HasPage(Protocol):
    def get_absolute_url(self) -> str: ...


class Done(NamedTuple):
    """The result of a successful action: a message, and the next page.

    ``then`` is the page, as an argument for Django's `redirect`.
    """

    says: str | Promise = ""
    then: str | HasPage = ""


Outcome = Done | HttpResponse | None


def action(
    form: type[Refusable] | None = None,
    *,
    template: str = "",
    context: Callable[..., Mapping[str, Any]] | None = None,
    buttons: Mapping[str, Callable[..., Outcome]] | None = None,
    again: Callable[[HttpRequest], Mapping[str, Any] | None] | None = None,
    page: Page | None = None,
    refused_on: Page | None = None,
    says: str | Promise = "",
    then: str = "",
    guests: bool = False,
    reauthenticate: bool = False,
) -> Callable[[Callable[..., Outcome]], Page]:
    """Declare a page for a change. The decorated function makes the change.

    The function takes the request, the URL arguments by name, and, if there is a ``form``, its values as
    ``asked``. After the change, the browser goes to the page named ``then``, which shows the message
    ``says``. The function may return `Done` with another page or message, or a whole response. Without
    ``then``, the next page is the nearest page above this URL.

    With a ``template``, GET shows the form. A refused POST shows the form again, with each error beside its
    field. ``context`` takes the request and the URL arguments. It returns the rest of the template's context,
    the form's ``initial`` values, and other arguments of the form under ``given``. ``buttons`` are functions
    for the other buttons of the page, by the name that each button sends. The template gets their refusals
    as ``refusal``. If a POST only asks to show the form again, ``again`` returns the values to show, or else
    None. A page without a ``form`` asks for confirmation, and every POST confirms.

    Without a template, the URL only accepts POST. The page ``refused_on`` shows a refusal: it gets the
    refusal as the argument ``refusal``, and the filled form with its errors as ``form``. Without
    ``refused_on``, the refusal is a message on the page above. If ``context`` raises a refusal, it is shown
    in the same way. With a ``page``, GET shows that page, and that page also shows refusals.

    The page requires a login, and an account unless ``guests`` may use it. A form with ``reauthenticate``
    asks for the password again. If an object is missing, the answer is 404.
    """

    def declare(function: Callable[..., Outcome]) -> Page:
        def finish(request: HttpRequest, outcome: Outcome) -> HttpResponse:
            if isinstance(outcome, HttpResponse):
                return outcome
            done = outcome or Done()
            if said := done.says or says:
                messages.success(request, str(said))
            return redirect(done.then or then or parent_url(request))

        def refuse(
            request: HttpRequest, place: Mapping[str, Any], refusal: ServiceError, filled: Refusable | None
        ) -> HttpResponse:
            if refusing := refused_on or page:
                more = {"form": filled} if filled else {}
                return refusing(request, **place, **more, refusal=refusal)
            if isinstance(refusal, NotFound):
                raise refusal
            messages.error(request, refusal.detail)
            return redirect(parent_url(request))

        @wraps(function)
        def take(request: HttpRequest, **place: Any) -> HttpResponse:
            """Handle a URL that only accepts POST."""
            if page and request.method != "POST":
                return page(request, **place)
            filled = form(request.POST) if form else None
            try:
                asked = {"asked": values_of(filled)} if filled else {}
                return finish(request, function(request, **place, **asked))
            except ServiceError as refusal:
                if filled and filled.is_valid():
                    filled.add_refusal(refusal)
                return refuse(request, place, refusal, filled)

        def fill(
            request: HttpRequest, place: Mapping[str, Any], sent: Any = None
        ) -> tuple[dict[str, Any], Refusable | None]:
            """Return the template's context, and the form filled with the data ``sent``."""
            shown = {**(context(request, **place) if context else {})}
            given = {"initial": shown.pop("initial", {}), **shown.pop("given", {})}
            if form is None:
                return shown, None
            filled = form(sent, **given)
            if sent is None and again and request.method == "POST":
                filled.initial = {**filled.initial, **(again(request) or {})}
            return shown, filled

        def draw(
            request: HttpRequest, place: Mapping[str, Any], refusal: ServiceError | None = None
        ) -> HttpResponse:
            """Show the page. If the action of a button was refused, ``refusal`` is its refusal."""
            try:
                shown, empty = fill(request, place)
            except ServiceError as error:
                return refuse(request, place, refusal or error, None)
            status = refusal.status if refusal else 200
            return render(request, template, {"refusal": refusal, "form": empty, **shown}, status=status)

        def submit(request: HttpRequest, place: Mapping[str, Any]) -> HttpResponse:
            """Run the action on the posted form. If the form is refused, show it again with its errors."""
            try:
                shown, filled = fill(request, place, request.POST)
            except ServiceError as error:
                return refuse(request, place, error, None)
            assert filled
            status = Invalid.status
            try:
                if filled.is_valid():
                    return finish(request, function(request, **place, asked=filled.cleaned_data))
            except NotFound:
                raise
            except ServiceError as error:
                status = error.status
                filled.add_refusal(error)
            return render(request, template, {"refusal": None, "form": filled, **shown}, status=status)

        @wraps(function)
        def show(request: HttpRequest, **place: Any) -> HttpResponse:
            """Handle a page with a form or a confirmation."""
            if request.method != "POST" or (again and again(request) is not None):
                return draw(request, place)
            pressed = (press for name, press in (buttons or {}).items() if name in request.POST)
            press = next(pressed, None if form else function)
            if press is None:
                return submit(request, place)
            try:
                return finish(request, press(request, **place))
            except NotFound:
                raise
            except ServiceError as refusal:
                return draw(request, place, refusal)

        answer: Page = handle_missing(show if template else take)
        if reauthenticate:
            answer = reauthentication_required(allow_get=True)(answer)
        answer = answer if guests else require_account(answer)
        if template or page:
            return require_http_methods(["GET", "HEAD", "POST"])(login_required(answer))
        return post_only(_after_login(answer))

    return declare


def _after_login(page: Page) -> Page:
    """Require a login. After the login, go to the page above this URL, since the URL accepts only POST."""

    @wraps(page)
    def answer(request: HttpRequest, **place: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return redirect_to_login(parent_url(request))
        return page(request, **place)

    return answer


def values_of(filled: Refusable) -> dict[str, Any]:
    """Return the values of a form inside another page. Raises Invalid with the form's first error."""
    if filled.is_valid():
        return filled.cleaned_data
    faults = [str(fault) for found in filled.errors.values() for fault in found]
    raise Invalid("malformed", faults[0])
