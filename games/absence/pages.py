"""Pages about standing orders, open seats, resigning and leaving."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.inputs import SegmentsSelect
from accounts.models import Standing, User
from accounts.navigation import only_by_form
from games.absence.missed_turns import change_standing, change_standing_of_game
from games.absence.news import WHY
from games.absence.seats import give_up_seat, resign_game, take_seat
from games.absence.selectors import outcome_of, seat_to_return_to, seats_offered, why_not_back, why_not_resign
from games.errors import Forbidden, Malformed, NotFound, ServiceError
from games.play import policy, stored
from games.play.models import Game, Replacement, Seat
from games.play.pages.actions import LEAVES_THE_PAGE, for_its_players
from games.play.pages.console import Sight, game_in, game_page, link_in, path_of
from games.play.selectors import left_in_words, seats_of
from games.play.viewers import seat_of
from games.web.pages import for_people, hides_what_is_not_there, sign_in_first, user_of

MEANINGS = {
    Standing.LAID: _("what lies in your draft is played, and chance fills the empty registers"),
    Standing.AHEAD: _(
        "what lies in your draft is played, and chips that move ahead fill the empty registers, slow"
        " ones first"
    ),
    Standing.DOWN: _("as laid, with power-down ordered; a robot that is down stays down until you are back"),
}
"""What each of the standing orders means."""

NO_STANDING = _("Choose one of the standing orders: as laid, straight ahead or power down.")


def _help() -> str:
    return " ".join(
        gettext("{choice}: {meaning}.").format(choice=standing.label, meaning=meaning)
        for standing, meaning in MEANINGS.items()
    )


class StandingForm(forms.Form):
    """What is played where someone misses a turn, in all their games."""

    standing = forms.ChoiceField(
        label=_("When I miss a turn"),
        choices=Standing.choices,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        more.setdefault("initial", {"standing": user.standing})
        super().__init__(*args, **more)
        self.fields["standing"].help_text = _help()


class GameStandingForm(forms.Form):
    """What is played where someone misses a turn of one game."""

    standing = forms.ChoiceField(
        label=_("When I miss a turn of this game"),
        required=False,
        widget=SegmentsSelect,
        error_messages={"invalid_choice": NO_STANDING},
    )

    def __init__(self, *args: Any, seat: Seat, **more: Any) -> None:
        more.setdefault("initial", {"standing": seat.standing})
        super().__init__(*args, **more)
        field = self.fields["standing"]
        assert isinstance(field, forms.ChoiceField)
        field.help_text = _help()
        field.choices = [("", gettext("Same as for all games")), *Standing.choices]


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
@login_required
def standing(request: HttpRequest) -> HttpResponse:
    """Show what is played where someone misses a turn, to be changed."""
    user = user_of(request)
    form = StandingForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        change_standing(user=user, standing=form.cleaned_data["standing"])
        messages.success(request, gettext("Your standing orders are saved."))
        return redirect("people:standing")
    return render(request, "absence/settings.html", {"form": form}, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@for_its_players(_("You have no seat in this game, so you cannot miss its turns."))
def standing_of_game(request: HttpRequest, game: Game, seat: Seat) -> HttpResponse:
    """Show what is played where someone misses a turn of a game; where that is up to them, it is changed."""
    user = user_of(request)
    form = GameStandingForm(request.POST if request.method == "POST" else None, seat=seat)
    if form.is_valid():
        change_standing_of_game(user=user, game_id=game.pk, standing=form.cleaned_data["standing"])
        messages.success(request, gettext("Your standing orders for this game are saved."))
        return redirect("games:game", game.pk)
    context = {
        "game": game,
        "form": form,
        "general": Standing(user.standing).label,
        "counts": stored.absence_of(game).policy == policy.STANDING and not game.ended_at,
        "left": left_in_words(seat=seat) if game.started_at else "",
    }
    return render(request, "absence/standing_orders.html", context, status=422 if form.is_bound else 200)


def offers_panel(sight: Sight) -> dict[str, Any]:
    """Return the seats that a viewer without one may take over, and the one that was theirs, if so.

    A person who was sent away, or has resigned, is told so instead.
    """
    game = sight.game
    if sight.seat is not None:
        return {}
    user = sight.viewer
    person = user if isinstance(user, User) and game.status == Game.Status.RUNNING else None
    if person and (why := why_not_back(user=person, game=game)):
        return {"says": why}
    offers = seats_offered(seats=seats_of(game), game=game)
    own = seat_to_return_to(user=person, game=game) if offers and person else None
    lost = WHY.get(Replacement.Reason(own.replacements.latest("pk").reason)) if own else None
    return {"offers": offers, "own": own, "own_lost": lost}


@only_by_form
@hides_what_is_not_there
def take(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Take a seat over from its computer, or come back to one's own."""
    game = game_in(request, game_id)
    if not request.user.is_authenticated:
        return sign_in_first(path_of(request, game_id))
    try:
        take_seat(
            user=user_of(request), game_id=game.pk, seat=number, link=link_in(request), now=timezone.now()
        )
    except ServiceError as refusal:
        if isinstance(refusal, NotFound) and refusal.code in LEAVES_THE_PAGE:
            raise
        return game_page(request, game_id, refusal=refusal)
    messages.success(request, gettext("The seat and its robot are yours now."))
    return redirect("games:game", game.pk)


WAYS = {"resign": resign_game, "leave": give_up_seat}


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@hides_what_is_not_there
def resign(request: HttpRequest, game_id: int) -> HttpResponse:
    """Say what it does to resign from a game, and to leave it; on POST do one of these."""
    game = game_in(request, game_id)
    refusal: ServiceError | None = None
    if request.method == "POST":
        try:
            return _done(request, game)
        except ServiceError as error:
            if isinstance(error, NotFound) and error.code in LEAVES_THE_PAGE:
                raise
            refusal, game = error, game_in(request, game_id)
    seat = seat_of(viewer=user_of(request), game=game)
    if seat is None:
        refusal = refusal or Forbidden(
            "no-seat", gettext("You have no seat in this game, so there is nothing to resign.")
        )
        return game_page(request, game_id, refusal=refusal)
    return _page(request, game, seat, refusal)


def _done(request: HttpRequest, game: Game) -> HttpResponse:
    way = request.POST.get("how", "")
    if way not in WAYS:
        raise Malformed("how", gettext("Choose whether to resign or to leave."))
    ends = {"yes": True, "no": False}.get(request.POST.get("ends", ""))
    after = WAYS[way](user=user_of(request), game_id=game.pk, ends=ends, now=timezone.now())
    if after.status == Game.Status.RUNNING:
        said = (
            gettext("You resigned. A Rookie plays on.")
            if way == "resign"
            else gettext("You left. A Rookie plays on.")
        )
        messages.success(request, said)
    else:
        messages.success(request, gettext("The game is over."))
    return redirect("games:game", game.pk)


def _page(request: HttpRequest, game: Game, seat: Seat, refusal: ServiceError | None) -> HttpResponse:
    why_not = why_not_resign(game=game, seat=seat)
    context: dict[str, Any] = {"game": game, "seat": seat, "refusal": refusal, "why_not": why_not}
    if not why_not:
        resigned = outcome_of(game=game, seat=seat, resigns=True)
        left = outcome_of(game=game, seat=seat, resigns=False)
        context |= {"resigned": resigned, "left": left, "alone": left.ends, "competes": game.in_competition}
    return render(request, "absence/resignation.html", context, status=refusal.status if refusal else 200)
