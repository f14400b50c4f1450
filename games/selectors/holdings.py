"""All that is held about a person, for that person alone: a ``person/1`` document.

Rows that are a person's own are told with all that they have but secrets; of what others share in, what is
the person's. ``docs/privacy.md`` says what each part holds.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry as StaffEntry
from django.db.models import Model, Q

from accounts.models import User
from games.models import (
    Achievement,
    ApiToken,
    Ballot,
    ChatLine,
    Device,
    Draft,
    Feed,
    Game,
    Hand,
    Intervention,
    Invitation,
    LobbyEntry,
    Mission,
    Notice,
    Program,
    Reliability,
    Replacement,
    Rest,
    Seat,
    Share,
    StarshipRevision,
    Tally,
    Vacation,
    VacationDay,
    Vote,
    Webhook,
)
from games.selectors.steering import hands_dealt_to, orders_given_by

Document = dict[str, Any]

PERSON_FORMAT = "person/1"

SECRETS = frozenset({"password", "digest", "nonce", "secret"})
"""Columns that are told to nobody: hashes and keys, of use only to somebody who steals the file."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A part of what is held: the rows of a ``model`` that lead to the person by one of the ``paths``.

    ``shown`` are the columns that are told, all but `SECRETS` where none are named. Rows that lead to the
    person's address, by ``address``, are theirs as well. Where seats pass on, a path does not tell whose a
    row is: ``theirs`` does, in place of the paths.
    """

    key: str
    model: type[Model]
    paths: tuple[str, ...]
    shown: tuple[str, ...] = ()
    address: str = ""
    theirs: Callable[[User], Q] | None = None

    def rows(self, user: User) -> Iterator[Document]:
        """Yield the rows, in the order in which they came to be."""
        condition = self.theirs(user) if self.theirs else Q()
        for path in self.paths:
            condition |= Q(**{path: user.pk})
        if self.address and user.email:
            condition |= Q(**{f"{self.address}__iexact": user.email})
        columns = self.shown or tuple(
            field.attname for field in self.model._meta.concrete_fields if field.attname not in SECRETS
        )
        rows = self.model._default_manager.filter(condition).distinct().order_by("pk")
        yield from rows.values(*columns).iterator(chunk_size=2000)


HOLDINGS = (
    Holding("addresses", EmailAddress, ("user",)),
    Holding("second_factors", Authenticator, ("user",), ("id", "type", "created_at", "last_used_at")),
    Holding("sessions", UserSession, ("user",), ("id", "ip", "user_agent", "created_at", "last_seen_at")),
    Holding("tokens", ApiToken, ("user",)),
    Holding("rest", Rest, ("user",)),
    Holding("vacations", Vacation, ("user",)),
    Holding("vacation_days", VacationDay, ("user",)),
    Holding("feeds", Feed, ("user",)),
    Holding("webhook", Webhook, ("user",)),
    Holding("browsers", Device, ("user",), ("id", "user_id", "name", "made_at", "told_at")),
    Holding(
        "games",
        Game,
        ("host", "players__user", "players__replacements__was"),
        ("id", "name", "host_id", "status", "private", "ruleset", "created_at", "started_at", "ended_at"),
    ),
    Holding("seats", Seat, ("user",)),
    Holding("replacements", Replacement, ("was", "became"), ("id", "seat_id", "turn", "reason", "at")),
    Holding("hands", Hand, (), theirs=hands_dealt_to),
    Holding("orders", Program, (), theirs=orders_given_by),
    Holding("drafts", Draft, ("hand__seat__user",)),
    Holding("tallies", Tally, ("seat__user",)),
    Holding("shares", Share, ("user",)),
    Holding("achievements", Achievement, ("user",)),
    Holding("chat", ChatLine, ("user",)),
    Holding("reliability", Reliability, ("user",)),
    Holding("votes", Vote, ("asked_by",)),
    Holding("ballots", Ballot, ("user",)),
    Holding("changes_in_lobbies", LobbyEntry, ("by",)),
    Holding("invitations", Invitation, ("user", "invited_by"), address="email"),
    Holding("notices", Notice, ("user",), address="email"),
    Holding("boards_saved", StarshipRevision, ("saved_by",), ("id", "starship_id", "number", "created_at")),
    Holding("missions_saved", Mission, ("saved_by",), ("id", "slug", "title")),
    Holding("interventions", Intervention, ("by",)),
    Holding("staff_log", StaffEntry, ("user",)),
)


def held_about(*, user: User, now: datetime) -> Document:
    """Return everything that is held about a person, for nobody else to see."""
    columns = (field.attname for field in User._meta.concrete_fields)
    return {
        "format": PERSON_FORMAT,
        "written_at": now,
        "person": {
            **{column: getattr(user, column) for column in columns if column not in SECRETS},
            "groups": [group.name for group in user.groups.order_by("name")],
        },
        **{holding.key: list(holding.rows(user)) for holding in HOLDINGS},
    }
