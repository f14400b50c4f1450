"""What the service keeps: starships, missions, games, seats, turns, chat, records, notices, tokens, and
what staff did about games.

Rows hold facts; `games.services` is the only writer. Documents in JSON fields carry their format.
"""

from games.models.alarms import Alarm
from games.models.channels import Device, Receiver, Webhook
from games.models.chat import ChatLine
from games.models.courses import Course, Piece
from games.models.deletions import Deletion, Forgetting
from games.models.feeds import Feed
from games.models.games import Game, Seat
from games.models.interventions import Intervention
from games.models.lobby import Invitation, LobbyEntry
from games.models.missions import Mission
from games.models.notices import Heartbeat, Notice
from games.models.outages import Outage
from games.models.records import Achievement, Share, Tally
from games.models.reliability import Reliability
from games.models.replacements import Replacement
from games.models.rests import Rest
from games.models.starships import Starship, StarshipRevision
from games.models.tokens import ApiToken
from games.models.turns import Draft, Hand, LogEntry, Program, Turn
from games.models.vacations import Vacation, VacationDay
from games.models.votes import Ballot, Vote

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
