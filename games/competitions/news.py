"""Notifications about tournaments, ladders and matched games."""

from collections.abc import Callable
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

import rules
from games.clocks.paces import pace_in_words
from games.competitions.formats import IDLE_AFTER, MAX_REST
from games.competitions.models import Entrant, LadderGame, Round, Rung, Tournament
from games.news.kinds import PLAIN, Content, Kind, plain, subject_of
from games.news.models import Notice
from games.play import stored
from games.play.models import Game
from games.play.news import about_game, turn_to_play
from games.wording import exact_time, names_in_words

# --- Tournaments --------------------------------------------------------------------------------------------


def _round_of(notice: Notice) -> Round:
    assert notice.game
    return Round.objects.select_related("tournament").get(tables__link__game=notice.game)


def _entrant_of(notice: Notice) -> Entrant | None:
    return Entrant.objects.filter(
        tournament__all_rounds__tables__link__game=notice.game, user=notice.user
    ).first()


def _about_round(notice: Notice, **more: object) -> Content:
    made = _round_of(notice)
    return about_game(
        notice,
        tournament=made.tournament.name,
        number=made.number,
        tournament_url=settings.BASE_URL + made.tournament.get_absolute_url(),
        **more,
    )


def _round(notice: Notice) -> Content:
    game = notice.game
    assert game
    others = [
        seat.robo_name for seat in game.players.select_related("user") if seat.user_id != notice.user_id
    ]
    return _about_round(
        notice,
        others=names_in_words(others),
        ruleset=rules.ruleset(game.ruleset).name,
        pace=pace_in_words(stored.pace_of(game)),
        ends_at=_round_of(notice).ends_at,
        **turn_to_play(notice),
    )


def _tournament_of(notice: Notice) -> Tournament:
    """Return the tournament that a notification is about.

    Old notifications refer to a game of the tournament, and not to the tournament itself.
    """
    if notice.game:
        return _round_of(notice).tournament
    assert notice.about is not None
    return Tournament.objects.get(pk=notice.about)


def _tournament_page(notice: Notice) -> tuple[str, str]:
    made = _tournament_of(notice)
    return made.name, made.get_absolute_url()


def _about_tournament(notice: Notice, *, subject: str, message: str) -> Content:
    made = _tournament_of(notice)
    return plain(
        notice,
        path=made.get_absolute_url(),
        subject=subject.format(tournament=made.name),
        message=message,
        link_text=gettext("View the tournament"),
        why=gettext("You got this email because you host this tournament.")
        if made.host_id == notice.user_id
        else gettext("You got this email because you are in this tournament."),
    )


def _finished(notice: Notice) -> Content:
    made = _tournament_of(notice)
    place = made.entrants.filter(user=notice.user, left_at=None).values_list("place", flat=True).first()
    entrants = made.entrants.count()
    if place is None:
        message = gettext("“{tournament}” is over.").format(tournament=made.name)
    else:
        message = gettext("“{tournament}” is over. Your place: {place} of {entrants}.").format(
            tournament=made.name, place=place, entrants=entrants
        )
    if made.ending:
        message = f"{message} {EARLY_END_REASONS[made.ending]}"
    return _about_tournament(notice, subject=gettext("{tournament} is over"), message=message)


EARLY_END_REASONS: Final = {
    Tournament.Ending.LEFT.value: _("It ended early because too few players remained."),
    Tournament.Ending.AWAY.value: _("It ended early because too few players confirmed the next round."),
    Tournament.Ending.NOBODY.value: _("All players left, so there is no winner."),
}
"""Sentences for players about the early end of a tournament, or its lack of a winner, by reason."""


CANCELLATION_REASONS: Final = {
    "": _("“{tournament}” was cancelled."),
    Tournament.Ending.HOST.value: _("“{tournament}” was cancelled by its host."),
    Tournament.Ending.STAFF.value: _("“{tournament}” was cancelled by staff."),
    Tournament.Ending.FEW.value: _("“{tournament}” was cancelled because too few players entered."),
    Tournament.Ending.CLUB.value: _("“{tournament}” was cancelled because its club was closed."),
}
"""Sentences for players about the cancellation of a tournament, by reason."""

