"""Reports, cases and decisions, as the players concerned and staff see them."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, TypedDict

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.chat.models import ChatLine
from games.chat.selectors import line_for
from games.clubs.models import Club, Membership
from games.dock.models import Review
from games.errors import NotFound, number_in
from games.fleet.models import Starship
from games.moderation.models import (
    Appeal,
    Case,
    ConductEntry,
    Moderation,
    Reason,
    Report,
    Rule,
    Sanction,
    ShipCase,
)
from games.moderation.sanctions import TIME_TO_APPEAL
from games.play.models import Game
from games.play.viewers import Viewer, game_for
from games.shipyard.models import StarshipDraft

# --- What a report is about ---------------------------------------------------------------------------------


About = Report.About

ShipThing = Starship | StarshipDraft | Review

Thing = User | ShipThing

CASE_COLUMNS: Final[dict[type, str]] = {
    User: "person",
    Starship: "starship",
    StarshipDraft: "draft",
    Review: "review",
}
"""The column of a case for each type of subject."""

MOST_GAMES: Final = 20
"""Number of latest shared games to choose from in a report of behaviour."""


@dataclass(frozen=True, slots=True)
class ReportedThing:
    """The subject of a report: a ``line`` of chat or a ``club``.

    ``about`` is empty if the reporter still has to choose.
    """

    about: str = ""
    line: ChatLine | None = None
    club: Club | None = None


def reported_thing(*, viewer: User, person: User, line: str = "", club: str = "") -> ReportedThing:
    """Return the subject of a report. Raises NotFound if it is hidden or not theirs."""
    if line:
        return ReportedThing(About.CHAT, line=said_line(viewer=viewer, person=person, number=number_in(line)))
    if club:
        return ReportedThing(About.CLUB, club=led_club(person=person, slug=club))
    return ReportedThing()


def said_line(*, viewer: User, person: User, number: int | None) -> ChatLine:
    """Return a player's line of chat, if the viewer may read it. Raises NotFound."""
    line = line_for(viewer=viewer, line_id=number or 0)
    if line is None or line.user_id != person.pk:
        raise NotFound("no-line", _("This player wrote no such line."))
    return line


def led_club(*, person: User, slug: str) -> Club:
    """Return a club with the player as captain. Raises NotFound."""
    led = Membership.objects.filter(user=person, role=Membership.Role.CAPTAIN, club__slug=slug)
    found = led.select_related("club").first()
    if found is None:
        raise NotFound("no-club", _("This player leads no such club."))
    return found.club


def shared_game(*, viewer: User, person: User, number: int) -> Game:
    """Return a player's or host's game, if the viewer may see it. Raises NotFound."""
    game = game_for(viewer=viewer, game_id=number)
    if game.host_id != person.pk and not game.players.filter(user=person).exists():
        raise NotFound("no-game", _("This player is not in that game."))
    return game


def games_of_both(*, viewer: User, person: User) -> QuerySet[Game]:
    """Return the latest games with both players."""
    both = Game.objects.filter(players__user=viewer).filter(players__user=person)
    return both.order_by("-pk")[:MOST_GAMES]


def open_cases(about: Thing) -> QuerySet[Case]:
    """Return the open case about a thing, if any."""
    return Case.objects.filter(decided_at=None, **{CASE_COLUMNS[type(about)]: about})


# --- A player's own decisions and reports -------------------------------------------------------------------


Kind = Sanction.Kind


class AppealView(TypedDict):
    """Your appeal against a decision."""

    text: str
    at: datetime
    outcome: Annotated[str, "`upheld`, `overturned`, or empty until staff have answered."]
    answer: str


class SanctionView(TypedDict):
    """A staff decision about you. It does not name the member of staff."""

    id: int
    kind: Annotated[str, Kind]
    rule: Annotated[str, Rule]
    facts: Annotated[str, "What happened, in the words of staff."]
    at: datetime
    ends_at: Annotated[datetime | None, "When the decision ends. Null if it has no length."]
    lifted_at: Annotated[datetime | None, "When the decision was undone."]
    in_force: Annotated[bool, "Whether the decision restricts you now."]
    may_appeal: bool
    appeal: AppealView | None


class PlayerReportView(TypedDict):
    """Your report of a player, and its outcome."""

    id: int
    player: Annotated[str, "The player's Robo Name."]
    about: Annotated[str, Report.About]
    rule: Annotated[str, Rule]
    text: str
    at: datetime
    outcome: Annotated[str, "`open`, `acted`, `dismissed`, or `undone` if staff undid what they did."]


class ConductView(TypedDict):
    """Decisions about you, and your reports, newest first."""

    decisions: list[SanctionView]
    reports: list[PlayerReportView]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision for the player's page: its row, a sentence and its API answer."""

    sanction: Sanction
    words: str
    view: SanctionView


