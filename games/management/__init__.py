"""Commands for operators. Each output is one line, even if a name contains line breaks."""

from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from rules import in_one_line


class OneLineOutput(OutputWrapper):
    """The output of a command. It writes each text as one line."""

    def write(  # type: ignore[override] # as Django's does
        self, msg: str = "", style_func: Any = None, ending: str | None = None
    ) -> None:
        super().write(in_one_line(msg.rstrip("\n")), style_func, ending)


class OneLineCommand(BaseCommand):
    """A command that writes each output and each error on one line, and runs no system checks."""

    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, with line breaks escaped in its output."""
        for name in ("stdout", "stderr"):
            before: Any = getattr(self, name)
            output = OneLineOutput(options.pop(name, None) or before._out)
            output.style_func = before.style_func
            setattr(self, name, output)
        return super().execute(*args, **options)
