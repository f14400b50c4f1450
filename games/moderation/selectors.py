"""Read reports, cases and decisions, for the players concerned and for staff."""

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
"""The column of `Case` for each model whose rows a case can be about."""

MOST_GAMES: Final = 20
"""The maximum number of shared games to choose from in a report of behaviour. The latest are shown."""


@dataclass(frozen=True, slots=True)
class ReportedThing:
    """The subject of a report of a player: a chat ``line`` or a ``club``.

    ``about`` is the kind of subject, or empty if the reporter still has to choose it.
    """

    about: str = ""
    line: ChatLine | None = None
    club: Club | None = None


def reported_thing(*, viewer: User, person: User, line: str = "", club: str = "") -> ReportedThing:
    """Return the subject of a report of a player, given the ID of a chat line or the slug of a club.

    Raises NotFound if the viewer may not read the line, or if the player did not write the line or does not
    lead the club.
    """
    if line:
        return ReportedThing(About.CHAT, line=said_line(viewer=viewer, person=person, number=number_in(line)))
    if club:
        return ReportedThing(About.CLUB, club=led_club(person=person, slug=club))
    return ReportedThing()


def said_line(*, viewer: User, person: User, number: int | None) -> ChatLine:
    """Return a chat line of a player, given its ID.

    Raises NotFound if the player wrote no such line, or if the viewer may not read it.
    """
    line = line_for(viewer=viewer, line_id=number or 0)
    if line is None or line.user_id != person.pk:
        raise NotFound("no-line", _("This player didn’t write that line."))
    return line


def led_club(*, person: User, slug: str) -> Club:
    """Return a club that a player leads as captain. Raises NotFound if the player leads no such club."""
    led = Membership.objects.filter(user=person, role=Membership.Role.CAPTAIN, club__slug=slug)
    found = led.select_related("club").first()
    if found is None:
        raise NotFound("no-club", _("This player doesn’t lead a club with that address."))
    return found.club


def shared_game(*, viewer: User, person: User, number: int) -> Game:
    """Return a game that a player plays or hosts, given the ID of the game.

    Raises NotFound if the viewer may not see the game, or if the player is not in it.
    """
    game = game_for(viewer=viewer, game_id=number)
    if game.host_id != person.pk and not game.players.filter(user=person).exists():
        raise NotFound("no-game", _("This player is not in that game."))
    return game


def games_of_both(*, viewer: User, person: User) -> QuerySet[Game]:
    """Return the latest games with a seat for each of two players."""
    both = Game.objects.filter(players__user=viewer).filter(players__user=person)
    return both.order_by("-pk")[:MOST_GAMES]


def open_cases(about: Thing) -> QuerySet[Case]:
    """Return a query for the open case about a person, ship, draft or review."""
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
    """Your report of a player, and the outcome of the report."""

    id: int
    player: Annotated[str, "The player's Robo Name."]
    about: Annotated[str, Report.About]
    rule: Annotated[str, Rule]
    text: str
    at: datetime
    outcome: Annotated[str, "`open`, `acted`, `dismissed`, or `undone` if staff undid what they did."]


class ConductView(TypedDict):
    """The staff decisions about you, and your reports, newest first."""

    decisions: list[SanctionView]
    reports: list[PlayerReportView]


@dataclass(frozen=True, slots=True)
class Decision:
    """A staff decision, as the player's page shows it: the row, a sentence, and the API's answer."""

    sanction: Sanction
    words: str
    view: SanctionView


