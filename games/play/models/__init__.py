"""The tables of this room."""

from games.play.models.games import LEAVES_RECORDS, Game, Seat
from games.play.models.history import LobbyEntry
from games.play.models.interventions import Intervention
from games.play.models.replacements import Replacement
from games.play.models.turns import Draft, Hand, Program, Turn
