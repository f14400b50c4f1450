"""Find waves of sign-ups, and tell probably real people from scripts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf, TruncHour
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.admission import NETWORK_BITS, network_of
from accounts.challenges import RUSH_PERIOD
from accounts.models import User
from accounts.rights import STAFF
from games.chat.models import ChatLine
from games.clubs.models import Club, Membership
from games.dock.models import Review
from games.fleet.models import Starship
from games.people.models import Achievement, Follow, Housemate
from games.play.models import Game, Seat
from games.shipyard.models import StarshipDraft

MAX_PEOPLE: Final = 2000
"""The maximum number of accounts that staff look at and remove at once. Remove the rest afterwards."""

PLAYED_TURNS: Final = 3
"""The turns after which a game with other people is a mark of a real person."""

CAME_BACK_AFTER: Final = timedelta(days=2)

SUGGESTED_PERIOD: Final = timedelta(days=7)
"""The length of the period that the site searches for waves."""

MIN_SUGGESTED: Final = 10
MAX_SUGGESTED: Final = 5
SAMPLE_LENGTH: Final = 80


@dataclass(frozen=True, slots=True)
class Criteria:
    """The choice of a wave: by time, and optionally by network and mail domain."""

    since: datetime
    until: datetime
    network: str = ""
    domain: str = ""


Group = QuerySet[User] | None
"""The accounts of a whole wave, to judge some of them."""


@dataclass(slots=True)
class Suspect:
    """An account in a wave, with its works and its marks of a real person."""

    person: User
    address: str
    network: str
    invited_by: str
    wrote: dict[str, int] = field(default_factory=dict)
    sample: str = ""
    marks: list[str | Promise] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A group of recent sign-ups that could be a wave."""

    criteria: Criteria
    number: int


WRITTEN: Final[tuple[tuple[str | Promise, type[Any], str], ...]] = (
    (_("chat lines"), ChatLine, "user"),
    (_("reviews"), Review, "author"),
    (_("games"), Game, "host"),
    (_("ships"), Starship, "owner"),
    (_("drafts of ships"), StarshipDraft, "user"),
    (_("clubs"), Membership, "user"),
)
"""The works to count for each account: label, table, and the column with the account."""


def people_in(criteria: Criteria) -> QuerySet[User]:
    """Return the accounts of a wave, oldest first: no guests, no staff and no deleted accounts."""
    found = User.objects.filter(
        is_guest=False, deleted_at=None, date_joined__gte=criteria.since, date_joined__lte=criteria.until
    ).exclude(STAFF)
    if criteria.network:
        network = ip_network(criteria.network, strict=False)
        if network.prefixlen > (bits := NETWORK_BITS[network.version]):
            network = network.supernet(new_prefix=bits)  # the site knows no more
        found = found.filter(
            sign_up__network__gte=str(network.network_address),
            sign_up__network__lte=str(network.broadcast_address),
        )
    if criteria.domain:
        at, below = f"@{criteria.domain}", f".{criteria.domain}"
        typed = EmailAddress.objects.filter(user=OuterRef("pk"))
        found = found.filter(
            Q(email__endswith=at)
            | Q(email__endswith=below)
            | Exists(typed.filter(Q(email__endswith=at) | Q(email__endswith=below)))
        )
    return found.order_by("date_joined", "pk")


def suspects_of(people: Iterable[User], *, group: Group = None) -> list[Suspect]:
    """Return the works of each account, and its marks of a real person (`marks_of`)."""
    found = list(people)
    numbers = [person.pk for person in found]
    typed = dict(EmailAddress.objects.filter(user__in=numbers).values_list("user", "email"))
    suspects = {}
    for person in User.objects.filter(pk__in=numbers).select_related("sign_up__invitation__made_by"):
        row = getattr(person, "sign_up", None)
        link = row.invitation if row else None
        suspects[person.pk] = Suspect(
            person,
            person.email or typed.get(person.pk, ""),
            str(network_of(row.network)) if row and row.network else "",
            link.made_by.robo_name if link else "",
        )
    for label, model, column in WRITTEN:
        rows = model._default_manager.filter(**{f"{column}__in": numbers}).order_by()
        for number, count in rows.values_list(column).annotate(Count("pk")):
            suspects[number].wrote[str(label)] = count
    # Only of public games, because staff need another right to read the others.
    lines = (
        ChatLine.objects.filter(user__in=numbers, game__private=False)
        .order_by("user", "-pk")
        .distinct("user")
    )
    for number, text in lines.values_list("user", "text"):
        suspects[number].sample = text[:SAMPLE_LENGTH]
    for number, mark in marks_of(numbers, group=group):
        suspects[number].marks.append(mark)
    return [suspects[number] for number in numbers if number in suspects]


