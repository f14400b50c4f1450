"""The calls of the API: each reads a request, asks a service or a selector, and writes an answer."""

from games.api.views.away import GameStanding, MyStanding, MyTime, OneVacation, Vacations
from games.api.views.chat import Chat, ReadChat
from games.api.views.document import Document, Reference
from games.api.views.events import Events
from games.api.views.games import Games, Join, Leave, MySeat, Offers, OneGame, Resign, TakeSeat
from games.api.views.library import OneStarship, Rulesets, Starships
from games.api.views.lobby import (
    Computers,
    Decline,
    Invitations,
    Link,
    OneInvitation,
    OneSeat,
    QuickGame,
    Ready,
    Rematch,
    Start,
)
from games.api.views.people import GameNews, Me, MyTokens, OneToken, Tokens, Waiting
from games.api.views.records import Achievements, File, MyInvitations, Person, Robot, Seen, Statistics
from games.api.views.turns import Draft, Log, Orders, PastTurn, Preview, Redeal, Wake
from games.api.views.votes import OneVote, Votes

__all__ = [
    "Achievements",
    "Chat",
    "Computers",
    "Decline",
    "Document",
    "Draft",
    "Events",
    "File",
    "GameNews",
    "GameStanding",
    "Games",
    "Invitations",
    "Join",
    "Leave",
    "Link",
    "Log",
    "Me",
    "MyInvitations",
    "MySeat",
    "MyStanding",
    "MyTime",
    "MyTokens",
    "Offers",
    "OneGame",
    "OneInvitation",
    "OneSeat",
    "OneStarship",
    "OneToken",
    "OneVacation",
    "OneVote",
    "Orders",
    "PastTurn",
    "Person",
    "Preview",
    "QuickGame",
    "ReadChat",
    "Ready",
    "Redeal",
    "Reference",
    "Rematch",
    "Resign",
    "Robot",
    "Rulesets",
    "Seen",
    "Starships",
    "Start",
    "Statistics",
    "TakeSeat",
    "Tokens",
    "Vacations",
    "Votes",
    "Waiting",
    "Wake",
]
