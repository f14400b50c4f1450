"""The tables of this room."""

from games.shipyard.models.drafts import MOST_PLAYERS, DraftFlight, DraftVersion, Drawing, StarshipDraft
from games.shipyard.models.suggestions import ShipSuggestion
from games.shipyard.models.tunnel import TunnelBatch, TunnelRun

__all__ = [
    "MOST_PLAYERS",
    "DraftFlight",
    "DraftVersion",
    "Drawing",
    "ShipSuggestion",
    "StarshipDraft",
    "TunnelBatch",
    "TunnelRun",
]
