"""Joining a tournament, leaving it, and going on after a missed turn."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, Forbidden, Invalid, NotFound, refuse_guests
from games.news.services.notifications import tell_of_subject
from games.play.selectors.newcomers import is_newcomer
from games.play.services.locks import hold_person
from games.ratings.models import ALL, PlayerRating
from games.ratings.scale import SHOWN
from games.sanctions.selectors import barred_people, refuse_barred
from games.tournaments.models import Entrant, Tournament, TournamentShip
from games.tournaments.services.locks import locked_tournament

Status = Tournament.Status
Kind = Tournament.Kind

LATE: Final = (Kind.SWISS.value, Kind.MARATHON.value)
"""What can be joined after its start: a Swiss system up to half of its rounds, a marathon up to its end."""


def join_tournament(*, user: User, tournament_id: int, banned: int | None = None, now: datetime) -> Entrant:
    """Enter a tournament; who has left it before its rounds are half over comes back.

    ``banned`` is a starship on which the player would rather not play, where its rules have it so. Raises
    NotFound, Forbidden for guests, for players who are barred, for newcomers who are in another and for those
    who are no members of its club, Conflict for those who are in
    it, where it is full and where it is too late, and Invalid for a starship that is none of it.
    """
    refuse_guests(user)
    with transaction.atomic():
        hold_person(user)
        held = _held(tournament_id)
        there = held.entrants.filter(user=user).first()
        if there and there.left_at is None:
            raise Conflict("already-entered", _("You are in this tournament already."))
        refuse_barred(user=user, now=now)
        _refuse_newcomer(user, now)
        _refuse_outsider(held, user)
        _refuse_late(held)
        if there is None and held.entrants.count() >= held.most:
            raise Conflict(
                "full", _("This tournament is full: it has {most} entrants.").format(most=held.most)
            )
        ship = _ship(held, banned)
        if there:
            there.left_at, there.confirmed, there.banned = None, True, ship
            there.save(update_fields=["left_at", "confirmed", "banned"])
            return there
        return Entrant.objects.create(
            tournament=held, user=user, joined_at=now, strength=_strength(user, held), banned=ship
        )


def leave_tournament(*, user: User, tournament_id: int, now: datetime) -> None:
    """Leave a tournament: before its start as if one had never been in it, later with what was played.

    The game under way goes on, unless one resigns it. Raises NotFound for those who are not in it, and
    Conflict once it is over.
    """
    refuse_guests(user)
    with transaction.atomic():
        held = _held(tournament_id)
        _leave(held, _entrant(held, user), now)


def leave_running(*, user: User, now: datetime, barred: bool = False) -> None:
    """Have a player leave all tournaments that are open or being played; their results stand.

    Players who are ``barred``, or suspended, hear which.
    """
    going_on = Entrant.objects.filter(user=user, left_at=None, tournament__ended_at=None)
    with transaction.atomic():
        for tournament_id in list(going_on.order_by("tournament").values_list("tournament", flat=True)):
            held = locked_tournament(tournament_id)
            entrant = held.entrants.filter(user=user, left_at=None).first()
            if entrant and held.ended_at is None:  # it may have ended while this waited for it
                _leave(held, entrant, now)
                if barred:
                    _tell_taken_out(held, [user], now)


def leave_all(*, user: User, now: datetime) -> None:
    """Have a player leave all tournaments, since their account is deleted; staff take over those they host.

    Drafts go.
    """
    with transaction.atomic():
        drafts = Tournament.objects.filter(host=user, status=Status.DRAFT)
        for tournament_id in list(drafts.order_by("pk").values_list("pk", flat=True)):
            held = locked_tournament(tournament_id)
            if held.status == Status.DRAFT:
                held.delete()
        leave_running(user=user, now=now)


def take_out_barred(held: Tournament, *, now: datetime) -> None:
    """Take out the barred and suspended players of a tournament whose row is held, and closed accounts.

    This decides at the start, before each round and at the end, whenever a sanction began. Those who have
    played are out as players who left. Before the start it is as if they had never entered.
    """
    out = Q(user__is_active=False) | Q(user__in=barred_people(now=now))
    there = held.entrants.filter(out, left_at=None)
    people = [entrant.user for entrant in there.select_related("user")]
    if held.status == Status.OPEN:
        there.delete()
    else:
        there.update(left_at=now)
    _tell_taken_out(held, people, now)


def confirm_entry(*, user: User, tournament_id: int, now: datetime) -> Entrant:
    """Confirm that a player plays the next round, after a missed turn.

    Raises NotFound for players who are not in the tournament, and Conflict if no rounds are played now.
    """
    refuse_guests(user)
    with transaction.atomic():
        held = _held(tournament_id)
        entrant = _entrant(held, user)
        if held.ended_at is not None:
            raise Conflict("over", _("This tournament is over."))
        if held.status != Status.RUNNING or held.is_marathon:
            raise Conflict("no-round", _("There is no round to confirm."))
        entrant.confirmed = True
        entrant.save(update_fields=["confirmed"])
        _look_again(held, now)
    return entrant


def _held(tournament_id: int) -> Tournament:
    """Return a tournament whose row is held; raises NotFound for drafts as well."""
    held = locked_tournament(tournament_id)
    if held.status == Status.DRAFT:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return held


def _leave(held: Tournament, entrant: Entrant, now: datetime) -> None:
    """Take an entrant out of a tournament whose row is held; raises Conflict once it is over."""
    if held.status == Status.OPEN:
        entrant.delete()
        return
    if held.status != Status.RUNNING:
        raise Conflict("over", _("This tournament is over."))
    entrant.left_at = now
    entrant.save(update_fields=["left_at"])
    _look_again(held, now)


def _tell_taken_out(held: Tournament, people: list[User], now: datetime) -> None:
    """Notify players that they are out of a tournament because of a sanction."""
    people = [user for user in people if user.is_active]
    tell_of_subject(users=people, kind="cup-out", tournament=held.pk, now=now)


def _look_again(held: Tournament, now: datetime) -> None:
    """Have the sweeper look at a tournament that may have waited for this player alone."""
    if held.status == Status.RUNNING and not held.is_marathon:
        held.due_at = now
        held.save(update_fields=["due_at"])


def _entrant(held: Tournament, user: User) -> Entrant:
    entrant = held.entrants.filter(user=user, left_at=None).first()
    if entrant is None:
        raise NotFound("not-entered", _("You are not in this tournament."))
    return entrant


def _refuse_outsider(held: Tournament, user: User) -> None:
    if held.lost_its_club:
        detail = _("The club of this tournament was closed, so no one else can enter it.")
        raise Forbidden("club-closed", detail)
    if held.club and not held.club.memberships.filter(user=user).exists():
        raise Forbidden(
            "members-only", _("This tournament is for members of {club}.").format(club=held.club.name)
        )


def _refuse_newcomer(user: User, now: datetime) -> None:
    going_on = Entrant.objects.filter(user=user, left_at=None, tournament__ended_at=None)
    if going_on.exists() and is_newcomer(user=user, now=now):
        detail = _("While you are new here you can be in one tournament at a time.")
        raise Forbidden("newcomer", detail)


def _refuse_late(held: Tournament) -> None:
    if held.ended_at is not None:
        raise Conflict("over", _("This tournament is over."))
    if held.status == Status.OPEN:
        return
    if held.kind not in LATE:
        raise Conflict("started", _("This tournament has started."))
    if held.rounds and 2 * held.all_rounds.count() >= held.rounds:
        raise Conflict("half-over", _("Half of its rounds have begun. It is too late to join."))


def _ship(held: Tournament, banned: int | None) -> TournamentShip | None:
    if banned is None:
        return None
    ship = held.ships.filter(starship=banned).first() if 0 < banned < 1 << 31 else None
    if held.ship_choice != Tournament.ShipChoice.BANNED or ship is None:
        detail = _("You can ban one starship of a tournament whose rules say so.")
        raise Invalid("banned", detail, [{"code": "banned", "detail": detail}])
    return ship


def _strength(user: User, held: Tournament) -> int:
    """Return a player's rating in the ruleset of a tournament, or else in all."""
    rows = PlayerRating.objects.filter(user=user, pool__in=(held.ruleset, ALL)).select_related("pool")
    known = {row.pool_id: row.points for row in rows}
    return known.get(held.ruleset, known.get(ALL, SHOWN))
