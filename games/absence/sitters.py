"""Ask, accept and end sitters: friends who submit a player's orders on some days."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Annotated, Final, TypedDict

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.time_zones import zone_of
from games import live
from games.absence.models import Sitting
from games.clocks.selectors import DAYS_A_YEAR, today_of
from games.errors import Conflict, Invalid, NotFound, ProblemDocument, refuse_guests
from games.moderation.sanctions import refuse_suspended
from games.news.models import Notice
from games.news.services import notify_once, notify_people
from games.people.contacts import count_invitation, has_blocked, other_player, refuse_call
from games.people.models import Follow
from games.play.models import Game, Hand, Seat, Turn
from games.play.services import lock_people
from games.play.viewers import lasting_sittings, sittings_in, sittings_in_force
from games.work.jobs import for_each_row

MAX_SITTERS: Final = 3
"""The maximum number of sitters that a player can have or have asked at the same time, for all days."""

MAX_OWNERS: Final = 3
"""The maximum number of players that one person can represent as a sitter."""

MAX_DAYS_AHEAD: Final = timedelta(days=366)
"""The maximum time from today to the first day of a sitter."""

SITTINGS_KEPT: Final = timedelta(days=366)
"""How long a sitting is stored after its end, so that its days count for the year."""


def ask_sitter(*, user: User, robo_name: str, first: date, last: date, now: datetime) -> Sitting:
    """Ask a friend to be a player's sitter from ``first`` to ``last`` inclusive, in the player's time zone.

    Friends are players who follow each other. The friend gets a notification.

    Raises Forbidden for guests, for the player's own name, for suspended players, and if the friend has
    blocked the player. Raises Invalid for an unknown name, and for days in the past, more than a year ahead,
    or too many in a calendar year. Raises Conflict if they are no friends, if the player has another
    sitter on some of the days, or too many sitters. Raises TooMany after too many invitations in a day.
    """
    refuse_guests(user)
    try:
        friend = other_player(user=user, robo_name=robo_name)
    except NotFound as unknown:
        problem: ProblemDocument = {"code": "robo_name", "detail": unknown.detail}
        raise Invalid("no-player", unknown.detail, [problem]) from None
    refuse_suspended(user=user, now=now)
    refuse_call(user=user, person=friend, detail=_("You can’t ask {player} to sit for you."))
    today = today_of(user=user, now=now)
    if last < first or first < today or first > today + MAX_DAYS_AHEAD:
        detail = _(
            "The days must begin today or later, within a year, and the last can’t be before the first."
        )
        raise Invalid("no-sitter", detail, [{"code": "first", "detail": detail}])
    with transaction.atomic():
        lock_people([user.pk, friend.pk])
        if not _are_friends(user, friend):
            detail = _("You and {player} must follow each other before {player} can sit for you.")
            raise Conflict("not-friends", detail.format(player=friend.robo_name))
        asked = Sitting.objects.filter(owner=user, ended_at=None, ends_at__gt=now)
        if asked.filter(first__lte=last, last__gte=first).exists():
            detail = _("You already have a sitter, or asked one, on some of these days. Choose other days.")
            raise Conflict("overlaps", detail)
        if asked.count() >= MAX_SITTERS:
            detail = _("You have or asked {number} sitters, which is the limit. End one first.")
            raise Conflict("too-many", detail.format(number=MAX_SITTERS))
        for year in range(first.year, last.year + 1):  # the first full year is too long
            if days_with_sitter(user=user, year=year) + _days_in(year, first, last) > DAYS_A_YEAR:
                detail = _("You can have sitters on up to {number} days of a year. Choose fewer days.")
                detail = detail.format(number=DAYS_A_YEAR)
                raise Invalid("no-sitter", detail, [{"code": "last", "detail": detail}])
        count_invitation(user=user, now=now)
        zone = zone_of(user.time_zone)
        sitting = Sitting.objects.create(
            owner=user,
            sitter=friend,
            first=first,
            last=last,
            begins_at=datetime.combine(first, time(), zone),
            ends_at=datetime.combine(last + timedelta(days=1), time(), zone),
            asked_at=now,
        )
        notify_people(users=[friend], kind="sit-asked", about=sitting.pk, now=now)
    return sitting


def _are_friends(user: User, person: User) -> bool:
    """Return whether two people follow each other."""
    back = Follow.objects.filter(user=person, followed=user)
    return Follow.objects.filter(Exists(back), user=user, followed=person).exists()


def days_with_sitter(*, user: User, year: int) -> int:
    """Return the number of days of a year on which a player has, had or asked for a sitter.

    Requests that ended before the sitter accepted do not count, nor do the days after the end of a sitting.
    """
    sittings = Sitting.objects.filter(Q(accepted_at__isnull=False) | Q(ended_at=None), owner=user)
    days = 0
    for each in sittings.filter(first__year__lte=year, last__year__gte=year):
        last = min(each.last, today_of(user=user, now=each.ended_at)) if each.ended_at else each.last
        days += _days_in(year, each.first, last)
    return days


def _days_in(year: int, first: date, last: date) -> int:
    begin, end = max(first, date(year, 1, 1)), min(last, date(year, 12, 31))
    return max(0, (end - begin).days + 1)


def accept_sitting(*, user: User, sitting_id: int, now: datetime) -> Sitting:
    """Agree to be a player's sitter. The player gets a notification. A second call changes nothing.

    Raises NotFound if the person was not asked, or if the request has ended. Raises Forbidden for suspended
    people, and Conflict for people who already sit for too many players.
    """
    refuse_guests(user)
    refuse_suspended(user=user, now=now)
    with transaction.atomic():
        lock_people([user.pk])
        asked = lasting_sittings(now=now).select_for_update(of=("self",)).filter(sitter=user, pk=sitting_id)
        sitting = asked.select_related("owner", "sitter").first()
        if sitting is None:
            raise no_sitting()
        if sitting.accepted_at is not None:
            return sitting
        sat = Sitting.objects.filter(sitter=user, accepted_at__isnull=False, ended_at=None, ends_at__gt=now)
        if sat.count() >= MAX_OWNERS:
            detail = _("You sit for {number} players, which is the limit. End one first.")
            raise Conflict("too-many", detail.format(number=MAX_OWNERS))
        sitting.accepted_at = now
        sitting.save(update_fields=["accepted_at"])
        notify_people(users=[sitting.owner], kind="sit-yes", about=sitting.pk, now=now)
    return sitting


def end_sitting(*, user: User, sitting_id: int, now: datetime) -> Sitting:
    """End a sitting at once, or decline or withdraw a request. The other person gets a notification.

    Raises NotFound if the person has no such sitting, or if it has ended.
    """
    refuse_guests(user)
    with transaction.atomic():
        open_ = Sitting.objects.select_for_update(of=("self",)).filter(pk=sitting_id, ended_at=None)
        sitting = open_.filter(Q(owner=user) | Q(sitter=user)).select_related("owner", "sitter").first()
        if sitting is None:
            raise no_sitting()
        other = sitting.sitter if user.pk == sitting.owner_id else sitting.owner
        _end(sitting, [other], now)
    return sitting


def no_sitting() -> NotFound:
    """Return the error for a sitting that does not exist, has ended, or is about other people."""
    return NotFound("no-sitting", _("There is no such request or sitter, or it has ended."))


def _end(sitting: Sitting, told: Iterable[User], now: datetime) -> None:
    sitting.ended_at = now
    sitting.save(update_fields=["ended_at"])
    notify_people(users=told, kind="sit-over", about=sitting.pk, now=now)
    for game in Game.objects.filter(players__user=sitting.owner, status=Game.Status.RUNNING, sitters=True):
        live.announce_change(game)


SITTINGS_PER_PASS: Final = 200
"""The maximum number of sittings that one pass of each job handles."""


def end_sittings(*, now: datetime) -> int:
    """End the sittings that are over, also because a person was locked or suspended, or blocked the other.

    Delete them after `SITTINGS_KEPT`. Returns the number of sittings that ended.
    """
    Sitting.objects.filter(ends_at__lte=now - SITTINGS_KEPT).delete()
    over = Sitting.objects.filter(ended_at=None).exclude(pk__in=lasting_sittings(now=now).values("pk"))
    return for_each_row("sittings", over, lambda pk: _end_over(pk, now), most=SITTINGS_PER_PASS, now=now)


def _end_over(sitting_id: int, now: datetime) -> bool:
    rows = Sitting.objects.select_for_update(of=("self",)).filter(pk=sitting_id, ended_at=None)
    sitting = rows.select_related("owner", "sitter").first()
    if sitting is None:
        return False
    pairs = [(sitting.owner, sitting.sitter), (sitting.sitter, sitting.owner)]
    early = sitting.ends_at > now  # everyone knew the last day from the start
    told = [user for user, other in pairs if early and not has_blocked(user=user, person=other)]
    _end(sitting, told, now)
    return True


def notify_sitters(*, now: datetime) -> int:
    """Notify sitters of the turns that wait for their orders. Return the number of notifications."""
    told = Notice.objects.filter(
        kind="sit-turn",
        game=OuterRef("turn__game"),
        turn=OuterRef("turn__number"),
        user=OuterRef(OuterRef("sitter")),
    )
    hands = _waiting_hands().filter(~Exists(told), seat__user=OuterRef("owner"), turn__game__sitters=True)
    # In random order: sittings that allow no orders in these games stay in the query, and must not fill it.
    rows = sittings_in_force(now=now).filter(Exists(hands)).order_by("?")
    return for_each_row("sitters", rows, lambda pk: _notify(pk, now), most=SITTINGS_PER_PASS, now=now)


def _notify(sitting_id: int, now: datetime) -> int:
    sitting = Sitting.objects.select_related("sitter").get(pk=sitting_id)
    told = Notice.objects.filter(
        game=OuterRef("turn__game"), turn=OuterRef("turn__number"), user=sitting.sitter_id, kind="sit-turn"
    )
    hands = waiting_hands(sitting=sitting).filter(~Exists(told)).select_related("turn__game")
    games = {hand.turn.game_id: hand.turn for hand in hands}
    may = sittings_in(people=[sitting.sitter_id], game_ids=games, now=now)
    sent = 0
    for game_id, turn in games.items():
        if may.get((game_id, sitting.sitter_id)) == sitting:
            sent += bool(
                notify_once(users=[sitting.sitter], kind="sit-turn", game=turn.game, again=(), now=now)
            )
    return sent


def waiting_hands(*, sitting: Sitting) -> QuerySet[Hand]:
    """Return a query for the hands of open turns that wait for orders of a sitting's owner."""
    return _waiting_hands().filter(seat__user=sitting.owner_id)


