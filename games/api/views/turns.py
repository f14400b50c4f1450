"""Turns: orders, previews, and what happened."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

import rules
from games.errors import ServiceError
from games.play.selectors import preview
from games.play.selectors.games import GameView, game_view
from games.play.selectors.log import LogView, PastTurnView, log_after, past_turn
from games.play.services import drafts, hands, orders, power
from games.web.answers import Previews, Submitting
from games.web.api import Answered, Values, call, game_of, person, view_again
from games.web.queries import EventsQuery, LinkQuery, LogQuery

ORDERS = {"registers": [490, 70, 670, None, None], "power_down": False}

MOST_EVENTS = 10_000
"""Events in one answer, at most: more than nearly all games have."""


class NoStreams(ServiceError):
    """A server that can only answer and be done: pages ask now and then instead."""

    status = 503

    def __init__(self) -> None:
        super().__init__("no-streams", _("This server has no streams: ask for the log now and then instead."))


@extend_schema_field({"oneOf": [{"type": "integer"}, {"type": "string", "enum": ["P"]}, {"type": "null"}]})
class RegisterField(serializers.JSONField):
    """What is to stand in a register: a chip's number, "P" for a pause, null where it is locked."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": rules.REGISTERS}},
            {"type": "boolean"},
        ],
        "description": "Phases in which to use equipment; true for equipment used the whole turn.",
    }
)
class EquipmentField(serializers.JSONField):
    """When to use equipment."""


class OrdersSerializer(serializers.Serializer[Any]):
    """Orders for one turn. Turn 0 takes `heading` alone.

    This describes them; `rules.read_orders` reads them.
    """

    registers = serializers.ListField(
        child=RegisterField(),
        required=False,
        min_length=rules.REGISTERS,
        max_length=rules.REGISTERS,
        help_text="The number of a chip of the hand for each register, null for a locked one; LazyBot may"
        ' have "P", a pause, in one of them.',
    )
    power_down = serializers.BooleanField(
        required=False, help_text="Switch off, or reboot, after this program."
    )
    equipment = EquipmentField(required=False)
    heading = serializers.ChoiceField(
        list(rules.LETTERS),
        required=False,
        help_text="In turn 0 or the first turn, and for a robot that has come back.",
    )
    place = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        min_length=2,
        max_length=2,
        help_text="Where to come back if the archive is taken, in rulesets that ask for it.",
    )
    unlock = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=rules.REGISTERS),
        required=False,
        help_text="Registers to be freed first, in rulesets that let players choose.",
    )
    stay_down = serializers.BooleanField(
        required=False,
        help_text="Of a robot that was switched off in the turn before: stay off. That is the whole order.",
    )


@call(
    "POST",
    "Submit orders",
    GameView,
    409,
    422,
    takes=OrdersSerializer,
    example=ORDERS,
    throttle_classes=(Submitting,),
    group="turns",
)
def submit_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Submit my orders for the turn under way. Until all are in, new orders replace the old.

    The same orders again are taken, and change nothing, until the turn is played.
    """
    turn = orders.submit_orders(
        user=person(request), game_id=game_id, turn_number=number, document=asked, now=timezone.now()
    )
    return game_view(viewer=request.user, game=turn.game, turn=turn)


@call("PUT", "Save a draft", GameView, 409, 422, takes=OrdersSerializer, example=ORDERS, group="turns")
def save_draft(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Keep unfinished orders, to go on with them elsewhere. This does not submit them.

    Registers may be empty here. Orders that I have submitted already are no draft.
    """
    drafts.save_draft(
        user=person(request), game_id=game_id, turn_number=number, document=asked, now=timezone.now()
    )
    return view_again(request, game_id)


@call("DELETE", "Delete a draft", GameView, 409, group="turns")
def delete_draft(request: Request, game_id: int, number: int) -> Answered:
    """Delete my draft for the turn under way. Orders that I have submitted stay."""
    drafts.drop_draft(user=person(request), game_id=game_id, turn_number=number)
    return view_again(request, game_id)


@call(
    "POST",
    "Preview orders",
    preview.PreviewView,
    409,
    422,
    takes=OrdersSerializer,
    example=ORDERS,
    keeps_nothing=True,
    throttle_classes=(Previews,),
    group="turns",
)
def preview_orders(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """What these orders would do if no other robot were there; nothing is kept.

    Registers may be empty here. Transporters that no one has used lead nowhere.
    """
    game = game_of(request, game_id)
    return preview.preview(viewer=request.user, game=game, turn_number=number, document=asked)


@call("POST", "Redraw my hand", GameView, 409, group="turns")
def redeal_hand(request: Request, game_id: int, number: int) -> Answered:
    """Put my hand aside before my orders, and get as many other chips.

    Albot may once a turn. In the 1999 boxed game a hand of turning chips only may be put aside, as often
    as it happens. All players see those chips.
    """
    hands.redeal_hand(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


@call("POST", "Switch my robot on", GameView, 409, group="turns")
def wake_robot(request: Request, game_id: int, number: int) -> Answered:
    """Switch my robot on, which was off in the turn before, and see its hand. It cannot be taken back."""
    power.wake_robot(user=person(request), game_id=game_id, turn_number=number, now=timezone.now())
    return view_again(request, game_id)


def _goes_on(log: LogView) -> bool:
    """Return whether there is more: at the end, nothing may be missing that someone was told of."""
    return len(log["events"]) == MOST_EVENTS


@call("GET", "Read the log", LogView, query=LogQuery, strangers=True, old=_goes_on, group="turns")
def get_log(request: Request, game_id: int, asked: Values) -> Answered:
    """Events after a cursor, in order; an answer without events says that there are no more yet."""
    game = game_of(request, game_id, asked)
    return log_after(viewer=request.user, game=game, seq=asked["after"], limit=MOST_EVENTS)


@call(
    "GET",
    "Get a turn that was played",
    PastTurnView,
    query=LinkQuery,
    strangers=True,
    old=bool,
    group="turns",
)
def get_turn(request: Request, game_id: int, number: int, asked: Values) -> Answered:
    """Programs revealed, the view at its start, its events; 404 for a turn that was not played yet."""
    return past_turn(viewer=request.user, game=game_of(request, game_id, asked), number=number)


@call(
    "GET",
    "Stream the events of a game",
    OpenApiTypes.STR,
    503,
    query=EventsQuery,
    media="text/event-stream",
    group="turns",
)
def stream_events(request: Request, game_id: int, asked: Values) -> Answered:
    """Server-sent events, as they happen: `ready`, `turn`, `chat`, `over` and `lobby`. The id of each is
    a cursor, which `after` takes here, in the log and in the chat.
    """
    game_of(request, game_id, asked)
    raise NoStreams  # streams are answered in front of Django
