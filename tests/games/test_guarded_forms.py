"""Forms that send all fields replace only values that the sender has seen.

The test finds all forms. Guard a new form with `GuardedForm`, or list it here with a reason.
"""

import sys
from collections.abc import Iterator

from django import forms
from django.conf import settings
from django.urls import get_resolver
from django.utils.module_loading import import_string

from accounts.inputs import GuardedForm
from games.web.forms import InputForm

GUARDED = {
    "BranchForm",
    "ClubChangesForm",
    "GroupChannelChangesForm",
    "StarshipListChangesForm",
    "MissionForm",
    "NewsChangesForm",
    "NewsForm",
    "ProfileForm",
    "RestForm",
    "SearchForm",
    "StarshipForm",
    "TournamentChangesForm",
}

UNGUARDED = {
    "a base of other forms": """
        Refusable InputForm PaceFields AbsenceFields RobotForm Decision ServiceForm ReasonedForm
    """,
    "makes something, and replaces nothing": """
        NewUserForm CreateGameForm QuickForm PlayOnForm LoadForm
        BoardForm CellForm PieceForm CrewForm
        NewTournamentForm NewVacationForm NewSitterForm
        BlankForm CopyForm ImportForm
        ShipOrderForm TunnelOrderForm TunnelForm TestFlightForm NewPrototypeForm NewAppealForm
        PlayerReportForm NewPlayerReportForm NewReportForm NewReportOfReviewForm NewClubForm
        NewBranchForm NewStarshipListForm NewTokenForm NewGroupChannelForm NewChannelForm
        InvitationLinkForm StaffLinkForm RuleForm
    """,
    "asks before a step, which the service checks by the present state": """
        Confirmation PlayerName Answer DecisionForDays Line NewClubName NewName GroundsForAuthor
        GroundsForBuilder GroundsForStaff GroundsForm MoreTimeForm DeletionForm FewerDays
        ReasonForPerson ReasonForDeletion NewAddress RequestedName LockForm IdentityChecked
        DeclineForm WaveReasonForm
    """,
    "proves or names a way to log in": """
        ActivateTOTPForm AddPasskeyForm AuthenticateForm ChangeEmailForm ChangePasswordForm CorrectAddressForm
        NewPasswordForm ReauthenticateByPasskeyForm RenamePasskeyForm RepeatCodeForm RepeatPasswordForm
        ResetPasswordForm SetPasswordForm AuthenticateByPasskeyForm PasskeyLoginForm LoginForm SignUpForm
        ProviderSignUpForm
    """,
    "looks for something, and saves nothing": "LibraryFilter ListsFilter WaveForm",
    "has another guard: `last_change` of a lobby, the version of a draft": "SettingsForm DraftForm",
    "one choice or text, which the new one replaces as meant": """
        BlockForm StandingOrdersForm GameStandingOrdersForm GameNewsForm AnswerForm AddressForm PlayerNoteForm
    """,
    "short, and shown and saved by one person only": """
        PageSettingsForm WishForm NewReviewForm CommitteeVoteForm ComputerForm
        MaintenanceForm SiteNoticeForm
    """,
    "a part of a mission, whose form is guarded": "NoteForm HintForm OptionsForm",
}
"""All forms that need no guard, by reason."""


def declared() -> Iterator[type[forms.BaseForm]]:
    """Yield each form that our modules declare.

    All pages and the forms of allauth are loaded first.
    """
    assert get_resolver().url_patterns
    for path in (*settings.ACCOUNT_FORMS.values(), *settings.MFA_FORMS.values()):
        assert import_string(path)

    def below(kind: type) -> Iterator[type]:
        for each in kind.__subclasses__():
            yield each
            yield from below(each)

    for form in below(forms.BaseForm):
        module = sys.modules[form.__module__]
        ours = form.__module__.partition(".")[0] in ("accounts", "games")
        made = issubclass(form, InputForm)  # created by `form_of`, under its input's name
        if ours and form is not GuardedForm and (made or getattr(module, form.__name__, None) is form):
            yield form


def test_each_form_is_guarded_or_exempt() -> None:
    unguarded = {name for names in UNGUARDED.values() for name in names.split()}
    found = {form.__name__: issubclass(form, GuardedForm) for form in declared()}
    assert {name for name, guarded in found.items() if guarded} == GUARDED
    assert {name for name, guarded in found.items() if not guarded} == unguarded
