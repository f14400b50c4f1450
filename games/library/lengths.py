"""How long games on a starship are, in turns: short, medium or long.

It is what was played, where people have played `PLAYED` games to the end, and else what is expected by the
way that robots have to go (`rules.tunnel.outlook.expected_turns`). A ship of which nothing is expected, such
as one without checkpoints, has the length of what games there were.
"""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Case, F, IntegerField, Q, When
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PLAYED: Final = 5
"""Games among people after which their middle is the length of a ship."""


@dataclass(frozen=True, slots=True)
class Length:
    """A range of lengths: its ``key`` in addresses, and its turns; ``most`` is None where it has no end."""

    key: str
    name: Promise
    least: int
    most: int | None


LENGTHS: Final = (
    Length("short", _("Short: up to 6 turns"), 0, 6),
    Length("medium", _("Medium: 7 to 10 turns"), 7, 10),
    Length("long", _("Long: 11 turns and more"), 11, None),
)
"""All of them: about a third of the fleet is in each of the first two."""


def turns() -> Case:
    """Return the length of starships in turns, as SQL; NULL where nothing is known."""
    return Case(
        When(figures__among_people__gte=PLAYED, then=F("figures__median")),
        default=Coalesce(F("facts__turns"), F("figures__median"), output_field=IntegerField()),
        output_field=IntegerField(),
    )


def within(key: str) -> Q:
    """Return the condition that starships with their ``turns`` have a length of that key."""
    chosen = next(each for each in LENGTHS if each.key == key)
    condition: dict[str, Any] = {"turns__gte": chosen.least}
    return Q(**condition) if chosen.most is None else Q(**condition, turns__lte=chosen.most)
