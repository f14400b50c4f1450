"""Creating games."""

import secrets
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

import rules
from accounts.models import User
from games import stored
from games.errors import Invalid, Malformed, ProblemDocument, ServiceError, of_document
from games.models import Course, Game, Piece, Seat
from games.selectors.layouts import Layout, lay_out
from games.services.seating import crew_for
from games.services.starting import start

LONGEST_TURN = 24 * 60
"""Hours: sixty days."""


def create_game(
    *,
    host: User,
    name: str,
    starship_id: int | None = None,
    boards: object = None,
    checkpoints: object = None,
    ruleset: str = "robo-runner",
    options: Mapping[str, Any] | None = None,
    house_rules: Mapping[str, Any] | None = None,
    seats: int,
    squad: str = "",
    model: str = "",
    private: bool = False,
    pace: Mapping[str, Any] | None = None,
    now: datetime,
) -> Game:
    """Create a game on the starship as it is now; the host sits on seat 1. For one, it starts at once.

    In rulesets that have it so, ``boards`` are joined in place of the one starship, and ``checkpoints``
    set, as `lay_out` says; ``squad`` and ``model`` are the host's. Raises Malformed for a pace, boards
    or checkpoints that are none, NotFound for a starship that is not offered, and Invalid with every
    reason why these do not make a game together.
    """
    hours = read_pace(pace)
    problems: list[ProblemDocument] = [{"code": "name", "detail": fault} for fault in _name_faults(name)]
    layout: Layout | None = None
    try:
        layout = lay_out(ruleset=ruleset, starship_id=starship_id, boards=boards, checkpoints=checkpoints)
    except Invalid as refusal:
        problems += refusal.problems
    setup: rules.Setup | None = None
    crew: dict[str, str] = {}
    if edition := rules.RULESETS.get(ruleset):
        problems += _choice_faults(edition, options or {}, house_rules or {})
        if layout:
            setup, faults = _set_up(edition, layout.ship, seats, options or {}, house_rules or {})
            problems += [fault for fault in faults if fault["detail"] not in _details(problems)]
        crew, faults = _crew(edition, seats, squad=squad, model=model)
        problems += faults
    if problems or layout is None or setup is None:
        raise Invalid("no-game", "The game cannot be made like this.", problems)
    with transaction.atomic():
        game = Game.objects.create(
            name=name.strip(),
            ruleset=setup.ruleset.key,
            version=setup.ruleset.version,
            options=dict(setup.options),
            house_rules=dict(setup.house_rules),
            revision=layout.pieces[0].revision,
            course=_keep(layout) if layout.composed else None,
            seats=seats,
            host=host,
            private=private,
            link_token=secrets.token_urlsafe(24),
            pace=stored.write_pace(hours),
            seed=secrets.token_hex(16),
            created_at=now,
            moved_at=now,
        )
        Seat.objects.create(game=game, number=1, user=host, joined_at=now, **crew)
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


def _choice_faults(
    edition: rules.Ruleset, options: Mapping[str, Any], house_rules: Mapping[str, Any]
) -> Iterator[ProblemDocument]:
    """Yield what is wrong with options and house rules, each fault with the key that it is about."""
    choices = (("option", rules.read_options, options), ("house-rule", rules.read_house_rules, house_rules))
    for code, read, given in choices:
        for key in given:
            try:
                read(edition, {key: given[key]})
            except rules.SetupError as error:
                yield from ({**fault, "key": key} for fault in of_document(code, error.problems))


def _set_up(
    edition: rules.Ruleset,
    ship: rules.Starship,
    seats: int,
    options: Mapping[str, Any],
    house_rules: Mapping[str, Any],
) -> tuple[rules.Setup | None, list[ProblemDocument]]:
    """Return what is played, or why it cannot be: for the board's sake, or that of the number of players."""
    try:
        return rules.make_setup(edition, options, ship, seats, house_rules), []
    except rules.SetupError as error:
        unsuitable = rules.unsuitable(edition, ship)
        of_board = [problem for problem in error.problems if problem in unsuitable]
        others = [problem for problem in error.problems if problem not in unsuitable]
        return None, [*of_document("starship", of_board), *of_document("seats", others)]


def _details(problems: Iterable[ProblemDocument]) -> set[str]:
    return {problem["detail"] for problem in problems}


def _crew(
    edition: rules.Ruleset, seats: int, *, squad: str, model: str
) -> tuple[dict[str, str], list[ProblemDocument]]:
    """Return squad and model of the host, or what is wrong with them."""
    try:
        return crew_for(ruleset=edition, seats=seats, taken=[], squad=squad, model=model), []
    except ServiceError as refusal:
        return {}, refusal.problems


def _keep(layout: Layout) -> Course:
    """Keep a board that was put together, and what it is made of."""
    ship = layout.ship
    course = Course.objects.create(
        name=ship.name, document=rules.write_starship(ship), width=ship.width, height=ship.height
    )
    for piece in layout.pieces:
        column, row = piece.at
        Piece.objects.create(
            course=course, revision=piece.revision, column=column, row=row, turned=piece.turned
        )
    return course
