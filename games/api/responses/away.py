"""What the API answers about turns that someone misses, and about when their clocks stand still."""

from typing import Any

from rest_framework import serializers

from accounts.models import Standing


class MyStandingSerializer(serializers.Serializer[Any]):
    """My standing orders for all games."""

    standing = serializers.ChoiceField(Standing.choices)


class MyGameStandingSerializer(serializers.Serializer[Any]):
    """My standing orders for one game."""

    standing = serializers.ChoiceField(
        Standing.choices, allow_blank=True, help_text="Empty: as in all games."
    )
    plays = serializers.ChoiceField(Standing.choices, help_text="What that comes to.")
    counts = serializers.BooleanField(
        help_text="Whether this game has standing orders played for who misses a turn."
    )


class MyTimeSerializer(serializers.Serializer[Any]):
    """When my clocks stand still; it holds for hands that are dealt from now on."""

    time_zone = serializers.CharField(help_text="Where I live: days and nights are told by its clocks.")
    days_off = serializers.ListField(
        child=serializers.IntegerField(), help_text="Days of the week, from 0 for Monday to 6."
    )
    night = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        min_length=2,
        max_length=2,
        help_text="From when to when I sleep; null for never.",
    )
    takes_vacation = serializers.BooleanField(
        help_text="Whether days of vacation are taken that I have not planned."
    )


class PlannedVacationSerializer(serializers.Serializer[Any]):
    """A vacation that I have planned; both days belong to it."""

    id = serializers.IntegerField()
    first = serializers.DateField()
    last = serializers.DateField()


class VacationsSerializer(serializers.Serializer[Any]):
    """My vacation."""

    results = PlannedVacationSerializer(many=True, help_text="What I have planned, the first to come first.")
    days_left = serializers.IntegerField(help_text="Days that I have left in this calendar year.")
    days_a_year = serializers.IntegerField(help_text="Days that everybody has.")
