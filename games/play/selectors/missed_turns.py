"""What a player is told who has missed a turn."""

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.play import stored
from games.play.models import Program, Seat, Turn
from games.play.models.turns import MISSED
from games.play.played import kept_of
from games.play.policy import GIVE_UP

IN_YOUR_PLACE = {
    Program.Author.DEADLINE: _("Your time for turn {number} ran out. Chance filled your registers."),
    Program.Author.STANDING: _("Your time for turn {number} ran out. Your standing orders were played."),
    Program.Author.STAND_IN: _("Your time for turn {number} ran out. A computer stood in for you."),
}
"""What was played, as its player is told."""

NO_HEADING = _("Your time to choose a heading ran out. It was chosen for you.")
"""The same about turn 0, which has no registers."""


def missed_in_words(*, seat: Seat, turn: int) -> str:
    """Say what was played for a player who has missed a turn, and what that costs; nothing for others."""
    by = given_by(seat=seat, turn=seat.game.turns.filter(number=turn).first())
    return lost_in_words(seat=seat, turn=turn, by=by) if by in MISSED else ""


def given_by(*, seat: Seat, turn: Turn | None) -> str | None:
    """Return who gave orders for a seat in a turn, be it under way or played; None where no one did."""
    if turn is None:
        return None
    if turn.status == Turn.Status.OPEN:
        programs = Program.objects.filter(hand__seat=seat, hand__turn=turn)
        return programs.values_list("by", flat=True).first()
    given = (hand.program for hand in kept_of(turn).hands if hand.robot == seat.number)
    return next((program.by for program in given if program), None)


def lost_in_words(*, seat: Seat, turn: int, by: str) -> str:
    """Say what was played for a player, and what that costs; ``by`` is who gave the orders in their place."""
    done = str(IN_YOUR_PLACE[Program.Author(by)] if turn else NO_HEADING).format(number=turn)
    return " ".join(filter(None, (done, left_in_words(seat=seat))))


def left_in_words(*, seat: Seat) -> str:
    """Say how many turns a player may miss yet; nothing where that is any number."""
    absence = stored.absence_of(seat.game)
    if absence.excused is None:
        return ""
    if absence.policy == GIVE_UP or seat.excused == 0:
        return gettext("If you miss another turn, a computer takes your seat.")
    return ngettext(
        "You can miss {number} more turn and keep your seat.",
        "You can miss {number} more turns and keep your seat.",
        seat.excused,
    ).format(number=seat.excused)