def decision_in_words(sanction: Sanction) -> str:
    """Describe a decision in a sentence to the player."""
    if sanction.lifted_at:
        return _("A decision about you was undone.")
    days = sanction.days or 0
    sentences = {
        Kind.HIDE: _("Staff hid a line that you wrote in a chat."),
        Kind.WARNING: _("Staff warned you."),
        Kind.MUTE: _("You can’t write in chats, reviews and clubs for {days} days."),
        Kind.BAR: _("You can’t enter tournaments, ladders and seasons for {days} days."),
        Kind.SUSPENSION: _(
            "You are suspended for {days} days. Your games continue, but you can’t start new ones."
        ),
        Kind.RENAME: _("Staff changed your Robo Name."),
        Kind.CLUB: _("Staff renamed your club and removed its text."),
    }
    if sanction.ends_at:
        days = round((sanction.ends_at - sanction.at).total_seconds() / 86400)
    return sentences[Kind(sanction.kind)].format(days=days)


def decisions_about(*, user: User, now: datetime) -> list[Decision]:
    """Return the decisions about a user, newest first."""
    found = Sanction.objects.filter(user=user).select_related("appeal").order_by("-at", "-pk")
    return [Decision(each, decision_in_words(each), _appeal_view(each, now)) for each in found]


def reports_by(*, user: User) -> list[PlayerReportView]:
    """Return a user's reports of players, newest first."""
    found = Report.objects.filter(reporter=user, case__person__isnull=False).select_related("case__person")
    found = found.prefetch_related("case__sanctions")
    return [player_report_view(each) for each in found.order_by("-at", "-pk")]


def player_report_view(report: Report) -> PlayerReportView:
    """Return a report of a player, as its author sees it."""
    assert report.case.person
    return {
        "id": report.pk,
        "player": report.case.person.robo_name,
        "about": report.about,
        "rule": report.reason,
        "text": report.text,
        "at": report.at,
        "outcome": _outcome(report.case),
    }


def conduct_view(*, user: User, now: datetime) -> ConductView:
    """Return a user's decisions and reports, as the API answers."""
    decisions = [each.view for each in decisions_about(user=user, now=now)]
    return {"decisions": decisions, "reports": reports_by(user=user)}


def sanction_view(sanction: Sanction, *, now: datetime) -> SanctionView:
    """Return a decision, as the player concerned sees it."""
    return _appeal_view(Sanction.objects.select_related("appeal").get(pk=sanction.pk), now)


def _outcome(case: Case) -> str:
    if case.decided_at is None:
        return "open"
    if case.dismissed:
        return "dismissed"
    return "acted" if any(each.lifted_at is None for each in case.sanctions.all()) else "undone"


def _appeal_view(sanction: Sanction, now: datetime) -> SanctionView:
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    fresh = appeal is None and sanction.lifted_at is None and now - sanction.at <= TIME_TO_APPEAL
    return {
        "id": sanction.pk,
        "kind": sanction.kind,
        "rule": sanction.rule,
        "facts": sanction.facts,
        "at": sanction.at,
        "ends_at": sanction.ends_at,
        "lifted_at": sanction.lifted_at,
        "in_force": sanction.lifted_at is None and sanction.ends_at is not None and sanction.ends_at > now,
        "may_appeal": fresh,
        "appeal": None
        if appeal is None
        else {"text": appeal.text, "at": appeal.at, "outcome": appeal.outcome, "answer": appeal.answer},
    }


# --- What staff look at -------------------------------------------------------------------------------------


LINES_AROUND: Final = 5
"""Lines of chat to show before and after a reported line."""


def context_of(case: Case) -> list[tuple[ChatLine, bool]]:
    """Return the reported lines and those around them, with True for a reported line."""
    reported = list(case.reports.exclude(line=None).values_list("line", "line__game").distinct())
    found: dict[int, ChatLine] = {}
    for line, game in reported:
        said = ChatLine.objects.filter(game=game)
        before = said.filter(pk__lte=line).order_by("-pk")[: LINES_AROUND + 1]
        behind = said.filter(pk__gt=line).order_by("pk")[:LINES_AROUND]
        found |= {each.pk: each for each in [*before, *behind]}
    own = {line for line, _game in reported}
    return [(found[number], number in own) for number in sorted(found)]


def earlier_sanctions(case: Case) -> QuerySet[Sanction]:
    """Return all decisions about the person of a case, newest first."""
    return Sanction.objects.filter(user=case.person_id).select_related("by").order_by("-at", "-pk")


def cases_for(viewer: User) -> QuerySet[Case]:
    """Return the cases of players, except cases about or reported by the viewer."""
    reported = Report.objects.filter(reporter=viewer.pk).values("case")
    return Case.objects.filter(person__isnull=False).exclude(person=viewer.pk).exclude(pk__in=reported)