GOES_ON: Final = _("Running games continue.")


def _cancelled(notice: Notice) -> Content:
    made = _tournament_of(notice)
    message = str(CANCELLATION_REASONS[made.ending]).format(tournament=made.name)
    if Game.objects.filter(at_table__table__round__tournament=made, ended_at=None).exists():
        message = f"{message} {GOES_ON}"
    return _about_tournament(notice, subject=gettext("{tournament} was cancelled"), message=message)


def _bye_round(notice: Notice) -> Round:
    assert notice.about is not None
    return Round.objects.select_related("tournament").get(pk=notice.about)


def _bye_page(notice: Notice) -> tuple[str, str]:
    made = _bye_round(notice).tournament
    return made.name, made.get_absolute_url()


def _bye(notice: Notice) -> Content:
    found = _bye_round(notice)
    if found.is_walkover:
        message = gettext(
            "You have no opponent left in round {number} of “{tournament}”, so you win by walkover."
        )
    else:
        message = gettext(
            "Round {number} of “{tournament}” has started. You have a bye: you don’t play in this round,"
            " but you play in the next one."
        )
    return plain(
        notice,
        path=found.tournament.get_absolute_url(),
        subject=gettext("{tournament}: round {number} has started").format(
            tournament=found.tournament.name, number=found.number
        ),
        message=message.format(tournament=found.tournament.name, number=found.number),
        link_text=gettext("View the tournament"),
        why=gettext("You got this email because you are in this tournament."),
    )


def _bye_settled(notice: Notice) -> str | None:
    found = _bye_round(notice)
    there = found.tournament.entrants.filter(user=notice.user, left_at=None).exists()
    news = there and (found.is_walkover or found.tournament.ended_at is None)
    return None if news else Notice.Status.OUTDATED


def _taken_out_of(notice: Notice) -> Tournament:
    return Tournament.objects.get(pk=subject_of(notice)["tournament"])


def _taken_out_page(notice: Notice) -> tuple[str, str]:
    made = _taken_out_of(notice)
    return made.name, made.get_absolute_url()


def _taken_out(notice: Notice) -> Content:
    made = _taken_out_of(notice)
    return plain(
        notice,
        path=made.get_absolute_url(),
        subject=gettext("You were removed from {tournament}").format(tournament=made.name),
        message=gettext(
            "You are no longer in “{tournament}”, because barred or suspended players can’t take part in"
            " tournaments. If you have a running game in it, that game continues."
        ).format(tournament=made.name),
        link_text=gettext("View the tournament"),
        why=gettext("You got this email because you were in this tournament."),
    )


def _taken_out_settled(notice: Notice) -> str | None:
    back = _taken_out_of(notice).entrants.filter(user=notice.user, left_at=None)
    return Notice.Status.OUTDATED if back.exists() else None


def _club_closed(notice: Notice) -> Content:
    message = gettext(
        "The club that “{tournament}” belongs to was closed. The tournament continues to its end."
    )
    return _about_tournament(
        notice,
        subject=gettext("{tournament} continues without its club"),
        message=message.format(tournament=_tournament_of(notice).name),
    )


def _club_closed_settled(notice: Notice) -> str | None:
    return None if _tournament_of(notice).ended_at is None else Notice.Status.OUTDATED


def _round_settled(notice: Notice) -> str | None:
    return None if notice.game and notice.game.ended_at is None else Notice.Status.OUTDATED


def _confirm_settled(notice: Notice) -> str | None:
    entrant = _entrant_of(notice)
    waits = entrant is not None and not entrant.confirmed and entrant.left_at is None
    running = entrant is not None and entrant.tournament.status == Tournament.Status.RUNNING
    return None if waits and running else Notice.Status.OUTDATED