def decision_in_words(sanction: Sanction) -> str:
    """Describe a staff decision in a sentence addressed to the player."""
    if sanction.lifted_at:
        return _("A decision about you was undone.")
    days = sanction.days or 0
    sentences = {
        Kind.HIDE: _("Staff hid a line that you wrote in a chat."),
        Kind.WARNING: _("Staff warned you."),
        Kind.MUTE: _("You can’t write in chats, reviews or clubs for {days} days."),
        Kind.BAR: _("You can’t enter tournaments, ladders or seasons for {days} days."),
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
    """Return the staff decisions about a user, newest first."""
    found = Sanction.objects.filter(user=user).select_related("appeal").order_by("-at", "-pk")
    return [Decision(each, decision_in_words(each), _appeal_view(each, now)) for each in found]


def reports_by(*, user: User) -> list[PlayerReportView]:
    """Return a user's reports of players, newest first."""
    found = Report.objects.filter(reporter=user, case__person__isnull=False).select_related("case__person")
    found = found.prefetch_related("case__sanctions")
    return [player_report_view(each) for each in found.order_by("-at", "-pk")]


def player_report_view(report: Report) -> PlayerReportView:
    """Return a report of a player, as the API shows it to the reporter."""
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
    """Return the decisions about a user and the user's reports, as the API shows them to the user."""
    decisions = [each.view for each in decisions_about(user=user, now=now)]
    return {"decisions": decisions, "reports": reports_by(user=user)}


def sanction_view(sanction: Sanction, *, now: datetime) -> SanctionView:
    """Return a decision, as the API shows it to the player concerned."""
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
"""The number of chat lines shown before a reported line, and after it."""


def context_of(case: Case) -> list[tuple[ChatLine, bool]]:
    """Return the reported chat lines of a case and the lines around them, oldest first.

    Each line comes with a bool: True if it was reported.
    """
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
    """Return the cases of players, except cases about the viewer and cases with a report by the viewer."""
    reported = Report.objects.filter(reporter=viewer.pk).values("case")
    return Case.objects.filter(person__isnull=False).exclude(person=viewer.pk).exclude(pk__in=reported)


def ship_cases_for(viewer: User) -> QuerySet[ShipCase]:
    """Return the cases of ships and reviews, except cases about the viewer's own ships and reviews."""
    own = Q(starship__owner=viewer.pk) | Q(draft__user=viewer.pk) | Q(review__author=viewer.pk)
    return ShipCase.objects.filter(person=None).exclude(pk__in=ShipCase.objects.filter(own).values("pk"))


def entries_for(viewer: User) -> QuerySet[ConductEntry]:
    """Return the log of decisions, except entries about the viewer and about cases with their reports."""
    reported = Report.objects.filter(reporter=viewer.pk).values("case")
    return ConductEntry.objects.exclude(person=viewer.pk).exclude(case__in=reported)


def number_of_cases(viewer: User) -> int:
    """Return the number of open cases of players that a member of staff can see."""
    return cases_for(viewer).filter(decided_at=None).count()


def number_of_ship_cases(viewer: User) -> int:
    """Return the number of open cases of ships and reviews that a member of staff can see."""
    return ship_cases_for(viewer).filter(decided_at=None).count()


def number_of_appeals(viewer: User) -> int:
    """Return the number of unanswered appeals, except appeals by this member of staff."""
    return Appeal.objects.filter(answered_at=None).exclude(sanction__user=viewer.pk).count()


# --- Reports of starships and reviews -----------------------------------------------------------------------


class ReportView(TypedDict):
    """Your report of a ship or a review."""

    id: int
    reason: Annotated[str, Reason]
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Takedown:
    """A ship that was taken down: its name, the time of the takedown, and the reason.

    Either ``starship`` is the ID of a ship in the library, or ``draft`` is the ID of a shared draft.
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
    """Return whether the viewer has reported a ship, and staff have not decided about the report yet."""
    return isinstance(viewer, User) and open_cases(thing).filter(reports__reporter=viewer).exists()


def reviews_reported(*, viewer: Viewer, reviews: Iterable[Review]) -> set[int]:
    """Return the IDs of the reviews with an open report by the viewer."""
    if not isinstance(viewer, User):
        return set()
    found = Report.objects.filter(reporter=viewer, case__decided_at=None)
    shown = [review.pk for review in reviews]
    return set(found.filter(case__review__in=shown).values_list("case__review", flat=True))


def ship_report_view(report: Report) -> ReportView:
    """Return a report of a ship or review, as the API shows it to the reporter."""
    return {"id": report.pk, "reason": report.reason, "text": report.text, "created_at": report.at}


def takedown_of(starship: Starship) -> Takedown:
    """Return the takedown of a ship. Only its builder and staff may see the reason."""
    assert starship.taken_down_at
    why = _takedown_reason(Moderation.objects.filter(starship=starship, review=None))
    return Takedown(starship.name, starship.taken_down_at, why, starship=starship.pk)


def takedowns_of(*, builder: User) -> list[Takedown]:
    """Return the takedowns of a builder's ships and drafts, newest first.

    If both a ship and its draft are taken down, returns only the ship's takedown.
    """
    ships = Starship.objects.filter(owner=builder, taken_down_at__isnull=False)
    found = [takedown_of(ship) for ship in ships.order_by("pk")]
    drafts = StarshipDraft.objects.filter(user=builder, taken_down_at__isnull=False)
    for draft in drafts.exclude(prototypes__starship__taken_down_at__isnull=False).order_by("pk"):
        assert draft.taken_down_at
        why = _takedown_reason(Moderation.objects.filter(draft=draft))
        found.append(Takedown(draft.name, draft.taken_down_at, why, draft=draft.pk))
    return sorted(found, key=lambda each: each.at, reverse=True)


def number_of_held_reviews() -> int:
    """Return the number of reviews on hold. Reviews are on hold if their ship got many reviews in a day."""
    return Review.objects.filter(held_until__isnull=False, hidden_at=None).count()


def decisions_in(case: Case) -> QuerySet[Moderation]:
    """Return the staff decisions about the ship or review of a case, newest first."""
    if case.starship_id:
        found = Moderation.objects.filter(starship=case.starship_id, review=None)
    elif case.draft_id:
        found = Moderation.objects.filter(draft=case.draft_id)
    else:
        found = Moderation.objects.filter(review=case.review_id)
    return found.select_related("by").order_by("-at", "-pk")


def _takedown_reason(decisions: QuerySet[Moderation]) -> str:
    taken = decisions.filter(action=Moderation.Action.TAKE_DOWN)
    return taken.order_by("-at", "-pk").values_list("reason", flat=True).first() or ""
