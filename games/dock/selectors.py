"""Selectors for prototypes, their progress towards promotion, and the design committee."""

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
"""The number of bays (places in the Space Dock) of each builder. A prototype occupies one bay."""


class PrototypeView(TypedDict):
    """One of your prototypes. While it is in a bay, its starship is in the section `prototypes`."""

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
    """Return the prototypes in a builder's bays, the most recently published first."""
    return list(_with_ships().filter(starship__owner=builder, status__in=Prototype.IN_BAY))


def all_prototypes_of(*, builder: User) -> list[Prototype]:
    """Return all prototypes of a builder, in bays and ended. The most recently published comes first."""
    return list(_with_ships().filter(starship__owner=builder))


def prototype_for(*, starship_id: int) -> Prototype:
    """Return the prototype of a starship, even if it has left its bay.

    Raises NotFound if the starship never was a prototype.
    """
    prototype = _with_ships().filter(starship=starship_id).first()
    if prototype is None:
        raise NotFound("no-prototype", _("This starship is not a prototype."))
    return prototype


def prototype_for_builder(*, viewer: User, starship_id: int) -> Prototype:
    """Return the viewer's own prototype, even if it has left its bay.

    Raises NotFound if the starship never was a prototype, and Forbidden if the viewer is not its builder.
    """
    prototype = prototype_for(starship_id=starship_id)
    if prototype.starship.owner_id != viewer.pk:
        raise Forbidden("not-builder", _("Only the builder of this ship can do that."))
    return prototype


def prototype_facts(*, starship: Starship) -> Prototype | None:
    """Return the prototype of a starship, with the ship that its draft was copied from.

    Also returns a prototype that has left its bay. Returns None if the starship never was a prototype.
    """
    found = _with_ships().select_related("draft__parent_revision__starship")
    return found.filter(starship=starship).first()


def parent_in_library(prototype: Prototype) -> StarshipRevision | None:
    """Return the library revision that a prototype's draft was copied from, or None if it is unknown."""
    return prototype.draft.parent_revision if prototype.draft else None


def own_prototype(*, user: User, starship_id: int) -> Prototype:
    """Return a builder's prototype, even if it has left its bay.

    Raises NotFound for any other starship.
    """
    prototype = _with_ships().filter(starship=starship_id, starship__owner=user).first()
    if prototype is None:
        raise NotFound("no-prototype", _("You have no such prototype."))
    return prototype


def flown_by_people(prototypes: Iterable[Prototype]) -> dict[int, int]:
    """Return the number of `games_with_people` on each prototype, by the ID of the prototype's starship."""
    games = games_with_people().filter(revision__starship__in=[each.starship_id for each in prototypes])
    rows = games.order_by().values_list("revision__starship").annotate(times=Count("pk"))
    return dict(rows)


def games_with_people() -> QuerySet[Game]:
    """Return the started games on prototypes with at least one player who is a person but not the builder."""
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
    """Return the licence for published ships, from the operator's settings."""
    return str(settings.STARSHIP_LICENCE)


def _with_ships() -> QuerySet[Prototype]:
    return Prototype.objects.select_related("starship__current", "starship__owner", "draft")


LEAST_PEOPLE: Final = 2
"""The minimum number of people in a joint game. People who were replaced count too."""


def idle_prototypes(*, now: datetime) -> QuerySet[Prototype]:
    """Return the prototypes in testing that have had no recorded use for `IDLE_AFTER` and need attention now.

    They need attention if the builder must be warned, if the warning period is over, or if people have played
    together on them since the recorded use.
    """
    old = Prototype.objects.filter(status=Prototype.Status.TESTING, used_at__lte=now - IDLE_AFTER)
    due = Q(warned_at=None) | Q(warned_at__lte=now - WARNING_PERIOD)
    played = played_together(now=now).filter(
        revision__starship=OuterRef("starship"), until__gt=OuterRef("used_at")
    )
    return old.filter(due | Exists(played)).order_by("used_at", "pk")


def played_together(*, now: datetime) -> QuerySet[Any]:
    """Return the joint games on prototypes. Each has the annotation ``until``.

    A joint game has two or more people. It has started, or is an open lobby. ``until`` is the time when the
    game ended, or ``now`` if it has not ended.
    """
    sat = Q(user__isnull=False) | Q(replacements__was__isnull=False)
    seats = Seat.objects.filter(sat, game=OuterRef("pk")).order_by().values("game")
    together = seats.annotate(people=Count("pk", distinct=True)).filter(people__gte=LEAST_PEOPLE)
    begun = Q(started_at__isnull=False) | Q(status=Game.Status.OPEN)
    games = Game.objects.filter(begun, Exists(together), revision__prototype=True)
    return games.annotate(until=Coalesce(F("ended_at"), Value(now)))


