"""The menu of every page: its groups of entries, and the numbers beside them."""

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, IntegerField, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.functional import Promise, SimpleLazyObject
from django.utils.translation import gettext_lazy as _, pgettext_lazy

from accounts.limits import SAFE_METHODS
from accounts.models import User
from accounts.navigation import shown_page
from games.clubs.models import Candidate
from games.fleet.missions import offered_missions
from games.lobby.lists import waiting_for
from games.lobby.practice import won_by
from games.lobby.selectors import invitations_for
from games.news.pages import may_read_mail
from games.people.pages import medal_of
from games.people.selectors.records import new_achievements
from games.reading import GAME_ARGUMENT
from games.site.appearance import own_pages
from roborunner.postgres.queries import PreparedQuery

# --- Entries ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A page in the menu. ``label`` is also the page's title.

    Without an account, an entry that needs one says so, and an entry ``for_accounts`` is not shown.
    """

    page: str
    label: str | Promise
    for_accounts: bool = False
    needs_account: bool = False

    def current(self, here: str) -> str:
        """Return the value of aria-current on the page named ``here``.

        A list is also the current entry on the pages of its items.
        """
        if here == self.page:
            return "page"
        section = self.page.removesuffix("list")
        return "true" if section != self.page and here.startswith(section) else ""


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of the menu under one label. ``others`` are more pages of the group, by their first letters."""

    label: str | Promise
    entries: tuple[Entry, ...]
    others: tuple[str, ...] = ()


MENU: Final = (
    Group(
        pgettext_lazy("menu", "Play"),
        (
            Entry("games:mine", _("My Room"), for_accounts=True),
            Entry("games:find", _("Find me a game"), needs_account=True),
            Entry("games:quick", _("Play against computers")),
            Entry("games:room", _("Game Room")),
            Entry("games:create", _("New game"), needs_account=True),
            Entry("missions:list", _("Missions")),
            Entry("daily:list", _("Daily run")),
            Entry("puzzles:list", _("Puzzles")),
        ),
        others=("games:",),
    ),
    Group(
        _("Starships"),
        (
            Entry("starships:list", _("All starships")),
            Entry("shipyard:list", _("Space Dock"), needs_account=True),
        ),
        others=("promotions:",),
    ),
    Group(
        _("Community"),
        (
            Entry("people:players", _("Find a player")),
            Entry("clubs:list", _("Clubs")),
            Entry("tournaments:list", _("Tournaments")),
            Entry("ladders:list", _("Ladders")),
            Entry("seasons:list", _("Seasons")),
            Entry("people:best", _("Ratings")),
            Entry("people:awards", _("Awards")),
        ),
        others=("people:person", "people:ratings", "people:months", "people:award"),
    ),
)


def site_menu(*, user: User | AnonymousUser, here: str) -> list[dict[str, Any]]:
    """Return the groups of the menu for a user on the page named ``here``."""
    has_account = isinstance(user, User) and not user.is_guest
    groups = []
    for group in MENU:
        entries = [
            {
                "page": each.page,
                "label": each.label,
                "current": each.current(here),
                "needs_account": each.needs_account and not has_account,
            }
            for each in group.entries
            if has_account or not each.for_accounts
        ]
        current = any(each["current"] for each in entries) or here.startswith(group.others or ("-",))
        groups.append({"label": group.label, "entries": entries, "current": current})
    return groups


# --- Numbers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MenuCounts:
    """Numbers for the menu: games that wait for the player, open invitations, missions done and offered."""

    waiting: int
    invitations: int
    done: int
    missions: int


class _CountOf(Subquery):
    """The number of rows of a query, as a value in another query."""

    template = "(SELECT count(*) FROM (%(subquery)s) AS counted)"
    output_field = IntegerField()


def menu_counts(*, user: User) -> MenuCounts:
    counted: Any = _COUNTED.first(user.pk)
    if not counted:
        return MenuCounts(0, 0, 0, 0)
    invitations = counted.to_games + counted.to_clubs
    return MenuCounts(counted.waiting, invitations, counted.done, counted.missions)


def _counted(person: int) -> QuerySet[User]:
    user, missions = User(pk=person), offered_missions().order_by().select_related(None)
    return (
        User.objects.filter(pk=person)
        .only("pk")
        .annotate(
            waiting=_CountOf(waiting_for(user).values("pk")),
            to_games=_CountOf(invitations_for(user=user).order_by().select_related(None).values("pk")),
            to_clubs=_CountOf(Candidate.objects.filter(user=user, invited=True).order_by().values("pk")),
            done=_CountOf(missions.filter(Exists(won_by(user))).values("pk")),
            missions=_CountOf(missions.values("pk")),
        )
    )


_COUNTED: Final = PreparedQuery(_counted, int)


def menu_context(request: HttpRequest) -> dict[str, object]:
    """Return template context for the menu of every page.

    It has the menu, the operator's pages, the counts of `MenuCounts`, and the new achievements from ended
    games, latest first. It says whether the user may read emails in the admin, and whether the URL is about
    a game. The counts and achievements are only queried on pages that show them.
    """
    user = getattr(request, "user", None) or AnonymousUser()
    everyone: dict[str, object] = {
        "site_menu": SimpleLazyObject(lambda: site_menu(user=user, here=shown_page(request)[1])),
        "asks_for_game": _asks_for_game(request),
        "own_pages": SimpleLazyObject(own_pages),
    }
    if not isinstance(user, User):
        return everyone
    return everyone | {
        "menu": SimpleLazyObject(lambda: menu_counts(user=user)),
        "new_medals": SimpleLazyObject(
            lambda: [medal_of(each) for each in reversed(new_achievements(user=user))]
        ),
        "may_read_mail": may_read_mail(request),
    }


def _asks_for_game(request: HttpRequest) -> bool:
    match = request.resolver_match
    return request.method in SAFE_METHODS and match is not None and GAME_ARGUMENT in match.kwargs
