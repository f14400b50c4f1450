"""What is noted in the history of a game when staff intervene."""

from collections.abc import Mapping
from typing import Any, Final

from games.play.history import Sentence
from games.play.selectors.interventions import deed


def _intervened(*, reason: str, **done: Any) -> str:
    return f"{deed(**done)} {reason}"


HISTORY: Final[Mapping[str, Sentence]] = {"intervened": _intervened}
