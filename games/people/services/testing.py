"""Granting Test Pilot, to people who have tested prototypes: it follows from the games that they have won."""

from games.people.achievements import TEST_PILOT
from games.people.models import Achievement
from games.people.selectors.testing import Tested, tested_prototypes
from games.play.models import Game


def grant_test_pilot(*, game: Game) -> None:
    """Grant Test Pilot to the players of a game that is over, if they have tested enough prototypes by it.

    To be called once the end of the game is written, in the transaction of its last turn, while its row and
    those of its players are held: so of two games that are over at once, the second sees the first.
    """
    if game.status != Game.Status.OVER or game.ending or game.prototype_version is None:
        return
    people = [seat.user_id for seat in game.players.exclude(user=None) if seat.user_id is not None]
    pilots = {person: made_test_pilot(person=person) for person in people}
    rows = [
        Achievement(user_id=person, key=TEST_PILOT.key, game_id=last.game, turn=last.turn, earned_at=last.at)
        for person, last in pilots.items()
        if last is not None
    ]
    Achievement.objects.bulk_create(rows, ignore_conflicts=True)


def made_test_pilot(*, person: int) -> Tested | None:
    """Return the prototype with which a person has tested enough to be a Test Pilot; None before that."""
    tested = tested_prototypes(person=person)
    return tested[TEST_PILOT.goal - 1] if len(tested) >= TEST_PILOT.goal else None
