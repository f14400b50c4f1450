"""Strict fields of requests, and forms that show the refusals of services."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import Any, ClassVar, NoReturn, Protocol, runtime_checkable

from django import forms
from django.utils.functional import lazy
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_lazy as _, ngettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail
from rest_framework.settings import api_settings

from games.errors import Invalid, Malformed, ProblemDocument, ServiceError
from games.wording import translate
from rules.document import MAX_NAMED_FAULTS
from rules.names import fault_of_name, fault_of_text, is_visible

LARGEST_ID = 2**63 - 1
"""The largest possible primary key."""


class InWords:
    """A mixin with error messages for people, in place of the technical ones of Django REST framework."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "null": _("It must not be null."),
        "blank": _("It must not be empty."),
        "empty": _("The list must not be empty."),
        "not_a_list": _("A list is expected."),
        "min_value": _("It must be at least {min_value}."),
        "max_value": _("It must be at most {max_value}."),
        "min_length": _("It must have at least {min_length} entries."),
        "max_length": _("It must have at most {max_length} entries."),
        "max_string_length": _("The number has too many digits."),
    }


class Items(InWords, serializers.ListField):
    """A JSON list."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the values of the list.

        Raises ValidationError if any is invalid, or if there are too many.
        """
        if self.max_length is not None and isinstance(data, list) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return super().to_internal_value(data)

    def run_child_validation(self, data: Any) -> Any:
        """Return the checked values of the list.

        Raises ValidationError with the errors of the first `MAX_NAMED_FAULTS` invalid values, by their index.
        """
        values: list[Any] = []
        faults: dict[Any, Any] = {}
        for place, item in enumerate(data):
            try:
                values.append(self.child.run_validation(item))
            except serializers.ValidationError as error:
                faults[place] = error.detail
                if len(faults) == MAX_NAMED_FAULTS:
                    break
        if faults:
            raise serializers.ValidationError(faults)
        return values


class Choice(InWords, serializers.ChoiceField):
    """A JSON string from a fixed set of words."""

    default_error_messages = {"invalid_choice": _("Choose one of these: {there_are}.")}

    def __init__(self, choices: Any, **more: Any) -> None:
        super().__init__(choices, **more)
        self.there_are = ", ".join(map(str, self.choices))

    def fail(self, key: str, **more: Any) -> NoReturn:
        """Refuse a value, with an error message that lists the choices."""
        super().fail(key, there_are=self.there_are, **more)


def _explained(meanings: Mapping[Any, Any]) -> str:
    return " ".join(
        gettext("{choice}: {meaning}.").format(choice=choice.label, meaning=meaning)
        for choice, meaning in meanings.items()
    )


explained = lazy(_explained, str)
"""Return a text with the name and the meaning of each choice, in the reader's language."""


class Number(InWords, serializers.IntegerField):
    """A whole number in a query parameter."""

    default_error_messages = {"invalid": _("A whole number is expected.")}


class Text(InWords, serializers.CharField):
    """A JSON string. Refuses numbers."""

    default_error_messages = {"invalid": _("Text is expected.")}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeNumber(InWords, serializers.IntegerField):
    """A JSON number without a fraction. Refuses true and "3"."""

    default_error_messages = {"invalid": _("A whole number is expected.")}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class Id(WholeNumber):
    """A primary key. This field does not check whether the row exists."""

    def __init__(self, **more: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **more)


