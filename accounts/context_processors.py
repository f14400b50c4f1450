"""What every page is told of its reader's settings."""

import json

from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

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


def _waiting(request: HttpRequest) -> User | None:
    return waiting(request) if hasattr(request, "session") else None
