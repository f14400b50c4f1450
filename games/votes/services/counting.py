"""Closing votes: counting them, and doing what was decided."""

from datetime import datetime, timedelta
from typing import Final

from games.absence.services.replacements import replace_by_computer
from games.jobs import each
from games.news.services.notifications import people_in, tell, tell_of_lobby
from games.play.models import Game, Replacement
from games.play.selectors.gathering import forget_players
from games.play.selectors.sides import winner_by
from games.play.services.endings import call_off, concede
from games.play.services.history import note
from games.play.services.locks import locked_game
from games.play.services.pauses import pause_game, resume_game
from games.votes.history import asked
from games.votes.majorities import Verdict
from games.votes.models import Vote
from games.votes.selectors import Poll, is_pointless, poll_of
from roborunner.postgres.queries import Pipeline

MOST = 200
"""Votes that a pass closes; the next one goes on."""


def close_due_votes(*, now: datetime) -> int:
    """Close the votes whose time is up; return how many."""
    due = Vote.objects.filter(status=Vote.Status.OPEN, closes_at__lte=now).order_by("closes_at")
    return each("votes", due, lambda vote_id: _settle(vote_id, now), most=MOST, now=now, game="game_id")


def _settle(vote_id: int, now: datetime) -> bool:
    vote = Vote.objects.only("game").get(pk=vote_id)
    settle_votes(game=locked_game(vote.game_id), now=now)
    return not Vote.objects.filter(pk=vote_id, status=Vote.Status.OPEN).exists()


def ask_for_votes(*, game: Game, batch: Pipeline) -> None:
    """Ask whether votes are open in a game, whose row is held: `settle_votes` knows then."""
    answer = batch.ask(_ARE_OPEN, game.pk)
    batch.then(lambda: setattr(game, "has_votes", answer.rows[0][0]))


_ARE_OPEN: Final = (
    f"SELECT EXISTS (SELECT 1 FROM games_vote WHERE game_id = %s AND status = '{Vote.Status.OPEN}')"  # noqa: S608
)


def settle_votes(*, game: Game, now: datetime) -> None:
    """Close those votes of a game, whose row is held, that are decided by now, and do what has passed.

    To be called after each ballot, and when fewer players have a vote than before.
    """
    if not getattr(game, "has_votes", True):
        return
    votes = game.votes.select_related("seat__user").filter(status=Vote.Status.OPEN).order_by("pk")
    for vote in votes:
        forget_players(game=game)
        if game.status != Game.Status.RUNNING:
            return  # the one before has ended it, and closed all others
        poll = poll_of(game=game, vote=vote)
        if is_pointless(game=game, kind=vote.kind, about=vote.seat, now=now):
            _close(vote, poll, Vote.Status.VOID, now)
            note(game=game, by=None, kind="vote-void", **asked(vote), now=now)
            continue
        match poll.verdict(vote, now):
            case Verdict.PASSED:
                _close(vote, poll, Vote.Status.PASSED, now)
                _note(game, vote, "vote-passed", now)
                _do(game, vote, now)
                if vote.kind == Vote.Kind.EJECT:  # that player no longer has a vote in any of them
                    settle_votes(game=game, now=now)
                    return
            case Verdict.REFUSED:
                _close(vote, poll, Vote.Status.REFUSED, now)
                _note(game, vote, "vote-refused", now)


def drop_votes(*, game: Game, now: datetime) -> None:
    """Close the votes that are open in a game that has ended: there is nothing to decide any more."""
    opened = Vote.objects.filter(game=game, status=Vote.Status.OPEN)
    opened.update(status=Vote.Status.VOID, closed_at=now, voters=0, ayes=0, noes=0)


def _close(vote: Vote, poll: Poll, status: Vote.Status, now: datetime) -> None:
    vote.status, vote.closed_at = status, now
    vote.voters, vote.ayes, vote.noes = len(poll.voters), len(poll.ayes), len(poll.noes)
    vote.save(update_fields=["status", "closed_at", "voters", "ayes", "noes"])


def _note(game: Game, vote: Vote, kind: str, now: datetime) -> None:
    counts = {"ayes": vote.ayes, "noes": vote.noes, "voters": vote.voters}
    note(game=game, by=None, kind=kind, **counts, **asked(vote), now=now)


def _do(game: Game, vote: Vote, now: datetime) -> None:
    """Do what was voted for, in a game whose row is held."""
    match vote.kind:
        case Vote.Kind.EJECT:
            assert vote.seat is not None
            reason = Replacement.Reason.VOTED
            replace_by_computer(game=game, seat=vote.seat, reason=reason, now=now)
        case Vote.Kind.PAUSE:
            pause_game(game=game, until=now + timedelta(days=vote.days or 0), now=now)
        case Vote.Kind.RESUME:
            resume_game(game=game, now=now)
        case Vote.Kind.CALL_OFF:
            call_off(game=game, by=Game.Ending.VOTED, now=now)
            tell_of_lobby(users=people_in(game), kind="cancelled", game=game, now=now)
        case Vote.Kind.CONCEDE:
            assert vote.seat is not None
            concede(game=game, winner=winner_by(vote.seat), now=now)
            last = game.last_played or 0
            tell(users=people_in(game), kind="over", game=game, turn=last, now=now)
