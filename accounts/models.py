"""The tables of accounts: people, closed addresses, account mail and traces."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any, ClassVar

import idna
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models, transaction
from django.db.models import F, Value
from django.db.models.functions import Lower, Upper
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import robo_names, time_zones
from accounts.robo_names import RetiredName
from accounts.sign_ups import InvitationLink, SignUp, SignUpBlock, SignUpRule, ThrowawayDomain
from roborunner.leases import Leased


def mailbox_of(email: str) -> str:
    """Return the normal form of an email address: lower case, with its domain in ASCII.

    If the domain is not valid, the address is only converted to lower case: validators refuse it.

    >>> mailbox_of(" Pat@Müller.example "), mailbox_of("pat@xn--mller-kva.example")
    ('pat@xn--mller-kva.example', 'pat@xn--mller-kva.example')
    """
    local, at, domain = email.strip().rpartition("@")
    if not domain.isascii():
        with suppress(idna.IDNAError):
            domain = idna.encode(domain, uts46=True).decode("ascii")
    return f"{local}{at}{domain}".lower()


def readable(email: str) -> str:
    """Return an email address with its domain in its own script instead of Punycode.

    >>> readable("pat@xn--mller-kva.example"), readable("pat@example.org"), readable("pat@xn--a.example")
    ('pat@müller.example', 'pat@example.org', 'pat@xn--a.example')
    """
    local, at, domain = email.rpartition("@")
    if "xn--" not in domain:
        return email
    try:
        return f"{local}{at}{idna.decode(domain)}"
    except idna.IDNAError:
        return email


class Audience(models.TextChoices):
    """The people who can see a part of a person's profile."""

    EVERYBODY = "everybody", _("Everyone")
    PLAYERS = "players", _("Fellow players")
    NOBODY = "nobody", _("Only me")


AUDIENCES = (
    "shows_name",
    "shows_games",
    "shows_history",
    "shows_statistics",
    "shows_achievements",
    "shows_accuracy",
)
"""The names of the privacy settings, for the list of players and for parts of a person's profile."""

PROFILE = ("look", "time_zone", "language")
"""The names of the profile fields that are not privacy settings."""


class Theme(models.TextChoices):
    AUTO = "auto", _("Same as my system")
    LIGHT = "light", _("Day")
    DARK = "dark", _("Night")


class Motion(models.TextChoices):
    AUTO = "auto", _("Same as my system")
    FULL = "full", _("Full")
    REDUCED = "reduced", _("No animation")


class CellSize(models.TextChoices):
    FIT = "fit", _("Fit to page")
    SMALL = "small", _("Small")
    MEDIUM = "medium", _("Medium")
    LARGE = "large", _("Large")


class Frequency(models.TextChoices):
    AT_ONCE = "at once", _("At once")
    DAILY = "daily", _("Once a day")
    ONE = "one", _("One, then none until I visit")
    NONE = "none", _("Not at all")


REMINDER_HOURS = (24, 6, 1)
"""The reminder steps that people can choose from, in hours before a deadline."""


class Standing(models.TextChoices):
    """The choices of standing orders. They are played if a player misses a turn."""

    LAID = "laid", _("My draft")
    AHEAD = "ahead", _("Straight ahead")
    DOWN = "down", _("Power down")


SPEEDS = (50, 100, 200, 400)
"""The playback speeds of turns, as a percentage of normal speed."""

LOOKS = 8
"""The number of robot pictures that players can choose from."""


MAX_LOCK_REASON_LENGTH = 500
"""The maximum length of the reason for locking an account, in characters."""


UNCONFIRMED = models.Q(email="", is_guest=False, deleted_at=None)
"""The database condition for unconfirmed sign-ups. Their addresses do not belong to anyone yet."""


