"""Asking people who want to leave whether they mean it."""

from typing import Any

from django import forms

from accounts.models import User


class PartingForm(forms.Form):
    """The Robo Name, to be sure, and what is to become of what someone said."""

    robo_name = forms.CharField(
        label="Your Robo Name",
        help_text="To be sure: type it once more.",
        error_messages={"required": "Type your Robo Name: then it is you who wants this, and not a click."},
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    takes_chat = forms.BooleanField(
        label="Delete what I said in chats as well",
        required=False,
        help_text="Else it stays for those who answered, without your name and address.",
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        self._name = user.robo_name

    def clean_robo_name(self) -> str:
        """Accept the person's own name, in whatever case."""
        typed = str(self.cleaned_data["robo_name"])
        if typed.lower() != self._name.lower():
            raise forms.ValidationError(f"This is not your Robo Name: you are {self._name}.")
        return typed
