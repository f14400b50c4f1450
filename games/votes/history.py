"""What is noted in the history of a game about votes."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.play.history import Sentence
from games.votes.models import Vote


def asked(vote: Vote) -> dict[str, Any]:
    """Return what a vote asks, as parameters of an entry."""
    robot, squad = (vote.seat.robo_name, vote.seat.squad) if vote.seat else ("", "")
    return {"asks": vote.kind, "robot": robot, "squad": squad, "days": vote.days or 0}


def question(*, asks: str, robot: str = "", squad: str = "", days: int = 0) -> str:
    """Return what a vote asks, as a sentence."""
    match asks:
        case Vote.Kind.EJECT:
            return gettext("Should a computer replace {player} from now on?").format(player=robot)
        case Vote.Kind.CONCEDE if squad:
            return gettext("Should the game end now, won by the {squad} squad?").format(squad=squad)
        case Vote.Kind.CONCEDE:
            return gettext("Should the game end now, won by {player}?").format(player=robot)
        case Vote.Kind.PAUSE:
            sentence = ngettext(
                "Should the game pause for {number} day?", "Should the game pause for {number} days?", days
            )
            return sentence.format(number=days)
        case Vote.Kind.RESUME:
            return gettext("Should the pause end now?")
    return gettext("Should the game be called off, without a winner?")


def _about(sentence: Promise) -> Sentence:
    """Return what tells a sentence about a vote, with what it asks."""

    def tell(*, asks: str, robot: str, squad: str, days: int, **named: Any) -> str:
        asked = question(asks=asks, robot=robot, squad=squad, days=days)
        return str(sentence).format(question=asked, **named)

    return tell


HISTORY: Final[Mapping[str, Sentence]] = {
    "vote": _about(_("{player} put to the vote: {question}")),
    "yes": _about(_("{player} says yes: {question}")),
    "no": _about(_("{player} says no: {question}")),
    "vote-void": _about(_("The vote came to nothing: {question}")),
    "vote-passed": _about(_("Yes, by {ayes} to {noes} of {voters}: {question}")),
    "vote-refused": _about(_("No, by {ayes} to {noes} of {voters}: {question}")),
}
