"""What builders fill in to publish a ship."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from games.dock.selectors.prototypes import licence
from games.refusals import Refusable


class PublishForm(Refusable):
    """That the builder agrees to the licence."""

    licence = forms.BooleanField(
        error_messages={"required": _("To publish the ship, agree to its licence.")},
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        told = _("I publish this ship under the licence {licence}, and had the right to draw it.")
        self.fields["licence"].label = told.format(licence=licence())
