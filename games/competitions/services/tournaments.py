"""Create, open and cancel tournaments, join and leave them."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.absence.reliability import reliability_of
from games.clocks.clock import PerTurn
from games.clubs.models import Club, Membership
from games.clubs.selectors import club_named
from games.competitions.models import Entrant, Tournament, TournamentShip
from games.errors import Conflict, Forbidden, Invalid, NotFound, ProblemDocument, refuse_guests
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors import fit
from games.moderation.sanctions import barred_people, refuse_barred
from games.news.services import notify_people, notify_with_subject
from games.play import stored
from games.play.policy import STANDING, Absence
from games.play.viewers import is_newcomer, refuse_words
from games.rights import Right, may
from games.standings.models import OVERALL, PlayerRating
from games.standings.ratings import NEWCOMER_POINTS
from games.work.models import lock_person

# --- Terms --------------------------------------------------------------------------------------------------


Kind = Tournament.Kind

MOST_ENTRANTS: Final = 300
MOST_ROUNDS: Final = 9
MOST_SHIPS: Final = 12

LONGEST_TIME_TO_START: Final = timedelta(days=90)
"""Longest time until the start of a tournament."""

MARATHON_LENGTH: Final = timedelta(days=31)
"""Length of a marathon."""

PACES: Final = (12, 24, 48, 72, 168)

MISSED_TURNS_ALLOWED: Final = 3
"""Missed turns in one game before a computer takes the seat."""


def _problems_with(terms: Mapping[str, Any], *, now: datetime) -> list[ProblemDocument]:
    """Return the problems with the start time and the starships of a tournament."""
    found: list[ProblemDocument] = []
    if not now < terms["starts_at"] <= now + LONGEST_TIME_TO_START:
        detail = _("Choose a start within the next {days} days.").format(days=LONGEST_TIME_TO_START.days)
        found.append({"code": "starts_at", "detail": detail})
    if terms["kind"] == Kind.MARATHON:
        return found
    ruleset, ships = rules.ruleset(terms["ruleset"]), _ships(terms["starships"])
    if len(ships) < len(terms["starships"]):
        detail = _("One of these starships is not available. Choose another.")
        return [*found, {"code": "starships", "detail": detail}]
    for ship in ships:
        if not fit(ruleset=ruleset, starship=ship, robots=terms["size"]).possible:
            detail = _("{starship} doesn’t fit these rules with {number} players. Choose another starship.")
            detail = detail.format(starship=ship.name, number=terms["size"])
            found.append({"code": "starships", "detail": detail})
    return found


# --- Locks --------------------------------------------------------------------------------------------------


def locked_tournament(tournament_id: int, *, skip_locked: bool = False) -> Tournament:
    """Return a tournament and lock it until the transaction ends.

    With ``skip_locked``, does not wait if another worker has locked it. Raises NotFound then, and if there is
    no such tournament.
    """
    held = Tournament.objects.select_for_update(no_key=True, of=("self",), skip_locked=skip_locked)
    found = held.select_related("club").filter(pk=tournament_id).order_by().first()
    if found is None:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return found


def tournament_locked_by_table(table_id: int) -> Tournament:
    """Return the tournament of a table, and lock it. Raises NotFound."""
    found = Tournament.objects.filter(all_rounds__tables=table_id).values_list("pk", flat=True).first()
    return locked_tournament(found or 0)


def tournament_locked_by_host(user: User, tournament_id: int) -> Tournament:
    """Lock and return a tournament for its host or staff.

    Raises NotFound, and Forbidden for anyone else.
    """
    found = locked_tournament(tournament_id)
    hosts = found.host_id == user.pk or may(user, Right.CHANGE_TOURNAMENTS)
    if found.status == Tournament.Status.DRAFT and not hosts:
        raise NotFound("no-tournament", _("There is no such tournament."))
    if not hosts:
        raise Forbidden("not-host", _("Only the host and staff may do that."))
    return found


# --- Creating and cancelling --------------------------------------------------------------------------------


Status = Tournament.Status

LEAST_GAMES_OF_HOST: Final = 5
"""Minimum number of a host's rated games."""

LEAST_RELIABILITY: Final = 80
"""Minimum reliability of a host, in percent."""

