"""The design committee: who belongs to it, what waits for it, and what it has decided."""

from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.contrib.auth.models import AnonymousUser, Permission
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.dock.models import Promotion, PromotionVote, Prototype
from games.dock.selectors.readiness import Readiness, games_on
from games.errors import Forbidden, Gone, NotFound
from games.play.models import Game
from games.shipyard.tunnel import TunnelRunView, run_view

GROUP: Final = "Design committee"
"""The group whose members decide; a migration makes it, and staff put people in it."""

PERMISSION: Final = "decide_promotion"

NEEDED: Final = 2
"""Equal votes that decide."""


class VoteCastView(TypedDict):
    """What a member of the design committee votes for."""

    member: str
    vote: Annotated[str, tuple(PromotionVote.Choice.values)]
    words: Annotated[str, "Why; always there with `send-back` and `close`."]
    cast_at: datetime
    counts: Annotated[bool, "False for one who has left the committee before it was decided."]


class PromotionFacts(TypedDict):
    """A prototype that asks to join the fleet, as lists show it."""

    id: int
    starship: int
    name: Annotated[str, "Empty as long as staff have taken the ship down."]
    builder: str
    version: Annotated[int, "The revision of the starship that it is about."]
    status: Annotated[str, tuple(Promotion.Status.values)]
    asked_at: datetime
    decided_at: datetime | None
    votes: list[VoteCastView]


class PromotionView(PromotionFacts):
    """A prototype that asks to join the fleet, with what the committee judges by."""

    ruleset: str
    players: int
    tunnel: Annotated[TunnelRunView | None, "Its run in the wind tunnel; null if its builder has deleted it."]
    games: Annotated[list[int], "Games on it that started, the last first; no private ones."]


class NeedView(TypedDict):
    """Something that a prototype needs."""

    code: Annotated[str, ("tunnel", "testers", "strangers")]
    met: bool
    detail: Annotated[str, "A sentence for people."]


class ReadinessView(TypedDict):
    """What a prototype has of what it needs before I may ask for promotion."""

    ready: Annotated[bool, "Whether I may ask for promotion now."]
    status: Annotated[str, tuple(Prototype.Status.values)]
    testers: Annotated[int, "People who have played it to the end."]
    strangers: Annotated[int, "Those of them whom I did not invite."]
    tunnel: Annotated[int | None, "The run of the present version that is green or amber."]
    needs: list[NeedView]
    promotion: PromotionFacts | None


def members() -> QuerySet[User]:
    """Return the members of the design committee: people with the permission, in a group or of their own.

    Superusers have it only if someone gave it to them: who decides is written down in one place.
    """
    given = Permission.objects.filter(content_type__app_label="games", codename=PERMISSION)
    in_group = given.filter(group__user=OuterRef("pk"))
    alone = given.filter(user=OuterRef("pk"))
    return User.objects.players().filter(Exists(in_group) | Exists(alone))


def is_member(viewer: User | AnonymousUser) -> bool:
    """Return whether someone may vote about prototypes of others."""
    return isinstance(viewer, User) and members().contains(viewer)


def voters_about(promotion: Promotion) -> QuerySet[User]:
    """Return the members who may vote about a prototype: all but its builder."""
    builder = promotion.prototype.starship.owner
    return members().exclude(pk=builder.pk) if builder else members()


def open_promotions() -> QuerySet[Promotion]:
    """Return what waits for a decision, what has waited longest first."""
    ready = _promotions().filter(status=Promotion.Status.OPEN, prototype__status=Prototype.Status.READY)
    return ready.order_by("asked_at", "pk")


def decisions() -> QuerySet[Promotion]:
    """Return what was decided, the last first."""
    return _promotions().filter(status__in=Promotion.DECIDED).order_by("-ended_at", "-pk")


def decisions_about(*, starship_id: int) -> QuerySet[Promotion]:
    """Return what was decided about a starship, the last first."""
    return decisions().filter(prototype__starship=starship_id)


def open_promotion_of(*, prototype: Prototype) -> Promotion | None:
    """Return what waits for a decision about a prototype."""
    return open_promotions().filter(prototype=prototype).first()


def promotion_for(*, viewer: User | AnonymousUser, promotion_id: int) -> Promotion:
    """Return a request for promotion to a member of the committee; raises Forbidden, NotFound and Gone."""
    refuse_others(viewer)
    found = _promotions().filter(pk=promotion_id).first()
    if found is None:
        raise NotFound("no-promotion", _("There is no such request for promotion."))
    if found.prototype.starship.taken_down_at:
        raise Gone("taken-down", _("Staff took this ship down. There is nothing to decide."))
    return found


def refuse_others(viewer: User | AnonymousUser) -> None:
    """Raise Forbidden for everyone who is not on the committee."""
    if not is_member(viewer):
        raise Forbidden("no-member", _("Only members of the design committee can see and do this."))


def games_to_show(*, promotion: Promotion, most: int) -> list[Game]:
    """Return the last public games on a prototype that have started, the last first."""
    games = Game.objects.filter(
        games_on(prototype=promotion.prototype), private=False, started_at__isnull=False
    )
    return list(games.select_related("revision").order_by("-started_at", "-pk")[:most])


def promotion_facts(promotion: Promotion) -> PromotionFacts:
    """Return a request for promotion as lists show it."""
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


def promotion_view(promotion: Promotion, *, most: int = 100) -> PromotionView:
    """Return a request for promotion with what the committee judges by."""
    return {
        **promotion_facts(promotion),
        "ruleset": promotion.prototype.ruleset,
        "players": promotion.prototype.players,
        "tunnel": run_view(promotion.run) if promotion.run else None,
        "games": [game.pk for game in games_to_show(promotion=promotion, most=most)],
    }


def readiness_view(prototype: Prototype, readiness: Readiness, promotion: Promotion | None) -> ReadinessView:
    """Return to a builder how far a prototype is from the committee."""
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
    """Return the votes about a prototype, the first first."""
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
