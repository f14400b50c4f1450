"""Pages of players, contacts, API tokens and personal data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

import rules
from accounts import guests
from accounts.models import Audience, User
from accounts.navigation import is_on_this_site, mail_link_page
from accounts.services import placeholder_of
from games.analysis.pages import over_time
from games.clubs.selectors import clubs_of
from games.competitions.selectors.ladders import places_of
from games.competitions.selectors.tournaments import places_won_by
from games.errors import Invalid, NotFound, number_in, player_named
from games.fleet.pictures import robot_picture
from games.people import contacts
from games.people.inputs import DeletionForm, NewToken, PlayerNote
from games.people.models import Tally
from games.people.selectors.personal_data import write_data_file
from games.people.selectors.profiles import PLAYERS_LISTED, find_players, person_page, person_ratings
from games.people.selectors.records import ACHIEVEMENTS, game_statistics, is_virtual, robot_card
from games.people.services.deletion import delete_account, games_on_deletion
from games.people.services.records import mark_seen
from games.people.tokens import make_token, revoke_own_token, revoke_tokens, tokens_of
from games.play import stored
from games.play.models import Game
from games.play.pages.console import PageContext, game_in, link_in, meaning_of_virtual
from games.play.pages.crew import equipment_name
from games.reading import allow_replica
from games.staff.support import person_of_data_token
from games.standings.models import OVERALL
from games.standings.pages import graph_of, pool_in, tabs_of
from games.standings.selectors.ratings import missing_of
from games.web.actions import Done, action
from games.web.forms import form_of
from games.web.pages import handle_missing, page_of, require_account, user_of, viewer_of
from rules.drawing import medal
from rules.statistics import COUNTERS

# --- Charts and medals --------------------------------------------------------------------------------------


Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """The value of one counter for one robot, and a bar that shows it.

    ``most`` says that the value is above 0, and that no other robot in the game has a higher one.
    """

    value: int
    drawing: SafeString
    most: bool


@dataclass(frozen=True, slots=True)
class CounterLine:
    """The values of one counter for all robots of a game. Each cell has a robot and its bar."""

    name: str
    cells: tuple[tuple[Document, Bar], ...]


def counter_name(counter: str) -> str:
    """Return the name of a counter for readers.

    >>> counter_name("forward"), counter_name("pushed")
    ('Cells moved forward', 'Robots pushed')
    """
    field = Tally._meta.get_field(counter)
    assert isinstance(field, models.Field)
    return capfirst(str(field.verbose_name))


def chart_of(rows: Sequence[Document]) -> list[CounterLine]:
    """Return one line for each counter, with a bar for each robot.

    Each of ``rows`` has the ``look`` (the number of the picture) and the ``counters`` of a robot.
    """
    lines = []
    for counter in COUNTERS:
        values = [row["counters"][counter] for row in rows]
        most = max(values, default=0)
        bars = [
            Bar(value, bar(value, most, row["look"]), most=len(rows) > 1 and 0 < value == most)
            for row, value in zip(rows, values, strict=True)
        ]
        lines.append(CounterLine(counter_name(counter), tuple(zip(rows, bars, strict=True))))
    return lines


def statistics_panel(page: PageContext) -> dict[str, Any]:
    """Return the template context with the statistics of each robot.

    The context is empty unless the game is over and counts for the players' records.
    """
    if page.game.status != Game.Status.OVER or not page.game.leaves_records:
        return {}
    statistics = game_statistics(viewer=page.viewer, game=page.game)
    return {"statistics": statistics, "chart": chart_of(statistics)}


def bar(value: int, most: int, look: int) -> SafeString:
    """Draw a decorative bar in the colour of a robot. The bar has its full length if ``value`` is ``most``.

    >>> 'h50' in bar(2, 4, 1), 'h0' in bar(0, 0, 1)
    (True, True)
    """
    length = round(100 * value / most) if most else 0
    return SafeString(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">'
        '<path class="bar-track" d="M0 5.5h100"/>'
        f'<path class="bar-value" fill="var(--ship-outline-{look})" d="M0 0h{length}v6H0z"/></svg>'
    )


@dataclass(frozen=True, slots=True)
class Sum:
    """The sum of a counter over all of a player's games of one class, and its highest value in one game.

    The classes of games are those in `OPPONENTS`.
    """

    opponents: str | Promise
    sum: int
    best: int


@dataclass(frozen=True, slots=True)
class SumLine:
    """One counter, with the player's sums in each class of games (`OPPONENTS`)."""

    name: str
    cells: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class RulesetRecord:
    """A player's results in one ruleset and one class of games (`OPPONENTS`).

    ``places`` has pairs: a place, and how often the player took that place.
    """

    ruleset: str
    opponents: str | Promise
    games: int
    won: int
    places: tuple[tuple[int, int], ...]


