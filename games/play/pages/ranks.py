"""Why robots move in the order in which they do: what each did in the turn before, in words (RR-2)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from games.language import joined
from games.play.selectors.replay import Replay
from rules.events import Rank
from rules.weights import Deed, deeds

DEEDS: Mapping[str, str] = {
    "shoot and kill": "shot and destroyed {other}",
    "push and kill": "pushed and destroyed {other}",
    "shoot and kill scanner": "shot and destroyed {other}",
    "be destroyed": "{were} destroyed",
    "inspect": "inspected a checkpoint",
    "push": "pushed {other}",
    "push and kill scanner": "pushed and destroyed {other}",
    "shoot": "hit {other}",
    "weld": "welded hull",
    "move": "moved",
}
"""What is said of each kind of deed of `rules.weights`."""


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
    told = joined(said) or "nothing earned"
    told = f"you {told}" if robot is not None and robot == me else told
    drawn = f"; drawn with {joined([_called(name, me) for name in equals])}" if equals else ""
    return f"{told[0].upper()}{told[1:]}{drawn}."


def _deed(deed: Deed, times: int, *, names: Sequence[str], me: str | None) -> str:
    other = "" if deed.other is None else _called(names[deed.other], me)
    were = "were" if names[deed.robot] == me else "was"
    often = f" {times} times" if times > 1 else ""
    return f"{DEEDS[deed.kind].format(other=other, were=were)}{often} (+{deed.weight * times})"


def _called(name: str, me: str | None) -> str:
    return "you" if name == me else name


def ordinal(rank: int) -> str:
    """Return a rank as a place in an order.

    >>> [ordinal(rank) for rank in (1, 2, 3, 4, 11)]
    ['1st', '2nd', '3rd', '4th', '11th']
    """
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{rank}{endings.get(rank, 'th')}"
