"""Challenging players above oneself, and what comes of it."""

from datetime import datetime
from random import Random
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from accounts.models import User
from games import jobs
from games.clocks.clock import PerTurn
from games.clocks.selectors import vacation_under_way
from games.contacts.selectors import lives_with, reachable
from games.errors import Conflict, refuse_guests
from games.fleet.selectors import best_ships
from games.ladders.climbing import (
    HOURS,
    LOST_PLACES,
    OFTEN,
    PROTECTION,
    REPEATED,
    highest,
)
from games.ladders.models import LadderGame, Rung
from games.ladders.selectors import rung_of, size_of
from games.ladders.services.places import drop, held_ladder, move
from games.lobby.services.creation import create_game
from games.lobby.services.seats import join_game
from games.news.services.notifications import tell, tell_of_subject
from games.play.models import Game, Seat
from games.play.policy import STANDING, Absence
from games.play.terms import Terms
from games.players import player_named
from games.ratings.selectors.order import Contest, contest_of, result_order
from games.sanctions.selectors import refuse_barred
from games.wording import day_of

EXCUSED: Final = 3
"""Missed turns after which a computer takes the seat."""

SHIPS: Final = 5
"""Among how many of the best starships for two chance chooses."""

MOST: Final = 200
"""Games that one pass of the sweeper settles; the next one goes on."""

Outcome = LadderGame.Outcome


def challenge(*, user: User, ruleset: str, robo_name: str, now: datetime) -> Game:
    """Challenge a player above oneself: the game begins at once.

    Raises NotFound for those who are not on this ladder, Forbidden for guests and barred players, and
    Conflict with what stands against it.
    """
    refuse_guests(user)
    refuse_barred(user=user, now=now)
    with transaction.atomic():
        ladder = held_ladder(ruleset)
        mine = rung_of(user=user, ruleset=ruleset)
        theirs = rung_of(user=player_named(robo_name), ruleset=ruleset)
        if why := why_not(mine, theirs, now=now):
            raise Conflict("no-challenge", why)
        ships = best_ships(ruleset=rules.RULESETS[ruleset], robots=2, most=SHIPS)
        if not ships:
            raise Conflict("no-starship", _("There is no starship for two players and this ruleset."))
        count = LadderGame.objects.filter(ladder=ladder).count()
        ship = Random(f"{ladder.pk} {count} {now:%Y-%m-%d}").choice(ships)
        names = _("{challenger} against {challenged}")
        terms = Terms(
            name=names.format(challenger=user.robo_name, challenged=theirs.user.robo_name),
            ruleset=ruleset,
            starship=ship.pk,
            pace=PerTurn(HOURS),
            absence=Absence(STANDING, EXCUSED),
            rated=Game.Rated.YES.value,
        )
        game = create_game(host=user, terms=terms, placed=True, now=now)
        game = join_game(user=theirs.user, game_id=game.pk, placed=True, now=now)
        LadderGame.objects.create(
            game=game, ladder=ladder, challenger=user, challenged=theirs.user, made_at=now
        )
        tell(users=[theirs.user], kind="challenged", game=game, now=now)
    return game


def why_not(mine: Rung, theirs: Rung, *, now: datetime) -> str:
    """Say why one player may not challenge another; nothing where they may."""
    size = size_of(mine.ladder_id)
    games = LadderGame.objects.filter(ladder=mine.ladder_id)
    open_games = games.filter(settled_at=None)
    first = not games.filter(challenger=mine.user_id).exists()
    name = theirs.user.robo_name
    top = highest(mine.place, size, first=first)
    if mine.resting_since:
        return _("You rest. Come back to the ladder first.")
    if theirs.place >= mine.place:
        return _("Challenge a player above you.")
    if theirs.place < top:
        return _("{player} is too far up. You can challenge up to place {place}.").format(
            player=name, place=top
        )
    if open_games.filter(challenger=mine.user_id).exists():
        return _("You have challenged a player already. Finish that game first.")
    if open_games.filter(challenged=theirs.user_id).exists():
        return _("{player} has been challenged already.").format(player=name)
    if lives_with(user=mine.user, people=[theirs.user_id]):
        return _("You live with {player}. Challenge another player.").format(player=name)
    if not reachable(user=mine.user, people=[theirs.user]):
        return _("{player} accepts no challenges from you.").format(player=name)
    if theirs.resting_since:
        return _("{player} rests.").format(player=name)
    if theirs.protected_until and theirs.protected_until > now:
        return _("{player} cannot be challenged until {day}.").format(
            player=name, day=day_of(theirs.protected_until)
        )
    if vacation_under_way(user=theirs.user, now=now):
        return _("{player} is on vacation.").format(player=name)
    before = games.filter(challenger=mine.user_id, challenged=theirs.user_id, made_at__gt=now - REPEATED)
    if before.exists():
        return _("You have challenged {player} within the last {days} days.").format(
            player=name, days=REPEATED.days
        )
    return ""


def settle_ladder_games(*, now: datetime) -> int:
    """Settle challenges whose games have ended; return how many."""

    def settle(game_id: int) -> int:
        return settle_ladder_game(game_id, now=now)

    ended = (Game.Status.OVER, Game.Status.CANCELLED)
    due = LadderGame.objects.filter(settled_at=None, game__status__in=ended).order_by("pk")
    return jobs.each("ladder games", due, settle, most=MOST, now=now, game="game_id")


def settle_ladder_game(game_id: int, *, now: datetime) -> int:
    """Settle a challenge: who has won takes the place, unless they stand above it by now.

    Who lost their seat loses places, no matter who has won, and rests if that has happened before.
    """
    found = LadderGame.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=game_id)
    row = found.filter(settled_at=None).first()
    if row is None:
        return 0
    held_ladder(row.ladder_id)
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
        winner.protected_until = now + PROTECTION
        winner.save(update_fields=["protected_until"])
    kept = set(Seat.objects.filter(game=row.game_id).values_list("user", flat=True))
    for person in (row.challenger_id, row.challenged_id):
        if person in rungs and person not in kept:
            _was_absent(row.ladder_id, person, now)
    return 1


def _outcome(game: Game) -> tuple[Outcome, Contest]:
    """Return what a challenge led to, and how far it was contested.

    A game that does not count changes no place, nor does one that was called off before a player left.
    """
    order = result_order(game)
    contest = contest_of(game, order)
    called_off = game.status == Game.Status.CANCELLED and not order.left
    mine, theirs = order.ranks[1], order.ranks[2]  # the challenger hosts
    if called_off or contest is Contest.SHORT or mine == theirs:
        return Outcome.VOID, contest
    return Outcome.CLIMBED if mine < theirs else Outcome.DEFENDED, contest


def _was_absent(ladder: str, person: int, now: datetime) -> None:
    rung = Rung.objects.get(ladder=ladder, user=person)
    again = rung.absent_at is not None and rung.absent_at > now - OFTEN
    rung.absent_at = now
    if again:
        rung.resting_since = now
        tell_of_subject(users=[rung.user], kind="rested", ruleset=ladder, reason="absent", now=now)
    rung.save(update_fields=["absent_at", "resting_since"])
    drop(rung, LOST_PLACES)
