"""What those who wait for a game hear: a kind of notification."""

from typing import Final

from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.news.kinds import Kind, Told
from games.news.models import Notice
from games.play import stored
from games.play.models import Game
from games.play.news import about_game


def _matched(notice: Notice) -> Told:
    game = notice.game
    assert game
    return about_game(
        notice,
        ruleset=rules.ruleset(game.ruleset).name,
        seats=game.seats,
        pace=pace_in_words(stored.pace_of(game)),
    )


def _settled(notice: Notice) -> str | None:
    open_still = notice.game is not None and notice.game.status == Game.Status.OPEN
    return None if open_still else Notice.Status.OUTDATED


MATCHED: Final = Kind(
    name="matched",
    label=_("A game was found for you"),
    template="matching/mail/matched.html",
    tell=_matched,
    settled=_settled,
    to_players=False,
)

KINDS: Final = (MATCHED,)
