"""Fields of requests, strict: nothing is taken for something else, and nothing unknown is passed over."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from games.errors import Malformed


class InWords:
    """Refuses in words of our own, which tell nothing of what reads the value."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "null": "It must not be null.",
        "blank": "It must not be empty.",
        "empty": "The list must not be empty.",
        "not_a_list": "A list is expected.",
        "min_value": "It must be {min_value} at least.",
        "max_value": "It must be {max_value} at most.",
        "min_length": "It must have {min_length} entries at least.",
        "max_length": "It must have {max_length} entries at most.",
        "max_string_length": "The number has too many digits.",
    }


class Items(InWords, serializers.ListField):
    """A JSON list."""


class Choice(InWords, serializers.ChoiceField):
    """One of a few words."""

    def __init__(self, choices: Any, **more: Any) -> None:
        super().__init__(choices, **more)
        there_are = ", ".join(map(str, self.choices))
        self.error_messages["invalid_choice"] = f"One of these is expected: {there_are}."


class Number(InWords, serializers.IntegerField):
    """A whole number in an address, where all is text."""

    default_error_messages = {"invalid": "A whole number is expected."}


class Text(InWords, serializers.CharField):
    """A JSON string, and no number in its place."""

    default_error_messages = {"invalid": "A text is expected."}

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeNumber(InWords, serializers.IntegerField):
    """A JSON number without fraction; neither true nor \"3\"."""

    default_error_messages = {"invalid": "A whole number is expected."}

    def to_internal_value(self, data: Any) -> int:
        """Return the number."""
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class Flag(InWords, serializers.BooleanField):
    """True or false, and no word or number in their place."""

    default_error_messages = {"invalid": "True or false is expected."}

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag."""
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Switch(InWords, serializers.BooleanField):
    """A flag in an address: 1 or 0."""

    default_error_messages = {"invalid": "1 or 0 is expected."}

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag."""
        if data not in {"0", "1", "true", "false"}:
            self.fail("invalid")
        return data in {"1", "true"}


class ReadMark(Text):
    """How far someone has read a game: a number, or the cursor of an event of a stream."""

    def __init__(self, *, read: Callable[[str], Any], **more: Any) -> None:
        super().__init__(**more)
        self._read = read

    def to_internal_value(self, data: Any) -> Any:
        """Return what ``read`` makes of it; raises ValidationError where that raises Malformed."""
        try:
            return self._read(super().to_internal_value(data))
        except Malformed as refusal:
            raise serializers.ValidationError(refusal.detail, "cursor") from None


class Strict(InWords, serializers.Serializer[Any]):
    """An object that may have the keys declared, and no other."""

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": "An object is expected."}

    def to_internal_value(self, data: Any) -> Any:
        """Return the values; raises ValidationError with every fault, unknown keys among them."""
        faults: dict[str, Any] = {}
        values: Any = {}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(data, Mapping):
                raise
            assert isinstance(error.detail, dict)
            faults = error.detail
        known = f"; there are: {', '.join(self.fields)}" if self.fields else ""
        for key in data:
            if key not in self.fields:
                text = f"There is no key “{key}”{known}."
                faults[str(key)] = [ErrorDetail(text, "unknown-key")]
        if faults:
            raise serializers.ValidationError(faults)
        return values
