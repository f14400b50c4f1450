"""Inputs of the pages and the API of clubs."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, Membership
from games.web.inputs import Choice, Input, Name, Prose, Strict, Text

SHORTEST_NAME: Final = 3

INVITED: Final = "invited"

MOST_NAMES: Final = 50
"""The maximum number of players to invite at once."""

LONGEST_LIST: Final = 4000
"""The maximum length of a list of names: twice the field's limit, as a line break can be two characters."""


def names_in(text: str) -> list[str]:
    r"""Return the Robo Names in a list with commas or line breaks, each once, in order.

    >>> names_in("Bob, Carol\n bob,,\nDave")
    ['Bob', 'Carol', 'Dave']
    """
    found: dict[str, str] = {}
    for name in text.replace(",", "\n").splitlines():
        if name.strip():
            found.setdefault(name.strip().casefold(), name.strip())
    return list(found.values())


class NewClub(Input):
    """The values of a new club."""

    refusal = "no-club", _("Couldn’t save the club. Fix the marked fields.")
    beside = {"taken": "name"}

    name = Name(
        label=_("Name"),
        shortest=SHORTEST_NAME,
        longest=LONGEST_NAME,
        needed=_("The club needs a name."),
        help_text=_(
            "The address of the club’s page comes from the name that the club is created with, and never"
            " changes."
        ),
    )
    text = Prose(
        label=_("About the club"),
        longest=LONGEST_TEXT,
        default="",
        allow_blank=True,
        help_text=_("Everyone can read this on the club’s page."),
    )
    entry = Choice(Club.Entry.choices, label=_("Who can join"), default=Club.Entry.OPEN.value)


class ClubChanges(NewClub):
    """Changes to a club. Omitted values do not change."""

    optional = True


class ClubsQuery(Strict):
    """Filters for the list of clubs."""

    name = Text(default="", allow_blank=True, help_text="Words, or their beginnings, in the club's name.")
    player = Text(default="", allow_blank=True, help_text="A Robo Name: only the clubs of this player.")


class Role(Strict):
    """The role to give a player in a club."""

    role = Choice(
        [INVITED, *Membership.Role.values],
        default=INVITED,
        help_text="`invited` invites a player, or admits a player who asked to join. Only the captain sets"
        " other roles.",
    )
