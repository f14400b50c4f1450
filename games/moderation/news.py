"""Notifications about sanctions, appeals and reports."""

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from games.moderation.models import Appeal, ConductEntry, Report, Sanction
from games.moderation.selectors import decision_in_words
from games.news.kinds import PLAIN, Content, Kind, plain
from games.news.models import Notice

Deed = ConductEntry.Deed


def _content(notice: Notice, *, lines: list[str] | None = None, **more: Any) -> Content:
    return plain(notice, path=reverse("conduct:mine"), lines=lines, **more)


def _entry_of(notice: Notice) -> ConductEntry:
    assert notice.about is not None
    return ConductEntry.objects.select_related("person").get(pk=notice.about)


def _sanction_of(notice: Notice) -> Sanction | None:
    sanction = _entry_of(notice).sanction
    assert sanction is not None
    return Sanction.objects.filter(pk=sanction).first()


def _appeal_of(notice: Notice) -> Appeal | None:
    sanction = _sanction_of(notice)
    return Appeal.objects.filter(sanction=sanction).first() if sanction else None


def _decided(notice: Notice) -> Content:
    sanction = _sanction_of(notice)
    assert sanction
    return _content(
        notice,
        subject=gettext("A staff decision about your account"),
        message=decision_in_words(sanction),
        lines=[str(sanction.get_rule_display()), sanction.facts],
        heading=gettext("The rule and the facts"),
        link_text=gettext("Read or appeal the decision"),
        why=gettext("You got this email because it is about your account."),
    )


def _decided_settled(notice: Notice) -> str | None:
    return None if _sanction_of(notice) else Notice.Status.OUTDATED


def _answered(notice: Notice) -> Content:
    appeal = _appeal_of(notice)
    assert appeal
    overturned = appeal.outcome == Appeal.Outcome.OVERTURNED
    return _content(
        notice,
        subject=gettext("Your appeal"),
        message=gettext("Staff reviewed your appeal and reversed the decision.")
        if overturned
        else gettext("Staff reviewed your appeal and upheld the decision."),
        lines=[appeal.answer],
        heading=gettext("Answer from staff"),
        link_text=gettext("View the decision"),
        why=gettext("You got this email because you appealed."),
    )


def _answered_settled(notice: Notice) -> str | None:
    return None if _appeal_of(notice) else Notice.Status.OUTDATED


def _reported(notice: Notice) -> Content:
    entry = _entry_of(notice)
    sentences = {
        Deed.DISMISSED: gettext(
            "Staff reviewed your report about {player}. They found that no rule was broken."
        ),
        Deed.SANCTIONED: gettext("Staff reviewed your report about {player} and took action."),
    }
    undone = gettext("You reported {player}. Staff have now reversed their decision about this player.")
    return _content(
        notice,
        subject=gettext("Your report"),
        message=sentences.get(Deed(entry.deed), undone).format(player=entry.person.robo_name),
        link_text=gettext("View your reports"),
        why=gettext("You got this email because you reported a player."),
    )


def _reported_settled(notice: Notice) -> str | None:
    reports = Report.objects.filter(case=_entry_of(notice).case, reporter=notice.user)
    return None if reports.exists() else Notice.Status.OUTDATED


def _kind(**declared: Any) -> Kind:
    return Kind(template=PLAIN, mandatory=True, to_players=False, drawn=False, illustrated=False, **declared)


DECIDED: Final = _kind(
    name="sanction",
    label=_("A staff decision about your account"),
    content=_decided,
    settled=_decided_settled,
)
ANSWERED: Final = _kind(
    name="appeal", label=_("Your appeal was answered"), content=_answered, settled=_answered_settled
)
REPORTED: Final = _kind(
    name="reported", label=_("Staff decided on your report"), content=_reported, settled=_reported_settled
)

KINDS: Final = (DECIDED, ANSWERED, REPORTED)
