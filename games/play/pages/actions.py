"""Players' actions on the game page: orders, drafts, redraws, switching robots on, and settings."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.limits import PREVIEWS, SUBMITTING, limited
from accounts.models import Frequency
from accounts.navigation import mail_link_page, post_only, show_as
from games.errors import Forbidden, Invalid, Malformed, ServiceError, number_in
from games.news.inputs import GameNews
from games.play.models import Game, Seat
from games.play.orders import (
    NewerOrders,
    drop_draft,
    mark_turn_seen,
    pass_screen,
    redeal_hand,
    save_draft,
    submit_orders,
    wake_robot,
)
from games.play.pages.console import game_in, game_page, path_of, query_in, requested_parts, turn_page
from games.play.pages.panel import orders_in_form, saved_at
from games.play.preview import ForeseenTurn, foresee
from games.play.reminders import (
    ReminderRequest,
    check_waits,
    reminder_in_words,
    reminder_request,
    request_reminder,
)
from games.play.selectors import unsubscribe_seat
from games.play.services import change_game_mail, stop_mail_of_game
from games.play.stored import mark_of
from games.play.viewers import game_for, seat_of
from games.reading import snapshot
from games.web import actions as web
from games.web.actions import Done, Outcome
from games.web.forms import form_of
from games.web.pages import handle_missing, user_of, viewer_of

GameNewsForm = form_of(GameNews)

Act = Callable[..., Any]


def show_refusal(
    request: HttpRequest, game_id: int, *, refusal: ServiceError, **place: object
) -> HttpResponse:
    """Show the page of a game as it is now, with the reason why an action was refused."""
    return game_page(request, game_id, refusal=refusal)


def seat_for(request: HttpRequest, game_id: int, otherwise: Promise) -> tuple[Game, Seat]:
    """Return a game and the reader's seat in it.

    Raises NotFound if the reader may not see the game. Raises Forbidden with the message ``otherwise`` if the
    reader has no seat.
    """
    game = game_in(request, game_id)
    seat = seat_of(viewer=user_of(request), game=game)
    if seat is None:
        raise Forbidden("no-seat", str(otherwise))
    return game, seat


def game_action(
    *, refused_on: web.Page = show_refusal, **declared: Any
) -> Callable[[Act], Callable[..., HttpResponse]]:
    """Return a decorator that makes a function the view of an action on a game.

    Errors appear on the game's page. Anonymous visitors must log in first. They then return to the game's
    page. The address keeps the private link.
    """

    def declare(act: Act) -> Callable[..., HttpResponse]:
        @web.action(**declared, refused_on=refused_on, guests=True)
        @wraps(act)
        def take(request: HttpRequest, game_id: int, **place: Any) -> Outcome:
            outcome: Outcome = act(request, game_in(request, game_id), **place)
            return outcome

        @post_only
        @handle_missing
        @wraps(act)
        def page(request: HttpRequest, game_id: int, **place: Any) -> HttpResponse:
            if request.user.is_authenticated:
                return take(request, game_id=game_id, **place)
            game_in(request, game_id)
            return redirect_to_login(path_of(request, game_id))

        return page

    return declare


action = game_action()


@require_safe
@never_cache
@handle_missing
def game(request: HttpRequest, game_id: int) -> HttpResponse:
    return game_page(request, game_id)


@require_safe
@never_cache
@handle_missing
def parts(request: HttpRequest, game_id: int) -> HttpResponse:
    """Return the changed parts of a game page that is open in a browser.

    The parameter `only` names the wanted parts. `has` gives the marks (short hashes) of the parts that the
    page already has. A part has changed if its mark is different now.
    """
    show_as(request, "games:game", game_id, query=query_in(request))
    try:
        asked = requested_parts(request)
    except Malformed as error:
        return JsonResponse(error.document, status=error.status)
    return game_page(request, game_id, asked=asked)


@require_safe
@handle_missing
def turn(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    found = game_in(request, game_id)
    if number == found.turn and number != found.last_played:
        return redirect(path_of(request, game_id))  # under way: the game's page shows it
    return turn_page(request, found, number)


def show_refused_orders(
    request: HttpRequest, game_id: int, *, refusal: ServiceError, **place: object
) -> HttpResponse:
    """Show the page of a game as it is now, with the reason why orders were refused.

    If the player can correct the orders or send them again, the form keeps them.
    """
    again = isinstance(refusal, Invalid | Malformed | NewerOrders)
    document = orders_in_form(request.POST) if again else None
    return game_page(request, game_id, refusal=refusal, document=document)


orders_action = game_action(refused_on=show_refused_orders)


@limited(SUBMITTING)
@orders_action
def orders(request: HttpRequest, game: Game, number: int) -> Outcome:
    """Submit orders for a turn. If they would destroy the robot, ask the player for confirmation first."""
    document = orders_in_form(request.POST)
    with snapshot():
        if (fatal := _fatal_surprise(request, game.pk, number, document)) is not None:
            return game_page(request, game.pk, document=document, foreseen=fatal)
    submit_orders(
        user=user_of(request),
        game_id=game.pk,
        turn_number=number,
        document=document,
        instead_of=request.POST.get("instead_of"),
        screen=_screen_in(request),
        now=timezone.now(),
    )
    return Done(_received(number, document), game)


@limited(PREVIEWS)
def preview(request: HttpRequest, game_id: int, number: int) -> HttpResponse:
    """Show the effect of orders if no other robot gets in the way (GR-1.1). Nothing is saved."""
    with snapshot():
        return _look(request, game_id=game_id, number=number)


@orders_action
def _look(request: HttpRequest, game: Game, number: int) -> HttpResponse:
    document, screen = orders_in_form(request.POST), _screen_in(request)
    seen = foresee(viewer=viewer_of(request), game=game, turn_number=number, document=document, screen=screen)
    return game_page(request, game.pk, document=document, foreseen=seen)


@orders_action
def draft(request: HttpRequest, game: Game, number: int) -> Done:
    """Save orders as a draft, or delete the draft."""
    user = user_of(request)
    if "drop" in request.POST:
        drop_draft(user=user, game_id=game.pk, turn_number=number)
        return Done(then=game)
    document, screen = orders_in_form(request.POST), _screen_in(request)
    kept = save_draft(
        user=user,
        game_id=game.pk,
        turn_number=number,
        document=document,
        screen=screen,
        now=timezone.now(),
    )
    if kept:
        return Done(gettext("Draft, saved {time}: not submitted.").format(time=saved_at(kept.saved_at)), game)
    messages.info(request, gettext("You have not changed your orders, so there is nothing to save."))
    return Done(then=game)


@game_action(says=_("You have redrawn your hand."))
def redeal(request: HttpRequest, game: Game, number: int) -> Done:
    """Redraw a hand. Orders that need no chips, such as a heading, are saved as a draft."""
    rest = {key: value for key, value in orders_in_form(request.POST).items() if key != "registers"}
    redeal_hand(
        user=user_of(request),
        game_id=game.pk,
        turn_number=number,
        rest=rest,
        screen=_screen_in(request),
        now=timezone.now(),
    )
    return Done(then=game)


@game_action(says=_("Your robot is on. Here is your hand."))
def wake(request: HttpRequest, game: Game, number: int) -> Done:
    """Switch a robot on, and show its hand."""
    screen = _screen_in(request)
    wake_robot(user=user_of(request), game_id=game.pk, turn_number=number, screen=screen, now=timezone.now())
    return Done(then=game)


@action
def screen(request: HttpRequest, game: Game) -> Done:
    """Show the hand of a seat in a game on one screen. Without a seat, hide the hand."""
    given = request.POST.get("seat")
    seat = number_in(given, digits=3)
    if given and seat is None:
        raise Malformed("seat", gettext("Give the number of a seat."))
    pass_screen(user=user_of(request), game_id=game.pk, seat=seat, now=timezone.now())
    return Done(then=game)


def _screen_in(request: HttpRequest) -> int | None:
    """Return the seat that a form of a game on one screen is for. Other games have no such field."""
    return number_in(request.POST.get("screen"), digits=3)


def _fatal_surprise(
    request: HttpRequest, game_id: int, number: int, document: dict[str, Any]
) -> ForeseenTurn | None:
    """Return the preview of orders that destroy the robot, unless the player was warned about them.

    Otherwise return None. Also return None for orders with errors, because `submit_orders` refuses them.
    """
    warned = request.POST.get("despite") == mark_of(document)
    if warned or "registers" not in document or not user_of(request).aid:
        return None
    game = game_in(request, game_id)
    try:
        seen = foresee(
            viewer=viewer_of(request),
            game=game,
            turn_number=number,
            document=document,
            screen=_screen_in(request),
        )
    except ServiceError:
        return None
    return seen if seen.warning else None


def _received(turn: int, document: dict[str, Any]) -> str:
    if turn == 0:
        return gettext("Your choice of heading is in.")
    if "registers" not in document:
        return gettext("Your orders for turn {turn} are in.").format(turn=turn)
    return gettext("Your program for turn {turn} is in.").format(turn=turn)


@action
def seen(request: HttpRequest, game: Game) -> HttpResponse:
    """Mark a turn as seen by the player.

    A script can send ``has``: the parts of its page, each with its mark (a short hash). The response then
    contains the parts that have changed.
    """
    number = number_in(request.POST.get("turn"), digits=9)
    if number is None:
        raise Malformed("turn", gettext("Give the number of the last turn that you have watched."))
    seat = mark_turn_seen(user=user_of(request), game=game, turn_number=number)
    if "has" in request.GET:
        return game_page(request, game.pk, asked=requested_parts(request))
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"seen": seat.seen_turn})
    return redirect("games:game", game.pk)


def _news_of_game(request: HttpRequest, game_id: int) -> dict[str, Any]:
    otherwise = _("You have no seat in this game, so you get no notifications about it.")
    game, seat = seat_for(request, game_id, otherwise)
    general = Frequency(user_of(request).manner)
    return {
        "game": game,
        "initial": {"manner": seat.manner},
        "general": general.label,
        "silent": general == Frequency.NONE,
    }


@web.action(
    GameNewsForm,
    template="news/settings_of_game.html",
    context=_news_of_game,
    refused_on=show_refusal,
    says=_("Your notification settings for this game are saved."),
    guests=True,  # guests need a seat like anyone, and learn nothing of private games
)
def news_of_game(request: HttpRequest, game_id: int, asked: dict[str, Any]) -> None:
    """Change a player's notification settings for one game."""
    change_game_mail(user=user_of(request), game_id=game_id, **asked, now=timezone.now())


