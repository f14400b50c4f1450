"""Why staff do something about a game: they are asked, and those who see the game get to read it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.play.models.interventions import LONGEST_REASON


class Grounds(forms.Form):
    """The reason."""

    reason = forms.CharField(
        label=_("Why?"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3, "cols": 60}),
        help_text=_("Players read this on the game’s page. They do not see who wrote it."),
    )
