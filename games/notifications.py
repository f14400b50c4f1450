"""Register all kinds of notification, declared by the rooms, and all channels."""

from games.absence import news as absence
from games.chat import news as chat
from games.clubs import news as clubs
from games.competitions import news as competitions
from games.dock import news as dock
from games.groups import news as groups
from games.lobby import news as lobby
from games.moderation import news as moderation
from games.news.channels import CHANNELS, webhook
from games.news.channels.browser import Browsers
from games.news.channels.mail import Mail
from games.news.channels.webhook import Webhooks
from games.news.kinds import KINDS
from games.play import news as play
from games.votes import news as votes


def register() -> None:
    """Register the notification kinds of all rooms, and all channels, when the site starts."""
    CHANNELS.register(Mail(), Webhooks(), Browsers())
    rooms = (play, absence, lobby, clubs, competitions, votes, chat, groups, dock, moderation, webhook)
    KINDS.register(*(kind for room in rooms for kind in room.KINDS))
