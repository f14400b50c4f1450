"""Why staff do something about a game: they are asked, and those who see the game get to read it."""

from django import forms

from games.play.models.interventions import LONGEST_REASON


class Grounds(forms.Form):
    """The reason."""

    reason = forms.CharField(
        label="Why?",
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text="The players get to read this on the page of the game; who wrote it they do not.",
    )
