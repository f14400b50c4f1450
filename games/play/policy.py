"""Absence policies of games: what happens if a player misses a turn.

A player misses a turn if their time runs out. The ``policy`` decides which orders are played instead. The
player may miss ``excused`` turns, and earns one of them back by submitting orders on time in `CLEAN_TURNS`
consecutive turns. If none are left, the next missed turn costs them their seat.

In games with a shorter clock, a player who misses `SHORT_CLOCK_AFTER` turns in a row gets half the time
(`games.clocks.clock`), until they submit orders on time in `FULL_CLOCK_AFTER` consecutive turns.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext, gettext_lazy as _, ngettext

RANDOM: Final = "random"
STANDING: Final = "standing"
COMPUTER: Final = "computer"
GIVE_UP: Final = "give-up"
POLICIES: Final = (RANDOM, STANDING, COMPUTER, GIVE_UP)

MAX_EXCUSED: Final = 10
CLEAN_TURNS: Final = 3
"""The number of consecutive turns with orders on time that earn back one missed turn."""

SHORT_CLOCK_AFTER: Final = 2
"""The number of consecutive missed turns that shorten a player's clock."""

FULL_CLOCK_AFTER: Final = 2
"""The number of consecutive turns with orders on time that end a shorter clock."""

KEYS: Final = ("policy", "excused")


class Absence(NamedTuple):
    """An absence policy. If ``excused`` is None, players can miss any number of turns."""

    policy: str = RANDOM
    excused: int | None = None


class AbsenceRecord(NamedTuple):
    """A player's record of missed turns.

    ``left`` is the number of turns that they may still miss. ``clean`` is the number of their latest turns in
    a row with orders on time that count towards earning back a missed turn.
    """

    left: int
    clean: int


class ClockRecord(NamedTuple):
    """A player's record for the shorter clock.

    ``missed`` is the number of their latest turns in a row that they missed, up to `SHORT_CLOCK_AFTER`.
    ``short`` is the number of consecutive turns that they must submit on time to get the full time again. It
    is 0 with the full time.
    """

    missed: int
    short: int


def write_absence(absence: Absence) -> dict[str, Any]:
    return absence._asdict()


def read_absence(document: object) -> Absence:
    """Read an absence policy from a document. None, or a missing key, stands for the default.

    Raises ValueError, with a sentence for the user, if the document is not valid.
    """
    if document is None:
        return Absence()
    if not isinstance(document, Mapping):
        raise ValueError(
            gettext("“absence” must be an object, such as {“policy”: “standing”, “excused”: 3}.")
        )
    if unknown := sorted(str(key) for key in document if key not in KEYS):
        raise ValueError(gettext("“absence” has no key “{key}”.").format(key=unknown[0]))
    policy, excused = document.get("policy", RANDOM), document.get("excused")
    if policy not in POLICIES:
        raise ValueError(gettext("“policy” must be one of these: {known}.").format(known=", ".join(POLICIES)))
    if policy == GIVE_UP:
        if excused is not None and (excused != 0 or isinstance(excused, bool)):
            raise ValueError(gettext("With the policy “give-up”, “excused” must be 0 or left out."))
        return Absence(GIVE_UP, 0)
    if excused is not None and (
        not isinstance(excused, int) or isinstance(excused, bool) or not 1 <= excused <= MAX_EXCUSED
    ):
        raise ValueError(
            gettext("“excused” must be a whole number from 1 to {most}, or null for any number.").format(
                most=MAX_EXCUSED
            )
        )
    return Absence(policy, excused)


def after_missing(absence: Absence, record: AbsenceRecord) -> AbsenceRecord | None:
    """Return a player's record after a missed turn, or None if the player must be replaced.

    >>> three = Absence(RANDOM, excused=3)
    >>> after_missing(three, AbsenceRecord(1, 2)), after_missing(three, AbsenceRecord(0, 0))
    (AbsenceRecord(left=0, clean=0), None)
    >>> after_missing(Absence(RANDOM, None), AbsenceRecord(0, 2))
    AbsenceRecord(left=0, clean=0)
    """
    if absence.excused is None:
        return AbsenceRecord(record.left, 0)
    return AbsenceRecord(record.left - 1, 0) if record.left > 0 else None


def after_playing(absence: Absence, record: AbsenceRecord) -> AbsenceRecord:
    """Return a player's record after they have submitted orders for a turn on time.

    >>> three = Absence(RANDOM, excused=3)
    >>> after_playing(three, AbsenceRecord(1, 2)), after_playing(three, AbsenceRecord(3, 0))
    (AbsenceRecord(left=2, clean=0), AbsenceRecord(left=3, clean=0))
    """
    if absence.excused is None or record.left >= absence.excused:
        return AbsenceRecord(record.left, 0)
    if record.clean + 1 < CLEAN_TURNS:
        return AbsenceRecord(record.left, record.clean + 1)
    return AbsenceRecord(record.left + 1, 0)


def clock_after_missing(record: ClockRecord) -> ClockRecord:
    """Return a player's record for the shorter clock after a missed turn.

    >>> clock_after_missing(ClockRecord(0, 0)), clock_after_missing(ClockRecord(1, 0))
    (ClockRecord(missed=1, short=0), ClockRecord(missed=2, short=2))
    >>> clock_after_missing(ClockRecord(0, 1))
    ClockRecord(missed=1, short=2)
    """
    missed = min(record.missed + 1, SHORT_CLOCK_AFTER)
    shortens = record.short or missed == SHORT_CLOCK_AFTER
    return ClockRecord(missed, FULL_CLOCK_AFTER if shortens else 0)


def clock_after_playing(record: ClockRecord) -> ClockRecord:
    """Return a player's record for the shorter clock after a turn with orders on time.

    >>> clock_after_playing(ClockRecord(2, 2)), clock_after_playing(ClockRecord(0, 1))
    (ClockRecord(missed=0, short=1), ClockRecord(missed=0, short=0))
    """
    return ClockRecord(0, max(record.short - 1, 0))


POLICY_SENTENCES: Final = {
    RANDOM: _("If a player misses a turn, their registers are filled at random."),
    STANDING: _("If a player misses a turn, their standing orders are played."),
    COMPUTER: _("If a player misses a turn, a computer plays it."),
    GIVE_UP: _("If a player misses a turn, a computer replaces them."),
}


def absence_in_words(absence: Absence) -> str:
    """Describe an absence policy for players.

    >>> absence_in_words(Absence())
    'If a player misses a turn, their registers are filled at random.'
    >>> absence_in_words(Absence(GIVE_UP, 0))
    'If a player misses a turn, a computer replaces them.'
    >>> absence_in_words(Absence(COMPUTER, 1))
    'If a player misses a turn, a computer plays it. If they miss more than 1 turn, a computer replaces them.'
    """
    played = str(POLICY_SENTENCES[absence.policy])
    if not absence.excused:
        return played
    replaced = ngettext(
        "If they miss more than {number} turn, a computer replaces them.",
        "If they miss more than {number} turns, a computer replaces them.",
        absence.excused,
    )
    return f"{played} {replaced.format(number=absence.excused)}"
