"""The secret link of a draft, which shows the draft to everyone who has it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Conflict, refuse_guests
from games.lobby.services.links import new_token
from games.play.selectors.words import refuse_words
from games.shipyard.models import StarshipDraft
from games.shipyard.services.drafts import held_draft, words_of


def make_link(*, user: User, draft_id: int, now: datetime) -> StarshipDraft:
    """Give a draft a link; if it has one, another one, and the one before opens nothing any more.

    Raises Forbidden for guests, NotFound, Conflict for a draft that staff have taken down, and as
    `refuse_words` does for its name and story.
    """
    return _set_link(user, draft_id, new_token(), now)


def drop_link(*, user: User, draft_id: int) -> StarshipDraft:
    """Take back the link of a draft, if it has one: it opens nothing any more. Copies stay.

    Raises Forbidden for guests, and NotFound.
    """
    return _set_link(user, draft_id, "", None)


def _set_link(user: User, draft_id: int, token: str, now: datetime | None) -> StarshipDraft:
    refuse_guests(user)
    with transaction.atomic():
        draft = held_draft(user, draft_id)
        if token and draft.taken_down_at:
            detail = _("Staff took this ship down, so it cannot be shared. Your Space Dock shows why.")
            raise Conflict("taken-down", detail)
        if now is not None:
            refuse_words(user=user, words=words_of({**draft.document, "name": draft.name}), now=now)
        draft.link_token = token
        draft.save(update_fields=["link_token"])
    return draft