def ship_cases_for(viewer: User) -> QuerySet[ShipCase]:
    """Return the cases of ships and reviews, without the staff member's own."""
    own = Q(starship__owner=viewer.pk) | Q(draft__user=viewer.pk) | Q(review__author=viewer.pk)
    return ShipCase.objects.filter(person=None).exclude(pk__in=ShipCase.objects.filter(own).values("pk"))


def entries_for(viewer: User) -> QuerySet[ConductEntry]:
    """Return the log, except entries about the viewer or the viewer's reports."""
    reported = Report.objects.filter(reporter=viewer.pk).values("case")
    return ConductEntry.objects.exclude(person=viewer.pk).exclude(case__in=reported)


def number_of_cases(viewer: User) -> int:
    """Count the open cases for a member of staff."""
    return cases_for(viewer).filter(decided_at=None).count()


def number_of_ship_cases(viewer: User) -> int:
    """Count the open cases of ships and reviews for a member of staff."""
    return ship_cases_for(viewer).filter(decided_at=None).count()


def number_of_appeals(viewer: User) -> int:
    """Count the open appeals for a member of staff."""
    return Appeal.objects.filter(answered_at=None).exclude(sanction__user=viewer.pk).count()


# --- Reports of starships and reviews -----------------------------------------------------------------------


class ReportView(TypedDict):
    """Your report of a ship or review."""

    id: int
    reason: Annotated[str, Reason]
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Takedown:
    """A ship after a takedown: its name, the time and the reason.

    It is a ``starship`` of the library, or a ``draft`` that was shared.
    """

    name: str
    at: datetime
    reason: str
    starship: int | None = None
    draft: int | None = None


def may_report(*, viewer: Viewer) -> bool:
    """Return whether the viewer may report ships and reviews. Guests may not."""
    return isinstance(viewer, User) and not viewer.is_guest


def has_reported(*, viewer: Viewer, thing: Starship | StarshipDraft) -> bool:
    """Return whether the viewer reported a ship and staff have not decided."""
    return isinstance(viewer, User) and open_cases(thing).filter(reports__reporter=viewer).exists()


def reviews_reported(*, viewer: Viewer, reviews: Iterable[Review]) -> set[int]:
    """Return the keys of the reviews with an open report by the viewer."""
    if not isinstance(viewer, User):
        return set()
    found = Report.objects.filter(reporter=viewer, case__decided_at=None)
    shown = [review.pk for review in reviews]
    return set(found.filter(case__review__in=shown).values_list("case__review", flat=True))


def ship_report_view(report: Report) -> ReportView:
    """Return a report of a ship or review, as its author sees it."""
    return {"id": report.pk, "reason": report.reason, "text": report.text, "created_at": report.at}


def takedown_of(starship: Starship) -> Takedown:
    """Return the takedown of a ship, with its reason, for its builder and staff."""
    assert starship.taken_down_at
    why = _why(Moderation.objects.filter(starship=starship, review=None))
    return Takedown(starship.name, starship.taken_down_at, why, starship=starship.pk)


def takedowns_of(*, builder: User) -> list[Takedown]:
    """Return a builder's ships after takedowns, newest first.

    If both a ship and its draft are taken down, returns only the ship.
    """
    ships = Starship.objects.filter(owner=builder, taken_down_at__isnull=False)
    found = [takedown_of(ship) for ship in ships.order_by("pk")]
    drafts = StarshipDraft.objects.filter(user=builder, taken_down_at__isnull=False)
    for draft in drafts.exclude(prototypes__starship__taken_down_at__isnull=False).order_by("pk"):
        assert draft.taken_down_at
        why = _why(Moderation.objects.filter(draft=draft))
        found.append(Takedown(draft.name, draft.taken_down_at, why, draft=draft.pk))
    return sorted(found, key=lambda each: each.at, reverse=True)


def number_of_held_reviews() -> int:
    """Count the reviews held because their ship got many in a day."""
    return Review.objects.filter(held_until__isnull=False, hidden_at=None).count()


def decisions_in(case: Case) -> QuerySet[Moderation]:
    """Return the decisions about the ship or review of a case, newest first."""
    if case.starship_id:
        found = Moderation.objects.filter(starship=case.starship_id, review=None)
    elif case.draft_id:
        found = Moderation.objects.filter(draft=case.draft_id)
    else:
        found = Moderation.objects.filter(review=case.review_id)
    return found.select_related("by").order_by("-at", "-pk")


def _why(decisions: QuerySet[Moderation]) -> str:
    taken = decisions.filter(action=Moderation.Action.TAKE_DOWN)
    return taken.order_by("-at", "-pk").values_list("reason", flat=True).first() or ""
