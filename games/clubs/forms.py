"""What someone fills in to found a club, or to change it."""

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms import GuardedForm
from games.clubs.models import LONGEST_NAME, LONGEST_TEXT, Club
from games.errors import ServiceError
from games.refusals import Refusable


class ClubForm(GuardedForm, Refusable):
    """How a club is called, what it says about itself, and who may join."""

    name = forms.CharField(
        label=_("Name"), max_length=LONGEST_NAME, error_messages={"required": _("The club needs a name.")}
    )
    text = forms.CharField(
        label=_("About the club"),
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Everyone can read it on the club’s page."),
    )
    entry = forms.ChoiceField(
        label=_("Who can join"),
        choices=Club.Entry.choices,
        initial=Club.Entry.OPEN,
        widget=forms.RadioSelect,
    )

    def add_refusal(self, refusal: ServiceError) -> None:
        """Put each fault beside its field, a name that is taken too."""
        if refusal.code == "taken":
            self.add_error("name", refusal.detail)
        else:
            super().add_refusal(refusal)
