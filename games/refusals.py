"""Forms that show beside their fields why a service refuses what was filled in."""

from collections.abc import Callable
from typing import Any

from django import forms
from django.utils.text import capfirst

from games.errors import Invalid, NotFound, ServiceError


class Refusable(forms.Form):
    """A form that shows beside its fields what a service says of them."""

    def add_refusal(self, refusal: ServiceError) -> None:
        """Put each fault beside the field that it is about; the first of many of one field will do."""
        for problem in refusal.problems or [{"code": "", "detail": refusal.detail}]:
            named = (problem.get("key"), problem["code"])
            field = next((name for name in named if name in self.fields), None)
            self.add_error(field, capfirst(problem["detail"]))

    def refused_by(self, service: Callable[..., object], **given: Any) -> int | None:
        """Have a service take what was filled in; return the status of a refusal, None if there is none.

        What is wrong is shown beside the fields. Raises NotFound as the service does.
        """
        if not self.is_valid():
            return Invalid.status
        try:
            service(**given, **self.cleaned_data)
        except NotFound:
            raise
        except ServiceError as refusal:
            self.add_refusal(refusal)
            return refusal.status
        return None
