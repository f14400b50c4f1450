"""The tables of this room."""

from games.conduct.models.appeals import Appeal
from games.conduct.models.cases import Case, PlayerReport
from games.conduct.models.log import ConductEntry
from games.conduct.models.renamings import Renaming

__all__ = ["Appeal", "Case", "ConductEntry", "PlayerReport", "Renaming"]
