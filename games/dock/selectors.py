"""Read prototypes, their progress towards the fleet, and the committee's work."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, TypedDict

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _, ngettext

import rules
from accounts.models import User
from games.dock.models import IDLE_AFTER, WARNING_PERIOD, Promotion, PromotionVote, Prototype
from games.errors import Forbidden, Gone, NotFound, view_of_row
from games.fleet import boards
from games.fleet.models import Starship, StarshipRevision
from games.lobby.models import Invitation
from games.play.models import Game, Seat
from games.shipyard.models import TunnelRun
from games.shipyard.tunnel import TunnelRunView, run_view
from rules.suitability import player_numbers
from rules.tunnel.findings import AMBER, GREEN
from rules.tunnel.flying import FLIGHTS

# --- Prototypes ---------------------------------------------------------------------------------------------


BAYS_PER_BUILDER: Final = 2
"""The number of bays of each person. A prototype takes one."""


class PrototypeView(TypedDict):
    """A prototype of yours. In a bay, it is a starship of the section `prototypes`."""

    id: Annotated[int, "The ID of its starship."]
    name: str
    status: Annotated[str, Prototype.Status]
    version: Annotated[int, "The published version, from 1: the revision of its starship."]
    ruleset: str
    players: Annotated[int, "The number of players that it is drawn for."]
    licence: Annotated[str, "The licence that you agreed to."]
    draft: Annotated[
        int | None, "The draft that it was published from; null after the deletion of the draft."
    ]
    draft_version: Annotated[int, "The version of that draft."]
    flown: Annotated[int, "The number of started games on it with people other than you."]
    published_at: datetime
    leaves_at: Annotated[
        datetime | None, "The time when it leaves its bay unless people play on it together."
    ]
    ended_at: Annotated[datetime | None, "The time when it left its bay."]


def prototypes_of(*, builder: User) -> list[Prototype]:
    """Return the prototypes in a person's bays, last published first."""
    return list(_with_ships().filter(starship__owner=builder, status__in=Prototype.IN_BAY))


def all_prototypes_of(*, builder: User) -> list[Prototype]:
    """Return all prototypes of a person, past and present, last published first."""
    return list(_with_ships().filter(starship__owner=builder))


def prototype_for(*, starship_id: int) -> Prototype:
    """Return the prototype of a starship, past or present. Raises NotFound."""
    prototype = _with_ships().filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype


def own_prototype_for(*, viewer: User, starship_id: int) -> Prototype:
    """Return the viewer's prototype. Raises NotFound, or Forbidden for another's."""
    prototype = prototype_for(starship_id=starship_id)
    if prototype.starship.owner_id != viewer.pk:
        raise Forbidden("not-builder", _("Only the builder of this ship can do that."))
    return prototype


def prototype_facts(*, starship: Starship) -> Prototype | None:
    """Return the prototype of a starship, past or present, with its parent, or None."""
    found = _with_ships().select_related("draft__parent_revision__starship")
    return found.filter(starship=starship).first()


def parent_in_library(prototype: Prototype) -> StarshipRevision | None:
    """Return the library ship that a prototype was copied from, if still known."""
    return prototype.draft.parent_revision if prototype.draft else None


def prototype_of_mine(*, user: User, starship_id: int) -> Prototype:
    """Return a person's prototype, in its bay or not. Raises NotFound for any other."""
    prototype = _with_ships().filter(starship=starship_id, starship__owner=user).first()
    if prototype is None:
        raise NotFound("no-prototype", _("You have no such prototype."))
    return prototype


def flown_by_people(prototypes: Iterable[Prototype]) -> dict[int, int]:
    """Count the started games with people other than the builder, for each starship."""
    games = games_with_people().filter(revision__starship__in=[each.starship_id for each in prototypes])
    rows = games.order_by().values_list("revision__starship").annotate(times=Count("pk"))
    return dict(rows)


def games_with_people() -> QuerySet[Game]:
    """Return the started games on prototypes with people other than the builder."""
    others = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False)
    others = others.exclude(user=OuterRef("revision__starship__owner"))
    return Game.objects.filter(Exists(others), revision__prototype=True, started_at__isnull=False)


def view_of_prototype(prototype: Prototype, *, flown: int) -> PrototypeView:
    starship = prototype.starship
    assert starship.current
    return view_of_row(
        PrototypeView,
        prototype,
        id=starship.pk,
        name=starship.name,
        version=starship.current.number,
        draft=prototype.draft_id,
        flown=flown,
    )


def licence() -> str:
    """Return the licence of published ships, from the operator's settings."""
    return str(settings.STARSHIP_LICENCE)


def _with_ships() -> QuerySet[Prototype]:
    return Prototype.objects.select_related("starship__current", "starship__owner", "draft")


LEAST_PEOPLE: Final = 2
"""The minimum of people in a joint game. Replaced people count, too."""


