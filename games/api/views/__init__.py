"""The calls of the API: each reads a request, asks a service or a selector, and writes an answer."""

from games.api.views.document import Document, Reference
from games.api.views.games import Games, Join, Leave, MySeat, OneGame
from games.api.views.library import OneStarship, Rulesets, Starships
from games.api.views.people import Me, Tokens, Waiting
from games.api.views.turns import Log, Orders, PastTurn, Preview, Redeal

__all__ = [
    "Document",
    "Games",
    "Join",
    "Leave",
    "Log",
    "Me",
    "MySeat",
    "OneGame",
    "OneStarship",
    "Orders",
    "PastTurn",
    "Preview",
    "Redeal",
    "Reference",
    "Rulesets",
    "Starships",
    "Tokens",
    "Waiting",
]
