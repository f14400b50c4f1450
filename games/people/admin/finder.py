"""One search field for staff: accounts, games, starships and cases."""

import ipaddress
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy as _

from accounts.models import User, mailbox_of
from accounts.robo_names import skeleton
from games.fleet.models import Starship
from games.moderation.models import Case, Renaming, Sanction, ShipCase
from games.play.models import Game
from games.web.admin import row_link

MAX_LENGTH: Final = 100
"""The maximum length of a search, in characters. The rest is ignored."""

SHOWN: Final = 20
"""The maximum number of hits of each kind."""


class Hit(NamedTuple):
    """A row that a search found, with a link to its page and a description.

    ``exact`` says whether the search was the whole Robo Name or address of an account.
    """

    row: Model
    link: SafeString
    about: str
    exact: bool


class Group(NamedTuple):
    """The hits of one kind. ``more`` says whether there are more than shown."""

    title: str | Promise
    hits: list[Hit]
    more: bool


_NUMBER: Final = re.compile(r"(?:(game|case|ship|starship|account)\s*)?#?\s*(\d{1,18})", re.IGNORECASE)


def find(text: str, request: HttpRequest) -> list[Group]:
    """Return the rows that match a search and that the member of staff may see, in groups.

    A number, such as “12” or “game 12”, finds rows with this ID. Accounts are also found by Robo Name,
    earlier name, address and network; games and starships by name; games and cases by player.
    """
    text = " ".join(text.replace("\0", " ").split())[:MAX_LENGTH]
    if not text:
        return []
    number = _NUMBER.fullmatch(text)
    word = (number[1] or "").lower() if number else ""
    digits = int(number[2]) if number else None
    people = _rows(request, User)
    wanted: list[tuple[str | Promise, QuerySet[Any], Q, tuple[str, ...]]] = [
        (_("Accounts"), people, _accounts(text, request), ("account",)),
        (_("Games"), _rows(request, Game), Q(name__icontains=text), ("game",)),
        (_("Starships"), _rows(request, Starship), Q(name__icontains=text), ("ship", "starship")),
        (_("Cases"), _rows(request, Case), Q(person__robo_name__iexact=text), ("case",)),
        (_("Ship cases"), _rows(request, ShipCase), Q(starship__name__iexact=text), ("case",)),
    ]
    groups = []
    for title, rows, named, words in wanted:
        if word and word not in words:
            continue
        condition = named if digits is None else Q(pk=digits) if word else named | Q(pk=digits)
        # The newest first. IDs, because the lists of the admin have joins and counts.
        found = list(rows.filter(condition).order_by("-pk").distinct()[: SHOWN + 1])
        if found:
            groups.append(Group(title, list(_hits(found[:SHOWN], text)), len(found) > SHOWN))
    return groups


def _rows(request: HttpRequest, model: type[Model]) -> QuerySet[Any]:
    """Return the rows of a model that a member of staff sees in the admin."""
    pages = admin.site.get_model_admin(model)
    if not pages.has_view_permission(request):
        return model._default_manager.none()
    return pages.get_queryset(request)


def _accounts(text: str, request: HttpRequest) -> Q:
    if "@" in text:
        address = mailbox_of(text)
        held = EmailAddress.objects.filter(email__iexact=address).values("user")
        return Q(email__iexact=address) | Q(pk__in=held)
    try:
        network = str(ipaddress.ip_address(text))
    except ValueError:
        alike = Q(skeleton=skeleton(text), deleted_at=None, is_guest=False)
        return Q(robo_name__istartswith=text) | alike | Q(pk__in=_renamed(text))
    sessions = _rows(request, UserSession).filter(ip=network)
    return Q(pk__in=sessions.order_by().values("user"))


def _renamed(name: str) -> list[int]:
    """Return the IDs of the accounts that once had this Robo Name, as far as decisions and the log tell."""
    rows = [
        Sanction.objects.filter(kind=Sanction.Kind.RENAME, before__iexact=name).values_list(
            "user", flat=True
        ),
        Renaming.objects.filter(before__iexact=name).values_list("user", flat=True),
    ]
    about = ContentType.objects.get_for_model(User)
    logged = LogEntry.objects.filter(content_type=about, object_repr__iexact=name)
    numbers = [int(number) for number in logged.values_list("object_id", flat=True) if number]
    return [*numbers, *(number for found in rows for number in found.order_by())]


def _hits(rows: Iterable[Any], text: str) -> Iterator[Hit]:
    for row in rows:
        exact = isinstance(row, User) and text.lower() in (row.robo_name.lower(), row.email.lower())
        yield Hit(row, row_link(row, _name(row)), _about(row), exact)


def _name(row: Model) -> str:
    if isinstance(row, Case):
        return gettext("case {number}").format(number=row.pk)
    return gettext("{name} (#{number})").format(name=row, number=row.pk)


def _about(row: Model) -> str:
    if isinstance(row, User):
        state = gettext("active") if row.is_active else gettext("locked")
        if row.deleted_at:
            state = gettext("deleted")
        elif row.awaits_confirmation:
            state = gettext("unconfirmed")
        elif row.is_guest:
            state = gettext("guest")
        return " · ".join(part for part in (row.email, state) if part)
    if isinstance(row, Game):
        return row.get_status_display()
    if isinstance(row, Case):
        return f"{row.about} · {row.get_status_display()}"
    return ""
