"""The benchmark of delays finishes all work, with a real worker."""

from bench.delays import Crowd
from games.play.models import Game
from games.work import enqueue
from tests.games.support import HALL, Board
from tests.support.worker import Worker


def test_a_crowd_and_thinking_computers_leave_no_work_undone(worker: Worker) -> None:
    Board("Hall", HALL.rows).saved()
    crowd = Crowd(1)
    crowd.keep_computers_busy(games=1, flights=0)
    waited = crowd.play(turns=1, patience=60, seconds=60)
    assert [each["turns"] for each in waited.values()] == [1, 1]
    assert all(0 < each["median"] <= each["longest"] < 60 for each in waited.values())
    assert [each["unplayed"] for each in waited.values()] == [0, 0]
    assert Game.objects.get(host=crowd.host).turn == 0, "its host gave no orders"
    worker.kill()
    in_vain = crowd.play(turns=3, patience=0.1, seconds=60)
    assert [each["unplayed"] for each in in_vain.values()] == [1, 1], "nobody plays their turns"
    assert [each["turns"] for each in in_vain.values()] == [1, 1], "they wait no more than once"
    crowd.keep_computers_busy(games=0, flights=1)
    crowd.leave()
    assert Game.objects.filter(status=Game.Status.CANCELLED).count() == 6
    assert list(enqueue.take_turns(0)) == []
