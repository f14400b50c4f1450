"""Why something did not work: kept as a kind with a detail, and told when it is shown.

What is not of one of these kinds is shown as it is: the words of an error, or of another machine.
"""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

REASONS: Final[Mapping[str, Promise]] = {
    "unfinished": _("The worker was interrupted or is still working on it."),
    "passing": _("{detail} This is temporary: the turn is tried again until it works."),
    "too-slow": _("The turn was played in its own process, which had not finished after {detail} s."),
    "ended-by": _("The turn was played in its own process, which was ended by {detail}."),
    "far-away": _("A deadline is more than ten years away. Put it off, and it counts from now."),
    "tried": _("It counts as tried {detail} times and is not tried again."),
    "no-worker": _("No worker has played it."),
    "deadly": _("It began to think {detail} times, and its worker died each time."),
    "deadly-ship": _("The worker that flew this ship died {detail} times. The ship may be too large to fly."),
    "unflyable": _(
        "This ship could not be flown because of a fault of ours. Staff can see the cause in the log."
    ),
    "deadly-search": _("The worker that looked for this ship died {detail} times."),
    "no-design": _("No ship of this kind came out well. Try another size, theme or symmetry."),
    "long-search": _("The search took too long. Try a smaller ship, or fewer players."),
    "search-fault": _("The search failed because of a fault of ours. Staff can see the cause in the log."),
    "interrupted": _("The worker was interrupted each time."),
    "mail-server": _("The mail server said: {detail}"),
    "clocks": _("The clocks of a worker and of the database disagree: {detail}. Set them right."),
    "clock-jump": _(
        "The clock of a worker's machine jumped: {detail}. Set it right. If it is right now, run "
        "manage.py confirm_clock there."
    ),
    "mail-refused": _("The mail server has taken no mail since {detail}"),
    "mail-given-up": _("Mail was given up. The last reason: {detail}"),
    "came-back": _("It came back: {detail}"),
    "spam": _("Its reader called it spam."),
    "status": _("It answered {detail}."),
    "redirect": _("It answered {detail}: redirects are not followed."),
    "gone": _("It answered {detail}: it wants no more notifications."),
    "address": _("Its address cannot be used any more."),
    "private": _("The address leads to a private network. Use a public one."),
    "unknown-host": _("Its host is unknown."),
    "unreachable": _("It cannot be reached: {detail}."),
    "certificate": _("Its certificate is not valid: {detail}."),
    "timeout": _("It did not answer within {detail} seconds."),
    "no-http": _("Its answer is not HTTP."),
}


class Explained(Exception):
    """A failure with a reason that staff read as a sentence."""

    def __init__(self, kind: str, detail: object = None) -> None:
        super().__init__(kind, detail)
        self.reason = keep(kind, detail)

    def __str__(self) -> str:
        return tell(self.reason)


def keep(kind: str, detail: object = None) -> str:
    """Return a reason as it is kept.

    >>> keep("status", 500), keep("spam")
    ('status: 500', 'spam')
    """
    assert kind in REASONS, kind
    return f"{kind}: {detail}" if detail is not None else kind


def tell(kept: str) -> str:
    """Return a reason as a sentence.

    >>> tell("status: 500"), tell("KeyError: 7")
    ('It answered 500.', 'KeyError: 7')
    """
    kind, _colon, detail = kept.partition(": ")
    return str(REASONS[kind]).format(detail=detail) if kind in REASONS else kept
