"""What every page says of a person's games."""

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.limits import SAFE
from accounts.models import User
from games.news.pages.mailbox import may_read_mail
from games.people.pages.medals import medal_of
from games.people.selectors.records import new_achievements
from games.reading import GAME
from games.site.selectors import menu_counts


def waiting(request: HttpRequest) -> dict[str, object]:
    """Tell pages how many games wait for the reader's move, how many missions they have done (of how many),
    what they earned in games that have ended and do not know of yet, the latest first, whether they may
    look at mails, and whether the address is that of a game.

    Counted only where a page asks for it.
    """
    user = getattr(request, "user", None)
    if not isinstance(user, User):
        return {"asks_for_game": _asks_for_game(request)}
    return {
        "menu": SimpleLazyObject(lambda: menu_counts(user=user)),
        "new_medals": SimpleLazyObject(
            lambda: [medal_of(each) for each in reversed(new_achievements(user=user))]
        ),
        "may_read_mail": may_read_mail(request),
        "asks_for_game": _asks_for_game(request),
    }


def _asks_for_game(request: HttpRequest) -> bool:
    match = request.resolver_match
    return request.method in SAFE and match is not None and GAME in match.kwargs
