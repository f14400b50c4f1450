"""The benchmark of delays, with a real worker."""

from bench.delays import Crowd
from games import fair
from games.play.models import Game
from tests.games.support import HALL, Board
from tests.support.worker import Worker


def test_a_crowd_plays_beside_computers_that_think_and_leaves_nothing_to_do(worker: Worker) -> None:
    Board("Hall", HALL.rows).saved()
    crowd = Crowd(1)
    crowd.keep_computers_busy(games=1, flights=1)
    owing = dict(Game.objects.values_list("pk", "turn"))
    assert len(owing) == 2
    waited = crowd.play(turns=1)
    assert [each["turns"] for each in waited.values()] == [1, 1]
    assert all(0 < each["median"] <= each["longest"] for each in waited.values())
    crowd.leave()
    assert not Game.objects.filter(status=Game.Status.RUNNING).exists()
    assert dict(Game.objects.filter(pk__in=owing).values_list("pk", "turn")) == owing, (
        "their hosts gave no orders"
    )
    assert list(fair.take(0)) == []
