"""Inputs of the chat: new messages, read marks and queries."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from games.chat.models import MAX_LINE_LENGTH
from games.errors import Invalid
from games.play.progress import chat_position
from games.web.inputs import LARGEST_ID, Input, Prose, ReadMark, Strict, WholeNumber
from games.web.queries import LinkQuery


class NewLine(Input):
    """A new chat message. Each kind of error in the text has its own code."""

    text = Prose(
        longest=MAX_LINE_LENGTH,
        allow_blank=True,
        needed=_("Your message is empty. Write something first."),
        error_messages={
            "too_long": _(
                "Your message has {count} characters. The limit is {most}, so split it into several messages."
            )
        },
        help_text=f"Plain text of 1 to {MAX_LINE_LENGTH} characters. It may have line breaks.",
    )

    def refuse(self) -> None:
        """Raise Invalid for the first error in the text, if there is one."""
        field: Any = self.fields["text"]
        for fault in field.faults(self.validated_data["text"]):
            raise Invalid(fault.code, str(fault))


class LinesRead(Strict):
    """The last message that you have read in a chat."""

    line = WholeNumber(
        min_value=0, max_value=LARGEST_ID, help_text="The `id` of the last message that you read."
    )


class ChatQuery(LinkQuery):
    """The query for chat messages. It gives the position in the chat to start after."""

    after = ReadMark(
        read=chat_position,
        default=0,
        help_text="Returns messages with a larger `id` only: a message `id`, or the id of a stream event.",
    )