MOST_TOURNAMENTS: Final = 3
"""Maximum number of unfinished tournaments for each host, including drafts."""

SEED_BYTES: Final = 16


def create_tournament(*, user: User, terms: Mapping[str, Any], now: datetime) -> Tournament:
    """Create a tournament from the values of `NewTournament`, as a draft for its host.

    Allowed for staff with the right, officers of its club, and players who meet `why_not_host`. Raises
    Forbidden for other and barred players, NotFound for an unknown club, Conflict for a host with too many
    tournaments, and Invalid with all problems of time and starships.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    club = club_named(terms["club"]) if terms.get("club") else None
    _refuse_without_standing(user, club)
    if problems := _problems_with(terms, now=now):
        raise Invalid("no-tournament", _("Couldn’t save the tournament. Fix the marked fields."), problems)
    refuse_words(user=user, words=[terms["name"], terms["text"]], now=now)
    marathon = terms["kind"] == Kind.MARATHON
    same = ("name", "text", "kind", "ruleset", "size", "ship_choice", "least", "most", "starts_at")
    with transaction.atomic():
        lock_person(user)
        going_on = Tournament.objects.filter(host=user, ended_at=None).count()
        if going_on >= MOST_TOURNAMENTS and not may(user, Right.ADD_TOURNAMENTS):
            detail = _(
                "You host {most} tournaments, which is the limit. Wait until one is over, or cancel one."
            )
            raise Conflict("too-many", detail.format(most=MOST_TOURNAMENTS))
        made = Tournament.objects.create(
            **{name: terms[name] for name in same},
            host=user,
            club=club,
            members_only=club is not None,
            rounds=terms["rounds"] if terms["kind"] == Kind.SWISS else None,
            pace=stored.write_pace(PerTurn(terms["hours"])),
            absence=stored.write_absence(Absence(STANDING, MISSED_TURNS_ALLOWED)),
            seed=secrets.token_hex(SEED_BYTES),
            ends_at=terms["starts_at"] + MARATHON_LENGTH if marathon else None,
            created_at=now,
        )
        TournamentShip.objects.bulk_create(
            TournamentShip(tournament=made, starship=ship, number=number)
            for number, ship in enumerate([] if marathon else _ships(terms["starships"]), 1)
        )
    return made


def open_tournament(*, user: User, tournament_id: int, now: datetime) -> Tournament:
    """Open a draft to entrants, for its host or staff. This fixes its rules.

    Raises NotFound, and Conflict if it is no draft, or its start has passed.
    """
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        if made.status != Status.DRAFT:
            raise Conflict("not-a-draft", _("This tournament is already open."))
        if made.lost_its_club:
            raise Conflict(
                "club-closed",
                _("The club of this tournament was closed, so it can’t open. Delete the draft."),
            )
        if made.starts_at <= now:
            raise Conflict("too-late", _("The start time has passed. Create another tournament."))
        refuse_words(user=made.host or user, words=[made.name, made.text], now=now)
        made.status, made.due_at = Status.OPEN, made.starts_at
        made.save(update_fields=["status", "due_at"])
    return made


def cancel_tournament(*, user: User, tournament_id: int, now: datetime) -> Tournament:
    """Cancel a tournament, for its host before it starts, or for staff at any time.

    Games continue, and a draft is deleted. Raises NotFound, Forbidden for anyone else, and Conflict once it
    is over.
    """
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        if made.ended_at is not None:
            raise Conflict("over", _("This tournament is over."))
        if made.status == Status.RUNNING and not may(user, Right.CHANGE_TOURNAMENTS):
            raise Forbidden("running", _("This tournament has started. Only staff can cancel it now."))
        if made.status == Status.DRAFT:
            made.delete()
            return made
        why = Tournament.Ending.HOST if made.host_id == user.pk else Tournament.Ending.STAFF
        cancel_and_notify(made, why=why, by=user, now=now)
    return made


def cancel_and_notify(
    made: Tournament, *, why: Tournament.Ending, by: User | None = None, now: datetime
) -> None:
    """Cancel a tournament, whose row is locked. Notify its people except ``by``."""
    made.status, made.ending, made.ended_at, made.due_at = Status.CANCELLED, why, now, None
    made.save(update_fields=["status", "ending", "ended_at", "due_at"])
    people = [each for each in people_of(made) if by is None or each.pk != by.pk]
    notify_people(users=people, kind="cup-cancel", about=made.pk, now=now)


def people_of(made: Tournament) -> list[User]:
    """Return the host and the entrants of a tournament, each once."""
    entrants = made.entrants.filter(left_at=None).select_related("user")
    people = {entrant.user_id: entrant.user for entrant in entrants}
    if made.host:
        people.setdefault(made.host.pk, made.host)
    return list(people.values())


def why_not_host(user: User) -> str:
    """Return why a player may not create a tournament. Empty if they may."""
    if may(user, Right.ADD_TOURNAMENTS):
        return ""
    rating = PlayerRating.objects.filter(user=user, pool=OVERALL).first()
    if (rating.games if rating else 0) < LEAST_GAMES_OF_HOST:
        return _("Play at least {number} rated games before you host a tournament.").format(
            number=LEAST_GAMES_OF_HOST
        )
    if reliability_of(user).percent < LEAST_RELIABILITY:
        return _("You need a reliability of at least {least} % to host a tournament.").format(
            least=LEAST_RELIABILITY
        )
    return ""


def _refuse_without_standing(user: User, club: Club | None) -> None:
    if club and not may(user, Right.ADD_TOURNAMENTS):
        roles = (Membership.Role.CAPTAIN, Membership.Role.OFFICER)
        if not club.memberships.filter(user=user, role__in=roles).exists():
            raise Forbidden("not-officer", _("Only officers and the captain may do that."))
    elif why := why_not_host(user):
        raise Forbidden("no-standing", why)


def _ships(asked: Sequence[int]) -> list[Starship]:
    """Return a tournament's starships, except those no longer offered, in order."""
    library = Starship.objects.filter(OFFERED, pk__in=asked).exclude(section=Starship.Section.PROTOTYPES)
    found = {ship.pk: ship for ship in library.select_related("current")}
    return [found[number] for number in asked if number in found]


