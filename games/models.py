"""All tables, where Django looks for them; each room of the house keeps its own."""

from games.absence.models import Reliability
from games.alarms import Alarm
from games.api.tokens.models import ApiToken
from games.chat.models import ChatLine
from games.clocks.models import Heartbeat, Outage, Rest, Vacation, VacationDay
from games.fleet.models import Course, Mission, Piece, Starship, StarshipRevision
from games.lobby.models import Invitation
from games.news.channels.browser.models import Device
from games.news.channels.webhook.models import Webhook
from games.news.feeds.models import Feed
from games.news.models import Notice, Receiver
from games.people.models import Achievement, Deletion, Forgetting, Share, Tally
from games.play.models import (
    Draft,
    Game,
    Hand,
    Intervention,
    LobbyEntry,
    LogEntry,
    Program,
    Replacement,
    Seat,
    Turn,
)
from games.votes.models import Ballot, Vote

__all__ = [
    "Achievement",
    "Alarm",
    "ApiToken",
    "Ballot",
    "ChatLine",
    "Course",
    "Deletion",
    "Device",
    "Draft",
    "Feed",
    "Forgetting",
    "Game",
    "Hand",
    "Heartbeat",
    "Intervention",
    "Invitation",
    "LobbyEntry",
    "LogEntry",
    "Mission",
    "Notice",
    "Outage",
    "Piece",
    "Program",
    "Receiver",
    "Reliability",
    "Replacement",
    "Rest",
    "Seat",
    "Share",
    "Starship",
    "StarshipRevision",
    "Tally",
    "Turn",
    "Vacation",
    "VacationDay",
    "Vote",
    "Webhook",
]
