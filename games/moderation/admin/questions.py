"""The forms to confirm staff decisions about players, starships and reviews."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import robo_names
from games.clubs import inputs
from games.moderation.models import LONGEST_FACTS, LONGEST_REASON, Rule
from games.moderation.sanctions import MOST_DAYS
from games.moderation.services import decisions
from games.staff.admin import Question
from games.staff.inputs import Reason
from games.web.forms import field_of, form_field
from games.web.inputs import Prose

# --- Starships and reviews ----------------------------------------------------------------------------------


def _reason(read_by: Any) -> forms.Field:
    needed = _("Give a reason. It is stored with the decision.")
    return form_field(Reason(longest=LONGEST_REASON, needed=needed, help_text=read_by))


class GroundsForAuthor(forms.Form):
    """The form to give a reason for an action on a review. The author of the review reads the reason."""

    reason = _reason(_("The author of the review sees this reason, but not who gave it."))


class GroundsForBuilder(forms.Form):
    """The form to give a reason for an action on a ship or a review.

    The ship's builder or the review's author reads the reason.
    """

    reason = _reason(
        _("The builder or author sees this reason, but not who gave it or who reported the ship or review.")
    )


class GroundsForStaff(forms.Form):
    """The form to give a reason for an action. Only staff can read the reason."""

    reason = _reason(_("Only staff read this."))


# --- Players ------------------------------------------------------------------------------------------------


def _words(label: Any, read_by: Any) -> forms.Field:
    needed = _("Write what happened. The player reads it.")
    return form_field(
        Prose(label=label, longest=LONGEST_FACTS, allow_blank=True, needed=needed, help_text=read_by),
        widget=forms.Textarea(attrs={"rows": 4, "cols": 60}),
    )


class Confirmation(forms.Form):
    """A form without fields, to confirm an action."""


class Decision(forms.Form):
    """The form of a decision about a player: the broken rule and the facts."""

    rule = forms.ChoiceField(label=_("Rule"), choices=Rule.choices)
    facts = _words(
        _("What happened"), _("The player reads this, but doesn’t see who wrote it or who reported them.")
    )


class DecisionForDays(Decision):
    """The form of a decision that lasts for a number of days."""

    days = forms.IntegerField(label=_("Days"), min_value=1, max_value=MOST_DAYS, initial=7)


class FewerDays(GroundsForStaff):
    """The form to shorten a decision: its new length, and the reason for the log."""

    days = forms.IntegerField(label=_("Days from the decision"), min_value=1, max_value=MOST_DAYS)
    field_order = ("days", "reason")


class Line(Decision):
    """The form of a decision to hide a chat line."""

    line_id = forms.IntegerField(label=_("Line number"), min_value=1)


class NewName(Decision):
    """The form of a decision to give a player another Robo Name."""

    name = forms.CharField(label=_("New Robo Name"), max_length=robo_names.MAX_LENGTH)


class PlayerName(forms.Form):
    """The form for the name of the player to open a case about."""

    robo_name = forms.CharField(label=_("Robo Name"), max_length=robo_names.MAX_LENGTH)


class NewClubName(Decision):
    """The form for renaming a club, as a decision of staff."""

    slug = forms.SlugField(label=_("The last part of the club’s address"))
    name = field_of(inputs.NewClub, "name", label=_("New name"), help_text="")


class Answer(forms.Form):
    answer = _words(_("Your answer"), _("The player reads this."))


def _on_case(
    title: Any, means: Any, button: Any, done: Any, service: Any, form: type[forms.Form] = Decision
) -> Question:
    return Question(title, means, button, done, service, "case_id", form)


BEGIN = Question(
    _("Open a case?"),
    _(
        "This opens a case about a player, although there is no report, and assigns it to you. If the"
        " player already has an open case, you take that one instead."
    ),
    _("Open a case"),
    _("Opened"),
    decisions.begin_case,
    "robo_name",
    PlayerName,
)

QUESTIONS: Mapping[str, Question] = {
    "take": _on_case(
        _("Take this case?"),
        _("For 24 hours, only you can decide it."),
        _("Take"),
        _("Taken"),
        decisions.take_case,
        Confirmation,
    ),
    "release": _on_case(
        _("Give this case back?"),
        _("Another member of staff can then take it."),
        _("Give back"),
        _("Given back"),
        decisions.release_case,
        Confirmation,
    ),
    "dismiss": _on_case(
        _("Dismiss the reports?"),
        _("The reporters learn that no rule was broken. The player gets no notification."),
        _("Dismiss"),
        _("Dismissed"),
        decisions.dismiss_case,
        Confirmation,
    ),
    "hide": _on_case(
        _("Hide a chat line?"),
        _("Players can’t read the line any more. Its text is stored, and an appeal can restore it."),
        _("Hide"),
        _("Hidden"),
        decisions.hide_line,
        Line,
    ),
    "warn": _on_case(
        _("Warn this player?"),
        _("The player reads the warning. Nothing else changes."),
        _("Warn"),
        _("Warned"),
        decisions.warn,
    ),
    "mute": _on_case(
        _("Mute this player?"),
        _("The player can’t write in chats, reviews or clubs."),
        _("Mute"),
        _("Muted"),
        decisions.mute,
        DecisionForDays,
    ),
    "bar": _on_case(
        _("Bar this player from tournaments?"),
        _(
            "The player is removed from all tournaments and set to resting on all ladders. Games continue,"
            " and results stay."
        ),
        _("Bar"),
        _("Barred"),
        decisions.bar,
        DecisionForDays,
    ),
    "suspend": _on_case(
        _("Suspend this player?"),
        _(
            "The player can finish running games, but can’t start new ones or write. If the suspension is"
            " longer than 7 days, a second moderator must confirm it."
        ),
        _("Suspend"),
        _("Suspended"),
        decisions.suspend,
        DecisionForDays,
    ),
    "rename": _on_case(
        _("Give this player another name?"),
        _("Games show the new name within minutes. No one else can take the old name."),
        _("Rename"),
        _("Renamed"),
        decisions.rename,
        NewName,
    ),
    "change_club": _on_case(
        _("Rename one of this player’s clubs?"),
        _("The club gets the new name and a new address, and its text is removed."),
        _("Rename"),
        _("Renamed"),
        decisions.change_club,
        NewClubName,
    ),
}
"""The actions on a case about a player, each with its confirmation form, by name."""

CONFIRM = Question(
    _("Confirm this suspension?"),
    _("The suspension then lasts its full length instead of 7 days."),
    _("Confirm"),
    _("Confirmed"),
    decisions.confirm_suspension,
    "sanction_id",
    Confirmation,
)
LIFT = Question(
    _("Undo this decision?"),
    _("Its effects are undone. The player gets a notification."),
    _("Undo"),
    _("Undone"),
    decisions.lift_sanction,
    "sanction_id",
    GroundsForStaff,
    unused=("reason",),
    logs_reason=True,
)
SHORTEN = Question(
    _("Shorten this decision?"),
    _("It ends that many days after it was made. The player gets a notification."),
    _("Shorten"),
    _("Shortened"),
    decisions.shorten_sanction,
    "sanction_id",
    FewerDays,
    unused=("reason",),
    logs_reason=True,
)
UPHOLD = Question(
    _("Uphold this decision?"),
    _("The player reads your answer. There is no second appeal."),
    _("Uphold"),
    _("Upheld"),
    decisions.uphold,
    "appeal_id",
    Answer,
)
OVERTURN = Question(
    _("Overturn this decision?"),
    _("Its effects are undone. The player reads your answer."),
    _("Overturn"),
    _("Overturned"),
    decisions.overturn,
    "appeal_id",
    Answer,
)
