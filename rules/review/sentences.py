"""Figures of a review as sentences, for their player (“you”) or about a player."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rules.codec import Json
from rules.language import ENGLISH, N_, Words, told
from rules.review.credit import AHEAD, BEHIND, DESTROYED, IN_THE_WAY, NOTABLE, PUSH, SHOT, WON
from rules.tunnel.findings import percentage

CAUSES: Final[Mapping[str, tuple[str, str]]] = {
    PUSH: (
        N_("A push by {other} in phase {phase} cost you {share}."),
        N_("A push by {other} in phase {phase} gained you {share}."),
    ),
    SHOT: (
        N_("A shot by {other} in phase {phase} cost you {share}."),
        N_("A shot by {other} in phase {phase} gained you {share}."),
    ),
    IN_THE_WAY: (
        N_("{other} got in your way, which cost you {share}."),
        N_("{other} got in your way, which gained you {share}."),
    ),
    AHEAD: (
        N_("{other} got further than expected, which cost you {share}."),
        N_("{other} got further than expected, which cost you {share}."),
    ),
    BEHIND: (
        N_("{other} got less far than expected, which gained you {share}."),
        N_("{other} got less far than expected, which gained you {share}."),
    ),
    DESTROYED: (
        N_("{other} was destroyed in phase {phase}, which gained you {share}."),
        N_("{other} was destroyed in phase {phase}, which gained you {share}."),
    ),
    WON: (N_("{other} won, which cost you {share}."), N_("{other} won, which cost you {share}.")),
}
"""Sentences about causes, by their kind: for a loss, and for a gain."""

ABOUT_A_PLAYER: Final[Mapping[str, str]] = {
    "A push by {other} in phase {phase} cost you {share}.": N_(
        "A push by {other} in phase {phase} cost {robot} {share}."
    ),
    "A push by {other} in phase {phase} gained you {share}.": N_(
        "A push by {other} in phase {phase} gained {robot} {share}."
    ),
    "A shot by {other} in phase {phase} cost you {share}.": N_(
        "A shot by {other} in phase {phase} cost {robot} {share}."
    ),
    "A shot by {other} in phase {phase} gained you {share}.": N_(
        "A shot by {other} in phase {phase} gained {robot} {share}."
    ),
    "{other} got in your way, which cost you {share}.": N_(
        "{other} got in the way of {robot}, which cost {robot} {share}."
    ),
    "{other} got in your way, which gained you {share}.": N_(
        "{other} got in the way of {robot}, which gained {robot} {share}."
    ),
    "{other} got further than expected, which cost you {share}.": N_(
        "{other} got further than expected, which cost {robot} {share}."
    ),
    "{other} got less far than expected, which gained you {share}.": N_(
        "{other} got less far than expected, which gained {robot} {share}."
    ),
    "{other} was destroyed in phase {phase}, which gained you {share}.": N_(
        "{other} was destroyed in phase {phase}, which gained {robot} {share}."
    ),
    "{other} won, which cost you {share}.": N_("{other} won, which cost {robot} {share}."),
    "Your hand was better than most, and gained you {share}.": N_(
        "The hand of {robot} was better than most, and gained {robot} {share}."
    ),
    "Your hand was worse than most, and cost you {share}.": N_(
        "The hand of {robot} was worse than most, and cost {robot} {share}."
    ),
    "You chose well.": N_("{robot} chose well."),
    "The best program was {share} better than yours.": N_(
        "The best program of {robot} was {share} better than the chosen one."
    ),
    "If you had known the other orders, you could have gained {share} more.": N_(
        "With knowledge of the other orders, {robot} could have gained {share} more."
    ),
}
"""The sentences about the reader, as sentences about another player."""


def sentences_of(
    figures: Json, names: Sequence[str], _: Words = ENGLISH, *, to_you: bool = True
) -> list[str]:
    """Return sentences that explain a player's figures in one turn, the decision first.

    ``figures`` are the figures of one robot in a ``review/1`` document, and ``names`` the names of all robots
    in order. With ``to_you``, the sentences address the player.

    >>> figures = {"robot": 1, "deal": 0.0, "decision": 0.0, "hindsight": 0.0, "best": {}, "causes": [
    ...     {"kind": "push", "robot": 2, "phase": 3, "effect": -0.18}]}
    >>> sentences_of(figures, ["Alice", "Bob"])
    ['You chose well.', 'A push by Bob in phase 3 cost you 18 %.']
    >>> sentences_of(figures, ["Alice", "Bob"], to_you=False)
    ['Alice chose well.', 'A push by Bob in phase 3 cost Alice 18 %.']
    """
    robot = names[figures["robot"] - 1]

    def say(form: str, effect: float = 0.0, **values: object) -> str:
        form = form if to_you else ABOUT_A_PLAYER[form]
        return _(form, robot=robot, share=told(percentage(abs(effect)), _), **values)

    found = []
    if figures["best"] is not None:
        if figures["decision"] > -NOTABLE:
            found.append(say(N_("You chose well.")))
        else:
            found.append(say(N_("The best program was {share} better than yours."), figures["decision"]))
    if figures["deal"] >= NOTABLE:
        found.append(say(N_("Your hand was better than most, and gained you {share}."), figures["deal"]))
    if figures["deal"] <= -NOTABLE:
        found.append(say(N_("Your hand was worse than most, and cost you {share}."), figures["deal"]))
    found += [_cause(cause, names, say) for cause in figures["causes"]]
    if figures["hindsight"] >= NOTABLE:
        hindsight = N_("If you had known the other orders, you could have gained {share} more.")
        found.append(say(hindsight, figures["hindsight"]))
    return found


def _cause(cause: Json, names: Sequence[str], say: Any) -> str:
    form = CAUSES[cause["kind"]][cause["effect"] > 0]
    values: dict[str, object] = {"other": names[cause["robot"] - 1]}
    if cause["phase"] is not None:
        values["phase"] = cause["phase"]
    return str(say(form, cause["effect"], **values))
