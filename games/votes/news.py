"""Notifications about votes, with signed links to the reader's ballots."""

from typing import Final

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.news.kinds import Content, Kind
from games.news.models import Notice
from games.play.news import about_now
from games.votes.models import Vote
from games.votes.selectors import MAJORITIES, question_of, unanswered

_BALLOTS = Signer(salt="games.ballots")


def ballot_url(*, user_id: int, vote_id: int) -> str:
    """Return the link to a person's ballot in a vote. A GET shows the ballot, and a POST votes."""
    ballot = _BALLOTS.sign(f"{user_id}-{vote_id}").replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:ballot_by_mail", args=[ballot])


def ballot_in(ballot: str) -> tuple[User, Vote] | None:
    """Return the person and the vote of a signed link, given the last part of the link's URL.

    Returns None if this site did not sign the link, if the vote does not exist, or if the person has no
    active account.
    """
    try:
        user_id, vote_id, signature = ballot.split("-", 2)
        _BALLOTS.unsign(f"{user_id}-{vote_id}:{signature}")
    except (BadSignature, ValueError):
        return None
    user = User.objects.filter(pk=int(user_id), is_active=True).first()
    vote = Vote.objects.filter(pk=int(vote_id)).first()
    return (user, vote) if user and vote else None


def _vote(notice: Notice) -> Content:
    assert notice.user_id and notice.seat
    votes = [
        {
            "question": question_of(vote),
            "asked_by": vote.asked_by.robo_name,
            "takes": str(MAJORITIES[vote.kind].words),
            "closes_at": vote.closes_at,
            "url": ballot_url(user_id=notice.user_id, vote_id=vote.pk),
        }
        for vote in unanswered(seat=notice.seat)
    ]
    all_votes = settings.BASE_URL + reverse("games:votes", args=[notice.game_id])
    return about_now(notice, votes=votes, url=all_votes)


def _vote_settled(notice: Notice) -> str | None:
    return None if notice.seat and unanswered(seat=notice.seat) else Notice.Status.OUTDATED


VOTE: Final = Kind(
    name="vote",
    label=_("You can vote"),
    template="votes/mail/vote.html",
    content=_vote,
    settled=_vote_settled,
    daily=3,
    illustrated=False,
)

KINDS: Final = (VOTE,)
