"""What a prototype needs before its builder may ask that it joins the fleet, and what of it is there."""

from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

import rules
from accounts.models import User
from games.dock.models import Prototype
from games.fleet import boards
from games.lobby.models import Invitation
from games.play.models import Game, Seat
from games.shipyard.models import TunnelRun
from rules.suitability import player_numbers
from rules.tunnel.findings import AMBER, GREEN
from rules.tunnel.flying import FLIGHTS

TESTERS: Final = 5
"""People who must have played a prototype, besides its builder."""

STRANGERS: Final = 3
"""How many of them must have come without an invitation by the builder."""

PLAYED_OUT: Final = ("", Game.Ending.CONCEDED.value)
"""How a game ends that counts: by its rules, or conceded. One that a player left can be over in a minute."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something that a prototype needs: whether it is there, in a sentence with numbers."""

    code: str
    met: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """How far a prototype is from the design committee.

    ``run`` is the last run of the wind tunnel that was not red for its present version, if there is one.
    ``testers`` have played it to the end, any version of it; ``strangers`` are those of them whom the builder
    did not invite.
    """

    run: TunnelRun | None
    testers: int
    strangers: int
    needs: tuple[Need, ...]

    @property
    def is_ready(self) -> bool:
        """Whether its builder may ask for promotion."""
        return all(need.met for need in self.needs)


def readiness_of(*, prototype: Prototype) -> Readiness:
    """Return what a prototype has of what it needs to be promoted."""
    run = sound_run_of(prototype=prototype)
    testers = testers_of(prototype=prototype)
    strangers = testers.keys() - _invited(prototype, set(testers))
    needs = (
        Need("tunnel", run is not None, _of_tunnel(prototype, run)),
        Need("testers", len(testers) >= TESTERS, _of_testers(len(testers))),
        Need("strangers", len(strangers) >= STRANGERS, _of_strangers(len(strangers))),
    )
    return Readiness(run, len(testers), len(strangers), needs)


def sound_run_of(*, prototype: Prototype) -> TunnelRun | None:
    """Return the last run of exactly what was published that was not red: its cells, ruleset and players.

    Amber findings are not sure: people who have played the ship, and the committee, know better. A run that
    asked for fewer flights than usual does not count, as it may find nothing by chance.
    """
    revision = prototype.starship.current
    if prototype.draft_id is None or revision is None:
        return None
    runs = TunnelRun.objects.filter(
        draft=prototype.draft_id,
        status=TunnelRun.Status.DONE,
        ruleset=prototype.ruleset,
        edition=rules.RULESETS[prototype.ruleset].version,
        players=prototype.players,
        report__verdict__in=(GREEN, AMBER),
        flights__gte=FLIGHTS,
    )
    return next((run for run in runs.order_by("-pk") if _cells(run) == revision.document["rows"]), None)


def testers_of(*, prototype: Prototype, public: bool = False) -> dict[int, int]:
    """Return the people other than the builder who have played a prototype to the end: in how many games.

    With ``public`` in games that everyone may know of.
    """
    seats = Seat.objects.filter(
        games_on(prototype=prototype, path="game__"),
        game__status=Game.Status.OVER,
        game__ending__in=PLAYED_OUT,
        user__is_guest=False,
    )
    if public:
        seats = seats.filter(game__private=False)
    others = seats.exclude(user=prototype.starship.owner_id).order_by()
    counted = others.values_list("user").annotate(games=Count("*"))  # by indexes alone
    return {user_id: games for user_id, games in counted if user_id is not None}


def games_on(*, prototype: Prototype, path: str = "") -> Q:
    """Return what is true of games on any version of a prototype, by the ``path`` that leads to games."""
    return Q(
        **{
            f"{path}revision__starship": prototype.starship_id,
            f"{path}revision__prototype": True,
        }
    )


def _invited(prototype: Prototype, people: set[int]) -> set[int]:
    """Return those of some people whom the builder has invited to a game on a prototype, in whatever way.

    A private game of the builder is an invitation to everyone who plays there, as they came by its link.
    """
    builder = prototype.starship.owner_id
    asked = Invitation.objects.filter(
        games_on(prototype=prototype, path="game__"), invited_by=builder, user__in=people
    )
    linked = Seat.objects.filter(
        games_on(prototype=prototype, path="game__"),
        game__private=True,
        game__host=builder,
        user__in=people,
    )
    found = {*asked.values_list("user", flat=True), *linked.values_list("user", flat=True)}
    return {user_id for user_id in found if user_id is not None}


def _cells(run: TunnelRun) -> list[str]:
    """Return the rows that were flown, as the library writes them; none where they cannot be read now."""
    try:
        written = rules.write_starship(rules.read_starship(run.document, known=True))
    except rules.NotationError:
        return []
    rows: list[str] = written["rows"]
    return rows


def _of_tunnel(prototype: Prototype, run: TunnelRun | None) -> str:
    if run is not None:
        if run.report and run.report["findings"]:
            return _("The wind tunnel is not red for this version. The committee sees what may be wrong.")
        return _("The wind tunnel is green for this version.")
    if prototype.draft_id is None:
        return _("The draft of this ship was deleted. Copy the ship to the shipyard and publish it again.")
    edition = rules.RULESETS[prototype.ruleset]
    assert prototype.starship.current
    numbers = player_numbers(edition, boards.starship_of(prototype.starship.current))
    if prototype.players not in numbers:
        return _(
            "The wind tunnel does not fly this ship with as many players as you chose ({players})."
            " Choose one of these in the shipyard and publish it again: {numbers}."
        ).format(players=prototype.players, numbers=", ".join(map(str, numbers)) or "–")
    return ngettext(
        "The wind tunnel has no green or amber run of this version yet, with {ruleset} and {number} player.",
        "The wind tunnel has no green or amber run of this version yet, with {ruleset} and {number} players.",
        prototype.players,
    ).format(ruleset=edition.name, number=prototype.players)


def _of_testers(testers: int) -> str:
    return ngettext(
        "{number} of {needed} people has played it to the end.",
        "{number} of {needed} people have played it to the end.",
        testers,
    ).format(number=testers, needed=TESTERS)


def _of_strangers(strangers: int) -> str:
    return ngettext(
        "{number} of at least {needed} came without an invitation from you.",
        "{number} of at least {needed} came without an invitation from you.",
        strangers,
    ).format(number=strangers, needed=STRANGERS)


def people_of(*, testers: dict[int, int]) -> list[tuple[User, int]]:
    """Return people with the number of their games, those with most games first."""
    found = User.objects.in_bulk(testers.keys())
    return sorted(
        ((found[key], games) for key, games in testers.items()),
        key=lambda each: (-each[1], each[0].robo_name),
    )
