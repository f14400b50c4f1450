"""Turns: orders, previews, and what happened."""

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.queries import LinkQuery, LogQuery
from games.api.requests import OrdersSerializer
from games.api.schema import describe
from games.api.throttling import Previews, Submitting
from games.api.views.base import Call, PublicCall, game_of, person, sent, view_of
from games.play.selectors.game import GameView, game_view
from games.play.selectors.log import LogView, PastTurnView, log_after, past_turn
from games.play.selectors.preview import PreviewView, preview
from games.play.selectors.viewers import game_for
from games.play.services.drafts import drop_draft, save_draft
from games.play.services.hands import redeal_hand
from games.play.services.orders import submit_orders
from games.play.services.power import wake_robot

ORDERS = {"registers": [490, 70, 670, None, None], "power_down": False}

MOST_EVENTS = 10_000
"""Events in one answer, at most: more than nearly all games have."""


class OrdersCall(Call):
    """``POST games/{id}/turns/{n}/orders``."""

    throttle_classes = (*Call.throttle_classes, Submitting)

    @describe(
        "submit_orders",
        "Submit orders",
        GameView,
        403,
        404,
        409,
        422,
        takes=OrdersSerializer,
        example=ORDERS,
        tag="turns",
    )
    def post(self, request: Request, game_id: int, number: int) -> Response:
        """Submit my orders for the turn under way. Until all are in, new orders replace the old.

        The same orders again are taken, and change nothing, until the turn is played.
        """
        turn = submit_orders(
            user=person(request),
            game_id=game_id,
            turn_number=number,
            document=sent(request),
            now=timezone.now(),
        )
        return Response(game_view(viewer=request.user, game=turn.game, turn=turn))


class DraftCall(Call):
    """``PUT`` and ``DELETE games/{id}/turns/{n}/draft``."""

    @describe(
        "save_draft",
        "Save a draft",
        GameView,
        403,
        404,
        409,
        422,
        takes=OrdersSerializer,
        example=ORDERS,
        tag="turns",
    )
    def put(self, request: Request, game_id: int, number: int) -> Response:
        """Keep unfinished orders, to go on with them elsewhere. This does not submit them.

        Registers may be empty here. Orders that I have submitted already are no draft.
        """
        save_draft(
            user=person(request),
            game_id=game_id,
            turn_number=number,
            document=sent(request),
            now=timezone.now(),
        )
        return view_of(request, game_for(viewer=request.user, game_id=game_id))

    @describe("delete_draft", "Delete a draft", GameView, 403, 404, 409, tag="turns")
    def delete(self, request: Request, game_id: int, number: int) -> Response:
        """Delete my draft for the turn under way. Orders that I have submitted stay."""
        drop_draft(user=person(request), game_id=game_id, turn_number=number)
        return view_of(request, game_for(viewer=request.user, game_id=game_id))


class Preview(Call):
    """``POST games/{id}/turns/{n}/preview``."""

    keeps_nothing = True
    throttle_classes = (*Call.throttle_classes, Previews)

    @describe(
        "preview_orders",
        "Preview orders",
        PreviewView,
        403,
        404,
        409,
        422,
        takes=OrdersSerializer,
        example=ORDERS,
        tag="turns",
    )
    def post(self, request: Request, game_id: int, number: int) -> Response:
        """What these orders would do if no other robot were there; nothing is kept.

        Registers may be empty here. Transporters that no one has used lead nowhere.
        """
        document = sent(request)
        game = game_for(viewer=request.user, game_id=game_id)
        return Response(preview(viewer=request.user, game=game, turn_number=number, document=document))


class Redeal(Call):
    """``POST games/{id}/turns/{n}/redeal``."""

    @describe("redeal_hand", "Redraw my hand", GameView, 403, 404, 409, tag="turns")
    def post(self, request: Request, game_id: int, number: int) -> Response:
        """Put my hand aside before my orders, and get as many other chips.

        Albot may once a turn. In the 1999 boxed game a hand of turning chips only may be put aside, as often
        as it happens. All players see those chips.
        """
        redeal_hand(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
        return view_of(request, game_for(viewer=request.user, game_id=game_id))


class Wake(Call):
    """``POST games/{id}/turns/{n}/wake``."""

    @describe("wake_robot", "Switch my robot on", GameView, 403, 404, 409, tag="turns")
    def post(self, request: Request, game_id: int, number: int) -> Response:
        """Switch my robot on, which was off in the turn before, and see its hand. It cannot be taken back."""
        wake_robot(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
        return view_of(request, game_for(viewer=request.user, game_id=game_id))


class Log(PublicCall):
    """``GET games/{id}/log``."""

    @describe("get_log", "Read the log", LogView, 400, 404, query=LogQuery, tag="turns")
    def get(self, request: Request, game_id: int) -> Response:
        """Events after a cursor, in order; an answer without events says that there are no more yet."""
        game, asked = game_of(request, game_id, LogQuery)
        return Response(log_after(viewer=request.user, game=game, seq=asked["after"], limit=MOST_EVENTS))


class PastTurn(PublicCall):
    """``GET games/{id}/turns/{n}``."""

    @describe("get_turn", "Get a turn that was played", PastTurnView, 400, 404, query=LinkQuery, tag="turns")
    def get(self, request: Request, game_id: int, number: int) -> Response:
        """Programs revealed, the view at its start, its events; 404 for a turn that was not played yet."""
        game, _ = game_of(request, game_id)
        return Response(past_turn(viewer=request.user, game=game, number=number))
