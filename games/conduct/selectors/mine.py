"""What someone reads about conduct: decisions about them, their appeals, and what they reported."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypedDict

from django.utils.translation import gettext as _

from accounts.models import User
from games.conduct.models import Appeal, Case, PlayerReport
from games.conduct.terms import OPEN_FOR
from games.sanctions.models import Rule, Sanction

Kind = Sanction.Kind


class AppealView(TypedDict):
    """My appeal against a decision."""

    text: str
    at: datetime
    outcome: Annotated[str, "`upheld`, `overturned`, or empty until staff have answered."]
    answer: str


class SanctionView(TypedDict):
    """A decision of staff about me. It does not say who decided."""

    id: int
    kind: Annotated[str, Kind]
    rule: Annotated[str, Rule]
    facts: Annotated[str, "What happened, as staff put it."]
    at: datetime
    ends_at: Annotated[datetime | None, "When it ends; null for what is done at once."]
    lifted_at: Annotated[datetime | None, "When it was undone."]
    in_force: Annotated[bool, "It keeps me from something at present."]
    may_appeal: bool
    appeal: AppealView | None


class PlayerReportView(TypedDict):
    """What I have reported about a player, and what came of it."""

    id: int
    player: Annotated[str, "Their Robo Name."]
    about: Annotated[str, PlayerReport.About]
    rule: Annotated[str, Rule]
    text: str
    at: datetime
    outcome: Annotated[str, "`open`, `acted`, `undone` after that, or `dismissed`."]


class ConductView(TypedDict):
    """Decisions about me, and my reports; the last first."""

    decisions: list[SanctionView]
    reports: list[PlayerReportView]


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision about someone, as their page shows it: its row, and what it says in words."""

    sanction: Sanction
    words: str
    view: SanctionView


def decision_in_words(sanction: Sanction) -> str:
    """Return in a sentence what staff decided, as the person reads it."""
    if sanction.lifted_at:
        return _("A decision about you was undone.")
    days = sanction.days or 0
    sentences = {
        Kind.HIDE: _("Staff have hidden a line that you wrote in a chat."),
        Kind.WARNING: _("Staff warn you."),
        Kind.MUTE: _("You cannot write in chats, reviews and clubs for {days} days."),
        Kind.BAR: _("You cannot enter tournaments, ladders and seasons for {days} days."),
        Kind.SUSPENSION: _("You are suspended for {days} days. Your games go on. You can begin no others."),
        Kind.RENAME: _("Staff have given you another Robo Name."),
        Kind.CLUB: _("Staff have renamed your club and removed its text."),
    }
    if sanction.ends_at:
        days = round((sanction.ends_at - sanction.at).total_seconds() / 86400)
    return sentences[Kind(sanction.kind)].format(days=days)


def decisions_about(*, user: User, now: datetime) -> list[Decision]:
    """Return what staff decided about someone, the last first."""
    found = Sanction.objects.filter(user=user).select_related("appeal").order_by("-at", "-pk")
    return [Decision(each, decision_in_words(each), _view(each, now)) for each in found]


def reports_by(*, user: User) -> list[PlayerReportView]:
    """Return what someone has reported about players, the last first."""
    found = PlayerReport.objects.filter(reporter=user).select_related("case__person")
    found = found.prefetch_related("case__sanctions")
    return [report_view(each) for each in found.order_by("-at", "-pk")]


def report_view(report: PlayerReport) -> PlayerReportView:
    """Return a report as the person who sent it sees it."""
    return {
        "id": report.pk,
        "player": report.case.person.robo_name,
        "about": report.about,
        "rule": report.rule,
        "text": report.text,
        "at": report.at,
        "outcome": _outcome(report.case),
    }


def conduct_of(*, user: User, now: datetime) -> ConductView:
    """Return both, as the API answers."""
    decisions = [each.view for each in decisions_about(user=user, now=now)]
    return {"decisions": decisions, "reports": reports_by(user=user)}


def sanction_view(sanction: Sanction, *, now: datetime) -> SanctionView:
    """Return a decision as the person sees it whom it is about."""
    return _view(Sanction.objects.select_related("appeal").get(pk=sanction.pk), now)


def _outcome(case: Case) -> str:
    if case.decided_at is None:
        return "open"
    if case.dismissed:
        return "dismissed"
    return "acted" if any(each.lifted_at is None for each in case.sanctions.all()) else "undone"


def _view(sanction: Sanction, now: datetime) -> SanctionView:
    appeal: Appeal | None = getattr(sanction, "appeal", None)
    fresh = appeal is None and sanction.lifted_at is None and now - sanction.at <= OPEN_FOR
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
