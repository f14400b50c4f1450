"""What may be asked of a lobby: settings, seats, readiness, invitations."""

from games.api.computers import LOOK
from games.api.fields import Flag, Items, Strict, Text, WholeNumber
from games.lobby.selectors.opponents import MOST_COMPUTERS
from games.play.models import Seat


class ComputerChangesSerializer(Strict):
    """What should change about a computer; what is not named stays as it is."""

    strength = Text(default=None, allow_null=True, help_text=f"One of: {', '.join(Seat.Strength.values)}.")
    look = WholeNumber(default=None, allow_null=True, help_text=LOOK)
    model = Text(default="", allow_blank=True)
    squad = Text(default="", allow_blank=True)


class ReadySerializer(Strict):
    """Whether I agree to the game as it is set up."""

    ready = Flag(default=True)


class InvitationSerializer(Strict):
    """Whom to invite: one of both."""

    robo_name = Text(default="", allow_blank=True)
    email = Text(default="", allow_blank=True)


class QuickGameSerializer(Strict):
    """Whom to play against."""

    strength = Text(default=Seat.Strength.ROOKIE.value, help_text="Of the computers.")
    computers = WholeNumber(default=1, min_value=1, max_value=MOST_COMPUTERS)


class SeenSerializer(Strict):
    """What I have seen."""

    keys = Items(child=Text(), default=None, allow_null=True, help_text="Of achievements; all, unless named.")
