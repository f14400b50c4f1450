"""Inputs about accounts, tokens and other players, from forms and the API."""

from typing import Final

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _, ngettext_lazy as ngettext

from games.people.models import LONGEST_NOTE, LONGEST_TOKEN_NAME, TOKEN_LIFETIME
from games.people.tokens import LONGEST_LIFETIME, MOST_TOKENS
from games.web.inputs import Input, Items, Name, Prose, Refusable, Strict, Text, WholeNumber

LIFETIMES: Final = (30, TOKEN_LIFETIME, 180, LONGEST_LIFETIME)
"""The lifetimes of tokens to choose from on the page, in days.

The API accepts any number of days up to the longest of these.
"""


class NewToken(Input):
    """The form for a new API token."""

    refusal = "name", _("Couldn’t create the token. Fix the marked fields.")

    name = Name(
        label=_("What is it for?"),
        longest=LONGEST_TOKEN_NAME,
        default="",
        allow_blank=True,
        help_text=format_lazy(
            _(
                "A name such as “My bot”. You can have {number} tokens. If you already have that many, a"
                " new one replaces the least recently used."
            ),
            number=MOST_TOKENS,
        ),
    )
    days = WholeNumber(
        label=_("How long will it work?"),
        default=TOKEN_LIFETIME,
        min_value=1,
        max_value=LONGEST_LIFETIME,
        help_text=_("All tokens stop working when you change your password."),
        style={
            "choices": [
                (days, format_lazy(ngettext("{number} day", "{number} days", days), number=days))
                for days in LIFETIMES
            ]
        },
    )


class Login(NewToken):
    """A login for the API, and the name and lifetime of the new token."""

    login = Text(help_text="Your Robo Name or email address, in upper or lower case.")
    password = Text(trim_whitespace=False)
    code = Text(
        required=False,
        help_text="A code from your authenticator app, or a recovery code. Only with a second factor.",
    )


class PlayerNote(Input):
    """Your note about a player. An empty text deletes the note."""

    refusal = "no-note", _("Couldn’t save the note. Fix the marked fields.")

    text = Prose(label=_("Your note"), rows=3, longest=LONGEST_NOTE, allow_blank=True)


class SeenAchievements(Strict):
    """The achievements to mark as seen."""

    may_be_missing = True

    keys = Items(
        child=Text(), default=None, allow_null=True, help_text="Keys of the achievements. All if omitted."
    )


class DeletionForm(Refusable):
    """The form to delete one's account: the Robo Name as a confirmation, and whether to delete texts too."""

    robo_name = forms.CharField(
        label=_("Your Robo Name"),
        help_text=_("Type it again to confirm."),
        error_messages={"required": _("Enter your Robo Name to confirm.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    takes_chat = forms.BooleanField(
        label=_("Also delete my chat messages and the texts of my reviews"),
        required=False,
        help_text=_(
            "Otherwise, they stay, but without your name and address. The stars that you gave always stay."
        ),
    )
