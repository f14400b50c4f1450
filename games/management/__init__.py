"""Commands for operators. Each answer is one line, whatever names and faults it repeats."""

from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from rules import in_one_line


class OneLineOutput(OutputWrapper):
    """The output of a command: each text that is written to it becomes one line."""

    def write(  # type: ignore[override] # as Django's does
        self, msg: str = "", style_func: Any = None, ending: str | None = None
    ) -> None:
        """Write a text in one line."""
        super().write(in_one_line(msg.rstrip("\n")), style_func, ending)


class OneLineCommand(BaseCommand):
    """A command whose answers and errors are one line each. It checks no code first, as `prepare` does."""

    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command with outputs that escape what breaks a line."""
        for name in ("stdout", "stderr"):
            before: Any = getattr(self, name)
            output = OneLineOutput(options.pop(name, None) or before._out)
            output.style_func = before.style_func
            setattr(self, name, output)
        return super().execute(*args, **options)