def last_played(*, prototype: Prototype, now: datetime) -> datetime | None:
    """Return the time when the last joint game on any version of a prototype ended.

    Returns ``now`` if a joint game has not ended, and None if there was no joint game.
    """
    games = played_together(now=now).filter(revision__starship=prototype.starship_id)
    until: datetime | None = games.order_by("-until").values_list("until", flat=True).first()
    return until


# --- What a prototype needs to join the fleet ---------------------------------------------------------------


TESTERS_NEEDED: Final = 5
"""The minimum number of testers for promotion, not counting the builder."""

STRANGERS_NEEDED: Final = 3
"""The minimum number of testers for promotion, counting only testers not invited by the builder."""

COMPLETE_ENDINGS: Final = ("", Game.Ending.CONCEDED.value)
"""The endings of games that count as complete. Other games may end in a minute because a player leaves."""


@dataclass(frozen=True, slots=True)
class Need:
    """A requirement for promotion: whether it is met, and a sentence with the current numbers."""

    code: str
    met: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The progress of a prototype towards promotion.

    ``run`` is the last green or amber wind tunnel run of its current version, or None if there is none.
    ``testers`` is the number of people with a complete game on any of its versions. ``strangers`` is the
    number of testers without an invitation from the builder.
    """

    run: TunnelRun | None
    testers: int
    strangers: int
    needs: tuple[Need, ...]

    @property
    def is_ready(self) -> bool:
        """Whether the builder may request promotion."""
        return all(need.met for need in self.needs)


def readiness_of(*, prototype: Prototype) -> Readiness:
    run = sound_run_of(prototype=prototype)
    testers = testers_of(prototype=prototype)
    strangers = testers.keys() - _invited(prototype, set(testers))
    needs = (
        Need("tunnel", run is not None, _tunnel_status(prototype, run)),
        Need("testers", len(testers) >= TESTERS_NEEDED, _testers_status(len(testers))),
        Need("strangers", len(strangers) >= STRANGERS_NEEDED, _strangers_status(len(strangers))),
    )
    return Readiness(run, len(testers), len(strangers), needs)


def sound_run_of(*, prototype: Prototype) -> TunnelRun | None:
    """Return the last green or amber wind tunnel run of a prototype, or None if there is none.

    The run must have the published board, ruleset and number of players. Amber runs count because their
    findings are uncertain, and players and the committee can judge such findings better. Runs with fewer
    flights than usual do not count, since they may miss findings by chance.
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
    """Return the people with complete games on a prototype: their IDs, and their numbers of games.

    The builder and guests are left out. With ``public``, only public games count.
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
    """Return the condition for games on a prototype's versions.

    ``path`` is the prefix of lookups that leads to the game, such as “game__”.
    """
    return Q(**{f"{path}revision__starship": prototype.starship_id, f"{path}revision__prototype": True})


def _invited(prototype: Prototype, people: set[int]) -> set[int]:
    """Return the testers with an invitation from the builder.

    All players of the builder's private games count as invited, because they joined by the link of the game.
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
    """Return the rows of a wind tunnel run's board in canonical notation, or [] if unreadable."""
    try:
        written = rules.write_starship(rules.read_starship(run.document, known=True))
    except rules.NotationError:
        return []
    rows: list[str] = written["rows"]
    return rows


def _tunnel_status(prototype: Prototype, run: TunnelRun | None) -> str:
    if run is not None:
        if run.report and run.report["findings"]:
            return _("The wind tunnel verdict for this version is amber. The committee sees its findings.")
        return _("The wind tunnel verdict for this version is green.")
    if prototype.draft_id is None:
        return _("The draft of this ship was deleted. Copy the ship to your Space Dock and publish it again.")
    edition = rules.RULESETS[prototype.ruleset]
    assert prototype.starship.current
    numbers = player_numbers(edition, boards.starship_of(prototype.starship.current))
    if prototype.players not in numbers:
        return _(
            "The wind tunnel can’t fly this ship with the number of players that you chose ({players}). In"
            " the shipyard, choose one of these numbers: {numbers}. Then publish the ship again."
        ).format(players=prototype.players, numbers=", ".join(map(str, numbers)) or "–")
    return ngettext(
        "This version needs a green or amber wind tunnel verdict for {ruleset} with {number} player.",
        "This version needs a green or amber wind tunnel verdict for {ruleset} with {number} players.",
        prototype.players,
    ).format(ruleset=edition.name, number=prototype.players)


