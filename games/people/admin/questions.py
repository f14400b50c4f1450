"""The forms to confirm actions of staff on an account, each with a reason."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts import robo_names
from accounts.models import MAX_LOCK_REASON_LENGTH
from games.moderation.services.decisions import rename_on_request
from games.staff import support
from games.staff.admin import Question
from games.staff.inputs import Reason
from games.web.forms import form_field


class ReasonForPerson(forms.Form):
    """The form to give a reason for an action on an account. The person reads it in an email."""

    reason = form_field(
        Reason(
            longest=MAX_LOCK_REASON_LENGTH,
            needed=_("Give a reason. The person reads it."),
            help_text=_("The person reads this, but not who wrote it. The log shows both to staff."),
        )
    )


class ReasonForDeletion(forms.Form):
    """The form to give a reason for deleting an account. Only the log has it."""

    reason = form_field(
        Reason(
            longest=MAX_LOCK_REASON_LENGTH,
            needed=_("Give a reason. It stays in the log."),
            help_text=_("Only staff read this, in the log. It stays, so don’t name the person."),
        )
    )


class NewAddress(ReasonForPerson):
    email = forms.EmailField(label=_("New address"), max_length=254)
    field_order = ("email", "reason")


class RequestedName(ReasonForPerson):
    name = forms.CharField(label=_("New Robo Name"), max_length=robo_names.MAX_LENGTH)
    field_order = ("name", "reason")


class LockForm(ReasonForPerson):
    """The form to lock an account: the number of days, and the reason."""

    days = forms.IntegerField(
        label=_("Days"),
        required=False,
        min_value=1,
        max_value=support.MAX_LOCK_DAYS,
        help_text=_("Leave it empty to lock the account until staff unlock it."),
    )
    field_order = ("days", "reason")


class IdentityChecked(ReasonForPerson):
    """The form to remove second factors. Staff confirm that they have checked the identity."""

    checked = forms.BooleanField(
        label=_("I have checked that the owner of the account is asking"),
        help_text=_(
            "For example, they wrote from the address of the account, and know which games they play."
            " Say in the reason what you have checked."
        ),
        error_messages={"required": _("Check first who is asking.")},
    )
    field_order = ("checked", "reason")


def _on_account(
    title: Any, means: Any, button: Any, done: Any, service: Any, form: type[forms.Form], *unused: str
) -> Question:
    return Question(title, means, button, done, service, "person_id", form, unused, logs_reason=True)


GIVE_ADDRESS: Final = _on_account(
    _("Give this account a new address?"),
    _(
        "The new address gets a confirmation link, and the old one a warning. The old address stays until the"
        " link is opened."
    ),
    _("Send the confirmation link"),
    _("Confirmation link sent to a new address"),
    support.give_address,
    NewAddress,
)
RENAME: Final = _on_account(
    _("Give this person another name?"),
    _("Games show the new name within minutes. No one else can take the old name."),
    _("Rename"),
    _("Renamed"),
    rename_on_request,
    RequestedName,
)
LOCK: Final = _on_account(
    _("Lock this account?"),
    _(
        "The person is logged out and can’t log in. Games continue, and missed turns count. For a broken"
        " rule, decide a case instead: the person can appeal it."
    ),
    _("Lock"),
    _("Locked"),
    support.lock,
    LockForm,
)
UNLOCK: Final = _on_account(
    _("Unlock this account?"),
    _("The person can log in again at once."),
    _("Unlock"),
    _("Unlocked"),
    support.unlock,
    ReasonForPerson,
)
LOG_OUT: Final = _on_account(
    _("Log this person out everywhere?"),
    _("All sessions end, and all API tokens are revoked."),
    _("Log out everywhere"),
    _("Logged out everywhere"),
    support.log_out,
    ReasonForPerson,
)
REMOVE_FACTORS: Final = _on_account(
    _("Remove all second factors?"),
    _(
        "Passkeys, authenticator apps and recovery codes are removed, and all sessions end. The password"
        " alone is enough to log in."
    ),
    _("Remove all second factors"),
    _("Second factors removed"),
    support.remove_factors,
    IdentityChecked,
    "checked",
)
SEND_DATA: Final = _on_account(
    _("Send the file of personal data?"),
    _("The confirmed address gets a link that works for 7 days, without a login."),
    _("Send the link"),
    _("Link to personal data sent"),
    support.send_data_link,
    ReasonForPerson,
)
GIVE_DATA: Final = _on_account(
    _("Download this person’s data?"),
    _("You get the whole file, with addresses, chats and notes. The person is told."),
    _("Download"),
    _("Personal data downloaded"),
    support.give_data,
    ReasonForPerson,
)
SEND_TEST: Final = _on_account(
    _("Send a test email?"),
    _("It goes to the confirmed address. A minute later, this page shows whether the mail server took it."),
    _("Send a test"),
    _("Test sent"),
    support.send_test,
    ReasonForPerson,
)
CONFIRM_AGAIN: Final = _on_account(
    _("Send the confirmation link again?"),
    _("It goes to the newest address that waits for confirmation."),
    _("Send the link again"),
    _("Confirmation link sent again"),
    support.confirm_again,
    ReasonForPerson,
    "reason",
)
FORGIVE_BOUNCE: Final = _on_account(
    _("Try the bounced address again?"),
    _("Mail about games goes to it again, until the next bounce."),
    _("Try again"),
    _("Address opened again"),
    support.forgive_bounce,
    ReasonForPerson,
)
SEND_AGAIN: Final = _on_account(
    _("Send failed notifications again?"),
    _("Up to 50, newest first. Those that are out of date are dropped."),
    _("Send again"),
    _("Failed notifications sent again"),
    support.send_failed_again,
    ReasonForPerson,
    "reason",
)
