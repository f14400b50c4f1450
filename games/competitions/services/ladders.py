"""Join and leave ladders, challenge players, and settle their games."""

from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games.clocks.clock import PerTurn
from games.clocks.selectors import vacation_under_way
from games.competitions import formats
from games.competitions.models import Ladder, LadderGame, Rung
from games.competitions.selectors.ladders import rung_of, size_of
from games.errors import Conflict, NotFound, player_named, refuse_guests
from games.fleet.models import Starship
from games.fleet.selectors import best_ships
from games.lobby.services import place_game
from games.moderation.sanctions import refuse_barred
from games.news.services import notify, notify_with_subject
from games.people.contacts import lives_with, reachable
from games.play.models import Game, Seat
from games.play.policy import STANDING, Absence
from games.play.terms import Terms
from games.standings.selectors.results import RATED_RULESETS, Contest, contest_of, result_order
from games.wording import day_of
from games.work import jobs

# --- Places -------------------------------------------------------------------------------------------------


def locked_ladder(ruleset: str) -> Ladder:
    """Lock and return the ladder of a ruleset. Creates a missing ladder."""
    Ladder.objects.bulk_create([Ladder(ruleset=ruleset)], ignore_conflicts=True)
    return Ladder.objects.select_for_update().get(pk=ruleset)


def move(rung: Rung, place: int) -> None:
    """Move a player to another place. All players between the two places move by one.

    The caller must lock the ladder.
    """
    others = Rung.objects.filter(ladder=rung.ladder_id)
    if place < rung.place:
        others.filter(place__gte=place, place__lt=rung.place).update(place=F("place") + 1)
    else:
        others.filter(place__gt=rung.place, place__lte=place).update(place=F("place") - 1)
    rung.place = place
    rung.save(update_fields=["place"])


def drop(rung: Rung, places: int) -> None:
    """Move a player down by a number of places, but not below the bottom of the ladder."""
    move(rung, min(size_of(rung.ladder_id), rung.place + places))


def remove(rung: Rung) -> None:
    """Remove a player from the ladder. All players below move up."""
    place, ladder = rung.place, rung.ladder_id
    rung.delete()
    Rung.objects.filter(ladder=ladder, place__gt=place).update(place=F("place") - 1)


# --- Joining, resting, leaving ------------------------------------------------------------------------------


RUNGS_PER_PASS: Final = 200
"""The maximum number of players on ladders to process in one pass of the sweeper."""