class UserManager(BaseUserManager["User"]):
    """Finds and creates accounts. Lookups by Robo Name ignore case."""

    def players(self) -> models.QuerySet["User"]:
        """Return the people visible to others: no guests, and no unconfirmed, locked or closed accounts."""
        return self.filter(is_guest=False, is_active=True).exclude(email="")

    def unconfirmed(self) -> models.QuerySet["User"]:
        """Return the sign-ups whose address is not confirmed yet."""
        return self.filter(UNCONFIRMED)

    def get_by_natural_key(self, username: str | None) -> "User":
        """Return the person with this Robo Name, ignoring case. Raises `User.DoesNotExist`."""
        return self.get(robo_name__iexact=username)

    def create_user(self, robo_name: str, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an account.

        If ``password`` is None, it has none until its owner sets one by a link in an email.
        """
        user = self.model(robo_name=robo_name, email=mailbox_of(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, robo_name: str, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Create a staff account with all rights.

        Its address counts as confirmed, because only someone with access to the server can call this. Raises
        ValidationError for a name that looks like another player's or a deleted account's.
        """
        robo_names.refuse_lookalike(robo_name, among=self.all())
        robo_names.refuse_retired(robo_name)
        with transaction.atomic(using=self._db):
            user = self.create_user(
                robo_name, email, password, **{**fields, "is_staff": True, "is_superuser": True}
            )
            user.confirm_email()
        return user


def _shown_to(help_text: str | Promise, default: Audience = Audience.EVERYBODY) -> Any:
    return {"max_length": 10, "choices": Audience, "default": default, "help_text": help_text}


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account, or a guest. Other people know a person only by Robo Name."""

    robo_name = models.CharField(
        _("Robo Name"),
        max_length=robo_names.MAX_LENGTH,
        validators=[robo_names.validate],
        help_text=format_lazy(
            _(
                "{shortest} to {longest} letters, digits, hyphens and underscores."
                " You use it in every game and can’t change it later."
            ),
            shortest=robo_names.MIN_LENGTH,
            longest=robo_names.MAX_LENGTH,
        ),
    )
    skeleton = models.GeneratedField(
        expression=robo_names.SKELETON,
        output_field=models.CharField(max_length=2 * robo_names.MAX_LENGTH),
        db_persist=True,
        help_text=_("The form that this name shares with all names that look like it."),
    )
    email = models.EmailField(
        _("email address"), help_text=_("No one else sees it. It is empty until it is confirmed.")
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        default="UTC",
        validators=[time_zones.validate],
        help_text=_("Times and deadlines are shown in this time zone."),
    )
    language = models.CharField(
        _("language"),
        max_length=10,
        blank=True,
        default="",
        db_default="",
        help_text=_("Pages and mail are in this language, as far as they have been translated."),
    )
    manner = models.CharField(
        _("mail about my games"),
        max_length=10,
        choices=Frequency,
        default=Frequency.AT_ONCE,
        db_default=Frequency.AT_ONCE,
        help_text=_("For all games except those with their own setting."),
    )
    standing = models.CharField(
        _("standing orders"),
        max_length=10,
        choices=Standing,
        default=Standing.LAID,
        db_default=Standing.LAID,
        help_text=_("Played if you miss a turn, in games with standing orders."),
    )
    daily_hour = models.PositiveSmallIntegerField(
        _("hour of the daily email"),
        default=8,
        db_default=8,
        validators=[MaxValueValidator(23)],
        help_text=_("In your time zone."),
    )
    lobby_mail = models.BooleanField(
        _("mail about games that have not started"),
        default=True,
        db_default=True,
        help_text=_(
            "When a player invites you, a host removes you, or a game is cancelled. You’ll always find"
            " invitations in My Room."
        ),
    )
    silenced = ArrayField(
        models.CharField(max_length=10),
        verbose_name=_("silenced notifications"),
        default=list,
        db_default=Value([], ArrayField(models.CharField(max_length=10))),
        blank=True,
        help_text=_("Notifications that you turned off."),
    )
    reminder_hours = ArrayField(
        models.PositiveSmallIntegerField(choices=[(hours, str(hours)) for hours in REMINDER_HOURS]),
        verbose_name=_("reminders"),
        default=list,
        db_default=Value([], ArrayField(models.PositiveSmallIntegerField())),
        blank=True,
        help_text=_(
            "Before the deadline, while a turn waits for your orders. Turns that are no longer than this time"
            " have no such reminder. If you choose none, you get one reminder, when a quarter of your time is"
            " left."
        ),
    )
    starship_mail = models.BooleanField(
        _("mail about starships"),
        default=True,
        db_default=True,
        help_text=_(
            "Reviews, replies, your prototypes, and requests to the design committee. This mail comes once"
            " a day if your mail about games does, and otherwise immediately."
        ),
    )
    look = models.PositiveSmallIntegerField(
        _("robot"),
        null=True,
        blank=True,
        help_text=_("Your robot, unless another player in the game already has it."),
    )
    shows_name = models.CharField(
        _("Robo Name in the player search"),
        db_default=Audience.EVERYBODY,
        **_shown_to(
            _(
                "Who can find you when they search for players."
                " Anyone who knows your Robo Name can still open your page."
            )
        ),
    )
    shows_games = models.CharField(
        _("running games"), **_shown_to(_("The public games that you are playing."))
    )
    shows_history = models.CharField(_("history"), **_shown_to(_("The public games that you have played.")))
    shows_statistics = models.CharField(
        _("statistics"), **_shown_to(_("Your robot’s counts and results in your public games."))
    )
    shows_achievements = models.CharField(
        _("achievements"), **_shown_to(_("Your achievements and their dates."))
    )
    shows_accuracy = models.CharField(
        _("accuracy and luck"),
        db_default=Audience.NOBODY,
        **_shown_to(_("Your accuracy and luck in analysed public games."), Audience.NOBODY),
    )
    aid = models.BooleanField(
        _("programming aid"),
        default=True,
        help_text=_("Shows your robot’s path, phase by phase, while you place chips."),
    )
    speed = models.PositiveSmallIntegerField(
        _("animation speed"),
        default=100,
        choices=[(speed, f"{speed / 100:g}×") for speed in SPEEDS],
        help_text=_("How fast turns are played back."),
    )
    motion = models.CharField(
        _("motion"),
        max_length=10,
        choices=Motion,
        default=Motion.AUTO,
        help_text=_("The amount of animation in the playback."),
    )
    theme = models.CharField(_("light"), max_length=10, choices=Theme, default=Theme.AUTO)
    cell_size = models.CharField(_("cell size"), max_length=10, choices=CellSize, default=CellSize.FIT)
    sound = models.BooleanField(
        _("sound"), default=False, help_text=_("Sound effects during the playback and when it’s your turn.")
    )
    volume = models.PositiveSmallIntegerField(
        _("master volume"), default=70, validators=[MaxValueValidator(100)], help_text=_("From 0 to 100.")
    )
    effects_volume = models.PositiveSmallIntegerField(
        _("effects volume"), default=80, validators=[MaxValueValidator(100)], help_text=_("From 0 to 100.")
    )
    music = models.BooleanField(
        _("music"),
        default=False,
        db_default=False,
        help_text=_("Calm music, composed while you play."),
    )
    music_volume = models.PositiveSmallIntegerField(
        _("music volume"),
        default=50,
        db_default=50,
        validators=[MaxValueValidator(100)],
        help_text=_("From 0 to 100."),
    )
    chat_filter = models.BooleanField(
        _("hide rude words in chat"),
        default=True,
        db_default=True,
        help_text=_(
            "Hides other players’ messages that contain rude words. You can still open each of them."
        ),
    )
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        editable=False,
        help_text=_("Plays without an account until they sign up."),
    )
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("Can open the admin pages."))
    is_active = models.BooleanField(_("active"), default=True, help_text=_("Can log in."))
    locked_until = models.DateTimeField(
        _("locked until"),
        null=True,
        editable=False,
        help_text=_("If it is empty, the account stays locked until staff unlock it."),
    )
    lock_reason = models.CharField(
        _("reason for the lock"),
        max_length=MAX_LOCK_REASON_LENGTH,
        blank=True,
        default="",
        db_default="",
        editable=False,
        help_text=_("The person reads it when they try to log in."),
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(
        _("deleted"),
        null=True,
        editable=False,
        help_text=_("Since then, this row has held no personal data. It only preserves the places in games."),
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "robo_name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        ordering = ["robo_name"]
        indexes = [
            models.Index(fields=["skeleton"], name="robo_names_by_skeleton"),
            # For `iexact`, which compares in upper case. The unique indexes are on lower case.
            models.Index(Upper("robo_name"), name="robo_names_in_any_case"),
            models.Index(Upper("email"), name="addresses_in_any_case"),
            models.Index(fields=["date_joined"], name="guests", condition=models.Q(is_guest=True)),
            models.Index(fields=["date_joined"], name="unconfirmed", condition=UNCONFIRMED),
            models.Index(
                fields=["locked_until"], name="locks_that_end", condition=models.Q(locked_until__isnull=False)
            ),
            models.Index(fields=["date_joined"], name="newest", condition=models.Q(deleted_at=None)),
        ]
        constraints = [
            models.CheckConstraint(
                name="guest_without_an_address",
                condition=models.Q(is_guest=False, deleted_at=None) & ~models.Q(email="")
                | UNCONFIRMED & models.Q(is_staff=False, is_superuser=False, last_login=None)
                | models.Q(is_guest=True, deleted_at=None, email="", is_staff=False)
                | models.Q(
                    deleted_at__isnull=False,
                    email="",
                    is_guest=False,
                    is_active=False,
                    is_staff=False,
                    is_superuser=False,
                ),
            ),
            models.CheckConstraint(name="daily_hour_is_of_the_day", condition=models.Q(daily_hour__lte=23)),
            models.CheckConstraint(
                name="volumes_are_per_cent",
                condition=models.Q(volume__lte=100, effects_volume__lte=100, music_volume__lte=100),
            ),
            models.CheckConstraint(
                name="look_is_one_of_eight", condition=models.Q(look=None) | models.Q(look__range=(1, LOOKS))
            ),
            models.UniqueConstraint(
                Lower("robo_name"),
                name="robo_name_unique",
                violation_error_message=_("This Robo Name is taken. Choose another."),
            ),
            models.UniqueConstraint(
                F("skeleton"),
                name="robo_name_like_no_other",
                condition=models.Q(is_guest=False, deleted_at=None),
                violation_error_message=robo_names.LOOKS_LIKE_ANOTHER,
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="email_unique",
                condition=~models.Q(email=""),
                violation_error_message=_("Another account has this email address."),
            ),
        ]

    def __str__(self) -> str:
        return self.robo_name

    @property
    def awaits_confirmation(self) -> bool:
        """Whether this is a sign-up whose address is not confirmed yet."""
        return not (self.email or self.is_guest or self.deleted_at)

    def clean(self) -> None:
        """Normalise the address. Refuse a new name that looks like an existing or a retired name."""
        super().clean()
        self.email = mailbox_of(self.email)
        if self._state.adding:
            robo_names.refuse_lookalike(self.robo_name, among=User.objects.all())
            robo_names.refuse_retired(self.robo_name)

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Check all constraints except the one on skeletons: `clean` already reports similar names."""
        super().validate_constraints(exclude={*(exclude or ()), "skeleton"})

    def confirm_email(self) -> None:
        """Mark the account's address as confirmed, without sending mail."""
        from allauth.account.models import EmailAddress  # needs this model first

        EmailAddress.objects.update_or_create(
            user=self, email=self.email, defaults={"primary": True, "verified": True}
        )


class ClosedAddress(models.Model):
    """The hash of an email address that gets no mail about games, with the cause."""

    class Cause(models.TextChoices):
        """The reason why an address gets no mail about games."""

        CAME_BACK = "came back", _("Mail bounced")
        ASKED = "asked", _("The owner opted out")

    digest = models.CharField(max_length=64, primary_key=True)
    cause = models.CharField(max_length=10, choices=Cause)
    reason = models.CharField(max_length=300, blank=True)
    closed_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest


class AccountMail(Leased):
    """One email about an account, such as a confirmation link or a warning.

    The text may contain a link that gives access to an account. So the row is deleted as soon as the email
    is sent, or at ``good_until`` if it cannot be sent. ``kind`` is the name of the email's template.
    """

    kind = models.CharField(max_length=80)
    address = models.EmailField()
    subject = models.TextField()
    body = models.TextField()
    created_at = models.DateTimeField()
    good_until = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    offered_at = models.DateTimeField(null=True)
    last_error = models.TextField(blank=True, default="")

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class MailRecord(models.Model):
    """The outcome of one email about an account, without its text and its address.

    Staff read it if a person got no mail. ``digest`` is the keyed hash of the address, as in `ClosedAddress`.
    ``error`` is the mail server's last reply, without addresses.
    """

    class Outcome(models.TextChoices):
        SENT = "sent", _("Sent")
        REFUSED = "refused", _("Refused: no such mailbox")
        GIVEN_UP = "given up", _("Given up")

    digest = models.CharField(max_length=64)
    kind = models.CharField(max_length=80)
    outcome = models.CharField(max_length=10, choices=Outcome)
    created_at = models.DateTimeField()
    settled_at = models.DateTimeField()
    error = models.TextField(blank=True)

    class Meta:
        ordering = ["-settled_at", "-pk"]
        indexes = [
            models.Index(fields=["digest"], name="mail_to_an_address"),
            models.Index(fields=["settled_at"], name="mail_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}, {self.outcome}"


class Trace(models.Model):
    """The keyed hash of a browser or a network that an account has used.

    Staff see which accounts share a trace, but never the hash.
    """

    class Kind(models.TextChoices):
        """The kind of a trace: a browser or a network."""

        BROWSER = "browser", _("browser")
        NETWORK = "network", _("network")

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="traces")
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.CharField(max_length=64)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["digest"], name="traces_alike"),
            models.Index(fields=["last_at"], name="traces_by_age"),
        ]
        constraints = [models.UniqueConstraint(fields=["user", "kind", "digest"], name="trace_once")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.user_id}"
