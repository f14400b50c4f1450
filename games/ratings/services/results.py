"""Rating games that are over: each once, in the order in which they ended.

A game is noted in the transaction in which it ends. Soon after, the sweeper reads its result from the log,
and applies it to two pools, those of its ruleset and of all, in one transaction. The row of the pool of all
is held only while rows are written. If one of its players has a later game that was rated already, or its
month is over, all results are applied again.
"""

from datetime import datetime
from typing import Final

from games import jobs
from games.play.models import Game
from games.ratings.fold import Outcome
from games.ratings.models import PendingResult, PlayerRating, Result
from games.ratings.selectors.outcomes import outcome_of
from games.ratings.services.changes import add_result, apply, hold_all, is_late
from games.ratings.services.recount import apply_again
from games.ratings.stored import IDLE

MOST: Final = 200
"""Games that one pass of the sweeper looks at; the next one goes on."""


def note_ended(*, game: Game) -> None:
    """Note that a game, whose row is held, is over and may be rated."""
    if game.status == Game.Status.OVER and game.leaves_records:
        PendingResult.objects.bulk_create([PendingResult(game=game)], ignore_conflicts=True)


def apply_results(*, now: datetime) -> int:
    """Rate games that are over and were not looked at; return how many were looked at."""
    pending = PendingResult.objects.order_by("game__ended_at", "pk")
    return jobs.each("results", pending, settle, most=MOST, now=now)


def unlist_idle(*, now: datetime) -> int:
    """Take players who have not played for `IDLE` off the lists; return how many."""
    return PlayerRating.objects.filter(listed=True, played_at__lt=now - IDLE).update(listed=False)


def settle(game_id: int) -> int:
    """Rate a game that was noted; while another worker rates one or recounts, it waits for the next pass."""
    pending = PendingResult.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
    if pending is None:
        return 0
    game = Game.objects.select_related("revision", "course").get(pk=game_id)
    outcome = outcome_of(game)
    if outcome is not None:
        if hold_all(wait=False) is None:
            return 0
        if not Result.objects.filter(of_game=game.pk).exists():
            keep_result(of_game=game.pk, ruleset=game.ruleset, outcome=outcome)
    pending.delete()
    return 1


def keep_result(*, of_game: int, ruleset: str, outcome: Outcome) -> Result:
    """Keep how a game ended, and apply it in the order of ends. The pool of all rulesets is held."""
    late = is_late(ruleset, outcome)
    result = add_result(of_game=of_game, ruleset=ruleset, outcome=outcome)
    if late:
        apply_again()
    else:
        apply(result, outcome)
    return result
