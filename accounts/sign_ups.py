"""The tables of sign-up: its rules, blocks, invitation links, and how each account began."""

from django.db import models
from django.utils.translation import gettext_lazy as _

MAX_REASON_LENGTH = 300
"""The maximum length of a reason that staff give for a decision about sign-ups, in characters."""


class SignUpMode(models.TextChoices):
    """The ways to get an account. The setting ``SIGN_UP`` has the same words."""

    OPEN = "open", _("Open to everyone")
    INVITED = "invited", _("By invitation")
    APPROVED = "approved", _("Staff approve each account")
    CLOSED = "closed", _("Closed")


class SignUpRule(models.Model):
    """A decision of staff about who can sign up. The newest one counts.

    If ``mode`` is empty, the setting ``SIGN_UP`` counts again.
    """

    mode = models.CharField(
        _("sign-up"), max_length=10, choices=SignUpMode, blank=True, help_text=_("Empty: as in SIGN_UP.")
    )
    reason = models.CharField(max_length=MAX_REASON_LENGTH, blank=True)
    by = models.ForeignKey("accounts.User", on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-at", "-pk"]
        verbose_name = _("sign-up rule")

    def __str__(self) -> str:
        return self.mode or "setting"


class SignUpBlock(models.Model):
    """A block of sign-ups by a mail domain, an address or a network. Members are not affected.

    ``value`` is in normal form. A domain includes its subdomains. An allowed domain is an exception from the
    list of throw-away domains.
    """

    class Kind(models.TextChoices):
        """The kind of a blocked value."""

        DOMAIN = "domain", _("mail domain")
        ADDRESS = "address", _("email address")
        NETWORK = "network", _("network")
        ALLOWED = "allowed", _("allowed mail domain")

    kind = models.CharField(max_length=10, choices=Kind)
    value = models.CharField(
        max_length=254, help_text=_("Such as example.org, someone@example.org or 203.0.113.0/24.")
    )
    reason = models.CharField(
        max_length=MAX_REASON_LENGTH, blank=True, help_text=_("Only staff can read it.")
    )
    by = models.ForeignKey(
        "accounts.User", on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )
    made_at = models.DateTimeField(editable=False)
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True, help_text=_("Empty: it stays."))

    class Meta:
        ordering = ["kind", "value"]
        verbose_name = _("sign-up block")
        constraints = [models.UniqueConstraint(fields=["kind", "value"], name="sign_up_block_once")]

    def __str__(self) -> str:
        return self.value


class ThrowawayDomain(models.Model):
    """A mail domain of throw-away addresses, from a list that the operator loaded.

    If the table is empty, the list in the package ``disposable-email-domains`` counts.
    """

    domain = models.CharField(max_length=253, primary_key=True)

    def __str__(self) -> str:
        return self.domain


class InvitationLink(models.Model):
    """A link for up to ``most`` people to sign up until ``ends_at``."""

    token = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="invitation_links")
    most = models.PositiveSmallIntegerField(_("people"))
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(_("ends"), db_index=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("invitation link")

    def __str__(self) -> str:
        return f"invitation link {self.pk}"


class SignUp(models.Model):
    """The beginning of an account: its time, its network and its invitation link.

    ``network`` is the first address of the network, never the whole address of the person. While ``status``
    is ``WAITING``, the account is locked, and staff decide about it.
    """

    class Status(models.TextChoices):
        """The state of a sign-up."""

        NEW = "new", _("not confirmed")
        WAITING = "waiting", _("waits for staff")
        ADMITTED = "admitted", _("admitted")

    user = models.OneToOneField(
        "accounts.User", on_delete=models.CASCADE, primary_key=True, related_name="sign_up"
    )
    at = models.DateTimeField(db_index=True)
    network = models.GenericIPAddressField(null=True)
    invitation = models.ForeignKey(
        InvitationLink, on_delete=models.SET_NULL, null=True, related_name="sign_ups"
    )
    status = models.CharField(max_length=10, choices=Status, default=Status.NEW)
    waits_since = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at"]
        verbose_name = _("sign-up")
        indexes = [
            models.Index(
                fields=["waits_since"], name="sign_ups_waiting", condition=models.Q(status="waiting")
            )
        ]

    def __str__(self) -> str:
        return f"sign-up of {self.user_id}"
