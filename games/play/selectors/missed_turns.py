"""What a player is told who has missed a turn."""

from games.play import stored
from games.play.models import Program, Seat
from games.play.models.turns import MISSED
from games.play.policy import GIVE_UP

IN_YOUR_PLACE = {
    Program.Author.DEADLINE: "Chance has filled your registers",
    Program.Author.STANDING: "Your standing orders were played",
    Program.Author.STAND_IN: "A computer stood in for you",
}
"""What was played, as its player is told."""


def missed_in_words(*, seat: Seat, turn: int) -> str:
    """Say what was played for a player who has missed a turn, and what that costs; nothing for others."""
    programs = Program.objects.filter(hand__seat=seat, hand__turn__number=turn, by__in=MISSED)
    by = programs.values_list("by", flat=True).first()
    return "" if by is None else lost_in_words(seat=seat, turn=turn, by=by)


def lost_in_words(*, seat: Seat, turn: int, by: str) -> str:
    """Say what was played for a player, and what that costs; ``by`` is who gave the orders in their place."""
    done = IN_YOUR_PLACE[Program.Author(by)]
    return f"Your time for turn {turn} ran out. {done}.{left_in_words(seat=seat)}"


def left_in_words(*, seat: Seat) -> str:
    """Say how many turns a player may miss yet; nothing where that is any number."""
    absence = stored.absence_of(seat.game)
    if absence.excused is None:
        return ""
    if absence.policy == GIVE_UP or seat.excused == 0:
        return " If you miss another, a computer takes your seat."
    times = "once" if seat.excused == 1 else "twice" if seat.excused == 2 else f"{seat.excused} times"
    return f" That is excused {times} more."
