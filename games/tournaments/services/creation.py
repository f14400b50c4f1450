"""Making tournaments, opening them to entrants, and calling them off."""

import secrets
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games import texts
from games.absence.reliability import reliability_of
from games.clubs.models import Club, Membership
from games.clubs.selectors import club_named
from games.errors import Conflict, Forbidden, Invalid, refuse_guests
from games.fleet.models import OFFERED, Starship
from games.news.services.notifications import tell_of_person
from games.play import stored
from games.play.selectors.words import refuse_words
from games.ratings.models import ALL, PlayerRating
from games.rights import Right, may
from games.sanctions.selectors import refuse_barred
from games.tournaments.models import Tournament, TournamentShip
from games.tournaments.services.locks import tournament_locked_by_host
from games.tournaments.terms import MONTH, TournamentTerms, problems_with

Status = Tournament.Status

LEAST_GAMES: Final = 5
"""Rated games that a player has to have played who makes a tournament."""

LEAST_RELIABILITY: Final = 80
"""How reliable they have to be, in percent."""

MOST_AT_ONCE: Final = 3
"""Tournaments of one player that are drafts, open or being played."""

SEED_BYTES: Final = 16


def create_tournament(*, user: User, terms: TournamentTerms, now: datetime) -> Tournament:
    """Make a tournament, as a draft that only its host sees.

    Staff with the right may, officers of its club, and players of standing. Raises Forbidden for others and
    barred players, NotFound for no club, Conflict for a host of as many as one may have, and Invalid with all
    that is wrong with its rules.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    club = club_named(terms.club) if terms.club else None
    _refuse_without_standing(user, club)
    ships = _ships(terms)
    if problems := problems_with(terms, ships, now=now):
        raise Invalid("no-tournament", _("There can be no such tournament. Change what is marked."), problems)
    refuse_words(user=user, words=[terms.name, terms.text], now=now)
    kind = Tournament.Kind(terms.kind)
    marathon = kind == Tournament.Kind.MARATHON
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        going_on = Tournament.objects.filter(host=user, ended_at=None).count()
        if going_on >= MOST_AT_ONCE and not may(user, Right.ADD_TOURNAMENTS):
            detail = _("You host {most} tournaments, the most at a time.")
            raise Conflict("too-many", detail.format(most=MOST_AT_ONCE))
        made = Tournament.objects.create(
            name=texts.tidied_name(terms.name),
            text=texts.tidied(terms.text),
            kind=kind,
            host=user,
            club=club,
            members_only=club is not None,
            ruleset=terms.ruleset,
            size=terms.size,
            rounds=terms.rounds if kind == Tournament.Kind.SWISS else None,
            ship_choice=terms.ship_choice,
            pace=stored.write_pace(terms.pace),
            absence=stored.write_absence(terms.absence),
            least=terms.least,
            most=terms.most,
            seed=secrets.token_hex(SEED_BYTES),
            starts_at=terms.starts_at,
            ends_at=terms.starts_at + MONTH if marathon else None,
            created_at=now,
        )
        TournamentShip.objects.bulk_create(
            TournamentShip(tournament=made, starship=ship, number=number)
            for number, ship in enumerate([] if marathon else ships, 1)
        )
    return made


def open_tournament(*, user: User, tournament_id: int, now: datetime) -> Tournament:
    """Open a draft to entrants, as its host or staff: its rules stay as they are from now on.

    Raises NotFound, and Conflict where it is no draft, or where its start has passed.
    """
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        if made.status != Status.DRAFT:
            raise Conflict("not-a-draft", _("This tournament is open already."))
        if made.lost_its_club:
            raise Conflict("club-closed", _("The club of this tournament was closed. Delete the draft."))
        if made.starts_at <= now:
            raise Conflict("too-late", _("Its start has passed. Make another tournament."))
        refuse_words(user=made.host or user, words=[made.name, made.text], now=now)
        made.status, made.due_at = Status.OPEN, made.starts_at
        made.save(update_fields=["status", "due_at"])
    return made


def cancel_tournament(*, user: User, tournament_id: int, now: datetime) -> Tournament:
    """Call a tournament off, as its host before it starts, and as staff also later: games go on.

    Raises NotFound, Forbidden for all others, and Conflict once it is over.
    """
    with transaction.atomic():
        made = tournament_locked_by_host(user, tournament_id)
        if made.ended_at is not None:
            raise Conflict("over", _("This tournament is over."))
        if made.status == Status.RUNNING and not may(user, Right.CHANGE_TOURNAMENTS):
            raise Forbidden("running", _("It has started. Only staff can call it off now."))
        if made.status == Status.DRAFT:
            made.delete()
            return made
        why = Tournament.Ending.HOST if made.host_id == user.pk else Tournament.Ending.STAFF
        call_off(made, why=why, by=user, now=now)
    return made


def call_off(made: Tournament, *, why: Tournament.Ending, by: User | None = None, now: datetime) -> None:
    """Cancel a tournament, whose row is held, and notify its host and entrants, except ``by``."""
    made.status, made.ending, made.ended_at, made.due_at = Status.CANCELLED, why, now, None
    made.save(update_fields=["status", "ending", "ended_at", "due_at"])
    people = [each for each in people_of(made) if by is None or each.pk != by.pk]
    tell_of_person(users=people, kind="cup-cancel", about=made.pk, now=now)


def people_of(made: Tournament) -> list[User]:
    """Return the host of a tournament and the players who are in it, each once."""
    entrants = made.entrants.filter(left_at=None).select_related("user")
    people = {entrant.user_id: entrant.user for entrant in entrants}
    if made.host:
        people.setdefault(made.host.pk, made.host)
    return list(people.values())


def why_not_host(user: User) -> str:
    """Say why a player may make no tournament of their own; nothing where they may."""
    if may(user, Right.ADD_TOURNAMENTS):
        return ""
    rating = PlayerRating.objects.filter(user=user, pool=ALL).first()
    if (rating.games if rating else 0) < LEAST_GAMES:
        return _("Play at least {number} rated games before you host a tournament.").format(
            number=LEAST_GAMES
        )
    if reliability_of(user).percent < LEAST_RELIABILITY:
        return _("Hosts are reliable to at least {least} %.").format(least=LEAST_RELIABILITY)
    return ""


def _refuse_without_standing(user: User, club: Club | None) -> None:
    if club and not may(user, Right.ADD_TOURNAMENTS):
        roles = (Membership.Role.CAPTAIN, Membership.Role.OFFICER)
        if not club.memberships.filter(user=user, role__in=roles).exists():
            raise Forbidden("not-officer", _("Only officers and the captain may do that."))
    elif why := why_not_host(user):
        raise Forbidden("no-standing", why)


def _ships(terms: TournamentTerms) -> list[Starship]:
    """Return the starships of a tournament in order, as far as they are offered."""
    numbers = [number for number in terms.starships if 0 < number < 1 << 31]
    library = Starship.objects.filter(OFFERED, pk__in=numbers).exclude(section=Starship.Section.PROTOTYPES)
    found = {ship.pk: ship for ship in library.select_related("current")}
    return [found[number] for number in terms.starships if number in found]
