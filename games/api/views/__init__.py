"""The calls of the API: each reads a request, asks a service or a selector, and writes an answer."""

from games.api.views.away import GameStanding, MyStanding, MyTime, OneVacation, Vacations
from games.api.views.chat import ChatCall, ReadChat
from games.api.views.document import DocumentCall, Reference
from games.api.views.events import Events
from games.api.views.games import Games, Join, Leave, MySeat, OffersCall, OneGame, Resign, TakeSeat
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
    StartCall,
)
from games.api.views.people import GameNews, Me, MyTokens, OneToken, TokensCall, Waiting
from games.api.views.records import Achievements, File, MyInvitations, Person, RobotCall, Seen, Statistics
from games.api.views.turns import DraftCall, Log, OrdersCall, PastTurn, Preview, Redeal, Wake
from games.api.views.votes import OneVote, Votes

__all__ = [
    "Achievements",
    "ChatCall",
    "Computers",
    "Decline",
    "DocumentCall",
    "DraftCall",
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
    "OffersCall",
    "OneGame",
    "OneInvitation",
    "OneSeat",
    "OneStarship",
    "OneToken",
    "OneVacation",
    "OneVote",
    "OrdersCall",
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
    "RobotCall",
    "Rulesets",
    "Seen",
    "Starships",
    "StartCall",
    "Statistics",
    "TakeSeat",
    "TokensCall",
    "Vacations",
    "Votes",
    "Waiting",
    "Wake",
]
