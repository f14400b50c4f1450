"""Prototypes that are ready for the design committee, and members of the committee."""

from typing import Any

from django.contrib.auth.models import Group, Permission

from accounts.models import User
from games.dock.models import Promotion, Prototype
from games.dock.selectors import COMMITTEE_GROUP, PERMISSION
from games.dock.services import ask_for_promotion, vote_about
from games.play.models import Game
from games.shipyard.models import StarshipDraft, TunnelRun
from tests import cast
from tests.games.dock.prototypes import published
from tests.games.dock.reviewed import over
from tests.games.shipyard.drawing import drafted
from tests.games.shipyard.tunnels import flown, started
from tests.games.support import NOW, Table

STREET = ("a . . . .+i1+wE",)
"""A ship with the only checkpoint straight ahead of the start."""

TESTERS = ("Tess", "Tim", "Tom", "Tara", "Tod")


def street(user: User) -> StarshipDraft:
    """Return a draft ship on which games are short."""
    return drafted(user, *STREET, ruleset="robo-runner", players=2)


def green(user: User, draft: StarshipDraft, *, verdict: str = "green", **more: Any) -> TunnelRun:
    """Return a wind tunnel run of a draft with the given verdict, as if after 200 flights."""
    run = flown(started(user, draft, **more))
    assert run.report is not None
    run.flights, run.report = 200, {**run.report, "verdict": verdict}
    run.save(update_fields=["flights", "report"])
    return run


def played_by(prototype: Prototype, host: User, *others: User, **more: Any) -> Game:
    """Return a game on a prototype that the given people played to its end."""
    table = Table(prototype.starship)
    game = table.game(host, *others, ruleset="robo-runner", options={"lives": 1}, **more)
    while game.status == Game.Status.RUNNING:
        turn = game.turns.get(status="open")
        asked = [hand.seat.user for hand in turn.hands.exclude(seat=None).select_related("seat__user")]
        table.play(game, *asked)
    assert game.status == Game.Status.OVER
    return game


def tried_out(prototype: Prototype, names: tuple[str, ...] = TESTERS) -> list[User]:
    """Record finished games of strangers on a prototype. Return the players."""
    people = [cast.person(name) for name in names]
    for first, second in zip(people[::2], [*people[1::2], people[0]], strict=False):
        over(Table(prototype.starship).game(first, second, ruleset="robo-runner"))
    return people


def ready(builder: User) -> Prototype:
    """Return a prototype that meets all requirements for promotion."""
    draft = street(builder)
    prototype = published(builder, draft)
    green(builder, draft)
    tried_out(prototype)
    return prototype


def asks_for_the_fleet(prototype: Prototype) -> Promotion:
    """Request the promotion of a prototype, without checking the requirements."""
    prototype.status = Prototype.Status.READY
    prototype.save(update_fields=["status"])
    assert prototype.starship.current
    return Promotion.objects.create(prototype=prototype, revision=prototype.starship.current, asked_at=NOW)


def deciding(builder: User) -> Promotion:
    """Return a request for promotion. No games were played on its prototype."""
    return asks_for_the_fleet(published(builder, street(builder)))


def request_promotion(builder: User, prototype: Prototype | None = None) -> Promotion:
    prototype = prototype or ready(builder)
    return ask_for_promotion(user=builder, starship_id=prototype.starship_id, now=NOW)


def member(name: str) -> User:
    return joined(cast.person(name))


def joined(user: User) -> User:
    group, _ = Group.objects.get_or_create(name=COMMITTEE_GROUP)
    group.permissions.add(Permission.objects.get(codename=PERMISSION))
    user.groups.add(group)
    return user


def voted(
    user: User, promotion: Promotion, choice: str = "promote", words: str = "", **more: Any
) -> Promotion:
    """Vote on a request for promotion, and return the request."""
    given = {"vote": choice, "words": words, "now": NOW, **more}
    return vote_about(user=user, promotion_id=promotion.pk, **given)
