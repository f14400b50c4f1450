"""Player pages, contacts, API tokens, and the pages to download or delete personal data."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from typing import Any, Final
from urllib.parse import urlencode

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

import rules
from accounts import guests
from accounts.models import User
from accounts.navigation import is_here, only_by_form
from accounts.services import placeholder_of
from games.clubs.selectors import clubs_of
from games.competitions.selectors.ladders import places_of
from games.competitions.selectors.tournaments import places_won_by
from games.errors import NotFound, ServiceError, number_in, player_named
from games.fleet.pictures import robot_picture
from games.people.contacts import (
    ContactView,
    add_housemate,
    block,
    contact_of,
    contacts_of,
    follow,
    remove_housemate,
    unblock,
    unfollow,
    write_note,
)
from games.people.models import LIFETIME, LONGEST_TOKEN_NAME, Tally
from games.people.selectors.personal_data import write_data_file
from games.people.selectors.profiles import PLAYERS_LISTED, find_players, person_page, person_ratings
from games.people.selectors.records import ACHIEVEMENTS, game_statistics, is_virtual, robot_card
from games.people.services.deletion import delete_account, parting_of
from games.people.services.records import mark_seen
from games.people.tokens import (
    LONGEST_LIFETIME,
    MOST_TOKENS,
    make_token,
    revoke_own_token,
    revoke_tokens,
    tokens_of,
)
from games.play import stored
from games.play.models import Game
from games.play.pages.console import Sight, game_in, link_in, meaning_of_virtual
from games.play.pages.crew import equipment_name
from games.reading import may_be_old
from games.standings.models import ALL
from games.standings.pages import graph_of, pool_in, tabs_of
from games.standings.selectors.ratings import missing_of
from games.web.pages import for_people, hides_what_is_not_there, page_of, user_of, viewer_of
from rules.drawing import medal
from rules.statistics import COUNTERS

# --- Charts and medals --------------------------------------------------------------------------------------


Document = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """One robot's counter: the value, and a bar as long as it is among those of the others."""

    value: int
    drawing: SafeString
    most: bool


@dataclass(frozen=True, slots=True)
class CounterLine:
    """One counter of all robots, in the order of the robots."""

    name: str
    cells: tuple[tuple[Document, Bar], ...]


def counter_name(counter: str) -> str:
    """Return what a counter is called.

    >>> counter_name("forward"), counter_name("pushed")
    ('Cells walked forward', 'Robots pushed')
    """
    field = Tally._meta.get_field(counter)
    assert isinstance(field, models.Field)
    return capfirst(str(field.verbose_name))


def chart_of(rows: Sequence[Document]) -> list[CounterLine]:
    """Return every counter as a line: rows have a robot's ``look`` and its ``counters`` each."""
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


def statistics_panel(sight: Sight) -> dict[str, Any]:
    """Return what each robot did in a game that is over; not of one that counts for nothing."""
    if sight.game.status != Game.Status.OVER or not sight.game.leaves_records:
        return {}
    statistics = game_statistics(viewer=sight.viewer, game=sight.game)
    return {"statistics": statistics, "chart": chart_of(statistics)}


def bar(value: int, most: int, look: int) -> SafeString:
    """Draw a bar that is full at ``most``, in the colour of a robot's look; decoration beside the number.

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
    """A counter over all games of a class, and in the best single one."""

    opponents: str | Promise
    sum: int
    best: int


@dataclass(frozen=True, slots=True)
class SumLine:
    """One counter in every class of games."""

    name: str
    cells: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class RulesetRecord:
    """How a player did by one ruleset, in one class of games; ``places`` with how often each was taken."""

    ruleset: str
    opponents: str | Promise
    games: int
    won: int
    places: tuple[tuple[int, int], ...]


OPPONENTS = {"people": _("Among people"), "computers": _("With computers")}
"""The classes of games that have statistics."""


def sums_of(statistics: Document) -> list[SumLine]:
    """Return every counter with its sums, by class of games."""
    return [
        SumLine(
            counter_name(counter),
            tuple(Sum(name, **statistics[key]["counters"][counter]) for key, name in OPPONENTS.items()),
        )
        for counter in COUNTERS
    ]


def records_of(statistics: Document) -> list[RulesetRecord]:
    """Return how a player did by each ruleset, those among people first."""
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
"""Frames of medals by step; what is done in one game has no step."""


@dataclass(frozen=True, slots=True)
class Medal:
    """An achievement to show: ``goal`` is 0 where there is no progress towards it."""

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
    """Draw an achievement's medal: decoration, where it has no ``name``."""
    frame = FRAMES[achievement["step"]]
    return SafeString(medal(achievement["motif"], frame, earned=earned, name=name, theme="page"))


# --- Players ------------------------------------------------------------------------------------------------


