"""What the API answers about chats."""

from typing import Any

from rest_framework import serializers


class ChatLineSerializer(serializers.Serializer[Any]):
    """Something that a player has said."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="The Robo Name of whoever said it, at that time.")
    seat = serializers.IntegerField(allow_null=True, help_text="Their seat; null for one who has left.")
    text = serializers.CharField(help_text="Plain text; lines may be broken in it.")
    at = serializers.DateTimeField()


class ChatSerializer(serializers.Serializer[Any]):
    """A part of a chat, in order."""

    results = ChatLineSerializer(many=True)
    next = serializers.IntegerField(help_text="What to give as `after` to read on.")
    read = serializers.IntegerField(
        allow_null=True, help_text="The last line that I have read; null where I do not play."
    )


class UnreadSerializer(serializers.Serializer[Any]):
    """What is left to be read."""

    unread = serializers.IntegerField(help_text="Lines of others that I have not read.")
