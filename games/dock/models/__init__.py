"""The tables of this room."""

from games.dock.models.moderation import Moderation
from games.dock.models.prototypes import Prototype
from games.dock.models.reports import Report
from games.dock.models.reviews import Rating, Review

__all__ = [
    *("MOST_WORDS", "Moderation", "Promotion", "PromotionVote", "Prototype", "Rating", "Report", "Review"),
]
from games.dock.models.promotions import MOST_WORDS, Promotion, PromotionVote
