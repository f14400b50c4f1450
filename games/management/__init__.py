"""Commands for operators. Each answer is one line, even if a name breaks lines."""

from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from rules import in_one_line


class OneLineOutput(OutputWrapper):
    """The output of a command. Each text becomes one line."""

    def write(  # type: ignore[override] # as Django's does
        self, msg: str = "", style_func: Any = None, ending: str | None = None
    ) -> None:
        super().write(in_one_line(msg.rstrip("\n")), style_func, ending)


class OneLineCommand(BaseCommand):
    """A command with one-line answers and errors, without system checks."""

    requires_system_checks = []

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Run the command, with line breaks escaped in its output."""
        for name in ("stdout", "stderr"):
            before: Any = getattr(self, name)
            output = OneLineOutput(options.pop(name, None) or before._out)
            output.style_func = before.style_func
            setattr(self, name, output)
        return super().execute(*args, **options)
