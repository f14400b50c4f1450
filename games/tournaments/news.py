"""What entrants hear of a tournament, each thing about a game of it: kinds of notification."""

from typing import Final

from django.conf import settings
from django.utils.translation import gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.language import joined
from games.news.kinds import Kind, Told
from games.news.models import Notice
from games.play import stored
from games.play.news import about_game
from games.tournaments.models import Entrant, Round, Tournament


def _round_of(notice: Notice) -> Round:
    assert notice.game
    return Round.objects.select_related("tournament").get(tables__link__game=notice.game)


def _entrant_of(notice: Notice) -> Entrant | None:
    return Entrant.objects.filter(
        tournament__all_rounds__tables__link__game=notice.game, user=notice.user
    ).first()


def _told(notice: Notice, **more: object) -> Told:
    made = _round_of(notice)
    return about_game(
        notice,
        tournament=made.tournament.name,
        number=made.number,
        tournament_url=settings.BASE_URL + made.tournament.get_absolute_url(),
        **more,
    )


def _round(notice: Notice) -> Told:
    game = notice.game
    assert game
    others = [
        seat.robo_name for seat in game.players.select_related("user") if seat.user_id != notice.user_id
    ]
    return _told(
        notice,
        others=joined(others),
        ruleset=rules.ruleset(game.ruleset).name,
        pace=pace_in_words(stored.pace_of(game)),
        ends_at=_round_of(notice).ends_at,
    )


def _finished(notice: Notice) -> Told:
    entrant = _entrant_of(notice)
    assert entrant
    return _told(notice, place=entrant.place, entrants=entrant.tournament.entrants.count())


def _round_settled(notice: Notice) -> str | None:
    return None if notice.game and notice.game.ended_at is None else Notice.Status.OUTDATED


def _confirm_settled(notice: Notice) -> str | None:
    entrant = _entrant_of(notice)
    waits = entrant is not None and not entrant.confirmed and entrant.left_at is None
    running = entrant is not None and entrant.tournament.status == Tournament.Status.RUNNING
    return None if waits and running else Notice.Status.OUTDATED


def _finished_settled(notice: Notice) -> str | None:
    return None if _entrant_of(notice) else Notice.Status.OUTDATED


ROUND: Final = Kind(
    name="round",
    label=_("A round of a tournament has begun"),
    template="tournaments/mail/round.html",
    tell=_round,
    settled=_round_settled,
    to_players=False,
)

CONFIRM: Final = Kind(
    name="confirm",
    label=_("Do you play on in a tournament?"),
    template="tournaments/mail/confirm.html",
    tell=_told,
    settled=_confirm_settled,
    to_players=False,
)

FINISHED: Final = Kind(
    name="finished",
    label=_("A tournament is over"),
    template="tournaments/mail/finished.html",
    tell=_finished,
    settled=_finished_settled,
    to_players=False,
)

KINDS: Final = (ROUND, CONFIRM, FINISHED)
