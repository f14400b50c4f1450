"""Asking people who want to leave whether they mean it."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class PartingForm(forms.Form):
    """The Robo Name, to be sure, and what is to become of what someone said."""

    robo_name = forms.CharField(
        label=_("Your Robo Name"),
        help_text=_("Type it again to confirm."),
        error_messages={
            "required": _("Type your Robo Name to confirm that you want to delete your account.")
        },
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )
    takes_chat = forms.BooleanField(
        label=_("Also delete my messages in chats, and the texts of my reviews"),
        required=False,
        help_text=_(
            "Otherwise they stay for those who answered, without your name and address. The stars that you"
            " gave stay."
        ),
    )

    def __init__(self, *args: Any, user: User, **more: Any) -> None:
        super().__init__(*args, **more)
        self._name = user.robo_name

    def clean_robo_name(self) -> str:
        """Accept the person's own name, in whatever case."""
        typed = str(self.cleaned_data["robo_name"])
        if typed.lower() != self._name.lower():
            raise forms.ValidationError(
                gettext("This is not your Robo Name. Type “{name}”.").format(name=self._name)
            )
        return typed
