"""Fields of requests, strict: nothing is taken for something else, and nothing unknown is passed over."""

from collections.abc import Callable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from games.errors import Malformed


class Text(serializers.CharField):
    """A JSON string, and no number in its place."""

    default_error_messages = {"invalid": "A text is expected."}

    def to_internal_value(self, data: Any) -> str:
        """Return the text."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """A JSON number without fraction; neither true nor \"3\"."""

    default_error_messages = {"invalid": "A whole number is expected."}

    def to_internal_value(self, data: Any) -> int:
        """Return the number."""
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return data


class Flag(serializers.BooleanField):
    """True or false, and no word or number in their place."""

    default_error_messages = {"invalid": "True or false is expected."}

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag."""
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Switch(serializers.BooleanField):
    """A flag in an address: 1 or 0."""

    default_error_messages = {"invalid": "1 or 0 is expected."}

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag."""
        if data not in {"0", "1", "true", "false"}:
            self.fail("invalid")
        return data in {"1", "true"}


class Place(Text):
    """How far somebody has read a game: a number, or the cursor of an event of a stream."""

    def __init__(self, *, read: Callable[[str], Any], **more: Any) -> None:
        super().__init__(**more)
        self._read = read

    def to_internal_value(self, data: Any) -> Any:
        """Return what ``read`` makes of it; raises ValidationError where that raises Malformed."""
        try:
            return self._read(super().to_internal_value(data))
        except Malformed as refusal:
            raise serializers.ValidationError(refusal.detail, "cursor") from None


class Strict(serializers.Serializer[Any]):
    """An object that may have the keys declared, and no other."""

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
