"""Ask for analyses of games, and stop them. Workers make them (`reviewing`)."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import limits
from accounts.limits import Limit
from accounts.models import User
from games.analysis.models import Analysis
from games.analysis.selectors import (
    analysis_of,
    can_continue,
    not_played,
    numbers_to_review,
    reader_of,
    reviewed_turns,
)
from games.errors import Conflict, Forbidden, NotFound, TooMany
from games.play import stored
from games.play.models import Game
from games.play.services import keep_game
from games.play.viewers import game_for
from games.work import enqueue
from games.work.models import lock_person
from rules.review import VERSION, review_to_json

START_COST: Final = 2_000
"""The cost of starting an analysis, in positions. The positions of its turns are added as they are played."""


def ask_for_analysis(*, user: User, game_id: int, link: str = "", address: str, now: datetime) -> Analysis:
    """Start or continue the analysis of a game, unless it is complete or under way. Return it.

    In a running game, it covers the player's own past turns. ``address`` is the key of the request's IP
    address, for the limit of guests. An analysis that exists costs nothing.

    Raises NotFound if the person may not see the game, Conflict if there is nothing to analyse for them or
    another of their analyses is under way, and TooMany if their budget for the day is used up.
    """
    game = game_for(viewer=user, game_id=game_id, link=link)
    found = analysis_of(game=game, viewer=user)
    if found is not None and not can_continue(found, game=game):
        return found
    reader = reader_of(game=game, viewer=user)
    with transaction.atomic():
        keep_game(game.pk)
        lock_person(user)
        turns = numbers_to_review(game=game, player=reader)
        if not turns:  # the player has just left the game
            raise not_played()
        analysis, made = Analysis.objects.get_or_create(
            game=game,
            player=reader,
            version=VERSION,
            defaults={
                "status": Analysis.Status.STOPPED,
                "turns": len(turns),
                "asked_at": now,
                "finished_at": now,
            },
        )
        analysis = Analysis.objects.select_for_update(no_key=True).get(pk=analysis.pk)
        if not made and not can_continue(analysis, game=game):
            return analysis
        _check_limits(user, address)
        analysis.status, analysis.asked_by, analysis.asked_at = Analysis.Status.WAITING, user, now
        analysis.turns = len(turns)
        _keep_turns(analysis, game, turns)
        analysis.failure, analysis.finished_at, analysis.attempts = "", None, 0
        analysis.save()
        offer(analysis, now)
    return analysis


def _keep_turns(analysis: Analysis, game: Game, numbers: list[int]) -> None:
    """Drop reviewed turns that the analysis no longer covers: those before its player left and came back."""
    documents = reviewed_turns(analysis)
    kept = [document for document in documents if document["turn"] in numbers]
    if len(kept) < len(documents):
        analysis.review = review_to_json(stored.setup_of(game), kept) if kept else None
        analysis.reviewed = len(kept)


def stop_analysis(*, user: User, game_id: int, link: str = "", now: datetime) -> Analysis:
    """Stop an analysis. The turns reviewed so far stay, and it can be continued.

    Raises NotFound if there is none, Forbidden for anyone but the person who started it, and Conflict if it
    is over.
    """
    game = game_for(viewer=user, game_id=game_id, link=link)
    found = analysis_of(game=game, viewer=user)
    if found is None:
        raise NotFound("no-analysis", _("This game hasn’t been analysed."))
    with transaction.atomic():
        analysis = Analysis.objects.select_for_update(no_key=True).filter(pk=found.pk).first()
        if analysis is None or not analysis.is_under_way:
            raise Conflict("over", _("This analysis is already over."))
        if analysis.asked_by_id != user.pk:
            raise Forbidden("not-yours", _("Only the player who started this analysis can stop it."))
        return analysis.end(Analysis.Status.STOPPED, now)


def offer(analysis: Analysis, now: datetime) -> None:
    """Queue a task for workers to continue an analysis."""
    Analysis.objects.filter(pk=analysis.pk).update(offered_at=now)
    enqueue.review_game(analysis.pk)


def stop_analyses(*, user: User, now: datetime) -> None:
    """Stop the analysis that a person has under way, before the person's rows are deleted."""
    for analysis in Analysis.objects.select_for_update(no_key=True).filter(Analysis.OPEN, asked_by=user):
        analysis.end(Analysis.Status.STOPPED, now)


def adopt_analyses(*, guest: User, user: User, now: datetime) -> None:
    """Give a guest's own analyses to a person, and the one under way.

    If the person has another one under way, the guest's one stops, and its turns stay.
    """
    own = Analysis.objects.filter(player=user).values("game")
    Analysis.objects.filter(player=guest).exclude(game__in=own).update(player=user)
    if Analysis.objects.filter(Analysis.OPEN, asked_by=user).exists():
        stop_analyses(user=guest, now=now)
    else:
        Analysis.objects.filter(asked_by=guest).update(asked_by=user)


def budget_of(user: User) -> Limit:
    """Return a person's limit of positions in a day."""
    return limits.GUEST_ANALYSES if user.is_guest else limits.ANALYSES


def charge(user: User, positions: int) -> None:
    """Charge a person for positions that a worker plays on trial for them."""
    limits.consume(budget_of(user), f"person:{user.pk}", positions)


def _check_limits(user: User, address: str) -> None:
    """Check whether a person may start an analysis, and charge them for its start.

    The caller must hold the lock on the person's row.
    """
    if Analysis.objects.filter(Analysis.OPEN, asked_by=user).exists():
        raise Conflict(
            "under-way", _("Another of your analyses is under way. Wait until it is over, or stop it.")
        )
    wait = limits.seconds_to_wait(budget_of(user), f"person:{user.pk}")
    if not wait and user.is_guest:
        wait = limits.consume(limits.GUEST_ANALYSES_FROM_ADDRESS, address)
    if wait:
        raise TooMany(_("You have used up your analyses for today. Try again tomorrow."), wait)
    charge(user, START_COST)
