"""What players hear about votes: kinds of notification."""

from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.news.kinds import Kind, Told
from games.news.models import Notice
from games.play.news import about_now
from games.votes.links import ballot_url
from games.votes.selectors import MAJORITIES, question_of, unanswered


def _vote(notice: Notice) -> Told:
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
    label=_("Your vote is asked for"),
    template="votes/mail/vote.html",
    tell=_vote,
    settled=_vote_settled,
    daily=3,
    illustrated=False,
)

KINDS: Final = (VOTE,)
