"""Creating games."""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

import rules
from accounts.models import User
from games import stored
from games.errors import Invalid, Malformed, NotFound, of_document
from games.models import Game, Seat, Starship
from games.services.starting import start

LONGEST_TURN = 24 * 60
"""Hours: sixty days."""


def create_game(
    *,
    host: User,
    name: str,
    starship_id: int,
    ruleset: str = "robo-runner",
    options: Mapping[str, Any] | None = None,
    seats: int,
    private: bool = False,
    pace: Mapping[str, Any] | None = None,
    now: datetime,
) -> Game:
    """Create a game on the starship as it is now; the host sits on seat 1. For one, it starts at once.

    Raises Malformed for a pace that is none, NotFound for a starship that is not offered, and Invalid
    with every reason why these do not make a game together.
    """
    hours = read_pace(pace)
    starship = Starship.objects.select_related("current").filter(pk=starship_id, retired=False).first()
    if starship is None or starship.current is None:
        raise NotFound("no-starship", "There is no such starship to play on.")
    problems = [{"code": "name", "detail": fault} for fault in _name_faults(name)]
    setup: rules.Setup | None = None
    try:
        setup = rules.make_setup(
            rules.ruleset(ruleset), options or {}, stored.starship_of(starship.current), seats
        )
    except rules.RulesError as error:
        problems += of_document("setup", error.problems)
    if problems or setup is None:
        raise Invalid("no-game", "The game cannot be made like this.", problems)
    with transaction.atomic():
        game = Game.objects.create(
            name=name.strip(),
            ruleset=setup.ruleset.key,
            version=setup.ruleset.version,
            options=dict(setup.options),
            revision=starship.current,
            seats=seats,
            host=host,
            private=private,
            link_token=secrets.token_urlsafe(24),
            pace=stored.write_pace(hours),
            seed=secrets.token_hex(16),
            created_at=now,
            moved_at=now,
        )
        Seat.objects.create(game=game, number=1, user=host, joined_at=now)
        if seats == 1:
            start(game=game, now=now)
    return game


def read_pace(pace: object) -> int | None:
    """Return the hours per turn of ``{"hours": 24}``; without any there is no limit. Raises Malformed."""
    if pace is None:
        return None
    if not isinstance(pace, Mapping):
        raise Malformed("pace", "“pace” must be an object, such as {“hours”: 24}.")
    unknown = sorted(str(key) for key in pace if key != "hours")
    if unknown:
        raise Malformed("pace", f"“pace” has no key “{unknown[0]}”.")
    hours = pace.get("hours")
    if hours is None:
        return None
    if not isinstance(hours, int) or isinstance(hours, bool) or not 1 <= hours <= LONGEST_TURN:
        raise Malformed("pace", f"“hours” must be a whole number from 1 to {LONGEST_TURN}, or null.")
    return hours


def _name_faults(name: str) -> list[str]:
    limit = Game._meta.get_field("name").max_length or 0
    name = name.strip()
    if not name:
        return ["The game needs a name."]
    if len(name) > limit:
        return [f"The name is longer than {limit} characters."]
    if not name.isprintable():
        return ["The name has a character in it that cannot be printed."]
    return []
