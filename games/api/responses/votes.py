"""What the API answers about votes."""

from typing import Any

from rest_framework import serializers

from games.votes.models import Vote


class VoteSerializer(serializers.Serializer[Any]):
    """A vote of a game."""

    id = serializers.IntegerField()
    kind = serializers.ChoiceField(Vote.Kind.choices)
    question = serializers.CharField(help_text="What it asks, as a sentence.")
    seat = serializers.IntegerField(
        allow_null=True, help_text="Whose player shall be replaced, or who shall have won; else null."
    )
    days = serializers.IntegerField(allow_null=True, help_text="How long the game shall pause; else null.")
    asked_by = serializers.CharField()
    turn = serializers.IntegerField(help_text="The turn in which it was asked.")
    status = serializers.ChoiceField(Vote.Status.choices)
    takes = serializers.CharField(help_text="What it takes to pass, in words.")
    opened_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField(help_text="When its time is up.")
    closed_at = serializers.DateTimeField(allow_null=True, help_text="When it was decided.")
    yes = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    no = serializers.ListField(child=serializers.CharField(), help_text="Robo Names.")
    silent = serializers.ListField(
        child=serializers.CharField(), help_text="Who has a vote and has not given it; none once closed."
    )
    needed = serializers.IntegerField(allow_null=True, help_text="How many have to agree; null once closed.")
    voters = serializers.IntegerField(help_text="How many have a vote, or had one when it was closed.")
    ayes = serializers.IntegerField()
    noes = serializers.IntegerField()
    mine = serializers.BooleanField(allow_null=True, help_text="What I said; null where I said nothing.")
    may_vote = serializers.BooleanField(help_text="Whether I have a vote on it now.")


class VotesSerializer(serializers.Serializer[Any]):
    """The votes of a game: the open ones first, then the latest."""

    results = VoteSerializer(many=True)
