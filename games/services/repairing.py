"""What staff may do about work that got stuck."""

from games import enqueue
from games.errors import Conflict, NotFound
from games.models import Game, Notice, Turn


def resolve_again(*, turn_id: int) -> None:
    """Have another try at a turn that failed too often; harmless for one that did not.

    Raises NotFound, and Conflict for a turn that is not to be played (any more).
    """
    turn = Turn.objects.select_related("game").filter(pk=turn_id).first()
    if turn is None:
        raise NotFound("no-turn", "There is no such turn.")
    if turn.status != Turn.Status.OPEN or turn.game.status != Game.Status.RUNNING:
        raise Conflict("finished", "This turn is not to be played any more.")
    Turn.objects.filter(pk=turn_id, status=Turn.Status.OPEN).update(attempts=0, offered_at=None)
    enqueue.resolve_turn(turn_id)


def send_again(*, notice_id: int) -> None:
    """Have another try at a notice that was given up; raises NotFound, and Conflict for any other."""
    notices = Notice.objects.filter(pk=notice_id)
    if not notices.exists():
        raise NotFound("no-notice", "There is no such notice.")
    again = {"status": Notice.Status.PENDING, "attempts": 0, "lease_until": None, "offered_at": None}
    if not notices.filter(status=Notice.Status.GIVEN_UP).update(**again):
        raise Conflict("not-given-up", "This notice was not given up.")
    enqueue.send_notice(notice_id)
