"""What people and programs send about clubs."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club, Membership
from games.web.inputs import Choice, Input, Name, Prose, Strict, Text

SHORTEST_NAME: Final = 3

INVITED: Final = "invited"


class NewClub(Input):
    """A club."""

    refusal = "no-club", _("There can be no such club. Change what is marked.")
    beside = {"taken": "name"}

    name = Name(
        label=_("Name"),
        shortest=SHORTEST_NAME,
        longest=LONGEST_NAME,
        needed=_("The club needs a name."),
        help_text=_("The address of the club’s page follows from it, and stays."),
    )
    text = Prose(
        label=_("About the club"),
        longest=LONGEST_TEXT,
        default="",
        allow_blank=True,
        help_text=_("Everyone can read it on the club’s page."),
    )
    entry = Choice(Club.Entry.choices, label=_("Who can join"), default=Club.Entry.OPEN.value)


class ClubChanges(NewClub):
    """What should change in a club; what is not named stays."""

    optional = True


class ClubsQuery(Strict):
    """What clubs are asked for."""

    name = Text(default="", allow_blank=True, help_text="Beginnings of words that their names have in them.")
    player = Text(default="", allow_blank=True, help_text="Whose clubs.")


class Role(Strict):
    """What a player is to be in a club."""

    role = Choice(
        [INVITED, *Membership.Role.values],
        default=INVITED,
        help_text="invited: invite a player, or admit one who asked. All others are for the captain.",
    )
