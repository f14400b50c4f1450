"""Notifications about clubs. They store the club's name, since it may be gone."""

from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from games.clubs.models import Club
from games.news.kinds import PLAIN, Content, Kind, plain, subject_of
from games.news.models import Notice


def _page(notice: Notice) -> tuple[str, str]:
    """Return a club's name, and its path, or the path of the list if it was closed."""
    kept = subject_of(notice)
    club = Club.objects.filter(pk=kept["club"]).first()
    return kept["name"], club.get_absolute_url() if club else reverse("clubs:list")


def _plain(notice: Notice, *, subject: str, message: str, why: str) -> Content:
    name, path = _page(notice)
    return plain(
        notice,
        path=path,
        subject=subject.format(club=name),
        message=message.format(club=name),
        link_text=gettext("See all clubs"),
        why=why,
    )


def _closed(notice: Notice) -> Content:
    return _plain(
        notice,
        subject=gettext("{club} was closed"),
        message=gettext("The club “{club}” was closed. Its games and running tournaments continue."),
        why=gettext("You got this email because you were a member, were invited or had asked to join."),
    )


def _removed(notice: Notice) -> Content:
    if subject_of(notice)["asked"]:
        return _plain(
            notice,
            subject=gettext("{club} declined your request"),
            message=gettext("An officer of “{club}” declined your request to join."),
            why=gettext("You got this email because you asked to join this club."),
        )
    return _plain(
        notice,
        subject=gettext("You are no longer in {club}"),
        message=gettext("An officer of “{club}” removed you from the club."),
        why=gettext("You got this email because you were a member of this club."),
    )


def _kind(**declared: Any) -> Kind:
    return Kind(
        template=PLAIN,
        page=_page,
        settled=lambda notice: None,
        to_players=False,
        drawn=False,
        illustrated=False,
        **declared,
    )


CLOSED: Final = _kind(name="club-over", label=_("A club was closed"), content=_closed)

REMOVED: Final = _kind(
    name="club-out", label=_("A club removed you or declined your request"), content=_removed
)

KINDS: Final = (CLOSED, REMOVED)
