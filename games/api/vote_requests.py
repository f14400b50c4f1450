"""What may be asked of votes."""

from games.api.fields import Flag, Strict, Text, WholeNumber
from games.votes.models import Vote


class NewVoteSerializer(Strict):
    """Something to be put to the vote."""

    kind = Text(help_text=f"One of: {', '.join(Vote.Kind.values)}.")
    seat = WholeNumber(
        default=None,
        allow_null=True,
        help_text="Whose player shall be replaced (`eject`), or who shall have won (`concede`).",
    )
    days = WholeNumber(default=None, allow_null=True, help_text="How long the game shall `pause`.")


class BallotSerializer(Strict):
    """What I say to a vote."""

    yes = Flag()
