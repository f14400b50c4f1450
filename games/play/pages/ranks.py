"""Why robots move in the order in which they do: what each did in the turn before, in words (RR-2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.play.selectors.replay import Replay
from games.wording import joined
from rules.events import Rank
from rules.steps.turn_end import Deed, deeds

DEEDS: Mapping[str, str | Promise] = {
    "shoot and kill": _("shot and destroyed {other}"),
    "push and kill": _("pushed and destroyed {other}"),
    "shoot and kill scanner": _("shot and destroyed {other}"),
    "be destroyed": _("was destroyed"),
    "inspect": _("inspected a checkpoint"),
    "push": _("pushed {other}"),
    "push and kill scanner": _("pushed and destroyed {other}"),
    "shoot": _("hit {other}"),
    "weld": _("welded hull"),
    "move": _("moved"),
}
"""What is said of each kind of deed of `rules.steps.turn_end`."""

MY_DEEDS = {**DEEDS, "be destroyed": _("were destroyed")}
"""What is said of them to who did them."""


def reasons_for_ranks(replay: Replay, *, me: str | None) -> dict[str, str]:
    """Return why each robot has the rank that a turn gave it, by name; nothing where it gave none (RR-2.1).

    ``me`` is the robot that the reader is called "you" for.
    """
    given = next((event for event in reversed(replay.events) if isinstance(event, Rank)), None)
    if given is None:
        return {}
    robots, earned = replay.start.robots, given.weights
    done = deeds(replay.events, robots)
    names = [robot.name for robot in robots]
    return {
        names[index]: _reason(
            [deed for deed in done if deed.robot == index],
            names=names,
            me=me,
            equals=[names[each] for each in given.ranks if each != index and earned[each] == earned[index]],
        )
        for index in given.ranks
    }


def _reason(done: Iterable[Deed], *, names: Sequence[str], me: str | None, equals: Sequence[str]) -> str:
    """Say what a robot earned its rank by, the weightiest first, and with whom it was drawn.

    >>> hit = Deed(0, "shoot", 1)
    >>> _reason([hit, Deed(0, "inspect"), hit], names=["Alice", "Bob"], me="Alice", equals=[])
    'You inspected a checkpoint (+10) and hit Bob 2 times (+10).'
    >>> _reason([], names=["Alice", "Bob"], me="Alice", equals=["Alice"])
    'Nothing earned; drawn with you.'
    """
    counted = Counter(done)
    said = [
        _deed(deed, times, names=names, me=me)
        for deed, times in sorted(
            counted.items(), key=lambda item: (-item[0].weight * item[1], -item[0].weight)
        )
    ]
    robot = next((names[deed.robot] for deed in counted), None)
    told, drawn = joined(said), joined([_called(name, me) for name in equals])
    if not told:
        reason = gettext("Nothing earned; drawn with {names}.") if drawn else gettext("Nothing earned.")
    elif robot == me:
        reason = gettext("You {deeds}; drawn with {names}.") if drawn else gettext("You {deeds}.")
    else:
        told = capfirst(told)
        reason = gettext("{deeds}; drawn with {names}.") if drawn else gettext("{deeds}.")
    return reason.format(deeds=told, names=drawn)


def _deed(deed: Deed, times: int, *, names: Sequence[str], me: str | None) -> str:
    said = str((MY_DEEDS if names[deed.robot] == me else DEEDS)[deed.kind])
    done = said.format(other="" if deed.other is None else _called(names[deed.other], me))
    if times == 1:
        return gettext("{deed} (+{weight})").format(deed=done, weight=deed.weight)
    often = ngettext("{deed} {number} time (+{weight})", "{deed} {number} times (+{weight})", times)
    return often.format(deed=done, number=times, weight=deed.weight * times)


def _called(name: str, me: str | None) -> str:
    return gettext("you") if name == me else name


def ordinal(rank: int) -> str:
    """Return a rank as a place in an order.

    >>> [ordinal(rank) for rank in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{rank}{endings.get(rank, 'th')}"
