"""All that is held about a person, for that person alone: a ``person/1`` document."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, Final

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from games.people.selectors.holding import Document
from games.people.selectors.holdings import HOLDINGS, PERSON
from games.play.selectors.steering import played_by
from games.reading import snapshot

PERSON_FORMAT: Final = "person/1"


def held_about(*, user: User, now: datetime) -> Document:
    """Return everything that is held about a person, for no one else to see."""
    lists = {key: list(rows) for key, rows in _lists(user)}
    return {"format": PERSON_FORMAT, "written_at": now, "person": _person(user), **lists}


def write_data_file(file: BinaryIO, *, user: User, now: datetime) -> None:
    """Write everything that is held about a person as JSON, row by row: all at once takes memory for all."""

    def text_of(value: object, depth: int) -> str:
        text = json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
        return text.replace("\n", "\n" + " " * depth)

    head = {"format": PERSON_FORMAT, "written_at": now, "person": _person(user)}
    file.write(text_of(head, 0).removesuffix("\n}").encode())
    with snapshot():
        for key, rows in _lists(user):
            file.write(f",\n {json.dumps(key)}: [".encode())
            before = "\n  "
            for row in rows:
                file.write((before + text_of(row, 2)).encode())
                before = ",\n  "
            file.write(b"]" if before == "\n  " else b"\n ]")
    file.write(b"\n}")


def _person(user: User) -> Document:
    groups = [group.name for group in user.groups.order_by("name")]
    return {**{column: getattr(user, column) for column in PERSON}, "groups": groups}


def _lists(user: User) -> Iterator[tuple[str, Iterator[Document]]]:
    """Yield each list of what is held, by its key."""
    for holding in HOLDINGS:
        yield holding.key, holding.rows(user)
    yield "played", _played(user)


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
