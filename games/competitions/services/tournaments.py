"""Create, open and cancel tournaments. Enter and leave them, and confirm rounds."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from zlib import crc32

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.absence.reliability import reliability_of
from games.clocks.clock import PerTurn
from games.clubs.models import Club, Membership
from games.clubs.selectors import club_named
from games.clubs.services import announce
from games.competitions.models import Entrant, Tournament, TournamentShip
from games.competitions.selectors.plans import MARATHON_LENGTH
from games.competitions.selectors.tournaments import PLAIN_RULES, terms_of_draft
from games.errors import Conflict, Forbidden, Invalid, NotFound, ProblemDocument, refuse_guests
from games.fleet.models import OFFERED, Starship
from games.fleet.selectors import fit
from games.groups.announcements import announce_tournament
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
"""The longest time from now to the start of a new tournament."""

PACES: Final = (12, 24, 48, 72, 168)

MISSED_TURNS_ALLOWED: Final = 3
"""The number of turns that a player may miss in one game before a computer takes the seat."""


def can_start(at: datetime, *, now: datetime) -> bool:
    """Return whether a new tournament can start at this time."""
    return now < at <= now + LONGEST_TIME_TO_START


def _problems_with(terms: Mapping[str, Any], *, now: datetime) -> list[ProblemDocument]:
    """Return the problems with the start time and the starships of a tournament."""
    found: list[ProblemDocument] = []
    if not can_start(terms["starts_at"], now=now):
        detail = _("Choose a start time within the next {days} days.").format(days=LONGEST_TIME_TO_START.days)
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
    """Lock and return a tournament. The lock lasts until the transaction ends.

    Raises NotFound if there is no such tournament. With ``skip_locked``, does not wait if another worker has
    locked the tournament, but raises NotFound.
    """
    held = Tournament.objects.select_for_update(no_key=True, of=("self",), skip_locked=skip_locked)
    found = held.select_related("club").filter(pk=tournament_id).order_by().first()
    if found is None:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return found


def tournament_locked_by_table(table_id: int) -> Tournament:
    """Lock and return the tournament of a table. Raises NotFound if there is no such table."""
    found = Tournament.objects.filter(all_rounds__tables=table_id).values_list("pk", flat=True).first()
    return locked_tournament(found or 0)


def tournament_locked_by_host(user: User, tournament_id: int) -> Tournament:
    """Lock and return a tournament, if the user is its host or may change tournaments as staff.

    Raises NotFound if there is no such tournament. For anyone else, also raises NotFound if it is a draft,
    and Forbidden if it is not.
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
"""The minimum number of rated games that a player needs to host a tournament."""

LEAST_RELIABILITY: Final = 80
"""The minimum reliability that a player needs to host a tournament, in percent."""

MOST_TOURNAMENTS: Final = 3
"""The maximum number of unfinished tournaments for each host, including drafts."""

SEED_BYTES: Final = 16


def create_tournament(*, user: User, terms: Mapping[str, Any], now: datetime) -> Tournament:
    """Create a draft of a tournament from the values of `NewTournament`.

    For a club's tournament, the user must be the club's captain or an officer. For any other tournament,
    `why_not_host` decides. Staff with the right to add tournaments may create any number of them, for any
    club. Raises Forbidden for everyone else, and for guests, barred players and muted players; NotFound for
    an unknown club; Conflict if the user hosts too many tournaments; and Invalid with all problems of the
    start time and the starships, or if a newcomer's texts contain a link.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    club = club_named(terms["club"]) if terms.get("club") else None
    _refuse_without_standing(user, club)
    if problems := _problems_with(terms, now=now):
        raise Invalid("no-tournament", _("Couldn’t save the tournament. Fix the marked fields."), problems)
    refuse_words(user=user, words=[terms["name"], terms["text"]], now=now)
    with transaction.atomic():
        lock_person(user)
        going_on = Tournament.objects.filter(host=user, ended_at=None).count()
        if going_on >= MOST_TOURNAMENTS and not may(user, Right.ADD_TOURNAMENTS):
            detail = _(
                "You host {most} tournaments, which is the limit. Wait until one is over, or cancel one."
            )
            raise Conflict("too-many", detail.format(most=MOST_TOURNAMENTS))
        made = Tournament.objects.create(
            **_columns(terms, club),
            host=user,
            absence=stored.write_absence(Absence(STANDING, MISSED_TURNS_ALLOWED)),
            seed=secrets.token_hex(SEED_BYTES),
            created_at=now,
        )
        _set_ships(made, terms)
    return made


def change_draft(*, user: User, tournament_id: int, terms: Mapping[str, Any], now: datetime) -> Tournament:
    """Change the rules of a draft, as its host or staff. ``terms`` are the values of `NewTournament`.

    Without a club, the draft of a closed club becomes a draft for everyone.

    Raises NotFound if the user sees no such tournament, Forbidden for everyone except its host and staff,
    Conflict if the tournament is open, and the errors of `create_tournament` for a host's new terms.
    """
    refuse_barred(user=user, now=now)
    club = club_named(terms["club"]) if terms.get("club") else None
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        refuse_opened(made)
        host = made.host or user
        _refuse_without_standing(host, club)
        if problems := _problems_with(terms, now=now):
            raise Invalid(
                "no-tournament", _("Couldn’t save the tournament. Fix the marked fields."), problems
            )
        refuse_words(user=host, words=[terms["name"], terms["text"]], before=[made.name, made.text], now=now)
        for name, value in _columns(terms, club).items():
            setattr(made, name, value)
        made.save()
        made.ships.all().delete()
        _set_ships(made, terms)
    return made


def refuse_opened(made: Tournament) -> None:
    """Raise Conflict if a tournament is not a draft any more."""
    if made.status != Status.DRAFT:
        raise Conflict("not-a-draft", _("This tournament is already open. Its rules can no longer change."))


def _columns(terms: Mapping[str, Any], club: Club | None) -> dict[str, Any]:
    """Return the rules of a tournament as fields of a `Tournament`, without its starships."""
    kind = terms["kind"]
    return {
        **{name: terms[name] for name in PLAIN_RULES},
        "club": club,
        "members_only": club is not None,
        "rounds": terms["rounds"] if kind == Kind.SWISS else None,
        "pace": stored.write_pace(PerTurn(terms["hours"])),
        "ends_at": terms["starts_at"] + MARATHON_LENGTH if kind == Kind.MARATHON else None,
    }


def _set_ships(made: Tournament, terms: Mapping[str, Any]) -> None:
    ships = [] if made.is_marathon else _ships(terms["starships"])
    TournamentShip.objects.bulk_create(
        TournamentShip(tournament=made, starship=ship, number=number) for number, ship in enumerate(ships, 1)
    )


def checksum_of_draft(made: Tournament) -> str:
    """Return a checksum of a tournament's rules, to notice changes."""
    return f"{crc32(repr(terms_of_draft(made)).encode()):08x}"