def join_ladder(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Join a ladder at the bottom, or come back from a rest.

    A player whose rest has lasted too long has lost their place, and starts at the bottom. Raises NotFound if
    there is no such ladder, Forbidden for guests and barred players, and Conflict if the player is on the
    ladder and not resting.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    check_ruleset(ruleset)
    with transaction.atomic():
        ladder = locked_ladder(ruleset)
        rung = Rung.objects.filter(ladder=ladder, user=user).first()
        if rung and _rested_too_long(rung, now):
            remove(rung)
            rung = None
        if rung is None:
            place = size_of(ruleset) + 1
            return Rung.objects.create(ladder=ladder, user=user, place=place, joined_at=now, active_at=now)
        if rung.resting_since is None:
            raise Conflict("already-on-it", _("You are already on this ladder."))
        rung.resting_since, rung.active_at, rung.back_at = None, now, now
        rung.save(update_fields=["resting_since", "active_at", "back_at"])
    return rung


def rest(*, user: User, ruleset: str, now: datetime) -> Rung:
    """Start a player's rest from a ladder, for up to 30 days. The player keeps their place.

    The player's running games still count. Raises NotFound if the player is not on the ladder, Forbidden for
    guests, and Conflict if their last rest ended less than `MIN_REST_INTERVAL` ago.
    """
    refuse_guests(user)
    check_ruleset(ruleset)
    with transaction.atomic():
        locked_ladder(ruleset)
        rung = rung_of(user=user, ruleset=ruleset)
        if rung.resting_since is None:
            if rung.back_at and rung.may_rest_from and now < rung.may_rest_from:
                detail = _("You came back from a rest on {day}. You can rest again from {next_day}.")
                days = {"day": day_of(rung.back_at), "next_day": day_of(rung.may_rest_from)}
                raise Conflict("rested-lately", detail.format(**days))
            rung.resting_since = now
            rung.save(update_fields=["resting_since"])
    return rung


def leave_ladder(*, user: User, ruleset: str) -> None:
    """Leave a ladder. All players below move up.

    The player's running games no longer change places on the ladder. Raises NotFound if the player is not
    on the ladder, and Forbidden for guests.
    """
    refuse_guests(user)
    with transaction.atomic():
        locked_ladder(ruleset)
        remove(rung_of(user=user, ruleset=ruleset))


def rest_all(*, user: User, now: datetime) -> None:
    """Make a player rest on all ladders, because staff have barred them."""
    Rung.objects.filter(user=user, resting_since=None).update(resting_since=now)


def leave_all(*, user: User) -> None:
    """Remove a player from all ladders, because their account is deleted."""
    for ruleset in Rung.objects.filter(user=user).order_by("ladder").values_list("ladder", flat=True):
        leave_ladder(user=user, ruleset=ruleset)


def rest_idle(*, now: datetime) -> int:
    """Make idle players rest on ladders, and remove players after a long rest.

    Returns the total number of players in both groups.
    """
    busy = LadderGame.objects.filter(settled_at=None)
    idle = Rung.objects.filter(resting_since=None, active_at__lte=now - formats.IDLE_AFTER)
    idle = idle.exclude(user__in=busy.values("challenger")).exclude(user__in=busy.values("challenged"))

    def put_to_rest(rung_id: int) -> int:
        rung = idle.select_for_update(of=("self",)).filter(pk=rung_id).first()
        if rung is None:
            return 0
        rung.resting_since = now
        rung.save(update_fields=["resting_since"])
        notify_with_subject(users=[rung.user], kind="rested", ruleset=rung.ladder_id, reason="idle", now=now)
        return 1

    resting = jobs.for_each_row(
        "idle on ladders", idle.order_by("pk"), put_to_rest, most=RUNGS_PER_PASS, now=now
    )
    gone = Rung.objects.filter(resting_since__lte=now - formats.MAX_REST).order_by("pk")

    def take_off(rung_id: int) -> int:
        return _take_off(rung_id, now=now)

    return resting + jobs.for_each_row("ladder rests", gone, take_off, most=RUNGS_PER_PASS, now=now)


def check_ruleset(ruleset: str) -> None:
    """Raise NotFound for a ruleset without a ladder."""
    if ruleset not in RATED_RULESETS:
        raise NotFound("no-ladder", _("There is no such ladder."))


def _take_off(rung_id: int, *, now: datetime) -> int:
    """Remove a player from a ladder because their rest was too long.

    Returns 1, or 0 if the player has come back or left.
    """
    ruleset = Rung.objects.filter(pk=rung_id).values_list("ladder", flat=True).first()
    if ruleset is None:
        return 0
    locked_ladder(ruleset)
    rung = Rung.objects.filter(pk=rung_id).first()
    if rung is None or not _rested_too_long(rung, now):
        return 0
    remove(rung)
    notify_with_subject(users=[rung.user], kind="off-ladder", ruleset=ruleset, now=now)
    return 1


def _rested_too_long(rung: Rung, now: datetime) -> bool:
    return rung.resting_since is not None and rung.resting_since <= now - formats.MAX_REST


# --- Challenges ---------------------------------------------------------------------------------------------


MISSED_TURNS_ALLOWED: Final = 3
"""The number of turns that a player may miss in a ladder game before a computer takes the seat."""

CHALLENGE_SHIP_CANDIDATES: Final = 5
"""The number of starships to draw from for a challenge: the best ones for two players."""

GAMES_PER_PASS: Final = 200
"""The maximum number of ladder games to settle in one pass of the sweeper."""

Outcome = LadderGame.Outcome


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge that a player may make now: the two players, and the terms of the game."""

    mine: Rung
    theirs: Rung
    ship: Starship
    terms: Terms


def possible_challenge(*, user: User, ruleset: str, robo_name: str, now: datetime) -> Challenge:
    """Return a challenge with the game that it would start now.

    Raises NotFound if one of the two players is not on this ladder, Forbidden for barred players, and
    Conflict with the reason if the challenge is not possible now.
    """
    refuse_barred(user=user, now=now)
    check_ruleset(ruleset)
    mine = rung_of(user=user, ruleset=ruleset)
    theirs = rung_of(user=player_named(robo_name), ruleset=ruleset)
    if why := why_not(mine, theirs, now=now):
        raise Conflict("no-challenge", why)
    ships = best_ships(ruleset=rules.RULESETS[ruleset], robots=2, most=CHALLENGE_SHIP_CANDIDATES)
    if not ships:
        raise Conflict(
            "no-starship", _("No starship fits this ruleset with two players. Try another ladder.")
        )
    count = LadderGame.objects.filter(ladder=ruleset).count()
    ship = Random(f"{ruleset} {count} {now:%Y-%m-%d}").choice(ships)
    terms = Terms(
        name=f"{user.robo_name} – {theirs.user.robo_name}",
        ruleset=ruleset,
        starship=ship.pk,
        pace=PerTurn(formats.CHALLENGE_HOURS),
        absence=Absence(STANDING, MISSED_TURNS_ALLOWED),
        rated=Game.Rated.YES.value,
    )
    return Challenge(mine, theirs, ship, terms)


def challenge(
    *, user: User, ruleset: str, robo_name: str, revision: int | None = None, now: datetime
) -> Game:
    """Challenge a player higher on a ladder. The game starts at once.

    ``revision`` is the board that the player saw, if any. Raises the errors of `possible_challenge`,
    Forbidden for guests, and Conflict if the game would now be on another board.
    """
    refuse_guests(user)
    check_ruleset(ruleset)
    with transaction.atomic():
        ladder = locked_ladder(ruleset)
        found = possible_challenge(user=user, ruleset=ruleset, robo_name=robo_name, now=now)
        if revision not in (None, found.ship.current_id):
            raise Conflict(
                "other-starship", _("The starship has changed. Check the game, then confirm again.")
            )
        other = found.theirs.user
        game = place_game(players=[user, other], terms=found.terms, now=now)
        LadderGame.objects.create(game=game, ladder=ladder, challenger=user, challenged=other, made_at=now)
        notify(users=[other], kind="challenged", game=game, now=now)
    return game


def why_not(mine: Rung, theirs: Rung, *, now: datetime) -> str:
    """Return the reason why a player may not challenge another player, or "" if they may."""
    size = size_of(mine.ladder_id)
    games = LadderGame.objects.filter(ladder=mine.ladder_id)
    open_games = games.filter(settled_at=None)
    first = not games.filter(challenger=mine.user_id).exists()
    name = theirs.user.robo_name
    top = formats.highest(mine.place, size, first=first)
    if mine.resting_since:
        return _("You are resting. Come back to the ladder first.")
    if theirs.place >= mine.place:
        return _("Challenge a player above you.")
    if theirs.place < top:
        return _("{player} is too far above you. You can challenge up to place {place}.").format(
            player=name, place=top
        )
    if open_games.filter(challenger=mine.user_id).exists():
        return _("You already have a running challenge. Finish that game first.")
    if open_games.filter(challenged=theirs.user_id).exists():
        return _("{player} is already playing a challenge. Challenge another player.").format(player=name)
    if lives_with(user=mine.user, people=[theirs.user_id]):
        return _("You live with {player}, so you can’t challenge them. Challenge another player.").format(
            player=name
        )
    if not reachable(user=mine.user, people=[theirs.user]):
        return _("{player} doesn’t accept challenges from you. Challenge another player.").format(player=name)
    if theirs.resting_since:
        return _("{player} is resting. Challenge another player.").format(player=name)
    if theirs.protected_until and theirs.protected_until > now:
        return _(
            "{player} recently took or defended a place, so you can’t challenge them until {day}."
        ).format(player=name, day=day_of(theirs.protected_until))
    if vacation_under_way(user=theirs.user, now=now):
        return _("{player} is on vacation. Challenge another player.").format(player=name)
    before = games.filter(
        challenger=mine.user_id, challenged=theirs.user_id, made_at__gt=now - formats.REPEAT_AFTER
    )
    if before.exists():
        return _("You challenged {player} less than {days} days ago. Challenge another player.").format(
            player=name, days=formats.REPEAT_AFTER.days
        )
    return ""


def settle_ladder_games(*, now: datetime) -> int:
    """Settle the challenges of ended games. Return their number."""

    def settle(game_id: int) -> int:
        return settle_ladder_game(game_id, now=now)

    ended = (Game.Status.OVER, Game.Status.CANCELLED)
    due = LadderGame.objects.filter(settled_at=None, game__status__in=ended).order_by("pk")
    return jobs.for_each_row("ladder games", due, settle, most=GAMES_PER_PASS, now=now, game="game_id")


def settle_ladder_game(game_id: int, *, now: datetime) -> int:
    """Settle a challenge: if the challenger won and is still below, they take the other player's place.

    A player who lost their seat in the game also moves down. If this happens twice within `ABSENCE_WINDOW`,
    they must rest. Returns 1, or 0 if the challenge is already settled or locked by another worker.
    """
    found = LadderGame.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=game_id)
    row = found.filter(settled_at=None).first()
    if row is None:
        return 0
    locked_ladder(row.ladder_id)
    both = Rung.objects.filter(ladder=row.ladder_id, user__in=(row.challenger_id, row.challenged_id))
    rungs = {rung.user_id: rung for rung in both}
    mine, theirs = rungs.get(row.challenger_id), rungs.get(row.challenged_id)
    row.outcome, contest = _outcome(row.game)
    row.settled_at = now
    row.save(update_fields=["outcome", "settled_at"])
    for rung in (mine, theirs):
        if rung:
            rung.active_at = now
            rung.save(update_fields=["active_at"])
    if mine and theirs and row.outcome == Outcome.CLIMBED and mine.place > theirs.place:
        move(mine, theirs.place)
    winner = {Outcome.CLIMBED: mine, Outcome.DEFENDED: theirs}.get(Outcome(row.outcome))
    if winner and contest is Contest.PLAYED:
        winner.protected_until = now + formats.PROTECTED_FOR
        winner.save(update_fields=["protected_until"])
    kept = set(Seat.objects.filter(game=row.game_id).values_list("user", flat=True))
    for person in (row.challenger_id, row.challenged_id):
        if person in rungs and person not in kept:
            _was_absent(row.ladder_id, person, now)
    return 1


def _outcome(game: Game) -> tuple[Outcome, Contest]:
    """Return the outcome of a challenge, and whether its game was played, forfeited or too short to count.

    The outcome is void if the game was tied, too short, or cancelled before any player left it.
    """
    order = result_order(game)
    contest = contest_of(game, order)
    was_cancelled = game.status == Game.Status.CANCELLED and not order.left
    mine, theirs = order.ranks[1], order.ranks[2]  # the challenger hosts the game, in seat 1
    if was_cancelled or contest is Contest.SHORT or mine == theirs:
        return Outcome.VOID, contest
    return Outcome.CLIMBED if mine < theirs else Outcome.DEFENDED, contest


def _was_absent(ladder: str, person: int, now: datetime) -> None:
    rung = Rung.objects.get(ladder=ladder, user=person)
    again = rung.absent_at is not None and rung.absent_at > now - formats.ABSENCE_WINDOW
    rung.absent_at = now
    if again:
        rung.resting_since = now
        notify_with_subject(users=[rung.user], kind="rested", ruleset=ladder, reason="absent", now=now)
    rung.save(update_fields=["absent_at", "resting_since"])
    drop(rung, formats.LOST_PLACES)