def _new_tournament(notice: Notice) -> Content:
    made = _tournament_of(notice)
    message = gettext("“{tournament}” is open to members of {club}. It starts {time}.")
    return plain(
        notice,
        path=made.get_absolute_url(),
        subject=gettext("New tournament in your club: {tournament}").format(tournament=made.name),
        message=message.format(
            tournament=made.name, club=made.club.name if made.club else "", time=exact_time(made.starts_at)
        ),
        link_text=gettext("View the tournament"),
        why=gettext("You got this email because you are a member of this club."),
    )


def _new_tournament_settled(notice: Notice) -> str | None:
    """Return OUTDATED unless the reader can enter the tournament and has not entered it yet."""
    made = _tournament_of(notice)
    member = made.club is not None and made.club.memberships.filter(user=notice.user).exists()
    entered = made.entrants.filter(user=notice.user).exists()
    waits = made.status == Tournament.Status.OPEN and member and not entered
    return None if waits else Notice.Status.OUTDATED


ROUND_STARTED: Final = Kind(
    name="round",
    label=_("A tournament round has started"),
    template="competitions/mail/round.html",
    content=_round,
    settled=_round_settled,
    to_players=False,
    starts_game=True,
)

CONFIRM_NEXT_ROUND: Final = Kind(
    name="confirm",
    label=_("Confirm your next round"),
    template="competitions/mail/confirm.html",
    content=_about_round,
    settled=_confirm_settled,
    to_players=False,
)


def _tournament_kind(
    topic_page: Callable[[Notice], tuple[str, str]] = _tournament_page, **declared: Any
) -> Kind:
    return Kind(
        template=PLAIN, topic_page=topic_page, to_players=False, drawn=False, illustrated=False, **declared
    )


NEW_TOURNAMENT: Final = _tournament_kind(
    name="cup-new",
    label=_("A new tournament in your club"),
    content=_new_tournament,
    settled=_new_tournament_settled,
)

TOURNAMENT_OVER: Final = _tournament_kind(
    name="finished", label=_("A tournament is over"), content=_finished, settled=lambda notice: None
)

TOURNAMENT_CANCELLED: Final = _tournament_kind(
    name="cup-cancel", label=_("A tournament was cancelled"), content=_cancelled, settled=lambda notice: None
)

TOURNAMENT_LOST_CLUB: Final = _tournament_kind(
    name="cup-club",
    label=_("Your tournament’s club was closed"),
    content=_club_closed,
    settled=_club_closed_settled,
)

BYE: Final = _tournament_kind(
    topic_page=_bye_page,
    name="bye",
    label=_("A bye or a walkover in a tournament"),
    content=_bye,
    settled=_bye_settled,
)

TAKEN_OUT_OF_TOURNAMENT: Final = _tournament_kind(
    topic_page=_taken_out_page,
    name="cup-out",
    label=_("You were removed from a tournament"),
    content=_taken_out,
    settled=_taken_out_settled,
)

TOURNAMENT_KINDS: Final = (
    NEW_TOURNAMENT,
    ROUND_STARTED,
    BYE,
    CONFIRM_NEXT_ROUND,
    TOURNAMENT_OVER,
    TOURNAMENT_CANCELLED,
    TOURNAMENT_LOST_CLUB,
    TAKEN_OUT_OF_TOURNAMENT,
)


# --- Ladders ------------------------------------------------------------------------------------------------


def _challenged(notice: Notice) -> Content:
    row = LadderGame.objects.select_related("challenger", "game").get(game=notice.game)
    return about_game(
        notice,
        challenger=row.challenger.robo_name,
        ruleset=rules.ruleset(row.ladder_id).name,
        pace=pace_in_words(stored.pace_of(row.game)),
        ladder_url=settings.BASE_URL + reverse("ladders:ladder", args=[row.ladder_id]),
        **turn_to_play(notice),
    )


def _challenged_settled(notice: Notice) -> str | None:
    return None if notice.game and notice.game.ended_at is None else Notice.Status.OUTDATED


CHALLENGED: Final = Kind(
    name="challenged",
    label=_("You were challenged on a ladder"),
    template="competitions/mail/challenged.html",
    content=_challenged,
    settled=_challenged_settled,
    to_players=False,
    starts_game=True,
)