OPPONENTS = {"people": _("With people"), "computers": _("With computers")}
"""The classes of games that have statistics, each with its display name."""


def sums_of(statistics: Document) -> list[SumLine]:
    """Return a line for each counter, with the player's sums in each class of games (`OPPONENTS`)."""
    return [
        SumLine(
            counter_name(counter),
            tuple(Sum(name, **statistics[key]["counters"][counter]) for key, name in OPPONENTS.items()),
        )
        for counter in COUNTERS
    ]


def records_of(statistics: Document) -> list[RulesetRecord]:
    """Return a player's results by class of games and ruleset. Games with people come first."""
    return [
        RulesetRecord(
            ruleset=rules.ruleset(each["ruleset"]).name,
            opponents=name,
            games=each["games"],
            won=each["won"],
            places=tuple(sorted(each["places"].items())),
        )
        for key, name in OPPONENTS.items()
        for each in statistics[key]["rulesets"]
    ]


FRAMES = ("badge", "washer", "nut", "gear")
"""The frames of medals, by the step of the achievement. Steps 1 to 3 go from the easiest to the hardest.

Achievements in a single game have step 0.
"""


@dataclass(frozen=True, slots=True)
class Medal:
    """An achievement as a page shows it. ``goal`` is 0 if the achievement has no progress to show."""

    key: str
    german: str
    english: str
    condition: str
    picture: SafeString
    progress: int
    goal: int
    earned_at: datetime | None
    game: Document | None


def medal_of(achievement: Document) -> Medal:
    return Medal(
        key=achievement["key"],
        german=achievement["german"],
        english=achievement["english"],
        condition=achievement["condition"],
        picture=medal_picture(achievement, earned=achievement["earned_at"] is not None),
        progress=achievement.get("value", 0),
        goal=0 if achievement["in_one_game"] else achievement["goal"],
        earned_at=achievement["earned_at"],
        game=achievement["game"],
    )


def medal_picture(achievement: Document, *, earned: bool = True, name: str = "") -> SafeString:
    """Draw the medal of an achievement. Without a ``name``, screen readers ignore the medal."""
    frame = FRAMES[achievement["step"]]
    return SafeString(medal(achievement["motif"], frame, earned=earned, name=name, theme="page"))


MEDALS_SHOWN: Final = 6
"""The maximum number of medals on a robot's page, and of those on a player's page that are not folded."""


def foremost_medals(medals: Sequence[Medal]) -> list[Medal]:
    """Return the latest medals of a player, and then those with the most progress."""
    ranked = sorted(medals, key=lambda each: each.progress / each.goal if each.goal else 0, reverse=True)
    ranked.sort(key=lambda each: each.earned_at.timestamp() if each.earned_at else 0, reverse=True)
    return ranked[:MEDALS_SHOWN]


# --- Players ------------------------------------------------------------------------------------------------


@require_safe
@allow_replica()
def player_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's page, without the parts hidden from the viewer. The case of the name is ignored."""
    if guests.is_guest(request.user) and robo_name.lower() == request.user.get_username().lower():
        return guests.accounts_only_page(request)
    start = number_in(request.GET.get("start"), digits=6) or 0
    try:
        page = person_page(viewer=viewer_of(request), robo_name=robo_name, start=start)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    context = {"person": page, "start": start, "medals": None}
    shown = player_named(page["robo_name"])
    context |= {"clubs": clubs_of(shown), "won": places_won_by(shown), "rungs": places_of(shown)}
    context["contact"] = _contact(request, shown)
    context["analysed"] = over_time(page["accuracy"]) if page["accuracy"] else None
    context["accuracy_hidden"] = shown.shows_accuracy == Audience.NOBODY
    if page["achievements"] is not None:
        medals = [medal_of(each) for each in page["achievements"]]
        context |= {"medals": medals, "earned": sum(medal.earned_at is not None for medal in medals)}
        context["foremost"] = (foremost := foremost_medals(medals))
        context["folded"] = [medal for medal in medals if medal not in foremost]
    statistics: Any = page["statistics"]
    if statistics is not None:
        context |= {
            "sums": sums_of(statistics),
            "records": records_of(statistics),
            "classes": [(name, statistics[key]["games"]) for key, name in OPPONENTS.items()],
        }
    return render(request, "people/person.html", context)


