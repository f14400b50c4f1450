"""All kinds of notification, as the rooms declare them that they are about."""

from games.absence import news as absence
from games.chat import news as chat
from games.lobby import news as lobby
from games.news.kinds import register
from games.play import news as play
from games.votes import news as votes


def register_kinds() -> None:
    """Make the kinds of all rooms known, when the site starts."""
    register(*play.KINDS, *absence.KINDS, *lobby.KINDS, *votes.KINDS, *chat.KINDS)