class Flag(InWords, serializers.BooleanField):
    """A JSON true or false. Refuses words and numbers."""

    default_error_messages = {"invalid": _("True or false is expected.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Switch(InWords, serializers.BooleanField):
    """A flag in a query parameter: 1 or 0."""

    default_error_messages = {"invalid": _("1 or 0 is expected.")}

    def to_internal_value(self, data: Any) -> bool:
        if data not in {"0", "1", "true", "false"}:
            self.fail("invalid")
        return data in {"1", "true"}


@extend_schema_field({"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"})
class TimeOfDay(Text):
    """A time of day, to the minute."""

    default_error_messages = {"time": _("A time of day is expected, such as “22:00”.")}

    def to_internal_value(self, data: Any) -> time:  # type: ignore[override] # parsed further
        text = super().to_internal_value(data)
        if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
            self.fail("time")
        return time.fromisoformat(text)


@extend_schema_field({"type": "string", "format": "date"})
class Day(Text):
    """A day of the calendar."""

    default_error_messages = {"day": _("A date is expected, such as “2027-07-01”.")}

    def to_internal_value(self, data: Any) -> date:  # type: ignore[override] # parsed further
        text = super().to_internal_value(data)
        try:
            if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
                raise ValueError
            return date.fromisoformat(text)
        except ValueError:
            self.fail("day")


@extend_schema_field({"type": "string", "format": "date-time"})
class Instant(Text):
    """A date and time, with its offset from UTC."""

    default_error_messages = {
        "instant": _("A date and time with a UTC offset is expected, such as “2027-07-01T18:00:00Z”.")
    }

    def to_internal_value(self, data: Any) -> datetime:  # type: ignore[override] # parsed further
        text = super().to_internal_value(data)
        try:
            found = datetime.fromisoformat(text)
            if found.tzinfo is None:
                raise ValueError
            return found.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail("instant")


class Words(Text):
    """Words from a fixed set, separated by commas, in a query parameter."""

    default_error_messages = {"unknown": _("There is no “{word}”. Choose from these: {there_are}.")}

    def __init__(self, *, words: Iterable[str], **more: Any) -> None:
        super().__init__(**more)
        self.words = list(words)

    def to_internal_value(self, data: Any) -> Any:
        found = dict.fromkeys(filter(None, super().to_internal_value(data).split(",")))
        for word in found:
            if word not in self.words:
                self.fail("unknown", word=word[:24], there_are=", ".join(self.words))
        return list(found)


class ReadMark(Text):
    """A person's position in a game's log: a number, or the cursor of a stream event."""

    def __init__(self, *, read: Callable[[str], Any], **more: Any) -> None:
        super().__init__(**more)
        self._read = read

    def to_internal_value(self, data: Any) -> Any:
        """Return the position that ``read`` finds. Raises ValidationError if ``read`` raises Malformed."""
        try:
            return self._read(super().to_internal_value(data))
        except Malformed as refusal:
            raise serializers.ValidationError(refusal.detail, "cursor") from None


@runtime_checkable
class Faulted(Protocol):
    """A field that checks more than the type of a value."""

    def faults(self, value: Any) -> Sequence[str]:
        """Return a sentence for each error in a value."""


class Amount(WholeNumber):
    """A whole number with bounds. `Input` refuses a number outside the bounds, but not as malformed."""

    def __init__(self, *, least: int, most: int, **more: Any) -> None:
        super().__init__(**more)
        self.least, self.most = least, most

    def faults(self, value: Any) -> list[str]:
        if value is None or self.least <= value <= self.most:
            return []
        return [gettext("Choose a number from {least} to {most}.").format(least=self.least, most=self.most)]


class Pick(Choice):
    """A choice from texts or numbers. `Input` refuses other values of the same type as not allowed."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the value. Raises ValidationError for a value of another type."""
        if type(data) is not type(next(iter(self.choices))):
            self.fail("invalid_choice")
        return data

    def faults(self, value: Any) -> list[str]:
        if value in self.choices:
            return []
        there_are = ", ".join(str(choice) for choice in self.choices if choice != "")
        return [gettext("Choose one of these: {choices}.").format(choices=there_are)]


class Written(Text):
    """A text that a person writes for others: tidied, and only with readable characters.

    Only these fields and `rules.names` contain the rules for names and texts that people write. Pages and the
    admin make their form fields from these fields. Services get tidied values, and do not check them again.

    A text that is too long is not malformed. So the DRF field has no limit, and `Input` refuses the text
    together with all other errors. ``needed`` is the error message for an empty text.
    """

    shortest = 0

    def __init__(self, *, longest: int, needed: Any = "", **more: Any) -> None:
        super().__init__(**more)
        self.longest, self.needed = longest, needed

    def faults(self, value: Any) -> Sequence[str]:
        """Return a sentence for each error in a tidied value."""
        raise NotImplementedError


class Name(Written):
    """A name: one line, with single spaces. No-break spaces remain."""

    def __init__(self, *, shortest: int = 1, **more: Any) -> None:
        super().__init__(**more)
        self.shortest = shortest

    def to_internal_value(self, data: Any) -> str:
        return re.sub(" {2,}", " ", super().to_internal_value(data).strip())

    def faults(self, value: Any) -> list[str]:
        if not value and (self.needed or self.allow_blank):
            return [str(self.needed)] if self.needed else []
        if len(value) > self.longest:
            detail = gettext("The name has {count} characters, and the limit is {most}. Shorten it.")
            return [detail.format(count=len(value), most=self.longest)]
        if fault := fault_of_name(value):
            return [translate(fault)]
        if len(value) < self.shortest:
            detail = gettext("Enter a name of {least} to {most} characters.")
            return [detail.format(least=self.shortest, most=self.longest)]
        return []


class Prose(Written):
    """A text of several lines, without repeated empty lines. On pages, its input has ``rows`` lines.

    Each error has a code: ``control-characters``, ``empty`` or ``too-long``.
    """

    default_error_messages = {
        "too_long": _("Your text has {count} characters, and the limit is {most}. Shorten it.")
    }

    def __init__(self, *, rows: int = 5, **more: Any) -> None:
        super().__init__(trim_whitespace=False, **more)
        self.rows = rows

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data).replace("\r\n", "\n").replace("\r", "\n")
        lines = "\n".join(line.rstrip() for line in text.split("\n"))
        return re.sub(r"\n{3,}", "\n\n", lines).replace("\t", " ").strip()

    def faults(self, value: Any) -> list[ErrorDetail]:
        found = []
        if fault := fault_of_text(value):
            found.append(ErrorDetail(translate(fault), "control-characters"))
        if self.needed and not is_visible(value):
            found.append(ErrorDetail(str(self.needed), "empty"))
        if len(value) > self.longest:
            detail = str(self.error_messages["too_long"]).format(count=len(value), most=self.longest)
            found.append(ErrorDetail(detail, "too-long"))
        return found


class Strict(InWords, serializers.Serializer[Any]):
    """A JSON object with only the declared keys.

    If it ``may_be_missing``, a request without a body counts as an empty object.
    """

    may_be_missing: ClassVar[bool] = False

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": _("An object is expected.")}

    def to_internal_value(self, data: Any) -> Any:
        """Return the values of the object. Raises ValidationError with all errors and unknown keys."""
        faults: dict[str, Any] = {}
        values: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(data, Mapping):
                raise
            assert isinstance(error.detail, dict)
            faults = error.detail
        unknown = [key for key in data if key not in self.fields]
        for key in unknown[:MAX_NAMED_FAULTS]:
            text = gettext("There is no key “{key}”.")
            if self.fields:
                text = gettext("There is no key “{key}”. Choose from these: {known}.")
            text = text.format(key=key, known=", ".join(self.fields))
            faults[str(key)] = [ErrorDetail(text, "unknown-key")]
        if (more := len(unknown) - MAX_NAMED_FAULTS) > 0:
            text = ngettext(
                "There is {number} more unknown key.", "There are {number} more unknown keys.", more
            )
            rest = faults.setdefault(api_settings.NON_FIELD_ERRORS_KEY, [])
            rest.append(ErrorDetail(text.format(number=more), "unknown-key"))
        if faults:
            raise serializers.ValidationError(faults)
        return values


class Input(Strict):
    """Values from people or programs, declared once for the API and pages.

    A value of the wrong type makes a request malformed (400). Values that are not allowed, such as a long
    name, are refused together (422), with the code and the sentence in ``refusal``. Services check only
    conditions that depend on stored data.

    Pages show the fields with a ``label``. The ``help_text`` of a field also describes it in OpenAPI.
    """

    refusal: ClassVar[tuple[str, Any]]

    beside: ClassVar[Mapping[str, str]] = {}
    """The names of the form fields that show refusals by a service, by the code of the refusal."""

    optional: ClassVar[bool] = False
    """Whether every value may be omitted. Omitted values do not change."""

    @classmethod
    def fields_of_pages(cls) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the declared fields that pages show. Only programs use the other fields."""
        return {name: field for name, field in cls._declared_fields.items() if field.label is not None}

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Return the fields. If the values are optional, no field is required or has a default."""
        fields = super().get_fields()
        for field in fields.values() if self.optional else ():
            field.required, field.default = False, serializers.empty
        return fields

    def faults_together(self, values: Mapping[str, Any]) -> list[ProblemDocument]:
        """Return the errors that follow from the combination of several values.

        ``values`` may lack fields that a page does not show.
        """
        return []

    def refuse(self) -> None:
        """Raise Invalid with an error for each value that is not allowed. Call `is_valid` first."""
        values: dict[str, Any] = self.validated_data
        problems: list[ProblemDocument] = [
            {"code": name, "detail": detail}
            for name, field in self.fields.items()
            if isinstance(field, Faulted) and name in values
            for detail in field.faults(values[name])
        ]
        if problems := problems or self.faults_together(values):
            code, detail = self.refusal
            raise Invalid(code, str(detail), problems)

    def allowed(self) -> dict[str, Any]:
        """Return the checked values, for callers outside the API.

        Raises Malformed for values of the wrong type, and Invalid for values that are not allowed.
        """
        if not self.is_valid():
            faults = (str(fault) for found in self.errors.values() for fault in found)
            raise Malformed("malformed", " ".join(faults))
        self.refuse()
        values: dict[str, Any] = self.validated_data
        return values


class Refusable(forms.Form):
    """A form that can show the refusal of a service."""

    def add_refusal(self, refusal: ServiceError) -> None:
        """Show each error of a refusal beside its field."""
        for problem in refusal.problems or [{"code": "", "detail": refusal.detail}]:
            named = (problem.get("key"), problem["code"])
            field = next((name for name in named if name in self.fields), None)
            self.add_error(field, capfirst(problem["detail"]))
