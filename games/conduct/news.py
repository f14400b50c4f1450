"""What people hear about conduct: kinds of notification. They are about a person, and no game."""

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.conduct.models import Appeal, Case
from games.conduct.selectors.mine import decision_in_words
from games.news.kinds import Kind, Told
from games.news.models import Notice
from games.sanctions.models import Sanction

TEMPLATE: Final = "conduct/mail/news.html"


def _told(notice: Notice, *, lines: list[str] | None = None, **more: Any) -> Told:
    """Return what a kind says: its ``subject``, what is ``said``, and ``why`` its reader gets it."""
    assert notice.user
    context = {
        "name": notice.user.robo_name,
        "url": settings.BASE_URL + reverse("conduct:mine"),
        "lines": lines or [],
        **more,
    }
    return Told(context, bytes)


def _about(notice: Notice) -> int:
    assert notice.about is not None
    return notice.about


def _sanction_of(notice: Notice) -> Sanction | None:
    return Sanction.objects.filter(pk=abs(_about(notice))).first()


def _decided(notice: Notice) -> Told:
    sanction = _sanction_of(notice)
    assert sanction
    return _told(
        notice,
        subject=gettext("A decision of staff about you"),
        said=decision_in_words(sanction),
        lines=[str(sanction.get_rule_display()), sanction.facts],
        heading=gettext("The rule, and what happened"),
        call=gettext("Read it, or appeal"),
        why=gettext("You get this mail because it is about your account."),
    )


def _decided_settled(notice: Notice) -> str | None:
    return None if _sanction_of(notice) else Notice.Status.OUTDATED


def _answered(notice: Notice) -> Told:
    appeal = Appeal.objects.select_related("sanction").get(pk=_about(notice))
    overturned = appeal.outcome == Appeal.Outcome.OVERTURNED
    return _told(
        notice,
        subject=gettext("Your appeal"),
        said=gettext("Staff have looked at it once more. The decision is undone.")
        if overturned
        else gettext("Staff have looked at it once more. The decision stands."),
        lines=[appeal.answer],
        heading=gettext("Their answer"),
        call=gettext("Look at the decision"),
        why=gettext("You get this mail because you appealed."),
    )


def _answered_settled(notice: Notice) -> str | None:
    return None if Appeal.objects.filter(pk=_about(notice)).exists() else Notice.Status.OUTDATED


def _reported(notice: Notice) -> Told:
    case = Case.objects.select_related("person").get(pk=_about(notice))
    words = (
        gettext("Staff have looked at what you reported about {player}. They found that no rule was broken.")
        if case.dismissed
        else gettext("Staff have looked at what you reported about {player}, and have acted.")
    )
    return _told(
        notice,
        subject=gettext("Your report"),
        said=words.format(player=case.person.robo_name),
        call=gettext("Look at your reports"),
        why=gettext("You get this mail because you reported a player."),
    )


def _reported_settled(notice: Notice) -> str | None:
    reports = Case.objects.filter(pk=_about(notice), reports__reporter=notice.user)
    return None if reports.exists() else Notice.Status.OUTDATED


def _kind(**declared: Any) -> Kind:
    return Kind(template=TEMPLATE, to_players=False, drawn=False, illustrated=False, **declared)


DECIDED: Final = _kind(
    name="sanction", label=_("Staff decided about you"), tell=_decided, settled=_decided_settled
)
ANSWERED: Final = _kind(
    name="appeal", label=_("Your appeal is answered"), tell=_answered, settled=_answered_settled
)
REPORTED: Final = _kind(
    name="reported", label=_("Your report is decided"), tell=_reported, settled=_reported_settled
)

KINDS: Final = (DECIDED, ANSWERED, REPORTED)
