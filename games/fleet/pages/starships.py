"""Drawings of starships."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import rules
from accounts import limits
from games.fleet import stored
from games.fleet.pages.pictures import empty_board
from games.fleet.raster import board_picture
from games.fleet.selectors.starships import revision_for
from games.pages import hides_what_is_not_there
from games.replicas import may_be_old

FOR_EVER = 60 * 60 * 24 * 365
"""Seconds that a browser may keep what never changes, and what staff never take down."""

SHOWN_FOR = 60 * 60
"""Seconds that anyone may keep the drawing of a ship: staff may take the ship down."""

THUMBNAIL_CELL = 12


@require_safe
@may_be_old()
@hides_what_is_not_there
def drawing(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Draw a starship, small, as a picture that lists refer to.

    With ``?checkpoints=2`` it has its first two alone: a game may play no more.
    """
    ship = _to_draw(request, revision_id, theme)
    if wait := _wait(request, ship):
        return limits.too_many(request, wait)
    answer = HttpResponse(empty_board(ship, theme=theme, cell=THUMBNAIL_CELL), content_type="image/svg+xml")
    return kept_for_a_while(answer)


@require_safe
@may_be_old()
@hides_what_is_not_there
def picture(request: HttpRequest, revision_id: int, theme: str) -> HttpResponse:
    """Answer the same starship as a PNG, for previews of links and for programs that show no SVG."""
    ship = _to_draw(request, revision_id, theme)
    if wait := _wait(request, ship):
        return limits.too_many(request, wait)
    return kept_for_a_while(HttpResponse(board_picture(ship, theme=theme), content_type="image/png"))


def kept_for_ever(answer: HttpResponse, *, public: bool = True) -> HttpResponse:
    """Let browsers keep an answer that never changes, and if it is public, everything on its way."""
    whose = {"public" if public else "private": True}
    patch_cache_control(answer, **whose, max_age=FOR_EVER, immutable=True)
    return answer


def kept_for_a_while(answer: HttpResponse) -> HttpResponse:
    """Let everyone keep the drawing of a ship until they ask again whether it is still there."""
    patch_cache_control(answer, public=True, max_age=SHOWN_FOR)
    return answer


def _wait(request: HttpRequest, ship: rules.Starship) -> int:
    """Count a picture by its cells; return 0, or the seconds until the next one."""
    return limits.take(limits.DRAWINGS, limits.address_of(request), limits.DRAWINGS.cost(len(ship.cells)))


def _to_draw(request: HttpRequest, revision_id: int, theme: str) -> rules.Starship:
    """Return what is asked for; raises Http404 if there is no such drawing, and Gone."""
    require_theme(theme)
    ship = stored.starship_of(revision_for(revision_id=revision_id))
    if asked := request.GET.get("checkpoints"):
        if asked not in map(str, ship.checkpoints):
            raise Http404(_("A drawing shows at most as many checkpoints as the starship has."))
        ship = rules.with_first_checkpoints(ship, int(asked))
    return ship


def require_theme(theme: str) -> None:
    """Raise Http404 for a theme in which nothing is drawn."""
    if theme not in ("light", "dark"):
        raise Http404(_("Drawings are light or dark."))
