"""Short helpers for votes: call one, cast ballots, and count them."""

from accounts.models import User
from games.play.models import Game
from games.votes.models import Vote
from games.votes.services import call_vote, cast_ballot
from tests.games.support import NOW, later

CALL_OFF, CONCEDE, EJECT = Vote.Kind.CALL_OFF, Vote.Kind.CONCEDE, Vote.Kind.EJECT
PAUSE, RESUME = Vote.Kind.PAUSE, Vote.Kind.RESUME


def ask(user: User, game: Game, kind: str, **more: object) -> Vote:
    return call_vote(user=user, game_id=game.pk, kind=kind, **{"now": NOW, **more})


def say(user: User, vote: Vote, yes: bool = True, **more: object) -> Vote:
    more = {"now": later(hours=1), **more}
    return cast_ballot(user=user, game_id=vote.game_id, vote_id=vote.pk, yes=yes, **more)


def counted(vote: Vote) -> tuple[str, int | None, int | None, int | None]:
    vote.refresh_from_db()
    return vote.status, vote.ayes, vote.noes, vote.voters
