"""What the API answers about people."""

from typing import Any

from rest_framework import serializers


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is shown this once; keep it as you would a password."""

    token = serializers.CharField()
    expires_at = serializers.DateTimeField(help_text="When it opens nothing any more.")


class OwnTokenSerializer(serializers.Serializer[Any]):
    """A token of mine; the token itself is known to no one but who has it."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="What I call it; may be empty.")
    created_at = serializers.DateTimeField()
    used_at = serializers.DateTimeField(allow_null=True, help_text="When it was used last, to the minute.")
    expires_at = serializers.DateTimeField(help_text="When it opens nothing any more.")
    shown = serializers.BooleanField(help_text="It is the one that this very request has shown.")


class OwnTokensSerializer(serializers.Serializer[Any]):
    """My tokens, the newest first."""

    results = OwnTokenSerializer(many=True)


class PreferencesSerializer(serializers.Serializer[Any]):
    """What a person has chosen."""

    time_zone = serializers.CharField()
    mail_my_turn = serializers.BooleanField(help_text="Whether any mail says that a turn waits.")
    manner = serializers.CharField(help_text="How mail tells of my games: at once, daily, one, none.")
    daily_hour = serializers.IntegerField(help_text="The hour of the daily mail, in my time zone.")
    lobby_mail = serializers.BooleanField(help_text="Whether mail tells of games that have not started.")
    shows_name = serializers.CharField(help_text="Who finds me in the list of players.")
    shows_games = serializers.CharField(help_text="Who sees my games under way: everybody, players, nobody.")
    shows_history = serializers.CharField(help_text="Who sees the games that I have played.")
    shows_statistics = serializers.CharField(help_text="Who sees what my robot did.")
    shows_achievements = serializers.CharField(help_text="Who sees what I have earned.")


class MannerSerializer(serializers.Serializer[Any]):
    """How mail tells a player of one game."""

    manner = serializers.CharField(
        allow_blank=True, help_text="at once, daily, one, none; empty: as of all games."
    )


class GameNumbersSerializer(serializers.Serializer[Any]):
    """How many games a person has; solo flights and games that were called off do not count."""

    open = serializers.IntegerField()
    running = serializers.IntegerField()
    over = serializers.IntegerField()
    won = serializers.IntegerField()
    missions = serializers.IntegerField(help_text="Solo flights and training missions, under way or over.")
    waiting = serializers.IntegerField(help_text="Running ones that wait for this person's orders.")


class MeSerializer(serializers.Serializer[Any]):
    """The caller."""

    robo_name = serializers.CharField()
    look = serializers.IntegerField(allow_null=True, help_text="My favourite of the eight robots.")
    invitations = serializers.IntegerField(help_text="How many wait for an answer.")
    preferences = PreferencesSerializer()
    games = GameNumbersSerializer()
