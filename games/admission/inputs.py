"""The forms of staff about sign-ups: reasons, and the choice of a wave."""

from datetime import datetime
from ipaddress import ip_network
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy

from accounts.admission import MAX_PEOPLE_PER_LINK, normal_block
from accounts.sign_ups import MAX_REASON_LENGTH, InvitationLink, SignUpBlock, SignUpRule
from games.admission.selectors import Criteria
from games.staff.inputs import Reason
from games.web.forms import form_of
from games.web.inputs import Input


class Decline(Input):
    """The form to decline a person who wants an account."""

    refusal = "reason", gettext_lazy("Give a reason. The person will read it.")

    reason = Reason(
        longest=MAX_REASON_LENGTH,
        needed=gettext_lazy("Give a reason. The person will read it."),
        help_text=gettext_lazy("The person gets it by mail."),
    )


class WaveReason(Input):
    """The form to remove a wave."""

    refusal = "reason", gettext_lazy("Give a reason.")

    reason = Reason(
        longest=MAX_REASON_LENGTH,
        needed=gettext_lazy("Give a reason."),
        help_text=gettext_lazy("Other staff will read it."),
    )


DeclineForm = form_of(Decline)
WaveReasonForm = form_of(WaveReason)


class ReasonedForm(forms.ModelForm):  # type: ignore[type-arg]
    """A form of the admin whose reason is checked like all texts that people enter."""

    def clean_reason(self) -> str:
        """Tidy and check the reason."""
        reason: str = self.cleaned_data["reason"]
        if not reason.strip():
            return ""
        checked = WaveReasonForm({"reason": reason})
        if not checked.is_valid():
            raise ValidationError([message for sentences in checked.errors.values() for message in sentences])
        return str(checked.cleaned_data["reason"])


class RuleForm(ReasonedForm):
    """The form to choose who can sign up."""

    class Meta:
        model = SignUpRule
        fields = ("mode", "reason")


class BlockForm(ReasonedForm):
    """The form to block a mail domain, an address or a network."""

    class Meta:
        model = SignUpBlock
        fields = ("kind", "value", "reason", "ends_at")

    def clean(self) -> dict[str, Any]:
        """Normalise the value."""
        given = super().clean() or self.cleaned_data
        if given.get("kind") and given.get("value"):
            try:
                given["value"] = normal_block(given["kind"], given["value"])
            except ValidationError as error:
                self.add_error("value", error)
        return given


class StaffLinkForm(forms.ModelForm):  # type: ignore[type-arg]
    """The form for an invitation link by staff."""

    most = forms.IntegerField(
        label=gettext_lazy("People"), min_value=1, max_value=10_000, initial=MAX_PEOPLE_PER_LINK
    )

    class Meta:
        model = InvitationLink
        fields = ("most",)


class WaveForm(forms.Form):
    """The choice of a wave of sign-ups: by time, network and mail domain."""

    since = forms.DateTimeField(label=gettext_lazy("From"))
    until = forms.DateTimeField(label=gettext_lazy("Until"), required=False)
    network = forms.CharField(label=gettext_lazy("Network"), required=False, max_length=43)
    domain = forms.CharField(label=gettext_lazy("Mail domain"), required=False, max_length=253)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("since", "until"):
            widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            self.fields[name].widget = widget

    def clean_until(self) -> datetime:
        """Return the end. It is never in the future, so that no account joins the wave after staff looked."""
        now = timezone.now()
        until: datetime | None = self.cleaned_data["until"]
        return min(until, now) if until else now

    def clean_network(self) -> str:
        """Return the network in normal form."""
        network: str = self.cleaned_data["network"].strip()
        try:
            return str(ip_network(network, strict=False)) if network else ""
        except ValueError:
            raise ValidationError(_("Enter a network such as 203.0.113.0/24 or 2001:db8::/48.")) from None

    def clean_domain(self) -> str:
        """Return the domain in normal form."""
        domain: str = self.cleaned_data["domain"]
        return normal_block(SignUpBlock.Kind.DOMAIN, domain) if domain.strip() else ""

    def criteria(self) -> Criteria:
        """Return the choice of a valid form."""
        return Criteria(**{name: self.cleaned_data[name] for name in ("since", "until", "network", "domain")})
