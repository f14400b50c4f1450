"""Notifications about ladders."""

from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.ladders.climbing import IDLE, KEPT
from games.ladders.models import LadderGame, Rung
from games.news.kinds import PLAIN, Kind, Told, plain, subject_of
from games.news.models import Notice
from games.play import stored
from games.play.news import about_game


def _challenged(notice: Notice) -> Told:
    row = LadderGame.objects.select_related("challenger", "game").get(game=notice.game)
    return about_game(
        notice,
        challenger=row.challenger.robo_name,
        ruleset=rules.ruleset(row.ladder_id).name,
        pace=pace_in_words(stored.pace_of(row.game)),
        ladder_url=settings.BASE_URL + reverse("ladders:ladder", args=[row.ladder_id]),
    )


def _settled(notice: Notice) -> str | None:
    return None if notice.game and notice.game.ended_at is None else Notice.Status.OUTDATED


CHALLENGED: Final = Kind(
    name="challenged",
    label=_("You are challenged on a ladder"),
    template="ladders/mail/challenged.html",
    tell=_challenged,
    settled=_settled,
    to_players=False,
)


def _page(notice: Notice) -> tuple[str, str]:
    ruleset = subject_of(notice)["ruleset"]
    heading = gettext("Ladder: {ruleset}").format(ruleset=rules.ruleset(ruleset).name)
    return heading, reverse("ladders:ladder", args=[ruleset])


def _plain(notice: Notice, said: str) -> Told:
    heading, path = _page(notice)
    return plain(
        notice,
        path=path,
        subject=heading,
        said=said,
        call=gettext("Look at the ladder"),
        why=gettext("You get this mail because you joined this ladder."),
    )


def _rested(notice: Notice) -> Told:
    reason = subject_of(notice)["reason"]
    said = (
        gettext("You haven’t played on this ladder for {days} days, so you rest now.").format(days=IDLE.days)
        if reason == "idle"
        else gettext("You lost your seat in a ladder game for the second time, so you rest now.")
    )
    kept = gettext("Come back within {days} days to keep your place.").format(days=KEPT.days)
    return _plain(notice, f"{said} {kept}")


def _rested_settled(notice: Notice) -> str | None:
    ruleset = subject_of(notice)["ruleset"]
    rests = Rung.objects.filter(ladder=ruleset, user=notice.user, resting_since__isnull=False)
    return None if rests.exists() else Notice.Status.OUTDATED


def _off(notice: Notice) -> Told:
    said = gettext("You rested for {days} days, so you are no longer on this ladder. You can join again.")
    return _plain(notice, said.format(days=KEPT.days))


def _off_settled(notice: Notice) -> str | None:
    ruleset = subject_of(notice)["ruleset"]
    back = Rung.objects.filter(ladder=ruleset, user=notice.user)
    return Notice.Status.OUTDATED if back.exists() else None


def _kind(**declared: Any) -> Kind:
    return Kind(template=PLAIN, page=_page, to_players=False, drawn=False, illustrated=False, **declared)


RESTED: Final = _kind(name="rested", label=_("You rest on a ladder"), tell=_rested, settled=_rested_settled)

OFF: Final = _kind(
    name="off-ladder", label=_("You are no longer on a ladder"), tell=_off, settled=_off_settled
)

KINDS: Final = (CHALLENGED, RESTED, OFF)
