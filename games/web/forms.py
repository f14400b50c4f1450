"""Make the forms of pages from the inputs of the API."""

import types
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from accounts.inputs import GuardedForm
from games.errors import ServiceError
from games.web import inputs
from games.web.inputs import Refusable


class WrittenField(forms.CharField):
    """A form field for a text or name. It tidies and checks values in the same way as the API.

    If some values of other fields need the text, it is ``often_needed``: its label never says "(optional)".
    """

    def __init__(self, declared: inputs.Written, *, often_needed: bool = False, **given: Any) -> None:
        self.declared = declared
        self.often_needed = often_needed
        super().__init__(**given)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Return the widget's HTML attributes, with a length limit for browsers.

        If a longer text arrives anyway, `validate` reports it.
        """
        return {**super().widget_attrs(widget), "maxlength": str(self.declared.longest)}

    def to_python(self, value: Any) -> str:
        return self.declared.to_internal_value(super().to_python(value))

    def validate(self, value: Any) -> None:
        """Raise ValidationError with every error in a value."""
        super().validate(value)
        if value and (faults := self.declared.faults(value)):
            raise forms.ValidationError(list(faults))


class InputForm(Refusable):
    """A form made from an `Input`. It fills in the same defaults and makes the same checks."""

    input: ClassVar[type[inputs.Input]]

    def clean(self) -> dict[str, Any]:
        """Replace empty values by defaults. If all values are valid, also check whether they fit together."""
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for name, field in self.input.fields_of_pages().items():
            if name in values and values[name] in (None, "") and field.default is not serializers.empty:
                values[name] = field.default
        for problem in self.input().faults_together(values) if not self.errors else ():
            self.add_error(problem["code"] if problem["code"] in self.fields else None, problem["detail"])
        return values

    def add_refusal(self, refusal: ServiceError) -> None:
        """Show a service's refusal beside the field that caused it, or above the form if no field did."""
        if field := self.input.beside.get(refusal.code):
            self.add_error(field, refusal.detail)
        else:
            super().add_refusal(refusal)


def form_of(declared: type[inputs.Input]) -> type[InputForm]:
    """Return the form class for an input, with fields for its labelled values.

    The ``style`` of an input's field has arguments for the form field, such as another ``widget``. If the
    input is ``optional``, its form edits all values of an existing object at once. So it is a `GuardedForm`:
    it does not overwrite values that have changed meanwhile.
    """
    shown = declared.fields_of_pages()
    parts = {name: form_field(field) for name, field in shown.items()}
    more = {"input": declared, "__module__": declared.__module__}
    bases = (GuardedForm, InputForm) if declared.optional else (InputForm,)
    name = f"{declared.__name__}Form"
    return types.new_class(name, bases, exec_body=lambda body: body.update(parts | more))


def field_of(declared: type[inputs.Input], name: str, **instead: Any) -> forms.Field:
    """Return the form field for one value of an input, to use it in a larger form."""
    return form_field(declared.fields_of_pages()[name], **instead)


def form_field(field: serializers.Field[Any, Any, Any, Any], **instead: Any) -> forms.Field:
    """Return the form field for a field of an input."""
    kind: type[forms.Field]
    given: dict[str, Any] = {"label": field.label, "help_text": field.help_text or ""}
    if field.default is not serializers.empty:
        given["initial"] = field.default
    match field:
        case inputs.Written():
            kind = WrittenField
            given |= {"declared": field, "required": bool(field.needed) or not field.allow_blank}
            if field.needed:
                given["error_messages"] = {"required": field.needed}
            if isinstance(field, inputs.Prose):
                given["widget"] = forms.Textarea(attrs={"rows": field.rows})
        case inputs.Pick():
            kind = forms.TypedChoiceField
            given |= {"choices": [*field.choices.items()], "coerce": type(next(iter(field.choices)))}
            given["required"] = "" not in field.choices
        case inputs.Choice():
            kind = forms.ChoiceField
            given |= {"choices": [*field.choices.items()], "widget": forms.RadioSelect}
            given["required"] = "" not in field.choices
        case inputs.Flag():
            kind = forms.BooleanField
            given["required"] = False
        case inputs.WholeNumber() if "choices" in field.style:
            kind = forms.TypedChoiceField
            given |= {"coerce": int, "empty_value": given.get("initial"), "required": field.required}
        case inputs.Amount():
            kind = forms.IntegerField
            given["required"] = field.required
            given["widget"] = forms.NumberInput(attrs={"min": field.least, "max": field.most})
        case inputs.Items():
            kind = forms.MultipleChoiceField
            given["required"] = False
        case inputs.WholeNumber():
            kind = forms.IntegerField
            given |= {"required": field.required, "min_value": field.min_value, "max_value": field.max_value}
        case inputs.Day():
            kind = forms.DateField
            given["input_formats"] = ["%Y-%m-%d"]
            given["widget"] = forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
            given["error_messages"] = dict.fromkeys(
                ("required", "invalid"), _("Enter a date, such as 2027-07-01.")
            )
        case inputs.Instant():
            kind = forms.DateTimeField
            given["input_formats"] = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"]
            given["widget"] = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            given["error_messages"] = {"invalid": _("Enter a date and a time, such as 2026-12-24 20:00.")}
        case inputs.Text():
            kind = forms.CharField
            given["required"] = not field.allow_blank
        case _:
            raise TypeError(f"No form field for {type(field).__name__}")
    if isinstance(field, inputs.Faulted) and kind not in (WrittenField, forms.TypedChoiceField):
        given["validators"] = [_Allowed(field)]
    return kind(**given | field.style | instead)


class _Allowed:
    """A validator of a form field. It makes the same checks as a field of an input."""

    def __init__(self, field: inputs.Faulted) -> None:
        self.field = field

    def __call__(self, value: Any) -> None:
        if faults := self.field.faults(value):
            raise forms.ValidationError(list(faults))
