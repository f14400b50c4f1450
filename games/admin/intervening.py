"""Doing something about games that got stuck: staff are asked why first, since players get to read it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from games.admin.watching import DoingAdmin, WatchedAdmin, linked, staff_of
from games.clocks import clock
from games.staff.forms import Grounds
from games.staff.services import interventions


class MoreTime(Grounds):
    """By how much a deadline is put off, and why."""

    hours = forms.IntegerField(
        min_value=1,
        max_value=clock.LONGEST_TURN,
        initial=24,
        help_text=_(
            "Counted from the deadline, or from now if it has passed. For all players whose orders are"
            " missing."
        ),
    )


@dataclass(frozen=True)
class Question:
    """What staff are asked before a service does something: what it is, what it does, and the word for it.

    The service takes the number of what it is ``about``. ``done`` tells that it was done.
    """

    title: str | Promise
    means: str | Promise
    button: str | Promise
    done: str | Promise
    service: Callable[..., object]
    about: str
    form: type[forms.Form] = Grounds


RESOLVE = Question(
    _("Resolve again?"),
    _("The turn gets as many attempts as a new one. Fix what went wrong first."),
    _("Resolve again"),
    _("To be resolved again"),
    interventions.resolve_again,
    "turn_id",
)
EXTEND = Question(
    _("More time?"),
    _(
        "All players whose orders for this turn are missing get more time."
        " Turns that chance has already played stay as they are."
    ),
    _("Put the deadline off"),
    _("Put off"),
    interventions.extend_turn,
    "game_id",
    MoreTime,
)
REPLACE = Question(
    _("Have a computer play?"),
    _(
        "A Rookie plays the robot from now on, starting with orders that are missing. Anyone but the player"
        " who had the seat can take it over: that player cannot come back to this game."
    ),
    _("Replace by a computer"),
    _("Replaced"),
    interventions.replace_as_staff,
    "seat_id",
)
CANCEL = Question(
    _("Cancel this game?"),
    _("A cancelled game ends without a winner, and cannot be resumed."),
    _("Cancel"),
    _("Cancelled"),
    interventions.cancel_as_staff,
    "game_id",
)


class AskingAdmin(DoingAdmin):
    """Rows about which staff do something once they have said why."""

    def intervene(
        self, request: HttpRequest, rows: QuerySet[Any], question: Question
    ) -> TemplateResponse | None:
        """Ask, and once that is answered do it for each row, with what the form has."""
        answered = "sure" in request.POST
        form = question.form(request.POST if answered else None)
        if answered and form.is_valid():
            given = {"user": staff_of(request), "now": timezone.now(), **form.cleaned_data}

            def deed(row: Any) -> object:
                return question.service(**{question.about: self.number_of(row)}, **given)

            self.do_for_each(request, rows, deed, str(question.done))
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

    def number_of(self, row: Any) -> int:
        """Return the number by which a service knows what is done about a row."""
        number: int = row.pk
        return number


class InterveningAdmin(WatchedAdmin, AskingAdmin):
    """Rows about which staff may do something that the players are told of."""
