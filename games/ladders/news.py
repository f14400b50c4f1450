"""What players hear of ladders: a kind of notification."""

from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.ladders.models import LadderGame
from games.news.kinds import Kind, Told
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

KINDS: Final = (CHALLENGED,)