def _waiting_hands() -> QuerySet[Hand]:
    running = Hand.objects.filter(turn__status=Turn.Status.OPEN, turn__game__status=Game.Status.RUNNING)
    return running.filter(program=None)


class SitterGameView(TypedDict):
    """A game where a sitter can order."""

    id: int
    name: str
    waits: Annotated[bool, "Whether the turn under way still waits for orders."]


class SitterTurnView(TypedDict):
    """A turn with a sitter's orders."""

    game: int
    name: Annotated[str, "The name of the game."]
    turn: int
    at: datetime


class SittingView(TypedDict):
    """A sitter of yours, or a player whose sitter you are."""

    id: int
    owner: Annotated[str, "The Robo Name of the player."]
    sitter: Annotated[str, "The Robo Name of the sitter."]
    first: Annotated[date, "The first day, in the player’s time zone."]
    last: Annotated[date, "The last day."]
    begins_at: datetime
    ends_at: datetime
    accepted: Annotated[bool, "Whether the sitter agreed."]
    in_force: Annotated[bool, "Whether the sitter can order now."]
    over: Annotated[bool, "Whether it has ended."]
    games: Annotated[list[SitterGameView], "The games where the sitter can order now."]
    turns: Annotated[list[SitterTurnView], "The turns for which the sitter submitted orders, newest first."]