@require_safe
@allow_replica()
def player_list(request: HttpRequest) -> HttpResponse:
    """Show the players whose Robo Name starts with the search text. Without a text, show only the form."""
    beginning = request.GET.get("name", "").strip()
    context: dict[str, object] = {"beginning": beginning}
    if beginning:
        found = find_players(viewer=viewer_of(request), beginning=beginning)
        context |= {
            "most": PLAYERS_LISTED,
            "page": page_of(request, found),
            "query": urlencode({"name": beginning}),
        }
    return render(request, "people/players.html", context)


@action()
def mark_achievements_seen(request: HttpRequest) -> Done:
    """Mark some of a player's achievements as seen, and return to the previous page."""
    mark_seen(user=user_of(request), keys=request.POST.getlist("key"), now=timezone.now())
    there = request.POST.get("next", "")
    if not is_on_this_site(request, there):
        there = reverse("people:person", args=[user_of(request).robo_name])
    return Done(then=there)


def _contact(request: HttpRequest, person: User) -> contacts.ContactView | None:
    """Return the viewer's contact with a player, or None if the viewer has no account or is that player."""
    viewer = viewer_of(request)
    if not isinstance(viewer, User) or viewer.is_guest or viewer == person:
        return None
    return contacts.contact_of(user=viewer, person=person, now=timezone.now())


@require_safe
@never_cache
@handle_missing
def robot_page(request: HttpRequest, game_id: int, seat: int) -> HttpResponse:
    """Show the robot of a seat. With scripts, the page opens in a window over the game's board."""
    game = game_in(request, game_id)
    card = robot_card(viewer=viewer_of(request), game=game, seat=seat)
    number = seat - game.players.count() if card["scanner"] else card["look"] or 1
    damage = 0 if card["out"] else card["damage"] or 0
    link = link_in(request)
    virtual, ruleset = is_virtual(game=game, seat=seat), stored.setup_of(game).ruleset
    context = {
        "game": game,
        "virtual": meaning_of_virtual(ruleset) if virtual else "",
        "pays": ruleset.spare_lives,
        "card": card,
        "picture": robot_picture(number, scanner=card["scanner"], damage=damage),
        "equipment": equipment_name(card["equipment"]),
        "medals": [
            medal_picture(each, name=gettext(each["english"]))
            for each in (card["achievements"] or ())[:MEDALS_SHOWN]
        ],
        "medals_of": len(ACHIEVEMENTS),
        "query": f"?{urlencode({'link': link})}" if link else "",
    }
    return render(request, "play/robot.html", context)


STEPS_LISTED: Final = 20
"""The maximum number of games listed below the graph of a rating. The latest games are listed."""


@require_safe
@allow_replica()
def ratings_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's rating in one ruleset or overall, and its history unless the player hides it."""
    pool, now = pool_in(request), timezone.now()
    try:
        found = person_ratings(viewer=viewer_of(request), robo_name=robo_name, pool=pool, now=now)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    keys = [each["ruleset"] or OVERALL for each in found.ratings]
    context = {
        "found": found,
        "tabs": tabs_of(keys, pool) if pool in keys else tabs_of([*keys, pool], pool),
        "graph": graph_of(found.steps, now) if found.steps is not None else None,
        "latest": [(step, found.games.get(step.game)) for step in reversed(found.steps or [])][:STEPS_LISTED],
        "missing": missing_of(found.rating) if found.rating else None,
    }
    return render(request, "people/ratings.html", context)


# --- Contacts -----------------------------------------------------------------------------------------------


@require_safe
@login_required
@require_account
def contact_list(request: HttpRequest) -> HttpResponse:
    return render(
        request, "people/contacts.html", contacts.contacts_of(user=user_of(request), now=timezone.now())
    )


CONTACT_ACTIONS: Final[dict[str, tuple[Callable[..., object], Promise]]] = {
    "follow": (contacts.follow, _("You follow {player}.")),
    "unfollow": (contacts.unfollow, _("You no longer follow {player}.")),
    "block": (contacts.block, _("You blocked {player}.")),
    "unblock": (contacts.unblock, _("You unblocked {player}.")),
    "house": (contacts.add_housemate, _("{player} is marked as your housemate.")),
    "unhouse": (contacts.remove_housemate, _("{player} is no longer marked as your housemate.")),
}
"""The actions on another player, each with its service and its success message."""