def idle_prototypes(*, now: datetime) -> QuerySet[Prototype]:
    """Return prototypes with no recorded use for `IDLE_AFTER` that need attention.

    Either their builder needs a warning, or they must leave their bay, or people have played on them since
    the recorded use. Prototypes under review by the design committee are left out.
    """
    old = Prototype.objects.filter(status=Prototype.Status.TESTING, used_at__lte=now - IDLE_AFTER)
    due = Q(warned_at=None) | Q(warned_at__lte=now - WARNING_PERIOD)
    played = played_together(now=now).filter(
        revision__starship=OuterRef("starship"), until__gt=OuterRef("used_at")
    )
    return old.filter(due | Exists(played)).order_by("used_at", "pk")


def played_together(*, now: datetime) -> QuerySet[Any]:
    """Return joint games on prototypes, annotated with the time ``until`` their end.

    A joint game has two or more people. ``until`` is now for running games, and for lobbies with two people.
    """
    sat = Q(user__isnull=False) | Q(replacements__was__isnull=False)
    seats = Seat.objects.filter(sat, game=OuterRef("pk")).order_by().values("game")
    together = seats.annotate(people=Count("pk", distinct=True)).filter(people__gte=LEAST_PEOPLE)
    begun = Q(started_at__isnull=False) | Q(status=Game.Status.OPEN)
    games = Game.objects.filter(begun, Exists(together), revision__prototype=True)
    return games.annotate(until=Coalesce(F("ended_at"), Value(now)))


def last_played(*, prototype: Prototype, now: datetime) -> datetime | None:
    """Return the end of the last joint game on a prototype, in any version, or None."""
    games = played_together(now=now).filter(revision__starship=prototype.starship_id)
    until: datetime | None = games.order_by("-until").values_list("until", flat=True).first()
    return until


# --- What a prototype needs to join the fleet ---------------------------------------------------------------


TESTERS_NEEDED: Final = 5
"""The number of testers needed for promotion, besides the builder."""

STRANGERS_NEEDED: Final = 3
"""The number of testers needed without the builder's invitation."""

COMPLETE_ENDINGS: Final = ("", Game.Ending.CONCEDED.value)
"""Endings of complete games. A game that a player left can be over in a minute."""


@dataclass(frozen=True, slots=True)
class Need:
    """A condition for promotion: whether it is met, and a sentence with numbers."""

    code: str
    met: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The progress of a prototype towards the design committee.

    ``run`` is the last wind tunnel run of its current version that was not red, or None. ``testers`` have
    played any version to the end. ``strangers`` are the testers without an invitation from the builder.
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
    run = sound_run_of(prototype=prototype)
    testers = testers_of(prototype=prototype)
    strangers = testers.keys() - _invited(prototype, set(testers))
    needs = (
        Need("tunnel", run is not None, _of_tunnel(prototype, run)),
        Need("testers", len(testers) >= TESTERS_NEEDED, _of_testers(len(testers))),
        Need("strangers", len(strangers) >= STRANGERS_NEEDED, _of_strangers(len(strangers))),
    )
    return Readiness(run, len(testers), len(strangers), needs)


def sound_run_of(*, prototype: Prototype) -> TunnelRun | None:
    """Return the last green or amber run on the published cells, ruleset and players.

    Amber findings are uncertain: players and the committee judge them better. Runs with fewer flights than
    usual do not count, since they may miss findings by chance.
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
    """Return people with finished games on a prototype, and the numbers of games.

    The builder is left out. With ``public``, only public games count.
    """
    seats = Seat.objects.filter(
        games_on(prototype=prototype, path="game__"),
        game__status=Game.Status.OVER,
        game__ending__in=COMPLETE_ENDINGS,
        user__is_guest=False,
    )
    if public:
        seats = seats.filter(game__private=False)
    others = seats.exclude(user=prototype.starship.owner_id).order_by()
    counted = others.values_list("user").annotate(games=Count("*"))  # read from indexes only
    return {user_id: games for user_id, games in counted if user_id is not None}


def games_on(*, prototype: Prototype, path: str = "") -> Q:
    """Return the condition for games on a prototype's versions, from ``path``."""
    return Q(**{f"{path}revision__starship": prototype.starship_id, f"{path}revision__prototype": True})


def _invited(prototype: Prototype, people: set[int]) -> set[int]:
    """Return the testers with an invitation from the builder.

    All players of a private game of the builder count as invited, since they came by its link.
    """
    builder = prototype.starship.owner_id
    asked = Invitation.objects.filter(
        games_on(prototype=prototype, path="game__"), invited_by=builder, user__in=people
    )
    linked = Seat.objects.filter(
        games_on(prototype=prototype, path="game__"), game__private=True, game__host=builder, user__in=people
    )
    found = {*asked.values_list("user", flat=True), *linked.values_list("user", flat=True)}
    return {user_id for user_id in found if user_id is not None}


