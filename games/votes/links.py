"""Signed links to ballots, which work without logging in."""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from accounts.models import User
from games.votes.models import Vote

_BALLOTS = Signer(salt="games.ballots")


def ballot_url(*, user_id: int, vote_id: int) -> str:
    """Return the address of a person's ballot in a vote: a GET shows it, a POST says yes or no."""
    ballot = _BALLOTS.sign(f"{user_id}-{vote_id}").replace(":", "-", 1)
    return settings.BASE_URL + reverse("games:ballot_by_mail", args=[ballot])


def ballot_in(ballot: str) -> tuple[User, Vote] | None:
    """Return whose ballot in which vote a link's last part leads to.

    None if the link was not made here, or the vote or the person is gone.
    """
    try:
        user_id, vote_id, signature = ballot.split("-", 2)
        _BALLOTS.unsign(f"{user_id}-{vote_id}:{signature}")
    except (BadSignature, ValueError):
        return None
    user = User.objects.filter(pk=int(user_id), is_active=True).first()
    vote = Vote.objects.filter(pk=int(vote_id)).first()
    return (user, vote) if user and vote else None