def _ladder_page(notice: Notice) -> tuple[str, str]:
    ruleset = subject_of(notice)["ruleset"]
    heading = gettext("Ladder: {ruleset}").format(ruleset=rules.ruleset(ruleset).name)
    return heading, reverse("ladders:ladder", args=[ruleset])


def _about_ladder(notice: Notice, message: str) -> Content:
    heading, path = _ladder_page(notice)
    return plain(
        notice,
        path=path,
        subject=heading,
        message=message,
        link_text=gettext("View the ladder"),
        why=gettext("You got this email because you joined this ladder."),
    )


def _rested(notice: Notice) -> Content:
    reason = subject_of(notice)["reason"]
    message = (
        gettext("You haven’t played on this ladder for {days} days, so you are now resting.").format(
            days=IDLE_AFTER.days
        )
        if reason == "idle"
        else gettext("You lost your seat in a ladder game for the second time, so you are now resting.")
    )
    kept = gettext("Come back within {days} days to keep your place.").format(days=MAX_REST.days)
    return _about_ladder(notice, f"{message} {kept}")


def _rested_settled(notice: Notice) -> str | None:
    ruleset = subject_of(notice)["ruleset"]
    rests = Rung.objects.filter(ladder=ruleset, user=notice.user, resting_since__isnull=False)
    return None if rests.exists() else Notice.Status.OUTDATED


def _removed_from_ladder(notice: Notice) -> Content:
    message = gettext(
        "You rested for {days} days, so you are no longer on this ladder. You can join it again."
    )
    return _about_ladder(notice, message.format(days=MAX_REST.days))


def _off_settled(notice: Notice) -> str | None:
    ruleset = subject_of(notice)["ruleset"]
    back = Rung.objects.filter(ladder=ruleset, user=notice.user)
    return Notice.Status.OUTDATED if back.exists() else None


def _ladder_kind(**declared: Any) -> Kind:
    return Kind(
        template=PLAIN, topic_page=_ladder_page, to_players=False, drawn=False, illustrated=False, **declared
    )


LADDER_REST: Final = _ladder_kind(
    name="rested", label=_("You are resting on a ladder"), content=_rested, settled=_rested_settled
)

OFF_LADDER: Final = _ladder_kind(
    name="off-ladder",
    label=_("You are no longer on a ladder"),
    content=_removed_from_ladder,
    settled=_off_settled,
)

LADDER_KINDS: Final = (CHALLENGED, LADDER_REST, OFF_LADDER)


# --- Matching -----------------------------------------------------------------------------------------------


def _found_with(notice: Notice) -> str:
    """Return the phrase for a game that a search found, with the names of the other people in it."""
    assert notice.game
    seats = notice.game.players.filter(user__isnull=False).exclude(user=notice.user_id)
    others = [seat.robo_name for seat in seats.select_related("user")]
    if not others:
        return gettext("We found you a game against computers")
    return gettext("We found you a game with {players}").format(players=names_in_words(others))


def _matched(notice: Notice) -> Content:
    game = notice.game
    assert game
    return about_game(
        notice,
        found=_found_with(notice),
        started=game.status == Game.Status.RUNNING,
        ruleset=rules.ruleset(game.ruleset).name,
        seats=game.seats,
        pace=pace_in_words(stored.pace_of(game)),
        **turn_to_play(notice),
    )


def _matched_settled(notice: Notice) -> str | None:
    game = notice.game
    # A lobby that started later has its own news: the first turn.
    found = game and game.ended_at is None and game.started_at in (None, notice.created_at)
    return None if found else Notice.Status.OUTDATED


MATCHED: Final = Kind(
    name="matched",
    label=_("We found you a game"),
    template="competitions/mail/matched.html",
    content=_matched,
    settled=_matched_settled,
    to_players=False,
    starts_game=True,
    label_of=_found_with,
)

MATCHING_KINDS: Final = (MATCHED,)

KINDS: Final = (*TOURNAMENT_KINDS, *LADDER_KINDS, *MATCHING_KINDS)
