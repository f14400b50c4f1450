"""One lock for each tournament, so that its changes come one after another.

Hold the tournament's row before you read or change its entrants, rounds or tables. With one lock, no worker
misses what another is about to commit. The row of a person comes before it, never after.
"""

from django.utils.translation import gettext as _

from accounts.models import User
from games.errors import Forbidden, NotFound
from games.rights import Right, may
from games.tournaments.models import Tournament


def locked_tournament(tournament_id: int, *, skip_locked: bool = False) -> Tournament:
    """Return a tournament as it is now, held until the transaction ends.

    With ``skip_locked`` do not wait for another worker that holds it. Raises NotFound then, and if there is
    no such tournament.
    """
    held = Tournament.objects.select_for_update(no_key=True, of=("self",), skip_locked=skip_locked)
    found = held.select_related("club").filter(pk=tournament_id).order_by().first()
    if found is None:
        raise NotFound("no-tournament", _("There is no such tournament."))
    return found


def tournament_locked_by_table(table_id: int) -> Tournament:
    """Return the tournament of a table, held until the transaction ends; raises NotFound."""
    found = Tournament.objects.filter(all_rounds__tables=table_id).values_list("pk", flat=True).first()
    return locked_tournament(found or 0)


def tournament_locked_by_host(user: User, tournament_id: int) -> Tournament:
    """Return a tournament, held for its host or staff with the right; raises NotFound and Forbidden."""
    found = locked_tournament(tournament_id)
    hosts = found.host_id == user.pk or may(user, Right.CHANGE_TOURNAMENTS)
    if found.status == Tournament.Status.DRAFT and not hosts:
        raise NotFound("no-tournament", _("There is no such tournament."))
    if not hosts:
        raise Forbidden("not-host", _("Only the host and staff may do that."))
    return found
