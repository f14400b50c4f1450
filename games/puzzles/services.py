"""Try puzzles, and rate players and puzzles by first tries."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import NotFound
from games.play.orders import read_program
from games.play.services import lock_people
from games.puzzles.models import Puzzle, PuzzleRating, PuzzleTry
from games.puzzles.selectors import no_puzzle, position_of, puzzle_of
from games.standings.ratings import Side, Skill, points, rate
from rules.puzzles.documents import try_program

YEAR: Final = timedelta(days=365)


def try_puzzle(*, user: User, puzzle_id: int, registers: object, now: datetime) -> PuzzleTry:
    """Try a program. The user may be a guest. If the same program comes twice, nothing changes.

    The first try of a player with an account changes the ratings of the player and of the puzzle.

    Raises NotFound for an unknown puzzle, and for a guest who has just logged in as another player. Raises
    Malformed and Invalid for faulty programs.
    """
    found = puzzle_of(puzzle_id=puzzle_id)
    position = position_of(found)
    program = read_program(position.setup, position.state, position.robot, position.hand, registers)
    right = try_program(position, program).right
    chips = [str(chip) for chip in program]
    with transaction.atomic():
        lock_people([user.pk])
        player = User.objects.filter(pk=user.pk).first()  # the guest account may no longer exist
        if player is None:
            raise NotFound("no-guest", _("You are now logged in as another player. Reload the page."))
        puzzle = Puzzle.objects.select_for_update(no_key=True).filter(pk=found.pk).first()
        if puzzle is None:  # its ship was deleted meanwhile
            raise no_puzzle()
        known = PuzzleTry.objects.filter(puzzle=puzzle, user=player).first()
        if known is None:
            change = None if player.is_guest else _rate(player, puzzle, right=right, now=now)
            return PuzzleTry.objects.create(
                puzzle=puzzle,
                user=player,
                tried_at=now,
                program=chips,
                solved=right,
                change=change,
                last_program=chips,
            )
        known.last_program = chips
        known.save(update_fields=["last_program"])
    return known


def _rate(user: User, puzzle: Puzzle, *, right: bool, now: datetime) -> int:
    """Rate a first try as a duel between the player and the puzzle.

    Returns the change of the player's rating, in points. The caller must lock both rows.
    """
    rating = PuzzleRating.objects.filter(user=user).first() or PuzzleRating(user=user, changed_at=now)
    before = Skill(rating.mu, rating.sigma).after((now - rating.changed_at) / YEAR)
    sides = [Side(1 if right else 2, (before,)), Side(2 if right else 1, (Skill(puzzle.mu, puzzle.sigma),))]
    [[mine], [other]] = rate(sides)
    rating.mu, rating.sigma, rating.changed_at = mine.mu, mine.sigma, now
    puzzle.mu, puzzle.sigma = other.mu, other.sigma
    for each in (rating, puzzle):
        each.tries += 1
        each.solved += right
    rating.save()
    puzzle.save(update_fields=["mu", "sigma", "tries", "solved"])
    return points(mine.mu) - points(before.mu)


def adopt_tries(*, guest: User, user: User) -> None:
    """Give a guest's tries to a person, except for puzzles that the person has tried. They stay unrated."""
    tried = PuzzleTry.objects.filter(user=user).values("puzzle")
    PuzzleTry.objects.filter(user=guest).exclude(puzzle__in=tried).update(user=user)