# --- Entries ------------------------------------------------------------------------------------------------


JOINABLE_LATE: Final = (Kind.SWISS.value, Kind.MARATHON.value)
"""Kinds to join late: Swiss up to half of its rounds, a marathon up to its end."""


def join_tournament(*, user: User, tournament_id: int, banned: int | None = None, now: datetime) -> Entrant:
    """Enter a tournament. A player who left can come back before half of its rounds.

    ``banned`` is a starship that the player wants to avoid, if the rules allow it. Raises NotFound, Forbidden
    for guests, barred players, newcomers who are in another one and players outside its club, Conflict if the
    player is in it, or if it is full or too late, and Invalid for a starship that is not part of it.
    """
    refuse_guests(user)
    with transaction.atomic():
        lock_person(user)
        held = _locked_published(tournament_id)
        there = held.entrants.filter(user=user).first()
        if there and there.left_at is None:
            raise Conflict("already-entered", _("You are already in this tournament."))
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
            tournament=held, user=user, joined_at=now, strength=_seed_rating(user, held), banned=ship
        )


def leave_tournament(*, user: User, tournament_id: int, now: datetime) -> None:
    """Leave a tournament. Before its start, deletes the entry. Later, results stay.

    The running game continues, unless the player resigns it. Raises NotFound if the player is not in it, and
    Conflict once it is over.
    """
    refuse_guests(user)
    with transaction.atomic():
        held = _locked_published(tournament_id)
        _leave(held, _entrant(held, user), now)


def leave_running(*, user: User, now: datetime, barred: bool = False) -> None:
    """Remove a player from all open and running tournaments. Their results stay.

    Notifies the player if they are ``barred`` (or suspended).
    """
    going_on = Entrant.objects.filter(user=user, left_at=None, tournament__ended_at=None)
    with transaction.atomic():
        for tournament_id in list(going_on.order_by("tournament").values_list("tournament", flat=True)):
            held = locked_tournament(tournament_id)
            entrant = held.entrants.filter(user=user, left_at=None).first()
            if entrant and held.ended_at is None:  # it may have ended while this waited for it
                _leave(held, entrant, now)
                if barred:
                    _notify_taken_out(held, [user], now)