class SittersView(TypedDict):
    """Your sitters and your requests to and from other players."""

    mine: Annotated[list[SittingView], "Your sitters and requests, earliest first. Ended ones for 28 days."]
    for_others: Annotated[list[SittingView], "The players that you represent, and requests to you."]
    days_left: Annotated[int, "The days of this calendar year on which you can still have a sitter."]


SHOWN_AFTER: Final = timedelta(days=28)
"""How long a player sees an ended sitting with the turns that the sitter ordered."""

TURNS_SHOWN: Final = 50
"""The maximum number of turns that the page lists for each sitting."""


def sitters_of(*, user: User, now: datetime) -> SittersView:
    """Return a player's sittings in both roles, and the days left this year."""
    refuse_guests(user)
    rows = Sitting.objects.select_related("owner", "sitter")
    lately = Q(ended_at=None, ends_at__gt=now) | Q(accepted_at__isnull=False, ends_at__gt=now - SHOWN_AFTER)
    mine = rows.filter(lately, owner=user)
    others = rows.filter(sitter=user, pk__in=lasting_sittings(now=now).values("pk"))
    year = today_of(user=user, now=now).year
    return {
        "mine": [_view(each, now) for each in mine],
        "for_others": [_view(each, now) for each in others],
        "days_left": max(0, DAYS_A_YEAR - days_with_sitter(user=user, year=year)),
    }


def sitting_view(*, sitting: Sitting, now: datetime) -> SittingView:
    """Return a sitting as pages and the API show it to its two people."""
    return _view(sitting, now)


def _view(sitting: Sitting, now: datetime) -> SittingView:
    in_force = sittings_in_force(now=now).filter(pk=sitting.pk).exists()
    games: list[SitterGameView] = []
    if in_force:
        ids = Seat.objects.filter(user=sitting.owner_id, game__status=Game.Status.RUNNING).values_list("game")
        pairs = sittings_in(people=[sitting.sitter_id], game_ids=[pk for (pk,) in ids], now=now)
        found = [game_id for (game_id, _sitter), each in pairs.items() if each == sitting]
        waiting = set(waiting_hands(sitting=sitting).values_list("turn__game", flat=True))
        games = [
            {"id": game.pk, "name": game.name, "waits": game.pk in waiting}
            for game in Game.objects.filter(pk__in=found).order_by("name", "pk")
        ]
    turns = sitting.turns.select_related("game")[:TURNS_SHOWN]
    return {
        "id": sitting.pk,
        "owner": sitting.owner.robo_name,
        "sitter": sitting.sitter.robo_name,
        "first": sitting.first,
        "last": sitting.last,
        "begins_at": sitting.begins_at,
        "ends_at": sitting.ends_at,
        "accepted": sitting.accepted_at is not None,
        "in_force": in_force,
        "over": sitting.ended_at is not None or sitting.ends_at <= now,
        "games": sorted(games, key=lambda game: not game["waits"]),
        "turns": [
            {"game": each.game_id, "name": each.game.name, "turn": each.turn, "at": each.ordered_at}
            for each in turns
        ],
    }
