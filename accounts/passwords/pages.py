"""The page to ask for a new password."""

from allauth.account.views import PasswordResetView

from accounts.onward import asked_in, leading_to


class AskForPasswordView(PasswordResetView):  # type: ignore[misc]
    """Asking for a new password by mail, from any page."""

    def get_success_url(self) -> str:
        """Say that the mail is on its way, where allauth would go on at once; its link leads on."""
        return leading_to("account_reset_password_done", asked_in(self.request))