@require_safe
@never_cache
@login_required
@handle_missing
def move(request: HttpRequest, game_id: int) -> HttpResponse:
    """Open the console at the orders. Links in notifications lead here, so that people log in first."""
    game_in(request, game_id)
    return redirect(f"{path_of(request, game_id)}#moves")


@mail_link_page(reminder_request, unknown="play/reminder_unknown.html")
def remind(request: HttpRequest, asked: ReminderRequest) -> HttpResponse:
    """Ask whether to remind a player of a turn in 3 hours. On POST, set the reminder.

    The service worker gets the answer as JSON.
    """
    at, refusal, user, status = None, None, asked.user, 200
    try:
        game = game_for(viewer=user, game_id=asked.game_id)
        if request.method == "POST":
            at = request_reminder(**asked._asdict(), now=timezone.now())
        else:
            check_waits(asked)
    except ServiceError as error:
        game, refusal, status = None, error, error.status
    says = refusal.detail if refusal else reminder_in_words(at) if at else ""
    if request.headers.get("Accept", "").startswith("application/json"):
        return JsonResponse({"says": says}, status=status)
    shown = {"game": game, "turn": asked.turn, "at": at, "says": says, "game_id": asked.game_id}
    return render(request, "play/reminder.html", shown, status=status)


@mail_link_page(unsubscribe_seat)
def unsubscribe(request: HttpRequest, seat: Seat) -> HttpResponse:
    """Ask for confirmation to stop mail about a game. On POST, stop the mail."""
    if request.method == "POST":
        stop_mail_of_game(seat=seat)
        seat.refresh_from_db(fields=["manner"])
    game: Game = seat.game
    stopped = seat.manner == Frequency.NONE
    return render(request, "news/unsubscribe.html", {"seat": seat, "game": game, "stopped": stopped})
