"""What the API answers about turns, played or to be played."""

from typing import Any

from rest_framework import serializers

from games.api.responses.common import CellField, EventsField, LogField
from games.api.responses.games import AsideField, BoardRobotSerializer, HullField, LinksField, OrdersField
from games.play.models import Program


class PreviewSerializer(serializers.Serializer[Any]):
    """What orders would do if no other robot were there."""

    events = EventsField()
    robot = BoardRobotSerializer()


class LogSerializer(serializers.Serializer[Any]):
    """A part of a game's log."""

    events = LogField()
    next = serializers.IntegerField(help_text="What to give as `after` to read on.")


class BoardViewSerializer(serializers.Serializer[Any]):
    """The board's state between two turns, as all may see it."""

    turn = serializers.IntegerField()
    robots = BoardRobotSerializer(many=True)
    hull = HullField()
    links = LinksField()
    crystal = CellField(allow_null=True)
    winner = serializers.CharField(allow_null=True)


class ProgramSerializer(serializers.Serializer[Any]):
    """Orders of a turn that was played."""

    robot = serializers.CharField()
    seat = serializers.IntegerField()
    by = serializers.ChoiceField(
        Program.Author.choices,
        help_text="Who gave them: the player, or something in their place when time was up.",
    )
    redealt = serializers.IntegerField(
        allow_null=True, help_text="Of a hand that was redrawn: the how many-th of its turn it was."
    )
    aside = AsideField(help_text="The hands that were put aside in that turn.")
    orders = OrdersField()


class PastTurnSerializer(serializers.Serializer[Any]):
    """A turn that was played."""

    turn = serializers.IntegerField()
    resolved_at = serializers.DateTimeField()
    head = serializers.CharField(
        allow_null=True, help_text="The head after it; null in games that were over before there were heads."
    )
    programs = ProgramSerializer(many=True)
    view = BoardViewSerializer(help_text="At its start.")
    after = BoardViewSerializer(help_text="After it.")
    events = LogField()
