"""The lesson of a training mission, as its game's page tells it: notes beside the board, and pins on it."""

from dataclasses import dataclass

from django.utils.safestring import SafeString

from games.fleet import missions
from games.fleet.missions import lesson_of, mission_after
from games.fleet.models import Mission
from games.fleet.pictures import lay_over
from games.play import stored
from games.play.models import Game
from games.play.selectors.games import GameView
from rules.drawing import pin


@dataclass(frozen=True, slots=True)
class Teaching:
    """What a page says of a lesson; ``hints`` are those for the game as it stands.

    ``outcome`` is "won" or "lost" once the mission is over; then there may be a ``following`` one.
    """

    mission: Mission
    lesson: missions.Lesson
    hints: tuple[str, ...] = ()
    outcome: str = ""
    following: Mission | None = None

    @property
    def notes(self) -> list[tuple[str, missions.Note]]:
        """What is pinned on the board, each with its letter; nothing once the mission is over."""
        return [] if self.outcome else list(zip(missions.LETTERS, self.lesson.notes, strict=False))


def teaching_of(game: Game, seen: GameView) -> Teaching | None:
    """Return what is taught in a game, if it is a mission that has begun."""
    if game.mission is None or (lesson := lesson_of(game.mission, ship=stored.ship_of(game))) is None:
        return None
    if game.status == Game.Status.OVER:
        following = mission_after(mission=game.mission)
        return Teaching(game.mission, lesson, (), "won" if game.winner else "lost", following)
    if game.status != Game.Status.RUNNING or game.turn is None:
        return None
    draft = seen.me is not None and seen.me.draft is not None
    return Teaching(game.mission, lesson, lesson.hints_for(game.turn, seen.robots[0], draft=draft))


def with_pins(board: SafeString, teaching: Teaching) -> SafeString:
    """Return a board's drawing with a pin at each cell that a note is about.

    It sticks left of the middle, so that what is in the cell can be seen.
    """
    pins = "".join(pin(letter, cell) for letter, note in teaching.notes for cell in note.cells)
    return lay_over(board, f'<g class="pins" transform="translate(-13.5 3)">{pins}</g>') if pins else board
