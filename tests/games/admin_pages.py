"""Helpers for tests of the admin pages."""

import json
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import Permission
from django.contrib.messages import get_messages
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.fleet.models import Starship

STARSHIPS = "/admin/games/starship/"


def permit(user: User, *codenames: str) -> None:
    """Give a user the given permissions of the application ``games``, or by default all."""
    found = Permission.objects.filter(content_type__app_label="games")
    user.user_permissions.add(*(found.filter(codename__in=codenames) if codenames else found))


def address(row: Any) -> str:
    return f"/admin/games/{row._meta.model_name}/{row.pk}/change/"


def listing(model: Any) -> str:
    return f"/admin/games/{model._meta.model_name}/"


def submission(document: object, **more: Any) -> dict[str, Any]:
    """Return the admin form of a starship. The document may be text, or an object for JSON."""
    text = document if isinstance(document, str) else json.dumps(document)
    place = {"section": "fleet", "position": "", "seats_least": "1", "seats_most": "8"}
    return {"document": text, **place, **more}


def save(browser: Client, starship: Starship | None, document: object, **more: Any) -> HttpResponse:
    """Save a starship with the form in the admin. ``starship`` is None for a new one."""
    page = address(starship) if starship else f"{STARSHIPS}add/"
    return browser.post(page, submission(document, **more))  # type: ignore[return-value]


def do(browser: Client, action: str, *rows: Any, **more: Any) -> HttpResponse:
    """Run an action of the admin on the given rows of one model."""
    chosen: Mapping[str, Any] = {"action": action, "_selected_action": [row.pk for row in rows], **more}
    return browser.post(listing(rows[0]), chosen)  # type: ignore[return-value]


def messages_in(response: HttpResponse) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]  # type: ignore[attr-defined]
