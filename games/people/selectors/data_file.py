"""All that is held about a person, for that person alone: a ``person/1`` document."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from accounts.models import User
from games.people.selectors.holding import Document
from games.people.selectors.holdings import HOLDINGS, PERSON
from games.play.selectors.steering import played_by

PERSON_FORMAT: Final = "person/1"


def held_about(*, user: User, now: datetime) -> Document:
    """Return everything that is held about a person, for no one else to see."""
    return {
        "format": PERSON_FORMAT,
        "written_at": now,
        "person": {
            **{column: getattr(user, column) for column in PERSON},
            "groups": [group.name for group in user.groups.order_by("name")],
        },
        **{holding.key: list(holding.rows(user)) for holding in HOLDINGS},
        "played": list(_played(user)),
    }


def _played(user: User) -> Iterator[Document]:
    """Yield the hands that a person was dealt in turns that were played, and what was ordered with them.

    Of those that lay face down they saw no chips.
    """
    for seat, turn, hand in played_by(user):
        given = hand.program
        yield {
            "seat_id": seat.pk,
            "turn_id": turn.pk,
            "chips": None if hand.face_down else hand.chips,
            "aside": hand.aside,
            "redealt": hand.redealt,
            "orders": given and given.orders,
            "by": given and given.by,
            "remark": given and given.remark,
            "submitted_at": given and given.submitted_at,
        }