def open_tournament(*, user: User, tournament_id: int, seen: str = "", now: datetime) -> Tournament:
    """Open a draft to entrants, as its host or staff. Its rules can't change after that.

    ``seen`` is the checksum of the rules that the user saw, if any. The members of its club get a
    notification, but of a limited number of new tournaments of one host in 24 hours.

    Raises NotFound if the user sees no such tournament; Forbidden if the user is neither its host nor staff,
    or if the host is barred, muted or no longer leads its club; Conflict if the tournament is not a draft,
    its rules have changed since the user saw them, its club was closed, its start time has passed, or one of
    its starships is not available or doesn't fit any more; and Invalid if the host is a newcomer and the
    tournament's texts contain a link.
    """
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        if made.status != Status.DRAFT:
            raise Conflict("not-a-draft", _("This tournament is already open."))
        if seen and seen != checksum_of_draft(made):
            detail = _("The draft has changed since you opened this page. Check it, then open it again.")
            raise Conflict("stale", detail)
        if made.host_id == user.pk:
            refuse_barred(user=user, now=now)
            if made.club:
                _refuse_without_standing(user, made.club)
        if made.lost_its_club:
            raise Conflict(
                "club-closed",
                _("The club of this tournament was closed, so it can’t open. Edit or delete the draft."),
            )
        if made.starts_at <= now:
            raise Conflict("too-late", _("The start time has passed. Edit the draft to change it."))
        if problems := _problems_with(terms_of_draft(made), now=now):
            raise Conflict("no-starship", problems[0]["detail"])
        refuse_words(user=made.host or user, words=[made.name, made.text], now=now)
        made.status, made.opened_at, made.due_at = Status.OPEN, now, made.starts_at
        made.save(update_fields=["status", "opened_at", "due_at"])
        _announce(made, now)
    return made


def _announce(made: Tournament, now: datetime) -> None:
    """Notify the members of a tournament's club."""
    if made.club and made.host:
        opened = Tournament.objects.filter(club=made.club, host=made.host).exclude(status=Status.DRAFT)
        announce(club=made.club, by=made.host, kind="cup-new", about=made.pk, made=opened, now=now)


def cancel_tournament(*, user: User, tournament_id: int, now: datetime) -> Tournament:
    """Cancel a tournament, as its host before it starts, or as staff at any time.

    A draft is deleted instead. The tournament's games continue. Raises NotFound if the user sees no such
    tournament, Forbidden if the user may not cancel it, and Conflict if it is over.
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
    """Cancel a tournament, and notify its host and entrants, except the user ``by``.

    The caller must lock the tournament.
    """
    made.status, made.ending, made.ended_at, made.due_at = Status.CANCELLED, why, now, None
    made.save(update_fields=["status", "ending", "ended_at", "due_at"])
    announce_tournament(tournament_id=made.pk, round_number=None, now=now)
    people = [each for each in people_of(made) if by is None or each.pk != by.pk]
    notify_people(users=people, kind="cup-cancel", about=made.pk, now=now)


def people_of(made: Tournament) -> list[User]:
    """Return the host and the current entrants of a tournament, each once."""
    entrants = made.entrants.filter(left_at=None).select_related("user")
    people = {entrant.user_id: entrant.user for entrant in entrants}
    if made.host:
        people.setdefault(made.host.pk, made.host)
    return list(people.values())


def why_not_host(user: User) -> str:
    """Return the reason why a player may not host a tournament, or "" if they may."""
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
    """Return the starships with these IDs, in this order. Leaves out starships that tournaments can't use."""
    library = Starship.objects.filter(OFFERED, pk__in=asked).exclude(section=Starship.Section.PROTOTYPES)
    found = {ship.pk: ship for ship in library.select_related("current")}
    return [found[number] for number in asked if number in found]


