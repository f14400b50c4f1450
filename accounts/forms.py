"""What forms share: allauth's in this site's words, and fields that this site draws."""

from typing import Any, ClassVar, Final

from allauth.account.fields import PasswordField
from django import forms
from django.utils.translation import gettext_lazy as _

NEW_PASSWORD: Final = {
    "password1": _("At least 8 characters, and not a common password. A sentence works well.")
}


class InOurWords:
    """A form of allauth's with other labels and help, and without its placeholders and links."""

    labels: ClassVar[dict[str, Any]] = {}
    help_texts: ClassVar[dict[str, Any]] = {}
    required: ClassVar[dict[str, Any]] = {}
    """What each field says that was left empty."""
    attrs: ClassVar[dict[str, dict[str, str]]] = {}

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label = self.labels.get(name, field.label)
            unlinked = "" if isinstance(field, PasswordField) else field.help_text
            field.help_text = self.help_texts.get(name, unlinked)
            if name in self.required:
                field.error_messages["required"] = self.required[name]
            field.widget.attrs.pop("placeholder", None)
            field.widget.attrs.update(self.attrs.get(name, {}))


class LooksSelect(forms.RadioSelect):
    """Robots to choose from, as pictures."""

    template_name = "forms/looks.html"


class SegmentsSelect(forms.RadioSelect):
    """A few choices beside each other."""

    template_name = "forms/segments.html"


class PercentInput(forms.NumberInput):
    """A slider from nothing to all."""

    input_type = "range"

    def __init__(self) -> None:
        super().__init__(attrs={"min": 0, "max": 100, "step": 5})