def _testers_status(testers: int) -> str:
    return ngettext(
        "{number} of {needed} people has finished a game on it.",
        "{number} of {needed} people have finished a game on it.",
        testers,
    ).format(number=testers, needed=TESTERS_NEEDED)


def _strangers_status(strangers: int) -> str:
    return ngettext(
        "{number} person joined without your invitation. At least {needed} are needed.",
        "{number} people joined without your invitation. At least {needed} are needed.",
        strangers,
    ).format(number=strangers, needed=STRANGERS_NEEDED)


def people_of(*, testers: dict[int, int]) -> list[tuple[User, int]]:
    """Return people and their numbers of games, from `testers_of`, most games first."""
    found = User.objects.in_bulk(testers.keys())
    return sorted(
        ((found[key], games) for key, games in testers.items()),
        key=lambda each: (-each[1], each[0].robo_name),
    )


# --- The design committee -----------------------------------------------------------------------------------


COMMITTEE_GROUP: Final = "Design committee"
"""The name of the design committee's group. A migration creates the group, and staff add members."""

PERMISSION: Final = "decide_promotion"

VOTES_NEEDED: Final = 2
"""The number of matching votes for a decision on a request."""


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
    """A request for promotion to the fleet, as shown in lists."""

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
    """A request for promotion to the fleet, with facts for the design committee."""

    ruleset: str
    players: int
    tunnel: Annotated[TunnelRunView | None, "Its wind tunnel run; null if the builder deleted it."]
    games: Annotated[list[int], "The started public games on it, newest first."]


class NeedView(TypedDict):
    """A requirement for promotion."""

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
    """Return the members of the design committee: people with its permission, by group or directly.

    Superusers are members only if staff gave them the permission, so that all members are listed in one
    place.
    """
    given = Permission.objects.filter(content_type__app_label="games", codename=PERMISSION)
    in_group = given.filter(group__user=OuterRef("pk"))
    alone = given.filter(user=OuterRef("pk"))
    return User.objects.players().filter(Exists(in_group) | Exists(alone))


def is_member(viewer: User | AnonymousUser) -> bool:
    """Return whether the viewer is on the design committee."""
    return isinstance(viewer, User) and members().contains(viewer)


def voters_about(promotion: Promotion) -> QuerySet[User]:
    """Return the committee members who may vote on a request: all except the ship's builder."""
    builder = promotion.prototype.starship.owner
    return members().exclude(pk=builder.pk) if builder else members()


def open_promotions() -> QuerySet[Promotion]:
    """Return undecided requests for promotion, oldest first."""
    ready = _promotions().filter(status=Promotion.Status.OPEN, prototype__status=Prototype.Status.READY)
    return ready.order_by("asked_at", "pk")


def decisions() -> QuerySet[Promotion]:
    """Return decided requests for promotion, the latest decision first."""
    return _promotions().filter(status__in=Promotion.DECIDED).order_by("-ended_at", "-pk")


def decisions_about(*, starship_id: int) -> QuerySet[Promotion]:
    """Return decided requests for promotion of a starship, the latest decision first."""
    return decisions().filter(prototype__starship=starship_id)


def open_promotion_of(*, prototype: Prototype) -> Promotion | None:
    """Return the undecided request for promotion of a prototype, or None if there is none."""
    return open_promotions().filter(prototype=prototype).first()


def promotion_for(*, viewer: User | AnonymousUser, promotion_id: int) -> Promotion:
    """Return a request for promotion. Only members of the design committee may see it.

    Raises Forbidden for other viewers, NotFound for an unknown request, and Gone if staff took the ship down.
    """
    refuse_others(viewer)
    found = _promotions().filter(pk=promotion_id).first()
    if found is None:
        raise NotFound("no-promotion", _("There is no such request for promotion."))
    if found.prototype.starship.taken_down_at:
        raise Gone("taken-down", _("Staff took this ship down. No decision is needed."))
    return found


def refuse_others(viewer: User | AnonymousUser) -> None:
    """Raise Forbidden unless the viewer is a member of the design committee."""
    if not is_member(viewer):
        raise Forbidden("no-member", _("Only members of the design committee can do this."))


def games_to_show(*, promotion: Promotion, most: int) -> list[Game]:
    """Return at most ``most`` started public games on a prototype, newest first."""
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
    """Return the progress of a prototype towards promotion, for its builder. Votes are left out."""
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
    """Return the votes on a request for promotion, oldest first."""
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
    promotions = Promotion.objects.select_related("prototype__starship__owner", "revision", "run")
    return promotions.prefetch_related(Prefetch("votes", votes))