@action()
def change_contact(request: HttpRequest, robo_name: str) -> Done | None:
    """Follow or block a player, mark a player as a housemate, or undo one of these actions."""
    do = request.POST.get("do", "")
    if do not in CONTACT_ACTIONS:
        return None
    change, says = CONTACT_ACTIONS[do]
    begins = {} if do.startswith("un") else {"now": timezone.now()}
    change(user=user_of(request), robo_name=robo_name, **begins)
    return Done(str(says).format(player=robo_name))


@action(form_of(PlayerNote))
def save_note(request: HttpRequest, robo_name: str, asked: dict[str, Any]) -> Done:
    contacts.write_note(user=user_of(request), robo_name=robo_name, **asked, now=timezone.now())
    return Done(gettext("Your note about {player} is saved.").format(player=robo_name))


# --- API tokens ---------------------------------------------------------------------------------------------


NewTokenForm = form_of(NewToken)


def _token_page(request: HttpRequest) -> dict[str, Any]:
    return {"tokens": tokens_of(user=user_of(request))}


@never_cache
@action(NewTokenForm, template="people/tokens.html", context=_token_page, reauthenticate=True)
def token_list(request: HttpRequest, asked: dict[str, Any]) -> HttpResponse:
    """List the viewer's API tokens, or create a token. A new token is shown only once, in this response."""
    made = make_token(user=user_of(request), **asked, now=timezone.now())
    context = {**_token_page(request), "form": NewTokenForm(), "made": made}
    return render(request, "people/tokens.html", context)


@action(says=_("Token revoked."), then="people:tokens", reauthenticate=True)
def revoke_one(request: HttpRequest, token_id: int) -> None:
    revoke_own_token(user=user_of(request), token_id=token_id)


@action(says=_("All tokens revoked."), then="people:tokens", reauthenticate=True)
def revoke_all_tokens(request: HttpRequest) -> None:
    revoke_tokens(user=user_of(request))


# --- Personal data ------------------------------------------------------------------------------------------


@require_safe
@login_required
@require_account
def personal_data(request: HttpRequest) -> HttpResponse:
    """Show which kinds of personal data the site stores, with a link to the download."""
    return render(request, "people/data.html")


@require_safe
@never_cache
@login_required
@require_account
@reauthentication_required  # type: ignore[untyped-decorator]
def download_data(request: HttpRequest) -> HttpResponse:
    """Return all of a person's data as a person/1 document, after a password check."""
    return data_file_of(user_of(request), "robo-runner-my-data.json")


@mail_link_page(person_of_data_token, unknown="people/data_unknown.html")
def data_by_link(request: HttpRequest, person: User) -> HttpResponse:
    """Offer the file of personal data to a person with a link from staff. On POST, return the file."""
    if request.method == "POST":
        return data_file_of(person, "robo-runner-my-data.json")
    return render(request, "people/data_by_link.html", {"person": person})


def data_file_of(person: User, filename: str) -> HttpResponse:
    """Return a person's data as a download with the given file name."""
    file = BytesIO()
    write_data_file(file, user=person, now=timezone.now())
    attached = f'attachment; filename="{filename}"'
    return HttpResponse(
        file.getvalue(), content_type="application/json", headers={"Content-Disposition": attached}
    )


def _what_goes(request: HttpRequest) -> dict[str, Any]:
    user = user_of(request)
    return {"parting": games_on_deletion(user=user), "placeholder": placeholder_of(user)}


@never_cache
@action(
    DeletionForm,
    template="people/delete.html",
    context=_what_goes,
    says=_("Your account was deleted."),
    then="pages:home",
    reauthenticate=True,
)
def delete_account_page(request: HttpRequest, asked: dict[str, Any]) -> None:
    """Explain the deletion of an account. On POST, delete the reader's account."""
    user = user_of(request)
    if asked["robo_name"].lower() != user.robo_name.lower():
        detail = gettext("This is not your Robo Name. Enter “{name}”.").format(name=user.robo_name)
        raise Invalid("robo-name", detail, [{"code": "robo_name", "detail": detail}])
    delete_account(user=user, takes_chat=asked["takes_chat"], now=timezone.now())
    logout(request)
