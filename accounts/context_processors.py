"""The reader's settings and the page's own address, for every template."""

import json

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from accounts.onward import leading_to, page_to_return_to
from accounts.settings.forms import PageSettingsForm
from accounts.settings.services import settings_of
from accounts.signup.services import waiting
from accounts.users.models import User


def reader_settings(request: HttpRequest) -> dict[str, object]:
    """Give pages the reader's settings, `settings_document`, the same for scripts, and a form to change them.

    Strangers begin with the settings of a new account. ``sign_up_waits`` is the sign-up in this browser whose
    address is not confirmed, if there is one.
    """
    user = getattr(request, "user", None)
    person = user if isinstance(user, User) else None
    first = settings_of(User())
    values = settings_of(person) if person else first
    document = {
        "person": person.pk if person else None,
        "fresh": person is not None and values == first,
        "address": reverse("accounts:settings"),
        "values": values,
    }
    return {
        "reader_settings": values,
        "settings_document": json.dumps(document),
        "sign_up_waits": SimpleLazyObject(lambda: _waiting(request)),
        "settings_form": SimpleLazyObject(lambda: PageSettingsForm(instance=person, auto_id="setting-%s")),
    }


def page(request: HttpRequest) -> dict[str, object]:
    """Give templates the page's address, `page_address`, and the name of its view, `page_name`.

    Links to log in, to sign up, to confirm an address and to choose a new password lead back to it:
    `login_url`, `signup_url`, `confirm_url` and `reset_url`. A template never asks the request: a fragment
    and the answer to a form have other addresses than the page that they are part of (`show_as`).
    """
    match = request.resolver_match
    own = request.get_full_path(), match.view_name if match else ""
    address, name = getattr(request, "shown_as", own)
    is_page = hasattr(request, "shown_as") or request.method in {"GET", "HEAD"}
    back = page_to_return_to(request, address=address, name=name, is_page=is_page)
    return {
        "page_address": address,
        "page_name": name,
        "login_url": leading_to("account_login", back),
        "signup_url": leading_to("account_signup", back),
        "confirm_url": leading_to("account_email_verification_sent", back),
        "reset_url": leading_to("account_reset_password", back),
    }


def show_as(request: HttpRequest, view: str, *values: object, query: str | None = None) -> None:
    """Declare that the answer is, or is part of, the page of ``view``.

    Without a ``query``, a request for that page keeps its own.
    """
    path = reverse(view, args=values)
    if query is not None or request.path != path:
        request.shown_as = (path + (query or ""), view)  # type: ignore[attr-defined]


def _waiting(request: HttpRequest) -> User | None:
    return waiting(request) if hasattr(request, "session") else None
