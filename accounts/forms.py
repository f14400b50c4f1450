"""What forms share: allauth's in this site's words, and fields that this site draws."""

from typing import Any, ClassVar, Final
from zlib import crc32

from allauth.account.fields import PasswordField
from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from rules.language import Words, told
from rules.names import fault_of_name

NEW_PASSWORD: Final = {
    "password1": _("At least 8 characters, and not a common password. A sentence works well.")
}


def check_name(name: str) -> None:
    """Raise ValidationError for a name with a character that no name can have."""
    if fault := fault_of_name(name):
        raise ValidationError(told(fault, Words(gettext, ngettext)))


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


def mark_of(value: Any) -> str:
    """Return a mark that changes with a value."""
    return f"{crc32(repr(value).encode()):08x}"


class SeenField(forms.CharField):
    """A hidden field with the values that a page showed; no one changes it."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class GuardedForm(forms.BaseForm):
    """A form that saves a whole thing, and replaces only values that its sender has seen.

    A page may be old: another tab, another device or another person has changed the thing since. Then the
    form is shown again as it was filled in, and says what has changed. Sent again, it counts.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["instead_of"] = SeenField(required=False, widget=forms.HiddenInput)
        self.note_seen()

    def note_seen(self) -> None:
        """Note what the page shows now; a form that fills in more initial values does so once more."""
        self.initial["instead_of"] = " ".join(f"{name}={mark}" for name, mark in self._marks().items())

    def _marks(self) -> dict[str, str]:
        """Return what changes with the present value of each field."""
        fields = {name: field for name, field in self.fields.items() if name != "instead_of"}
        values = {name: self.get_initial_for_field(field, name) for name, field in fields.items()}
        return {name: mark_of(value) for name, value in values.items()}

    def _label_of(self, name: str) -> str:
        """Return what people call a field."""
        return str(self[name].label)

    def clean(self) -> dict[str, Any]:
        """Refuse to replace values that have changed since the form was made."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        seen = dict(part.partition("=")[::2] for part in given.pop("instead_of", "").split())
        changed = [name for name, mark in self._marks().items() if seen.get(name, mark) != mark]
        if changed:
            sent: Any = self.data
            fresh = sent.copy()
            fresh["instead_of"] = self.initial["instead_of"]
            self.data = fresh
            labels = ", ".join(self._label_of(name) for name in changed)
            told = gettext("Changed since you opened this page: {fields}. Compare them, then save again.")
            raise forms.ValidationError(told.format(fields=labels), code="stale")
        return given


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