def leave_all(*, user: User, now: datetime) -> None:
    """Remove a player from all tournaments, because their account is deleted.

    Deletes their drafts. Staff take over their other tournaments.
    """
    with transaction.atomic():
        drafts = Tournament.objects.filter(host=user, status=Status.DRAFT)
        for tournament_id in list(drafts.order_by("pk").values_list("pk", flat=True)):
            held = locked_tournament(tournament_id)
            if held.status == Status.DRAFT:
                held.delete()
        leave_running(user=user, now=now)


def take_out_barred(held: Tournament, *, now: datetime) -> None:
    """Remove barred, suspended and closed accounts from a locked tournament.

    Runs at the start, before each round and at the end, for sanctions that began at any time. Players with
    results count as players who left. Before the start, their entries are deleted.
    """
    out = Q(user__is_active=False) | Q(user__in=barred_people(now=now))
    there = held.entrants.filter(out, left_at=None)
    people = [entrant.user for entrant in there.select_related("user")]
    if held.status == Status.OPEN:
        there.delete()
    else:
        there.update(left_at=now)
    _notify_taken_out(held, people, now)


def confirm_entry(*, user: User, tournament_id: int, now: datetime) -> Entrant:
    """Confirm a player's next round, after a missed turn.

    Raises NotFound if they are not in the tournament, and Conflict if no rounds are played now.
    """
    refuse_guests(user)
    with transaction.atomic():
        held = _locked_published(tournament_id)
        entrant = _entrant(held, user)
        if held.ended_at is not None:
            raise Conflict("over", _("This tournament is over."))
        if held.status != Status.RUNNING or held.is_marathon:
            raise Conflict("no-round", _("There is no round to confirm."))
        entrant.confirmed = True
        entrant.save(update_fields=["confirmed"])
        _make_due(held, now)
    return entrant


def _locked_published(tournament_id: int) -> Tournament:
    """Return a tournament and lock it. Raises NotFound, also for drafts."""
    held = locked_tournament(tournament_id)
    if held.status == Status.DRAFT:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return held


def _leave(held: Tournament, entrant: Entrant, now: datetime) -> None:
    """Remove an entrant from a locked tournament. Raises Conflict once it is over."""
    if held.status == Status.OPEN:
        entrant.delete()
        return
    if held.status != Status.RUNNING:
        raise Conflict("over", _("This tournament is over."))
    entrant.left_at = now
    entrant.save(update_fields=["left_at"])
    _make_due(held, now)


def _notify_taken_out(held: Tournament, people: list[User], now: datetime) -> None:
    people = [user for user in people if user.is_active]
    notify_with_subject(users=people, kind="cup-out", tournament=held.pk, now=now)


def _make_due(held: Tournament, now: datetime) -> None:
    """Let the sweeper check a tournament that may have waited only for this player."""
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
        detail = _("New players can be in one tournament at a time. Finish or leave the other one first.")
        raise Forbidden("newcomer", detail)


def _refuse_late(held: Tournament) -> None:
    if held.ended_at is not None:
        raise Conflict("over", _("This tournament is over."))
    if held.status == Status.OPEN:
        return
    if held.kind not in JOINABLE_LATE:
        raise Conflict("started", _("This tournament has started."))
    if held.rounds and 2 * held.all_rounds.count() >= held.rounds:
        raise Conflict("half-over", _("Half of the rounds have started, so it’s too late to enter."))


def _ship(held: Tournament, banned: int | None) -> TournamentShip | None:
    if banned is None:
        return None
    ship = held.ships.filter(starship=banned).first() if 0 < banned < 1 << 31 else None
    if held.ship_choice != Tournament.ShipChoice.BANNED or ship is None:
        detail = _(
            "You can’t ban this starship. You can only ban one of the tournament’s starships, if its"
            " rules allow it."
        )
        raise Invalid("banned", detail, [{"code": "banned", "detail": detail}])
    return ship


def _seed_rating(user: User, held: Tournament) -> int:
    """Return a player's rating in a tournament's ruleset, or their overall rating."""
    rows = PlayerRating.objects.filter(user=user, pool__in=(held.ruleset, OVERALL)).select_related("pool")
    known = {row.pool_id: row.points for row in rows}
    return known.get(held.ruleset, known.get(OVERALL, NEWCOMER_POINTS))
