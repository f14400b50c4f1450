"""Robots that get another name for good, in all that is kept of a game; all follows from it as before."""

from dataclasses import replace
from functools import partial

import rules
from games.play.models import Game, Turn
from games.play.played import Played, state_at_start
from games.play.services.keeping import rewrite


def rename_robot(*, game: Game, before: str, after: str) -> None:
    """Have a robot called otherwise in the states, the log and the result of a game whose row is held.

    Nothing is done where no robot bears the name, as when it was renamed already: robots are called the same
    from the first state of a game to the last.
    """
    first = game.turns.order_by("number").first()
    if first is None or all(robot["name"] != before for robot in state_at_start(first)["robots"]):
        return
    if game.winner == before:
        game.winner = after
        Game.objects.filter(pk=game.pk).update(winner=after)
    for turn in game.turns.filter(status=Turn.Status.OPEN):
        turn.snapshot = turn.snapshot and rules.rename_in_state(turn.snapshot, before, after)
        turn.save(update_fields=["snapshot"])
    rewrite(game=game, change=partial(_renamed, before=before, after=after))


def _renamed(played: Played, before: str, after: str) -> Played:
    return replace(
        played,
        start=rules.rename_in_state(played.start, before, after),
        events=tuple(rules.rename_in_event(event, {before: after}) for event in played.events),
    )
