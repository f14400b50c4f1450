"""How long things may take in this room, and how much one member of staff decides alone."""

from datetime import timedelta
from typing import Final

OPEN_FOR: Final = timedelta(days=183)
"""How long after a decision one can appeal: six months."""

TAKEN_FOR: Final = timedelta(hours=24)
"""How long a case is one member's who has taken it."""

MOST_DAYS: Final = 365
"""The longest that a player is muted, barred or suspended by one decision."""

MOST_ALONE: Final = 7
"""The longest suspension, in days, that takes one member of staff; a longer one takes two."""

ALONE_WITHIN: Final = timedelta(days=30)
"""Within how long a member's suspensions of one player count together for `MOST_ALONE`."""

MOST_A_DAY: Final = 10
MOST_OF_NEWCOMERS: Final = 5
"""Reports of players that one may send within a day."""

KEPT: Final = timedelta(days=365)
"""How long a report is kept after staff have decided."""
