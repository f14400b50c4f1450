"""What staff may do about notifications that were tried in vain to the last."""

from typing import Final

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, NotFound
from games.news.channels import CHANNELS
from games.news.models import Notice
from games.rights import Right, require
from games.work import enqueue

IN_VAIN: Final = (Notice.Status.GIVEN_UP, Notice.Status.UNANSWERED)
"""What became of notifications that no one tries any more."""


def send_again(*, user: User, notice_id: int) -> None:
    """Send a notification again that was given up, as staff.

    Raises Forbidden for people without the right, NotFound, and Conflict for any other notification.
    """
    require(user, Right.CHANGE_NOTICES)
    notices = Notice.objects.filter(pk=notice_id)
    notice = notices.first()
    if notice is None:
        raise NotFound("no-notice", _("This notification does not exist."))
    again = {"status": Notice.Status.PENDING, "attempts": 0, "lease_until": None, "offered_at": None}
    if not notices.filter(status__in=IN_VAIN).update(**again):
        raise Conflict("not-given-up", _("This notification was not given up."))
    enqueue.send_notification(notice_id, task=CHANNELS[notice.channel].task)