def _cells(run: TunnelRun) -> list[str]:
    """Return a run's rows in the library's notation, or none if unreadable."""
    try:
        written = rules.write_starship(rules.read_starship(run.document, known=True))
    except rules.NotationError:
        return []
    rows: list[str] = written["rows"]
    return rows


def _of_tunnel(prototype: Prototype, run: TunnelRun | None) -> str:
    if run is not None:
        if run.report and run.report["findings"]:
            return _("The wind tunnel verdict for this version is amber. The committee sees its findings.")
        return _("The wind tunnel verdict for this version is green.")
    if prototype.draft_id is None:
        return _("The draft of this ship was deleted. Copy the ship to the shipyard and publish it again.")
    edition = rules.RULESETS[prototype.ruleset]
    assert prototype.starship.current
    numbers = player_numbers(edition, boards.starship_of(prototype.starship.current))
    if prototype.players not in numbers:
        return _(
            "The wind tunnel can’t fly this ship with the number of players that you chose"
            " ({players}). Choose one of these in the shipyard, then publish the ship"
            " again: {numbers}."
        ).format(players=prototype.players, numbers=", ".join(map(str, numbers)) or "–")
    return ngettext(
        "This version needs a green or amber wind tunnel verdict with {ruleset} and {number} player.",
        "This version needs a green or amber wind tunnel verdict with {ruleset} and {number} players.",
        prototype.players,
    ).format(ruleset=edition.name, number=prototype.players)


def _of_testers(testers: int) -> str:
    return ngettext(
        "{number} of {needed} people has finished a game on it.",
        "{number} of {needed} people have finished a game on it.",
        testers,
    ).format(number=testers, needed=TESTERS_NEEDED)


def _of_strangers(strangers: int) -> str:
    return ngettext(
        "{number} of at least {needed} joined without your invitation.",
        "{number} of at least {needed} joined without your invitation.",
        strangers,
    ).format(number=strangers, needed=STRANGERS_NEEDED)


def people_of(*, testers: dict[int, int]) -> list[tuple[User, int]]:
    """Return people with their numbers of games, most games first."""
    found = User.objects.in_bulk(testers.keys())
    return sorted(
        ((found[key], games) for key, games in testers.items()),
        key=lambda each: (-each[1], each[0].robo_name),
    )


# --- The design committee -----------------------------------------------------------------------------------


COMMITTEE_GROUP: Final = "Design committee"
"""The committee's group, made by a migration. Staff add members to it."""

PERMISSION: Final = "decide_promotion"

VOTES_NEEDED: Final = 2
"""The number of equal votes needed for a decision."""


class VoteCastView(TypedDict):
    """The vote of a member of the design committee."""

    member: str
    vote: Annotated[str, tuple(PromotionVote.Choice.values)]
    words: Annotated[str, "The reason; never empty with `send-back` and `close`."]
    cast_at: datetime
    counts: Annotated[
        bool, "Whether the vote counts: not if the member left the committee before the decision."
    ]


class PromotionFacts(TypedDict):
    """A request to join the fleet, for lists."""

    id: int
    starship: int
    name: Annotated[str, "Empty while the ship is taken down by staff."]
    builder: str
    version: Annotated[int, "The revision of the starship."]
    status: Annotated[str, tuple(Promotion.Status.values)]
    asked_at: datetime
    decided_at: datetime | None
    votes: list[VoteCastView]


class PromotionView(PromotionFacts):
    """A request to join the fleet, with the facts for the committee."""

    ruleset: str
    players: int
    tunnel: Annotated[TunnelRunView | None, "Its wind tunnel run; null if the builder deleted it."]
    games: Annotated[list[int], "The started public games on it, newest first."]


class NeedView(TypedDict):
    """A condition for promotion."""

    code: Annotated[str, ("tunnel", "testers", "strangers")]
    met: bool
    detail: Annotated[str, "A sentence for people."]


class ReadinessView(TypedDict):
    """The progress of your prototype towards promotion."""

    ready: Annotated[bool, "Whether you can request promotion now."]
    status: Annotated[str, tuple(Prototype.Status.values)]
    testers: Annotated[int, "The number of people who have finished a game on it."]
    strangers: Annotated[int, "The number of testers without an invitation from you."]
    tunnel: Annotated[int | None, "The green or amber run of the current version; null without one."]
    needs: list[NeedView]
    promotion: PromotionFacts | None


def members() -> QuerySet[User]:
    """Return people with the committee's permission, by group or directly.

    Superusers have it only if staff gave it to them, so that one place lists the members.
    """
    given = Permission.objects.filter(content_type__app_label="games", codename=PERMISSION)
    in_group = given.filter(group__user=OuterRef("pk"))
    alone = given.filter(user=OuterRef("pk"))
    return User.objects.players().filter(Exists(in_group) | Exists(alone))


