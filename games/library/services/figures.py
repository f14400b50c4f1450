"""Counting games that are over in the figures of their starships.

A game is noted in the transaction in which it ends, and the sweeper counts it soon after: once, since
counting takes the note away.
"""

from datetime import datetime
from typing import Final

from django.db import transaction

from games import jobs
from games.library.models import Flier, StarshipFigures, UncountedGame
from games.play import stored
from games.play.models import Game, Turn
from games.play.played import kept_of

MOST: Final = 200
"""Games that one pass of the sweeper counts; the next one goes on."""


def note_ended(*, game: Game) -> None:
    """Note that a game, whose row is held, is over, if it was on one ship of the library."""
    if game.status == Game.Status.OVER and game.revision_id is not None and game.course_id is None:
        UncountedGame.objects.bulk_create([UncountedGame(game=game)], ignore_conflicts=True)


def count_games(*, now: datetime) -> int:
    """Count games that are over and were not counted; return how many."""
    return jobs.each("starship figures", UncountedGame.objects.order_by("pk"), _count, most=MOST, now=now)


def recount_figures() -> int:
    """Make all figures again from the games that are over, ship by ship; return how many games there were."""
    over = Game.objects.filter(status=Game.Status.OVER, revision__isnull=False, course=None)
    ships = over.order_by("revision__starship").values_list("revision__starship", flat=True).distinct()
    done = 0
    for starship in list(ships):
        with transaction.atomic():
            figures = _held(starship, wait=True)
            assert figures
            figures = StarshipFigures(starship_id=starship)
            Flier.objects.filter(starship=starship).delete()
            games = list(over.filter(revision__starship=starship).order_by("pk").values_list("pk", flat=True))
            for game in games:
                _add(figures, game)
            figures.save()
            UncountedGame.objects.filter(pk__in=games).delete()
        done += len(games)
    return done


def _count(game_id: int) -> int:
    """Count a game; while another worker counts it, or recounts its ship, it waits for the next pass."""
    noted = UncountedGame.objects.select_for_update(skip_locked=True).filter(pk=game_id).first()
    if noted is None:
        return 0
    starship = Game.objects.values_list("revision__starship", flat=True).get(pk=game_id)
    figures = _held(starship, wait=False)
    if figures is None:
        return 0
    _add(figures, game_id)
    figures.save()
    noted.delete()
    return 1


def _held(starship: int, *, wait: bool) -> StarshipFigures | None:
    StarshipFigures.objects.bulk_create([StarshipFigures(starship_id=starship)], ignore_conflicts=True)
    return StarshipFigures.objects.select_for_update(skip_locked=not wait).filter(pk=starship).first()


def _add(figures: StarshipFigures, game_id: int) -> None:
    game = Game.objects.select_related("revision").prefetch_related("players__user").get(pk=game_id)
    assert game.revision
    if game.revision.prototype:
        figures.prototype_played += 1
        return
    figures.played += 1
    people = {seat.user.pk for seat in game.players.all() if seat.user and not seat.user.is_guest}
    known = set(
        Flier.objects.filter(starship=figures.starship_id, user__in=people).values_list("user", flat=True)
    )
    new = [Flier(starship_id=figures.starship_id, user_id=person) for person in people - known]
    Flier.objects.bulk_create(new, ignore_conflicts=True)
    figures.people += len(new)
    if len(people) >= 2 and not game.ending:
        _add_among_people(figures, game)


def _add_among_people(figures: StarshipFigures, game: Game) -> None:
    figures.among_people += 1
    turns = str(game.turn)
    figures.lengths[turns] = figures.lengths.get(turns, 0) + 1
    figures.median = _median(figures.lengths)
    first = game.turns.filter(status=Turn.Status.RESOLVED).order_by("number").first()
    if first is None:
        return
    ship = stored.ship_of(game)
    robots = list(stored.start_in(kept_of(first), ship).players)
    for seat in game.players.all():
        x, y = ship.pos(robots[seat.number - 1].start)
        started, won = figures.starts.get(f"{x},{y}", (0, 0))
        wins = game.winner != "" and game.winner in (seat.robo_name, seat.squad)
        figures.starts[f"{x},{y}"] = [started + 1, won + wins]


def _median(lengths: dict[str, int]) -> int:
    """Return the middle of lengths of which so many there are, the lower of two.

    >>> _median({"9": 2, "10": 1, "30": 1})
    9
    """
    left = (sum(lengths.values()) + 1) // 2
    for turns in sorted(map(int, lengths)):
        left -= lengths[str(turns)]
        if left <= 0:
            return turns
    return 0