# --- Entries ------------------------------------------------------------------------------------------------


JOINABLE_LATE: Final = (Kind.SWISS.value, Kind.MARATHON.value)
"""The kinds of tournament that players can enter after the start.

A Swiss tournament accepts entrants until half of its rounds have started, and a marathon until it ends.
"""


def join_tournament(*, user: User, tournament_id: int, banned: int | None = None, now: datetime) -> Entrant:
    """Enter a tournament, or come back after leaving it.

    ``banned`` is the ID of a starship that the player wants to avoid, if the rules allow this. Raises
    NotFound if the tournament does not exist or is a draft. Raises Forbidden for guests, barred players,
    newcomers who are in another tournament, and, if the tournament is only for a club, for everyone outside
    it. Raises Conflict if the player is already in the tournament, if it is full, or if it is too late to
    enter. Raises Invalid if the player can't ban this starship.
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
    """Leave a tournament. Before its start, this deletes the entry. After that, the results stay.

    The player's running game continues, unless the player resigns. Raises NotFound if the player is not in
    the tournament, Forbidden for guests, and Conflict if the tournament is over.
    """
    refuse_guests(user)
    with transaction.atomic():
        held = _locked_published(tournament_id)
        _leave(held, _entrant(held, user), now)


def leave_running(*, user: User, now: datetime, barred: bool = False) -> None:
    """Remove a player from all open and running tournaments. The player's results stay.

    Set ``barred`` if staff have barred or suspended the player. Then the player is notified.
    """
    going_on = Entrant.objects.filter(user=user, left_at=None, tournament__ended_at=None)
    with transaction.atomic():
        for tournament_id in list(going_on.order_by("tournament").values_list("tournament", flat=True)):
            held = locked_tournament(tournament_id)
            entrant = held.entrants.filter(user=user, left_at=None).first()
            if entrant and held.ended_at is None:  # it may have ended during the wait for its lock
                _leave(held, entrant, now)
                if barred:
                    _notify_taken_out(held, [user], now)


def leave_all(*, user: User, now: datetime) -> None:
    """Remove a player from all tournaments, because their account is deleted.

    Deletes the drafts that the player hosts. Staff take over the player's other tournaments.
    """
    with transaction.atomic():
        drafts = Tournament.objects.filter(host=user, status=Status.DRAFT)
        for tournament_id in list(drafts.order_by("pk").values_list("pk", flat=True)):
            held = locked_tournament(tournament_id)
            if held.status == Status.DRAFT:
                held.delete()
        leave_running(user=user, now=now)


def take_out_barred(held: Tournament, *, now: datetime) -> None:
    """Remove barred, suspended and closed accounts from a tournament. The caller must lock it.

    Runs at the start, before each round and at the end, because a sanction can begin at any time. Before the
    start, deletes the entries. After that, the accounts count as players who left.
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
    """Confirm that a player will play in the next round, after missed turns.

    Raises NotFound if the player is not in the tournament, Forbidden for guests, and Conflict if there is no
    round to confirm.
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
    """Lock and return a tournament. Raises NotFound if it does not exist or is a draft."""
    held = locked_tournament(tournament_id)
    if held.status == Status.DRAFT:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return held


def _leave(held: Tournament, entrant: Entrant, now: datetime) -> None:
    """Remove an entrant from a tournament. Raises Conflict if it is over. The caller must lock it."""
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
    """Make a running tournament due now, in case it was waiting only for one player to confirm or leave."""
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
        detail = _(
            "New players can be in only one tournament at a time. Finish or leave the other one first."
        )
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
            "You can’t ban this starship. You can only ban a starship of the tournament, and only if the"
            " tournament’s rules allow bans."
        )
        raise Invalid("banned", detail, [{"code": "banned", "detail": detail}])
    return ship


def _seed_rating(user: User, held: Tournament) -> int:
    """Return a player's rating in the tournament's ruleset, or else their overall rating."""
    rows = PlayerRating.objects.filter(user=user, pool__in=(held.ruleset, OVERALL)).select_related("pool")
    known = {row.pool_id: row.points for row in rows}
    return known.get(held.ruleset, known.get(OVERALL, NEWCOMER_POINTS))
