"""Doing something about games that got stuck: staff are asked why first, since players get to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse

from games.admin.watching import WatchedAdmin, linked
from games.clocks import clock
from games.play.grounds import Grounds


class MoreTime(Grounds):
    """By how much a deadline is put off, and why."""

    hours = forms.IntegerField(
        min_value=1,
        max_value=clock.LONGEST_TURN,
        initial=24,
        help_text="From the deadline on, or from now where it has passed; for all whose orders are missing.",
    )


@dataclass(frozen=True)
class Question:
    """What staff are asked before something is done: what it is, what it does, and the word for it."""

    title: str
    means: str
    button: str
    form: type[Grounds] = Grounds


RESOLVE = Question(
    "Resolve again?",
    "The turn gets as many attempts as a new one. What went wrong should be mended before.",
    "Resolve again",
)
EXTEND = Question(
    "More time?",
    "All players whose orders for the turn under way are missing get more time. For whom chance has played "
    "already, it has played.",
    "Put the deadline off",
    MoreTime,
)
REPLACE = Question(
    "Have a computer play?",
    "A rookie gives the robot’s orders from now on, beginning with those that are missing. Anybody may take "
    "the seat over but who had it: they cannot come back to this game.",
    "Replace by a computer",
)
CANCEL = Question(
    "Cancel for good?",
    "A cancelled game ends without a winner, and cannot be taken up again.",
    "Cancel",
)


class InterveningAdmin(WatchedAdmin):
    """Rows about which staff may do something that the players are told of."""

    def intervene(
        self,
        request: HttpRequest,
        rows: QuerySet[Any],
        question: Question,
        deed: Callable[[Any, dict[str, Any]], object],
        done: str,
    ) -> TemplateResponse | None:
        """Ask, and once that is answered do something for each row, with what the form has."""
        answered = "sure" in request.POST
        form = question.form(request.POST if answered else None)
        if answered and form.is_valid():
            self.do_for_each(request, rows, lambda row: deed(row, form.cleaned_data), done)
            return None
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": question.title,
            "question": question,
            "form": form,
            "action": request.POST.get("action", ""),
            "rows": [(row, linked(row, self.named(row))) for row in rows],
        }
        return TemplateResponse(request, "admin/games/intervene.html", context)