def marks_of(numbers: list[int], *, group: Group = None) -> Iterable[tuple[int, str | Promise]]:
    """Yield the marks of probably real people among accounts, each with the account's number.

    Contacts and clubs count only with people outside the ``group``, by default these accounts, because
    scripts can follow each other. They can also join a club that is open to everyone, so this does not count.
    """
    inside: Any = numbers if group is None else group.order_by().values("pk")
    others = Seat.objects.filter(game=OuterRef("game"), user__isnull=False).exclude(user=OuterRef("user"))
    played = Seat.objects.filter(Exists(others), user__in=numbers).filter(
        Q(game__status=Game.Status.OVER) | Q(game__turn__gt=PLAYED_TURNS)
    )
    outside = Membership.objects.filter(club=OuterRef("club")).exclude(user__in=inside)
    clubs = Membership.objects.filter(Exists(outside), user__in=numbers).exclude(
        club__entry=Club.Entry.OPEN, role=Membership.Role.MEMBER
    )
    follows = Follow.objects.filter(followed__in=numbers).exclude(user__in=inside)
    housemates = Housemate.objects.filter(person__in=numbers).exclude(user__in=inside)
    back = UserSession.objects.filter(
        user__in=numbers, last_seen_at__gt=F("user__date_joined") + CAME_BACK_AFTER
    )
    marked: tuple[tuple[str | Promise, QuerySet[Any], str], ...] = (
        (_("second factor"), Authenticator.objects.filter(user__in=numbers), "user"),
        (_("played with people"), played, "user"),
        (_("achievement"), Achievement.objects.filter(user__in=numbers), "user"),
        (_("club"), clubs, "user"),
        (_("followed"), follows, "followed"),
        (_("housemate"), housemates, "person"),
        (_("came back"), back, "user"),
    )
    for mark, rows, column in marked:
        for number in rows.order_by().values_list(column, flat=True).distinct():
            yield number, mark


def suggestions(*, now: datetime) -> list[Suggestion]:
    """Return groups of recent sign-ups: by network, by mail domain and by hour, the largest first."""
    recent = Criteria(now - SUGGESTED_PERIOD, now)
    rows = people_in(recent).order_by()
    typed = EmailAddress.objects.filter(user=OuterRef("pk")).values("email")[:1]
    address = Coalesce(NullIf("email", Value("")), Subquery(typed))
    found = []
    for number, network in _largest(rows.exclude(sign_up__network=None), F("sign_up__network")):
        found.append(Suggestion(Criteria(recent.since, now, network=str(network_of(network))), number))
    emails = rows.annotate(address=address).values_list("address", flat=True)
    domains = Counter(email.rpartition("@")[2] for email in emails if email)
    for domain, number in domains.most_common(MAX_SUGGESTED):
        found.append(Suggestion(Criteria(recent.since, now, domain=domain), number))
    for number, hour in _largest(rows, TruncHour("date_joined")):
        end = min(hour + timedelta(hours=1), now)
        found.append(Suggestion(Criteria(hour, end), number))
    large = [each for each in found if each.number >= MIN_SUGGESTED]
    return sorted(large, key=lambda each: -each.number)


def _largest(rows: QuerySet[User], by: Any) -> list[tuple[int, Any]]:
    groups = rows.annotate(group=by).values("group").annotate(number=Count("pk")).order_by("-number")
    return [(row["number"], row["group"]) for row in groups[:MAX_SUGGESTED]]


def newcomers_in_rush(*, now: datetime) -> int:
    """Return the number of accounts of the last hour, or 0 if it is no more than ``SIGN_UP_RUSH``."""
    number = people_in(Criteria(now - RUSH_PERIOD, now)).order_by().count()
    return number if number > max(settings.SIGN_UP_RUSH, MIN_SUGGESTED) else 0