@require_safe
@may_be_old()
def player_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show a player's page, as far as the viewer may see it; the Robo Name in any case."""
    if guests.is_guest(request.user) and robo_name.lower() == request.user.get_username().lower():
        return guests.refuse(request)
    start = number_in(request.GET.get("start"), digits=6) or 0
    try:
        page = person_page(viewer=viewer_of(request), robo_name=robo_name, start=start)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    context = {"person": page, "start": start, "medals": None}
    shown = player_named(page["robo_name"])
    context |= {"clubs": clubs_of(shown), "won": places_won_by(shown), "rungs": places_of(shown)}
    context["contact"] = _contact(request, shown)
    if page["achievements"] is not None:
        medals = [medal_of(each) for each in page["achievements"]]
        context |= {"medals": medals, "earned": sum(medal.earned_at is not None for medal in medals)}
    statistics: Any = page["statistics"]
    if statistics is not None:
        context |= {
            "sums": sums_of(statistics),
            "records": records_of(statistics),
            "classes": [(name, statistics[key]["games"]) for key, name in OPPONENTS.items()],
        }
    return render(request, "people/person.html", context)


@require_safe
@may_be_old()
def player_list(request: HttpRequest) -> HttpResponse:
    """Find players by the beginning of their Robo Name; without one, only ask for it."""
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


@only_by_form
@login_required
@for_people
def mark_achievements_seen(request: HttpRequest) -> HttpResponse:
    """Take note that a player knows what they have earned, and go back to where they were."""
    mark_seen(user=user_of(request), keys=request.POST.getlist("key"), now=timezone.now())
    there = request.POST.get("next", "")
    if not is_here(request, there):
        there = reverse("people:person", args=[user_of(request).robo_name])
    return redirect(there)


def _contact(request: HttpRequest, person: User) -> ContactView | None:
    """Return what the reader has to do with a player; None for strangers, guests and on their own page."""
    viewer = viewer_of(request)
    if not isinstance(viewer, User) or viewer.is_guest or viewer == person:
        return None
    return contact_of(user=viewer, person=person, now=timezone.now())


MEDALS_SHOWN = 6
"""How many of a player's medals are shown, the latest first."""


@require_safe
@never_cache
@hides_what_is_not_there
def robot_page(request: HttpRequest, game_id: int, seat: int) -> HttpResponse:
    """Show the robot of a seat; with a script, the game's page shows the same in front of the board."""
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
"""Games that are listed below the graph."""


