"""What may be asked of a lobby: settings, seats, readiness, invitations."""

from games.api.computers import LOOK
from games.api.fields import Flag, Items, Strict, Text, WholeNumber
from games.api.pace_requests import AbsenceSettingsSerializer, PaceSettingsSerializer
from games.api.requests import BoardSerializer, CoordinatesField, HouseRulesField, OptionsField
from games.lobby.selectors.opponents import MOST_COMPUTERS
from games.play.models import Seat


class ComputerChangesSerializer(Strict):
    """What shall be different about a computer; what is not named stays as it is."""

    strength = Text(default=None, allow_null=True, help_text=f"One of: {', '.join(Seat.Strength.values)}.")
    look = WholeNumber(default=None, allow_null=True, help_text=LOOK)
    model = Text(default="", allow_blank=True)
    squad = Text(default="", allow_blank=True)


class SettingsSerializer(Strict):
    """Settings of a lobby that shall be different; what is not named stays as it is."""

    name = Text(required=False, allow_blank=True)
    ruleset = Text(required=False, help_text="With another, options and house rules begin anew.")
    starship = WholeNumber(required=False, allow_null=True)
    boards = Items(child=BoardSerializer(), required=False, allow_null=True, allow_empty=False)
    checkpoints = Items(child=CoordinatesField(), required=False, allow_null=True)
    start = CoordinatesField(required=False, allow_null=True)
    options = OptionsField(required=False)
    house_rules = HouseRulesField(required=False)
    seats = WholeNumber(required=False)
    private = Flag(required=False)
    least_reliability = WholeNumber(required=False, help_text="What it takes to join, in percent.")
    pace = PaceSettingsSerializer(required=False, allow_null=True)
    absence = AbsenceSettingsSerializer(required=False, allow_null=True)
    starts_itself = Flag(required=False, help_text="Start once all seats are taken and all are ready.")


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