def is_member(viewer: User | AnonymousUser) -> bool:
    """Return whether the viewer is on the design committee."""
    return isinstance(viewer, User) and members().contains(viewer)


def voters_about(promotion: Promotion) -> QuerySet[User]:
    """Return the members eligible to vote on a prototype: all except its builder."""
    builder = promotion.prototype.starship.owner
    return members().exclude(pk=builder.pk) if builder else members()


def open_promotions() -> QuerySet[Promotion]:
    """Return undecided requests, oldest first."""
    ready = _promotions().filter(status=Promotion.Status.OPEN, prototype__status=Prototype.Status.READY)
    return ready.order_by("asked_at", "pk")


def decisions() -> QuerySet[Promotion]:
    """Return decided requests, newest decision first."""
    return _promotions().filter(status__in=Promotion.DECIDED).order_by("-ended_at", "-pk")


def decisions_about(*, starship_id: int) -> QuerySet[Promotion]:
    """Return decided requests about a starship, newest decision first."""
    return decisions().filter(prototype__starship=starship_id)


def open_promotion_of(*, prototype: Prototype) -> Promotion | None:
    """Return the open request of a prototype, or None."""
    return open_promotions().filter(prototype=prototype).first()


def promotion_for(*, viewer: User | AnonymousUser, promotion_id: int) -> Promotion:
    """Return a request to a committee member. Raises Forbidden, NotFound and Gone."""
    refuse_others(viewer)
    found = _promotions().filter(pk=promotion_id).first()
    if found is None:
        raise NotFound("no-promotion", _("There is no such request for promotion."))
    if found.prototype.starship.taken_down_at:
        raise Gone("taken-down", _("Staff took this ship down. No decision is needed."))
    return found


def refuse_others(viewer: User | AnonymousUser) -> None:
    """Raise Forbidden unless the viewer is on the committee."""
    if not is_member(viewer):
        raise Forbidden("no-member", _("Only members of the design committee can do this."))


def games_to_show(*, promotion: Promotion, most: int) -> list[Game]:
    """Return the last started public games on a prototype, newest first."""
    games = Game.objects.filter(
        games_on(prototype=promotion.prototype), private=False, started_at__isnull=False
    )
    return list(games.select_related("revision").order_by("-started_at", "-pk")[:most])


def promotion_facts(promotion: Promotion) -> PromotionFacts:
    starship = promotion.prototype.starship
    return {
        "id": promotion.pk,
        "starship": starship.pk,
        "name": "" if starship.taken_down_at else starship.name,
        "builder": starship.builder,
        "version": promotion.revision.number,
        "status": promotion.status,
        "asked_at": promotion.asked_at,
        "decided_at": promotion.ended_at if promotion.status in Promotion.DECIDED else None,
        "votes": votes_in(promotion),
    }


def promotion_view(promotion: Promotion) -> PromotionView:
    return {
        **promotion_facts(promotion),
        "ruleset": promotion.prototype.ruleset,
        "players": promotion.prototype.players,
        "tunnel": run_view(promotion.run) if promotion.run else None,
        "games": [game.pk for game in games_to_show(promotion=promotion, most=100)],
    }


def readiness_view(prototype: Prototype, readiness: Readiness, promotion: Promotion | None) -> ReadinessView:
    """Return the progress of a prototype, for its builder."""
    return {
        "ready": readiness.is_ready and prototype.status == Prototype.Status.TESTING,
        "status": prototype.status,
        "testers": readiness.testers,
        "strangers": readiness.strangers,
        "tunnel": readiness.run.pk if readiness.run else None,
        "needs": [{"code": need.code, "met": need.met, "detail": need.detail} for need in readiness.needs],
        "promotion": {**promotion_facts(promotion), "votes": []} if promotion else None,
    }


def votes_in(promotion: Promotion) -> list[VoteCastView]:
    """Return the votes on a prototype, oldest first."""
    votes = list(promotion.votes.all())
    decided = promotion.status in Promotion.DECIDED
    counting = (
        set()
        if decided or not votes
        else set(
            voters_about(promotion)
            .filter(pk__in=[vote.user_id for vote in votes])
            .values_list("pk", flat=True)
        )
    )
    return [
        {
            "member": vote.user.robo_name,
            "vote": vote.choice,
            "words": vote.words,
            "cast_at": vote.cast_at,
            "counts": decided or vote.user_id in counting,
        }
        for vote in votes
    ]


def _promotions() -> QuerySet[Promotion]:
    votes = PromotionVote.objects.select_related("user")
    told = Promotion.objects.select_related("prototype__starship__owner", "revision", "run")
    return told.prefetch_related(Prefetch("votes", votes))