@require_safe
@may_be_old()
def ratings_page(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Show how good a player is, in one ruleset or in all, and as far as they show it, how that came."""
    pool, now = pool_in(request), timezone.now()
    try:
        found = person_ratings(viewer=viewer_of(request), robo_name=robo_name, pool=pool, now=now)
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    keys = [each["ruleset"] or ALL for each in found.ratings]
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
@for_people
def contact_list(request: HttpRequest) -> HttpResponse:
    """Show the players with whom someone has to do."""
    return render(request, "people/contacts.html", contacts_of(user=user_of(request), now=timezone.now()))


@only_by_form
@login_required
@for_people
def change_contact(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Follow or block a player, or say that one lives with them; or do so no more."""
    user, now = user_of(request), timezone.now()
    deeds: dict[str, tuple[str, Callable[[], object]]] = {
        "follow": (gettext("You follow {player}."), lambda: follow(user=user, robo_name=robo_name, now=now)),
        "unfollow": (
            gettext("You no longer follow {player}."),
            lambda: unfollow(user=user, robo_name=robo_name),
        ),
        "block": (gettext("You blocked {player}."), lambda: block(user=user, robo_name=robo_name, now=now)),
        "unblock": (gettext("You unblocked {player}."), lambda: unblock(user=user, robo_name=robo_name)),
        "house": (
            gettext("You said that you live with {player}."),
            lambda: add_housemate(user=user, robo_name=robo_name, now=now),
        ),
        "unhouse": (
            gettext("You no longer say that you live with {player}."),
            lambda: remove_housemate(user=user, robo_name=robo_name),
        ),
    }
    deed = deeds.get(request.POST.get("do", ""))
    return _contacts_changed(request, robo_name, *deed) if deed else redirect("people:person", robo_name)


@only_by_form
@login_required
@for_people
def save_note(request: HttpRequest, robo_name: str) -> HttpResponse:
    """Keep what someone notes about a player."""
    text = request.POST.get("text", "")
    return _contacts_changed(
        request,
        robo_name,
        gettext("Your note about {player} is saved."),
        lambda: write_note(user=user_of(request), robo_name=robo_name, text=text, now=timezone.now()),
    )


def _contacts_changed(
    request: HttpRequest, robo_name: str, said: str, act: Callable[[], object]
) -> HttpResponse:
    """Do it and say so, or say what is wrong, on the player's page."""
    try:
        act()
    except NotFound as error:
        return render(request, "people/unknown.html", {"detail": error.detail}, status=error.status)
    except ServiceError as refusal:
        messages.error(request, refusal.detail)
    else:
        messages.success(request, said.format(player=robo_name))
    return redirect(reverse("people:person", args=[robo_name]))


# --- API tokens ---------------------------------------------------------------------------------------------


LIFETIMES = (30, LIFETIME, 180, LONGEST_LIFETIME)
"""For how many days a token can be made on the page; programs may ask for any number up to the last."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def token_list(request: HttpRequest) -> HttpResponse:
    """Show the caller's tokens; make another one, which the answer alone has in it."""
    if request.method != "POST":
        return _token_page(request)
    name, days = request.POST.get("name", ""), request.POST.get("days", str(LIFETIME))
    try:
        good = number_in(days, digits=4) or 0
        made = make_token(user=user_of(request), name=name, days=good, now=timezone.now())
    except ServiceError as refusal:
        return _token_page(request, refusal=refusal, name=name)
    return _token_page(request, made=made)


@only_by_form
@login_required
@for_people
@hides_what_is_not_there
@reauthentication_required  # type: ignore[untyped-decorator]
def revoke_one(request: HttpRequest, token_id: int) -> HttpResponse:
    """Make one of the caller's tokens worthless."""
    revoke_own_token(user=user_of(request), token_id=token_id)
    messages.success(request, gettext("That token opens nothing any more."))
    return redirect("people:tokens")


@only_by_form
@login_required
@for_people
@reauthentication_required  # type: ignore[untyped-decorator]
def revoke_all_tokens(request: HttpRequest) -> HttpResponse:
    """Make all of the caller's tokens worthless."""
    revoke_tokens(user=user_of(request))
    messages.success(request, gettext("None of your tokens opens anything any more."))
    return redirect("people:tokens")


def _token_page(
    request: HttpRequest, *, made: str = "", refusal: ServiceError | None = None, name: str = ""
) -> HttpResponse:
    """Answer with the page; with the token that was ``made``, or what was refused and the name typed."""
    context = {
        "tokens": tokens_of(user=user_of(request)),
        "made": made,
        "refusal": refusal,
        "name": name,
        "longest": LONGEST_TOKEN_NAME,
        "most": MOST_TOKENS,
        "lifetimes": LIFETIMES,
        "lifetime": LIFETIME,
    }
    return render(request, "people/tokens.html", context, status=refusal.status if refusal else 200)


# --- Personal data ------------------------------------------------------------------------------------------


class PartingForm(forms.Form):
    """The Robo Name, to be sure, and what is to become of what someone said."""

    robo_name = forms.CharField(
        label=_("Your Robo Name"),
        help_text=_("Type it again to confirm."),
        error_messages={
            "required": _("Type your Robo Name to confirm that you want to delete your account.")
        },
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    takes_chat = forms.BooleanField(
        label=_("Also delete my messages in chats, and the texts of my reviews"),
        required=False,
        help_text=_(
            "Otherwise they stay for those who answered, without your name and address. The stars that you"
            " gave stay."
        ),
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        self._name = user.robo_name

    def clean_robo_name(self) -> str:
        """Accept the person's own name, in whatever case."""
        typed = str(self.cleaned_data["robo_name"])
        if typed.lower() != self._name.lower():
            raise forms.ValidationError(
                gettext("This is not your Robo Name. Type “{name}”.").format(name=self._name)
            )
        return typed


@require_safe
@login_required
@for_people
def personal_data(request: HttpRequest) -> HttpResponse:
    """Say what is held about the person who asks, and let them take it along."""
    return render(request, "people/data.html")


@require_safe
@never_cache
@login_required
@for_people
@reauthentication_required  # type: ignore[untyped-decorator]
def download_data(request: HttpRequest) -> HttpResponse:
    """Answer with all of it as a person/1 document, once they have given their password."""
    file = BytesIO()
    write_data_file(file, user=user_of(request), now=timezone.now())
    attached = 'attachment; filename="robo-runner-my-data.json"'
    return HttpResponse(
        file.getvalue(), content_type="application/json", headers={"Content-Disposition": attached}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@for_people
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def delete_account_page(request: HttpRequest) -> HttpResponse:
    """Say what becomes of an account that is deleted; delete it, once its person has given their password."""
    user = user_of(request)
    form = PartingForm(request.POST or None, user=user)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            delete_account(user=user, takes_chat=form.cleaned_data["takes_chat"], now=timezone.now())
        except ServiceError as refusal:
            form.add_error(None, refusal.detail)
            status = refusal.status
        else:
            logout(request)
            messages.success(request, gettext("Your account is deleted. Goodbye."))
            return redirect("pages:home")
    context = {
        "form": form,
        "parting": parting_of(user=user),
        "placeholder": placeholder_of(user),
    }
    return render(request, "people/delete.html", context, status=status)
