"""How fast a game is to be played, and what is to become of players who miss turns."""

from games.api.fields import Choice, Strict, Text, WholeNumber
from games.clocks.clock import LONGEST_LIVE, LONGEST_TURN, SHORTEST_DAILY
from games.play.policy import MOST_EXCUSED, POLICIES


def _hours(text: str) -> WholeNumber:
    return WholeNumber(required=False, allow_null=True, min_value=1, max_value=LONGEST_TURN, help_text=text)


class PaceSettingsSerializer(Strict):
    """`hours` for each turn, `minutes` for each turn of a live game, or a `bank` of hours for each player
    with its `increment`; null, or none of them, for no limit.
    """

    hours = _hours("Hours for each turn.")
    minutes = WholeNumber(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=LONGEST_LIVE,
        help_text="Minutes for each turn of a live game.",
    )
    at = Text(
        required=False,
        allow_null=True,
        help_text=f"The time of day, such as `20:00`, at which turns of {SHORTEST_DAILY} hours or more end.",
    )
    zone = Text(required=False, allow_null=True, help_text="The time zone of `at`, such as `Europe/Berlin`.")
    bank = _hours("Hours in the bank of each player at first.")
    increment = _hours("Hours that each turn adds to it.")


class AbsenceSettingsSerializer(Strict):
    """What happens when a player misses a turn."""

    policy = Choice(POLICIES, required=False, help_text="What is played in their place.")
    excused = WholeNumber(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=MOST_EXCUSED,
        help_text="How many turns each player may miss without being replaced: null for any number, 0 where"
        " they are replaced at once.",
    )
