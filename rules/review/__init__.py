"""Reviews of games: how much the deal, the decision and the other robots counted in each turn."""

from rules.review.chances import VERSION, chances
from rules.review.coach import Choice, advise
from rules.review.credit import SITTER, Cause, Figures, Played, TurnReview, review_turn
from rules.review.game import (
    REVIEW_FORMAT,
    ReviewError,
    played_turns,
    result_of,
    review_game,
    review_to_json,
    turn_to_json,
)
from rules.review.sentences import sentences_of

__all__ = [
    "REVIEW_FORMAT",
    "SITTER",
    "VERSION",
    "Cause",
    "Choice",
    "Figures",
    "Played",
    "ReviewError",
    "TurnReview",
    "advise",
    "chances",
    "played_turns",
    "result_of",
    "review_game",
    "review_to_json",
    "review_turn",
    "sentences_of",
    "turn_to_json",
]
